// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"
#include "zoe/render/picture_file.h"

#include "render/exif.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::render {
namespace {

Picture noise(int width, int height) {
  Picture picture = make_picture(width, height, 0, 0, 0, 0);
  Random random(3);
  for (std::uint8_t& byte : picture.rgba) byte = static_cast<std::uint8_t>(random.below(256));
  return picture;
}

TEST(Picture, PngRoundTripIsExact) {
  const Picture picture = noise(37, 21);
  const auto back = decode_picture(encode_png(picture, PngAlpha::kKeep), "a.png");
  ASSERT_TRUE(back) << back.error().format();
  EXPECT_EQ(back->width, 37);
  EXPECT_EQ(back->height, 21);
  EXPECT_EQ(back->rgba, picture.rgba);
}

TEST(Picture, PngWithoutAlphaIsOpaque) {
  const Picture picture = noise(8, 4);
  const auto back = decode_picture(encode_png(picture, PngAlpha::kDrop), "a.png");
  ASSERT_TRUE(back);
  for (std::size_t i = 0; i < picture.rgba.size(); ++i) EXPECT_EQ(back->rgba[i], i % 4 == 3 ? 255 : picture.rgba[i]);
}

TEST(Picture, PasteCutsOffWhatDoesNotFit) {
  Picture page = make_picture(4, 3, 0, 0, 0, 255);
  paste(make_picture(3, 3, 9, 9, 9, 255), 2, -1, page);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) EXPECT_EQ(page.pixel(x, y)[0], x >= 2 && y < 2 ? 9 : 0) << x << " " << y;
  }
  paste(make_picture(2, 2, 7, 7, 7, 255), 10, 10, page);
  EXPECT_EQ(page.pixel(3, 2)[0], 0);
}

TEST(Picture, DamageIsAnErrorAndNoMore) {
  const std::vector<std::byte> good = encode_png(noise(16, 16), PngAlpha::kKeep);
  for (std::size_t size = 0; size < good.size(); size += 7) {
    const auto result = decode_picture(std::span(good).first(size), "cut.png");
    EXPECT_TRUE(result || result.error().where.file == "cut.png") << size;
  }
  EXPECT_FALSE(decode_picture(std::span(good).first(good.size() / 2), "cut.png"));
  const auto unknown = decode_picture(as_bytes("GIF89a and more"), "x.gif");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("PNG or JPEG"), std::string::npos);
}

// A JPEG of two by two pixels is 600 bytes of tables: damage and truncation must end in an error,
// not in a jump past us.
TEST(Picture, BrokenJpegIsAnError) {
  const unsigned char bytes[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F',  0,
                                 1,    1,    0,    0,    1, 0,  1,   0,   0,   0xff, 0xd9};
  const auto result = decode_picture(std::as_bytes(std::span(bytes)), "b.jpg");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("JPEG"), std::string::npos);
}

// The corner pixels of a scene, whose first row the camera stored where `orientation` says (Exif 2.3, figure 16).
TEST(Picture, ExifOrientationTurnsTheSceneUpright) {
  // Scene: 3 × 2, numbered by rows. For each orientation what the file has, from the standard's figure.
  const std::vector<std::vector<int>> files[9] = {{},
                                                  {{1, 2, 3}, {4, 5, 6}},
                                                  {{3, 2, 1}, {6, 5, 4}},
                                                  {{6, 5, 4}, {3, 2, 1}},
                                                  {{4, 5, 6}, {1, 2, 3}},
                                                  {{1, 4}, {2, 5}, {3, 6}},
                                                  {{3, 6}, {2, 5}, {1, 4}},
                                                  {{6, 3}, {5, 2}, {4, 1}},
                                                  {{4, 1}, {5, 2}, {6, 3}}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const auto& rows = files[orientation];
    Picture stored = make_picture(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), 0, 0, 0, 255);
    for (int y = 0; y < stored.height; ++y) {
      for (int x = 0; x < stored.width; ++x)
        stored.pixel(x, y)[0] =
            static_cast<std::uint8_t>(rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
    }
    for (const bool little : {true, false}) {
      std::vector<std::byte> bytes = encode_png(stored, PngAlpha::kKeep);
      const std::string entry = little ? std::string{"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", 18}
                                       : std::string{"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01", 18};
      const char value = static_cast<char>(orientation);
      const std::string tiff =
          entry + (little ? std::string{value, 0, 0, 0} : std::string{0, value, 0, 0}) + std::string(4, '\0');
      // After the header; the check sum is the test's own business: libpng skips a bad one of an optional chunk.
      std::string chunk = std::string{0, 0, 0, static_cast<char>(tiff.size())} + "eXIf" + tiff + std::string(4, '\0');
      const auto inserted = as_bytes(chunk);
      bytes.insert(bytes.begin() + 33, inserted.begin(), inserted.end());
      EXPECT_EQ(exif_orientation(bytes), orientation);
      const Picture scene = upright(stored, exif_orientation(bytes));
      ASSERT_EQ(scene.width, 3);
      ASSERT_EQ(scene.height, 2);
      for (int i = 0; i < 6; ++i) EXPECT_EQ(scene.pixel(i % 3, i / 3)[0], i + 1) << orientation;
      // The same block in a JPEG; and every damage ends in a number.
      std::string jpeg = std::string{"\xff\xd8\xff\xe1\0", 5} + static_cast<char>(tiff.size() + 8) +
                         std::string{"Exif\0\0", 6} + tiff + "\xff\xda";
      EXPECT_EQ(exif_orientation(as_bytes(jpeg)), orientation);
      for (std::size_t size = 0; size < jpeg.size(); ++size) {
        const int found = exif_orientation(as_bytes(jpeg).first(size));
        EXPECT_TRUE(found == 1 || found == orientation);
      }
      for (std::size_t at = 2; at < jpeg.size(); ++at) {
        for (const char damage : {'\0', '\xff', '\x7f'}) {
          std::string broken = jpeg;
          broken[at] = damage;
          const int found = exif_orientation(as_bytes(broken));
          EXPECT_TRUE(found >= 1 && found <= 8);
        }
      }
    }
  }
}

// A disk that takes no more: the system refuses to let files grow.
TEST(Picture, AFullDiskIsAnErrorAndLeavesNothing) {
  const std::filesystem::path path = test::temporary_dir("picture_full") / "a.png";
  const auto old_action = signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tiny{64, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tiny);
  const auto written = write_png(path, noise(64, 64));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_action);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().format().find("a.png"), std::string::npos) << written.error().format();
  EXPECT_TRUE(std::filesystem::is_empty(path.parent_path()));
}

TEST(Picture, SaysWhereItCannotWrite) {
  const auto result = write_png("/proc/none/a.png", noise(2, 2));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().format().find("/proc/none"), std::string::npos);
}

}  // namespace
}  // namespace zoe::render
