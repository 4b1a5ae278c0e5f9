// SPDX-License-Identifier: MIT
// Part of Zoetrope. What the data of a controller of the type nsm was like: joints of hands and hips, how the body sits
// and which sizes of props it knows. Stored in the network's file; for programs that draw tasks and measure.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "zoe/core/result.h"
#include "zoe/ground/prop.h"

namespace zoe::control {

// Roots of people who begin to sit down are this far before a seat's edge, where data does not say so.
constexpr float kBeforeSeat_m = 0.19F;
// Radius of the capsules around bones that props are tested with, of the body's height.
constexpr float kFlesh = 0.04F;

struct DeedFacts {
  using Range = std::array<float, 2>;
  int hips = -1, left_hand = -1, right_hand = -1;
  float seated_m = 0;                   // Joint of the hips above a seat.
  float before_seat_m = kBeforeSeat_m;  // Hips before the seat's edge as the body begins to sit down.
  float skate_cm_s = 0;                 // Mean speed of foot parts in contact, in the data.
  // Least and largest of the data, metres; 0, 0: the data has none.
  Range seat_height{}, seat_width{}, seat_depth{}, seat_back{};
  Range box_width{}, box_height{}, box_depth{}, box_bottom{}, box_kg{};
  Range door_width{}, handle_height{};

  std::string to_text() const;
  // Untrusted text: everything is checked.
  static Result<DeedFacts> parse(const std::string& text);
};
// What of a prop is beyond the sizes of the data, for people: the character was never trained on it. Empty: nothing.
std::string beyond_data(const DeedFacts& facts, const Prop& prop);
constexpr const char* kDeedFactsKey = "deeds";

// Of a run folder or a .zoe file. Fails where the controller knows no deeds.
Result<DeedFacts> load_deed_facts(const std::filesystem::path& run);

}  // namespace zoe::control
