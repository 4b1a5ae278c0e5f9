// SPDX-License-Identifier: MIT
// Part of Zoetrope. Judges motions that a network generated for a rig. One that is no walk, swim, flight, attack, jump,
// blow or death, though its action says so, is replaced by the rig's own plan (author/alive.h).
//
//   PlannedInstead planner({.file = "crab.glb", .skeleton = skeleton, .analysis = &analysis}, {"walk"});
//   const PlannedInstead::Replacement done = planner.replace_failed(motion, seed).value();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "zoe/author/planned_action.h"
#include "zoe/author/planned_motion.h"

namespace zoe::author {

struct GeneratedBody {
  std::string file;                            // The rig; the plan is made from it.
  std::string overrides = {};                  // Corrections of its analysis, a TOML file; may be empty.
  SkeletonPtr skeleton;                        // In metres, as motions are generated on it.
  const SkeletonAnalysis* analysis = nullptr;  // Of it; outlives the planner.
};

// Not for several threads at once: the plan is made at its first use.
class PlannedInstead {
 public:
  // actions: words of the vocabulary. The first that can be planned (walk, run, crawl, swim, fly, attack, idle, jump,
  // hit, die) decides; without one nothing is planned.
  PlannedInstead(GeneratedBody body, const std::vector<std::string>& actions);
  // Of a walk or run of such a body. 0: any speed is right.
  void set_usual_speed(double usual_m_s) { usual_m_s_ = usual_m_s; }
  Result<double> pace_m_s();  // Of the plan.

  bool can_plan() const { return !action_.empty(); }
  bool travels() const { return can_plan() && !deed_; }
  // Why a generated motion is not what its action says; empty: it is.
  Result<std::string> defect(const Motion& made);
  struct Planned {
    Motion motion;
    int from_model = 0;  // Joints that move as in the generated motion.
  };
  // generated: of the same length; null: nothing is taken from it.
  Result<Planned> make(const PlannedMotionOptions& options, const Motion* generated);

  struct Replacement {
    std::string why;          // The motion's defect; empty: it stays as generated.
    std::string not_planned;  // With a defect: why it stays all the same.
    int from_model = 0;       // As Planned.
  };
  // A generated motion with a defect becomes the plan of the same length; its neck and tail stay. Strikes and falls are
  // planned on the spot: along a path they stay as generated.
  Result<Replacement> replace_failed(Motion& motion, std::uint64_t seed, std::optional<control::Path> path = {});

 private:
  Result<void> plan();
  Result<std::string> defect_of_walk(const Motion& made);

  GeneratedBody body_;
  std::string action_;
  std::optional<PlannedAction> deed_;  // None: it travels.
  double usual_m_s_ = 0;
  std::optional<Alive> alive_;
};

}  // namespace zoe::author
