// SPDX-License-Identifier: MIT
// Part of Zoetrope. The character that displays a controller: any character with a mesh, retargeted pose by pose.
//
//   const DisplayedBody knight = make_displayed_body(*walker, character, analysis, reference).value();
//   add_controlled_actor(scene.world(), walker, drive_by(source), {.body = knight});
#pragma once

#include <filesystem>
#include <memory>

#include "zoe/control/controller.h"
#include "zoe/motion/motion.h"
#include "zoe/retarget/live_retarget.h"

namespace zoe::scene {

struct DisplayedBody {
  CharacterPtr character;                        // Null: the controller's own bones.
  std::shared_ptr<const LiveRetarget> retarget;  // Null: the character has the controller's skeleton.
  float metres_per_unit = 1;                     // Of the character.
  std::filesystem::path image_folder;            // Of its textures.
  float height_m = 0;                            // Ground to top, of the mesh. 0: unknown.

  bool has_mesh() const { return character && !character->instances.empty() && !character->meshes.empty(); }
  // World metres of the displayed body over metres of the controller. A body with legs half as long covers half the
  // distance with each step.
  float scale() const;
};

// analysis, reference: of the character; see reference_pose(). Fails where the two bodies have no legs or spine in
// common.
Result<DisplayedBody> make_displayed_body(const control::Controller& controller, CharacterPtr character,
                                          const SkeletonAnalysis& analysis, const Pose& reference);

// Turns poses of the controller into poses of the body. One per thread.
class BodyPoser {
 public:
  BodyPoser() = default;  // Passes poses on.
  explicit BodyPoser(DisplayedBody body);

  const DisplayedBody& body() const { return body_; }
  // Valid until the next call.
  PoseView run(const PoseView& controller_pose);

 private:
  DisplayedBody body_;
  LiveRetargetScratch scratch_;
  Pose pose_;
};

// A motion of the controller on the body, in the units of its character.
Motion displayed_motion(const Motion& motion, const DisplayedBody& body);

}  // namespace zoe::scene
