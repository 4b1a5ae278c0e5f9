// SPDX-License-Identifier: MIT
#include "zoe/scene/clip_actor.h"

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

// Bodies without hips, shoulders or a neck, such as snakes, have no facing in each frame.
bool can_face(const SkeletonAnalysis* body) {
  return body != nullptr && body->up.y > 0.5F && facing_rule(*body, root_joints(*body)).has_value();
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
  if (const AnalysisPtr& known = body != nullptr ? body : clip.body; can_face(known.get()))
    display.extent.front_rad = front_of(find_root(*clip.motion, *known));
  world.add(entity, std::move(drawn));
  world.add(entity, std::move(display));
  return entity;
}

}  // namespace zoe::scene
