// SPDX-License-Identifier: MIT
// Part of Zoetrope. Soles of a body without a skin, as its clips show them: the ground under feet that stand.
#pragma once

#include "physics/rest_shape.h"

namespace zoe::physics {

// Replaces the derived soles of feet and toes by boxes whose undersides lie on the ground while a foot stands flat. A
// reference pose does not tell where that is: in many T-poses the toes point down. Feet that never stand still keep
// their soles.
void fit_soles_to_stance(const BodySource& source, const PlanFrame& frame, BodyPlan& plan);

}  // namespace zoe::physics
