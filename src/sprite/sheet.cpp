// SPDX-License-Identifier: MIT
#include "zoe/sprite/sheet.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "zoe/core/hash64.h"

#include "sprite/max_rects.h"

namespace zoe::sprite {
namespace {

constexpr std::size_t kFewRects = 1200;  // More are packed at one width only.

// Numbers of equal cels; the first of each is stored.
std::vector<std::size_t> find_stored(std::span<const Cel* const> cels, bool share, std::vector<std::size_t>& stored) {
  std::multimap<std::uint64_t, std::size_t> known;
  std::vector<std::size_t> number(cels.size());
  for (std::size_t i = 0; i < cels.size(); ++i) {
    const render::Picture& picture = cels[i]->picture;
    const std::uint64_t hash =
        hash64(std::as_bytes(std::span(picture.rgba)), static_cast<std::uint64_t>(picture.width));
    std::size_t found = stored.size();
    if (share) {
      const auto [first, last] = known.equal_range(hash);
      for (auto it = first; it != last; ++it) {
        const render::Picture& other = cels[stored[it->second]]->picture;
        if (other.width == picture.width && other.rgba == picture.rgba) found = it->second;
      }
    }
    if (found == stored.size()) {
      known.emplace(hash, found);
      stored.push_back(i);
    }
    number[i] = found;
  }
  return number;
}

int next_power_of_two(int value) {
  int power = 1;
  while (power < value) power *= 2;
  return power;
}

// Tries widths from narrow to wide; the smallest sheet wins, the squarer of equal ones.
std::optional<Rect> choose_size(std::vector<Rect>& rects, const SheetOptions& options) {
  double area = 0;
  int widest = 1;
  for (const Rect& rect : rects) {
    area += static_cast<double>(rect.width) * rect.height;
    widest = std::max(widest, rect.width);
  }
  const double side = std::sqrt(area);
  std::optional<Rect> best;
  std::vector<Rect> best_rects;
  constexpr double kFactors[] = {1.02, 0.75, 0.85, 0.93, 1.1, 1.2, 1.35, 1.5, 2.0, 3.0};
  const std::size_t tries = rects.size() > kFewRects ? 1 : std::size(kFactors);
  for (std::size_t i = 0; i < std::size(kFactors); ++i) {
    if (i >= tries && best) break;
    int width = std::clamp(static_cast<int>(side * kFactors[i]), widest, options.max_size_px - options.padding_px);
    if (options.power_of_two) width = std::min(next_power_of_two(width), options.max_size_px) - options.padding_px;
    std::vector<Rect> placed = rects;
    const std::optional<int> height = pack_rects(placed, width, options.max_size_px - options.padding_px);
    if (!height) continue;
    int used = 0;
    for (const Rect& rect : placed) used = std::max(used, rect.x + rect.width);
    Rect size{0, 0, used + options.padding_px, *height + options.padding_px};
    if (options.power_of_two) size = {0, 0, next_power_of_two(size.width), next_power_of_two(size.height)};
    const auto cost = [](const Rect& r) {
      return static_cast<double>(r.width) * r.height +
             0.01 * std::abs(r.width - r.height) * std::max(r.width, r.height);
    };
    if (best && cost(*best) <= cost(size)) continue;
    best = size;
    best_rects = std::move(placed);
  }
  if (best) rects = std::move(best_rects);
  return best;
}

// A picture with its border repeated outwards.
void paste_extruded(const render::Picture& source, int x, int y, int extrude, render::Picture& target) {
  for (int ty = -extrude; ty < source.height + extrude; ++ty) {
    for (int tx = -extrude; tx < source.width + extrude; ++tx) {
      std::memcpy(target.pixel(x + tx, y + ty),
                  source.pixel(std::clamp(tx, 0, source.width - 1), std::clamp(ty, 0, source.height - 1)), 4);
    }
  }
}

}  // namespace

Result<Sheet> pack_sheet(std::span<const Cel* const> cels, int canvas_width, int canvas_height,
                         const SheetOptions& options) {
  // What is stored of each frame: trimmed, or its whole canvas.
  std::vector<Cel> whole(cels.size());
  std::vector<const Cel*> used(cels.begin(), cels.end());
  for (std::size_t i = 0; i < cels.size(); ++i) {
    if (options.trim && !cels[i]->empty()) continue;
    whole[i] = options.trim ? Cel{0, 0, render::make_picture(1, 1, 0, 0, 0, 0)}
                            : Cel{0, 0, untrim(*cels[i], canvas_width, canvas_height)};
    used[i] = &whole[i];
  }
  std::vector<std::size_t> stored;
  const std::vector<std::size_t> number = find_stored(used, options.share, stored);
  const int around = 2 * options.extrude_px + options.padding_px;
  std::vector<Rect> rects;
  for (const std::size_t i : stored)
    rects.push_back({0, 0, used[i]->picture.width + around, used[i]->picture.height + around});
  const std::optional<Rect> size = choose_size(rects, options);
  if (!size) {
    return Error{ErrorCode::kLimit,
                 fmt::format("{} frames do not fit into a sheet of {} x {} pixels: draw fewer clips or directions, or "
                             "a smaller --size",
                             cels.size(), options.max_size_px, options.max_size_px),
                 {}};
  }
  Sheet sheet{render::make_picture(size->width, size->height, 0, 0, 0, 0), {}, static_cast<int>(stored.size())};
  const int inside = options.padding_px + options.extrude_px;
  for (std::size_t i = 0; i < stored.size(); ++i)
    paste_extruded(used[stored[i]]->picture, rects[i].x + inside, rects[i].y + inside, options.extrude_px,
                   sheet.picture);
  for (std::size_t i = 0; i < cels.size(); ++i) {
    const Rect& rect = rects[number[i]];
    sheet.frames.push_back(
        {rect.x + inside, rect.y + inside, used[i]->picture.width, used[i]->picture.height, used[i]->x, used[i]->y});
  }
  return sheet;
}

std::vector<const Cel*> body_cels(const FrameSet& set) {
  std::vector<const Cel*> cels;
  for (const Frame& frame : set.frames) cels.push_back(&frame.body);
  return cels;
}

std::vector<const Cel*> shadow_cels(const FrameSet& set) {
  std::vector<const Cel*> cels;
  for (const Frame& frame : set.frames) cels.push_back(&frame.shadow);
  return cels;
}

std::vector<const Cel*> effect_cels(const FrameSet& set) {
  std::vector<const Cel*> cels;
  for (const Frame& frame : set.frames) cels.push_back(&frame.effect);
  return cels;
}

}  // namespace zoe::sprite
