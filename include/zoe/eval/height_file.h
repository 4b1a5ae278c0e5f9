// SPDX-License-Identifier: MIT
// Part of Zoetrope. Grounds from height maps: arrays of metres (.npy), or numbers that the caller read from a picture.
#pragma once

#include <string>
#include <vector>

#include "zoe/ground/ground.h"

namespace zoe::eval {

// Heights in metres, [rows × columns]: rows along +Z, columns along +X. The middle of the map is the origin, and its
// height there 0. Heights that are not finite are holes: they are filled with the lowest of their neighbours, and
// `warnings` (may be null) says how many there were. Fails on maps of less than 2 × 2, of more than 4096 along a side,
// and without any finite height.
Result<GroundPtr> ground_from_heights(std::vector<float> heights_m, int rows, int columns, float cell_m,
                                      Warnings* warnings = nullptr);

// "hills.npy", or "hills.npy:0.2" with the size of a cell in metres (default 0.1). The array is [rows, columns], of
// floats or whole numbers, in metres.
bool is_height_file(const std::string& words);
Result<GroundPtr> read_height_file(const std::string& words, Warnings* warnings = nullptr);

}  // namespace zoe::eval
