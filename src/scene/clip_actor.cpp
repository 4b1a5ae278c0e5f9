// SPDX-License-Identifier: MIT
#include "zoe/scene/clip_actor.h"

#include <cmath>
#include <numbers>

#include "zoe/anatomy/find_root.h"
#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/root_joints.h"

#include "scene/clip_memory.h"

namespace zoe::scene {
namespace {

Affine scaled(float s) { return {{s, 0, 0}, {0, s, 0}, {0, 0, s}, {}}; }

// Of the clip's own body, or found from its motion.
AnalysisPtr analysis_of(const ClipOnBody& clip) {
  if (clip.body != nullptr) return clip.body;
  const AnalysisOptions options{.up_is_known = true, .stated_metres_per_unit = 1.0};
  return std::make_shared<const SkeletonAnalysis>(
      analyse(*clip.character->skeleton, {clip.motion.get(), 1}, clip.character.get(), options));
}

// Front of the body over the clip. None where the analysis is not sure, and for bodies without hips, shoulders or a
// neck, such as snakes, which have no facing in each frame.
std::optional<float> find_front(const ClipOnBody& clip, const SkeletonAnalysis* body) {
  constexpr double kSure = 0.8;
  constexpr float kPi = std::numbers::pi_v<float>;
  if (body == nullptr || body->up.y < 0.5F || body->of(AnalysisField::kForward).confidence < kSure) return std::nullopt;
  if (!facing_rule(*body, root_joints(*body))) return std::nullopt;
  float front = front_of(find_root(*clip.motion, *body));
  if (body->reference_clip >= 0) return front;
  // Where hips or shoulders contradict the analysis in the rest pose, they do so in all frames.
  const Motion rest = make_motion(clip.character->skeleton, "rest", 30, 1, true);
  const float stated = std::atan2(body->forward.x, body->forward.z);
  if (std::abs(std::remainder(front_of(find_root(rest, *body)) - stated, 2 * kPi)) > kPi / 2) front += kPi;
  return front;
}

}  // namespace

ClipDisplay::ClipDisplay() : memory_(std::make_unique<ClipMemory>()) {}
ClipDisplay::~ClipDisplay() = default;
ClipDisplay::ClipDisplay(ClipDisplay&&) noexcept = default;
ClipDisplay& ClipDisplay::operator=(ClipDisplay&&) noexcept = default;

Result<Entity> add_clip_actor(ecs::World& world, const ClipOnBody& clip, render::Renderer& renderer,
                              const ClipLook& look, Warnings& warnings) {
  ZOE_CHECK(clip.character != nullptr && clip.motion != nullptr, "a clip actor needs a character and a motion");
  const float s = clip.metres_per_unit;
  const Entity entity = add_actor(world, clip.character, {{}, {}, {s, s, s}});
  const auto refuse = [&](const Error& error) {
    destroy_tree(world, entity);
    return error;
  };
  if (const Result<void> plays = play_motion(world, entity, clip.motion); !plays) return refuse(plays.error());
  const bool meshes = clip.has_mesh() && !look.bones;
  const AnalysisPtr body = !meshes || look.signs.contacts ? analysis_of(clip) : nullptr;
  ClipDisplay display;
  display.signs = look.signs;
  if (look.signs.contacts) {
    Result<Contacts> found = find_foot_contacts(*clip.motion, *body);
    if (!found) return refuse(found.error());
    display.contacts = std::move(found).value();
    display.feet = body->feet;
  }

  auto& player = world.get<MotionPlayer>(entity);
  auto& actor = world.get<Actor>(entity);
  player.set_paused(true);
  player.step(0, actor);
  update_joints(actor);
  keep_before(actor);

  // Bones have the lengths at the clip's start, not of the rest pose.
  DrawnBody drawn = meshes ? make_drawn_body(std::make_shared<const render::CharacterModel>(
                                 render::CharacterModel::create(renderer, clip.character, clip.image_folder, warnings)))
                           : make_drawn_bones(actor, body->family == BodyFamily::kBiped ? body->head : kNoJoint);
  drawn.skinning = look.skinning;
  display.extent = measure_extent(*clip.motion, meshes ? clip.character.get() : nullptr,
                                  drawn.bones ? &*drawn.bones : nullptr, scaled(s));
  display.extent.front_rad = find_front(clip, body != nullptr ? body.get() : clip.body.get());
  world.add(entity, std::move(drawn));
  world.add(entity, std::move(display));
  return entity;
}

}  // namespace zoe::scene
