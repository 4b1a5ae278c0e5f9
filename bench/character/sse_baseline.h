// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. The method of a good four-wide runtime: SoA groups of four joints to local 4×4
// matrices, then one 4×4 product per joint. Our own plain SSE2 code, as a peer that runs in the same process.
#pragma once

#include <cstddef>
#include <vector>

#include "zoe/character/pose.h"

namespace zoe::bench {

struct alignas(16) Matrix4 {
  float columns[4][4];
};

// Groups of four joints: [group][tx ty tz qx qy qz qw sx sy sz][4], padded with identities.
std::vector<float> to_groups_of_four(const PoseView& pose);

// False where there is no SSE2. out: [joints rounded up to four].
bool sse_local_to_model(const Skeleton& skeleton, const float* groups, Matrix4* out);

// Linear-blend skinning, four influences per vertex, positions and normals. AoS, packed by three numbers.
bool sse_skin(std::size_t num_vertices, const Matrix4* palette, const unsigned short* joints, const float* weights,
              const Vec3* positions, const Vec3* normals, Vec3* out_positions, Vec3* out_normals);

}  // namespace zoe::bench
