// SPDX-License-Identifier: MIT
// The built-in schemas, as texts that a user could write. docs/features.md lists their columns.
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

// The quadruped of the same work: only positions and velocities are inputs; 339 -> 16 x 327 for 27 joints.
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

// Phase-functioned networks, Holden et al. 2017: 342 -> 311 for 31 joints, at 60 Hz. The input pose is that of the
// frame before. Outputs are the present pose, the step to the next frame, and the trajectory from there.
constexpr const char* kPfnn = R"(
name = "pfnn"
fps = 60.0
[joints]
pose = ["all"]
contacts = ["feet", "toes"]
[labels]
styles = ["stand", "walk", "jog", "crouch", "jump", "bump"]
[terrain]
lateral_m = [-0.25, 0.0, 0.25]
[input]
channels = [
  "root.position times=-1:0.83333333333:12", "root.direction times=-1:0.83333333333:12",
  "root.style times=-1:0.83333333333:12",
  "joint.position at=-1", "joint.velocity at=-1",
  "terrain times=-1:0.83333333333:12",
]
[output]
channels = [
  "root.delta at=1 per=second", "phase.delta at=1", "contact",
  "root.position times=0:0.83333333333:6 at=1", "root.direction times=0:0.83333333333:6 at=1",
  "joint.position", "joint.velocity", "joint.rotation_log",
]
[condition]
channels = ["phase.global"]
)";

// Mode-adaptive networks, Zhang et al. 2018: 480 -> 363 for 27 joints; gated by 19 of the inputs.
constexpr const char* kMann = R"(
name = "mann"
fps = 60.0
[joints]
pose = ["all_with_ends"]
contacts = ["feet"]
[root]
facing = "quadruped"
[labels]
styles = ["idle", "move", "jump", "sit", "lie", "stand"]
[input]
channels = [
  "root parts=position,direction,velocity,speed,style times=-1:0.83333333333:12",
  "joint parts=position,z_axis,y_axis,velocity",
]
[output]
channels = [
  "root parts=position,direction,velocity times=0:0.83333333333:6 at=1",
  "joint parts=position,z_axis,y_axis,velocity at=1",
  "root.delta turn=degrees per=second at=1",
]
[condition]
channels = ["joint.velocity joints=feet", "root parts=speed,style"]
)";

// Neural state machine, Starke et al. 2019: 4657 + 650 = 5307 -> 618 for 23 joints. The caller senses the scene:
// "environment" and "interaction" are signals.
constexpr const char* kNsm = R"(
name = "nsm"
fps = 60.0
[joints]
pose = ["body"]
contacts = ["hips", "hands", "feet"]
[labels]
styles = ["idle", "walk", "run", "carry", "open", "sit", "climb"]
actions = ["idle", "move", "carry", "open", "sit", "climb"]
[input]
channels = [
  "joint parts=position,z_axis,y_axis,velocity",
  "root parts=position,direction,style times=-1:1:13",
  "goal parts=position,direction,action times=-1:1:13",
  "signal name=environment width=2034",
  "signal name=interaction width=2048",
]
[output]
channels = [
  "joint parts=position,z_axis,y_axis,velocity at=1", "joint.position space=goal at=1",
  "root parts=position,direction,style times=0.016666666667:1.016666666667:7",
  "root parts=position,direction times=0.016666666667:1.016666666667:7 space=goal",
  "goal parts=position,direction,action times=-1:1:13 at=1",
  "contact at=1", "phase.delta times=0:1:7 at=1",
]
[condition]
channels = ["gating times=-1:1:13"]
)";

// Learned motion matching, Holden et al. 2020: 27 features to match (input), 338 numbers of pose
// (output) for 22 joints.
constexpr const char* kLmm = R"(
name = "lmm"
fps = 60.0
[joints]
pose = ["body"]
contacts = ["toes"]
[contacts]
by_speed = true
speed_m_s = 0.15
[input]
channels = [
  "joint.position joints=feet", "joint.velocity joints=feet", "joint.velocity joints=hips",
  "root.position times=0.33333333333:1:3", "root.direction times=0.33333333333:1:3",
]
[output]
channels = [
  "joint.position space=parent", "joint parts=x_axis,y_axis space=parent", "joint.velocity space=parent",
  "joint.angular_velocity space=parent", "root.own_velocity", "contact",
]
)";

// Periodic autoencoders (DeepPhase), Starke et al. 2022: two seconds of joint velocities, 121 x 78
// for 26 joints.
constexpr const char* kPae = R"(
name = "pae"
fps = 60.0
[joints]
pose = ["body"]
[input]
steps = "-1:1:121"
channels = ["joint.velocity"]
)";

// AnyTop, Gat et al. 2025: 13 numbers per joint and frame, for any skeleton; here in a lossless form. The hips come
// first: their velocity columns hold the root's step, because their height is among the positions.
constexpr const char* kAnytop = R"(
name = "anytop"
fps = 30.0
[joints]
pose = ["bones"]
contacts = ["feet"]
[root]
half_window_s = 0.0
[output]
steps = "0:1.3:40"
channels = [
  "joint parts=position,x_axis,y_axis joints=hips space=canonical", "root.delta per=second",
  "joint.contact joints=hips",
  "joint parts=position,x_axis,y_axis,velocity,contact joints=bones,-hips space=canonical",
]
)";

constexpr std::array<Preset, 8> kPresets{{
    {"locomotion", kLocomotion},
    {"locomotion_quadruped", kLocomotionQuadruped},
    {"pfnn", kPfnn},
    {"mann", kMann},
    {"nsm", kNsm},
    {"lmm", kLmm},
    {"pae", kPae},
    {"anytop", kAnytop},
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
               "no preset '" + std::string(name) + "'" + did_you_mean(name, names) + "; there are: " + list,
               {}};
}

}  // namespace zoe::features
