// SPDX-License-Identifier: MIT
#include "zoe/eval/crowd_scenes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/suggest.h"

namespace zoe::eval {
namespace {

constexpr const char* kScenes[] = {"streams", "swap", "facing", "goals"};
constexpr float kArrived_m = 0.3F, kSlowing_m = 0.8F;
constexpr float kJitter = 0.15F;  // Fraction of the spacing: exact rows would be a special case.

// A block of rows centred at the origin: positions and their extent.
struct Block {
  std::vector<Vec3> places;
  float half_x_m = 0, half_z_m = 0;
};
Block make_block(int count, float spacing_m, Random& random) {
  const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(static_cast<float>(count)))));
  const int rows = (count + columns - 1) / columns;
  Block block{{}, 0.5F * spacing_m * static_cast<float>(columns), 0.5F * spacing_m * static_cast<float>(rows)};
  for (int i = 0; i < count; ++i) {
    const float jitter_x = random.uniform(-kJitter, kJitter), jitter_z = random.uniform(-kJitter, kJitter);
    block.places.push_back({(static_cast<float>(i % columns) + 0.5F + jitter_x) * spacing_m - block.half_x_m, 0,
                            (static_cast<float>(i / columns) + 0.5F + jitter_z) * spacing_m - block.half_z_m});
  }
  return block;
}

// Two blocks before their meeting point; the second comes from the side, or from the front.
CrowdScene make_groups(int count, float spacing_m, bool from_the_front, Random& random) {
  CrowdScene scene{.comes_back = true};
  const int first = (count + 1) / 2;
  for (int group = 0; group < 2; ++group) {
    const Block block = make_block(group == 0 ? first : count - first, spacing_m, random);
    const float before_m = block.half_z_m + spacing_m + block.half_x_m;
    const float facing_rad = group == 0       ? 0
                             : from_the_front ? std::numbers::pi_v<float>
                                              : std::numbers::pi_v<float> / 2;
    const Quat turn = rotation_of(PlanarRoot{{}, facing_rad});
    for (const Vec3& place : block.places) {
      scene.places.push_back({rotate(turn, place - Vec3{0, 0, before_m}), facing_rad});
      scene.goals.push_back(rotate(turn, place + Vec3{0, 0, before_m}));
      scene.groups.push_back(group);
    }
    scene.half_size_m = std::max(scene.half_size_m, before_m + block.half_z_m);
  }
  return scene;
}

// Rings of at most 100 characters, each wider than the one before by one spacing.
CrowdScene make_swap(int count, float spacing_m) {
  CrowdScene scene;
  float radius_m = 0;
  for (int first = 0, ring = 0; first < count; first += 100, ++ring) {
    const int here = std::min(count - first, 100);
    radius_m = std::max({radius_m + 2 * spacing_m, 3 * spacing_m,
                         spacing_m * static_cast<float>(here) / (2 * std::numbers::pi_v<float>)});
    for (int i = 0; i < here; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> *
                          (static_cast<float>(i) + 0.5F * static_cast<float>(ring % 2)) / static_cast<float>(here);
      const Vec3 out{std::sin(angle), 0, std::cos(angle)};
      scene.places.push_back({out * radius_m, angle + std::numbers::pi_v<float>});
      scene.goals.push_back(out * -radius_m);
      scene.groups.push_back(i * 6 / here);
    }
  }
  scene.half_size_m = radius_m;
  return scene;
}

CrowdScene make_goals(int count, float spacing_m, Random& random) {
  CrowdScene scene{.wanders = true};
  const Block block = make_block(count, 2 * spacing_m, random);
  scene.half_size_m = std::max(block.half_x_m, block.half_z_m);
  for (std::size_t i = 0; i < block.places.size(); ++i) {
    scene.places.push_back({block.places[i], random.uniform(-3.14F, 3.14F)});
    scene.goals.push_back(block.places[i]);  // Already arrived: the director draws the first goals.
    scene.groups.push_back(static_cast<int>(i % 6));
  }
  return scene;
}

}  // namespace

std::span<const char* const> scene_names() { return kScenes; }

Result<CrowdScene> make_scene(const std::string& name, int num_characters, std::uint64_t seed, float spacing_m) {
  Random random(seed);
  const int count = std::max(num_characters, 0);
  if (name == "streams") return make_groups(count, spacing_m, false, random);
  if (name == "facing") return make_groups(count, spacing_m, true, random);
  if (name == "swap") return make_swap(count, spacing_m);
  if (name == "goals") return make_goals(count, spacing_m, random);
  const std::vector<std::string> names(std::begin(kScenes), std::end(kScenes));
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  return Error{ErrorCode::kUsage, "no scene '" + name + "'" + did_you_mean(name, names) + "; there are: " + list, {}};
}

CrowdDirector::CrowdDirector(CrowdScene scene, float speed_mps, std::uint64_t seed)
    : scene_(std::move(scene)), arrived_(scene_.places.size()), random_(seed) {
  Random speeds = Random(seed).split(1);
  for (std::size_t i = 0; i < scene_.places.size(); ++i) {
    speeds_mps_.push_back(speed_mps * speeds.uniform(0.9F, 1.1F));
  }
}

void CrowdDirector::direct(const control::Crowd& crowd, std::span<control::Intent> intents) noexcept {
  for (std::size_t i = 0; i < intents.size(); ++i) {
    const control::ControllerState& state = crowd.state(static_cast<int>(i));
    Vec3& goal = scene_.goals[i];
    Vec3 way = goal - state.root().position;
    way.y = 0;
    if (length(way) < kArrived_m && arrived_[i] == 0) {
      if (scene_.comes_back) {
        std::swap(goal, scene_.places[i].position);
      } else if (scene_.wanders) {
        const float half_m = scene_.half_size_m;
        goal = {random_.uniform(-half_m, half_m), 0, random_.uniform(-half_m, half_m)};
      } else {
        arrived_[i] = 1;
      }
      ++num_arrivals_;
      way = goal - state.root().position;
      way.y = 0;
    }
    const float left_m = length(way);
    const bool stays = arrived_[i] != 0 || left_m < 1e-3F;
    const float slowed = std::min(left_m / kSlowing_m, 1.0F);
    intents[i] = stays ? control::Intent::stand() : control::Intent::move(way * (speeds_mps_[i] * slowed / left_m));
  }
}

}  // namespace zoe::eval
