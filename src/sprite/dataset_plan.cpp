// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "zoe/core/random.h"
#include "zoe/sprite/dataset.h"

namespace zoe::sprite {
namespace {

struct NamedYaw {
  const char* name;
  float yaw_deg;
};
// Side views are turned towards the viewer a little.
constexpr std::array<NamedYaw, 2> kSides{{{"e", 70}, {"w", 290}}};
constexpr std::array<NamedYaw, 8> kAll{
    {{"s", 0}, {"e", 90}, {"n", 180}, {"w", 270}, {"se", 45}, {"ne", 135}, {"nw", 225}, {"sw", 315}}};

int num_actions(const DatasetOptions& options) {
  const std::size_t own = options.actions.empty() ? identity::action_words().size() : options.actions.size();
  return static_cast<int>(own + options.motions.size());
}

// Rounds in which every person has every action at least once.
int num_rounds(const DatasetOptions& options) {
  std::size_t rounds = options.num_identities > 0 ? static_cast<std::size_t>(num_actions(options)) : 0;
  for (const DatasetCharacter& character : options.characters) rounds = std::max(rounds, character.actions.size());
  return static_cast<int>(rounds);
}

int num_persons(const DatasetOptions& options) {
  return options.num_identities + static_cast<int>(options.characters.size());
}

}  // namespace

int num_dataset_clips(const DatasetOptions& options) {
  return options.num_clips > 0 ? options.num_clips : num_persons(options) * num_rounds(options);
}

ClipPlan plan_clip(const DatasetOptions& options, int id) {
  Random random = Random(options.seed).split(static_cast<std::uint64_t>(id));
  ClipPlan plan;
  plan.id = id;
  const int person = id % num_persons(options), round = id / num_persons(options);
  // Each round gives every person another action; neighbours have different ones.
  if (person < options.num_identities) {
    plan.traits = identity::draw_traits(options.first_identity + static_cast<std::uint64_t>(person));
    plan.action = (round + person * 7) % num_actions(options);
  } else {
    plan.character = person - options.num_identities;
    const auto count = options.characters[static_cast<std::size_t>(plan.character)].actions.size();
    plan.action = (round + person * 7) % static_cast<int>(count);
  }
  const NamedYaw yaw = options.num_directions <= 2
                           ? kSides[random.below(static_cast<std::uint64_t>(options.num_directions))]
                           : kAll[random.below(static_cast<std::uint64_t>(std::min(options.num_directions, 8)))];
  plan.direction = yaw.name;
  plan.yaw_deg = yaw.yaw_deg;
  plan.pitch_deg = options.pitches_deg[random.below(options.pitches_deg.size())];
  plan.style = options.styles[random.below(options.styles.size())];
  if (plan.character >= 0) {
    plan.weapon =
        static_cast<int>(random.below(options.characters[static_cast<std::size_t>(plan.character)].armed.size()));
    return plan;
  }
  const bool armed = plan.traits.species != identity::Species::kGhost;
  if (armed && random.uniform() < options.weapon_changes) {
    constexpr int kNumWeapons = 13;
    plan.traits.weapon = static_cast<identity::Weapon>(random.below(2) == 0 ? 0 : 1 + random.below(kNumWeapons - 1));
  }
  return plan;
}

}  // namespace zoe::sprite
