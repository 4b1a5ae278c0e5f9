// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Compares characters and clips by what one sees: joints and vertices in
// model space.
#pragma once

#include <filesystem>
#include <vector>

#include "zoe/io/asset.h"

namespace zoe::test {

// .glb and .gltf files below a folder, sorted.
std::vector<std::filesystem::path> gltf_files_below(const std::filesystem::path& folder);

// model_from_joint of one frame; frame -1 is the rest pose.
std::vector<Affine> model_pose(const io::Asset& asset, const Motion* motion, int frame);

// GoogleTest expectations: same joints (names, parents, kinds), clips (names, rates, frames),
// skins, materials, images, morph targets; joints and deformed vertices apart by at most
// `tolerance` times the box around the character.
void expect_same(const io::Asset& expected, const io::Asset& actual, double tolerance);

// GoogleTest expectations for files whose instances may come back in another order, below extra
// joints: in one frame of a clip (clip -1: at rest), every instance with triangles has a partner
// with the same vertices.
void expect_same_instances(const io::Asset& expected, const io::Asset& actual, int clip, int frame, double tolerance);

}  // namespace zoe::test
