// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Where a network's motion is no walk, swim, flight, attack, jump, blow or death, the
// plan of the rig gives one.
#pragma once

#include <optional>
#include <string>

#include "zoe/author/planned_action.h"
#include "zoe/author/planned_motion.h"
#include "zoe/generate/motion_quality.h"

#include "metric_body.h"

namespace zoe::cli {

class PlannedGait {
 public:
  // actions: words of the vocabulary. The first that can be planned (walk, run, crawl, swim, fly, attack, idle, jump,
  // hit, die) decides; without one nothing is planned.
  PlannedGait(const MetricBody& body, std::string overrides, const std::vector<std::string>& actions);
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
  Result<Planned> make(const author::PlannedMotionOptions& options, const Motion* generated);

  struct Replacement {
    std::string why;          // The motion's defect; empty: it stays as generated.
    std::string not_planned;  // With a defect: why it stays all the same.
    int from_model = 0;       // As Planned.
  };
  // A generated motion with a defect becomes the plan of the same length; its neck and tail stay.
  Result<Replacement> replace_failed(Motion& motion, std::uint64_t seed, std::optional<control::Path> path = {});

 private:
  Result<void> plan();
  Result<std::string> defect_of_deed(const Motion& made);
  // Of a body that crawls: it is higher or lower than planned.
  Result<bool> crouches(const Motion& made);
  bool leaves_ground(const Motion& made, const Motion& planned) const;

  const MetricBody& body_;
  std::string overrides_, action_;
  std::optional<author::PlannedAction> deed_;  // None: it travels.
  double usual_m_s_ = 0;
  std::optional<author::Alive> alive_;
};

}  // namespace zoe::cli
