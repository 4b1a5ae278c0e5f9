// SPDX-License-Identifier: MIT
// Part of Zoetrope. A map of motions: every window a point, like motions near each other.
#pragma once

#include <cstdint>
#include <filesystem>

#include "zoe/eval/described_clips.h"
#include "zoe/eval/map_clusters.h"
#include "zoe/math/vec.h"

namespace zoe::eval {

struct MapOptions {
  std::string by = "auto";  // Colours: folder, label, family; auto: the first of them with 2 to 24 values.
  std::size_t max_points = 4000;
  std::uint64_t seed = 1;
};

struct MapPoint {
  Vec2 place;
  int clip = 0;        // Index into the clips.
  double start_s = 0;  // Of the window, within its clip.
  int group = 0;       // Index into MotionMap::groups.
};

struct MotionMap {
  std::vector<MapPoint> points;
  std::vector<std::string> groups;  // At most 24; the last is "other" where there are more.
  std::vector<MapCluster> clusters;
  std::string by;                     // Never auto.
  std::size_t num_windows = 0;        // Before windows were left out, evenly, to keep max_points.
  double trust = 0, plane_trust = 0;  // Trustworthiness of the map and of the principal plane, of at most 1,000 points.
  // Fraction of points whose nearest point of another clip has the same group, among the codes.
  double group_agreement = 0;
};

// Fails on an unknown word in `by`, and on fewer than 4 windows.
Result<MotionMap> make_motion_map(std::span<const DescribedClip> clips, const MotionEncoder& encoder,
                                  const MapOptions& options = {});

// A whole page, or a drawing where the file ends in .svg. Atomic.
Result<void> write_motion_map(const std::filesystem::path& file, const MotionMap& map,
                              std::span<const DescribedClip> clips, const std::string& title);

}  // namespace zoe::eval
