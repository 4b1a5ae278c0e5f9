// SPDX-License-Identifier: MIT
// The built-in schemas, as the texts a user could have written. docs/features.md lists their columns.
#include <array>

#include "zoe/core/suggest.h"
#include "zoe/features/schema.h"

namespace zoe::features {
namespace {

struct Preset {
  const char* name;
  const char* text;
};

// Codebook matching of ai4animationpy: 441 -> 16 x 279 for 23 joints.
constexpr const char* kLocomotion = R"(
name = "locomotion"
fps = 30.0
[joints]
pose = ["body"]
contacts = ["feet", "toes"]
[contacts]
by_speed = true
[input]
channels = [
  "joint.position", "joint.z_axis", "joint.y_axis", "joint.velocity",
  "root.position times=0:0.5:16", "root.direction times=0:0.5:16", "root.velocity times=0:0.5:16",
  "guidance",
]
[output]
steps = "0:0.5:16"
channels = ["root.delta turn=degrees", "joint.position", "joint.z_axis", "joint.y_axis", "joint.velocity"]
)";

// Its quadruped: positions and velocities only go in; 339 -> 16 x 327 for 27 joints.
constexpr const char* kLocomotionQuadruped = R"(
name = "locomotion_quadruped"
fps = 30.0
[joints]
pose = ["all_with_ends"]
contacts = ["feet"]
[contacts]
by_speed = true
speed_m_s = 1.0
[root]
facing = "quadruped"
[input]
channels = [
  "joint.position", "joint.velocity",
  "root.position times=0:0.5:16", "root.direction times=0:0.5:16", "root.velocity times=0:0.5:16",
  "guidance",
]
[output]
steps = "0:0.5:16"
channels = ["root.delta turn=degrees", "joint.position", "joint.z_axis", "joint.y_axis", "joint.velocity"]
)";

constexpr std::array<Preset, 2> kPresets{{
    {"locomotion", kLocomotion},
    {"locomotion_quadruped", kLocomotionQuadruped},
}};

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : kPresets) names.emplace_back(preset.name);
  return names;
}

Result<std::string> preset_text(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (name == preset.name) return std::string(preset.text + 1);  // Without the line break after R"(.
  }
  const std::vector<std::string> names = preset_names();
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  return Error{ErrorCode::kUsage,
               "no preset '" + std::string(name) + "'" + did_you_mean(name, names) + "; there are: " + list, {}};
}

}  // namespace zoe::features
