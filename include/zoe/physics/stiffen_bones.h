// SPDX-License-Identifier: MIT
// Part of Zoetrope. Soft constraints: bones whose targets count more, so that what an artist or another layer sets
// there holds against pushes and contacts.
#pragma once

#include <string_view>

#include "zoe/physics/body_plan.h"

namespace zoe::physics {

inline constexpr const char* kBoneGroups[] = {"head", "hands", "arms", "trunk", "legs", "feet", "tail"};

// word: a group, or the name of a bone. Servos of these bones, and of those between them and the trunk, become `factor`
// times stiffer, with equal damping ratio. Returns the number of bones; 0: the word names none.
int stiffen_bones(BodyPlan& plan, std::string_view word, double factor = 6);

}  // namespace zoe::physics
