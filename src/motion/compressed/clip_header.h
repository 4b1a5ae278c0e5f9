// SPDX-License-Identifier: MIT
// Part of Zoetrope. The header of a compressed clip: its content, writer and reader.
//
// Layout, little-endian, no padding:
//   "ZOEM"  u32 version  u64 skeleton_hash  f64 fps  f64 start_time_s
//   u32 num_frames  u32 num_joints  u32 num_morph_weights  u8 segment_frames  u8 has_scales  u16 name length  name
//   u8 kinds [joints]: 2 bits each for rotation, translation, scale (TrackKind)   u8 kinds [morph weights]
//   constants, where kConstant: per joint 4 f32 rotation, 3 f32 translation, 3 f32 scale, then 1 f32 per morph weight
//   u16 count, rotation tracks of three lanes: u16 joint, 3 i16 reference, 3 i8 axes, 3 u8 steps
//   u16 count, rotation tracks of four lanes: u16 joint, 3 i16 reference, 1 u8 step
//   scalar tracks, those of translations, then scales, then morph weights, in index order: f32 base, u8 step
//   u32 segment sizes [segments], then the segments one after the other, then kRowSlack zero bytes
// A segment: u8 scale, u24 offset of its rows from its first byte, group headers, rows. A group header: u8 number of
// rows, and when that is not zero u8 width of row 0 and 4-bit width codes of the others, low nibble first. Groups: each
// eight rotation tracks make three (four) groups, x y z (w); each eight scalar lanes of a kind make one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

#include "motion/compressed/rows.h"

namespace zoe {

enum class TrackKind : std::uint8_t {
  kDefault,
  kConstant,
  kAnimated,
  kAnimatedWide
};  // Wide: rotations of four lanes.
enum class ScalarTarget : std::uint8_t { kTranslation, kScale, kMorph };

struct JointKinds {
  TrackKind rotation = TrackKind::kDefault;     // Default: as at rest.
  TrackKind translation = TrackKind::kDefault;  // As at rest.
  TrackKind scale = TrackKind::kDefault;        // One.
};

// rotation = reference · axes⁻¹ · (x, y, z, w) · axes: the lanes are the vector part of the rotation relative to the
// reference, in axes that the encoder chooses. With three lanes w is the positive root of 1 - x² - y² - z².
struct RotationTrack {
  int joint = 0;
  int num_lanes = 3;
  std::array<std::int16_t, 3> reference_code{};
  std::array<std::int8_t, 3> axes_code{};  // Zero (identity) when there are four lanes.
  std::array<std::uint8_t, 4> step_codes{};

  Quatd reference() const;
  Quatd axes() const;
};

struct ScalarTrack {
  ScalarTarget target = ScalarTarget::kTranslation;
  std::uint32_t index = 0;  // Index of the float in the pose's array: 3 * joint + component, or the morph weight.
  float base = 0;
  std::uint8_t step_code = 0;
};

// Step of a lane's coefficients: 2^(-code/8). A segment's scale multiplies all steps by 2^((code - 128)/8).
double step_of(std::uint8_t code);
double segment_scale_of(std::uint8_t code);

struct ClipHeader {
  std::string name;
  double fps = 30, start_time_s = 0;
  int num_frames = 0, num_joints = 0, num_morph_weights = 0, segment_frames = 16;
  bool has_scales = false;
  std::vector<JointKinds> joints;
  std::vector<TrackKind> morphs;
  Pose constants;  // The pose of all constant tracks, rest elsewhere.
  std::vector<float> morph_constants;
  std::vector<RotationTrack> rotations;  // Tracks of three lanes first.
  std::vector<ScalarTrack> scalars;      // By target, then index.

  int num_segments() const { return num_frames <= 1 ? num_frames : (num_frames - 2) / segment_frames + 1; }
  int segment_first_frame(int segment) const { return segment * segment_frames; }
  // Number of frames of a segment: its last one is the first of the next segment.
  int segment_points(int segment) const;
};

// True if the encoder rounds joints in a chain (segment_chain.cpp). Scales would shear, which rotations cannot correct.
inline bool is_chained(const ClipHeader& header) { return !header.has_scales; }

// A run of lanes that share row widths.
struct LaneGroup {
  int first_track = 0;  // Index of the rotation or scalar track.
  int lanes = 0;
  int component = 0;  // Component of the rotation; 0 for scalars.
  bool is_rotation = false;
};
// In the order of the segment's bytes.
std::vector<LaneGroup> lane_groups(const ClipHeader& header);

// Hash of names, parents and the rest pose: default tracks depend on all of them.
std::uint64_t skeleton_hash(const Skeleton& skeleton);

std::vector<std::uint8_t> write_header(const ClipHeader& header, const Skeleton& skeleton);
// Reads up to the segment sizes; *end is their offset.
Result<ClipHeader> read_header(std::span<const std::uint8_t> bytes, const Skeleton& skeleton, std::size_t* end);

}  // namespace zoe
