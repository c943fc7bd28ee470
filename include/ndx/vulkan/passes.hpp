// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PASSES_HPP
#define NDX_VULKAN_PASSES_HPP

#include <ndx/vulkan/part_runner.hpp>
#include <ndx/vulkan/scratch_sizes.hpp>

#include <optional>
#include <vector>

/// What passes there are over the tensors of an operation.
namespace ndx::vulkan {

/// The passes over one pair of tensors. Plans are in bytes.
class passes {
public:
  passes(commands& out, call_tensors const& tensors) : out_(out), parts_(out, tensors) {}
  passes(passes const&) = delete;
  passes& operator=(passes const&) = delete;

  /// The scratch that an operation will need, allocated.
  byte_range scratch_of(plan::operation const& op, plan::indexed_copy const& plan, index_t element_size) {
    if (plan.indirect == plan::side::none || plan.tuples == 0) return {};
    bool const packs = parts_.packs(plan);
    auto const packed_after = [](index_t bytes) { return bytes + (256 - bytes % 256) % 256; };
    auto const with_packed = [&](index_t bytes) {
      return static_cast<VkDeviceSize>(packs ? packed_after(bytes) + 2 * parts_.packed_bytes() : bytes);
    };
    auto const take = [&](index_t bytes) { return out_.take_scratch(with_packed(bytes)); };
    use_ = scratch_chooser(parts_.tensors(), out_.can(), packs, take).choose(op, plan, element_size);
    VkDeviceSize const total = with_packed(use_.bytes);
    if (total == 0) return {};
    byte_range const scratch = out_.scratch(total);
    claims_ = {scratch.buffer, scratch.begin, out_.scratch_address()};
    parts_.pack_into(shifted(claims_, packed_after(use_.bytes)));
    return scratch;
  }

  /// Is what a scatter does one dispatch, as its tuples are few? To be asked before any scratch is.
  [[nodiscard]] bool finds_few(plan::indexed_copy const& plan, reduction_request const& request, operand const& input) {
    if (plan.indirect == plan::side::destination && !plan.moves_nothing() && !parts_.packs(plan))
      few_ = jobs().of_few(plan, request, input);
    return few_.has_value();
  }
  void move_few() { parts_.run(*few_); }

  /// Where the parts of the plan that looks at indices report.
  void report_to(report_place const& place) { parts_.report_to(place.range); }
  void obey_reports() { parts_.obey_reports(); }
  void follow(passes const& other) { parts_.follow(other.parts_); }

  /// The first tuples of the parts that a plan will be cut into.
  [[nodiscard]] std::vector<index_t> first_tuples(plan::indexed_copy const& plan) const {
    // Few enough points in units of a byte are few enough in those that will be moved.
    if (jobs().addressable() && !plan.moves_nothing() && plan.tuples <= tuning::points_in_part / plan.tail) return {0};
    std::vector<index_t> result;
    job const what = jobs().moving(plan, bounds::trust);
    for_each_part(what.plan, parts_.limit(what),
                  [&](plan::indexed_copy const&, index_t first) { result.push_back(first); });
    return result;
  }

  /// Looks at all indices and reports bad ones; moves nothing.
  void look(plan::indexed_copy const& plan, bounds mode) {
    job const what = jobs().looking(plan, mode);
    counted_ = use_.points_in_buckets == plan.tuples && plan.tuples <= parts_.limit(what);
    if (!counted_) return parts_.run(what);
    job const words = jobs().moving(plan, mode, 4);
    job counting = bucketing(words, words.plan);
    counting.looks = true;
    count_in_buckets(counting);
  }

  void move(plan::indexed_copy const& plan, bounds mode) {
    if (use_.points_in_buckets == 0) return parts_.run(jobs().moving(plan, mode));
    by_buckets(jobs().moving(plan, mode, 4), [](passes& of_pairs, plan::indexed_copy const& pairs) {
      of_pairs.parts_.run(of_pairs.jobs().exchanging(pairs));
    });
  }

  /// Each tuple claims the place that it leads to, the last claim stands, and then tuples write where theirs does.
  void write_last(plan::indexed_copy const& plan, bounds mode) {
    if (use_.points_in_buckets != 0) {
      by_buckets(jobs().moving(plan, mode, 4),
                 [](passes& of_pairs, plan::indexed_copy const& pairs) { of_pairs.write_signed_pairs(pairs); });
      return;
    }
    job const what = jobs().moving(plan, mode);
    if (use_.tuples_that_sign != 0) return write_signed(what);
    for_each_part(what.plan, parts_.limit(what), [&](plan::indexed_copy const& part, index_t) {
      job writing = what;
      writing.plan = part;
      index_t const places = slots_of(part).count;
      for (index_t first = 0; first < places; first += use_.places_in_round) {
        begin_claims(writing, first, lesser(places - first, use_.places_in_round), 0);
        parts_.run_part(job_maker::claiming(writing));
        out_.barrier();
        parts_.run_part(writing);
      }
    });
  }

  void reduce(plan::indexed_copy const& plan, bounds mode, reduction_request const& request) {
    if (use_.points_in_buckets == 0) return parts_.run(jobs().reducing(plan, mode, request));
    by_buckets(jobs().moving(plan, mode, 4), [&](passes& of_pairs, plan::indexed_copy const& pairs) {
      of_pairs.reduce(pairs, bounds::ignore, request);
    });
  }

  /// Divides the sums that `reduce` has made: all tuples are counted in the slots of some places, and then these places
  /// are divided by their counts.
  void divide(plan::indexed_copy const& plan, bounds mode, reduction_request const& request) {
    job dividing = jobs().dividing(plan, request);
    job counting = job_maker::counting(jobs().moving(plan, mode));
    std::uint32_t const self = request.operation.includes_self() ? 1 : 0;
    index_t const limit = lesser(tuning::points_in_part, use_.places_in_round * dividing.plan.tail);
    plan::indexed_copy const places = dividing.plan;
    for_each_part(places, limit, [&](plan::indexed_copy const& part, index_t first) {
      dividing.plan = part;
      begin_claims(dividing, first, part.tuples, self);
      counting.claims = dividing.claims;
      counting.claims_address = dividing.claims_address;
      counting.claims_first = dividing.claims_first;
      parts_.run(counting);
      out_.barrier();
      parts_.run_part(dividing);
    });
  }

private:
  [[nodiscard]] job_maker const& jobs() const noexcept { return parts_.jobs(); }

  /// The claims are made in the places themselves, by some tuples at a time. Later ones write over what these wrote.
  void write_signed(job const& what) {
    index_t const points = parts_.limit(what);
    index_t const tuples = lesser(use_.tuples_that_sign, points / what.plan.tail);
    bool first = true;
    index_t const at_once = tuples > 0 ? tuples * what.plan.tail : points;
    for_each_part(what.plan, at_once, [&](plan::indexed_copy const& part, index_t) {
      if (!first) out_.barrier();
      first = false;
      job writing = what;
      writing.plan = part;
      writing.claimed_by_tuples = true;
      place_claims(writing, bytes_of_bits(part.tuples));
      sign_and_write(writing);
    });
  }

  /// The same for pairs that come out of buckets.
  void write_signed_pairs(plan::indexed_copy const& pairs) {
    bucket_layout const scratch(pairs.tuples, true);
    job writing = jobs().exchanging(pairs);
    writing.claimed_by_tuples = true;
    writing.words_before_numbers = scratch.bytes_before_numbers() / 4;
    place_claims(writing, scratch.bytes_of_numbers());
    sign_and_write(writing);
  }

  void sign_and_write(job const& writing) {
    parts_.run_part(job_maker::signing(writing, kernel::sign));
    out_.barrier();
    parts_.run_part(job_maker::signing(writing, kernel::contest));
    out_.barrier();
    parts_.run_part(writing);
  }

  /// The job that brings points into buckets: some of those of `all`, which moves words.
  [[nodiscard]] job bucketing(job const& all, plan::indexed_copy const& points) const {
    job what = job_maker::bucketing(all, use_.numbered);
    what.plan = points;
    what.claims_first -= points.destination_base;
    place_claims(what, bucket_layout(points.tuples, use_.numbered).bytes());
    return what;
  }

  /// The points of each bucket are counted.
  void count_in_buckets(job what) {
    clear(byte_range{what.claims.buffer, what.claims.begin, what.claims.begin + bucket_layout::head_bytes}, 0);
    what.key.which = kernel::bucket_count;
    what.source = {};
    parts_.run_part(what);
  }

  /// Calls `scatter(passes, plan)` for the pairs that the points of a job become, round by round.
  template <class Scatter>
  void by_buckets(job const& what, Scatter const& scatter) {
    byte_range const destination = what.destinations();
    for_each_part(what.plan, use_.points_in_buckets, [&](plan::indexed_copy const& points, index_t) {
      job const bringing = bucketing(what, points);
      if (!counted_) {
        count_in_buckets(bringing);
        out_.barrier();
      }
      parts_.run_part(bringing);
      out_.barrier();
      operand const pairs = shifted(claims_, bucket_layout(points.tuples, use_.numbered).first_pair());
      call_tensors of_pairs{.destination = parts_.tensors().destination, .source = shifted(pairs, 4), .indices = pairs};
      of_pairs.destination.place = destination.begin;
      passes scattering(out_, of_pairs);
      scattering.follow(*this);
      scattering.claims_ = shifted(claims_, bucket_layout::head_bytes);
      scatter(scattering, scatter_of_pairs(points.tuples, static_cast<index_t>(destination.size() / 4)));
    });
  }

  /// Claims of a job on the slots [first, first + count), which hold `value` before the first claim.
  void begin_claims(job& what, index_t first, index_t count, std::uint32_t value) {
    place_claims(what, 4 * count);
    what.claims_first = first;
    clear(what.claims, value);
  }
  void place_claims(job& what, index_t bytes) const noexcept {
    what.claims = {claims_.buffer, claims_.place, claims_.place + static_cast<std::uint64_t>(bytes)};
    what.claims_address = claims_.address;
  }
  void clear(byte_range const& words, std::uint32_t value) {
    out_.barrier_to_transfers();
    out_.fill(words, value);
    out_.barrier();
  }

  commands& out_;
  part_runner parts_;
  std::optional<job> few_;
  scratch_use use_;
  bool counted_ = false;  // how many go to each bucket, in the only round
  operand claims_;
};

}  // namespace ndx::vulkan

#endif
