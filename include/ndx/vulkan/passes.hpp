// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PASSES_HPP
#define NDX_VULKAN_PASSES_HPP

#include <ndx/vulkan/dispatcher.hpp>
#include <ndx/vulkan/packing.hpp>
#include <ndx/vulkan/scratch_sizes.hpp>

#include <vector>

/// What passes there are over the tensors of an operation, each cut into parts and windows where it has to be.
namespace ndx::vulkan {

/// The passes over one pair of tensors. Plans are in bytes.
class passes {
public:
  passes(commands& out, call_tensors const& tensors)
      : out_(out),
        tensors_(tensors),
        limits_(out.can()),
        jobs_(out.can(), tensors_),
        dispatcher_(out, tensors_, jobs_.addressable()) {}
  passes(passes const&) = delete;
  passes& operator=(passes const&) = delete;

  /// The scratch that an operation will need, allocated.
  byte_range scratch_of(plan::operation const& op, plan::indexed_copy const& plan, index_t element_size) {
    if (plan.indirect == plan::side::none || plan.tuples == 0) return {};
    bool const packs = !jobs_.addressable() && needs_windows(plan);
    auto const packed_after = [](index_t bytes) { return bytes + (256 - bytes % 256) % 256; };
    auto const with_packed = [&](index_t bytes) {
      return static_cast<VkDeviceSize>(packs ? packed_after(bytes) + 2 * packed_bytes() : bytes);
    };
    auto const take = [&](index_t bytes) { return out_.take_scratch(with_packed(bytes)); };
    use_ = scratch_chooser(tensors_, out_.can(), packs, take).choose(op, plan, element_size);
    VkDeviceSize const total = with_packed(use_.bytes);
    if (total == 0) return {};
    byte_range const scratch = out_.scratch(total);
    claims_ = {scratch.buffer, scratch.begin, out_.scratch_address()};
    packed_indices_ = shifted(claims_, packed_after(use_.bytes));
    packed_source_ = shifted(packed_indices_, packed_bytes());
    return scratch;
  }

  /// Where the parts of the plan that looks at indices report.
  void report_to(report_place const& place) { dispatcher_.report_to(place.range); }
  /// From now on nothing is written if a bad index has been reported.
  void obey_reports() { dispatcher_.obey(dispatcher_.reports()); }
  /// Obeys the same reports, and packs into the same scratch, so that a barrier has to lie between the two.
  void follow(passes const& other) {
    dispatcher_.obey(other.dispatcher_.obeyed());
    packed_indices_ = other.packed_indices_;
    packed_source_ = other.packed_source_;
  }

  /// The first tuples of the parts that a plan will be cut into.
  [[nodiscard]] std::vector<index_t> first_tuples(plan::indexed_copy const& plan) const {
    // Few enough points in units of a byte are few enough in those that will be moved.
    if (jobs_.addressable() && !plan.moves_nothing() && plan.tuples <= tuning::points_in_part / plan.tail) return {0};
    std::vector<index_t> result;
    job const what = jobs_.moving(plan, bounds::trust);
    for_each_part(what.plan, limit(what), [&](plan::indexed_copy const&, index_t first) { result.push_back(first); });
    return result;
  }

  /// Looks at all indices and reports bad ones; moves nothing.
  void look(plan::indexed_copy const& plan, bounds mode) {
    job const what = jobs_.looking(plan, mode);
    counted_ = use_.points_in_buckets == plan.tuples && plan.tuples <= limit(what);
    if (!counted_) return run(what);
    job const words = jobs_.moving(plan, mode, 4);
    job counting = bucketing(words, words.plan);
    counting.looks = true;
    count_in_buckets(counting);
  }

  void move(plan::indexed_copy const& plan, bounds mode) {
    if (use_.points_in_buckets == 0) return run(jobs_.moving(plan, mode));
    by_buckets(jobs_.moving(plan, mode, 4), [](passes& of_pairs, plan::indexed_copy const& pairs) {
      of_pairs.run(of_pairs.jobs_.exchanging(pairs));
    });
  }

  /// Each tuple claims the place that it leads to, the last claim stands, and then tuples write where theirs does.
  void write_last(plan::indexed_copy const& plan, bounds mode) {
    if (use_.points_in_buckets != 0) {
      by_buckets(jobs_.moving(plan, mode, 4),
                 [](passes& of_pairs, plan::indexed_copy const& pairs) { of_pairs.write_signed_pairs(pairs); });
      return;
    }
    job const what = jobs_.moving(plan, mode);
    if (use_.tuples_that_sign != 0) return write_signed(what);
    for_each_part(what.plan, limit(what), [&](plan::indexed_copy const& part, index_t) {
      job writing = what;
      writing.plan = part;
      index_t const places = slots_of(part).count;
      for (index_t first = 0; first < places; first += use_.places_in_round) {
        begin_claims(writing, first, lesser(places - first, use_.places_in_round), 0);
        run_part(job_maker::claiming(writing));
        out_.barrier();
        run_part(writing);
      }
    });
  }

  void reduce(plan::indexed_copy const& plan, bounds mode, reduction_request const& request) {
    if (use_.points_in_buckets == 0) return run(jobs_.reducing(plan, mode, request));
    by_buckets(jobs_.moving(plan, mode, 4), [&](passes& of_pairs, plan::indexed_copy const& pairs) {
      of_pairs.reduce(pairs, bounds::ignore, request);
    });
  }

  /// Divides the sums that `reduce` has made: all tuples are counted in the slots of some places, and then these places
  /// are divided by their counts.
  void divide(plan::indexed_copy const& plan, bounds mode, reduction_request const& request) {
    job dividing = jobs_.dividing(plan, request);
    job counting = job_maker::counting(jobs_.moving(plan, mode));
    std::uint32_t const self = request.operation.includes_self() ? 1 : 0;
    index_t const limit = lesser(tuning::points_in_part, use_.places_in_round * dividing.plan.tail);
    plan::indexed_copy const places = dividing.plan;
    for_each_part(places, limit, [&](plan::indexed_copy const& part, index_t first) {
      dividing.plan = part;
      begin_claims(dividing, first, part.tuples, self);
      counting.claims = dividing.claims;
      counting.claims_address = dividing.claims_address;
      counting.claims_first = dividing.claims_first;
      run(counting);
      out_.barrier();
      run_part(dividing);
    });
  }

private:
  /// The claims are made in the places themselves, by some tuples at a time. Later ones write over what these wrote.
  void write_signed(job const& what) {
    index_t const points = limit(what);
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
    job writing = jobs_.exchanging(pairs);
    writing.claimed_by_tuples = true;
    writing.words_before_numbers = scratch.bytes_before_numbers() / 4;
    place_claims(writing, scratch.bytes_of_numbers());
    sign_and_write(writing);
  }

  void sign_and_write(job const& writing) {
    run_part(job_maker::signing(writing, kernel::sign));
    out_.barrier();
    run_part(job_maker::signing(writing, kernel::contest));
    out_.barrier();
    run_part(writing);
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
    run_part(what);
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
      run_part(bringing);
      out_.barrier();
      operand const pairs = shifted(claims_, bucket_layout(points.tuples, use_.numbered).first_pair());
      call_tensors of_pairs{.destination = tensors_.destination, .source = shifted(pairs, 4), .indices = pairs};
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

  static index_t lesser(index_t a, index_t b) noexcept { return a < b ? a : b; }

  [[nodiscard]] index_t packed_bytes() const noexcept {
    return lesser(tuning::packed_bytes, static_cast<index_t>(limits_.window()));
  }

  [[nodiscard]] bool indices_fit(plan::indexed_copy const& plan) const noexcept {
    return plan.indirect == plan::side::none ||
           limits_.fits(reach(plan, through::indices, tensors_.indices, tensors_.index_size(), tensors_.index_size()));
  }
  [[nodiscard]] bool needs_windows(plan::indexed_copy const& bytes) const {
    job const what = jobs_.moving(bytes, bounds::trust, 1);
    return !limits_.fits(what.destinations()) || !limits_.fits(what.sources()) || !indices_fit(what.plan);
  }

  /// Where windows are the only way, each part's indices have to be packed if they do not fit one, and its updates if
  /// they must be met in order.
  [[nodiscard]] bool packs_indices(job const& what) const { return !jobs_.addressable() && !indices_fit(what.plan); }
  [[nodiscard]] bool packs_source(job const& what) const {
    return !jobs_.addressable() && what.in_order && !limits_.fits(what.sources());
  }
  [[nodiscard]] index_t limit(job const& what) const {
    index_t result = tuning::points_in_part;
    if (packs_indices(what)) {
      index_t const tuple_bytes = static_cast<index_t>(what.plan.coordinate_count) * tensors_.index_size();
      result = lesser(result, packed_bytes() / tuple_bytes * what.plan.tail);
    }
    if (packs_source(what)) result = lesser(result, packed_bytes() / what.unit);
    return result;
  }

  void run(job const& what) {
    bool first = true;
    std::uint64_t report = 0;
    for_each_part(what.plan, limit(what), [&](plan::indexed_copy const& plan, index_t) {
      // Tuples of a later part come after those of an earlier one, and both may use the same scratch.
      if (!first && (what.in_order || packs_indices(what))) out_.barrier();
      first = false;
      job part = what;
      part.plan = plan;
      run_part(part, report++);
    });
  }

  void run_part(job part, std::uint64_t report = 0) {
    operand indices = tensors_.indices;
    bool packed = false;
    if (packs_indices(part)) {
      move_packed(packed_indices_, indices, pack_indices(part.plan), tensors_.index_size());
      indices = packed_indices_;
      packed = true;
    }
    if (packs_source(part)) {
      move_packed(packed_source_, part.source, pack_source(part.plan), part.unit);
      part.source = packed_source_;
      packed = true;
    }
    if (packed) out_.barrier();
    dispatcher_.dispatch(part, indices, report);
  }

  void move_packed(operand const& scratch, operand const& source, plan::indexed_copy const& copy, index_t element) {
    passes(out_, {.destination = scratch, .source = source})
        .move(plan::in_bytes(copy, static_cast<std::size_t>(element)), bounds::trust);
  }

  commands& out_;
  call_tensors tensors_;
  binding_limits limits_;
  job_maker jobs_;
  dispatcher dispatcher_;
  scratch_use use_;
  bool counted_ = false;  // how many go to each bucket, in the only round
  operand claims_;
  operand packed_indices_;
  operand packed_source_;
};

}  // namespace ndx::vulkan

#endif
