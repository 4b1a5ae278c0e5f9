// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a network sees of uneven ground, in training and at run time by the same code: heights beside
// the path (PFNN's 36), or a grid of cells around the root of which only those near the path are filled. Heights are
// relative to the plane y = 0 of the space of the PlacedGround, in its units; +X is left of a root that looks along +Z.
//
//   std::array<float, kGroundGridWidth> cells;
//   write_ground_grid(ground, way, cells);
#pragma once

#include <span>
#include <string_view>

#include "zoe/features/control_series.h"
#include "zoe/ground/placed_ground.h"

namespace zoe::features {

// Names of signals in a schema.
constexpr std::string_view kGroundHeightsSignal = "ground_heights", kGroundGridSignal = "ground_grid";
// Ground under each contact joint, a target of training: outputs of a network have to be above it.
constexpr std::string_view kUnderfootSignal = "underfoot";
// Contacts that the caller detected, [frames × contact joints]. They replace those that features would detect, which
// are of flat ground.
constexpr std::string_view kContactSignal = "contact";

// 12 moments from half a second ago to two thirds of a second ahead; 25 cm to the left, on the path, to the right.
constexpr int kGroundHeightTimes = 12, kGroundHeightsWidth = 3 * kGroundHeightTimes;
constexpr float kGroundLateral_m = 0.25F;
// Cells in the axes of the root: rows forward from behind, columns from left to right. Heights, then 1 for cells that
// are filled: those within kGroundGridReach_m of the path.
constexpr int kGroundGridRows = 16, kGroundGridColumns = 9, kGroundGridCells = kGroundGridRows * kGroundGridColumns,
              kGroundGridWidth = 2 * kGroundGridCells;
constexpr float kGroundGridCell_m = 0.12F, kGroundGridBehind_m = 0.6F, kGroundGridReach_m = 0.42F;
constexpr float kGroundClamp_m = 1.5F;  // Of all heights. A cliff is as deep as this.

// The path ahead is `way`, whose first root is the present one; the path behind is straight, at the present velocity.
// Heights that are not finite (holes) count as 0, and their cells as not filled. Neither allocates.
void write_ground_heights(const PlacedGround& ground, const ControlSeries& way, std::span<float> out);
void write_ground_grid(const PlacedGround& ground, const ControlSeries& way, std::span<float> out);

// The signals of the mirrored clip: left and right change places.
void mirror_ground_heights(std::span<float> values);
void mirror_ground_grid(std::span<float> values);

}  // namespace zoe::features
