// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rows and clips in another style. Frame by frame and whole clips run the same network in the same
// order: their results are equal.
#pragma once

#include "zoe/anatomy/clean_feet.h"
#include "zoe/style/procedural.h"
#include "zoe/style/style_model.h"

namespace zoe::style {

// What is added to the network's rows: an offset, and a linear function of its recurrent state. See adapt.h.
struct RowCorrection {
  std::vector<float> offset;   // [kNumColumns]; empty: nothing is added.
  std::vector<float> weights;  // [width of the state × kNumColumns], or empty.
};

// 0: nothing is added, 1: all of it.
RowCorrection scaled(const RowCorrection& correction, float strength);

// The memory of a stream of rows. A stream of stride * 30 rows a second is `stride` streams of 30, in turn: each sees
// what the network was trained on, and no row waits for another.
class RowStream {
 public:
  RowStream(const StyleModel& model, int stride);

  // row, out: [kNumColumns]; z: [code_width()]. Never allocates.
  void step(std::span<const float> row, std::span<const float> z, std::span<float> out) noexcept;
  void reset() noexcept;
  // Null: none. The caller keeps it alive.
  void set_correction(const RowCorrection* correction);
  // The recurrent state after the last step.
  std::span<const float> last_state() const;

 private:
  friend class RowBatch;
  const nn::Network* network_;
  const RowCorrection* correction_ = nullptr;
  nn::NetworkState state_;
  struct Memory {
    std::vector<float> past, past_next;
    std::vector<std::vector<float>> cells, cells_next;
  };
  std::vector<Memory> memories_;
  std::size_t next_ = 0;
};

// Steps of many streams of one model at once: the network's weights are read once for all of them. The results are
// those of RowStream::step() to rounding. One caller at a time.
class RowBatch {
 public:
  RowBatch(const StyleModel& model, int max_streams);
  struct Item {
    RowStream* stream = nullptr;
    std::span<const float> row, z;
    std::span<float> out;
  };
  // At most max_streams items. Never allocates.
  void step(std::span<const Item> items) noexcept;

 private:
  const nn::Network* network_;
  nn::NetworkState state_;
  std::vector<std::vector<float>> inputs_, outputs_;  // By port.
};

// Two streams of the same rows, one in style z and one in the style that the rows have. The change from the latter to
// the former is applied to the row. What a network's code of the content lacks thus stays: gestures, and bodies that no
// training clip had.
class ChangeStream {
 public:
  ChangeStream(const StyleModel& model, int stride);
  // own: the code of the rows' own style. The change is smoothed: errors of two streams add up. Never allocates.
  void step(std::span<const float> row, std::span<const float> z, std::span<const float> own,
            std::span<float> out) noexcept;
  // The two parts of step(), for batches: both streams' rows, then the change. out: the row in style z.
  RowStream& styled() { return styled_; }
  RowStream& plain() { return plain_; }
  std::span<float> plain_row() { return plain_row_; }
  void apply(std::span<const float> row, std::span<float> out) noexcept;
  void reset() noexcept;
  // Of the stream in style z.
  void set_correction(const RowCorrection* correction) { styled_.set_correction(correction); }

 private:
  RowStream styled_, plain_;
  std::vector<float> plain_row_;
  std::array<Quat, kNumRoles> change_;  // Smoothed.
  std::array<float, kContacts - kHeight> shift_{};
  float rate_;
  bool started_ = false;
};

// Rows [frames × kNumColumns] of a clip in style z, as a change from its own style.
std::vector<float> change_rows(const StyleModel& model, const StyleClip& clip, std::span<const float> z,
                               std::span<const float> own, const RowCorrection* correction = nullptr);
// Rows [frames × kNumColumns] of a clip in style z.
std::vector<float> stylize_rows(const StyleModel& model, const StyleClip& clip, std::span<const float> z,
                                const RowCorrection* correction = nullptr);

// How far made rows keep the content of the clip: the least correlation of a moving limb's path with the clip's, up and
// along. Of the feet where they step, else of the hands. A path of less than a third of the clip's size counts as 0,
// and 1 where nothing moves. Below about 0.5 steps or gestures are lost.
double content_kept(const StyleClip& clip, std::span<const float> made, std::span<const Vec3> offsets);

struct StylizeOptions {
  bool lock_feet = true;
  // Only the change from the clip's own style, ChangeStream. Null: the network's rows as they are.
  const StyleCode* own = nullptr;
  const RowCorrection* correction = nullptr;  // Of the style, see adapt.h; may be null.
  double heading_half_life_s = 0.1;           // The facing returns to the source's: a walk leads where it led.
};
// The motion in style z, on its own skeleton and at its own rate (a rate far from a multiple of 30 is resampled for the
// network). `report` may be null.
Result<Motion> stylize_motion(const StyleModel& model, const Motion& motion, const RoleBody& body,
                              const SkeletonAnalysis& analysis, std::span<const float> z,
                              const StylizeOptions& options = {}, CleanFeetReport* report = nullptr);
// The same by rules, without a network.
Result<Motion> perform_motion(const ProceduralStyle& style, const Motion& motion, const RoleBody& body,
                              const SkeletonAnalysis& analysis, const Random& random,
                              const StylizeOptions& options = {}, CleanFeetReport* report = nullptr);
// Rows to the motion of `source`, whose clip `clip` is, with feet held in the source's contacts.
Result<Motion> motion_of_rows(std::span<const float> rows, const StyleClip& clip, const Motion& source,
                              const RoleBody& body, const SkeletonAnalysis& analysis, const StylizeOptions& options,
                              CleanFeetReport* report = nullptr);

}  // namespace zoe::style
