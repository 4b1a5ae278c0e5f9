/* SPDX-License-Identifier: MIT
 * Example 12. The C interface in plain C99: a character walks, is saved and restored; a crowd walks on hills.
 *
 *   12_c_api models/walker
 */
#include <stdio.h>
#include <stdlib.h>

#include "zoe/zoe.h"

static const double kFrame_s = 1.0 / 60;

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, zoe_last_error());
  return 1;
}

/* A valley along z, 5 cm deep per metre to each side. */
static float valley_m(float x_m, float z_m, void* user) {
  (void)user;
  (void)z_m;
  return 0.05f * (x_m < 0 ? -x_m : x_m);
}

static int walk(const zoe_controller* controller) {
  zoe_character* player = NULL;
  zoe_intent intent;
  zoe_motion_state at;
  zoe_pose pose;
  void* saved;
  size_t num_bytes;
  uint64_t first;
  int i;

  /* 1. One character. Its memory is allocated here, and nowhere later. */
  if (zoe_character_new(controller, NULL, &player) != ZOE_OK) return failed("a character");
  /* 2. Its player's stick: along +Z. Words work as well: zoe_intent_command(&intent, controller, "move 0 1.4"). */
  zoe_intent_move(&intent, 0, zoe_controller_pace_mps(controller));
  for (i = 0; i < 120; ++i) zoe_character_tick(player, &intent, kFrame_s);
  zoe_character_motion_state(player, &at);
  /* 3. Its pose, for the renderer: arrays of the library, without a copy. */
  zoe_character_pose(player, &pose);
  printf("%d joints, walked %.2f m in 2 s, hips %.2f m high\n", (int)pose.num_joints, at.position[2],
         pose.translations[1]);

  /* 4. Rollback: the same second twice gives the same bits. */
  num_bytes = zoe_character_state_bytes(player);
  saved = malloc(num_bytes);
  if (saved == NULL || zoe_character_save(player, saved, num_bytes) != ZOE_OK) return failed("saving");
  for (i = 0; i < 60; ++i) zoe_character_tick(player, &intent, kFrame_s);
  first = zoe_character_hash(player);
  if (zoe_character_restore(player, saved, num_bytes) != ZOE_OK) return failed("restoring");
  for (i = 0; i < 60; ++i) zoe_character_tick(player, &intent, kFrame_s);
  printf("%u bytes of state, rollback %s\n", (unsigned)num_bytes,
         zoe_character_hash(player) == first ? "equal" : "differs");
  free(saved);
  zoe_character_free(player);
  return 0;
}

static int walk_crowd(const zoe_controller* controller) {
  enum { kCount = 12 };
  const int32_t capacity = kCount;
  zoe_crowd_options options = {0};
  zoe_intent intents[kCount];
  zoe_ground* ground = NULL;
  zoe_crowd* crowd = NULL;
  float highest_m = 0;
  int i, tick;

  if (zoe_ground_function(valley_m, NULL, &ground) != ZOE_OK) return failed("a ground");
  options.avoids = 1;
  if (zoe_crowd_new(&controller, &capacity, 1, &options, ground, &crowd) != ZOE_OK) return failed("a crowd");
  for (i = 0; i < kCount; ++i) {
    zoe_placement placement = {0};
    int32_t index;
    placement.position[0] = (float)(i % 4) * 1.5f;
    placement.position[2] = (float)(i / 4) * 1.5f;
    if (zoe_crowd_spawn(crowd, 0, &placement, &index) != ZOE_OK) return failed("spawning");
    zoe_intent_move(&intents[index], 1, 0);
  }
  for (tick = 0; tick < 120; ++tick) zoe_crowd_tick(crowd, intents, kCount, kFrame_s);
  for (i = 0; i < kCount; ++i) {
    zoe_motion_state at;
    zoe_character_motion_state(zoe_crowd_character(crowd, i), &at);
    if (at.position[1] > highest_m) highest_m = at.position[1];
  }
  printf("%d characters, the highest at %.2f m\n", (int)zoe_crowd_num_alive(crowd), highest_m);
  zoe_crowd_free(crowd);
  zoe_ground_free(ground);
  return 0;
}

int main(int argc, char** argv) {
  zoe_controller* controller = NULL;
  int result;
  if (argc < 2) {
    fprintf(stderr, "usage: %s CONTROLLER\n", argv[0]);
    return 2;
  }
  /* Functions are only ever added within a version. */
  if (zoe_abi_version() != ZOE_ABI_VERSION) {
    fprintf(stderr, "libzoe_c has version %d of the interface, this program %d\n", (int)zoe_abi_version(),
            ZOE_ABI_VERSION);
    return 1;
  }
  if (zoe_controller_load(argv[1], &controller) != ZOE_OK) return failed("the controller");
  result = walk(controller);
  if (result == 0) result = walk_crowd(controller);
  zoe_controller_free(controller);
  return result;
}
