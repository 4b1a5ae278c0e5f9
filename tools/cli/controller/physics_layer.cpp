// SPDX-License-Identifier: MIT
#include "controller/physics_layer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/motion/frame_span.h"
#include "zoe/physics/body_mesh.h"
#include "zoe/physics/streamed_body.h"

#include "physics/policy_folder.h"
#include "physics/push_option.h"

namespace zoe::cli {
namespace {

// What the body is built from: standing, then walking in a curve.
Motion sample_motion(const control::Controller& controller) {
  constexpr int kStanding = 30, kFrames = 180;
  constexpr double kRate = 30;
  Motion motion = make_motion(controller.skeleton(), "sample", kRate, kFrames, false);
  const auto state = controller.make_state();
  const float pace_mps = controller.motion_range().pace_mps;
  for (int frame = 0; frame < kFrames; ++frame) {
    const float turn_rad = 0.01F * static_cast<float>(std::max(frame - kStanding, 0));
    const Vec3 wanted{pace_mps * std::sin(turn_rad), 0, pace_mps * std::cos(turn_rad)};
    controller.tick(*state, frame < kStanding ? control::Intent::stand() : control::Intent::move(wanted), 1 / kRate);
    copy_pose(state->pose(), frame_span(motion, frame));
  }
  return motion;
}

class SimulatedLayer final : public PhysicsLayer {
 public:
  SimulatedLayer(SkeletonPtr skeleton, physics::BodyModelPtr model, const physics::ReactionOptions& reaction,
                 double ground_y_m, std::vector<physics::Push> pushes, control::PoseHook* below)
      : skeleton_(std::move(skeleton)),
        model_(model),
        body_(model, reaction, ground_y_m),
        pushes_(std::move(pushes)),
        below_(below) {}

  PoseView run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept override {
    const PoseView wanted = below_ != nullptr ? below_->run(pose, contacts, dt_s) : pose;
    for (const physics::Push& push : pushes_)
      if (time_s_ <= push.time_s && push.time_s < time_s_ + dt_s) body_.push(push.force_n, push.duration_s);
    time_s_ += dt_s;
    return body_.run(wanted, dt_s);
  }
  bool stands() const noexcept override { return body_.is_down(); }
  std::optional<PlanarRoot> moved_root(const PlanarRoot& root) noexcept override {
    if (!body_.moves()) return std::nullopt;
    const physics::Placement by = body_.move();
    body_.take_move();
    const Vec3 at = rotate(from_axis_angle(Vec3{0, 1, 0}, by.yaw_rad), root.position) + by.shift;
    return PlanarRoot{{at.x, root.position.y, at.z}, root.facing_rad + by.yaw_rad};
  }
  void push_by_key() override {
    constexpr double kNewtonSeconds = 100, kSeconds = 0.2, kUsual_kg = 70;
    const double size = kNewtonSeconds / kSeconds * model_->plan().mass_kg / kUsual_kg;
    const double angle = 1.9 * num_keys_++;
    body_.push({size * std::cos(angle), 0, size * std::sin(angle)}, kSeconds);
  }
  std::string summary() const override {
    const physics::StreamFigures f = body_.figures();
    return fmt::format(
        "physics: joint error {:.1f} cm, assist {:.0f} N mean ({:.2f} of the weight), {} falls, {} get-ups, {:.1f} s "
        "down, root {:.1f} cm per tick at most{}\n"
        "  soles {:.2f} cm in the ground (controller {:.2f}), slide {:.2f} m/s (controller {:.2f}), "
        "slip {:.2f} (controller {:.2f}); hash {:016x}",
        100 * f.mean_error_m, f.mean_assist_n, f.mean_assist_n / (model_->plan().mass_kg * physics::kGravityM_s2),
        f.num_falls, f.num_get_ups, f.down_s, 100 * f.largest_step_m,
        f.num_bad > 0 ? fmt::format(", {} resets", f.num_bad) : "", 100 * f.penetration_m, 100 * f.target_penetration_m,
        f.slide_m_s, f.target_slide_m_s, f.slip_m_s, f.target_slip_m_s, f.hash);
  }
  CharacterPtr shapes() const override { return physics::make_body_mesh(model_->plan(), skeleton_); }

 private:
  SkeletonPtr skeleton_;
  physics::BodyModelPtr model_;
  physics::StreamedBody body_;
  std::vector<physics::Push> pushes_;
  control::PoseHook* below_;
  double time_s_ = 0;
  int num_keys_ = 0;
};

Result<physics::BodyPlan> plan_of(const control::Controller& controller, const PhysicsRequest& request,
                                  const Motion& sample) {
  if (!request.policy.empty()) {
    const std::string file = body_of_policy(request.policy).string();
    Warnings warnings;
    ZOE_TRY_ASSIGN(BodyFile body, load_body_file(file, {}, warnings));
    if (const auto same = control::check_same_skeleton(*controller.skeleton(), *body.clip.motion.skeleton); !same)
      return Error{ErrorCode::kUsage, "the policy is of another body: " + same.error().message, {.file = file}};
    return std::move(body.plan);
  }
  const std::span<const Motion> clips(&sample, 1);
  const Character* skin = request.character.get();
  if (skin != nullptr && !control::check_same_skeleton(*controller.skeleton(), *skin->skeleton)) skin = nullptr;
  AnalysisOptions options;
  options.stated_metres_per_unit = 1.0;
  const SkeletonAnalysis analysis = analyse(*controller.skeleton(), clips, skin, options);
  return physics::plan_body({*controller.skeleton(), analysis, clips, skin});
}

}  // namespace

Result<std::unique_ptr<PhysicsLayer>> make_physics_layer(const control::Controller& controller,
                                                         const PhysicsRequest& request) {
  std::vector<physics::Push> pushes;
  for (const std::string& text : request.pushes) {
    ZOE_TRY_ASSIGN(const physics::Push push, parse_push(text));
    pushes.push_back(push);
  }
  const Motion sample = sample_motion(controller);
  ZOE_TRY_ASSIGN(physics::BodyPlan plan, plan_of(controller, request, sample));
  ZOE_TRY(keep_bones(plan, request.keep));
  const int steps = std::max(1, static_cast<int>(std::lround(240 / request.rate_hz)));
  ZOE_TRY_ASSIGN(
      const physics::BodyModelPtr model,
      physics::BodyModel::create(std::move(plan), controller.skeleton(),
                                 {.frame_s = 1 / request.rate_hz, .steps_per_frame = steps, .ground = request.ground}));
  const double ground_y_m = physics::ground_under(*model, sample);
  physics::ReactionOptions reaction{.assist_share = request.assist_share, .give_way_m_s = 1};
  if (!request.policy.empty()) {
    ZOE_TRY_ASSIGN(reaction.policy, load_policy(request.policy, *model));
  }
  return std::unique_ptr<PhysicsLayer>(std::make_unique<SimulatedLayer>(controller.skeleton(), model, reaction,
                                                                        ground_y_m, std::move(pushes), request.below));
}

}  // namespace zoe::cli
