// SPDX-License-Identifier: MIT
// Part of Zoetrope. A schema compiled for one skeleton: the numbers of a frame row, and how a model's arrays are
// gathered from rows. Immutable; share it. A frame row is everything that depends on one moment of one clip. Rows are
// [frames × frame_width()] floats at fps(), built once per clip (frame_rows.h), stored on disk, and combined by
// GatherJob.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/features/gather_op.h"
#include "zoe/features/schema.h"

namespace zoe::features {

// A goal in a row: position and direction in model space.
constexpr int kGoalWidth = 6;

// The source of one range of a row.
struct RowSource {
  Group group = Group::kJoint;
  std::vector<Part> parts;  // Of kJoint: parts alternate joint by joint.
  std::vector<int> joints;
  Space space = Space::kRoot;
  int offset = 0, width = 0;
  std::string name;  // Of kSignal.

  friend bool operator==(const RowSource&, const RowSource&) = default;
};

struct Column {
  std::string name;  // The channel's text, "joint.position joints=feet".
  int begin = 0, width = 0;
};

class Layout {
 public:
  // Fails, with a suggestion, on joints that the skeleton or its analysis do not have.
  static Result<Layout> compile(const Schema& schema, const Skeleton& skeleton, const SkeletonAnalysis& analysis);

  // The layout as text, to store beside weights and data: the schema with every joint by index, the skeleton's joint
  // names, and the widths, which from_toml() checks. Reading needs no analysis.
  std::string to_toml() const;
  static Result<Layout> from_toml(std::string_view toml, const Skeleton& skeleton, const std::string& file = {});

  // With every joint resolved ("#3").
  const Schema& schema() const { return schema_; }
  double fps() const { return schema_.fps; }
  int num_joints() const { return static_cast<int>(joint_names_.size()); }
  std::span<const std::string> joint_names() const { return joint_names_; }
  // -1 right, 0 middle, +1 left, [joints].
  std::span<const int> joint_sides() const { return joint_sides_; }
  const RootJoints& root_joints() const { return root_joints_; }
  // [joints] 1 where "the parent" is the parent joint, 0 where it is the root (hips, and joints that are not below
  // them).
  std::span<const char> hangs_on_hips() const { return hangs_on_hips_; }
  // [joints] model_from_joint at rest, without scale: the reference of canonical rotations.
  std::span<const Quat> rest_rotations() const { return rest_rotations_; }
  const RootOptions& root_options() const { return schema_.root; }

  // Floats per row: a multiple of 16, so that rows in an aligned array are aligned.
  int frame_width() const { return frame_width_; }
  std::span<const RowSource> row_sources() const { return sources_; }
  // Column of "joint.contact" among other parts of joints, and the row's number that it copies; the largest of several.
  // A contact joint that is no bone (an end site) counts for its bone.
  struct ContactCopy {
    int to = 0, from = 0;
  };
  std::span<const ContactCopy> contact_copies() const { return contact_copies_; }

  // Of one array: [samples × steps × width].
  int width(BlockKind kind) const { return blocks_[index(kind)].width; }
  int steps(BlockKind kind) const { return schema_.block(kind).steps.count; }
  std::size_t size(BlockKind kind) const {
    return static_cast<std::size_t>(width(kind)) * static_cast<std::size_t>(steps(kind));
  }
  std::span<const Column> columns(BlockKind kind) const { return blocks_[index(kind)].columns; }
  std::span<const GatherOp> ops(BlockKind kind) const { return blocks_[index(kind)].ops; }
  // Everything that gathering the block reads, by frame from -past_frames() to future_frames().
  std::span<const RowRead> reads(BlockKind kind) const { return blocks_[index(kind)].reads; }
  // Of each channel, in its order; empty for those without joints.
  std::span<const std::vector<int>> channel_joints(BlockKind kind) const { return blocks_[index(kind)].joints; }
  // [width] Group indices from 0: columns of one part of one channel (all positions, all velocities) share one.
  std::span<const int> column_groups(BlockKind kind) const { return blocks_[index(kind)].groups; }
  // By exact name, or by its part before the first space where that is unique.
  Result<Column> find_column(BlockKind kind, std::string_view name) const;

  // Rows before and after its own that a sample reads. Outside the clip its first or last row is repeated.
  int past_frames() const { return past_frames_; }
  int future_frames() const { return future_frames_; }

 private:
  struct CompiledBlock {
    int width = 0;
    std::vector<Column> columns;
    std::vector<int> groups;
    std::vector<std::vector<int>> joints;
    std::vector<GatherOp> ops;
    std::vector<RowRead> reads;
  };
  static constexpr std::size_t index(BlockKind kind) { return static_cast<std::size_t>(kind); }
  friend class LayoutCompiler;
  static Result<Layout> compile_with_sides(const Schema& schema, const Skeleton& skeleton, std::vector<int> sides);

  Schema schema_;
  std::vector<std::string> joint_names_;
  std::vector<int> joint_sides_;
  RootJoints root_joints_;
  std::vector<char> hangs_on_hips_;
  std::vector<Quat> rest_rotations_;
  std::vector<RowSource> sources_;
  std::array<CompiledBlock, kNumBlocks> blocks_;
  std::vector<ContactCopy> contact_copies_;
  int frame_width_ = 0;
  int past_frames_ = 0, future_frames_ = 0;
};

// Names of the block's columns: "position Hips x", "root direction z 0.5s". [width]
std::vector<std::string> column_names(const Layout& layout, BlockKind kind);

}  // namespace zoe::features
