// SPDX-License-Identifier: MIT
// What files.test.py runs: reads a file that Python wrote, and writes its tensors again for Python to read.
//
// Usage: safetensors_files INPUT OUTPUT
#include <ndx/interop/safetensors.hpp>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using ndx::safetensors::file;
using ndx::safetensors::named_tensor;

template <class T>
bool take(file const& from, std::string const& name, std::vector<named_tensor>& to) {
  if (from.info(name).dtype != ndx::safetensors::detail::dtype_of<T>()) return false;
  switch (from.info(name).shape.size()) {
    case 0:
      to.emplace_back(name, from.get<T, 0>(name));
      return true;
    case 3:
      to.emplace_back(name, from.get<T, 3>(name));
      return true;
    default:
      return false;
  }
}

template <class... Types>
bool take_any(file const& from, std::string const& name, std::vector<named_tensor>& to) {
  return (take<Types>(from, name, to) || ...);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 3) return 2;
    file const from(arguments[1]);
    std::vector<named_tensor> to;
    for (std::string const& name : from.names()) {
      if (take_any<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, ndx::float16, float, double, ndx::bfloat16, std::complex<float>>(
              from, name, to))
        continue;
      std::fprintf(stderr, "%s: due are a type that ndx knows and rank 0 or 3\n", name.c_str());
      return 1;
    }
    ndx::safetensors::write(arguments[2], to, from.metadata());
    return 0;
  } catch (ndx::error const& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
