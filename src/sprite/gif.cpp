// SPDX-License-Identifier: MIT
// GIF 89a with one global palette. The last entry is transparent; each frame is cleared before the next.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "zoe/sprite/animation_file.h"
#include "zoe/sprite/palette.h"

namespace zoe::sprite {
namespace {

class ByteWriter {
 public:
  void byte(int value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void word(int value) {
    byte(value & 255);
    byte(value >> 8 & 255);
  }
  void text(const char* text) {
    for (; *text != 0; ++text) byte(*text);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Codes of growing length, lowest bits first, in blocks of at most 255 bytes.
class LzwWriter {
 public:
  LzwWriter(ByteWriter& out, int min_bits) : out_(out), min_bits_(min_bits) {
    out_.byte(min_bits);
    reset();
    put(clear());
  }

  void encode(std::span<const std::uint8_t> pixels) {
    int prefix = pixels[0];
    for (std::size_t i = 1; i < pixels.size(); ++i) {
      const std::uint8_t pixel = pixels[i];
      std::int16_t& known = next_[static_cast<std::size_t>(prefix) * 256 + pixel];
      if (known >= 0) {
        prefix = known;
        continue;
      }
      put(prefix);
      if (size_ < 4096) {
        known = static_cast<std::int16_t>(size_++);
        if (size_ - 1 == 1 << bits_ && bits_ < 12) ++bits_;
      } else {
        put(clear());
        reset();
      }
      prefix = pixel;
    }
    put(prefix);
    put(clear() + 1);
    if (used_ > 0) flush_bits(true);
    flush_block();
    out_.byte(0);
  }

 private:
  int clear() const { return 1 << min_bits_; }
  void reset() {
    next_.assign(4096 * 256, -1);
    size_ = clear() + 2;
    bits_ = min_bits_ + 1;
  }
  void put(int code) {
    buffer_ |= static_cast<std::uint32_t>(code) << used_;
    used_ += bits_;
    flush_bits(false);
  }
  void flush_bits(bool all) {
    while (used_ >= 8 || (all && used_ > 0)) {
      block_[static_cast<std::size_t>(in_block_++)] = static_cast<std::uint8_t>(buffer_);
      if (in_block_ == 255) flush_block();
      buffer_ >>= 8;
      used_ = std::max(0, used_ - 8);
    }
  }
  void flush_block() {
    if (in_block_ == 0) return;
    out_.byte(in_block_);
    for (int i = 0; i < in_block_; ++i) out_.byte(block_[static_cast<std::size_t>(i)]);
    in_block_ = 0;
  }

  ByteWriter& out_;
  int min_bits_, size_ = 0, bits_ = 0, used_ = 0, in_block_ = 0;
  std::uint32_t buffer_ = 0;
  std::array<std::uint8_t, 255> block_{};
  std::vector<std::int16_t> next_;  // [code][pixel]: the code of the longer string, or -1.
};

bool is_solid(const std::uint8_t* pixel) { return pixel[3] >= 128; }

std::vector<Rgb> choose_colors(const AnimatedPicture& animation) {
  ColorCounts counts;
  for (const render::Picture& frame : animation.frames) {
    for (std::size_t i = 0; i < frame.rgba.size(); i += 4) {
      if (is_solid(&frame.rgba[i])) counts.add({frame.rgba[i], frame.rgba[i + 1], frame.rgba[i + 2]});
    }
  }
  return counts.choose(255);
}

// Entries of exact colours first: a palette may have neighbours closer than PaletteMap distinguishes.
class Indexer {
 public:
  explicit Indexer(std::span<const Rgb> palette) : map_(palette) {
    for (std::size_t i = 0; i < palette.size(); ++i)
      exact_.try_emplace(palette[i].r << 16 | palette[i].g << 8 | palette[i].b, static_cast<std::uint8_t>(i));
  }
  std::uint8_t index(Rgb color) const {
    const auto found = exact_.find(color.r << 16 | color.g << 8 | color.b);
    return found != exact_.end() ? found->second : map_.nearest(color);
  }

 private:
  PaletteMap map_;
  std::map<int, std::uint8_t> exact_;
};

}  // namespace

std::vector<std::byte> encode_gif(const AnimatedPicture& animation, std::span<const Rgb> palette) {
  std::vector<Rgb> colors(palette.begin(), palette.end());
  if (colors.empty()) colors = choose_colors(animation);
  if (colors.empty()) colors = {{0, 0, 0}};
  colors.resize(std::min<std::size_t>(colors.size(), 255));
  const Indexer indexer(colors);
  const auto transparent = static_cast<std::uint8_t>(colors.size());
  int bits = 2;
  while (1 << bits < static_cast<int>(colors.size()) + 1) ++bits;

  ByteWriter out;
  const int width = animation.frames[0].width, height = animation.frames[0].height;
  out.text("GIF89a");
  out.word(width);
  out.word(height);
  out.byte(0x80 | 0x70 | (bits - 1));
  out.byte(transparent);
  out.byte(0);
  for (int i = 0; i < 1 << bits; ++i) {
    const Rgb color = i < static_cast<int>(colors.size()) ? colors[static_cast<std::size_t>(i)] : Rgb{};
    out.byte(color.r);
    out.byte(color.g);
    out.byte(color.b);
  }
  if (animation.loop) {
    out.text("\x21\xff\x0bNETSCAPE2.0\x03\x01");
    out.word(0);
    out.byte(0);
  }
  std::vector<std::uint8_t> pixels;
  int time_ms = 0, written_cs = 0;
  for (std::size_t f = 0; f < animation.frames.size(); ++f) {
    const render::Picture& frame = animation.frames[f];
    time_ms += animation.durations_ms[f];
    const int delay_cs = std::max(2, (time_ms + 5) / 10 - written_cs);  // Less is displayed as 10 by many viewers.
    written_cs += delay_cs;
    out.text("\x21\xf9\x04");
    out.byte(2 << 2 | 1);
    out.word(delay_cs);
    out.byte(transparent);
    out.byte(0);
    out.byte(0x2c);
    out.word(0);
    out.word(0);
    out.word(width);
    out.word(height);
    out.byte(0);
    pixels.clear();
    for (std::size_t i = 0; i < frame.rgba.size(); i += 4) {
      pixels.push_back(is_solid(&frame.rgba[i]) ? indexer.index({frame.rgba[i], frame.rgba[i + 1], frame.rgba[i + 2]})
                                                : transparent);
    }
    LzwWriter(out, bits).encode(pixels);
  }
  out.byte(0x3b);
  return out.take();
}

}  // namespace zoe::sprite
