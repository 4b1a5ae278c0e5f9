// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"
#include "zoe/render/picture_file.h"

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
