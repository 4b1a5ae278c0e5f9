// SPDX-License-Identifier: MIT
#include "sprite/puppet/canvas.h"

#include <algorithm>

namespace zoe::sprite {

PuppetReach reach_of(Puppet& puppet, const PuppetRequest& request) {
  PuppetReach reach;
  std::vector<std::vector<Point>> vertices;
  for (const PuppetClip& clip : request.clips) {
    const PuppetDriver driver = driver_of(puppet, clip, request);
    for (const Exposure& exposure : clip.exposures) {
      puppet.deform(driver.pose(exposure.time_s), vertices);
      for (const std::vector<Point>& part : vertices) {
        for (const Point v : part) {
          const Point d = v - driver.pivot();
          reach.left = std::max(reach.left, -d.x);
          reach.right = std::max(reach.right, d.x);
          reach.top = std::max(reach.top, -d.y);
          reach.bottom = std::max(reach.bottom, d.y);
        }
      }
    }
  }
  return reach;
}

PuppetRig scaled(PuppetRig rig, double x, double y) {
  for (PuppetJoint& joint : rig.joints) joint.position = {joint.position.x * x, joint.position.y * y};
  return rig;
}

PuppetDriver driver_of(const Puppet& puppet, const PuppetClip& clip, const PuppetRequest& request) {
  return PuppetDriver(puppet, {clip.motion, clip.body, clip.loop, request.keep_travel});
}

void add_animation(const PuppetClip& clip, const PuppetRequest& request, FrameSet& set) {
  const int count = static_cast<int>(clip.exposures.size());
  Animation animation{.name = clip.name + "_e",
                      .clip = clip.name,
                      .direction = "e",
                      .first = static_cast<int>(set.frames.size()) - count,
                      .count = count,
                      .loop = clip.loop};
  set.animations.push_back(animation);
  if (!request.two_directions) return;
  animation.name = clip.name + "_w";
  animation.direction = "w";
  set.mirrored.push_back(animation);
}

}  // namespace zoe::sprite
