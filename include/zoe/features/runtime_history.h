// SPDX-License-Identifier: MIT
// Part of Zoetrope. The input of a model for a running character, with the same rows and the same gathering as in
// training.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "zoe/core/state_archive.h"
#include "zoe/features/control_series.h"
#include "zoe/features/frame_rows.h"
#include "zoe/math/aligned_vector.h"

namespace zoe::features {

// Inputs of a tick beside the pose; spans as in FrameState.
struct RuntimeSignals {
  std::span<const float> contacts, local_phases, guidance, styles, actions;
  Vec2 global_phase{0, 1};
  const Ground* ground = nullptr;
  const Goal* goal = nullptr;
  std::span<const SignalTrack> signals;
};

// A signal at evenly spaced times from now, such as a model's own prediction: interpolated, constant beyond both ends.
struct SignalAhead {
  std::string_view name;
  SampleTimes times;
  std::span<const float> values;  // [times × width]
};

// Keeps as much of the past as the layout needs. The future comes from the control series. Sized once; push() and
// encode() never allocate. The layout must outlive it.
class RuntimeHistory {
 public:
  // Ticks may come at any rate up to max_rate_hz, not only the layout's: rows between ticks are interpolated. Without
  // its own window, encode() is given one: a thread needs one for any number of characters. Only inputs can be encoded
  // then, and of past ticks only what inputs read is kept: about a tenth of a row.
  RuntimeHistory(const Layout& layout, SkeletonPtr skeleton, double max_rate_hz = 240, bool own_window = true);

  // A tick, dt_s > 0 after the one before. Velocities are the difference to that one; at the first they are zero. root:
  // the character's own, which moves by the model's predictions. Nothing is smoothed here.
  void push(const PoseView& pose, const PlanarRoot& root, double dt_s, const RuntimeSignals& signals = {});
  void reset() {
    count_ = 0;
    time_s_ = 0;
  }
  int num_ticks() const { return count_; }

  // One sample of the block for the moment of the last tick, [size(kind)] numbers. Root channels at times >= 0 read
  // `control`, whose sample 0 may differ from the root (a simulation that runs ahead). Everything else about the future
  // stays at its present value. Without control the root stands. Needs a tick.
  void encode(BlockKind kind, const ControlSeries* control, std::span<float> out);
  // The same in `window`, [window_size()], whose previous content is ignored. Signals named in `ahead` take its values
  // in the future.
  void encode(BlockKind kind, const ControlSeries* control, std::span<float> out, std::span<float> window,
              std::span<const SignalAhead> ahead = {}) const;
  static std::size_t window_size(const Layout& layout);

  std::span<const float> latest_row() const;
  // For the caches: all that encode(), and all that push(), will read and write.
  void prefetch_for_encode() const noexcept;
  void prefetch_for_push() const noexcept;
  // The origin moves: positions become smaller by its position, facings by its facing, a number of whole turns.
  void move_space(const PlanarRoot& offset);
  const Skeleton& skeleton() const { return *skeleton_; }
  // Everything that later rows depend on except the terrain. Needs a tick.
  void describe(StateArchive& archive);

 private:
  // Numbers begin … end of a row are kept of every tick, from `offset` on.
  struct KeptRange {
    int begin = 0, end = 0, offset = 0;
  };
  void find_kept(bool only_inputs);
  // Where number `column` of a row and the `count` - 1 after it are among the kept ones, or -1.
  int kept_offset(int column, int count) const;
  std::size_t slot(int age) const;  // Slot of the tick `age` ticks ago.
  void write_past(const RowRead& read, std::span<float> row) const;
  void write_future(double time_s, const ControlSeries& control, std::span<float> row) const;
  void write_signal(double time_s, const SignalAhead& ahead, std::span<float> row) const;

  const Layout& layout_;
  SkeletonPtr skeleton_;
  int capacity_ = 0;
  int count_ = 0;                // Number of stored ticks, at most capacity_.
  int newest_ = 0;               // Slot of the last tick.
  std::vector<double> times_s_;  // [capacity]
  double time_s_ = 0;
  bool only_inputs_ = false;
  std::vector<KeptRange> kept_;
  int kept_width_ = 0;
  AlignedVector<float> latest_;     // [frame_width] The whole row of the last tick.
  AlignedVector<float> ticks_;      // [capacity × kept_width]
  AlignedVector<float> window_;     // [past + 1 + future × frame_width], or empty.
  std::vector<Affine> models_[2];   // From the topmost joint: relative to origin_.
  std::vector<Vec3> translations_;  // Working memory of push().
  Vec3 origin_;
  PlanarRoot last_root_;
  const Ground* ground_ = nullptr;
};

}  // namespace zoe::features
