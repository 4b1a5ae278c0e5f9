// SPDX-License-Identifier: MIT
#include "zoe/features/gather_job.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/portable.h"

#include "features/gather.h"
#include "features/row_parts.h"

namespace zoe::features {
namespace {

using Kind = GatherOp::Kind;

// Position of a moment among rows: two of them and the fraction of the second.
struct RowPair {
  const float* a;
  const float* b;
  float t;  // 0: only a.
};

// Rows of one clip, held at both ends.
class RowReader {
 public:
  RowReader(const ClipRows& clip, int width, double own_frame, const float* own_row)
      : clip_(clip), width_(idx(width)), own_frame_(own_frame), own_row_(own_row) {}

  // The character itself at that moment, not its desired root.
  RowPair self_at(double frame) const {
    return own_row_ != nullptr && frame == own_frame_ ? RowPair{own_row_, own_row_, 0} : at(frame);
  }

  RowPair at(double frame) const {
    const double whole = std::floor(frame + 1e-6);
    const float t = static_cast<float>(frame - whole);
    const auto index = static_cast<std::ptrdiff_t>(whole);
    const float* a = row(index);
    return t < 1e-6F ? RowPair{a, a, 0} : RowPair{a, row(index + 1), t};
  }

 private:
  const float* row(std::ptrdiff_t index) const {
    return clip_.rows + idx(static_cast<int>(std::clamp<std::ptrdiff_t>(index, 0, clip_.num_rows - 1))) * width_;
  }

  const ClipRows& clip_;
  std::size_t width_;
  double own_frame_;
  const float* own_row_;
};

float value(const RowPair& rows, int i) {
  const float a = rows.a[i];
  return rows.t == 0 ? a : a + (rows.b[i] - a) * rows.t;
}
Vec3 vector(const RowPair& rows, int i) { return {value(rows, i), value(rows, i + 1), value(rows, i + 2)}; }
Yaw yaw_of(const RowPair& rows) {
  if (rows.t == 0) return {rows.a[row::kForwardX], rows.a[row::kForwardZ]};
  return Yaw::of(value(rows, row::kFacing));
}

float phase_of(const RowPair& rows, int offset) {
  const float turns = portable_atan2(value(rows, offset), value(rows, offset + 1)) / (2 * std::numbers::pi_v<float>);
  return turns < 0 ? turns + 1 : turns;
}

void put_flat(float* out, Vec3 v) {
  out[0] = v.x;
  out[1] = v.z;
}

void copy(const RowPair& rows, int offset, int width, float* out) {
  if (rows.t == 0) {
    std::memcpy(out, rows.a + offset, idx(width) * sizeof(float));
    return;
  }
  const float* a = rows.a + offset;
  const float* b = rows.b + offset;
  for (int i = 0; i < width; ++i) out[i] = a[i] + (b[i] - a[i]) * rows.t;
}

void write_delta(const GatherOp& op, const RowPair& from, const RowPair& to, float* out) {
  const Vec3 way = yaw_of(from).into(vector(to, row::kX) - vector(from, row::kX)) * op.travel_scale;
  out[0] = way.x;
  out[1] = (value(to, row::kFacing) - value(from, row::kFacing)) * op.turn_scale;
  out[2] = way.z;
}

// Heights relative to the mean over all times of the middle one.
void gather_terrain(const GatherOp& op, const RowReader& reader, double first, float* out) {
  float mean = 0;
  for (int i = 0; i < op.count; ++i) {
    const RowPair rows = reader.at(first + i * op.frame_step);
    copy(rows, op.row_offset, op.width, out + i * op.column_step);
    mean += out[i * op.column_step + op.width / 2];
  }
  mean /= static_cast<float>(op.count);
  for (int i = 0; i < op.count; ++i)
    for (int k = 0; k < op.width; ++k) out[i * op.column_step + k] -= mean;
}

// Origin of positions and directions.
struct Viewpoint {
  Vec3 position;
  Yaw yaw;

  // The root, or a goal in the row.
  static Viewpoint of(const RowPair& rows, int goal_offset) {
    if (goal_offset < 0) return {vector(rows, row::kX), yaw_of(rows)};
    return {vector(rows, goal_offset), yaw_along(vector(rows, goal_offset + 3))};
  }
};

void write_seen(const GatherOp& op, const Viewpoint& now, const RowPair& rows, float* out) {
  const Yaw& yaw = now.yaw;
  switch (op.kind) {
    case Kind::kPosition:
      put_flat(out, yaw.into(vector(rows, row::kX) - now.position));
      break;
    case Kind::kHeight:
      out[0] = value(rows, row::kY) - now.position.y;
      break;
    case Kind::kGoalPosition:
      put(out, yaw.into(vector(rows, op.row_offset) - now.position));
      break;
    case Kind::kGoalDirection:
      put(out, yaw.into(normalized(vector(rows, op.row_offset + 3))));
      break;
    case Kind::kDirection: {
      const Yaw there = yaw_of(rows);
      put_flat(out, yaw.into({there.sine, 0, there.cosine}));
      break;
    }
    case Kind::kVelocity:
      put_flat(out, yaw.into(vector(rows, row::kVelocityX)));
      break;
    case Kind::kSpeed:
      out[0] = portable_hypot(value(rows, row::kVelocityX), value(rows, row::kVelocityZ));
      break;
    default:
      out[0] = value(rows, row::kTurnSpeed);
      break;
  }
}

// Labels count from -1 to 1, so that an inactive label has an effect too.
void write_gating(const GatherOp& op, const RowPair& rows, float* out) {
  const float phase[2] = {value(rows, op.row_offset), value(rows, op.row_offset + 1)};
  for (int i = 0; i < op.num_styles; ++i) {
    const float label = 2 * value(rows, op.style_offset + i) - 1;
    for (const float p : phase) *out++ = label * p;
  }
  if (op.num_actions == 0) return;
  const Viewpoint root = Viewpoint::of(rows, -1);
  const Vec3 direction = root.yaw.into(normalized(vector(rows, op.goal_offset + 3)));
  const float distance = length(vector(rows, op.goal_offset) - root.position);
  const float angle = portable_atan2(portable_hypot(direction.x, direction.y), direction.z);
  for (int i = 0; i < op.num_actions; ++i) {
    const float label = 2 * value(rows, op.action_offset + i) - 1;
    for (const float factor : {1.0F, distance, angle})
      for (const float p : phase) *out++ = label * factor * p;
  }
}

// One op at one step. sample: the sample's frame; step: frames from it to the block's step.
void run_op(const GatherOp& op, const RowReader& reader, double sample, double step, float* block) {
  const double first = sample + step + op.frame;
  float* out = block + op.column;
  switch (op.kind) {
    case Kind::kCopy:
      for (int i = 0; i < op.count; ++i, out += op.column_step)
        copy(reader.self_at(first + i * op.frame_step), op.row_offset, op.width, out);
      break;
    case Kind::kDelta:
      for (int i = 0; i < op.count; ++i, out += op.column_step) {
        const double frame = first + i * op.frame_step;
        write_delta(op, reader.self_at(frame - op.delta_frames), reader.self_at(frame), out);
      }
      break;
    case Kind::kPhase:
      for (int i = 0; i < op.count; ++i, out += op.column_step)
        *out = phase_of(reader.self_at(first + i * op.frame_step), op.row_offset);
      break;
    case Kind::kPhaseDelta:
      for (int i = 0; i < op.count; ++i, out += op.column_step) {
        const double frame = first + i * op.frame_step;
        const float turns = phase_of(reader.self_at(frame), op.row_offset) -
                            phase_of(reader.self_at(frame - op.delta_frames), op.row_offset);
        *out = turns - std::round(turns);
      }
      break;
    case Kind::kTerrain:
      gather_terrain(op, reader, first, out);
      break;
    case Kind::kGating:
      for (int i = 0; i < op.count; ++i, out += op.column_step)
        write_gating(op, reader.at(first + i * op.frame_step), out);
      break;
    default: {
      const Viewpoint now = Viewpoint::of(reader.self_at(sample + op.now_frame), op.goal_offset);
      for (int i = 0; i < op.count; ++i, out += op.column_step)
        write_seen(op, now, reader.at(first + i * op.frame_step), out);
    }
  }
}

}  // namespace

void gather_block(const Layout& layout, BlockKind kind, const ClipRows& clip, double frame, const float* own_row,
                  float* out) noexcept {
  const RowReader reader(clip, layout.frame_width(), frame, own_row);
  const SampleTimes& steps = layout.schema().block(kind).steps;
  for (int s = 0; s < steps.count; ++s, out += layout.width(kind)) {
    const double step = std::round(steps.at(s) * layout.fps() * 1e6) * 1e-6;  // 1/30 s at 30 fps is one row.
    for (const GatherOp& op : layout.ops(kind)) run_op(op, reader, frame, step, out);
  }
}

void encode_trajectory(const Layout& layout, BlockKind kind, const PlanarRoot& root, const ControlSeries& control,
                       std::span<float> out) noexcept {
  const Viewpoint now{root.position, Yaw::of(root.facing_rad)};
  const SampleTimes& steps = layout.schema().block(kind).steps;
  float row[row::kRootWidth];
  for (int s = 0; s < steps.count; ++s) {
    for (const GatherOp& op : layout.ops(kind)) {
      const bool is_root = op.kind == Kind::kPosition || op.kind == Kind::kHeight || op.kind == Kind::kDirection ||
                           op.kind == Kind::kVelocity || op.kind == Kind::kSpeed || op.kind == Kind::kTurnSpeed;
      if (!is_root || op.goal_offset >= 0) continue;
      float* columns = out.data() + s * layout.width(kind) + op.column;
      for (int i = 0; i < op.count; ++i, columns += op.column_step) {
        const double time_s = steps.at(s) + (op.frame + i * op.frame_step) / layout.fps();
        if (time_s < -1e-9) continue;
        write_wanted_root(row, control, time_s, layout.fps(), root.facing_rad);
        write_seen(op, now, {row, row, 0}, columns);
      }
    }
  }
}

const char* GatherJob::validate() const noexcept {
  if (layout == nullptr) return "no layout";
  const auto fits = [&](BlockKind kind, std::span<float> array) {
    return array.empty() || array.size() == samples.size() * layout->size(kind);
  };
  if (!fits(BlockKind::kInput, input)) return "input is not samples x steps x width";
  if (!fits(BlockKind::kOutput, output)) return "output is not samples x steps x width";
  if (!fits(BlockKind::kCondition, condition)) return "condition is not samples x steps x width";
  for (const ClipRows& clip : clips)
    if (clip.rows == nullptr || clip.num_rows < 1) return "a clip has no rows";
  for (const Sample& sample : samples) {
    if (sample.clip < 0 || idx(sample.clip) >= clips.size()) return "a sample's clip is out of range";
    if (sample.frame < 0 || sample.frame >= clips[idx(sample.clip)].num_rows) return "a sample's frame is out of range";
    if (!(sample.fraction >= 0 && sample.fraction < 1)) return "a sample's fraction is not in [0, 1)";
  }
  return nullptr;
}

bool GatherJob::run() const noexcept {
  if (validate() != nullptr) return false;
  const std::array<std::span<float>, kNumBlocks> arrays{input, output, condition};
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    const double frame = sample.frame + static_cast<double>(sample.fraction);
    // Outputs first: they read rows from end to end, which the hardware prefetches. The other blocks then find the rows
    // in the cache.
    for (const BlockKind kind : {BlockKind::kOutput, BlockKind::kInput, BlockKind::kCondition}) {
      const std::span<float> array = arrays[static_cast<std::size_t>(kind)];
      if (array.empty() || layout->width(kind) == 0) continue;
      gather_block(*layout, kind, clips[idx(sample.clip)], frame, nullptr, array.data() + i * layout->size(kind));
    }
  }
  return true;
}

}  // namespace zoe::features
