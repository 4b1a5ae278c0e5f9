// SPDX-License-Identifier: MIT
// What is wrong with a generated motion, beside the plan of the same body.
#pragma once

#include <string>

#include "zoe/author/planned_action.h"

namespace zoe::author {

// Eyes or a weapon that hang on no bone are far from where they belong, in a tenth of the frames.
bool falls_apart(const Motion& made, const SkeletonAnalysis& analysis);

// A two-legged body whose hips are lower than 0.85 of their planned height.
bool crouches(const Motion& made, const Motion& planned, const SkeletonAnalysis& analysis);

// Of a body that crawls: it is higher or lower than planned, by more than 0.15 of its length.
bool leaves_ground(const Motion& made, const Motion& planned, const control::GaitPlan& plan);

// Empty: none. Of a body that a wave or wings carry: they swing less than half as far as planned or more than twice, it
// leaves the ground, or travels at less than 0.3 of the planned speed.
std::string defect_of_carried(const Motion& made, const Motion& planned, const Alive& alive,
                              const SkeletonAnalysis& analysis);

// Empty: none. Of an action, lengths in body lengths: it is more than 0.05 deeper in the ground than planned in the
// mean; it is higher than 0.1 above it (crawlers 0.04) at the start, in half of the frames (a jump: in all) or, of a
// death, at the end; its trunk begins more than 50 degrees from the planned one; or it turns round in a jump or a blow.
std::string misplaced(const Motion& made, const Motion& planned, PlannedAction deed, const control::GaitPlan& plan,
                      const SkeletonAnalysis& analysis);

// Empty: none. An action that is misplaced, that does less than half of what is planned for this body, or is a walk.
std::string defect_of_deed(const Motion& made, const Motion& planned, PlannedAction deed, const Alive& alive,
                           const SkeletonAnalysis& analysis);

}  // namespace zoe::author
