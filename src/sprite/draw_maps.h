// SPDX-License-Identifier: MIT
// Part of Zoetrope. Draws the maps of a frame from its surfaces.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/render/software/raster.h"
#include "zoe/sprite/maps.h"

namespace zoe::sprite {

// What is the same in all frames of a character.
class MapMaker {
 public:
  // num_weapons: last instances of the character that are weapons.
  MapMaker(const render::SoftwareModel& model, const SkeletonAnalysis& body, int num_weapons);

  struct Moment {
    const render::PosedVertices* vertices;
    std::span<const Affine> joints;  // model_from_joint.
    render::SurfaceView view;        // In samples.
  };
  // surfaces: of `now`, `samples` per pixel each way. height: of the body, model units. next: of the following frame.
  FrameMaps draw(const MapSet& kinds, const render::SurfaceBuffer& surfaces, int samples, float height,
                 const Moment& now, const Moment& next) const;

 private:
  void find_keypoints(const SkeletonAnalysis& body);

  const render::SoftwareModel& model_;
  std::vector<BodyPart> part_of_triangle_;
  // Keypoints in the frames of their joints; kNoJoint: the body has none.
  std::array<int, kNumKeypoints> joint_{};
  std::array<Vec3, kNumKeypoints> offset_{};
};

// The drawing of OpenPose: limbs in their colours on black, in the order of its list.
void draw_pose(std::span<const Keypoint, kNumKeypoints> keypoints, render::Picture& canvas);

}  // namespace zoe::sprite
