// SPDX-License-Identifier: MIT
// Part of Zoetrope. Crowds to look at and to measure: where everybody starts, and where to they go.
#pragma once

#include <string>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/core/random.h"
#include "zoe/core/result.h"

namespace zoe::control {

// "streams": two groups cross at a right angle, and come back; "swap": a circle on which everybody
// goes to the opposite side; "facing": two groups walk through each other; "goals": random places.
std::span<const char* const> scene_names();

struct CrowdScene {
  std::vector<PlanarRoot> places;
  std::vector<Vec3> goals;
  std::vector<int> groups;  // Who belongs together, from 0.
  float half_size_m = 0;    // Places and goals are within this distance of the origin, along x and z.
  bool comes_back = false;  // Whoever arrives goes back to where it started, for ever.
  bool wanders = false;     // Whoever arrives gets another place at random.
};
// spacing_m: from one character to the next at the start.
Result<CrowdScene> make_scene(const std::string& name, int num_characters, std::uint64_t seed = 1,
                              float spacing_m = 1.5F);

// Leads everybody to their goals. Speeds differ by a tenth.
class CrowdDirector {
 public:
  CrowdDirector(CrowdScene scene, float speed_mps, std::uint64_t seed = 1);

  const CrowdScene& scene() const { return scene_; }
  // intents: [crowd.size()] what everybody wants next. Never allocates.
  void direct(const Crowd& crowd, std::span<Intent> intents) noexcept;
  // Of those who stay where they arrive: how many have; else how often anybody has.
  int num_arrivals() const { return num_arrivals_; }

 private:
  CrowdScene scene_;
  std::vector<float> speeds_mps_;
  std::vector<std::uint8_t> arrived_;
  Random random_;
  int num_arrivals_ = 0;
};

}  // namespace zoe::control
