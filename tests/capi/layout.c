/* SPDX-License-Identifier: MIT
 * The layout of the C interface's structs, which programs are compiled against: sizes and offsets never change within an
 * ABI version. Compiles, or does not. C99 has no static assertion: an array of size -1 is one. */
#include "zoe/zoe.h"

#define SAME(name, value, expected) typedef char name[(value) == (expected) ? 1 : -1]

SAME(intent_size, sizeof(zoe_intent), 352);
SAME(moment_size, sizeof(zoe_moment), 24);
SAME(intent_gait, offsetof(zoe_intent, gait), 196);
SAME(intent_styles, offsetof(zoe_intent, styles), 200);
SAME(intent_actions, offsetof(zoe_intent, actions), 264);
SAME(intent_goal, offsetof(zoe_intent, goal), 328);
SAME(intent_has_goal, offsetof(zoe_intent, has_goal), 344);
SAME(placement_size, sizeof(zoe_placement), 28);
SAME(pose_size, sizeof(zoe_pose), 4 * sizeof(void*));
SAME(state_size, sizeof(zoe_motion_state), 48);
SAME(state_steps, offsetof(zoe_motion_state, num_steps), 40);
SAME(crowd_options_size, sizeof(zoe_crowd_options), 12);
SAME(port_size, sizeof(zoe_port), sizeof(void*) + 8);
SAME(clip_frames, offsetof(zoe_clip, num_frames), 16);
SAME(status_size, sizeof(zoe_status), 4);
SAME(status_usage, ZOE_ERROR_USAGE, 6);

int zoe_layout_is_checked(void) { return 1; }
