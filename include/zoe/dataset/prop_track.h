// SPDX-License-Identifier: MIT
// Part of Zoetrope. The props of a clip, frame by frame, and what the body does and wants: the file
// walk.props.safetensors beside walk.glb or walk.bvh. `zoe synth --deed` writes it, the type nsm learns from it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/ground/prop.h"
#include "zoe/store/safetensors.h"

namespace zoe::dataset {

struct PropTrack {
  double fps = 30;
  std::vector<std::string> deeds;  // Names of what a body can do.
  std::size_t num_props = 0;
  std::vector<Prop> props;  // [frames × props]
  std::vector<int> deed;    // [frames] Index of `deeds`.
  struct Goal {
    int deed = 0;
    Vec3 position;  // Of the root, on the floor.
    float facing_rad = 0;
  };
  std::vector<Goal> goals;  // [frames]

  std::size_t num_frames() const { return deed.size(); }
};

constexpr const char* kPropTrackEnding = ".props.safetensors";
// walk.glb -> walk.props.safetensors
std::filesystem::path prop_track_beside(const std::filesystem::path& motion_file);

Result<void> write_prop_track(const std::filesystem::path& path, const PropTrack& track);
// Outside data: shapes, indices, sizes and numbers are checked.
Result<PropTrack> read_prop_track(const Safetensors& file);
Result<PropTrack> read_prop_track(const std::filesystem::path& path);

}  // namespace zoe::dataset
