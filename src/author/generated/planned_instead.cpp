// SPDX-License-Identifier: MIT
#include "zoe/author/planned_instead.h"

#include <algorithm>

#include "zoe/core/check.h"
#include "zoe/generate/motion_quality.h"
#include "zoe/io/read.h"

#include "author/generated/defects.h"

namespace zoe::author {
namespace {

bool has_wings(const SkeletonAnalysis& analysis) {
  return std::any_of(analysis.limbs.begin(), analysis.limbs.end(),
                     [](const Limb& limb) { return limb.kind == LimbKind::kWing; });
}

}  // namespace

PlannedInstead::PlannedInstead(GeneratedBody body, const std::vector<std::string>& actions) : body_(std::move(body)) {
  ZOE_CHECK(body_.skeleton != nullptr && body_.analysis != nullptr, "a body has a skeleton and its analysis");
  for (const std::string& action : actions) {
    const bool ground = action == "walk" || action == "run" || action == "crawl";
    const bool legless = body_.analysis->feet.empty();
    // A body with legs crawls in a way that no plan knows.
    if ((ground && (legless || action != "crawl")) || (action == "swim" && legless) ||
        (action == "fly" && has_wings(*body_.analysis))) {
      action_ = action;
      return;
    }
    deed_ = planned_action_of(action);
    if (deed_) {
      action_ = action;
      return;
    }
  }
}

Result<void> PlannedInstead::plan() {
  if (alive_) return {};
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_asset(body_.file));
  Result<Alive> alive = make_alive(asset, body_.overrides, {.fly = action_ == "fly"});
  if (!alive) {
    Error error = alive.error();
    if (error.where.file.empty()) error.where.file = body_.file;
    return error;
  }
  alive_ = std::move(*alive);
  if (alive_->body.skeleton->num_joints() != body_.skeleton->num_joints())
    return Error{ErrorCode::kInvalid, "the plan has other joints", {.file = body_.file}};
  return {};
}

Result<double> PlannedInstead::pace_m_s() {
  ZOE_TRY(plan());
  return double{action_ == "run" ? alive_->plan.settings.run_mps : alive_->plan.settings.walk_mps};
}

Result<std::string> PlannedInstead::defect(const Motion& made) {
  if (!can_plan()) return std::string();
  const SkeletonAnalysis& analysis = *body_.analysis;
  if (falls_apart(made, analysis)) return std::string("it falls apart");
  if (travels() && action_ != "fly" && !analysis.feet.empty()) return defect_of_walk(made);
  ZOE_TRY(plan());
  const double seconds = made.num_frames / made.fps;
  if (deed_) {
    ZOE_TRY_ASSIGN(const Motion planned, planned_action(*alive_, *deed_, {.seconds = seconds, .fps = made.fps}));
    return defect_of_deed(made, planned, *deed_, *alive_, analysis);
  }
  ZOE_TRY_ASSIGN(const Motion planned, planned_motion(*alive_, {.seconds = seconds, .fps = made.fps}));
  return defect_of_carried(made, planned, *alive_, analysis);
}

Result<std::string> PlannedInstead::defect_of_walk(const Motion& made) {
  ZOE_TRY_ASSIGN(const generate::MotionQuality quality, generate::measure_quality(made, *body_.analysis));
  const char* defect = generate::defect_of_walk(quality, usual_m_s_);
  if (defect != nullptr) return std::string(defect);
  if (body_.analysis->family != BodyFamily::kBiped) return std::string();
  ZOE_TRY(plan());
  ZOE_TRY_ASSIGN(const Motion planned, planned_motion(*alive_, {.seconds = 2, .fps = made.fps}));
  return std::string(crouches(made, planned, *body_.analysis) ? "it crouches" : "");
}

Result<PlannedInstead::Planned> PlannedInstead::make(const PlannedMotionOptions& options, const Motion* generated) {
  ZOE_TRY(plan());
  if (deed_) {
    ZOE_TRY_ASSIGN(
        Motion action,
        planned_action(*alive_, *deed_, {.seconds = options.seconds, .fps = options.fps, .seed = options.seed}));
    action.skeleton = body_.skeleton;
    return Planned{std::move(action), 0};
  }
  PlannedMotionOptions asked = options;
  asked.fast = action_ == "run";
  ZOE_TRY_ASSIGN(Motion motion, planned_motion(*alive_, asked));
  Planned out{std::move(motion), 0};
  if (generated != nullptr) out.from_model = take_neck_and_tail(*alive_, *generated, out.motion);
  out.motion.skeleton = body_.skeleton;
  return out;
}

Result<PlannedInstead::Replacement> PlannedInstead::replace_failed(Motion& motion, std::uint64_t seed,
                                                                   std::optional<control::Path> path) {
  Replacement out;
  if (!can_plan() || (!travels() && path)) return out;
  ZOE_TRY_ASSIGN(out.why, defect(motion));
  if (out.why.empty()) return out;
  PlannedMotionOptions options{.seconds = motion.num_frames / motion.fps, .fps = motion.fps, .seed = seed};
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

}  // namespace zoe::author
