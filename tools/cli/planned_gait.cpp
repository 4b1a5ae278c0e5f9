// SPDX-License-Identifier: MIT
#include "planned_gait.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "zoe/generate/loose_parts.h"
#include "zoe/generate/stir.h"
#include "zoe/io/read.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::cli {
namespace {

bool has_wings(const SkeletonAnalysis& analysis) {
  return std::any_of(analysis.limbs.begin(), analysis.limbs.end(),
                     [](const Limb& limb) { return limb.kind == LimbKind::kWing; });
}

double mean_height(const Motion& motion, std::span<const int> joints) {
  const std::vector<Vec3> places = model_positions(motion, joints);
  double sum = 0;
  for (const Vec3& place : places) sum += double{place.y};
  return places.empty() ? 0 : sum / static_cast<double>(places.size());
}

// Eyes or a weapon that hang on no bone are far from where they belong, in a tenth of the frames.
bool falls_apart(const Motion& made, const SkeletonAnalysis& analysis) {
  constexpr double kFar = 0.12;  // Of the body's height.
  std::vector<int> all(static_cast<std::size_t>(made.num_joints()));
  std::iota(all.begin(), all.end(), 0);
  Motion rest = make_motion(made.skeleton, "rest", made.fps, 1, false);
  const std::vector<Vec3> own = model_positions(rest, all), places = model_positions(made, all);
  for (const generate::LoosePart& part : generate::find_loose_parts(*made.skeleton, analysis)) {
    const auto part_at = static_cast<std::size_t>(part.joint), carrier = static_cast<std::size_t>(part.carrier);
    if (part.carrier == kNoJoint || part.is_foot) continue;
    const double usual = double{distance(own[part_at], own[carrier])};
    int far = 0;
    for (std::size_t f = 0; f < static_cast<std::size_t>(made.num_frames); ++f) {
      const double now = double{distance(places[f * all.size() + part_at], places[f * all.size() + carrier])};
      far += std::abs(now - usual) > kFar * analysis.height_m ? 1 : 0;
    }
    if (10 * far > made.num_frames) return true;
  }
  return false;
}

}  // namespace

PlannedGait::PlannedGait(const MetricBody& body, std::string overrides, const std::vector<std::string>& actions)
    : body_(body), overrides_(std::move(overrides)) {
  for (const std::string& action : actions) {
    const bool ground = action == "walk" || action == "run" || action == "crawl";
    const bool legless = body.analysis.feet.empty();
    // A body with legs crawls in a way that no plan knows.
    if ((ground && (legless || action != "crawl")) || (action == "swim" && legless) ||
        (action == "fly" && has_wings(body.analysis))) {
      action_ = action;
      return;
    }
    deed_ = author::planned_action_of(action);
    if (deed_) {
      action_ = action;
      return;
    }
  }
}

Result<void> PlannedGait::plan() {
  if (alive_) return {};
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_asset(body_.file));
  const bool flies = action_ == "fly";
  ZOE_TRY_ASSIGN(alive_, author::make_alive(asset, overrides_, {.fly = flies}));
  if (alive_->body.skeleton->num_joints() != body_.skeleton->num_joints())
    return Error{ErrorCode::kInvalid, "the plan has other joints", {.file = body_.file}};
  return {};
}

Result<double> PlannedGait::pace_m_s() {
  ZOE_TRY(plan());
  return double{action_ == "run" ? alive_->plan.settings.run_mps : alive_->plan.settings.walk_mps};
}

Result<std::string> PlannedGait::defect(const Motion& made) {
  if (!can_plan()) return std::string();
  if (falls_apart(made, body_.analysis)) return std::string("it falls apart");
  if (deed_) return defect_of_deed(made);
  if (action_ != "fly" && !body_.analysis.feet.empty()) {
    ZOE_TRY_ASSIGN(const generate::MotionQuality quality, generate::measure_quality(made, body_.analysis));
    const char* defect = generate::defect_of_walk(quality, usual_m_s_);
    if (defect != nullptr) return std::string(defect);
    ZOE_TRY_ASSIGN(const bool low, crouches(made));
    return std::string(low ? "it crouches" : "");
  }
  // A wave or wings must swing half as far as planned and at most twice, and carry the body at 0.3 of the planned
  // speed. A body that crawls is as high as planned, within 0.15 of its length.
  constexpr double kLeastSwing = 0.5, kMostSwing = 2, kLeastSpeed = 0.3;
  ZOE_TRY(plan());
  ZOE_TRY_ASSIGN(const Motion planned,
                 author::planned_motion(*alive_, {.seconds = made.num_frames / made.fps, .fps = made.fps}));
  const std::vector<int> joints = author::carrying_joints(alive_->plan);
  const bool flies = alive_->plan.locomotion == control::Locomotion::kFly;
  const double swing = generate::swing_rad(made, joints), usual = generate::swing_rad(planned, joints);
  if (swing < kLeastSwing * usual) return std::string(flies ? "its wings hardly beat" : "its body hardly bends");
  if (!joints.empty() && swing > kMostSwing * usual) return std::string("its body folds up");
  if (alive_->plan.locomotion == control::Locomotion::kCrawl && leaves_ground(made, planned))
    return std::string("it leaves the ground");
  const double speed = generate::judge_gait(made, body_.analysis).speed_m_s;
  return std::string(speed < kLeastSpeed * double{alive_->plan.settings.walk_mps} ? "it hardly travels" : "");
}

// Two-legged bodies walk with their hips near the height of the plan.
Result<bool> PlannedGait::crouches(const Motion& made) {
  constexpr double kLeastHeight = 0.85;
  const std::vector<int> hips{body_.analysis.hips};
  if (body_.analysis.family != BodyFamily::kBiped || hips.front() == kNoJoint) return false;
  ZOE_TRY(plan());
  ZOE_TRY_ASSIGN(const Motion planned, author::planned_motion(*alive_, {.seconds = 2, .fps = made.fps}));
  return mean_height(made, hips) < kLeastHeight * mean_height(planned, hips);
}

bool PlannedGait::leaves_ground(const Motion& made, const Motion& planned) const {
  constexpr double kMostHeight = 0.15;  // Of the body's length, in the mean.
  const std::vector<int> joints = author::carrying_joints(alive_->plan);
  const double off_m = std::abs(mean_height(made, joints) - mean_height(planned, joints));
  return off_m > kMostHeight * double{alive_->plan.settings.body_length_m};
}

// An action that does less than half of what is planned for this body is not one.
Result<std::string> PlannedGait::defect_of_deed(const Motion& made) {
  constexpr double kLeast = 0.5, kWalks = 0.3;
  using author::PlannedAction;
  if (*deed_ == PlannedAction::kIdle) return std::string();
  ZOE_TRY(plan());
  ZOE_TRY_ASSIGN(const Motion planned,
                 author::planned_action(*alive_, *deed_, {.seconds = made.num_frames / made.fps, .fps = made.fps}));
  // What crawls does so on the ground, whatever else it does.
  if (alive_->plan.locomotion == control::Locomotion::kCrawl && leaves_ground(made, planned))
    return std::string("it leaves the ground");
  const generate::Stir stir = generate::measure_stir(made, body_.analysis);
  const generate::Stir usual = generate::measure_stir(planned, body_.analysis);
  if (*deed_ == PlannedAction::kJump)
    return std::string(stir.rise < kLeast * usual.rise ? "it stays on the ground" : "");
  if (*deed_ == PlannedAction::kDie) return std::string(stir.sinks < kLeast * usual.sinks ? "it does not fall" : "");
  if (stir.reach < kLeast * usual.reach || stir.speed_s < kLeast * usual.speed_s) return std::string("it hardly moves");
  const generate::GaitFigures gait = generate::judge_gait(made, body_.analysis);
  const bool walks =
      gait.verdict != generate::GaitVerdict::kNone && gait.speed_m_s > kWalks * double{alive_->plan.settings.walk_mps};
  return std::string(walks ? "it walks" : "");
}

Result<PlannedGait::Planned> PlannedGait::make(const author::PlannedMotionOptions& options, const Motion* generated) {
  ZOE_TRY(plan());
  if (deed_) {
    ZOE_TRY_ASSIGN(Motion action,
                   author::planned_action(*alive_, *deed_,
                                          {.seconds = options.seconds, .fps = options.fps, .seed = options.seed}));
    action.skeleton = body_.skeleton;
    return Planned{std::move(action), 0};
  }
  author::PlannedMotionOptions asked = options;
  asked.fast = action_ == "run";
  ZOE_TRY_ASSIGN(Motion motion, author::planned_motion(*alive_, asked));
  Planned out{std::move(motion), 0};
  if (generated != nullptr) out.from_model = author::take_neck_and_tail(*alive_, *generated, out.motion);
  out.motion.skeleton = body_.skeleton;
  return out;
}

Result<PlannedGait::Replacement> PlannedGait::replace_failed(Motion& motion, std::uint64_t seed,
                                                             std::optional<control::Path> path) {
  Replacement out;
  // Strikes and falls are planned on the spot.
  if (!can_plan() || (!travels() && path)) return out;
  ZOE_TRY_ASSIGN(out.why, defect(motion));
  if (out.why.empty()) return out;
  author::PlannedMotionOptions options{.seconds = motion.num_frames / motion.fps, .fps = motion.fps, .seed = seed};
  options.path = std::move(path);
  Result<Planned> planned = make(options, &motion);
  if (!planned) {
    out.not_planned = planned.error().message;
    return out;
  }
  planned->motion.name = motion.name;
  motion = std::move(planned->motion);
  out.from_model = planned->from_model;
  return out;
}

}  // namespace zoe::cli
