// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joints of puppets as poses of painters, and back.
#pragma once

#include "zoe/paint/pose.h"

#include "sprite/puppet/puppet.h"

namespace zoe::sprite {

// Of a humanoid. offset: of the figure on the canvas; size: pixels of the canvas.
paint::Pose pose_of_rig(const PuppetRig& rig, Point offset, int size);
// The same, driven. The width of a turned figure is ignored.
paint::Pose pose_of_puppet(const Puppet& puppet, const PuppetPose& pose, Point offset, int size);

// A humanoid rig with the joints of a pose, on a canvas of `size` pixels. The body must have all of them.
bool has_all_joints(const paint::Pose& pose);
PuppetRig rig_of_pose(const paint::Pose& pose, int size);
// A pose in which the puppet's joints are those of `pose`: the best that a puppet can do.
PuppetPose puppet_pose_of(const Puppet& puppet, const paint::Pose& pose, int size);

}  // namespace zoe::sprite
