// SPDX-License-Identifier: MIT
// Part of Zoetrope. The one interface of all controllers: an immutable Controller, a state a
// character, an intent and a span of time in; a root, a pose and contacts out.
//
//   const ControllerPtr walker = load_controller("runs/walker").value();
//   const auto state = walker->make_state();
//   walker->tick(*state, Intent::move({0, 0, 1.4F}), frame_time_s);
//   draw(state->pose());
//
// A model steps at its own rate; ticks come at any other. A tick makes the steps that fell due and
// shows the pose between the last two, so 30, 60 and 1000 frames a second show the same motion.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/control/intent.h"
#include "zoe/control/proportions.h"
#include "zoe/core/thread_pool.h"

namespace zoe::control {

// How the character is getting on with its intent.
enum class Progress : std::uint8_t {
  kStanding,  // Nothing else is wanted.
  kMoving,
  kStuck,        // Wanted to move, and hardly did for a while.
  kUnreachable,  // The goal came no nearer for a while: the character waits until the goal changes.
  kRecovered,    // The model gave numbers that are not finite or far off: it was started again in
                 // place.
};
const char* to_string(Progress progress);

// One moment of a character. Sized once; contacts are [Controller::contact_joints()], 0 to 1.
struct CharacterFrame {
  PlanarRoot root;
  Pose pose;  // Joint 0 carries the body through the space of the frame.
  std::vector<float> contacts;
};

// Memory that a kind needs to step characters, sized once for the most at a time; holds nothing
// between steps.
class Workspace {
 public:
  virtual ~Workspace() = default;
};

// What a character keeps between ticks. Kinds derive from it; made by Controller::make_state()
// only.
class ControllerState {
 public:
  virtual ~ControllerState() = default;
  ControllerState(const ControllerState&) = delete;
  ControllerState& operator=(const ControllerState&) = delete;

  // As of the last tick, in world space.
  const PlanarRoot& root() const { return shown_.root; }
  PoseView pose() const { return shown_.pose.view(); }
  std::span<const float> contacts() const { return shown_.contacts; }
  Progress progress() const { return progress_; }
  const Proportions& proportions() const { return proportions_; }
  // Of the root over the ground in the last step, m/s.
  float speed_mps() const { return speed_mps_; }
  Vec3 velocity_mps() const;  // World space.
  std::int64_t num_steps() const { return num_steps_; }
  int num_recoveries() const { return num_recoveries_; }
  // Kinds that do something every few steps only take turns by this; see Controller::make_state().
  int lane() const { return lane_; }

  // Of everything the future depends on: equal states and equal intents give equal hashes ever
  // after.
  std::uint64_t hash() const;

 protected:
  ControllerState() = default;
  // More that the future depends on, mixed into `hash`: override where a kind keeps more than
  // `now`.
  virtual std::uint64_t hash_more(std::uint64_t hash) const { return hash; }

 private:
  friend class Controller;
  // The model's own space; world_from_model_ says where it lies, and proportions_ how large it is.
  // Kinds never see the world, so that a character may be put elsewhere at any time, and have a body
  // of any size, without its model noticing.
  CharacterFrame before_, now_, shown_;
  PlanarRoot world_from_model_;
  Proportions proportions_;
  double ahead_s_ = 0;  // Time shown beyond `before_`, less than a step.
  float speed_mps_ = 0;
  float stuck_s_ = 0, no_nearer_s_ = 0, nearest_m_ = 0;
  std::optional<WantedPlace> watched_goal_;
  std::unique_ptr<Workspace> workspace_;  // For one character; none in a crowd.
  Progress progress_ = Progress::kStanding;
  std::int64_t num_steps_ = 0;
  int num_recoveries_ = 0;
  int lane_ = 0;
};

// Mixes numbers into a state hash, by their bits.
std::uint64_t mix_hash(std::uint64_t hash, std::span<const float> values);

// A character that is due for a step. Everything is in the model's own space.
struct StepItem {
  ControllerState* state = nullptr;
  const Intent* intent = nullptr;  // Sanitised.
  const CharacterFrame* before = nullptr;
  CharacterFrame* now = nullptr;  // To be written: root, pose, contacts.
  bool far_away = false;          // Nobody looks closely: feet need not be locked.
};

class Controller {
 public:
  virtual ~Controller() = default;

  virtual const char* kind() const = 0;  // "mm", "mann", …
  const SkeletonPtr& skeleton() const { return skeleton_; }
  double rate_hz() const { return rate_hz_; }  // Of the model's steps.
  double step_s() const { return 1.0 / rate_hz_; }
  std::span<const int> contact_joints() const { return contact_joints_; }
  std::span<const std::string> styles() const { return styles_; }
  std::span<const std::string> actions() const { return actions_; }
  virtual std::size_t model_bytes() const = 0;  // Shared by all characters.

  // A character at `place`, standing or in the pose the kind starts from. Allocates; nothing below
  // does. Of many characters each has a lane >= 0 of its own, so that they do not all work hardest
  // in the same step; a crowd gives its own.
  std::unique_ptr<ControllerState> make_state(const PlanarRoot& place = {}, int lane = 0,
                                              const Proportions& proportions = {}) const;

  // Any dt_s: below zero or not finite counts as zero, above kMaxTick_s as that. Any intent: see
  // sanitised().
  void tick(ControllerState& state, const Intent& intent, double dt_s) const noexcept;
  static constexpr double kMaxTick_s = 2;

  // Puts the character elsewhere at once, as a game does with a spawn or a lift: pose and momentum
  // stay.
  void place(ControllerState& state, const PlanarRoot& root) const noexcept;
  // Forgets all but the place.
  void reset(ControllerState& state) const noexcept;

 protected:
  struct Setup {
    SkeletonPtr skeleton;
    double rate_hz = 60;
    std::vector<int> contact_joints;
    std::vector<std::string> styles, actions;
  };
  explicit Controller(Setup setup);

  virtual std::unique_ptr<ControllerState> allocate_state() const = 0;
  // Sets what the kind keeps, and `now`, to the start: the root at the model's origin.
  virtual void start(ControllerState& state, CharacterFrame& now) const noexcept = 0;
  // One step of 1 / rate_hz() of one character, never allocating. Its result is checked afterwards
  // (see Progress). A kind overrides this, or step_many() when it gains from many at once.
  virtual void step(const StepItem& item) const noexcept;
  // `workspace` is what make_workspace() gave (for one character where a single one is ticked);
  // `pool` may be null. Results must not depend on how characters are put together. By default:
  // step() on each.
  virtual void step_many(std::span<const StepItem> items, Workspace* workspace, ThreadPool* pool) const noexcept;
  // A step at less cost, for characters far away: goes on as before, and asks the model nothing. By
  // default: step_many().
  virtual void coast_many(std::span<const StepItem> items, Workspace* workspace, ThreadPool* pool) const noexcept;
  virtual std::unique_ptr<Workspace> make_workspace(int max_characters) const;

 private:
  friend class Crowd;
  std::unique_ptr<ControllerState> make_state_without_workspace(const PlanarRoot& place, int lane,
                                                                const Proportions& proportions) const;
  void begin_tick(ControllerState& state, double dt_s) const noexcept;
  // True while a step is due; next_step() gives its item.
  bool is_due(const ControllerState& state) const noexcept;
  bool next_step(ControllerState& state, const Intent& intent_model, StepItem& item) const noexcept;
  void finish_step(const StepItem& item) const noexcept;
  void show(ControllerState& state) const noexcept;
  void restart(ControllerState& state, const PlanarRoot& root_world) const noexcept;
  // Sanitised, in the model's space, led to its goal, or told to wait where that is out of reach.
  Intent intent_for(ControllerState& state, const Intent& intent) const noexcept;
  // The first wish of an intent_for() in world space, and all its wishes changed by as much.
  static Vec3 wanted_velocity_mps(const ControllerState& state, const Intent& intent_model) noexcept;
  static void change_velocity(ControllerState& state, Vec3 change_mps, Intent& intent_model) noexcept;

  SkeletonPtr skeleton_;
  double rate_hz_ = 60;
  std::vector<int> contact_joints_;
  std::vector<std::uint8_t> has_leg_size_;  // [joints] See Proportions.
  std::vector<std::string> styles_, actions_;
};
using ControllerPtr = std::shared_ptr<const Controller>;

// Fails unless the skeletons agree in joints, parents and rest bones (to 1 mm), and names the first
// joint that differs.
Result<void> check_same_skeleton(const Skeleton& model, const Skeleton& given);

}  // namespace zoe::control
