// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip on its body as films and viewers display it: the actor, and beside it ghosts of other
// moments, paths, speeds, contacts and names. Only in builds with the renderer.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "zoe/motion/contacts.h"
#include "zoe/scene/clip.h"
#include "zoe/scene/draw.h"
#include "zoe/scene/extent.h"

namespace zoe::scene {

// Drawings beside the body.
struct ClipSigns {
  bool trajectory = false;  // The root's path on the ground, a second before and after.
  bool velocities = false;  // Of every joint.
  bool contacts = false;    // Under the feet that the analysis finds.
  bool names = false;       // Of every joint.
};

struct ClipLook {
  bool bones = false;                        // Also where there is a mesh.
  std::optional<render::Skinning> skinning;  // Empty: as each skin of the file states.
  ClipSigns signs;
};

struct ClipMemory;  // Memory of the drawing between frames.

// A component of clip actors.
class ClipDisplay {
 public:
  ClipDisplay();
  ~ClipDisplay();
  ClipDisplay(ClipDisplay&&) noexcept;
  ClipDisplay& operator=(ClipDisplay&&) noexcept;

  BodyExtent extent;  // World metres, with the entity's scale and at the origin.
  ClipSigns signs;
  Contacts contacts;      // Of `feet`; empty: none are drawn.
  std::vector<int> feet;  // Joints.

  ClipMemory& memory() { return *memory_; }

 private:
  std::unique_ptr<ClipMemory> memory_;
};

// An actor that plays the clip, paused at its start: seek() its MotionPlayer. Fails where a clip cannot be played on
// the character, or where contacts are requested and the analysis finds no feet. Missing textures are warnings.
Result<Entity> add_clip_actor(ecs::World& world, const ClipOnBody& clip, render::Renderer& renderer,
                              const ClipLook& look, Warnings& warnings);

struct GhostPose {
  double time_s = 0;  // From the clip's start.
  float alpha = 0.35F;
};
// Transparent bodies of the playing clip. They point into the actor's ClipDisplay: call once per frame and actor.
void add_ghosts(ecs::World& world, Entity actor, std::span<const GhostPose> ghosts, render::RenderFrame& frame);
// ClipDisplay::signs around the clip's pose at a time. The frame's camera and ground must be set.
void add_signs(ecs::World& world, Entity actor, double time_s, render::RenderFrame& frame);

}  // namespace zoe::scene
