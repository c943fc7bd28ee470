// SPDX-License-Identifier: MIT
// Files in memory, by the system and by the standard library alone (NDX_MAP_FILES=0).
#include <ndx/interop/detail/mapped_file.hpp>

#include "../../support/catch.hpp"
#include "../../support/message_of.hpp"
#include "exchange.hpp"

#include <cstdint>
#include <string>
#include <utility>

TEST_CASE("the bytes of a file are in memory, aligned", "[mapped_file]") {
  test::folder const folder;
  std::string const content = std::string(100000, 'x') + "end";
  test::write_bytes(folder / "x", content);
  ndx::detail::mapped_file file("test", folder / "x");
  CHECK(file.bytes() == content);
  CHECK(reinterpret_cast<std::uintptr_t>(file.bytes().data()) % 64 == 0);
  ndx::detail::mapped_file moved = std::move(file);
  CHECK(file.bytes().empty());
  file = std::move(moved);
  CHECK(file.bytes().ends_with("xend"));
  file = {};
  CHECK(file.bytes().empty());
}

TEST_CASE("an empty file has no bytes", "[mapped_file]") {
  test::folder const folder;
  test::write_bytes(folder / "x", "");
  CHECK(ndx::detail::mapped_file("test", folder / "x").bytes().empty());
}

TEST_CASE("what is no file is an error that names it", "[mapped_file]") {
  test::folder const folder;
  auto const open = [](std::filesystem::path const& path) {
    return test::message_of([&] { ndx::detail::mapped_file const file("test", path); });
  };
  CHECK(open(folder.path()) == "test: '" + folder.path().string() + "': it is no regular file");
  CHECK(open(folder / "x") == "test: '" + (folder / "x").string() + "': No such file or directory");
  if (std::filesystem::exists("/dev/null")) CHECK(open("/dev/null") == "test: '/dev/null': it is no regular file");
}
