// SPDX-License-Identifier: MIT
// GIF and APNG, read by a decoder written here from the formats' specifications.
#include "zoe/sprite/animation_file.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/render/picture_file.h"

namespace zoe::sprite {
namespace {

const std::vector<Rgb> kColors{{0, 0, 0}, {255, 0, 0}, {9, 9, 9}, {10, 9, 9}, {250, 250, 250}, {3, 200, 100}};

// Noise, flat areas, and transparency. `colors` noise colours; 0: those of kColors.
AnimatedPicture make_animation(int width, int height, int colors) {
  AnimatedPicture animation;
  Random random(7);
  for (int f = 0; f < 5; ++f) {
    render::Picture picture = render::make_picture(width, height, 0, 0, 0, 0);
    for (int y = f; y < height - f; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto number = static_cast<int>(random.uniform() * static_cast<float>(colors > 0 ? colors : 6));
        const Rgb color = colors > 0 ? Rgb{static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number * 7), 40}
                                     : kColors[static_cast<std::size_t>(x < 8 ? 1 : number)];
        std::uint8_t* pixel = picture.pixel(x, y);
        pixel[0] = color.r;
        pixel[1] = color.g;
        pixel[2] = color.b;
        pixel[3] = 255;
      }
    }
    animation.frames.push_back(picture);
    animation.durations_ms.push_back(83 + f % 2);
  }
  return animation;
}

struct Gif {
  std::vector<render::Picture> frames;
  std::vector<int> delays_cs;
};

// Frames that cover the whole picture, one global palette.
Gif read_gif(const std::vector<std::byte>& bytes) {
  Gif gif;
  std::size_t at = 0;
  const auto byte = [&] { return std::to_integer<int>(bytes.at(at++)); };
  const auto word = [&] {
    const int low = byte();
    return low | byte() << 8;
  };
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), 6), "GIF89a");
  at = 6;
  const int width = word(), height = word(), flags = byte();
  at += 2;
  std::vector<Rgb> palette(std::size_t{2} << (flags & 7));
  for (Rgb& color : palette) {
    color.r = static_cast<std::uint8_t>(byte());
    color.g = static_cast<std::uint8_t>(byte());
    color.b = static_cast<std::uint8_t>(byte());
  }
  int transparent = -1;
  for (int block = byte(); block != 0x3b; block = byte()) {
    if (block == 0x21) {
      const int label = byte();
      if (label == 0xf9) {
        EXPECT_EQ(byte(), 4);
        EXPECT_EQ(byte(), 9);
        gif.delays_cs.push_back(word());
        transparent = byte();
      }
      for (int size = byte(); size != 0; size = byte()) at += static_cast<std::size_t>(size);
      continue;
    }
    EXPECT_EQ(block, 0x2c);
    at += 9;
    const int min_bits = byte();
    std::vector<int> data;
    for (int size = byte(); size != 0; size = byte()) {
      for (int i = 0; i < size; ++i) data.push_back(byte());
    }
    std::vector<std::vector<int>> table;
    std::vector<int> pixels, before;
    int bits = min_bits + 1;
    std::size_t bit = 0;
    const auto reset = [&] {
      table.assign((std::size_t{1} << min_bits) + 2, {});
      for (int i = 0; i < 1 << min_bits; ++i) table[static_cast<std::size_t>(i)] = {i};
      bits = min_bits + 1;
      before.clear();
    };
    reset();
    for (;;) {
      std::size_t code = 0;
      for (int k = 0; k < bits; ++k, ++bit) code |= static_cast<std::size_t>(data.at(bit / 8) >> (bit % 8) & 1) << k;
      if (code == std::size_t{1} << min_bits) {
        reset();
        continue;
      }
      if (code == (std::size_t{1} << min_bits) + 1) break;
      std::vector<int> entry;
      if (code < table.size()) {
        entry = table[code];
      } else {
        entry = before;
        entry.push_back(before.at(0));
      }
      pixels.insert(pixels.end(), entry.begin(), entry.end());
      if (!before.empty() && table.size() < 4096) {
        before.push_back(entry.at(0));
        table.push_back(before);
        if (table.size() == std::size_t{1} << bits && bits < 12) ++bits;
      }
      before = entry;
    }
    render::Picture picture = render::make_picture(width, height, 0, 0, 0, 0);
    EXPECT_EQ(pixels.size() * 4, picture.rgba.size());
    for (std::size_t i = 0; i < pixels.size() && i * 4 < picture.rgba.size(); ++i) {
      if (pixels[i] == transparent) continue;
      const Rgb color = palette.at(static_cast<std::size_t>(pixels[i]));
      const std::uint8_t rgba[4] = {color.r, color.g, color.b, 255};
      std::copy(rgba, rgba + 4, &picture.rgba[i * 4]);
    }
    gif.frames.push_back(std::move(picture));
  }
  return gif;
}

TEST(Gif, FramesComeBack) {
  for (const auto& [width, height] : {std::pair{1, 1}, {33, 17}, {200, 150}}) {
    const AnimatedPicture animation = make_animation(width, height, 0);
    const Gif gif = read_gif(encode_gif(animation, kColors));
    ASSERT_EQ(gif.frames.size(), animation.frames.size());
    int sum_cs = 0;
    for (std::size_t i = 0; i < gif.frames.size(); ++i) {
      EXPECT_EQ(gif.frames[i].rgba, animation.frames[i].rgba) << width << " frame " << i;
      sum_cs += gif.delays_cs[i];
    }
    EXPECT_EQ(sum_cs, 42);  // 417 ms.
  }
}

// 200 colours of noise fill the table of strings many times.
TEST(Gif, ChosenColoursAreExactWhereTheyFit) {
  const AnimatedPicture animation = make_animation(120, 100, 200);
  std::vector<Rgb> palette;
  for (int i = 0; i < 200; ++i) palette.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i * 7), 40});
  const Gif gif = read_gif(encode_gif(animation, palette));
  for (std::size_t i = 0; i < gif.frames.size(); ++i) EXPECT_EQ(gif.frames[i].rgba, animation.frames[i].rgba);
  EXPECT_EQ(read_gif(encode_gif(animation)).frames.size(), 5U);
}

TEST(Apng, FramesComeBack) {
  AnimatedPicture animation = make_animation(50, 40, 200);
  animation.frames[1].pixel(3, 20)[3] = 77;  // Alpha is kept.
  const std::vector<std::byte> file = encode_apng(animation);
  // As a plain PNG the file is the first frame: chunks and checksums are in order.
  const Result<render::Picture> first = render::decode_picture(file, "a.png");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rgba, animation.frames[0].rgba);
  std::size_t frame = 0;
  std::uint32_t sequence = 0;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8 | std::to_integer<std::uint32_t>(file.at(at + k));
    return value;
  };
  int duration_ms = 0;
  for (std::size_t at = 8; at < file.size(); at += 12 + word(at)) {
    const std::string type(reinterpret_cast<const char*>(file.data()) + at + 4, 4);
    if (type == "fcTL" || type == "fdAT") {
      EXPECT_EQ(word(at + 8), sequence++);
    }
    if (type == "acTL") {
      EXPECT_EQ(word(at + 8), 5U);
    }
    if (type == "fcTL") duration_ms += static_cast<int>(word(at + 28) >> 16);
    if (type == "IDAT") ++frame;
    if (type != "fdAT") continue;
    // The data are those of the frame's own PNG.
    const std::vector<std::byte> alone = render::encode_png(animation.frames[frame], render::PngAlpha::kKeep);
    const auto data = std::search(alone.begin(), alone.end(), file.begin() + static_cast<long>(at) + 12,
                                  file.begin() + static_cast<long>(at + 8 + word(at)));
    EXPECT_NE(data, alone.end()) << "frame " << frame;
    ++frame;
  }
  EXPECT_EQ(frame, 5U);
  EXPECT_EQ(duration_ms, 417);
}

}  // namespace
}  // namespace zoe::sprite
