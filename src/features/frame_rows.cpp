// SPDX-License-Identifier: MIT
#include "zoe/features/frame_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "zoe/character/local_to_model_job.h"
#include "zoe/core/index.h"
#include "zoe/motion/sample.h"

#include "features/clip_signals.h"
#include "features/row_parts.h"

namespace zoe::features {
namespace {

PlanarRoot between(const PlanarRoot& a, const PlanarRoot& b, float t) {
  return {lerp(a.position, b.position, t), a.facing_rad + (b.facing_rad - a.facing_rad) * t};
}
PlanarRoot reflected(const PlanarRoot& about, const PlanarRoot& root) {
  return {about.position * 2.0F - root.position, 2 * about.facing_rad - root.facing_rad};
}
// The map whose relation to `now` is that of `now` to `after`: same displacement, same turn.
Affine reflected(const Affine& now, const Affine& after) {
  const Affine back = inverse(Affine{after.x, after.y, after.z, {}});
  const Affine turned_back = now * back * now;
  return {turned_back.x, turned_back.y, turned_back.z, now.t * 2.0F - after.t};
}

class RowBuilder {
 public:
  RowBuilder(const Layout& layout, const ClipContext& clip, RowScratch& scratch)
      : layout_(layout), clip_(clip), motion_(*clip.motion), scratch_(scratch) {
    for (auto& models : scratch_.models) models.resize(idx(layout.num_joints()));
    for (auto& pose : scratch_.poses) {
      pose.translations.resize(idx(layout.num_joints()));
      pose.rotations.resize(idx(layout.num_joints()));
      pose.scales.resize(idx(layout.num_joints()));
    }
  }

  Result<void> run(std::span<float> rows) {
    ZOE_TRY_ASSIGN(scratch_.roots, extract_root(motion_, layout_.root_joints(), layout_.root_options()));
    ZOE_TRY_ASSIGN(const std::vector<ClipSignal> signals, compute_signals(layout_, clip_));
    const int count = num_rows(layout_, motion_);
    const std::size_t width = idx(layout_.frame_width());
    for (int k = 0; k < count; ++k) {
      const std::span<float> row = rows.subspan(idx(k) * width, width);
      write_row(k / layout_.fps(), row);
      const FramePosition at = find_frame(motion_.num_frames, motion_.fps, 0, k / layout_.fps(), Wrap::kClamp);
      for (const ClipSignal& signal : signals) write_signal(signal, at, row);
      spread_contacts(layout_, row);
    }
    for (const RowSource& source : layout_.row_sources())
      if (source.group == Group::kGuidance) average_ahead(source, rows, count);
    return {};
  }

 private:
  FramePosition position(double time_s) const {
    return find_frame(motion_.num_frames, motion_.fps, 0, time_s, Wrap::kClamp);
  }

  PlanarRoot root_at(const FramePosition& at) const {
    const auto& roots = scratch_.roots.roots;
    return between(roots[idx(at.frame)], roots[idx(at.next_frame)], at.fraction);
  }

  void compute_models(const FramePosition& at, int slot) {
    PoseView pose = motion_.frame(at.frame);
    if (at.fraction != 0) {
      Pose& blended = scratch_.poses[slot];
      SampleJob{.motion = &motion_,
                .time_s = motion_.start_time_s + (at.frame + static_cast<double>(at.fraction)) / motion_.fps,
                .translations = blended.translations,
                .rotations = blended.rotations,
                .scales = blended.scales}
          .run();
      pose = blended.view();
    }
    LocalToModelJob{.skeleton = motion_.skeleton.get(), .pose = pose, .model_from_joint = scratch_.models[slot]}.run();
  }

  // Models of this moment in slot 0 and of one frame of the clip (or one row) before in slot 1.
  void write_row(double time_s, std::span<float> row) {
    const double dt_s = 1 / (layout_.schema().velocity_over_row ? layout_.fps() : motion_.fps);
    const FramePosition now = position(time_s);
    FrameState state{.dt_s = dt_s, .skeleton = motion_.skeleton.get(), .root = root_at(now), .ground = clip_.ground};
    auto& models = scratch_.models;
    const bool starts = time_s < dt_s - 1e-9;  // Nothing before: as fast as one frame later.
    const FramePosition other = position(starts ? dt_s + time_s : time_s - dt_s);
    if (!starts && last_.frame == other.frame && last_.fraction == other.fraction)
      std::swap(models[0], models[1]);
    else
      compute_models(other, 1);
    compute_models(now, 0);
    state.root_before = root_at(other);
    if (starts) {
      for (std::size_t j = 0; j < models[1].size(); ++j) models[1][j] = reflected(models[0][j], models[1][j]);
      state.root_before = reflected(state.root, state.root_before);
    }
    last_ = now;
    state.model_from_joint = models[0];
    state.model_from_joint_before = models[1];
    Goal goal;
    if (!clip_.goals.empty()) {
      const Goal &a = clip_.goals[idx(now.frame)], &b = clip_.goals[idx(now.next_frame)];
      goal = {lerp(a.position, b.position, now.fraction),
              normalized(lerp(a.direction, b.direction, now.fraction), {0, 0, 1})};
      state.goal = &goal;
    }
    encode_row(layout_, state, row);
    // Guidance begins as the moment's own pose. average_ahead() replaces it by the mean of the following ones.
    const Yaw yaw = Yaw::of(state.root.facing_rad);
    for (const RowSource& source : layout_.row_sources()) {
      if (source.group != Group::kGuidance) continue;
      float* out = &row[idx(source.offset)];
      for (const int joint : source.joints) {
        const Vec3 p = yaw.into(models[0][idx(joint)].t - state.root.position);
        *out++ = p.x;
        *out++ = p.y;
        *out++ = p.z;
      }
    }
  }

  static void write_signal(const ClipSignal& signal, const FramePosition& at, std::span<float> row) {
    const std::size_t width = idx(signal.source->width);
    const float* a = &signal.values[idx(at.frame) * width];
    const float* b = &signal.values[idx(at.next_frame) * width];
    float* out = &row[idx(signal.source->offset)];
    const float t = signal.nearest ? (at.fraction < 0.5F ? 0.0F : 1.0F) : at.fraction;
    for (std::size_t i = 0; i < width; ++i) out[i] = a[i] + (b[i] - a[i]) * t;
  }

  // Each row's range becomes the mean of those from it to the window's end. Beyond the clip its last row counts.
  void average_ahead(const RowSource& source, std::span<float> rows, int count) {
    const std::size_t width = idx(layout_.frame_width()), columns = idx(source.width);
    const int ahead = static_cast<int>(std::lround(layout_.schema().guidance_window_s * layout_.fps()));
    const auto value = [&](int k, std::size_t c) -> float& {
      return rows[idx(std::min(k, count - 1)) * width + idx(source.offset) + c];
    };
    std::vector<double> sums(columns, 0.0);
    std::vector<float> last(columns);
    for (std::size_t c = 0; c < columns; ++c) {
      last[c] = value(count - 1, c);
      for (int k = 0; k <= ahead; ++k) sums[c] += value(k, c);
    }
    for (int k = 0; k < count; ++k) {
      for (std::size_t c = 0; c < columns; ++c) {
        float& here = value(k, c);
        const float left = here;
        here = static_cast<float>(sums[c] / (ahead + 1));
        const int next = k + ahead + 1;
        sums[c] += static_cast<double>(next < count ? value(next, c) : last[c]) - static_cast<double>(left);
      }
    }
  }

  const Layout& layout_;
  const ClipContext& clip_;
  const Motion& motion_;
  RowScratch& scratch_;
  FramePosition last_{-1, -1, -1};  // Of slot 0.
};

}  // namespace

int num_rows(const Layout& layout, const Motion& motion) {
  return motion.num_frames < 1 ? 0 : static_cast<int>(std::floor(motion.duration_s() * layout.fps() + 1e-6)) + 1;
}

Result<void> build_frame_rows(const Layout& layout, const ClipContext& clip, std::span<float> rows,
                              RowScratch& scratch) {
  ZOE_CHECK(clip.motion != nullptr, "build_frame_rows: no motion");
  const Motion& motion = *clip.motion;
  const auto invalid = [&](std::string message) {
    return Error{ErrorCode::kInvalid, fmt::format("clip '{}': {}", motion.name, message), {}};
  };
  if (motion.num_frames < 1) return invalid("it has no frames");
  if (motion.num_joints() != layout.num_joints()) {
    return invalid(fmt::format("it has {} joints, the layout is for {}", motion.num_joints(), layout.num_joints()));
  }
  for (int j = 0; j < layout.num_joints(); ++j) {
    if (motion.skeleton->name(j) != layout.joint_names()[idx(j)]) {
      return invalid(fmt::format("its joint {} is '{}', the layout's '{}'", j, motion.skeleton->name(j),
                                 layout.joint_names()[idx(j)]));
    }
  }
  if (!clip.goals.empty() && clip.goals.size() != idx(motion.num_frames)) {
    return invalid(fmt::format("there are {} goals for {} frames", clip.goals.size(), motion.num_frames));
  }
  ZOE_CHECK(rows.size() == idx(num_rows(layout, motion)) * idx(layout.frame_width()),
            "build_frame_rows: the buffer must hold num_rows() x frame_width() floats");
  if (auto built = RowBuilder(layout, clip, scratch).run(rows); !built) return invalid(built.error().message);
  return {};
}

Result<std::vector<float>> build_frame_rows(const Layout& layout, const ClipContext& clip) {
  ZOE_CHECK(clip.motion != nullptr, "build_frame_rows: no motion");
  std::vector<float> rows(idx(num_rows(layout, *clip.motion)) * idx(layout.frame_width()));
  RowScratch scratch;
  ZOE_TRY(build_frame_rows(layout, clip, rows, scratch));
  return rows;
}

}  // namespace zoe::features
