// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motion matching (Clavet 2016; Holden et al. 2020). It plays a database frame by frame. Ten times
// per second it searches for a frame that continues better along the desired trajectory.
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"
#include "zoe/control/match/database.h"
#include "zoe/control/match/match_options.h"

namespace zoe::control {

// Fails where body and database have different skeletons or contacts.
Result<ControllerPtr> make_motion_matching(MotionDatabasePtr database, Body body, const MatchOptions& options = {});
// For a state of such a controller. Checked.
const MatchReport& match_report(const ControllerState& state);

}  // namespace zoe::control
