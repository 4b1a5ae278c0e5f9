/* SPDX-License-Identifier: MIT
 * Part of Zoetrope. The C interface (C99) of libzoe_c: controllers, crowds, grounds, networks and motion files for
 * programs in any language.
 *
 *   zoe_controller* walker;
 *   zoe_character* player;
 *   zoe_intent intent;
 *   if (zoe_controller_load("walker.zoe", &walker) != ZOE_OK) puts(zoe_last_error());
 *   zoe_character_new(walker, NULL, &player);
 *   zoe_intent_move(&intent, 0, 1.4f);
 *   zoe_character_tick(player, &intent, 1.0 / 60);
 *   zoe_character_pose(player, &pose);
 *
 * Space: right-handed, Y up, +Z forward, metres, seconds, radians, quaternions x y z w, parents before children.
 *
 * Rules for all functions:
 * - A function that can fail returns a zoe_status. zoe_last_error() has the text of the last failure of the thread.
 *   After a failure the outputs are unchanged.
 * - A null handle or pointer is refused with ZOE_ERROR_USAGE, unless its comment allows null. Functions that return a
 *   number or a text return 0 or null then. The free functions accept null.
 * - Handles keep what they depend on alive: a controller may be freed before its characters.
 * - Different handles may be used by different threads at once, and a controller or network by any number of them. One
 *   character, crowd or network run is for one thread at a time.
 * - Texts are UTF-8. Those that are returned belong to their handle.
 *
 * The interface is stable: within one ZOE_ABI_VERSION, functions and structs are added and never changed.
 */
#ifndef ZOE_ZOE_H
#define ZOE_ZOE_H

#include <stddef.h>
#include <stdint.h>

#define ZOE_ABI_VERSION 1

#if defined(_WIN32)
#if defined(ZOE_C_BUILDS)
#define ZOE_API __declspec(dllexport)
#else
#define ZOE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define ZOE_API __attribute__((visibility("default")))
#else
#define ZOE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t zoe_status;
enum {
  ZOE_OK = 0,
  ZOE_ERROR_IO = 1,          /* The operating system refused: missing file, no permission, full disk. */
  ZOE_ERROR_SYNTAX = 2,      /* The bytes are not of the claimed format, or end too early. */
  ZOE_ERROR_INVALID = 3,     /* Well-formed, but contradictory. */
  ZOE_ERROR_UNSUPPORTED = 4, /* Correct, but an unsupported feature or version. */
  ZOE_ERROR_LIMIT = 5,       /* Needs more memory or joints than allowed. */
  ZOE_ERROR_USAGE = 6,       /* The call itself is wrong: null, an index out of range, an unknown name. */
  ZOE_ERROR_MEMORY = 7       /* Out of memory. */
};

ZOE_API const char* zoe_version(void);    /* "0.1.0" */
ZOE_API int32_t zoe_abi_version(void);    /* ZOE_ABI_VERSION of the library. */
ZOE_API const char* zoe_last_error(void); /* Never null; valid until the next failure of this thread. */
/* 1: the same bits on every instruction set, for network games (docs/control.md). Not while another thread ticks. */
ZOE_API void zoe_set_deterministic(int32_t is_deterministic);

/* ---- Controllers: a trained model, immutable ---- */

typedef struct zoe_controller zoe_controller;

/* A .zoe file or a run folder. */
ZOE_API zoe_status zoe_controller_load(const char* path, zoe_controller** out);
/* The bytes of a .zoe file, which are not needed after the call. name: for error texts; may be null. */
ZOE_API zoe_status zoe_controller_load_bytes(const void* bytes, size_t num_bytes, const char* name,
                                             zoe_controller** out);
ZOE_API void zoe_controller_free(zoe_controller* controller);

ZOE_API const char* zoe_controller_type(const zoe_controller* controller); /* "mann", "lmm", … */
ZOE_API double zoe_controller_rate_hz(const zoe_controller* controller);
ZOE_API float zoe_controller_pace_mps(const zoe_controller* controller); /* The usual speed of its motions. */
ZOE_API uint64_t zoe_controller_fingerprint(const zoe_controller* controller);
ZOE_API int32_t zoe_controller_num_joints(const zoe_controller* controller);
/* Null, and -2, for an index out of range. The parent of a root is -1. */
ZOE_API const char* zoe_controller_joint_name(const zoe_controller* controller, int32_t joint);
ZOE_API int32_t zoe_controller_joint_parent(const zoe_controller* controller, int32_t joint);
/* Rest pose relative to the parent: translation x y z, rotation x y z w, scale x y z. */
ZOE_API zoe_status zoe_controller_joint_rest(const zoe_controller* controller, int32_t joint, float out[10]);
ZOE_API int32_t zoe_controller_num_contacts(const zoe_controller* controller);
ZOE_API int32_t zoe_controller_contact_joint(const zoe_controller* controller, int32_t contact); /* -1: no such one. */
ZOE_API int32_t zoe_controller_num_styles(const zoe_controller* controller);
ZOE_API const char* zoe_controller_style(const zoe_controller* controller, int32_t style);
ZOE_API int32_t zoe_controller_num_actions(const zoe_controller* controller);
ZOE_API const char* zoe_controller_action(const zoe_controller* controller, int32_t action);

/* ---- Intents: what a player or program asks of a character ---- */

enum { ZOE_MAX_MOMENTS = 8, ZOE_MAX_LABELS = 16 };
enum { ZOE_GAIT_AUTO, ZOE_GAIT_STAND, ZOE_GAIT_WALK, ZOE_GAIT_JOG, ZOE_GAIT_RUN, ZOE_GAIT_CROUCH };

typedef struct zoe_moment {
  float time_s;          /* From now, rising; the first is 0. */
  float velocity_mps[3]; /* World space; y is not used. */
  float facing_rad;      /* About +Y from +Z. */
  int32_t has_facing;    /* 0: along the velocity. */
} zoe_moment;

/* Zero bytes mean standing. Any values are safe: numbers that are not finite count as not set, speeds are clamped. */
typedef struct zoe_intent {
  int32_t num_moments; /* 0: standing. */
  zoe_moment moments[ZOE_MAX_MOMENTS];
  int32_t gait;                  /* ZOE_GAIT_… */
  float styles[ZOE_MAX_LABELS];  /* Weights in the order of zoe_controller_style(). */
  float actions[ZOE_MAX_LABELS]; /* Likewise. */
  float goal[3];                 /* A position to arrive at, world space. */
  float goal_facing_rad;
  int32_t has_goal, has_goal_facing;
} zoe_intent;

ZOE_API void zoe_intent_stand(zoe_intent* intent);
ZOE_API void zoe_intent_move(zoe_intent* intent, float x_mps, float z_mps);
ZOE_API void zoe_intent_go(zoe_intent* intent, float x_m, float z_m);
/* Others keep their weights. "none" removes all. Unknown names are refused with a suggestion. */
ZOE_API zoe_status zoe_intent_style(zoe_intent* intent, const zoe_controller* controller, const char* name,
                                    float weight);
ZOE_API zoe_status zoe_intent_action(zoe_intent* intent, const zoe_controller* controller, const char* name,
                                     float weight);
/* A command in words, as scripts and the steering port have: "move 0 1.4", "face 90", "gait run", "style old". */
ZOE_API zoe_status zoe_intent_command(zoe_intent* intent, const zoe_controller* controller, const char* line);

/* ---- Grounds, immutable ---- */

typedef struct zoe_ground zoe_ground;

/* heights_m: [num_z × num_x], x runs fastest, copied. The first height is at the origin. */
ZOE_API zoe_status zoe_ground_grid(const float* heights_m, int32_t num_x, int32_t num_z, float cell_m, float origin_x_m,
                                   float origin_z_m, zoe_ground** out);
/* positions: [3 × num_positions]; indices: [3 × num_triangles]; both copied. */
ZOE_API zoe_status zoe_ground_mesh(const float* positions, size_t num_positions, const uint32_t* indices,
                                   size_t num_triangles, zoe_ground** out);
/* The program's own ground. Called during ticks, from several threads where a crowd has several. */
typedef float (*zoe_height_function)(float x_m, float z_m, void* user);
ZOE_API zoe_status zoe_ground_function(zoe_height_function height_m, void* user, zoe_ground** out);
ZOE_API float zoe_ground_height_m(const zoe_ground* ground, float x_m, float z_m);
ZOE_API void zoe_ground_free(zoe_ground* ground);

/* ---- Characters ---- */

typedef struct zoe_character zoe_character;

/* Zero bytes mean the defaults. */
typedef struct zoe_placement {
  float position[3]; /* World space. On a ground the height is the ground's. */
  float facing_rad;
  float leg_size, upper_size; /* Relative to the model's body, 0.1 to 10; 0 counts as 1. */
  int32_t lane;               /* Different for each character: spreads the load over ticks. Crowds ignore it. */
} zoe_placement;

/* Arrays of the library, of the last tick. Valid until the next tick, restore or free. */
typedef struct zoe_pose {
  int32_t num_joints;
  const float* translations; /* [joints × 3], relative to the parent. */
  const float* rotations;    /* [joints × 4] */
  const float* scales;       /* [joints × 3], or null: all 1. */
} zoe_pose;

enum { ZOE_STANDING, ZOE_MOVING, ZOE_STUCK, ZOE_UNREACHABLE, ZOE_RECOVERED };

typedef struct zoe_motion_state {
  float position[3]; /* Of the root, world space. */
  float facing_rad;
  float velocity_mps[3];
  float speed_mps;
  int32_t progress; /* ZOE_STANDING, … */
  int32_t num_recoveries;
  int64_t num_steps;
} zoe_motion_state;

/* placement: may be null. */
ZOE_API zoe_status zoe_character_new(const zoe_controller* controller, const zoe_placement* placement,
                                     zoe_character** out);
ZOE_API void zoe_character_free(zoe_character* character); /* No effect on characters of a crowd. */
/* intent: null means standing. dt_s: 0 to 2 s; others are clamped. Never allocates. */
ZOE_API zoe_status zoe_character_tick(zoe_character* character, const zoe_intent* intent, double dt_s);
ZOE_API zoe_status zoe_character_place(zoe_character* character, const float position[3], float facing_rad);
ZOE_API zoe_status zoe_character_reset(zoe_character* character);
/* ground: null means flat. */
ZOE_API zoe_status zoe_character_set_ground(zoe_character* character, const zoe_ground* ground);

/* World space: joint 0 carries the body through the world. */
ZOE_API zoe_status zoe_character_pose(const zoe_character* character, zoe_pose* out);
/* Relative to the root, for engines that move the entity themselves to zoe_motion_state's position and facing. */
ZOE_API zoe_status zoe_character_pose_in_root(const zoe_character* character, zoe_pose* out);
/* world_from_joint of each joint as 4 × 4, column after column. num_floats must be 16 × joints. */
ZOE_API zoe_status zoe_character_matrices(const zoe_character* character, float* out, size_t num_floats);
ZOE_API zoe_status zoe_character_motion_state(const zoe_character* character, zoe_motion_state* out);
/* Probability of ground contact of each contact joint, [num_contacts]; valid as a pose is. */
ZOE_API const float* zoe_character_contacts(const zoe_character* character);

/* A restored state continues bit by bit like the saved one. Bytes fit every state of the same model. */
ZOE_API size_t zoe_character_state_bytes(const zoe_character* character);
ZOE_API zoe_status zoe_character_save(const zoe_character* character, void* out, size_t num_bytes);
/* Bytes may be untrusted. Damaged ones, and those of other models, are refused. */
ZOE_API zoe_status zoe_character_restore(zoe_character* character, const void* bytes, size_t num_bytes);
ZOE_API uint64_t zoe_character_hash(const zoe_character* character);

/* ---- Crowds: characters of one or several controllers, stepped together ---- */

typedef struct zoe_crowd zoe_crowd;

/* Zero bytes mean the defaults. */
typedef struct zoe_crowd_options {
  int32_t avoids;      /* 1: characters avoid each other. */
  int32_t num_threads; /* 0: all of the machine. */
  float radius_m;      /* Of the model's body on the ground; 0 counts as 0.25. */
} zoe_crowd_options;

/* Places for characters: of each controller capacities[i], at most 100000 in total. Allocates all memory of the ticks.
 * options, ground: may be null. */
ZOE_API zoe_status zoe_crowd_new(const zoe_controller* const* controllers, const int32_t* capacities,
                                 int32_t num_controllers, const zoe_crowd_options* options, const zoe_ground* ground,
                                 zoe_crowd** out);
ZOE_API void zoe_crowd_free(zoe_crowd* crowd);
ZOE_API int32_t zoe_crowd_size(const zoe_crowd* crowd); /* All places, free ones too. */
ZOE_API int32_t zoe_crowd_num_alive(const zoe_crowd* crowd);
ZOE_API int32_t zoe_crowd_is_alive(const zoe_crowd* crowd, int32_t index);
/* The first free place of the controller (its index in zoe_crowd_new). ZOE_ERROR_LIMIT: there is none. */
ZOE_API zoe_status zoe_crowd_spawn(zoe_crowd* crowd, int32_t controller, const zoe_placement* placement,
                                   int32_t* out_index);
ZOE_API zoe_status zoe_crowd_despawn(zoe_crowd* crowd, int32_t index);
/* intents: [num_intents], which must be zoe_crowd_size(). Never allocates. */
ZOE_API zoe_status zoe_crowd_tick(zoe_crowd* crowd, const zoe_intent* intents, int32_t num_intents, double dt_s);
/* For poses, contacts and motion states. Lives as long as the crowd. It cannot be ticked or restored by itself. */
ZOE_API zoe_character* zoe_crowd_character(zoe_crowd* crowd, int32_t index);
ZOE_API size_t zoe_crowd_state_bytes(const zoe_crowd* crowd);
ZOE_API zoe_status zoe_crowd_save(const zoe_crowd* crowd, void* out, size_t num_bytes);
ZOE_API zoe_status zoe_crowd_restore(zoe_crowd* crowd, const void* bytes, size_t num_bytes);
ZOE_API uint64_t zoe_crowd_hash(const zoe_crowd* crowd);

/* ---- Networks ---- */

typedef struct zoe_network zoe_network;         /* Immutable. */
typedef struct zoe_network_run zoe_network_run; /* The memory of one caller. */

typedef struct zoe_port {
  const char* name;
  int32_t rows, width; /* An item has rows × width floats. */
} zoe_port;

ZOE_API zoe_status zoe_network_load(const char* path, zoe_network** out);
ZOE_API zoe_status zoe_network_load_bytes(const void* bytes, size_t num_bytes, const char* name, zoe_network** out);
ZOE_API void zoe_network_free(zoe_network* network);
ZOE_API int32_t zoe_network_num_dims(const zoe_network* network);
ZOE_API const char* zoe_network_dim(const zoe_network* network, int32_t dim);
/* dim_names, dim_sizes: [num_dims], a size for each dimension of the network. Null where it has none. */
ZOE_API zoe_status zoe_network_run_new(const zoe_network* network, int32_t max_batch, const char* const* dim_names,
                                       const int32_t* dim_sizes, int32_t num_dims, zoe_network_run** out);
ZOE_API void zoe_network_run_free(zoe_network_run* run);
ZOE_API int32_t zoe_network_run_num_inputs(const zoe_network_run* run);
ZOE_API int32_t zoe_network_run_num_outputs(const zoe_network_run* run);
ZOE_API zoe_status zoe_network_run_input(const zoe_network_run* run, int32_t index, zoe_port* out);
ZOE_API zoe_status zoe_network_run_output(const zoe_network_run* run, int32_t index, zoe_port* out);
/* One array for each input and output, [batch × rows × width]. Never allocates. */
ZOE_API zoe_status zoe_network_evaluate(zoe_network_run* run, int32_t batch, const float* const* inputs,
                                        float* const* outputs);

/* ---- Motion files: BVH, glTF, FBX, USD, NPZ. A library built without them answers ZOE_ERROR_UNSUPPORTED. ---- */

typedef struct zoe_file zoe_file;

typedef struct zoe_clip {
  const char* name;
  double fps;
  int32_t num_frames, num_joints;
  const float* translations; /* [frames × joints × 3], relative to the parent. Arrays of the file's handle. */
  const float* rotations;    /* [frames × joints × 4] */
  const float* scales;       /* [frames × joints × 3], or null: all 1. */
} zoe_clip;

ZOE_API zoe_status zoe_file_load(const char* path, zoe_file** out);
ZOE_API void zoe_file_free(zoe_file* file);
ZOE_API int32_t zoe_file_num_joints(const zoe_file* file);
ZOE_API const char* zoe_file_joint_name(const zoe_file* file, int32_t joint);
ZOE_API int32_t zoe_file_joint_parent(const zoe_file* file, int32_t joint); /* As zoe_controller_joint_parent. */
ZOE_API int32_t zoe_file_num_clips(const zoe_file* file);
ZOE_API zoe_status zoe_file_clip(const zoe_file* file, int32_t clip, zoe_clip* out);
/* The pose at a time from the first frame, clamped to the clip. translations: [joints × 3], rotations: [joints × 4]. */
ZOE_API zoe_status zoe_file_sample(const zoe_file* file, int32_t clip, double time_s, float* translations,
                                   float* rotations);

#ifdef __cplusplus
}
#endif

#endif
