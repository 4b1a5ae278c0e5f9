// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Compares what we read from an FBX file with an OBJ that the authoring
// program wrote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/io/asset.h"
#include "zoe/math/vec.h"

namespace zoe::test {

// Groups of an OBJ with the points that their faces use, in the order of the file; and the hints in
// its head.
struct ObjFile {
  struct Group {
    std::string name;
    std::vector<Vec3d> points;
  };
  std::vector<Group> groups;
  bool bad_order = false;
  double position_scale = 1;

  std::vector<Vec3d> all_points() const;
};
ObjFile read_obj(const std::filesystem::path& path);

// Control points of every mesh instance, deformed, in the file's own axes and unit.
struct DeformedInstance {
  std::string name;  // Of the node that carries it.
  std::vector<Vec3d> points;
};
// clip -1: the rest state. Else the frame of that clip nearest to the time.
std::vector<DeformedInstance> deform_in_file_space(const std::filesystem::path& fbx, const io::Asset& asset, int clip,
                                                   double time_s);

struct ObjDifference {
  double nearest = 0;   // Largest distance from a point of one to the nearest of the other, both ways.
  double ordered = -1;  // Largest distance between points of the same number; -1 when the two
                        // cannot be numbered alike.
  double box = 0;       // Diagonal of the expected points' box.
};
ObjDifference compare(const ObjFile& expected, const std::vector<DeformedInstance>& actual);

}  // namespace zoe::test
