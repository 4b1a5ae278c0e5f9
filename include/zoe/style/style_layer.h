// SPDX-License-Identifier: MIT
// Part of Zoetrope. A style over a running controller, frame by frame: the character goes where the controller goes and
// moves in the style. One layer is one character.
//
//   style::StyleLayer layer(model, body, controller->legs(), 60);
//   layer.set_style(model->parse("0.6*proud+0.4*tired").value());
//   recording = eval::record(*controller, *source, {.hook = &layer});
#pragma once

#include <memory>

#include "zoe/control/pose_hook.h"
#include "zoe/ik/foot_lock_job.h"
#include "zoe/style/stylize.h"

namespace zoe::style {

// The legs of a body by role, for held feet. The skeleton in metres.
std::vector<Leg> legs_of(const RoleBody& body);

class StyleLayer final : public control::PoseHook {
 public:
  // The skeleton in metres. rate_hz: of the calls; 30, 60, 90 … are exact. as_change: only the change from the neutral
  // style (ChangeStream), for bodies that the model does not know.
  StyleLayer(StyleModelPtr model, RoleBody body, std::span<const Leg> legs, double rate_hz, bool as_change = false);

  // The target; the code approaches it with a half-life of 0.1 s.
  void set_style(std::span<const float> code);
  std::span<const float> style() const { return target_; }
  // World height of the ground below the character.
  void set_ground_height(float height_m) { ground_m_ = height_m; }

  PoseView run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept override;
  void reset() noexcept;
  // Of the style, see adapt.h. Null: none. The caller keeps it alive.
  void set_correction(const RowCorrection* correction);
  // The last result.
  PoseView pose() const { return out_.view(); }
  // Row of the last call before and after the network: for tests and measures.
  std::span<const float> row() const { return row_; }
  std::span<const float> styled_row() const { return styled_; }

 private:
  friend class StyleCrowd;
  // run() is begin(), a step of the stream, and finish().
  void begin(const PoseView& pose, double dt_s) noexcept;
  PoseView finish(double dt_s) noexcept;

  StyleModelPtr model_;
  RoleBody body_;
  std::vector<Leg> legs_;
  RowStream stream_;
  std::unique_ptr<ChangeStream> change_;  // Instead of stream_, or null.
  StyleCode neutral_;
  std::vector<RolePose> before_;  // Ring of the last `stride` moments.
  std::size_t next_ = 0, num_seen_ = 0;
  std::vector<float> row_, styled_, code_, target_;
  std::vector<float> leg_contacts_;
  RolePose now_;
  anatomy::ModelPose scratch_;
  Pose source_, out_;
  FootLockState lock_;
  double rate_hz_;
  float ground_m_ = 0;
  bool started_ = false;
};

// Many layers of one model at once, on all threads of the shared pool, with the networks of `batch` layers in one
// evaluation each. The poses are those of StyleLayer::run() to rounding.
class StyleCrowd {
 public:
  StyleCrowd(StyleModelPtr model, std::size_t max_layers, int batch = 32);
  // poses: [layers]. Layers of this model, at most max_layers; each keeps its result, StyleLayer::pose().
  void run(std::span<StyleLayer> layers, std::span<const PoseView> poses, double dt_s);

 private:
  StyleModelPtr model_;
  std::size_t batch_;
  struct Part {
    RowBatch rows;
    std::vector<RowBatch::Item> items;
  };
  std::vector<Part> parts_;  // One for each `batch` layers.
};

}  // namespace zoe::style
