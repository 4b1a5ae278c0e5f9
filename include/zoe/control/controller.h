// SPDX-License-Identifier: MIT
// Part of Zoetrope. The one interface of all controllers. A Controller is immutable; a state is one character. Inputs
// are an intent and a time step. Outputs are a root, a pose and contacts.
//
//   const ControllerPtr walker = load_controller("runs/walker").value();
//   const auto state = walker->make_state();
//   walker->tick(*state, Intent::move({0, 0, 1.4F}), frame_time_s);
//   draw(state->pose());
//
// A model steps at its own rate. Ticks come at any other rate. A tick runs the steps that are due and outputs the pose
// between the last two. So 30, 60 and 1000 frames per second give the same motion.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/control/character_frame.h"
#include "zoe/control/deeds.h"
#include "zoe/control/intent.h"
#include "zoe/control/motion_range.h"
#include "zoe/control/proportions.h"
#include "zoe/control/state_header.h"
#include "zoe/core/executor.h"
#include "zoe/core/state_archive.h"
#include "zoe/ground/placed_ground.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe::control {

// Progress of the character towards its intent.
enum class Progress : std::uint8_t {
  kStanding,  // No motion is desired.
  kMoving,
  kStuck,        // The character should move and hardly moved for a while.
  kUnreachable,  // The distance to the goal did not shrink for a while. The character waits until the goal changes.
  kRecovered,    // The model's output was not finite or absurd. The character was restarted in place.
};
const char* to_string(Progress progress);

// Working memory for stepping characters, sized once for the largest batch. It holds nothing between steps.
class Workspace {
 public:
  virtual ~Workspace() = default;
};

struct Grounding;
class Stand;
struct StandBody;

// What a character does with props, for types that know deeds.
struct DeedProgress {
  Deed deed = Deed::kIdle, goal = Deed::kIdle;
  float deed_s = 0;    // Since the deed began; at most DeedClocks::kMost_s.
  bool holds = false;  // Hands hold the used prop: a box, a door's handle.
  // How far the root was moved since the start, beside the model's own steps. Metres.
  float pulled_m = 0;
};
constexpr std::size_t kMaxProps = 16;  // That a character senses.

// The state of a character between ticks. Controller types derive from it. Only Controller::make_state() creates it.
class ControllerState {
 public:
  virtual ~ControllerState();
  ControllerState(const ControllerState&) = delete;
  ControllerState& operator=(const ControllerState&) = delete;

  // As of the last tick. The root and pose() are in world space: joint 0 carries the body through the world.
  const PlanarRoot& root() const { return displayed_.root; }
  PoseView pose() const { return displayed_.pose.view(); }
  // The same pose relative to the root, for engines that move the entity themselves: place the entity at root()
  // (position, and rotation_of(root()) about +Y) and its skeleton in this pose.
  PoseView pose_in_root() const { return pose_in_root_.view(); }
  std::span<const float> contacts() const { return displayed_.contacts; }
  Progress progress() const { return progress_; }
  const Proportions& proportions() const { return proportions_; }
  // Speed of the root over the ground in the last step, m/s.
  float speed_mps() const { return speed_mps_; }
  Vec3 velocity_mps() const;  // World space.
  std::int64_t num_steps() const { return num_steps_; }
  int num_recoveries() const { return num_recoveries_; }
  // Steps since the start in which the ground function had no height below the root: NaN, or beyond
  // Ground::kMostHeight_m. The character keeps its height in them. Not part of the saved state.
  std::int64_t num_steps_without_ground() const;
  // See CharacterSetup.
  int lane() const { return lane_; }

  // The ground of the next steps, in world space; shared, not part of the saved state. The root follows its height
  // smoothly and the feet are placed on it. Null: flat at the height where the root was placed. Call place() after a
  // change to put the character onto the new ground at once.
  void set_ground(GroundPtr ground) { ground_ = std::move(ground); }
  const GroundPtr& ground() const { return ground_; }
  // The props of the next steps, in world space, for types that use them; the first kMaxProps count. The caller keeps
  // and moves them. Props with numbers that are not finite are skipped. Not part of the saved state.
  void set_props(std::span<const Prop> props) { props_ = props; }
  std::span<const Prop> props() const { return props_; }
  // What the character does; empty for types that know no deeds.
  virtual std::optional<DeedProgress> deed() const { return {}; }
  // False: legs stay as the model has them, without locks and on any ground. To measure models without the help of IK.
  // Not part of the saved state.
  void set_foot_placement(bool on) { places_feet_ = on; }
  bool foot_placement() const { return places_feet_; }

  // XXH64 of exactly the bytes that Controller::save_state() writes. States of equal hashes and equal later intents
  // stay equal.
  std::uint64_t hash() const;

 protected:
  ControllerState();
  // Lists every field of the derived class that its later steps depend on. See StateArchive.
  virtual void describe(StateArchive& archive) = 0;
  // The origin of the model's space moves by `offset`: positions become smaller by its position, and facings by its
  // facing, a number of whole turns. Types list everything here that is in the model's space. So numbers stay small and
  // precise, however far a character goes. False: not supported, and nothing has changed.
  virtual bool move_space(const PlanarRoot& offset) noexcept {
    (void)offset;
    return false;
  }
  // For models that see the ground: the ground as seen from the model's space, with heights above the plane that the
  // model moves on. Now, and after a step of dt_s from the root of `now_` to `after`.
  PlacedGround ground_now() const noexcept;
  PlacedGround ground_after(const PlanarRoot& after, float dt_s) const noexcept;
  // The props in the model's space. Returns their number.
  std::size_t props_now(std::span<Prop, kMaxProps> out) const noexcept;
  // For types whose steps depend on the lane.
  void describe_lane(StateArchive& archive) { archive.number(lane_, 0, 1 << 30); }

 private:
  friend class Controller;
  friend class Crowd;
  // All fields of the base class, then describe(); with_header: header_ before them.
  void visit(StateArchive& archive, bool with_header);
  // For archives that measure, write or hash. They change nothing.
  void visit(StateArchive& archive, bool with_header) const {
    const_cast<ControllerState*>(this)->visit(archive, with_header);
  }

  StateHeader header_;
  // In the model's own space: world_from_model_ places it and proportions_ scales it. Controller types never see the
  // world. So a character can be moved at any time, and can have any size, without a change of the model's state.
  CharacterFrame before_, now_;
  CharacterFrame displayed_;  // World space, between the two. Derived from the fields around it.
  Pose pose_in_root_;         // Derived as well.
  PlanarRoot world_from_model_;
  Proportions proportions_;
  GroundPtr ground_;
  std::span<const Prop> props_;
  bool places_feet_ = true;
  float leg_length_m_ = 1;                // Of the model's body.
  std::unique_ptr<Grounding> grounding_;  // Root height, legs and hips on the ground. The frames know flat ground only.
  std::unique_ptr<Stand> stand_;          // Null for bodies without legs: their models stand by themselves.
  double ahead_s_ = 0;                    // Time of the output after before_: at most a step.
  float speed_mps_ = 0;
  float stuck_s_ = 0, no_nearer_s_ = 0, nearest_m_ = 0;
  std::optional<WantedPlace> watched_goal_;
  std::unique_ptr<Workspace> workspace_;  // For one character. Null in a crowd.
  Progress progress_ = Progress::kStanding;
  std::int64_t num_steps_ = 0;
  int num_recoveries_ = 0;
  int lane_ = 0;
};

// Initial values of a character.
struct CharacterSetup {
  PlanarRoot root = {};  // World space. On a ground the height is the ground's.
  Proportions proportions = {};
  // Characters should have different lanes >= 0, so that types that predict every few steps do not all predict in the
  // same step. A crowd assigns lanes.
  int lane = 0;
  GroundPtr ground = {};  // See ControllerState::set_ground().
};

// A moment of a motion at a controller's rate, for Controller::begin_in(). World space, except that heights are above
// the plane that models move on (GroundPlane), not above zero.
struct MotionMoment {
  PlanarRoot root;
  PoseView pose;
  std::span<const float> contacts;           // [contact joints]
  std::span<const float> local_phases = {};  // [contact joints × 2] For models that have them: "phase.local".
};

// A character that is due for a step. All values are in the model's own space.
struct StepItem {
  ControllerState* state = nullptr;
  const Intent* intent = nullptr;  // Sanitised.
  const CharacterFrame* before = nullptr;
  CharacterFrame* now = nullptr;  // Output: root, pose, contacts.
  bool far_away = false;          // The character is small in the picture: feet need not be locked.
  bool stands = false;            // The base class makes this step. The model is not run.
};

class Controller {
 public:
  virtual ~Controller() = default;

  virtual const char* type() const = 0;  // The type's name: "mm", "mann", …
  const SkeletonPtr& skeleton() const { return skeleton_; }
  double rate_hz() const { return rate_hz_; }  // Rate of the model's steps.
  double step_s() const { return 1.0 / rate_hz_; }
  std::span<const int> contact_joints() const { return contact_joints_; }
  std::span<const Leg> legs() const { return legs_; }  // Those that are placed on uneven ground.
  std::span<const std::string> styles() const { return styles_; }
  std::span<const std::string> actions() const { return actions_; }
  const MotionRange& motion_range() const { return motion_range_; }
  bool sees_ground() const { return sees_ground_; }  // The model's poses are made for the ground below them.
  virtual std::size_t model_bytes() const = 0;       // Shared by all characters.

  // Sets the weight of a style or an action in an intent; the others keep theirs. "none" removes all. Unknown names are
  // refused with a suggestion.
  Result<void> set_style(Intent& intent, std::string_view name, float weight = 1) const;
  Result<void> set_action(Intent& intent, std::string_view name, float weight = 1) const;

  // A character in the start pose of the type. Allocates; nothing below does.
  std::unique_ptr<ControllerState> make_state(const CharacterSetup& setup = {}) const;

  // Any dt_s: negative or not finite counts as zero, above kMaxTick_s as kMaxTick_s. Any intent: see sanitised().
  void tick(ControllerState& state, const Intent& intent, double dt_s) const noexcept;
  static constexpr double kMaxTick_s = 2;

  // Moves the character at once (a spawn, a lift). Pose and momentum stay.
  void place(ControllerState& state, const PlanarRoot& root) const noexcept;
  // Moves the origin of the model's space to the character, to whole metres and turns. Nothing that is displayed
  // changes. Ticks do so by themselves every 256 m, so that numbers stay precise.
  void rebase(ControllerState& state) const noexcept;
  // Resets everything but the position.
  void reset(ControllerState& state) const noexcept;

  // Puts the character into the middle of a motion, as if its model had made the last moments: at least two, the last
  // one is now. To compare models with clips. False: the type cannot, and nothing has changed. Allocates.
  bool begin_in(ControllerState& state, std::span<const MotionMoment> moments) const;

  // Saving and restoring, for rollback and replays. A restored state continues bit by bit like the saved one. Bytes fit
  // every state of the same model, in this process or another; see docs/control.md. `state` must come from this
  // controller (checked). Only the overload that returns a vector, and failures, allocate.
  std::size_t state_bytes(const ControllerState& state) const;                    // The same for all its states.
  void save_state(const ControllerState& state, std::span<std::byte> out) const;  // [state_bytes()]
  std::vector<std::byte> save_state(const ControllerState& state) const;
  // Refuses bytes of other models, and damaged ones; then the state does not change. Bytes may be untrusted.
  Result<void> restore_state(ControllerState& state, std::span<const std::byte> bytes) const;
  // Identifies the model: skeleton, rate, contacts, labels, and content.
  std::uint64_t fingerprint() const { return fingerprint_; }

 protected:
  struct Setup {
    SkeletonPtr skeleton;
    double rate_hz = 60;
    std::vector<int> contact_joints;
    std::vector<Leg> legs = {};  // Placed on uneven ground. Without any, only the root follows the ground.
    std::vector<std::string> styles, actions;
    MotionRange motion_range = {};
    std::uint64_t content = 0;  // A hash of weights or motions.
    bool sees_ground = false;   // Poses are made for the ground below them, not for flat ground.
    Pose stand = {};            // In the root's space. Empty: the pose of start(). Its feet are planted.
  };
  explicit Controller(Setup setup);

  virtual std::unique_ptr<ControllerState> allocate_state() const = 0;
  // Sets the fields of the type, and `now`, to the start. The root is at the model's origin.
  virtual void start(ControllerState& state, CharacterFrame& now) const noexcept = 0;
  // After start(): takes over the moments, in the model's space with the last root at the origin. False: not supported.
  virtual bool begin_model_in(ControllerState& state, std::span<const MotionMoment> moments) const {
    (void)state, (void)moments;
    return false;
  }
  // One step of 1 / rate_hz() of one character. Never allocates. The result is checked afterwards (see Progress). A
  // type overrides this, or step_many() where batches are faster.
  virtual void step(const StepItem& item) const noexcept;
  // `workspace` comes from make_workspace() (for one character where a single one is ticked). `pool` may be null.
  // Results must not depend on how characters are batched. Default: step() on each.
  virtual void step_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept;
  // A cheaper step for characters far away: extrapolates without running the model. Default: step_many().
  virtual void coast_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept;
  virtual std::unique_ptr<Workspace> make_workspace(int max_characters) const;
  // True: several threads may call step_many() and coast_many() at the same time, each with other characters, the same
  // workspace and no pool. A crowd then takes a few characters through the whole tick, while their states are in the
  // cache.
  virtual bool steps_in_parts() const { return false; }

 private:
  friend class Crowd;
  std::unique_ptr<ControllerState> make_state_without_workspace(const CharacterSetup& setup) const;
  void check_own(const ControllerState& state) const;
  // All fields but the ground and the lane as make_state() sets them. fresh: bytes of a new state.
  void start_again(ControllerState& state, std::span<const std::byte> fresh, const PlanarRoot& root,
                   const Proportions& proportions) const noexcept;
  void begin_tick(ControllerState& state, double dt_s) const noexcept;
  // True while a step is due. next_step() gives its item.
  bool is_due(const ControllerState& state) const noexcept;
  // A character that leaves its stand, or goes far, gets a new model space, and its intent is moved into it.
  bool next_step(ControllerState& state, Intent& intent_model, StepItem& item) const noexcept;
  void finish_step(const StepItem& item) const noexcept;
  // False: the type does not support it.
  bool move_space(ControllerState& state, const PlanarRoot& offset) const noexcept;
  void display(ControllerState& state) const noexcept;
  // For the caches: all that display() will read and write.
  static void prefetch_for_display(const ControllerState& state) noexcept;
  // Adapts `now` to the ground. dt_s of zero: at once.
  void follow_ground(ControllerState& state, float dt_s) const noexcept;
  void stand_on_ground(ControllerState& state) const noexcept;
  void restart(ControllerState& state, const PlanarRoot& root_world) const noexcept;
  StandBody stand_body() const noexcept;
  // Starts the model again at the place of the stand, and moves its space there.
  void leave_stand(ControllerState& state, Intent& intent_model) const noexcept;
  // The sanitised intent in the model's space, with a velocity towards its goal, or standing where the goal is out of
  // reach.
  Intent intent_for(ControllerState& state, const Intent& intent) const noexcept;
  // The first desired velocity of an intent_for() in world space, and a change of all its velocities by the same
  // amount.
  static Vec3 desired_velocity_mps(const ControllerState& state, const Intent& intent_model) noexcept;
  static void change_velocity(ControllerState& state, Vec3 change_mps, Intent& intent_model) noexcept;

  SkeletonPtr skeleton_;
  double rate_hz_ = 60;
  std::vector<int> contact_joints_;
  std::vector<Leg> legs_;
  std::vector<int> leg_joints_;  // [legs × (hip, knee, ankle)]
  std::vector<int> top_joints_;  // Those without a parent.
  float leg_length_m_ = 1;
  std::vector<std::uint8_t> has_leg_size_;  // [joints] See Proportions.
  std::vector<std::string> styles_, actions_;
  MotionRange motion_range_;
  bool sees_ground_ = false;
  Pose stand_;
  std::uint64_t fingerprint_ = 0;
};
using ControllerPtr = std::shared_ptr<const Controller>;

// Fails unless the skeletons agree in joints, parents and rest bones (to 1 mm). The error names the first joint that
// differs.
Result<void> check_same_skeleton(const Skeleton& model, const Skeleton& given);

}  // namespace zoe::control
