// SPDX-License-Identifier: MIT
// Part of Zoetrope. Hands and hips of a character that uses a prop, after its network: palms come to the sides of the
// box or to the handle, hips to the seat. The network leads. What it holds follows its hands, and the hands are spread
// to fit. Nothing of this feeds back into the network.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "zoe/character/pose.h"
#include "zoe/control/body.h"
#include "zoe/control/deed_facts.h"
#include "zoe/control/deeds.h"
#include "zoe/core/state_archive.h"

namespace zoe::control {

// Joints of a body that meet props.
struct ReachBody {
  struct Arm {
    int upper = kNoJoint, lower = kNoJoint, hand = kNoJoint;
    Vec3 palm;        // In the hand's frame.
    Vec3 elbow_axis;  // In the frame of the lower arm.
  };
  std::array<Arm, 2> arms;  // Left, right.
  bool has_arms = false;
  std::vector<Leg> legs;  // The first kMostLegs count.
  int hips = kNoJoint;
  float flesh_m = 0;                    // Radius of the capsules of its bones.
  float seated_m = 0;                   // Hips above a seat.
  float before_seat_m = kBeforeSeat_m;  // As DeedFacts.
};
constexpr std::size_t kMostLegs = 4;
ReachBody reach_body_of(const Body& body, const DeedFacts& facts);

class PropReach {
 public:
  explicit PropReach(int num_joints) : models_(static_cast<std::size_t>(num_joints)) {}
  // A moment, in the model's space.
  struct Moment {
    const Skeleton& skeleton;
    const ReachBody& body;
    std::span<const Prop> props;
    const Prop* used = nullptr;
    Deed deed = Deed::kIdle;
    DeedGoal goal;
    float deed_s = 0;
    bool held = false;  // By the network.
    PlanarRoot root;
    float dt_s = 0;
  };
  // Hips and legs before feet are locked, hands after it. None allocates.
  void move_hips(const Moment& now, Pose& pose) noexcept;
  // Shins and feet leave props sideways, so that feet land beside them.
  void move_legs(const Moment& now, Pose& pose) noexcept;
  void move_hands(const Moment& now, Pose& pose) noexcept;
  // A shin or foot of the displayed pose is in a prop: a foot that is held there shall step.
  bool leg_is_inside(const Moment& now, std::size_t index, const Pose& pose) noexcept;
  // The hands have what they hold. Without arms: whatever the network says.
  bool grips() const { return grips_; }
  void reset() noexcept;
  void describe(StateArchive& archive);

 private:
  std::array<Vec3, 2> palms_of(const Moment& now) const noexcept;
  // Where palms shall be, and the share of the way there that they go now; false: the hand is free.
  std::array<bool, 2> find_targets(const Moment& now, const std::array<Vec3, 2>& palms, std::array<Vec3, 2>& targets,
                                   float& share) noexcept;
  bool box_targets(const Moment& now, const std::array<Vec3, 2>& palms, std::array<Vec3, 2>& targets,
                   float& share) noexcept;
  bool door_target(const Moment& now, Vec3 palm, Vec3& target, float& share) noexcept;
  bool follow_grip(const Moment& now, float error_m) noexcept;
  // From where a free hand is inside of a prop to where it is not; zero: it is outside.
  static Vec3 out_of_props(const Moment& now, const Affine& hand, Vec3 palm) noexcept;
  // The same for a shin and its foot, across the floor; zero too where no place beside the prop is near.
  Vec3 leg_out_of_props(const Moment& now, const Leg& leg) const noexcept;
  // How deep they are in props, with the foot moved. Reads models_.
  float depth_of_leg(const Moment& now, const Leg& leg, Vec3 moved) const noexcept;
  // How deep thighs and shins are in what is used, with the hips as they were. Reads models_.
  float knees_in_box_m(const Moment& now) const noexcept;
  void bend_arm(const Moment& now, std::size_t side, Vec3 palm, Pose& pose) noexcept;

  // All in the root's space: what the layer adds to the network's palms and hips.
  std::array<Vec3, 2> offsets_{};
  std::array<Vec3, kMostLegs> leg_offsets_{};
  Vec3 hips_offset_;
  Vec3 lift_;           // Of the held prop, against the network's hands.
  float turn_rad_ = 0;  // The same about +Y; of a door, its angle.
  float waits_s_ = 0;   // For hands that are not at the prop yet.
  float error_m_ = 1;   // Of the last step: the farthest palm from its target, as it shall be.
  float slip_m_ = 0;    // The same as the arms reach.
  Vec3 short_;          // What the arms of the last step were too short by, in the root's space.
  bool grips_ = false;
  bool seated_ = false;         // The hips have come to the seat.
  bool slipped_ = false;        // Let go of a door; until the network does.
  std::vector<Affine> models_;  // Scratch.
};

}  // namespace zoe::control
