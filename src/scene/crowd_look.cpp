// SPDX-License-Identifier: MIT
#include "zoe/scene/crowd_look.h"

#include <array>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/local_to_model_job.h"
#include "zoe/motion/still.h"
#include "zoe/scene/crowd_actors.h"
#include "zoe/scene/draw.h"
#include "zoe/scene/skinned_mesh.h"

namespace zoe::scene {
namespace {

constexpr std::array<Vec4, 6> kColors{{{0.80F, 0.40F, 0.18F, 1},
                                       {0.16F, 0.42F, 0.72F, 1},
                                       {0.30F, 0.58F, 0.26F, 1},
                                       {0.72F, 0.60F, 0.18F, 1},
                                       {0.55F, 0.28F, 0.60F, 1},
                                       {0.20F, 0.58F, 0.58F, 1}}};

// The model's own body in the pose that characters start from.
render::SkeletonBody make_bones(const control::Controller& controller) {
  const Skeleton& skeleton = *controller.skeleton();
  const auto typical = controller.make_state();
  std::vector<Affine> joints(static_cast<std::size_t>(skeleton.num_joints()));
  LocalToModelJob{.skeleton = &skeleton, .pose = typical->pose(), .model_from_joint = joints}.run();
  const Motion still = make_still(controller.skeleton(), typical->pose());
  const SkeletonAnalysis analysis = analyse(skeleton, {&still, 1});
  return {skeleton, joints, analysis.family == BodyFamily::kBiped ? analysis.head : kNoJoint};
}

}  // namespace

Vec4 group_color(int group) { return kColors[static_cast<std::size_t>(group) % kColors.size()]; }

void add_drawn_crowd(ecs::World& world, ecs::Entity crowd, std::span<const int> groups, render::Renderer& renderer) {
  const auto& actors = world.get<CrowdActors>(crowd);
  const std::vector<ecs::Entity> bodies(actors.bodies().begin(), actors.bodies().end());
  const DisplayedBody body = actors.body();
  std::shared_ptr<const render::CharacterModel> model;
  std::optional<render::SkeletonBody> bones;
  if (body.has_mesh()) {
    Warnings warnings;
    model = std::make_shared<const render::CharacterModel>(
        render::CharacterModel::create(renderer, body.character, body.image_folder, warnings));
  } else {
    bones = make_bones(actors.crowd().controller());
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec4 c = group_color(i < groups.size() ? groups[i] : 0);
    if (model) {
      world.add(bodies[i], make_drawn_body(model));
      world.get<SkinnedMesh>(bodies[i]).tint = {0.3F + c.x, 0.3F + c.y, 0.3F + c.z, 1};
      continue;
    }
    DrawnBody drawn;
    drawn.bones = bones;
    drawn.bone_colors = {.bone = c, .joint = {c.x * 0.5F, c.y * 0.5F, c.z * 0.5F, 1}};
    drawn.bone_scale = world.get<CrowdActors>(crowd).crowd().state(static_cast<int>(i)).proportions().upper;
    world.add(bodies[i], std::move(drawn));
  }
}

}  // namespace zoe::scene
