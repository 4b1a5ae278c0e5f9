// SPDX-License-Identifier: MIT
#include "zoe/scene/motion_player.h"

#include <cmath>

#include <fmt/format.h>

#include "scene/loop_travel.h"

namespace zoe::scene {

MotionPlayer::MotionPlayer() = default;
MotionPlayer::~MotionPlayer() = default;
MotionPlayer::MotionPlayer(MotionPlayer&&) noexcept = default;
MotionPlayer& MotionPlayer::operator=(MotionPlayer&&) noexcept = default;

Result<void> MotionPlayer::play(MotionPtr motion, const Skeleton& skeleton, const PlayOptions& options) {
  if (motion == nullptr || motion->num_frames < 1) {
    return Error{ErrorCode::kUsage, "a clip without frames cannot be played", {}};
  }
  if (motion->num_joints() != skeleton.num_joints() || motion->skeleton->topology_hash() != skeleton.topology_hash()) {
    return Error{ErrorCode::kUsage,
                 fmt::format("clip \"{}\" ({} joints) is made for another skeleton than the actor's ({} joints): "
                             "retarget it, or use remap_by_name where joints have the same names",
                             motion->name, motion->num_joints(), skeleton.num_joints()),
                 {}};
  }
  const auto num_joints = static_cast<std::size_t>(skeleton.num_joints());
  fade_s_ = transition_ ? options.fade_s : 0;  // Without a transition from the rest pose.
  if (!transition_ || target_.rotations.size() != num_joints) {
    transition_.emplace(skeleton.num_joints());
    target_ = make_pose(skeleton);
    target_before_ = target_;
    travel_ = std::make_unique<LoopTravel>();
  }
  motion_ = std::move(motion);
  time_s_ = options.start_s;
  speed_ = options.speed;
  wrap_ = options.wrap;
  travels_ = options.travel && wrap_ == Wrap::kLoop && motion_->duration_s() > 0;
  if (travels_) *travel_ = LoopTravel(*motion_);
  if (fade_s_ <= 0) transition_.emplace(skeleton.num_joints());  // An earlier fade has ended.
  return {};
}

Result<void> play_motion(ecs::World& world, ecs::Entity actor, MotionPtr motion, const PlayOptions& options) {
  const Skeleton& skeleton = world.get<Actor>(actor).skeleton();
  if (MotionPlayer* player = world.find<MotionPlayer>(actor)) return player->play(std::move(motion), skeleton, options);
  MotionPlayer player;
  ZOE_TRY(player.play(std::move(motion), skeleton, options));
  world.add(actor, std::move(player));
  return {};
}

bool MotionPlayer::finished() const {
  if (motion_ == nullptr || wrap_ != Wrap::kClamp) return false;
  return speed_ < 0 ? time_s_ <= 0 : time_s_ >= motion_->duration_s();
}

void MotionPlayer::sample_at(double time_s, Pose& pose, std::span<float> morph_weights) const {
  const bool has_weights = morph_weights.size() == static_cast<std::size_t>(motion_->num_morph_weights);
  double rounds = 0;
  if (travels_) {
    rounds = std::floor(time_s / motion_->duration_s());
    time_s -= rounds * motion_->duration_s();
  }
  SampleJob{.motion = motion_.get(),
            .time_s = motion_->start_time_s + time_s,
            .wrap = travels_ ? Wrap::kClamp : wrap_,
            .translations = pose.translations,
            .rotations = pose.rotations,
            .scales = pose.scales,
            .morph_weights = has_weights ? morph_weights : std::span<float>{}}
      .run();
  if (travels_) travel_->apply(static_cast<std::int64_t>(rounds), pose);
}

void MotionPlayer::step(double step_s, Actor& actor) {
  if (motion_ == nullptr) return;
  const double rate = paused_ ? 0.0 : static_cast<double>(speed_);
  if (fade_s_ > 0) {
    // From the present output, with its velocity, to the clip with its own.
    sample_at(time_s_, target_, {});
    sample_at(time_s_ - step_s * rate, target_before_, {});
    // Before the first frame of a clip that does not repeat there is no velocity: it stands still.
    transition_->start({.shown = actor.pose.view(),
                        .shown_before = actor.pose_before.view(),
                        .target = target_.view(),
                        .target_before = target_before_.view(),
                        .dt_s = static_cast<float>(step_s)},
                       fade_s_);
    fade_s_ = 0;
  }
  time_s_ += step_s * rate;
  sample_at(time_s_, actor.pose, actor.morph_weights);
  if (transition_->active()) {
    transition_->apply(static_cast<float>(step_s), actor.pose.translations, actor.pose.rotations);
  }
}

}  // namespace zoe::scene
