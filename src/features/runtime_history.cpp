// SPDX-License-Identifier: MIT
#include "zoe/features/runtime_history.h"

#include <algorithm>
#include <cmath>

#include "zoe/character/local_to_model_job.h"
#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/core/prefetch.h"

#include "features/gather.h"
#include "features/row_parts.h"

namespace zoe::features {
std::size_t RuntimeHistory::window_size(const Layout& layout) {
  return idx(layout.past_frames() + 1 + layout.future_frames()) * idx(layout.frame_width());
}

RuntimeHistory::RuntimeHistory(const Layout& layout, SkeletonPtr skeleton, double max_rate_hz, bool own_window)
    : layout_(layout), skeleton_(std::move(skeleton)), only_inputs_(!own_window) {
  ZOE_CHECK(skeleton_ != nullptr && skeleton_->num_joints() == layout.num_joints(),
            "RuntimeHistory: not the layout's skeleton");
  ZOE_CHECK(max_rate_hz > 0, "RuntimeHistory: the rate must be above zero");
  find_kept(only_inputs_);
  capacity_ = static_cast<int>(std::ceil(layout.past_frames() / layout.fps() * max_rate_hz)) + 2;
  times_s_.resize(idx(capacity_));
  latest_.resize(idx(layout.frame_width()));
  ticks_.resize(idx(capacity_) * idx(kept_width_));
  if (own_window) window_.resize(window_size(layout));
  translations_.resize(idx(layout.num_joints()));
  for (auto& models : models_) models.resize(idx(layout.num_joints()));
}

void RuntimeHistory::find_kept(bool only_inputs) {
  std::vector<char> is_kept(idx(layout_.frame_width()), 0);
  for (const BlockKind kind : {BlockKind::kInput, BlockKind::kOutput, BlockKind::kCondition}) {
    if (only_inputs && kind != BlockKind::kInput) continue;
    for (const RowRead& read : layout_.reads(kind)) {
      if (read.frame < 0) std::fill(is_kept.begin() + read.begin, is_kept.begin() + read.end, 1);
    }
  }
  for (int i = 0; i < layout_.frame_width(); ++i) {
    if (is_kept[idx(i)] == 0) continue;
    if (kept_.empty() || kept_.back().end != i) kept_.push_back({i, i, kept_width_});
    kept_.back().end = i + 1;
    ++kept_width_;
  }
  constexpr int kLine = 16;  // Floats of a cache line.
  kept_width_ = (kept_width_ + kLine - 1) / kLine * kLine;
}

int RuntimeHistory::kept_offset(int column, int count) const {
  for (const KeptRange& range : kept_) {
    if (column >= range.begin && column + count <= range.end) return range.offset + column - range.begin;
  }
  return -1;
}

std::size_t RuntimeHistory::slot(int age) const {
  const int at = newest_ - age;
  return idx(at < 0 ? at + capacity_ : at);
}

std::span<const float> RuntimeHistory::latest_row() const {
  ZOE_CHECK(count_ > 0, "RuntimeHistory: no tick yet");
  return latest_;
}

void RuntimeHistory::prefetch_for_encode() const noexcept {
  prefetch(latest_);
  prefetch(times_s_);
  constexpr int kFew = 16;  // Floats: those kept of a tick, where inputs read its root only.
  if (kept_width_ <= kFew) prefetch(ticks_);
}

void RuntimeHistory::prefetch_for_push() const noexcept {
  for (const auto& models : models_) prefetch(models);
  prefetch(translations_);
}

void RuntimeHistory::describe(StateArchive& archive) {
  ZOE_CHECK(count_ > 0, "RuntimeHistory: no tick yet");
  const std::size_t width = idx(kept_width_);
  // By age, so that the position of the newest row in the ring does not matter.
  const int count = archive.number(count_, 1, capacity_);
  if (archive.reads()) newest_ = count - 1;
  archive.finite(time_s_);
  archive.bits(std::span(latest_));
  for (int age = 0; age < count; ++age) {
    archive.finite(times_s_[slot(age)]);
    archive.bits(std::span(ticks_).subspan(slot(age) * width, width));
  }
  archive.unused(idx(capacity_ - count) * (sizeof(double) + width * sizeof(float)));
  archive.bits(std::span(models_[0]));  // The other one is used only by the push that writes it.
  archive.bits(origin_);
  archive.bits(last_root_);
}

void RuntimeHistory::move_space(const PlanarRoot& offset) {
  const auto move = [&](float* position) {
    position[0] -= offset.position.x;
    position[1] -= offset.position.y;
    position[2] -= offset.position.z;
  };
  // Positions of root and goals, and the facing. All else is relative to the root.
  const auto move_row = [&](float* row, const auto& place_of) {
    const int root = place_of(row::kX, 3), facing = place_of(row::kFacing, 1);
    if (root >= 0) move(row + root);
    if (facing >= 0) row[facing] -= offset.facing_rad;
    for (const RowSource& source : layout_.row_sources()) {
      if (source.group != Group::kGoal) continue;
      if (const int goal = place_of(source.offset, 3); goal >= 0) move(row + goal);
    }
  };
  move_row(latest_.data(), [](int column, int) { return column; });
  for (int age = 0; age < count_; ++age) {
    move_row(ticks_.data() + slot(age) * idx(kept_width_),
             [&](int column, int count) { return kept_offset(column, count); });
  }
  origin_ -= offset.position;
  last_root_.position -= offset.position;
  last_root_.facing_rad -= offset.facing_rad;
}

void RuntimeHistory::push(const PoseView& pose, const PlanarRoot& root, double dt_s, const RuntimeSignals& signals) {
  ZOE_CHECK(dt_s > 0, "RuntimeHistory: dt_s must be above zero");
  std::swap(models_[0], models_[1]);
  ZOE_CHECK(pose.translations.size() == translations_.size(), "RuntimeHistory: the pose is not of the skeleton");
  // Seen from the topmost joint, numbers are small. Velocities are differences of positions times the rate, so a
  // rounding at a distance of metres would be one of 1e-5 m/s.
  const Vec3 origin_before = origin_;
  origin_ = pose.translations[0];
  std::copy(pose.translations.begin(), pose.translations.end(), translations_.begin());
  for (int j = 0; j < skeleton_->num_joints(); ++j) {
    if (skeleton_->parent(j) == kNoJoint) translations_[idx(j)] -= origin_;
  }
  const PoseView seen{.translations = translations_, .rotations = pose.rotations, .scales = pose.scales};
  const bool ran = LocalToModelJob{.skeleton = skeleton_.get(), .pose = seen, .model_from_joint = models_[0]}.run();
  ZOE_CHECK(ran, "RuntimeHistory: the pose is not of the layout's skeleton");
  if (count_ == 0) {
    std::copy(models_[0].begin(), models_[0].end(), models_[1].begin());
    last_root_ = root;
  }
  newest_ = (newest_ + 1) % capacity_;
  count_ = std::min(count_ + 1, capacity_);
  time_s_ += dt_s;
  times_s_[idx(newest_)] = time_s_;
  ground_ = signals.ground;
  const FrameState state{.model_from_joint = models_[0],
                         .model_from_joint_before = models_[1],
                         .model_origin = origin_,
                         .model_origin_before = count_ == 1 ? origin_ : origin_before,
                         .dt_s = dt_s,
                         .skeleton = skeleton_.get(),
                         .root = root,
                         .root_before = last_root_,
                         .contacts = signals.contacts,
                         .local_phases = signals.local_phases,
                         .guidance = signals.guidance,
                         .styles = signals.styles,
                         .actions = signals.actions,
                         .global_phase = signals.global_phase,
                         .ground = signals.ground,
                         .goal = signals.goal,
                         .signals = signals.signals};
  encode_row(layout_, state, latest_);
  float* kept = ticks_.data() + idx(newest_) * idx(kept_width_);
  for (const KeptRange& range : kept_)
    std::copy(latest_.begin() + range.begin, latest_.begin() + range.end, kept + range.offset);
  last_root_ = root;
}

// Between the two ticks around the moment. Before the oldest tick: the oldest tick.
void RuntimeHistory::write_past(const RowRead& read, std::span<float> row) const {
  const double time_s = time_s_ + read.frame / layout_.fps();
  // From where the tick is when ticks come at the layout's rate. Later ticks come first.
  int age = std::clamp(-read.frame, 0, count_ - 1);
  while (age > 0 && times_s_[slot(age - 1)] <= time_s + 1e-9) --age;
  while (age + 1 < count_ && times_s_[slot(age)] > time_s + 1e-9) ++age;
  const std::size_t a = slot(age);  // At or before the moment, where there is such a tick.
  const std::size_t b = age > 0 ? slot(age - 1) : a;
  const double gap = times_s_[b] - times_s_[a];
  const float t = gap > 0 ? static_cast<float>(std::clamp((time_s - times_s_[a]) / gap, 0.0, 1.0)) : 0.0F;
  const auto kept = idx(kept_offset(read.begin, read.end - read.begin));
  const float* from = ticks_.data() + a * idx(kept_width_) + kept;
  const float* to = ticks_.data() + b * idx(kept_width_) + kept;
  float* out = row.data() + read.begin;
  for (std::size_t i = 0; i < idx(read.end - read.begin); ++i) out[i] = from[i] + (to[i] - from[i]) * t;
}

// The present row, with the root (and the ground below it) and labels of the series.
void RuntimeHistory::write_future(double time_s, const ControlSeries& control, std::span<float> row) const {
  write_wanted_root(row, control, time_s, layout_.fps(), latest_row()[row::kFacing]);
  const PlanarRoot root{{row[row::kX], row[row::kY], row[row::kZ]}, row[row::kFacing]};
  const Yaw yaw{row[row::kForwardX], row[row::kForwardZ]};
  for (const RowSource& source : layout_.row_sources()) {
    if (source.group == Group::kTerrain) {
      write_terrain(layout_.schema().terrain_lateral_m, root, yaw, ground_, &row[idx(source.offset)]);
    }
    const bool is_style = source.group == Group::kStyle;
    const std::vector<float>& labels = is_style ? control.styles : control.actions;
    if ((is_style || source.group == Group::kAction) && !labels.empty()) {
      control.labels_at(labels, time_s, row.subspan(idx(source.offset), idx(source.width)));
    }
  }
}

void RuntimeHistory::write_signal(double time_s, const SignalAhead& ahead, std::span<float> row) const {
  for (const RowSource& source : layout_.row_sources()) {
    if (source.group != Group::kSignal || source.name != ahead.name) continue;
    const std::size_t width = idx(source.width);
    ZOE_CHECK(ahead.values.size() == idx(ahead.times.count) * width,
              "RuntimeHistory: a signal ahead is not times x width");
    const double step_s = ahead.times.step_s();
    const double at = step_s > 0 ? (time_s - ahead.times.start_s) / step_s : 0;
    const double place = std::clamp(at, 0.0, ahead.times.count - 1.0), whole = std::floor(place + 1e-6);
    const float* a = ahead.values.data() + static_cast<std::size_t>(whole) * width;
    const float* b = whole + 1 < ahead.times.count ? a + width : a;
    const float t = std::max(0.0F, static_cast<float>(place - whole));
    for (std::size_t i = 0; i < width; ++i) row[idx(source.offset) + i] = a[i] + (b[i] - a[i]) * t;
  }
}

void RuntimeHistory::encode(BlockKind kind, const ControlSeries* control, std::span<float> out) {
  encode(kind, control, out, window_);
}

void RuntimeHistory::encode(BlockKind kind, const ControlSeries* control, std::span<float> out, std::span<float> window,
                            std::span<const SignalAhead> ahead) const {
  ZOE_CHECK(count_ > 0, "RuntimeHistory: no tick yet");
  ZOE_CHECK(!only_inputs_ || kind == BlockKind::kInput, "RuntimeHistory: without its own window it has inputs only");
  ZOE_CHECK(out.size() == layout_.size(kind), "RuntimeHistory: the buffer must hold one sample of the block");
  ZOE_CHECK(window.size() >= window_size(layout_), "RuntimeHistory: the window is too small, or there is none");
  const std::size_t width = idx(layout_.frame_width());
  const int past = layout_.past_frames(), future = layout_.future_frames();
  const std::span<const float> now = latest_row();
  const std::span<const RowRead> reads = layout_.reads(kind);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const RowRead& read = reads[i];
    const std::span<float> row = window.subspan(idx(read.frame + past) * width, width);
    if (read.frame < 0) {
      write_past(read, row);
      continue;
    }
    std::copy(now.begin() + read.begin, now.begin() + read.end, row.begin() + read.begin);
    const bool is_last_of_frame = i + 1 == reads.size() || reads[i + 1].frame != read.frame;
    if (!is_last_of_frame) continue;
    const double time_s = read.frame / layout_.fps();
    if (control != nullptr) write_future(time_s, *control, row);
    for (const SignalAhead& signal : ahead) write_signal(time_s, signal, row);
  }
  gather_block(layout_, kind, {window.data(), past + 1 + future}, past, now.data(), out.data());
}

}  // namespace zoe::features
