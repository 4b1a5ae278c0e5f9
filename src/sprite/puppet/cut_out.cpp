// SPDX-License-Identifier: MIT
#include "zoe/sprite/puppet/cut_out.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sprite/puppet/mask.h"
#include "sprite/puppet/paper.h"
#include "sprite/puppet/resize.h"

namespace zoe::sprite {
namespace {

constexpr int kSeen = 64;                // Alpha from which a pixel belongs to the figure.
constexpr double kSecondFigure = 0.3;    // Of the largest part: another part of that size is another figure.
constexpr std::size_t kMostColors = 80;  // Of pixel art.
constexpr int kMostPixels = 256;         // Of pixel art, width and height.
constexpr int kPad = 2;
constexpr double kSheetOfPaper = 0.9;  // Of its box: a figure that fills its box is a sheet on a table.

bool is_opaque(const render::Picture& picture) {
  std::size_t clear = 0;
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) clear += picture.rgba[i] < 250 ? 1U : 0U;
  return clear * 200 < picture.rgba.size() / 4;
}

Mask seen(const render::Picture& picture) {
  Mask mask(picture.width, picture.height);
  for (std::size_t i = 0; i < mask.cells.size(); ++i) mask.cells[i] = picture.rgba[4 * i + 3] >= kSeen ? 1 : 0;
  return mask;
}

// Pixels of the file per pixel of the artist; 0: no pixel art.
int pixel_scale_of(const render::Picture& picture, bool alpha) {
  std::set<std::uint32_t> colors;
  std::size_t soft = 0, drawn = 0;
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    const std::uint8_t* p = picture.rgba.data() + i;
    if (p[3] == 0) continue;
    ++drawn;
    if (p[3] != 255) ++soft;
    if (colors.size() <= kMostColors) colors.insert(std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2]);
  }
  if (colors.size() > kMostColors || (alpha && soft * 200 > drawn)) return 0;
  const auto same = [&](int x, int y, int u, int v) {
    const std::uint8_t *a = picture.pixel(x, y), *b = picture.pixel(u, v);
    return a[3] == b[3] && (a[3] == 0 || std::equal(a, a + 3, b));
  };
  for (int scale = std::min(32, std::min(picture.width, picture.height)); scale > 1; --scale) {
    if (picture.width % scale != 0 || picture.height % scale != 0) continue;
    bool whole = true;
    for (int y = 0; y < picture.height && whole; ++y) {
      for (int x = 0; x < picture.width && whole; ++x) whole = same(x, y, x - x % scale, y - y % scale);
    }
    if (whole && std::max(picture.width, picture.height) / scale >= 6)
      return std::max(picture.width, picture.height) / scale <= kMostPixels ? scale : 0;
  }
  // Without whole blocks: art in its own size is small and has single pixels.
  return std::max(picture.width, picture.height) <= kMostPixels / 2 && colors.size() <= 40 ? 1 : 0;
}

// Keeps the largest part.
Result<Mask> only_figure(const Mask& mask, Warnings& warnings) {
  std::vector<int> sizes;
  const Grid<int> parts = parts_of(mask, sizes);
  if (sizes.empty()) return Error{ErrorCode::kInvalid, "is empty: every pixel is transparent", {}};
  const int largest = static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  int similar = 0, lost = 0;
  for (const int size : sizes) {
    if (size >= kSecondFigure * sizes[idx(largest)]) ++similar;
    if (size >= 0.004 * sizes[idx(largest)]) ++lost;
  }
  if (similar > 1) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("has {} separate figures of similar size: crop the picture to one character", similar),
                 {}};
  }
  if (lost > 1) warnings.push_back({fmt::format("{} smaller parts beside the figure are left out", lost - 1), {}});
  Mask out(mask.width, mask.height);
  for (std::size_t i = 0; i < out.cells.size(); ++i) out.cells[i] = parts.cells[i] == largest + 1 ? 1 : 0;
  return out;
}

// Figures that end at a side of the canvas in a long straight line, while another side has room.
void warn_of_cuts(const Mask& mask, const Box& box, Warnings& warnings) {
  const int room = std::max({box.left, box.top, mask.width - box.right, mask.height - box.bottom});
  if (room <= 3) return;  // Cropped to the figure.
  const auto run = [&](int count, const auto& cell) {
    int longest = 0;
    for (int i = 0, length = 0; i < count; ++i) {
      length = cell(i) != 0 ? length + 1 : 0;
      longest = std::max(longest, length);
    }
    return longest;
  };
  const int size = std::max(box.width(), box.height());
  const auto say = [&](const char* side) {
    warnings.push_back({fmt::format("the figure ends at the {} of the canvas: limbs may be cut off there", side), {}});
  };
  if (run(mask.height, [&](int i) { return mask.at(0, i); }) > size / 10) say("left side");
  if (run(mask.height, [&](int i) { return mask.at(mask.width - 1, i); }) > size / 10) say("right side");
  if (run(mask.width, [&](int i) { return mask.at(i, 0); }) > size / 8) say("top");
  if (run(mask.width, [&](int i) { return mask.at(i, mask.height - 1); }) > box.width() * 6 / 10 &&
      box.height() > box.width())
    say("bottom");
}

}  // namespace

const char* to_string(Background background) {
  return background == Background::kAlpha ? "alpha" : background == Background::kPlain ? "plain" : "paper";
}

Result<CutOut> cut_out(const render::Picture& drawing, const CutOutOptions& options, Warnings& warnings) {
  if (drawing.width < 4 || drawing.height < 4)
    return Error{ErrorCode::kInvalid,
                 fmt::format("has {} x {} pixels: at least 4 x 4 are needed", drawing.width, drawing.height),
                 {}};
  CutOut out;
  render::Picture picture = drawing;
  const bool opaque = is_opaque(picture);
  if (const int scale = pixel_scale_of(picture, !opaque); scale > 0) {
    out.pixel_art = true;
    out.pixel_scale = scale;
    picture = thinned(picture, 0, 0, scale);
    out.scale = scale;
  }
  if (!out.pixel_art) {
    // Paper is searched at most at this size; figures of the final size are cut from it.
    const int most = std::max(picture.width, picture.height), limit = 2 * options.max_size_px;
    if (most > limit) {
      const double shrink = static_cast<double>(limit) / most;
      picture = resized(picture, std::max(4, static_cast<int>(picture.width * shrink)),
                        std::max(4, static_cast<int>(picture.height * shrink)));
      out.scale = static_cast<double>(drawing.width) / picture.width;
    }
  }
  Mask mask;
  bool whole_alpha = !opaque || options.whole;
  if (whole_alpha) {
    mask = seen(picture);
  } else {
    for (int sheet = 0;; ++sheet) {
      Result<PaperMask> found = figure_on_paper(picture);
      // The border may be a table: the middle may be paper.
      for (int trim = 0; !found && trim < 2 && !out.pixel_art; ++trim) {
        const int inset = std::min(picture.width, picture.height) / 9;
        if (inset < 8) break;
        picture = cropped(picture, inset, inset, picture.width - 2 * inset, picture.height - 2 * inset);
        out.left += inset * out.scale;
        out.top += inset * out.scale;
        found = figure_on_paper(picture);
      }
      if (!found) return found.error();
      PaperMask paper = std::move(found).value();
      out.background = paper.plain ? Background::kPlain : Background::kPaper;
      mask = std::move(paper.mask);
      Warnings ignored;
      ZOE_TRY_ASSIGN(const Mask figure, only_figure(mask, ignored));
      const Box box = box_of(figure);
      const bool is_sheet =
          area_of(figure) > kSheetOfPaper * box.width() * box.height() && std::min(box.width(), box.height()) > 64;
      if (!is_sheet || sheet == 2 || out.pixel_art) break;
      const int inset = std::max(box.width(), box.height()) / 25;
      out.left += (box.left + inset) * out.scale;
      out.top += (box.top + inset) * out.scale;
      picture = cropped(picture, box.left + inset, box.top + inset, box.width() - 2 * inset, box.height() - 2 * inset);
    }
  }
  ZOE_TRY_ASSIGN(mask, only_figure(mask, warnings));
  const Box box = box_of(mask);
  if (std::max(box.width(), box.height()) < 4)
    return Error{
        ErrorCode::kInvalid, fmt::format("has a figure of {} x {} pixels only", box.width(), box.height()), {}};
  warn_of_cuts(mask, box, warnings);
  // Soft edges: of the drawing's alpha near the figure, or by the share of neighbours.
  const Mask near = dilated(mask, out.pixel_art ? 0 : 2);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::uint8_t& alpha = picture.pixel(x, y)[3];
      if (whole_alpha) {
        if (near.at(x, y) == 0) alpha = 0;
      } else if (out.pixel_art) {
        alpha = mask.at(x, y) != 0 ? 255 : 0;
      } else {
        int count = 0;
        for (int k = 0; k < 9; ++k) count += mask.get(x + k % 3 - 1, y + k / 3 - 1);
        alpha = mask.at(x, y) != 0 ? static_cast<std::uint8_t>(255 * count / 9) : 0;
      }
      if (out.pixel_art) alpha = alpha >= kSeen ? 255 : 0;
    }
  }
  picture = cropped(picture, box.left - kPad, box.top - kPad, box.width() + 2 * kPad, box.height() + 2 * kPad);
  out.left += (box.left - kPad) * out.scale;
  out.top += (box.top - kPad) * out.scale;
  const int most = std::max(picture.width, picture.height);
  if (most > options.max_size_px) {
    const double shrink = static_cast<double>(options.max_size_px) / most;
    const int width = std::max(4, static_cast<int>(std::lround(picture.width * shrink)));
    const int height = std::max(4, static_cast<int>(std::lround(picture.height * shrink)));
    out.scale *= static_cast<double>(picture.width) / width;
    picture = resized(picture, width, height);
  }
  out.figure = std::move(picture);
  return out;
}

}  // namespace zoe::sprite
