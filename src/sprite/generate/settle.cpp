// SPDX-License-Identifier: MIT
#include "sprite/generate/settle.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/core/index.h"

namespace zoe::sprite {
namespace {

// How much farther than the nearest colour, in OKLab, that of the guess and that of the frame before may be. Above
// 0.15 nothing gets better on clips that these numbers were chosen on; without both, surfaces are grainy and flicker.
constexpr double kKeepsGuess = 0.12, kKeepsBefore = 0.05;

struct Looks {
  std::vector<Vec3d> of_palette;
  std::vector<double> distances;  // Of one pixel.
};

// Doubtful surfaces are drawn or not: only pixels beside an edge keep their coverage.
void harden_inside(int size, paint::SoftPicture& picture) {
  std::vector<std::uint8_t> drawn(picture.coverage.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = 2 * picture.coverage[i] >= paint::kFullCoverage ? 1 : 0;
  for (int i = 0; i < size * size; ++i) {
    const int x = i % size, y = i / size;
    const std::uint8_t self = drawn[idx(i)];
    bool edge = false;
    for (int ny = std::max(0, y - 1); ny <= std::min(size - 1, y + 1); ++ny)
      for (int nx = std::max(0, x - 1); nx <= std::min(size - 1, x + 1); ++nx)
        edge = edge || drawn[idx(ny * size + nx)] != self;
    if (!edge) picture.coverage[idx(i)] = self != 0 ? paint::kFullCoverage : std::uint8_t{0};
  }
}

void settle(const SettledClip& clip, std::size_t frame, const paint::SoftPicture* before, Looks& looks,
            paint::SoftPicture& out) {
  constexpr int kHaze = paint::kFullCoverage * 8 / 100;
  const std::vector<std::uint8_t>& rgba = clip.frames[frame];
  const paint::SoftPicture* guess = clip.guesses.empty() ? nullptr : &clip.guesses[frame];
  out.pixels.assign(rgba.size() / 4, 0);
  out.coverage.assign(rgba.size() / 4, 0);
  for (std::size_t i = 0; i < out.pixels.size(); ++i) {
    const std::uint8_t* p = rgba.data() + 4 * i;
    int coverage = (p[3] * paint::kFullCoverage + 127) / 255;
    if (coverage <= kHaze) coverage = 0;
    if (coverage >= paint::kFullCoverage - kHaze) coverage = paint::kFullCoverage;
    out.coverage[i] = static_cast<std::uint8_t>(coverage);
    if (coverage == 0) continue;
    const Vec3d look = oklab_from({p[0], p[1], p[2]});
    std::size_t best = 0;
    for (std::size_t c = 0; c < clip.palette.size(); ++c) {
      const Vec3d d = looks.of_palette[c] - look;
      looks.distances[c] = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
      if (looks.distances[c] < looks.distances[best]) best = c;
    }
    const auto offer = [&](std::uint8_t index, double margin, std::size_t& now) {
      if (index > 0 && looks.distances[index - 1u] <= looks.distances[best] + margin) now = index - 1u;
    };
    std::size_t chosen = best;
    if (before != nullptr) offer(before->pixels[i], kKeepsBefore, chosen);
    if (guess != nullptr && guess->coverage[i] > 0) offer(guess->pixels[i], kKeepsGuess, chosen);
    out.pixels[i] = static_cast<std::uint8_t>(chosen + 1);
  }
  if (clip.whole_pixels)
    paint::harden(out);
  else
    harden_inside(clip.size, out);
  for (std::size_t i = 0; i < out.pixels.size(); ++i)
    if (out.coverage[i] == 0) out.pixels[i] = 0;
}

}  // namespace

std::vector<paint::SoftPicture> settled(const SettledClip& clip) {
  ZOE_CHECK(clip.guesses.empty() || clip.guesses.size() == clip.frames.size(), "settled: one guess a frame, or none");
  Looks looks;
  for (const Rgb color : clip.palette) looks.of_palette.push_back(oklab_from(color));
  looks.distances.resize(clip.palette.size());
  std::vector<paint::SoftPicture> out(clip.frames.size());
  for (std::size_t f = 0; f < out.size(); ++f) settle(clip, f, f > 0 ? &out[f - 1] : nullptr, looks, out[f]);
  if (clip.loop && out.size() > 2)
    for (std::size_t f = 0; f < out.size(); ++f) settle(clip, f, f > 0 ? &out[f - 1] : &out.back(), looks, out[f]);
  return out;
}

}  // namespace zoe::sprite
