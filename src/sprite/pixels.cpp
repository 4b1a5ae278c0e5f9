// SPDX-License-Identifier: MIT
#include "sprite/pixels.h"

#include <algorithm>
#include <array>
#include <limits>

namespace zoe::sprite {
namespace {

// Share of a pixel's samples from which the pixel is drawn: at first, when it was transparent, when it was drawn. Below
// one half, so that thin swords do not break.
constexpr double kCovers = 0.38, kAppears = 0.44, kStays = 0.31;
constexpr double kKeeps = 0.15;  // Lead in votes, as a share, that changes a pixel's colour.
constexpr double kLine = 0.5, kLineAppears = 0.6, kLineStays = 0.4;  // Shares of samples behind others: a line.
constexpr double kNearColor = 0.012;  // Square of an OKLab distance: an orphan that hardly differs is removed.
constexpr double kLineDarker = 0.17;  // Lightness of lines inside of the body below that of their surface.

constexpr int kBayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

Rgb dithered(Rgb color, int x, int y) {
  const int offset = (kBayer[y & 3][x & 3] * 2 - 15) * 3 / 2;
  const auto shift = [&](std::uint8_t v) { return static_cast<std::uint8_t>(std::clamp(v + offset, 0, 255)); };
  return {shift(color.r), shift(color.g), shift(color.b)};
}

// The most frequent three of a pixel's palette entries. Ties go to the lower entry.
void sort_votes(std::array<std::uint8_t, 256>& counts, const std::uint8_t* voted, int num_voted, Votes::Pixel& pixel) {
  for (int rank = 0; rank < 3; ++rank) {
    int best = -1;
    for (int i = 0; i < num_voted; ++i) {
      const int entry = voted[i];
      const bool leads =
          best < 0 || counts[static_cast<std::size_t>(entry)] > counts[static_cast<std::size_t>(best)] ||
          (counts[static_cast<std::size_t>(entry)] == counts[static_cast<std::size_t>(best)] && entry < best);
      if (counts[static_cast<std::size_t>(entry)] > 0 && leads) best = entry;
    }
    if (best < 0) break;
    pixel.index[rank] = static_cast<std::uint8_t>(best);
    pixel.count[rank] = counts[static_cast<std::size_t>(best)];
    counts[static_cast<std::size_t>(best)] = 0;
  }
  for (int i = 0; i < num_voted; ++i) counts[voted[i]] = 0;
}

}  // namespace

Votes count_votes(const Samples& samples, const render::SurfaceBuffer& surfaces, const PaletteMap& map,
                  const Look& look, float line_depth) {
  const int scale = samples.scale;
  Votes votes{samples.width / scale, samples.height / scale, scale * scale, {}};
  votes.pixels.resize(static_cast<std::size_t>(votes.width) * static_cast<std::size_t>(votes.height));
  std::array<std::uint8_t, 256> counts{};
  std::array<std::uint8_t, 256> voted{};
  for (int y = samples.top / scale; y * scale < samples.bottom; ++y) {
    for (int x = samples.left / scale; x * scale < samples.right; ++x) {
      Votes::Pixel& pixel = votes.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(votes.width) +
                                         static_cast<std::size_t>(x)];
      int num_voted = 0, num_behind = 0;
      for (int k = 0, sx = x * scale, sy = y * scale; k < scale * scale; ++k, ++sx) {
        if (sx == (x + 1) * scale) {
          sx = x * scale;
          ++sy;
        }
        const std::uint32_t sample = samples.at(sx, sy);
        if (sample == 0) continue;
        const Rgb color = unpack(sample);
        const std::uint8_t entry = map.nearest(look.dither ? dithered(color, x, y) : color);
        if (counts[entry]++ == 0) voted[static_cast<std::size_t>(num_voted++)] = entry;
        ++pixel.covered;
        const auto nearer = [&](int nx, int ny) {
          return nx >= 0 && ny >= 0 && nx < surfaces.width && ny < surfaces.height &&
                 surfaces.at(nx, ny).depth > surfaces.at(sx, sy).depth + line_depth;
        };
        num_behind +=
            nearer(sx - scale, sy) || nearer(sx + scale, sy) || nearer(sx, sy - scale) || nearer(sx, sy + scale);
      }
      pixel.behind = look.style == Style::kPixel && !look.impact ? static_cast<std::uint8_t>(num_behind) : 0;
      sort_votes(counts, voted.data(), num_voted, pixel);
    }
  }
  return votes;
}

PixelResolver::PixelResolver(std::vector<Rgb> palette, int outline) : palette_(std::move(palette)), outline_(outline) {
  for (const Rgb color : palette_) lab_.push_back(oklab_from(color));
  for (const Vec3d lab : lab_) {
    const Vec3d wanted{lab.x - kLineDarker, lab.y, lab.z};
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < lab_.size(); ++i) {
      const double distance = dot(lab_[i] - wanted, lab_[i] - wanted);
      if (lab_[i].x <= lab.x && distance < least) {
        least = distance;
        best = i;
      }
    }
    darker_.push_back(static_cast<std::uint8_t>(best));
  }
}

std::uint8_t PixelResolver::settle(const Votes::Pixel& pixel, std::uint8_t before, int samples) const {
  const bool first = before_.empty();
  const double needed = (first ? kCovers : before == kNone ? kAppears : kStays) * samples;
  if (pixel.covered < needed) return kNone;
  for (int k = 0; k < 3 && !first && before != kNone; ++k) {
    if (pixel.count[k] > 0 && pixel.index[k] == before && pixel.count[k] >= pixel.count[0] - kKeeps * samples)
      return before;
  }
  return pixel.index[0];
}

Cel PixelResolver::resolve(const Votes& votes) {
  const std::size_t size = votes.pixels.size();
  state_.resize(size);
  for (std::size_t i = 0; i < size; ++i)
    state_[i] = settle(votes.pixels[i], before_.empty() ? kNone : before_[i], votes.samples);
  const bool first = before_.empty();
  before_ = state_;
  lines_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double needed = first ? kLine : lines_[i] != 0 ? kLineStays : kLineAppears;
    lines_[i] = votes.pixels[i].behind > needed * votes.pixels[i].covered ? 1 : 0;
    if (state_[i] != kNone && lines_[i] != 0) state_[i] = darker_[state_[i]];
  }
  drawn_ = state_;
  remove_orphans(votes.width, votes.height);
  if (outline_ >= 0) add_outline(votes.width, votes.height);
  render::Picture canvas = render::make_picture(votes.width, votes.height, 0, 0, 0, 0);
  for (std::size_t i = 0; i < size; ++i) {
    if (drawn_[i] == kNone) continue;
    const Rgb color = palette_[drawn_[i]];
    const std::uint8_t rgba[4] = {color.r, color.g, color.b, 255};
    std::copy(rgba, rgba + 4, &canvas.rgba[i * 4]);
  }
  return trim(canvas);
}

// Single pixels inside of the body take the colour of most neighbours, unless they differ clearly (eyes).
void PixelResolver::remove_orphans(int width, int height) {
  for (int y = 1; y + 1 < height; ++y) {
    for (int x = 1; x + 1 < width; ++x) {
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      const std::uint8_t own = state_[at];
      if (own == kNone) continue;
      std::uint8_t around[8];
      int count = 0, same = 0;
      for (int k = 0; k < 9; ++k) {
        if (k == 4) continue;
        const auto next = static_cast<std::size_t>(y + k / 3 - 1) * static_cast<std::size_t>(width) +
                          static_cast<std::size_t>(x + k % 3 - 1);
        same += state_[next] == own ? 1 : 0;
        if (state_[next] != kNone) around[count++] = state_[next];
      }
      if (same > 0 || count == 0) continue;
      std::uint8_t most = around[0];
      long best = 0;
      for (int i = 0; i < count; ++i) {
        const long frequency = std::count(around, around + count, around[i]);
        if (frequency > best || (frequency == best && around[i] < most)) {
          best = frequency;
          most = around[i];
        }
      }
      if (dot(lab_[own] - lab_[most], lab_[own] - lab_[most]) < kNearColor) drawn_[at] = most;
    }
  }
}

// Every transparent pixel beside the body, left, right, above or below: a closed line of one pixel.
void PixelResolver::add_outline(int width, int height) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto solid = [&](int nx, int ny) {
        return nx >= 0 && ny >= 0 && nx < width && ny < height &&
               state_[static_cast<std::size_t>(ny) * static_cast<std::size_t>(width) + static_cast<std::size_t>(nx)] !=
                   kNone;
      };
      if (!solid(x, y) && (solid(x - 1, y) || solid(x + 1, y) || solid(x, y - 1) || solid(x, y + 1)))
        drawn_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] =
            static_cast<std::uint8_t>(outline_);
    }
  }
}

}  // namespace zoe::sprite
