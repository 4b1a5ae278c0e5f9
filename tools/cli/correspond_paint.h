// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Bodies painted by joint: equal colours on joints that belong to each other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/generate/correspondence.h"

#include "metric_body.h"

namespace zoe::cli {

// [joints of the skeleton] Linear RGBA: a hue for each part of the body, darker towards its tip; grey for the rest.
std::vector<Vec4> part_colors(const generate::BodyParts& parts, const features::BodyTokens& tokens, int num_joints);

// Joints that are no tokens (helmets, tips) take the colour of the joint that carries them.
void color_what_hangs(std::vector<Vec4>& colors, const features::BodyTokens& tokens, const Skeleton& skeleton);

struct PaintedBody {
  const MetricBody* body = nullptr;
  std::vector<Vec4> colors;  // [joints]
};
// A film or picture of the bodies side by side, each in its first clip. Bodies without a mesh are drawn as bones.
// more: words of `zoe render`. Returns an exit code.
int draw_painted(std::span<const PaintedBody> bodies, const std::string& output,
                 const std::vector<std::string>& more = {});

}  // namespace zoe::cli
