// SPDX-License-Identifier: MIT
// Part of Zoetrope. Type `gait` out of a data set: the clips give the body and how it stands, nothing else.
#include <fmt/format.h>

#include "zoe/author/alive.h"
#include "zoe/motion/still.h"

#include "author/fits.h"

namespace zoe::author {

Result<void> fit_gait(const FitContext& context) {
  const control::Body& stands = context.body;
  io::Asset asset;
  auto character = std::make_shared<Character>();
  character->skeleton = stands.skeleton;
  asset.character = std::move(character);
  const Pose& pose = stands.stand.rotations.empty() ? stands.start : stands.stand;
  asset.clips.push_back(make_still(stands.skeleton, pose.view()));
  ZOE_TRY_ASSIGN(const Alive alive, make_alive(asset));
  for (const std::string& note : alive.notes) context.listener.say(note);
  context.listener.say(
      fmt::format("gait: {}, {} legs", control::to_string(alive.plan.locomotion), alive.plan.legs.size()));
  context.config.network = control::kGaitFile;
  ZOE_TRY(control::save_body(context.run / context.config.body, alive.body));
  return control::save_gait_plan(context.run / context.config.network, alive.plan);
}

}  // namespace zoe::author
