// SPDX-License-Identifier: MIT
// APNG: the data of each frame's PNG, moved into one file. Players without APNG display the first frame.
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "zoe/core/check.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/animation_file.h"

namespace zoe::sprite {
namespace {

using Bytes = std::vector<std::byte>;

std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
    table[n] = c;
  }
  return table;
}

void add_word(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(value >> shift));
}

void add_chunk(Bytes& out, std::string_view type, std::span<const std::byte> data) {
  static const std::array<std::uint32_t, 256> table = make_crc_table();
  add_word(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = out.size();
  for (const char c : type) out.push_back(static_cast<std::byte>(c));
  out.insert(out.end(), data.begin(), data.end());
  std::uint32_t crc = 0xffffffffU;
  for (std::size_t i = start; i < out.size(); ++i)
    crc = table[(crc ^ std::to_integer<std::uint32_t>(out[i])) & 255] ^ (crc >> 8);
  add_word(out, ~crc);
}

// visit(type, data) for each chunk of a PNG that we wrote.
template <typename Visit>
void each_chunk(const Bytes& png, const Visit& visit) {
  for (std::size_t at = 8; at + 12 <= png.size();) {
    std::uint32_t size = 0;
    for (std::size_t k = 0; k < 4; ++k) size = size << 8 | std::to_integer<std::uint32_t>(png[at + k]);
    const std::string_view type(reinterpret_cast<const char*>(png.data()) + at + 4, 4);
    visit(type, std::span(png).subspan(at + 8, size));
    at += std::size_t{12} + size;
  }
}

Bytes frame_control(const AnimatedPicture& animation, std::size_t frame, std::uint32_t sequence) {
  Bytes control;
  add_word(control, sequence);
  add_word(control, static_cast<std::uint32_t>(animation.frames[frame].width));
  add_word(control, static_cast<std::uint32_t>(animation.frames[frame].height));
  add_word(control, 0);
  add_word(control, 0);
  add_word(control, static_cast<std::uint32_t>(animation.durations_ms[frame]) << 16 | 1000U);  // Milliseconds.
  control.push_back(std::byte{0});  // The whole canvas is replaced …
  control.push_back(std::byte{0});  // … by this frame, not blended.
  return control;
}

}  // namespace

std::vector<std::byte> encode_apng(const AnimatedPicture& animation) {
  ZOE_CHECK(!animation.frames.empty(), "encode_apng: at least one frame");
  Bytes out;
  std::uint32_t sequence = 0;
  for (std::size_t f = 0; f < animation.frames.size(); ++f) {
    const Bytes png = render::encode_png(animation.frames[f], render::PngAlpha::kKeep);
    if (f == 0) out.assign(png.begin(), png.begin() + 8);
    bool controlled = false;
    each_chunk(png, [&](std::string_view type, std::span<const std::byte> data) {
      if (type == "IHDR" && f == 0) {
        add_chunk(out, type, data);
        Bytes control;
        add_word(control, static_cast<std::uint32_t>(animation.frames.size()));
        add_word(control, animation.loop ? 0 : 1);
        add_chunk(out, "acTL", control);
      }
      if (type != "IDAT") return;
      if (!controlled) add_chunk(out, "fcTL", frame_control(animation, f, sequence++));
      controlled = true;
      if (f == 0) {
        add_chunk(out, "IDAT", data);
        return;
      }
      Bytes numbered;
      add_word(numbered, sequence++);
      numbered.insert(numbered.end(), data.begin(), data.end());
      add_chunk(out, "fdAT", numbered);
    });
  }
  add_chunk(out, "IEND", {});
  return out;
}

}  // namespace zoe::sprite
