// SPDX-License-Identifier: MIT
// Part of Zoetrope. Marks that our FBX writer puts into property lists, for our reader.
#pragma once

#include <string_view>

namespace zoe::io::fbx {

inline constexpr std::string_view kCreator = "Zoetrope";                   // Application, and start of Creator.
inline constexpr const char* kKindProperty = "zoe_kind";                   // JointKind where a class cannot state it.
inline constexpr const char* kFollowsProperty = "zoe_skin_follows_joint";  // MeshInstance::skin_follows_joint.

}  // namespace zoe::io::fbx
