// SPDX-License-Identifier: MIT
#include "zoe/eval/height_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/store/npy.h"

namespace zoe::eval {
namespace {

constexpr int kMostCells = 4096;
constexpr float kDefaultCell_m = 0.1F;

// Holes take the lowest of their neighbours, from the border of a hole inwards. Returns the number of holes.
int fill_holes(std::vector<float>& heights, int rows, int columns) {
  std::vector<std::size_t> holes;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (!Ground::is_height(heights[i])) holes.push_back(i);
  }
  const auto count = static_cast<int>(holes.size());
  std::vector<std::pair<std::size_t, float>> filled;
  while (!holes.empty()) {
    filled.clear();
    std::erase_if(holes, [&](std::size_t at) {
      const int row = static_cast<int>(at) / columns, column = static_cast<int>(at) % columns;
      float lowest = std::numeric_limits<float>::infinity();
      for (const auto& [r, c] : {std::pair{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}}) {
        if (r < 0 || c < 0 || r >= rows || c >= columns) continue;
        const float height = heights[idx(r) * idx(columns) + idx(c)];
        if (Ground::is_height(height)) lowest = std::min(lowest, height);
      }
      if (!std::isfinite(lowest)) return false;
      filled.emplace_back(at, lowest);
      return true;
    });
    for (const auto& [at, height] : filled) heights[at] = height;
  }
  return count;
}

struct HeightWords {
  std::string file;
  std::string cell;
};
HeightWords split_words(const std::string& words) {
  const std::size_t at = words.rfind(".npy:");
  if (at == std::string::npos) return {words, {}};
  return {words.substr(0, at + 4), words.substr(at + 5)};
}

}  // namespace

Result<GroundPtr> ground_from_heights(std::vector<float> heights_m, int rows, int columns, float cell_m,
                                      Warnings* warnings) {
  const auto wrong = [](std::string message) { return Error{ErrorCode::kInvalid, std::move(message), {}}; };
  if (rows < 2 || columns < 2 || rows > kMostCells || columns > kMostCells)
    return wrong(
        fmt::format("a height map has 2 to {} numbers along each side, this one {} x {}", kMostCells, rows, columns));
  if (!(cell_m > 0 && cell_m <= 1000)) return wrong("the cells of a height map are above 0 and at most 1000 m");
  ZOE_CHECK(heights_m.size() == idx(rows) * idx(columns), "ground_from_heights: rows × columns heights");
  if (std::none_of(heights_m.begin(), heights_m.end(), Ground::is_height))
    return wrong(fmt::format("the height map has no finite height within {} km of zero", Ground::kMostHeight_m / 1000));
  const int holes = fill_holes(heights_m, rows, columns);
  if (holes > 0 && warnings != nullptr) {
    warnings->push_back({fmt::format("{} of {} heights are not finite or beyond {} km: these holes have the height of "
                                     "the lowest neighbour",
                                     holes, heights_m.size(), Ground::kMostHeight_m / 1000),
                         {}});
  }
  const float middle = heights_m[idx(rows / 2) * idx(columns) + idx(columns / 2)];
  for (float& height : heights_m) height -= middle;
  HeightGrid grid;
  grid.heights_m = std::move(heights_m);
  grid.num_x = columns;
  grid.num_z = rows;
  grid.cell_m = cell_m;
  grid.origin_x_m = -cell_m * static_cast<float>(columns / 2);
  grid.origin_z_m = -cell_m * static_cast<float>(rows / 2);
  return Ground::grid(std::move(grid));
}

bool is_height_file(const std::string& words) { return split_words(words).file.ends_with(".npy"); }

Result<GroundPtr> read_height_file(const std::string& words, Warnings* warnings) {
  const auto [file, cell] = split_words(words);
  float cell_m = kDefaultCell_m;
  if (!cell.empty()) {
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), cell_m);
    if (error != std::errc() || end != cell.data() + cell.size() || !(cell_m > 0))
      return Error{ErrorCode::kUsage,
                   fmt::format("ground '{}': the size of a cell is a number of metres, such as hills.npy:0.2", words),
                   {}};
  }
  ZOE_TRY_ASSIGN(const NpyFile npy, NpyFile::open(file));
  const ArrayView& array = npy.array();
  if (array.shape.size() != 2)
    return Error{ErrorCode::kInvalid,
                 fmt::format("a height map has two dimensions, this array {}", array.shape.size()),
                 {.file = file}};
  if (array.shape[0] > idx(kMostCells) || array.shape[1] > idx(kMostCells))
    return Error{ErrorCode::kInvalid,
                 fmt::format("a height map has at most {} numbers along a side", kMostCells),
                 {.file = file}};
  ZOE_TRY_ASSIGN(std::vector<float> heights, to_floats(array));
  auto ground = ground_from_heights(std::move(heights), static_cast<int>(array.shape[0]),
                                    static_cast<int>(array.shape[1]), cell_m, warnings);
  if (!ground) return Error{ground.error().code, ground.error().message, {.file = file}};
  return ground;
}

}  // namespace zoe::eval
