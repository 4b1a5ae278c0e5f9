// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. A synthetic person: 67 joints, poses and a skin, the same on every machine.
#pragma once

#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/character/pose.h"

namespace zoe::bench {

// Root, spine of 6, neck and head, arms with five four-joint fingers per hand, legs: 67 joints.
SkeletonPtr make_person();

// Poses with unit scales, joints bent by 15 degrees on average, different for every seed.
Pose make_person_pose(const Skeleton& skeleton, unsigned seed);

// A skin of tubes around the bones in ring order, about `num_vertices` vertices (a multiple of eight), each bound to
// its four nearest joints, with normals. Skin joint i is skeleton joint i.
Mesh make_person_skin(const Skeleton& skeleton, std::size_t num_vertices);

}  // namespace zoe::bench
