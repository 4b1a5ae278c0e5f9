// SPDX-License-Identifier: MIT
// Part of Zoetrope. Crowd scenes for display and measurement: starts and goals of characters.
#pragma once

#include <string>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/core/random.h"
#include "zoe/core/result.h"

namespace zoe::eval {

// "streams": two groups cross at a right angle and return. "swap": characters on a circle go to the opposite side.
// "facing": two groups walk through each other. "goals": random positions.
std::span<const char* const> scene_names();

struct CrowdScene {
  std::vector<PlanarRoot> places;
  std::vector<Vec3> goals;
  std::vector<int> groups;  // Group of each character, from 0.
  float half_size_m = 0;    // Starts and goals are within this distance of the origin, along x and z.
  bool comes_back = false;  // A character that arrives returns to its start, without end.
  bool wanders = false;     // A character that arrives gets a new random goal.
};
// spacing_m: distance between characters at the start.
Result<CrowdScene> make_scene(const std::string& name, int num_characters, std::uint64_t seed = 1,
                              float spacing_m = 1.5F);

// Leads every character to its goal. Speeds differ by 10 %.
class CrowdDirector {
 public:
  CrowdDirector(CrowdScene scene, float speed_mps, std::uint64_t seed = 1);

  const CrowdScene& scene() const { return scene_; }
  // intents: [crowd.size()] Writes the next intent of each character. Never allocates.
  void direct(const control::Crowd& crowd, std::span<control::Intent> intents) noexcept;
  // Number of arrivals. Where characters stay at their goal it is the number of characters that have arrived.
  int num_arrivals() const { return num_arrivals_; }

 private:
  CrowdScene scene_;
  std::vector<float> speeds_mps_;
  std::vector<std::uint8_t> arrived_;
  Random random_;
  int num_arrivals_ = 0;
};

}  // namespace zoe::eval
