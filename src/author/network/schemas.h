// SPDX-License-Identifier: MIT
// Schemas of the datasets of network controllers, as TOML.
#pragma once

namespace zoe::author {

// The input of all frame-by-frame networks is the last half second and the next two thirds of a second, at 30 steps per
// second. The output is the next frame: positions, axes and velocities of the body's joints, the step of the root, its
// path from there, and contacts. The networks differ in the columns that select their weights, which come first in the
// input. Roots continue point-mirrored at the ends of a clip (ends = "reflect"), so that short clips do not all slow
// down.
#define ZOE_FRAME_SCHEMA(NAME, GATE, MORE_OUTPUT, CONDITION)                     \
  "name = \"" NAME                                                               \
  "\"\n"                                                                         \
  "fps = 30.0\n"                                                                 \
  "[joints]\npose = [\"body\"]\ncontacts = [\"feet\", \"toes\"]\n"               \
  "[root]\nends = \"reflect\"\n"                                                 \
  "[velocity]\nover_row = true\n"                                                \
  "[input]\nchannels = [\n" GATE                                                 \
  "  \"root parts=position,direction,velocity times=-0.5:0.66666666667:8\",\n"   \
  "  \"joint parts=position,z_axis,y_axis,velocity\",\n]\n"                      \
  "[output]\nchannels = [\n"                                                     \
  "  \"root.delta per=second at=1\",\n"                                          \
  "  \"root parts=position,direction,velocity times=0:0.66666666667:5 at=1\",\n" \
  "  \"joint parts=position,z_axis,y_axis,velocity at=1\",\n"                    \
  "  \"contact at=1\",\n" MORE_OUTPUT "]\n" CONDITION

constexpr const char* kMannSchema = ZOE_FRAME_SCHEMA(
    "controller_mann", "  \"joint.velocity joints=feet\", \"root.speed times=0:0.66666666667:5\",\n", "", "");

constexpr const char* kPfnnSchema = ZOE_FRAME_SCHEMA("controller_pfnn", "", "  \"phase.delta at=1\",\n",
                                                     "[condition]\nchannels = [\"phase.global\"]\n");

constexpr const char* kLmpSchema =
    ZOE_FRAME_SCHEMA("controller_lmp", "  \"phase.local times=-0.5:0:4\",\n", "  \"phase.local at=1\",\n", "");

// Half a second of frames at once, from the present pose and the path ahead: ai4animationpy's schema without its
// guidance pose. Contacts are among the outputs instead of in a separate network.
constexpr const char* kCxmSchema =
    "name = \"controller_cxm\"\n"
    "fps = 30.0\n"
    "[joints]\npose = [\"body\"]\ncontacts = [\"feet\", \"toes\"]\n"
    "[root]\nends = \"reflect\"\n"
    "[velocity]\nover_row = true\n"
    "[input]\nchannels = [\n"
    "  \"joint parts=position,z_axis,y_axis,velocity\",\n"
    "  \"root parts=position,direction,velocity times=0:0.5:16\",\n]\n"
    "[output]\nsteps = \"0:0.5:16\"\n"
    "channels = [\n"
    "  \"root.delta per=second\",\n"
    "  \"joint parts=position,z_axis,y_axis,velocity\",\n"
    "  \"contact\",\n]\n";

// Widths are those of 5 channels. The preparation sets those of the trained autoencoder.
constexpr const char* kDeepPhaseSchema =
    ZOE_FRAME_SCHEMA("controller_deepphase", "  \"signal name=phase width=10 times=-0.5:0.66666666667:8\",\n",
                     "  \"signal name=phase width=10 times=0:0.66666666667:5 at=1\",\n"
                     "  \"signal name=rhythm width=10 times=0:0.66666666667:5 at=1\",\n",
                     "");

#undef ZOE_FRAME_SCHEMA

// What the body does, its goal and its feet select experts. The path ahead is no input: the goal, and far from it the
// direction of the path, lead (control/deeds.h has the widths).
constexpr const char* kNsmSchema =
    "name = \"controller_nsm\"\n"
    "fps = 30.0\n"
    "[joints]\npose = [\"body\"]\ncontacts = [\"feet\", \"toes\"]\n"
    "[root]\nends = \"reflect\"\n"
    "[velocity]\nover_row = true\n"
    "[input]\nchannels = [\n"
    "  \"signal name=deed_state width=48\",\n"
    "  \"joint.velocity joints=feet\",\n"
    "  \"root parts=position,direction,velocity times=-0.5:0:4\",\n"
    "  \"joint parts=position,z_axis,y_axis,velocity\",\n"
    "  \"signal name=surroundings width=256\",\n"
    "  \"signal name=interaction width=256\",\n]\n"
    "[output]\nchannels = [\n"
    "  \"root.delta per=second at=1\",\n"
    "  \"root parts=position,direction,velocity times=0:0.66666666667:5 at=1\",\n"
    "  \"joint parts=position,z_axis,y_axis,velocity at=1\",\n"
    "  \"contact at=1\",\n"
    "  \"signal name=deed_next width=12 at=1\",\n]\n";

}  // namespace zoe::author
