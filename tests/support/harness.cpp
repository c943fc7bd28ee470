// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include "catch.hpp"
#include "raw_bytes.hpp"

#include <ndx/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace test {

std::vector<arrangement> const& every_arrangement() {
  using enum layout;
  static std::vector<arrangement> const list{{packed, packed, packed, packed},
                                             {misaligned, misaligned, misaligned, misaligned},
                                             {padded, padded, padded, padded},
                                             {reversed, packed, reversed, packed},
                                             {packed, reversed, packed, reversed},
                                             {permuted, permuted, permuted, permuted},
                                             {strided, strided, strided, strided},
                                             {broadcast, broadcast, broadcast, packed},
                                             {broadcast, packed, broadcast, padded},
                                             {mixed, mixed, mixed, mixed},
                                             {mixed, packed, mixed, packed},
                                             {packed, packed, packed, packed, true},
                                             {padded, broadcast, broadcast, padded, true},
                                             {mixed, mixed, mixed, mixed, true}};
  return list;
}

std::vector<arrangement> const& few_arrangements() {
  using enum layout;
  static std::vector<arrangement> const list{
      {packed, packed, packed, packed}, {packed, packed, packed, misaligned}, {packed, packed, packed, packed, true}};
  return list;
}

bool mentions(std::string_view text, std::string_view word) {
  auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
  auto const is_part = [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    bool const goes_on_before = at != 0 && is_part(word.front()) && is_part(text[at - 1]);
    bool const is_negated = at != 0 && is_digit(word.front()) && text[at - 1] == '-';
    auto const end = at + word.size();
    bool const goes_on_after = end != text.size() && is_part(word.back()) && is_part(text[end]);
    if (!goes_on_before && !is_negated && !goes_on_after) return true;
  }
  return false;
}

namespace {

/// What is wrong with this error, as far as the oracle knows; empty if nothing is.
std::string differences(ndx::index_error const& thrown, oracle::index_failure const& due, operation op) {
  std::string result;
  auto const expect = [&](bool holds, std::string const& what) {
    if (!holds) result += "\n  " + what;
  };
  oracle::shape const position(thrown.position().begin(), thrown.position().end());
  expect(position == due.position, "position() is " + text(position) + ", due " + text(due.position));
  expect(thrown.axis() == due.axis, "axis() is " + std::to_string(thrown.axis()) + ", due " + std::to_string(due.axis));
  expect(thrown.extent() == due.extent,
         "extent() is " + std::to_string(thrown.extent()) + ", due " + std::to_string(due.extent));
  expect(static_cast<std::uint64_t>(thrown.value()) == due.value.bits(),
         "value() is " + std::to_string(thrown.value()) + ", due the bits of " + due.value.text());
  std::string_view const what = thrown.what();
  expect(mentions(what, name(op)), "the text does not name the operator");
  expect(mentions(what, "indices"), "the text does not name the argument");
  expect(mentions(what, due.value.text()), "the text does not show the value " + due.value.text());
  expect(mentions(what, std::to_string(due.extent)), "the text does not show the extent");
  expect(mentions(what, std::to_string(due.axis)), "the text does not show the axis");
  expect(mentions(what, text(due.position)), "the text does not show the position");
  if (!result.empty()) result += "\n  the text: " + std::string(what);
  return result;
}

std::string bytes_text(std::byte const* bytes, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += " " + std::to_string(std::to_integer<int>(bytes[i]));
  return result;
}

}  // namespace

struct trials::trial {
  trial(problem const& p, arrangement const& layouts, std::optional<oracle::outcome> const& expected,
        random_source& random)
      : given(p),
        due(expected),
        how(layouts),
        input(p.input, how.input, placement::use::input, random),
        indices(elements_of(p.indices, p.kind), how.indices, placement::use::input, random),
        updates(p.updates, how.updates, placement::use::input, random),
        output({p.output, p.type->size, {}}, how.output, placement::use::output, random),
        inputs{fingerprints()} {
    if (how.in_place) output.set_elements(p.input.bytes);
    before = output.copy();
    if (succeeds()) output.set_elements(due->bytes);
    after = output.copy();
  }

  [[nodiscard]] bool succeeds() const { return due && !due->failure; }

  using input_fingerprints = std::array<std::uint64_t, 3>;
  [[nodiscard]] input_fingerprints fingerprints() const {
    return {input.fingerprint(), indices.fingerprint(), updates.fingerprint()};
  }

  /// Empty if all is well.
  std::string run(std::function<void(operands const&)> const& call) {
    output.restore(before);
    std::string problem = call_and_see_errors(call);
    if (fingerprints() != inputs) problem += "\n  an input has been changed";
    if (output.matches_as_watched(after)) return problem;
    if (succeeds()) {
      problem += compare_elements();
      if (problem.empty() && !output.matches(after))
        problem = "\n  bytes beside the elements of the output have changed";
    } else {
      // What a gather leaves behind is unspecified, but only in the elements.
      if (due && !is_scatter(given.op)) output.restore_elements(after);
      if (!output.matches(after)) problem += "\n  the output has been changed in spite of the error";
    }
    return problem;
  }

  std::string call_and_see_errors(std::function<void(operands const&)> const& call) const {
    auto const as_operand = [](placement const& p) {
      return operand{p.data(), &p.extents(), &p.strides(), p.memory(), p.bytes()};
    };
    try {
      call({as_operand(input), as_operand(indices), as_operand(updates), as_operand(output), how.in_place});
    } catch (ndx::index_error const& error) {
      if (due && due->failure) return differences(error, *due->failure, given.op);
      return std::string("\n  unexpected index_error: ") + error.what();
    } catch (ndx::shape_error const& error) {
      if (!due) return {};
      return std::string("\n  unexpected shape_error: ") + error.what();
    } catch (std::exception const& error) {
      return std::string("\n  unexpected exception: ") + error.what();
    }
    if (!due) return "\n  a shape_error is due, and there was none";
    if (due->failure) return "\n  an index_error is due at " + text(due->failure->position) + ", and there was none";
    return {};
  }

  /// Makes allowed differences go away, so that what then differs is wrong.
  std::string compare_elements() {
    std::string problem;
    std::size_t const size = given.type->size;
    output.for_each_element([&](oracle::integer i, std::byte* element) {
      std::byte const* const expected = due->bytes.data() + static_cast<std::size_t>(i) * size;
      if (same_raw(element, expected, size)) return;
      if (!allowed(i, element, expected) && problem.empty())
        problem = "\n  element " + std::to_string(i) + " of the output (row-major) differs: bytes" +
                  bytes_text(element, size) + ", due" + bytes_text(expected, size);
      copy_element(element, expected, size);
    });
    return problem;
  }

  [[nodiscard]] bool allowed(oracle::integer i, std::byte const* element, std::byte const* expected) const {
    // The payload of a NaN that a reduction makes is left open.
    if (given.reduction != oracle::reduction::none) return given.type->is_nan(element) && given.type->is_nan(expected);
    if (given.duplicates == oracle::duplicates::last) return false;
    if (due->last_update.empty()) return false;
    for (oracle::integer update = due->last_update[static_cast<std::size_t>(i)]; update >= 0;
         update = due->update_before[static_cast<std::size_t>(update)])
      if (same_raw(element, given.updates.at(update), given.type->size)) return true;
    return false;
  }

  problem const& given;
  std::optional<oracle::outcome> const& due;
  arrangement how;
  placement input;
  placement indices;
  placement updates;
  placement output;
  input_fingerprints inputs;
  placement::image before;
  placement::image after;
};

trials::trials(problem const& p, std::vector<arrangement> const& arrangements, std::string note)
    : problem_(p), note_(std::move(note)), due_(solve(p)) {
  random_source random(first_seed());
  for (arrangement const& how : arrangements)
    if (!how.in_place || (is_scatter(p.op) && p.output == p.input.extents))
      trials_.push_back(std::make_unique<trial>(p, how, due_, random));
}

trials::~trials() = default;

void trials::run(std::string const& policy, std::function<void(operands const&)> const& call) {
  for (auto const& arranged : trials_) {
    std::string const found = arranged->run(call);
    if (found.empty()) continue;
    arrangement const& how = arranged->how;
    FAIL_CHECK(describe(problem_) << "\npolicy " << policy << ", memory: input " << name(how.input) << ", indices "
                                  << name(how.indices) << ", updates " << name(how.updates) << ", output "
                                  << name(how.output) << (how.in_place ? ", in place" : "")
                                  << (note_.empty() ? "" : "\n") << note_ << found);
    return;  // the other arrangements would say the same again
  }
  SUCCEED();
}

}  // namespace test
