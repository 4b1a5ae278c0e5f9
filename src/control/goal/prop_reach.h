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

#include "control/goal/limb_room.h"

namespace zoe::control {

// Joints of a body that meet props.
struct ReachBody {
  struct Arm {
    int upper = kNoJoint, lower = kNoJoint, hand = kNoJoint;
    Vec3 palm;                 // In the hand's frame.
    Vec3 elbow_axis;           // In the frame of the lower arm.
    std::vector<int> fingers;  // All joints below the hand.
  };
  std::array<Arm, 2> arms;  // Left, right.
  bool has_arms = false;
  std::vector<int> trunk;  // Ends of the bones that are of no arm.
  std::vector<Leg> legs;   // The first kMostLegs count.
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
  void move_hands(const Moment& now, Pose& pose) noexcept;
  // The hands have what they hold. Without arms: whatever the network says.
  bool grips() const { return grips_; }
  // They have it although the network does not say so: a handle, until the door is open.
  bool keeps() const { return keeps_; }
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
  // An arm as it is, with the hand moved. thick_m: radius of forearm and fingers. Reads models_.
  Limb limb_of(const Moment& now, std::size_t side, Vec3 moved, float thick_m) const noexcept;
  // From where a free arm is inside of a prop to where it is not; zero: it is outside.
  Vec3 out_of_props(const Moment& now, std::size_t side) const noexcept;
  // How much higher hands at a box have their fingers out of what it stands on.
  float above_table_m(const Moment& now, const std::array<Vec3, 2>& palms,
                      const std::array<Vec3, 2>& targets) const noexcept;
  // How much farther ahead a held box must be, from where it would be, for no bone to be in it.
  float before_body_m(const Moment& now, const Prop& box, Vec3 ahead) const noexcept;
  // How deep thighs and shins are in what is used, with the hips as they were. Reads models_.
  float knees_in_box_m(const Moment& now) const noexcept;
  void bend_arm(const Moment& now, std::size_t side, Vec3 palm, Pose& pose) noexcept;

  // All in the root's space: what the layer adds to the network's palms and hips.
  std::array<Vec3, 2> offsets_{};
  Vec3 hips_offset_;
  Vec3 lift_;           // Of the held prop, against the network's hands.
  PlanarRoot box_;      // Where the palms have the held box.
  float turn_rad_ = 0;  // The same about +Y; of a door, its angle.
  float away_m_ = 0;    // The held prop, from the body in it.
  float waits_s_ = 0;   // For hands that are not at the prop yet.
  float error_m_ = 1;   // Of the last step: the farthest palm from its target, as it shall be.
  float slip_m_ = 0;    // The same as the arms reach.
  Vec3 short_;          // What the arms of the last step were too short by, in the root's space.
  bool grips_ = false, keeps_ = false;
  bool seated_ = false;         // The hips have come to the seat.
  bool slipped_ = false;        // Let go of a door; until the network does.
  std::vector<Affine> models_;  // Scratch.
};

}  // namespace zoe::control
