// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip on its stage. Sprite space: the pivot at the origin, y up, the body facing +z, model units.
#pragma once

#include <span>
#include <vector>

#include "zoe/math/affine.h"
#include "zoe/render/software/model.h"
#include "zoe/sprite/request.h"

#include "sprite/follow.h"
#include "sprite/smear.h"
#include "sprite/squash.h"

namespace zoe::sprite {

// What all clips of a character share.
struct CastMember {
  LooseParts loose;
  std::vector<std::uint32_t> welded;  // Of weld(); empty where no clip has smears.
};
CastMember cast_of(const Request& request, const render::SoftwareModel& model);

class ClipStage {
 public:
  // The clip and the member must outlive the stage. pivot: of find_pivot().
  ClipStage(const Request& request, const Clip& clip, Vec3 pivot, const CastMember& member);

  // Moves the body up, model units.
  void raise(float height) {
    sprite_from_model_.t.y += height;
    raised_ += height;
  }

  // model_from_joint at a moment.
  void joints(double time_s, std::vector<Affine>& out) const;
  // Vertices at an exposure, with follow-through and smears, and where they are on the stage, with squash.
  void pose(const render::SoftwareModel& model, double time_s, render::PosedVertices& out) const;
  Affine sprite_from_model(double time_s) const;
  // The same without squash.
  Affine placement(double time_s) const;
  // Travel since the first exposure that sprite_from_model() removed; sprite space.
  Vec3 removed_travel(double time_s) const;
  // Removed travel of the whole clip, model space.
  Vec3 travel() const { return travel_; }

 private:
  void pose_sharp(const render::SoftwareModel& model, double time_s, render::PosedVertices& out) const;
  bool is_fast(double time_s) const;

  const Clip* clip_;
  const CastMember* member_;
  std::shared_ptr<const Motion> motion_;  // With follow-through.
  std::vector<PendantTrack> pendants_;
  SquashTrack squash_;
  float height_ = 1, raised_ = 0;  // Model units.
  Affine sprite_from_model_;       // At time 0.
  Vec3 travel_;                    // Removed travel of the whole clip, model space.
};

// The point of the model over the pivot: its origin, or the middle of the rest pose where the origin is not near it.
Vec3 find_pivot(const Request& request, const render::SoftwareModel& model);

// view_from_sprite of a direction: yaw of the body from the viewer, and pitch of the camera.
Affine view_from_sprite(float yaw_deg, float pitch_deg);

struct Direction {
  std::string name;
  float yaw_deg = 0;  // 0 faces the viewer, 90 to the right.
};
// Those that are drawn.
std::vector<Direction> directions_of(const Request& request);

// "sw" of "se"; empty for directions without a mirror image.
std::string mirrored_direction(const std::string& name);

}  // namespace zoe::sprite
