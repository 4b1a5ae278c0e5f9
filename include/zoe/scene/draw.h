// SPDX-License-Identifier: MIT
// Part of Zoetrope. A scene as the renderer's frame description: bodies, lights, ground and camera between two fixed
// steps. No OpenGL here. Only in builds with the renderer.
#pragma once

#include <memory>
#include <optional>

#include "zoe/render/character_model.h"
#include "zoe/render/skeleton_body.h"
#include "zoe/scene/scene.h"

namespace zoe::scene {

// A component beside Actor and SkinnedMesh: its objects on the GPU. Made by code that has a renderer. Without it an
// actor is not drawn.
struct DrawnBody {
  std::shared_ptr<const render::CharacterModel> model;  // Shared by all bodies of a character; null for bones.
  std::optional<render::CharacterBody> body;            // Its meshes, or
  std::optional<render::SkeletonBody> bones;            // solid bones.
  std::optional<render::Skinning> skinning;             // Empty: as each skin states.
  render::SkeletonColors bone_colors;                   // Factor on SkinnedMesh::tint.
  float bone_scale = 1;                                 // See SkeletonBody::add_to().
};
DrawnBody make_drawn_body(std::shared_ptr<const render::CharacterModel> model);
// For characters without a mesh. The actor's present pose determines bone lengths. head: the joint of a person's head,
// which gets a skull.
DrawnBody make_drawn_bones(const Actor& actor, int head = kNoJoint);

// Skin matrices once per frame, in parallel. Call once per scene.
void add_draw_systems(Scene& scene);

struct DrawOptions {
  bool trajectories = true;  // As lines on the ground.
  bool ik_targets = true;    // As wire spheres.
};

// Clears the frame and describes the scene after its last advance(). Settings and everything that the scene does not
// define (sky, ground colours, the sun without a sun light) stay. Spans point into the scene, until it changes.
// Allocates nothing once warm.
void fill_frame(const Scene& scene, render::RenderFrame& frame, const DrawOptions& options = {});

// The actor of an id of Renderer::pick, or no entity.
Entity picked_entity(const ecs::World& world, std::uint32_t id);

}  // namespace zoe::scene
