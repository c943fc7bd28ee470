// SPDX-License-Identifier: MIT
// Tensors that come and go by DLPack, with the structs of ndx. The real header and real Python: dlpack_header.test.cpp
// and python.
#include <ndx/interop/dlpack.hpp>

#include "../../support/catch.hpp"
#include "../../support/message_of.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace ndx::dlpack;
using ndx::index_t;
using test::message_of;

/// The managed tensor of a program that is not ndx: {2, 3} floats, which counts the calls of its deleter.
template <class Managed>
struct foreign {
  std::array<float, 6> elements{0, 1, 2, 3, 4, 5};
  std::array<std::int64_t, 2> extents{2, 3};
  std::array<std::int64_t, 2> strides{3, 1};
  int deleted = 0;
  Managed managed{};

  foreign() {
    DLTensor& tensor = managed.dl_tensor;
    tensor.data = elements.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = 2;
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = extents.data();
    tensor.strides = strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { ++static_cast<foreign*>(self->manager_ctx)->deleted; };
    if constexpr (versioned_struct<Managed>) managed.version = {1, 3};
  }
  foreign(foreign const&) = delete;
};

/// The error for a foreign tensor that `change` has spoilt; checks that it is not taken.
template <class T = float, std::size_t Rank = 2, class Managed = DLManagedTensorVersioned, class Change>
std::string refusal(Change const& change) {
  foreign<Managed> from;
  change(from);
  std::string const text = message_of([&] { static_cast<void>(ndx::from_dlpack<T, Rank>(&from.managed)); });
  CHECK(from.deleted == 0);
  return text;
}

/// Tells how many of it there are.
struct owner {
  std::shared_ptr<int> alive = std::make_shared<int>(0);
};

/// Not what the struct of ndx can refer to.
struct with_const_extents {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t const* shape;
  std::int64_t const* strides;
  std::uint64_t byte_offset;
};
static_assert(tensor_struct<DLTensor> && !tensor_struct<with_const_extents>);

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 signed_128_bits;
__extension__ typedef unsigned __int128 unsigned_128_bits;
static_assert(!ndx::exchangeable_element<signed_128_bits>);
static_assert(!ndx::exchangeable_element<unsigned_128_bits const>);
#endif
static_assert(ndx::exchangeable_element<std::uint64_t const>);
static_assert(std::is_nothrow_move_constructible_v<ndx::dlpack_tensor<float, 2>>);
static_assert(std::is_nothrow_move_assignable_v<ndx::dlpack_tensor<float, 2>>);
static_assert(!std::is_copy_constructible_v<ndx::dlpack_tensor<float, 2>>);
static_assert(ndx::writable_tensor<ndx::dlpack_tensor<float, 2>>);
static_assert(ndx::writable_tensor<ndx::dlpack_tensor<float, 2> const&>);
static_assert(ndx::tensor_like<ndx::dlpack_tensor<float const, 2>>);
static_assert(!ndx::writable_tensor<ndx::dlpack_tensor<float const, 2>>);

// The layout that the specification gives, where pointers have 64 bits.
static_assert(sizeof(void*) != 8 || sizeof(DLTensor) == 48);
static_assert(sizeof(void*) != 8 || offsetof(DLTensor, dtype) == 20);
static_assert(sizeof(void*) != 8 || offsetof(DLTensor, shape) == 24);
static_assert(sizeof(void*) != 8 || offsetof(DLTensor, byte_offset) == 40);
static_assert(sizeof(void*) != 8 || sizeof(DLManagedTensor) == 64);
static_assert(sizeof(void*) != 8 || offsetof(DLManagedTensorVersioned, flags) == 24);
static_assert(sizeof(void*) != 8 || offsetof(DLManagedTensorVersioned, dl_tensor) == 32);

template <class T>
constexpr bool has_type(std::uint8_t code, std::uint8_t bits) {
  DLDataType const type = data_type_of<T>();
  return type.code == code && type.bits == bits && type.lanes == 1;
}
static_assert(has_type<std::int8_t>(0, 8) && has_type<std::int16_t>(0, 16) && has_type<std::int32_t>(0, 32));
static_assert(has_type<long long>(0, 64) && has_type<long>(0, 8 * sizeof(long)) && has_type<std::int64_t const>(0, 64));
static_assert(has_type<std::uint8_t>(1, 8) && has_type<std::uint16_t>(1, 16) && has_type<std::uint32_t>(1, 32));
static_assert(has_type<std::uint64_t>(1, 64) && has_type<ndx::float16>(2, 16) && has_type<float>(2, 32));
static_assert(has_type<double>(2, 64) && has_type<ndx::bfloat16>(4, 16) && has_type<bool>(6, 8));
static_assert(has_type<std::complex<float>>(5, 64) && has_type<std::complex<double>>(5, 128));
static_assert(!ndx::exchangeable_element<char32_t> && !ndx::exchangeable_element<float*>);

}  // namespace

TEMPLATE_TEST_CASE("a managed tensor is taken without a copy and deleted once", "[dlpack]", DLManagedTensor,
                   DLManagedTensorVersioned) {
  foreign<TestType> from;
  {
    auto taken = ndx::from_dlpack<float, 2>(&from.managed);
    CHECK(taken.extents() == std::array<index_t, 2>{2, 3});
    CHECK(taken.view().strides() == std::array<index_t, 2>{3, 1});
    CHECK(taken.view().data_handle() == from.elements.data());
    auto moved = std::move(taken);
    CHECK(taken.view().empty());
    CHECK(moved.view()(1, 2) == 5.0f);
    taken = std::move(moved);
    CHECK(taken.view()(0, 1) == 1.0f);
    CHECK(from.deleted == 0);
  }
  CHECK(from.deleted == 1);
}

TEST_CASE("a tensor that is replaced is deleted then", "[dlpack]") {
  foreign<DLManagedTensor> first;
  foreign<DLManagedTensorVersioned> second;
  auto taken = ndx::from_dlpack<float, 2>(&first.managed);
  taken = ndx::from_dlpack<float, 2>(&second.managed);
  CHECK(first.deleted == 1);
  CHECK(second.deleted == 0);
  CHECK(taken.view().data_handle() == second.elements.data());
  taken = {};
  CHECK(second.deleted == 1);
}

TEST_CASE("a managed tensor without a deleter is only read", "[dlpack]") {
  foreign<DLManagedTensor> from;
  from.managed.deleter = nullptr;
  CHECK(ndx::from_dlpack<float, 2>(&from.managed).view()(1, 0) == 3.0f);
}

TEST_CASE("operators take a tensor that came by DLPack as input and output", "[dlpack]") {
  foreign<DLManagedTensor> from;
  foreign<DLManagedTensorVersioned> to;
  auto const input = ndx::from_dlpack<float const, 2>(&from.managed);
  auto const output = ndx::from_dlpack<float, 2>(&to.managed);
  ndx::tensor<std::int32_t, 2> const rows({2, 1}, {1, 0});
  ndx::gather_nd(ndx::seq, input, rows, output);
  CHECK(to.elements == std::array<float, 6>{3, 4, 5, 0, 1, 2});
}

TEST_CASE("strides, offset and the memory that they reach come from the struct", "[dlpack]") {
  foreign<DLManagedTensor> from;
  SECTION("null strides are packed") {
    from.managed.dl_tensor.strides = nullptr;
    from.extents = {3, 2};
    CHECK(ndx::from_dlpack<float, 2>(from.managed.dl_tensor).strides() == std::array<index_t, 2>{2, 1});
  }
  SECTION("a transposition") {
    from.extents = {3, 2};
    from.strides = {1, 3};
    auto const view = ndx::from_dlpack<float, 2>(from.managed.dl_tensor);
    CHECK(view(2, 1) == 5.0f);
    CHECK(view(1, 0) == 1.0f);
  }
  SECTION("backwards, from an offset") {
    from.managed.dl_tensor.byte_offset = 5 * sizeof(float);
    from.strides = {-3, -1};
    auto const view = ndx::from_dlpack<float, 2>(from.managed.dl_tensor);
    CHECK(view(0, 0) == 5.0f);
    CHECK(view(1, 2) == 0.0f);
  }
  SECTION("rank 0 needs neither extents nor strides") {
    from.managed.dl_tensor.ndim = 0;
    from.managed.dl_tensor.shape = nullptr;
    from.managed.dl_tensor.strides = nullptr;
    from.managed.dl_tensor.byte_offset = 8;
    CHECK(ndx::from_dlpack<float, 0>(from.managed.dl_tensor)() == 2.0f);
  }
  SECTION("without elements data may be null, whatever the offset") {
    from.managed.dl_tensor.data = nullptr;
    from.managed.dl_tensor.byte_offset = 64;
    from.extents = {2, 0};
    CHECK(ndx::from_dlpack<float, 2>(from.managed.dl_tensor).empty());
  }
  SECTION("pinned memory is memory of the host") {
    from.managed.dl_tensor.device = {kDLCUDAHost, 1};
    CHECK(ndx::from_dlpack<float, 2>(from.managed.dl_tensor)(0, 1) == 1.0f);
  }
}

TEST_CASE("a tensor that is not what was asked for is refused and stays the caller's", "[dlpack]") {
  auto const nothing = [](auto&) {};
  CHECK(refusal<double>(nothing) == "from_dlpack: dtype is float32; due is float64");
  CHECK(refusal<std::int32_t>(nothing) == "from_dlpack: dtype is float32; due is int32");
  CHECK(refusal<float, 3>(nothing) == "from_dlpack: ndim is 2; due is 3");
  CHECK(refusal([](auto& from) {
          from.managed.dl_tensor.dtype = {kDLFloat, 32, 4};
        }) == "from_dlpack: dtype is float32 in 4 lanes; due is float32");
  CHECK(refusal<ndx::float16>([](auto& from) {
          from.managed.dl_tensor.dtype = {kDLBfloat, 16, 1};
        }) == "from_dlpack: dtype is bfloat16; due is float16");
  CHECK(refusal<bool>([](auto& from) {
          from.managed.dl_tensor.dtype = {kDLUInt, 8, 1};
        }) == "from_dlpack: dtype is uint8; due is bool");
  CHECK(refusal([](auto& from) {
          from.managed.dl_tensor.dtype = {17, 4, 1};
        }) == "from_dlpack: dtype is code 17, 4; due is float32");
  CHECK(refusal([](auto& from) {
          from.managed.dl_tensor.device = {2, 3};
        }) ==
        "from_dlpack: device is kDLCUDA (2), number 3; due is memory of the host: kDLCPU (1), kDLCUDAHost (3) or "
        "kDLROCMHost (11)");
  CHECK(refusal([](auto& from) {
          from.managed.dl_tensor.device = {99, 0};
        }) ==
        "from_dlpack: device is type (99), number 0; due is memory of the host: kDLCPU (1), kDLCUDAHost (3) or "
        "kDLROCMHost (11)");
  CHECK(refusal([](auto& from) { from.managed.dl_tensor.device = {-1, 0}; }).find("type (-1)") != std::string::npos);
  CHECK(refusal([](auto& from) { from.managed.dl_tensor.ndim = -2; }) == "from_dlpack: ndim is -2; due is 2");
  CHECK(refusal([](auto& from) { from.managed.dl_tensor.shape = nullptr; }) ==
        "from_dlpack: shape is a null pointer; due are 2 extents");
  CHECK(refusal([](auto& from) { from.managed.dl_tensor.data = nullptr; }) ==
        "from_dlpack: tensor: extents {2, 3} and strides {3, 1} at a null pointer; due is a pointer to the elements");
  CHECK(refusal([](auto& from) { from.extents[1] = -3; }) ==
        "from_dlpack: tensor: extents {2, -3} and strides {3, 1}; due are extents of 0 and more");
  CHECK(refusal([](auto& from) { from.strides[0] = std::numeric_limits<std::int64_t>::max(); }) ==
        "from_dlpack: tensor: extents {2, 3} and strides {9223372036854775807, 1} with elements of 4 bytes; due are "
        "sizes and byte offsets below 2^63");
  CHECK(refusal([](auto& from) { from.managed.dl_tensor.byte_offset = 6; }).find("more than a multiple of 4; due is") !=
        std::string::npos);
  CHECK(refusal([](auto& from) { from.managed.dl_tensor.byte_offset = ~std::uint64_t{0}; }) ==
        "from_dlpack: byte_offset is 18446744073709551615; due is one within the memory behind data");
}

TEST_CASE("only a versioned tensor of version 1 is read, and a read-only one is not written", "[dlpack]") {
  CHECK(refusal([](auto& from) { from.managed.version = {2, 0}; }) == "from_dlpack: version is 2.0; due is 1.x");
  auto const read_only = [](auto& from) { from.managed.flags = flag_read_only | 2; };
  CHECK(refusal(read_only) ==
        "from_dlpack: the tensor is read-only; due is one that may be written, or elements that are const");
}

TEST_CASE("no managed tensor is refused too", "[dlpack]") {
  DLManagedTensor* const none = nullptr;
  CHECK(message_of([&] { static_cast<void>(ndx::from_dlpack<float, 2>(none)); }) ==
        "from_dlpack: the managed tensor is a null pointer; due is one to a tensor");
}

TEMPLATE_TEST_CASE("an ndx tensor goes to another program, which deletes it", "[dlpack]", DLManagedTensor,
                   DLManagedTensorVersioned) {
  ndx::tensor<std::int16_t, 3> tensor({2, 3, 4});
  std::iota(tensor.begin(), tensor.end(), std::int16_t{0});
  std::int16_t const* const elements = tensor.data();
  auto sent = ndx::to_dlpack<TestType>(std::move(tensor));
  CHECK(tensor.empty());
  CHECK(sent->dl_tensor.data == elements);
  CHECK(sent->dl_tensor.device.device_type == kDLCPU);
  CHECK(sent->dl_tensor.ndim == 3);
  CHECK(sent->dl_tensor.shape[2] == 4);
  CHECK(sent->dl_tensor.strides[0] == 12);
  CHECK(sent->dl_tensor.byte_offset == 0);
  if constexpr (versioned_struct<TestType>) {
    CHECK(sent->version.major == 1);
    CHECK(sent->flags == 0);
  }
  TestType* const raw = sent.release();  // as a capsule would hold it; AddressSanitizer tells whether it is deleted
  auto const back = ndx::from_dlpack<std::int16_t, 3>(raw);
  CHECK(back.view().data_handle() == elements);
  CHECK(back.view()(1, 2, 3) == 23);
}

TEST_CASE("what holds a managed tensor keeps it where it is refused", "[dlpack]") {
  owner const marked;
  ndx::tensor<float, 1> const tensor({2}, {1, 2});
  auto sent = ndx::to_dlpack(tensor.view(), marked);
  CHECK(message_of([&] { static_cast<void>(ndx::from_dlpack<float, 1>(std::move(sent))); }) ==
        "from_dlpack: the tensor is read-only; due is one that may be written, or elements that are const");
  REQUIRE(sent != nullptr);
  CHECK(marked.alive.use_count() == 2);
  {
    auto const taken = ndx::from_dlpack<float const, 1>(std::move(sent));
    CHECK(sent == nullptr);
    CHECK(taken.view()(1) == 2.0f);
    CHECK(marked.alive.use_count() == 2);
  }
  CHECK(marked.alive.use_count() == 1);
}

TEST_CASE("a view goes with its strides, its constness and whoever owns it", "[dlpack]") {
  owner marked;
  std::weak_ptr<int> const alive = marked.alive;
  std::vector<double> elements{0, 1, 2, 3, 4, 5};
  ndx::tensor_view<double, 2> const view(elements.data(), {2, 3});
  {
    auto const sent = ndx::to_dlpack<DLManagedTensor>(view.permuted({1, 0}).reversed(0), std::move(marked));
    CHECK(sent->dl_tensor.data == elements.data() + 2);
    CHECK(std::vector<std::int64_t>(sent->dl_tensor.shape, sent->dl_tensor.shape + 2) ==
          std::vector<std::int64_t>{3, 2});
    CHECK(std::vector<std::int64_t>(sent->dl_tensor.strides, sent->dl_tensor.strides + 2) ==
          std::vector<std::int64_t>{-1, 3});
    CHECK(!alive.expired());
  }
  CHECK(alive.expired());
  CHECK(ndx::to_dlpack(view)->flags == 0);
  CHECK(ndx::to_dlpack(ndx::tensor_view<double const, 2>(view))->flags == flag_read_only);
}

TEST_CASE("a view that no operator takes does not go, and its owner stays as it was", "[dlpack]") {
  auto held = std::make_shared<int>(1);
  CHECK(message_of([&] {
          static_cast<void>(ndx::to_dlpack(ndx::tensor_view<float, 1>(nullptr, {2}), std::move(held)));
        }) == "to_dlpack: tensor: extents {2} and strides {1} at a null pointer; due is a pointer to the elements");
  CHECK(held != nullptr);
}

TEST_CASE("tensors of rank 0 and without elements go as well", "[dlpack]") {
  ndx::tensor<float, 0> one({});
  one() = 7.0f;
  auto const scalar = ndx::from_dlpack<float, 0>(ndx::to_dlpack(std::move(one)));
  CHECK(scalar.view()() == 7.0f);
  auto const none = ndx::from_dlpack<float, 2>(ndx::to_dlpack(ndx::tensor<float, 2>({0, 5})));
  CHECK(none.extents() == std::array<index_t, 2>{0, 5});
}
