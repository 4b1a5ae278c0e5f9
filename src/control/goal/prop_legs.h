// SPDX-License-Identifier: MIT
// Part of Zoetrope. Legs of a character among props. Before feet are locked, shins and feet leave props across the
// floor, so that feet land beside them. After it, what of a leg is inside still comes out: the knee turns aside, or the
// foot moves. Nothing of this feeds back into the network.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "zoe/control/controller.h"

#include "control/goal/limb_room.h"
#include "control/goal/prop_reach.h"

namespace zoe::control {

// How near to a prop a step of the root may lead; 0: into it. grips: hands have what the network holds.
float root_stops_m(const Prop& prop, const Prop* used, const DeedProgress& progress, bool grips) noexcept;

class PropLegs {
 public:
  explicit PropLegs(int num_joints) : models_(static_cast<std::size_t>(num_joints)) {}
  // None allocates.
  void land_beside(const PropReach::Moment& now, Pose& pose) noexcept;
  // A shin or foot of the displayed pose is in a prop: a foot that is held there shall step.
  bool is_inside(const PropReach::Moment& now, std::size_t index, const Pose& pose) noexcept;
  // The displayed pose. Bits of the result are legs whose feet were moved.
  std::uint32_t keep_out(const PropReach::Moment& now, Pose& pose) noexcept;
  void reset() noexcept { beside_ = {}, out_ = {}; }
  void describe(StateArchive& archive);

 private:
  // Across the floor, to where shin and foot are outside; zero too where no place beside the prop is near.
  Vec3 out_of_props(const PropReach::Moment& now, const Leg& leg) const noexcept;
  // How deep they are in props, with the foot moved. Reads models_.
  float depth_of(const PropReach::Moment& now, const Leg& leg, Vec3 moved) const noexcept;

  // In the root's space: what is added to the network's feet, and to those that locks hold.
  std::array<Vec3, kMostLegs> beside_{};
  std::array<LimbMove, kMostLegs> out_{};
  std::vector<Affine> models_;  // Scratch.
};

}  // namespace zoe::control
