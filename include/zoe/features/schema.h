// SPDX-License-Identifier: MIT
// Part of Zoetrope. The features of a model's inputs and outputs, as a small TOML text: named channels in three blocks.
//
//   name = "locomotion"
//   fps = 30.0
//   [joints]
//   pose = ["body"]                                     # Roles or names; see docs/features.md.
//   [input]
//   channels = ["joint.position", "joint.velocity", "root.position times=0:0.5:16"]
//   [output]
//   steps = "0:0.5:16"                                  # 16 moments from now to half a second ahead.
//   channels = ["root.delta turn=degrees", "joint.position"]
//
// A channel is "group.part key=value …", or "group parts=a,b,c" for parts that alternate joint by joint (time by time
// for the root) instead of following each other as blocks.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/contacts.h"
#include "zoe/motion/phase.h"
#include "zoe/motion/root.h"

namespace zoe::features {

// `count` evenly spaced moments from start_s to end_s, both included, relative to now.
struct SampleTimes {
  double start_s = 0, end_s = 0;
  int count = 1;

  double at(int index) const { return count > 1 ? start_s + (end_s - start_s) * index / (count - 1) : start_s; }
  double step_s() const { return count > 1 ? (end_s - start_s) / (count - 1) : 0; }
  friend bool operator==(const SampleTimes&, const SampleTimes&) = default;
};

enum class Group : std::uint8_t {
  kJoint,        // Of each joint, at one moment, in the root space of that moment.
  kRoot,         // Of the root at `times`, in the present root space: a trajectory.
  kRootDelta,    // (x, turn, z) from one step before: the motion of the root, in its axes before the step.
  kContact,      // 0 or 1 per joint.
  kPhaseLocal,   // (sin, cos) times amplitude per joint: the cycle of its contacts.
  kPhaseGlobal,  // Cycles in [0, 1): the cycle of left and right contacts together.
  kPhaseDelta,   // Cycles since the frame before.
  kGuidance,     // Mean of joint positions over a future window, each in its own root space.
  kStyle,        // Labels of the clip.
  kAction,
  kTerrain,  // Heights beside and below the root at `times`, relative to their mean in the middle.
  kGoal,     // Target of the character, at `times`, in the present root space.
  kGating,   // Labels times phase, and times distance and angle to the goal, at `times`: the gate of NSM's experts.
  kSignal,   // Numbers that the caller supplies by name: sensors of a scene, sound, ….
};

enum class Part : std::uint8_t {
  // Of kJoint. Axes are columns of the joint's rotation.
  kPosition,
  kXAxis,
  kYAxis,
  kZAxis,
  kRotationLog,
  kVelocity,
  kAngularVelocity,
  // Of kRoot, beside kPosition and kVelocity (x and z): two numbers, then one each, then the labels.
  kDirection,
  kHeight,
  kSpeed,
  kTurnSpeed,
  kStyle,
  kAction,
  // Of kRoot: velocity and angular velocity of the root in its own axes, six numbers.
  kOwnVelocity,
  // Of kJoint: one number, 0 or 1; 0 for joints that are not among the schema's contact joints.
  kContact,
};

enum class Space : std::uint8_t {
  kRoot,      // The root of the moment.
  kParent,    // The parent joint; the root for the hips and for joints that are not below them.
  kTracking,  // Below the head, oriented as the root.
  kGoal,      // The goal of the moment, oriented as it faces.
  // Positions and velocities as in kRoot; rotations relative to the parent's, both measured from the rest pose.
  kCanonical,
};

struct Channel {
  Group group = Group::kJoint;
  std::vector<Part> parts;          // At least one for kJoint and kRoot; else empty.
  std::vector<std::string> joints;  // Roles, names or #indices. Empty: the schema's joints for this group.
  Space space = Space::kRoot;
  SampleTimes times;        // Relative to the step.
  int at_frames = 0;        // Moves "now" of this channel by frames: 1 is the next frame.
  bool degrees = false;     // kRootDelta: turns in degrees, else radians.
  bool per_second = false;  // kRootDelta: as velocities, else as the step's difference.
  std::string name;         // kSignal: its name.
  int width = 0;            // kSignal: numbers at each time.

  friend bool operator==(const Channel&, const Channel&) = default;
};

// "joint parts=position,velocity joints=feet times=0:0.5:16": reads and writes one channel.
Result<Channel> parse_channel(std::string_view text);
std::string to_text(const Channel& channel);

// One array of the model: [samples × steps.count × width].
struct Block {
  SampleTimes steps;
  std::vector<Channel> channels;

  friend bool operator==(const Block&, const Block&) = default;
};

enum class BlockKind : std::uint8_t { kInput, kOutput, kCondition };
constexpr std::size_t kNumBlocks = 3;
inline constexpr BlockKind kBlockKinds[kNumBlocks] = {BlockKind::kInput, BlockKind::kOutput, BlockKind::kCondition};
const char* to_string(BlockKind kind);  // "input", "output", "condition".

struct Schema {
  std::string name = "custom";
  double fps = 30;                       // Rate of the frame rows, independent of the clips' own rates.
  std::array<Block, kNumBlocks> blocks;  // By BlockKind. kCondition selects weights (PFNN's phase); often empty.

  std::vector<std::string> pose_joints{"body"};
  std::vector<std::string> contact_joints{"feet"};
  std::vector<std::string> tracking_joints{"head", "hands"};

  enum class Facing : std::uint8_t { kAuto, kBiped, kQuadruped } facing = Facing::kAuto;
  RootOptions root;
  // hip, left hip, right hip, left shoulder, right shoulder, neck: names, "" for none. Empty: detected by the analysis.
  std::vector<std::string> root_joints;

  // Velocities of rows are differences over one row, as a controller at the rows' rate computes them. Else over one
  // frame of the clip, as in the reference.
  bool velocity_over_row = false;
  bool contacts_by_speed = false;   // The rule of ai4animationpy, else find_contacts().
  double contact_speed_m_s = 0.25;  // Threshold of that rule.
  double guidance_window_s = 1.0;
  std::vector<std::string> styles, actions;               // Names of labels, in the order of their columns.
  std::vector<double> terrain_lateral_m{-0.25, 0, 0.25};  // To the right is negative x: right, centre, left.

  // Built in: see preset_names(). The texts are ordinary schemas.
  static Result<Schema> preset(std::string_view name);
  static Result<Schema> parse(std::string_view toml, const std::string& file = {});
  static Result<Schema> load(const std::filesystem::path& path);
  std::string to_toml() const;  // parse() of the result gives the same schema.

  const Block& block(BlockKind kind) const { return blocks[static_cast<std::size_t>(kind)]; }
  Block& block(BlockKind kind) { return blocks[static_cast<std::size_t>(kind)]; }
};

std::vector<std::string> preset_names();
Result<std::string> preset_text(std::string_view name);

}  // namespace zoe::features
