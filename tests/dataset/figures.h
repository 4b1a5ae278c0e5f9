// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Folders of small BVH files: one figure that walks, by formulas, in many
// variants.
#pragma once

#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/dataset.h"
#include "zoe/io/bvh.h"

#include "support/data.h"

namespace zoe::test {

struct Figure {
  double speed_m_s = 1.2, turn_rad_s = 0.3, fps = 60, size = 1;
  int num_frames = 150;
  bool fingers = false;   // Two joints more.
  bool left_foot = true;  // Else the left leg ends at the knee.
};

inline SkeletonPtr figure_skeleton(const Figure& figure) {
  const auto s = static_cast<float>(figure.size);
  std::vector<JointDesc> joints{{"Hips", kNoJoint, {{0, 0.95F * s, 0}}}};
  const auto add = [&](const char* name, const char* parent, Vec3 offset) {
    int p = 0;
    while (joints[static_cast<std::size_t>(p)].name != parent) ++p;
    joints.push_back({name, p, {offset * s}});
  };
  add("Spine", "Hips", {0, 0.15F, 0});
  add("Chest", "Spine", {0, 0.2F, 0});
  add("Neck", "Chest", {0, 0.2F, 0});
  add("Head", "Neck", {0, 0.12F, 0});
  for (const bool left : {true, false}) {
    const float x = left ? 1.0F : -1.0F;
    const std::string side = left ? "Left" : "Right";
    const auto limb = [&](const char* name, const std::string& parent, Vec3 offset) {
      add((side + name).c_str(), parent.c_str(), offset);
    };
    limb("Arm", "Chest", {0.18F * x, 0.12F, 0});
    limb("ForeArm", side + "Arm", {0.28F * x, 0, 0});
    limb("Hand", side + "ForeArm", {0.25F * x, 0, 0});
    if (figure.fingers) limb("HandIndex1", side + "Hand", {0.08F * x, 0, 0});
    limb("UpLeg", "Hips", {0.1F * x, -0.05F, 0});
    limb("Leg", side + "UpLeg", {0, -0.42F, 0});
    if (left && !figure.left_foot) continue;
    limb("Foot", side + "Leg", {0, -0.40F, 0});
    limb("ToeBase", side + "Foot", {0, -0.06F, 0.13F});
  }
  return Skeleton::create(std::move(joints)).value();
}

inline Motion walking(const Figure& figure) {
  Motion motion = make_motion(figure_skeleton(figure), "walk", figure.fps, figure.num_frames, false);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (int f = 0; f < figure.num_frames; ++f) {
    const double t = f / figure.fps, facing = figure.turn_rad_s * t, step = 2 * M_PI * 0.9 * t;
    const std::size_t at = static_cast<std::size_t>(f) * n;
    const double r = figure.turn_rad_s == 0 ? 0 : figure.speed_m_s / figure.turn_rad_s;
    motion.translations[at] = {
        static_cast<float>(r * (1 - std::cos(facing))), static_cast<float>(0.95 * figure.size),
        static_cast<float>(figure.turn_rad_s == 0 ? figure.speed_m_s * t : r * std::sin(facing))};
    motion.rotations[at] = from_axis_angle(Vec3{0, 1, 0}, static_cast<float>(facing));
    for (std::size_t j = 1; j < n; ++j) {
      const std::string& name = motion.skeleton->name(static_cast<int>(j));
      const double side = name.starts_with("Left") ? 1 : -1, swing = std::sin(step) * side;
      const auto turn = [&](double angle) {
        motion.rotations[at + j] = from_axis_angle(Vec3{1, 0, 0}, static_cast<float>(angle));
      };
      if (name.ends_with("UpLeg"))
        turn(-0.4 * swing);
      else if (name.ends_with("Leg"))
        turn(0.3 + 0.3 * std::cos(step) * side);
      else if (name.ends_with("Arm") && !name.ends_with("ForeArm"))
        motion.rotations[at + j] = from_axis_angle(Vec3{1, 0, 0}, static_cast<float>(0.3 * swing)) *
                                   from_axis_angle(Vec3{0, 0, 1}, static_cast<float>(-1.3 * side));
    }
  }
  make_continuous(motion);
  return motion;
}

// Centimetres, as most BVH files.
inline void write_walk(const std::filesystem::path& path, const Figure& figure = {}, double units_per_metre = 100) {
  std::filesystem::create_directories(path.parent_path());
  ASSERT_TRUE(io::write_bvh(path, walking(figure), {.scale = units_per_metre}));
}

// `count` different walks of two actors.
inline std::filesystem::path walk_folder(const std::string& name, int count, int first = 0) {
  // Of a fixed name: paths decide on buckets and on the clip that stands for the group.
  const std::filesystem::path folder = temporary_dir(name) / "walks";
  for (int i = first; i < first + count; ++i) {
    write_walk(folder / ("walk" + std::to_string(i) + "_subject" + std::to_string(i % 2 + 1) + ".bvh"),
               {.speed_m_s = 0.8 + 0.05 * i, .turn_rad_s = 0.1 * (i % 5 - 2), .num_frames = 110 + 7 * (i % 4)});
  }
  return folder;
}

inline dataset::BuildOptions build_options(const std::filesystem::path& input, const std::filesystem::path& output) {
  dataset::BuildOptions options;
  options.inputs = {input};
  options.output = output;
  options.schema = features::Schema::preset("locomotion").value();
  options.num_jobs = 2;
  return options;
}

// Every file below a folder but the lock, by its relative name, with its bytes.
inline std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == ".lock") continue;
    const MappedFile file = MappedFile::open(entry.path()).value();
    out[entry.path().lexically_relative(folder).generic_string()] = std::string(file.text());
  }
  return out;
}

// As a message: which files differ.
inline std::string difference(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto left = contents(a), right = contents(b);
  std::string out;
  for (const auto& [name, bytes] : left)
    if (!right.contains(name))
      out += "only in the first: " + name + "\n";
    else if (right.at(name) != bytes)
      out += "differs: " + name + "\n";
  for (const auto& [name, bytes] : right)
    if (!left.contains(name)) out += "only in the second: " + name + "\n";
  return out;
}

}  // namespace zoe::test
