// SPDX-License-Identifier: MIT
// USD files that we write. Other programs read them in tests/node/.
#include "zoe/io/usd.h"

#include <gtest/gtest.h>

#include "zoe/core/bytes.h"
#include "zoe/core/file.h"
#include "zoe/io/write.h"

#include "io/gltf_samples.h"
#include "support/data.h"

namespace zoe::io {
namespace {

// Data of every local entry starts at a multiple of 64, nothing is compressed, and the text comes first.
TEST(UsdWrite, ArchiveIsAlignedAndStored) {
  Asset asset = test::make_everything();
  auto character = std::make_shared<Character>(*asset.character);
  const std::string_view png("\x89PNG\r\n\x1a\n rest");
  character->images.push_back({"skin colour", "image/png", {as_bytes(png).begin(), as_bytes(png).end()}, ""});
  character->materials[0].base_color_image = 0;
  const auto archive = encode_usdz(*character, asset.clips);
  ASSERT_TRUE(archive) << archive.error().format();
  std::size_t at = 0;
  std::vector<std::string> names;
  while (load_le<std::uint32_t>(archive->data() + at) == 0x04034b50) {
    const std::byte* header = archive->data() + at;
    EXPECT_EQ(load_le<std::uint16_t>(header + 8), 0);  // Stored.
    const auto size = load_le<std::uint32_t>(header + 18);
    const auto name_bytes = load_le<std::uint16_t>(header + 26), extra = load_le<std::uint16_t>(header + 28);
    names.emplace_back(reinterpret_cast<const char*>(header + 30), name_bytes);
    const std::size_t data = at + 30 + name_bytes + extra;
    EXPECT_EQ(data % 64, 0U) << names.back();
    if (names.size() == 2) {
      EXPECT_EQ(as_text(std::span(*archive).subspan(data, size)), png);
    }
    at = data + size;
  }
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0], "character.usda");
  EXPECT_EQ(names[1], "textures/skin_colour.png");
}

TEST(UsdWrite, ClipOfAnotherSkeletonIsRefused) {
  const Asset one = test::make_bare_skeleton(1), two = test::make_bare_skeleton(2);
  const auto text = encode_usda(*one.character, two.clips);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace zoe::io
