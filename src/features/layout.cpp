// SPDX-License-Identifier: MIT
#include "zoe/features/layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/core/suggest.h"

#include "features/axes.h"
#include "features/roles.h"
#include "features/row_reads.h"
#include "features/words.h"

namespace zoe::features {

// Compiles a schema to row sources and gathering steps.
class LayoutCompiler {
 public:
  LayoutCompiler(const Schema& schema, const Skeleton& skeleton, const SkeletonAnalysis& analysis)
      : skeleton_(skeleton), analysis_(analysis) {
    layout_.schema_ = schema;
  }

  Result<Layout> run() {
    Schema& schema = layout_.schema_;
    for (const JointDesc& joint : skeleton_.joints()) layout_.joint_names_.push_back(joint.name);
    if (layout_.joint_sides_.empty()) layout_.joint_sides_ = joint_sides(skeleton_, analysis_);
    ZOE_TRY_ASSIGN(const RootChoice root, choose_root(schema, skeleton_, analysis_));
    layout_.root_joints_ = root.joints;
    schema.root.facing = root.facing;
    schema.facing = root.facing == RootOptions::Facing::kBiped ? Schema::Facing::kBiped : Schema::Facing::kQuadruped;
    schema.root_joints.clear();
    for (const int joint : {root.joints.hip, root.joints.left_hip, root.joints.right_hip, root.joints.left_shoulder,
                            root.joints.right_shoulder, root.joints.neck}) {
      schema.root_joints.push_back(joint == kNoJoint ? std::string{} : fmt::format("#{}", joint));
    }
    find_hips_subtree();
    wanted_ = {schema.pose_joints, schema.contact_joints, schema.tracking_joints};
    std::vector<std::string>* const lists[] = {&schema.pose_joints, &schema.contact_joints, &schema.tracking_joints};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto joints = resolve_joints(wanted_[i], skeleton_, analysis_);
      if (!joints)
        return Error{joints.error().code, fmt::format("[joints] {}: {}", kLists[i], joints.error().message), {}};
      *lists[i] = indices(*joints);
    }
    // Outputs first: their ranges in the row are then in the order of the array.
    for (const BlockKind kind : {BlockKind::kOutput, BlockKind::kInput, BlockKind::kCondition}) ZOE_TRY(compile(kind));
    finish();
    if ((std::int64_t{layout_.past_frames_} + layout_.future_frames_ + 1) * layout_.frame_width_ > kMaxHistory)
      return too_large(schema.name);
    for (const BlockKind kind : {BlockKind::kOutput, BlockKind::kInput, BlockKind::kCondition})
      layout_.blocks_[Layout::index(kind)].reads =
          find_reads(layout_.ops(kind), schema.block(kind).steps,
                     {layout_.fps(), layout_.past_frames_, layout_.future_frames_, layout_.frame_width_});
    return std::move(layout_);
  }

  void set_sides(std::vector<int> sides) { layout_.joint_sides_ = std::move(sides); }

 private:
  using Op = GatherOp;
  static constexpr const char* kLists[] = {"pose", "contacts", "tracking"};

  static std::vector<std::string> indices(const std::vector<int>& joints) {
    std::vector<std::string> words;
    for (const int joint : joints) words.push_back(fmt::format("#{}", joint));
    return words;
  }

  void find_hips_subtree() {
    const int hip = layout_.root_joints_.hip;
    for (int j = 0; j < skeleton_.num_joints(); ++j) {
      const int parent = skeleton_.parent(j);
      const bool hangs =
          parent != kNoJoint && (parent == hip || layout_.hangs_on_hips_[static_cast<std::size_t>(parent)] != 0);
      layout_.hangs_on_hips_.push_back(hangs ? 1 : 0);
      layout_.rest_rotations_.push_back(unscaled_rotation(skeleton_.rest_model()[static_cast<std::size_t>(j)]));
    }
  }

  Result<std::vector<int>> joints_of(Channel& channel) {
    const Schema& schema = layout_.schema_;
    const bool by_contact = channel.group == Group::kContact || channel.group == Group::kPhaseLocal ||
                            channel.group == Group::kPhaseGlobal || channel.group == Group::kPhaseDelta ||
                            channel.group == Group::kGating;
    const bool uses_joints = by_contact || channel.group == Group::kJoint || channel.group == Group::kGuidance;
    if (!uses_joints) return std::vector<int>{};
    const int list = by_contact ? 1 : channel.space == Space::kTracking ? 2 : 0;
    const auto& fallback = list == 1 ? schema.contact_joints : list == 2 ? schema.tracking_joints : schema.pose_joints;
    const auto refuse = [&](const std::string& message) {
      return Error{ErrorCode::kUsage, fmt::format("channel '{}': {}", to_text(channel), message), {}};
    };
    auto joints = resolve_joints(channel.joints.empty() ? fallback : channel.joints, skeleton_, analysis_);
    if (!joints) return refuse(joints.error().message);
    if (joints->empty()) {
      const auto& wanted = channel.joints.empty() ? wanted_[static_cast<std::size_t>(list)] : channel.joints;
      return refuse(
          fmt::format("no {} found on this {}; name its joints in the schema ({}), or correct the analysis by "
                      "an override file",
                      fmt::join(wanted, ", "), to_string(analysis_.family),
                      channel.joints.empty() ? fmt::format("[joints] {}", kLists[list]) : "joints="));
    }
    if (!channel.joints.empty()) channel.joints = indices(*joints);
    return joints;
  }

  // Numbers of a sample and of a row, and of all rows that a sample reads: far beyond any model. They bound the memory
  // of layouts from damaged or hostile files.
  static constexpr std::int64_t kMaxValues = 1 << 20, kMaxHistory = 1 << 24;
  static Error too_large(const std::string& name) {
    return {ErrorCode::kLimit,
            fmt::format("'{}' makes the layout larger than {} numbers in a sample or {} in the rows that it reads",
                        name, kMaxValues, kMaxHistory),
            {}};
  }
  std::int64_t frame_values() const {
    return layout_.sources_.empty() ? 0 : std::int64_t{layout_.sources_.back().offset} + layout_.sources_.back().width;
  }

  // The range in the row with this content. Creates it where there is none yet.
  const RowSource& source(Group group, std::vector<Part> parts, std::vector<int> joints, Space space, int width,
                          std::string name = {}) {
    RowSource wanted{group, std::move(parts), std::move(joints), space, 0, width, std::move(name)};
    for (RowSource& known : layout_.sources_) {
      wanted.offset = known.offset;
      if (known == wanted) return known;
    }
    wanted.offset = layout_.sources_.empty() ? int{row::kRootWidth}
                                             : layout_.sources_.back().offset + layout_.sources_.back().width;
    layout_.sources_.push_back(std::move(wanted));
    return layout_.sources_.back();
  }

  // Adds steps for one part; returns its columns at each time.
  int add(std::vector<Op>& ops, Op op, Op::Kind kind, int width, int row_offset = 0) {
    op.kind = kind;
    op.width = width;
    op.row_offset = row_offset;
    ops.push_back(op);
    return width;
  }

  int label_count(Group group) const {
    return static_cast<int>((group == Group::kStyle ? layout_.schema_.styles : layout_.schema_.actions).size());
  }
  int labels_offset(Group group) {
    const int count = label_count(group);
    return count == 0 ? 0 : source(group, {}, {}, Space::kRoot, count).offset;
  }
  int goal_offset() { return source(Group::kGoal, {}, {}, Space::kRoot, kGoalWidth).offset; }
  int phase_offset(const std::vector<int>& joints) {
    return source(Group::kPhaseGlobal, {}, joints, Space::kRoot, 2).offset;
  }

  int add_labels(std::vector<Op>& ops, const Op& op, Group group) {
    const int count = label_count(group);
    return count == 0 ? 0 : add(ops, op, Op::Kind::kCopy, count, labels_offset(group));
  }

  int add_goal_part(std::vector<Op>& ops, const Op& op, Part part) {
    switch (part) {
      case Part::kPosition:
        return add(ops, op, Op::Kind::kGoalPosition, 3, goal_offset());
      case Part::kDirection:
        return add(ops, op, Op::Kind::kGoalDirection, 3, goal_offset());
      default:
        return add_labels(ops, op, Group::kAction);
    }
  }

  // Each style times the phase's two numbers; each action times those, their product with distance,
  // and with angle.
  int add_gating(std::vector<Op>& ops, Op op, const std::vector<int>& joints) {
    op.style_offset = labels_offset(Group::kStyle);
    op.num_styles = label_count(Group::kStyle);
    op.action_offset = labels_offset(Group::kAction);
    op.num_actions = label_count(Group::kAction);
    op.goal_offset = op.num_actions > 0 ? goal_offset() : -1;
    return add(ops, op, Op::Kind::kGating, 2 * op.num_styles + 6 * op.num_actions, phase_offset(joints));
  }

  // Contacts among other parts of joints are copied there from a separate range.
  Result<void> add_contacts_for(const Channel& channel) {
    if (std::find(channel.parts.begin(), channel.parts.end(), Part::kContact) == channel.parts.end()) return {};
    ZOE_TRY_ASSIGN(const std::vector<int> joints, resolve_joints(layout_.schema_.contact_joints, skeleton_, analysis_));
    if (joints.empty()) return {};
    source(Group::kContact, {}, joints, Space::kRoot, static_cast<int>(joints.size()));
    contact_joints_ = joints;
    return {};
  }

  int add_root_part(std::vector<Op>& ops, const Op& op, Part part) {
    switch (part) {
      case Part::kPosition:
        return add(ops, op, Op::Kind::kPosition, 2);
      case Part::kDirection:
        return add(ops, op, Op::Kind::kDirection, 2);
      case Part::kVelocity:
        return add(ops, op, Op::Kind::kVelocity, 2);
      case Part::kHeight:
        return add(ops, op, Op::Kind::kHeight, 1);
      case Part::kSpeed:
        return add(ops, op, Op::Kind::kSpeed, 1);
      case Part::kTurnSpeed:
        return add(ops, op, Op::Kind::kTurnSpeed, 1);
      case Part::kStyle:
        return add_labels(ops, op, Group::kStyle);
      case Part::kAction:
        return add_labels(ops, op, Group::kAction);
      default:
        return add(ops, op, Op::Kind::kCopy, 6, row::kOwnVelocity);
    }
  }

  // Steps of a channel from column op.column on; returns its columns at each time.
  int add_channel(std::vector<Op>& ops, Op op, const Channel& channel, const std::vector<int>& joints) {
    const auto count = static_cast<int>(joints.size());
    const auto copy = [&](int width) {
      return add(ops, op, Op::Kind::kCopy, width,
                 source(channel.group, channel.parts, joints, channel.space, width).offset);
    };
    switch (channel.group) {
      case Group::kJoint:
        return copy(count * part_widths(channel.parts));
      case Group::kContact:
        return copy(count);
      case Group::kPhaseLocal:
        return copy(2 * count);
      case Group::kGuidance:
        return copy(3 * count);
      case Group::kStyle:
      case Group::kAction:
        return add_labels(ops, op, channel.group);
      case Group::kPhaseGlobal:
        return add(ops, op, Op::Kind::kPhase, 1, phase_offset(joints));
      case Group::kPhaseDelta:
        if (op.count > 1) op.delta_frames = 1;  // Along a trajectory: the speed there, not from point to point.
        return add(ops, op, Op::Kind::kPhaseDelta, 1, phase_offset(joints));
      case Group::kTerrain: {
        const auto width = static_cast<int>(layout_.schema_.terrain_lateral_m.size());
        return add(ops, op, Op::Kind::kTerrain, width, source(Group::kTerrain, {}, {}, Space::kRoot, width).offset);
      }
      case Group::kRootDelta: {
        const double seconds = op.delta_frames / layout_.schema_.fps;
        const double per = channel.per_second ? 1 / seconds : 1;
        op.travel_scale = static_cast<float>(per);
        op.turn_scale = static_cast<float>(per * (channel.degrees ? 180 / std::numbers::pi : 1));
        return add(ops, op, Op::Kind::kDelta, 3);
      }
      case Group::kGating:
        return add_gating(ops, op, joints);
      case Group::kSignal:
        return add(ops, op, Op::Kind::kCopy, channel.width,
                   source(Group::kSignal, {}, {}, Space::kRoot, channel.width, channel.name).offset);
      case Group::kRoot:
      case Group::kGoal: {
        if (channel.space == Space::kGoal) op.goal_offset = goal_offset();
        int width = 0;
        for (const Part part : channel.parts) {
          Op moved = op;
          moved.column += width;
          width += channel.group == Group::kRoot ? add_root_part(ops, moved, part) : add_goal_part(ops, moved, part);
        }
        return width;
      }
    }
    return 0;
  }

  Result<void> compile(BlockKind kind) {
    Block& block = layout_.schema_.block(kind);
    Layout::CompiledBlock& out = layout_.blocks_[static_cast<std::size_t>(kind)];
    const double fps = layout_.schema_.fps;
    for (Channel& channel : block.channels) {
      const std::string name = to_text(channel);
      ZOE_TRY_ASSIGN(const std::vector<int> joints, joints_of(channel));
      Op op;
      op.column = out.width;
      op.frame = snapped(channel.times.start_s * fps) + channel.at_frames;
      op.frame_step = snapped(channel.times.step_s() * fps);
      op.count = channel.times.count;
      op.now_frame = channel.at_frames;
      const double step_s = channel.times.count > 1 ? channel.times.step_s() : block.steps.step_s();
      op.delta_frames = step_s > 0 ? snapped(step_s * fps) : 1;
      std::vector<Op> ops;
      if (channel.space == Space::kGoal) goal_offset();
      ZOE_TRY(add_contacts_for(channel));
      const int width = add_channel(ops, op, channel, joints);
      const std::int64_t columns = out.width + std::int64_t{width} * channel.times.count;
      if (columns * block.steps.count > kMaxValues || frame_values() > kMaxValues) return too_large(name);
      for (Op& added : ops) {
        added.column_step = width;
        append(out.ops, added);
      }
      if (width == 0)
        return Error{
            ErrorCode::kUsage, fmt::format("channel '{}' has no columns: the schema names no labels for it", name), {}};
      out.columns.push_back({name, out.width, width * channel.times.count});
      out.width += width * channel.times.count;
      out.joints.push_back(joints);
      number_groups(out, ops, channel);
    }
    return {};
  }

  // Parts of a trajectory are separate steps. Those of joints alternate by three columns. Displacements and turns
  // differ in unit.
  static void number_groups(Layout::CompiledBlock& out, const std::vector<Op>& ops, const Channel& channel) {
    const int first = out.groups.empty() ? 0 : *std::max_element(out.groups.begin(), out.groups.end()) + 1;
    out.groups.resize(static_cast<std::size_t>(out.width), 0);
    const bool joints = channel.group == Group::kJoint;
    const int parts = joints ? static_cast<int>(channel.parts.size()) : 2;
    const auto part_of = [&](const Op& op, int w) {
      if (joints) {
        int part = 0;
        for (w %= part_widths(channel.parts); w >= part_width(channel.parts[static_cast<std::size_t>(part)]); ++part) {
          w -= part_width(channel.parts[static_cast<std::size_t>(part)]);
        }
        return part;
      }
      if (op.kind == Op::Kind::kDelta) return w == 1 ? 1 : 0;
      return op.kind == Op::Kind::kCopy && op.row_offset == row::kOwnVelocity ? w / 3 : 0;
    };
    for (std::size_t k = 0; k < ops.size(); ++k) {
      for (int i = 0; i < ops[k].count; ++i) {
        for (int w = 0; w < ops[k].width; ++w) {
          const int column = ops[k].column + i * ops[k].column_step + w;
          out.groups[static_cast<std::size_t>(column)] = first + static_cast<int>(k) * parts + part_of(ops[k], w);
        }
      }
    }
  }

  // Within 1e-6 of a whole number: that number, so that times like 1/30 s are on rows.
  static double snapped(double frames) {
    return std::abs(frames - std::round(frames)) < 1e-6 ? std::round(frames) : frames;
  }

  // Joins a copy with the one before where it continues it.
  static void append(std::vector<Op>& ops, const Op& op) {
    if (!ops.empty()) {
      Op& last = ops.back();
      if (op.kind == Op::Kind::kCopy && last.kind == Op::Kind::kCopy && op.count == 1 && last.count == 1 &&
          op.frame == last.frame && op.row_offset == last.row_offset + last.width &&
          op.column == last.column + last.width) {
        last.width += op.width;
        last.column_step = last.width;
        return;
      }
    }
    ops.push_back(op);
  }

  // After all ranges have their offsets.
  void find_contact_copies() {
    const auto& sources = layout_.sources_;
    const auto contacts = std::find_if(sources.begin(), sources.end(), [&](const RowSource& s) {
      return s.group == Group::kContact && s.joints == contact_joints_;
    });
    if (contact_joints_.empty() || contacts == sources.end()) return;
    for (const RowSource& source : sources) {
      if (source.group != Group::kJoint) continue;
      int slot = source.offset;
      for (const Part part : source.parts) {
        for (std::size_t k = 0; part == Part::kContact && k < contact_joints_.size(); ++k) {
          int joint = contact_joints_[k];
          while (skeleton_.kind(joint) != JointKind::kBone && skeleton_.parent(joint) != kNoJoint &&
                 !contains(source.joints, joint)) {
            joint = skeleton_.parent(joint);
          }
          const auto found = std::find(source.joints.begin(), source.joints.end(), joint);
          if (found == source.joints.end()) continue;
          const auto place = static_cast<int>(found - source.joints.begin());
          layout_.contact_copies_.push_back(
              {slot + place * part_widths(source.parts), contacts->offset + static_cast<int>(k)});
        }
        slot += part_width(part);
      }
    }
  }
  static bool contains(const std::vector<int>& joints, int joint) {
    return std::find(joints.begin(), joints.end(), joint) != joints.end();
  }

  void finish() {
    find_contact_copies();
    const int used = layout_.sources_.empty() ? int{row::kRootWidth}
                                              : layout_.sources_.back().offset + layout_.sources_.back().width;
    layout_.frame_width_ = (used + 15) / 16 * 16;
    double first = 0, last = 0;
    for (std::size_t i = 0; i < kNumBlocks; ++i) {
      const SampleTimes& steps = layout_.schema_.blocks[i].steps;
      const double fps = layout_.schema_.fps;
      for (const Op& op : layout_.blocks_[i].ops) {
        const bool looks_back = op.kind == Op::Kind::kDelta || op.kind == Op::Kind::kPhaseDelta;
        first = std::min({first, steps.start_s * fps + op.frame - (looks_back ? op.delta_frames : 0), op.now_frame});
        last = std::max({last, steps.end_s * fps + op.frame + op.frame_step * (op.count - 1), op.now_frame});
      }
    }
    layout_.past_frames_ = static_cast<int>(std::ceil(-first - 1e-6));
    layout_.future_frames_ = static_cast<int>(std::ceil(last - 1e-6));
  }

  const Skeleton& skeleton_;
  const SkeletonAnalysis& analysis_;
  std::vector<int> contact_joints_;                 // Joints of requested "joint.contact" channels.
  std::array<std::vector<std::string>, 3> wanted_;  // [joints] As in the schema, by kLists.
  Layout layout_;
};

Result<Layout> Layout::compile(const Schema& schema, const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  return LayoutCompiler(schema, skeleton, analysis).run();
}

Result<Layout> Layout::compile_with_sides(const Schema& schema, const Skeleton& skeleton, std::vector<int> sides) {
  const SkeletonAnalysis none;  // Every joint is given by index.
  LayoutCompiler compiler(schema, skeleton, none);
  compiler.set_sides(std::move(sides));
  return compiler.run();
}

Result<Column> Layout::find_column(BlockKind kind, std::string_view name) const {
  std::vector<std::string> known;
  const Column* found = nullptr;
  int matches = 0;
  for (const Column& column : columns(kind)) {
    if (column.name == name) return column;
    known.push_back(column.name);
    if (std::string_view(column.name).substr(0, column.name.find(' ')) == name) {
      found = &column;
      ++matches;
    }
  }
  if (matches == 1) return *found;
  return Error{ErrorCode::kUsage,
               fmt::format("{} '{}' in the {} block{}", matches > 1 ? "more than one channel" : "no channel", name,
                           to_string(kind), did_you_mean(name, known)),
               {}};
}

}  // namespace zoe::features
