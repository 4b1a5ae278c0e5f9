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
#include "zoe/features/schema.h"

namespace zoe::features {

// The first numbers of every row: the root in model space. Velocities are m/s and rad/s.
namespace row {
enum : int {
  kX,
  kY,
  kZ,       // On the ground, metres.
  kFacing,  // Radians, not wrapped.
  kForwardX,
  kForwardZ,  // (sin, cos) of the facing: the direction of the root.
  kVelocityX,
  kVelocityY,
  kVelocityZ,
  kTurnSpeed,
  kOwnVelocity,  // Six numbers: velocity and angular velocity in the root's axes.
  kRootWidth = 16,
};
}  // namespace row

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

// One step of gathering. Frames count rows, relative to the sample's own; they may be fractional.
struct GatherOp {
  enum class Kind : std::uint8_t {
    kCopy,
    kPosition,
    kHeight,
    kDirection,
    kVelocity,
    kSpeed,
    kTurnSpeed,  // All but kCopy read the root.
    kDelta,
    kPhase,
    kPhaseDelta,
    kTerrain,
    kGoalPosition,
    kGoalDirection,
    kGating
  } kind = Kind::kCopy;
  int column = 0;           // First of the block's columns written.
  int width = 0;            // Columns at each time.
  int row_offset = 0;       // First of the row's numbers read (kCopy, kPhase, kTerrain, goals; kGating: its phase).
  double frame = 0;         // Of the first time, relative to the sample plus the block's step.
  double frame_step = 0;    // Distance to the next time.
  int count = 1;            // Number of times.
  int column_step = 0;      // Distance of the columns of consecutive times.
  double now_frame = 0;     // Root space of positions and directions, relative to the sample.
  double delta_frames = 1;  // kDelta: the time before.
  float turn_scale = 1, travel_scale = 1;  // kDelta: units of the turn and of the displacement.
  int goal_offset = -1;  // Row offset of the goal whose space replaces the root's; kGating: of the goal.
  int style_offset = 0, num_styles = 0, action_offset = 0, num_actions = 0;  // kGating.
};

// Numbers begin … end of the row of a frame, relative to the sample. A row holds a whole pose, and most blocks read only
// the root of most frames.
struct RowRead {
  int frame = 0, begin = 0, end = 0;
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
