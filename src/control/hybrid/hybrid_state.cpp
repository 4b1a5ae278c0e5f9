// SPDX-License-Identifier: MIT
#include "control/hybrid/hybrid_state.h"

#include <algorithm>
#include <cmath>

#include "zoe/character/copy_pose.h"
#include "zoe/control/step_constants.h"

#include "control/hybrid/inside.h"
#include "control/match/match_state.h"
#include "control/sound_frame.h"
#include "control/space_move.h"
#include "control/state_parts.h"

namespace zoe::control {
namespace {

// The pose of a frame in its root's space.
void root_pose(const Skeleton& skeleton, const PoseView& pose, const PlanarRoot& root, Pose& out) noexcept {
  const Quat root_from_model = conjugate(rotation_of(root));
  copy_pose(pose, span_of(out));
  for (std::size_t j = 0; j < out.rotations.size(); ++j) {
    if (skeleton.parent(static_cast<int>(j)) != kNoJoint) continue;
    out.translations[j] = rotate(root_from_model, out.translations[j] - root.position);
    out.rotations[j] = root_from_model * out.rotations[j];
  }
}

void model_pose(const Skeleton& skeleton, const Pose& in_root, const PlanarRoot& root, Pose& out) noexcept {
  const Quat model_from_root = rotation_of(root);
  for (std::size_t j = 0; j < out.rotations.size(); ++j) {
    const bool is_top = skeleton.parent(static_cast<int>(j)) == kNoJoint;
    const Vec3 place = in_root.translations[j];
    out.translations[j] = is_top ? root.position + rotate(model_from_root, place) : place;
    out.rotations[j] = is_top ? normalized(model_from_root * in_root.rotations[j]) : in_root.rotations[j];
  }
}

}  // namespace

HybridState::HybridState(HybridModelPtr model)
    : NeuralState(model->neural, model->neural.parts.body.skeleton),
      model_(std::move(model)),
      match_(InsideController::allocate(*model_->matching)),
      blend_(model_->neural.parts.body.skeleton->num_joints()),
      shown_(pose_),
      shown_before_(pose_),
      between_(pose_),
      ahead_(features::ControlSeries::standing(model_->space.times_ahead(), {})) {
  match_before_ = match_now_ = {{}, pose_, std::vector<float>(model_->neural.parts.body.contact_joints.size())};
  const std::size_t joints = pose_.rotations.size();
  velocities_before_.resize(joints);
  joints_.resize(joints);
  joints_before_.resize(joints);
  current_.resize(static_cast<std::size_t>(model_->space.num_dims()));
  query_ = scratch_ = current_;
}

void HybridState::start_both(CharacterFrame& now) noexcept {
  InsideController::start_in(*model_->matching, *match_, match_now_);
  start(model_->neural, now);
  for (Pose* pose : {&shown_, &shown_before_, &between_}) copy_pose(pose_.view(), span_of(*pose));
  const PoseView still = shown_.view();
  blend_.start({still, still, still, still, 1}, 1e-3F);
  blend_.apply(1, between_.translations, between_.rotations);  // It is over.
  std::fill(velocities_before_.begin(), velocities_before_.end(), Vec3{});
  desired_mean_ = {};
  root_before_ = {};
  steps_in_mode_ = steps_trusted_ = 0;
  nearest_ = -1;
  has_before_ = false;
  report = {.confidence = 1,
            .match_confidence = 1,
            .matching = false,
            .num_hand_overs = report.num_hand_overs,
            .num_poses = report.num_poses,
            .signs = {}};
}

// Excluded are values that a step computes before it reads them.
void HybridState::describe(StateArchive& archive) {
  NeuralState::describe(archive);
  InsideState::describe_in(*match_, archive);
  blend_.describe(archive);
  control::describe(archive, shown_);
  control::describe(archive, shown_before_);
  archive.bits(root_before_);
  archive.bits(std::span(velocities_before_));
  archive.bits(desired_mean_);
  archive.number(steps_in_mode_, 0, 1 << 30);
  archive.number(steps_trusted_, 0, 1 << 30);
  archive.number(nearest_, -1, model_->database->num_frames() - 1);
  archive.flag(has_before_);
  archive.bits(report.confidence);
  archive.bits(report.match_confidence);
  archive.flag(report.matching);
  archive.number(report.num_hand_overs, 0, 1 << 30);
  archive.number(report.num_poses, 0, std::int64_t{1} << 60);
  archive.bits(std::span(report.signs));
  archive.choice(mode, HybridMode::kMatching);
}

bool HybridState::move_space(const PlanarRoot& offset) noexcept {
  if (!NeuralState::move_space(offset) || !InsideState::move_space_in(*match_, offset)) return false;
  control::move_space(offset, root_before_);
  return true;
}

void HybridState::see_displayed(const CharacterFrame& before) noexcept {
  std::swap(shown_, shown_before_);
  root_pose(*model_->neural.parts.body.skeleton, before.pose.view(), before.root, shown_);
  if (has_before_) return;
  copy_pose(shown_.view(), span_of(shown_before_));
  root_before_ = before.root;
}

const Intent& HybridState::cautious(const Intent& intent) noexcept {
  const float threshold = model_->options.threshold;
  if (mode != HybridMode::kByConfidence || report.matching || !(report.confidence < threshold)) return intent;
  const float share = 1 - report.confidence / threshold;
  cautious_ = intent;
  for (WantedMotion& wanted : cautious_.wanted) wanted.velocity_mps = lerp(wanted.velocity_mps, desired_mean_, share);
  return cautious_;
}

void HybridState::take_over(const NeuralModel& /*model*/, const StepItem& item) noexcept {
  see_displayed(*item.before);
  ++report.num_poses;
  measure(item);
  const bool was = report.matching;
  report.matching = decide();
  if (report.matching != was) {
    ++report.num_hand_overs;
    steps_in_mode_ = steps_trusted_ = 0;
    const auto dt_s = static_cast<float>(1 / model_->neural.layout.fps());
    if (report.matching) {
      begin_matching(item);
    } else {
      blend_.start({shown_.view(), shown_before_.view(), shown_.view(), {}, dt_s}, model_->options.blend_s,
                   kDeadBlendHalfLife_s);
    }
  }
  steps_in_mode_ = std::min(steps_in_mode_ + 1, 1 << 20);
  if (report.matching) step_matching(item);
  root_before_ = item.before->root;
  has_before_ = true;
}

bool HybridState::decide() noexcept {
  const auto dt_s = static_cast<float>(1 / model_->neural.layout.fps());
  const HybridOptions& options = model_->options;
  if (mode == HybridMode::kNetwork) return false;
  if (nearest_ < 0) return report.matching;  // Nothing to match: the base class restarts a model that fails.
  if (mode == HybridMode::kMatching) return true;
  if (!report.matching) {
    return report.confidence < options.threshold && report.match_confidence > report.confidence + options.gain;
  }
  steps_trusted_ =
      report.confidence >= std::min(options.threshold + options.hysteresis, 0.999F) ? steps_trusted_ + 1 : 0;
  if (static_cast<float>(steps_in_mode_) * dt_s < options.least_match_s) return true;
  // Matching can be the worse one by now, while the network is not good either.
  if (report.confidence > report.match_confidence + options.gain) return false;
  return static_cast<float>(steps_trusted_) * dt_s < options.trusted_s;
}

void HybridState::begin_matching(const StepItem& item) noexcept {
  const auto dt_s = static_cast<float>(1 / model_->neural.layout.fps());
  const RootDelta step = delta_between(root_before_, item.before->root);
  // One step of the database back.
  const float back = 1 / static_cast<float>(model_->match_steps);
  for (std::size_t j = 0; j < between_.rotations.size(); ++j) {
    between_.translations[j] = lerp(shown_.translations[j], shown_before_.translations[j], back);
    between_.rotations[j] =
        nlerp(shown_.rotations[j], nearest_to(shown_.rotations[j], shown_before_.rotations[j]), back);
    between_.scales[j] = shown_.scales[j];
  }
  // Of matching: positions instead of offsets from the pose.
  for (FootLockState::Foot& foot : feet_.feet)
    for (FootPointState* point : {&foot.ankle, &foot.ball})
      if (smooths_matching() && !point->holds) point->locked = point->output;
  begin_match(*model_->matching, *match_,
              {.frame = nearest_,
               .shown = &shown_,
               .shown_before = &between_,
               .root = item.before->root,
               .velocity_mps = step.translation / dt_s,
               .turn_speed_rad_s = step.turn_rad / dt_s,
               .feet = &feet_});
}

void HybridState::step_matching(const StepItem& item) noexcept {
  const auto dt_s = static_cast<float>(1 / model_->neural.layout.fps());
  match_before_.root = item.before->root;
  for (int i = 0; i < model_->match_steps; ++i) {
    InsideController::step_in(*model_->matching, {match_.get(), item.intent, &match_before_, &match_now_});
    match_before_.root = match_now_.root;
  }
  // What is displayed becomes the network's past.
  copy_pose(match_now_.pose.view(), span_of(pose_));
  const RootDelta step = delta_between(item.before->root, match_now_.root);
  point_.root = match_now_.root;
  point_.velocity_mps = (match_now_.root.position - item.before->root.position) / dt_s;
  point_.turn_speed_rad_s = step.turn_rad / dt_s;
  led_ = point_;
  leash_.reset();
  std::copy(match_now_.contacts.begin(), match_now_.contacts.end(), frame_.contacts.begin());
  feet_ = static_cast<MatchState&>(*match_).feet;
  if (!smooths_matching()) return;
  // Matching has given them back already, as far as it has.
  for (FootLockState::Foot& foot : feet_.feet)
    for (FootPointState* point : {&foot.ankle, &foot.ball})
      if (!point->holds) point->blend = 0;
}

void HybridState::blend_shown(const StepItem& item) noexcept {
  CharacterFrame& now = *item.now;
  const Skeleton& skeleton = *model_->neural.parts.body.skeleton;
  if (report.matching) {
    if (!smooths_matching()) copy_pose(match_now_.pose.view(), span_of(now.pose));
    return;
  }
  if (!blend_.active()) return;
  root_pose(skeleton, now.pose.view(), now.root, between_);
  blend_.apply(static_cast<float>(1 / model_->neural.layout.fps()), between_.translations, between_.rotations);
  model_pose(skeleton, between_, now.root, now.pose);
}

}  // namespace zoe::control
