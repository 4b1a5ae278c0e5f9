// SPDX-License-Identifier: MIT
#include "motion/compressed/decode_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace zoe {

DecodePlan make_plan(const ClipHeader& header) {
  DecodePlan plan;
  for (const LaneGroup& group : lane_groups(header)) {
    if (!group.is_rotation) {
      ScalarChunk chunk;
      chunk.lanes = group.lanes;
      for (int i = 0; i < group.lanes; ++i) {
        const ScalarTrack& track = header.scalars[static_cast<std::size_t>(group.first_track + i)];
        chunk.target = track.target;
        chunk.index[i] = track.index;
        chunk.bases[i] = track.base;
        chunk.steps[i] = static_cast<float>(step_of(track.step_code));
      }
      plan.scalars.push_back(chunk);
      continue;
    }
    if (group.component != 0) continue;
    RotationChunk chunk;
    chunk.lanes = group.lanes;
    for (int i = 0; i < group.lanes; ++i) {
      const RotationTrack& track = header.rotations[static_cast<std::size_t>(group.first_track + i)];
      chunk.components = track.num_lanes;
      chunk.joints[i] = static_cast<std::uint16_t>(track.joint);
      const Quatd left = track.reference() * conjugate(track.axes()), right = track.axes();
      for (int c = 0; c < 4; ++c) {
        chunk.steps[c][i] = static_cast<float>(step_of(track.step_codes[static_cast<std::size_t>(c)]));
        const Quatd column =
            left * Quatd{c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0, c == 3 ? 1.0 : 0.0} * right;
        const double parts[4] = {column.x, column.y, column.z, column.w};
        for (int r = 0; r < 4; ++r) chunk.matrix[4 * r + c][i] = static_cast<float>(parts[r]);
      }
    }
    plan.rotations.push_back(chunk);
  }
  return plan;
}

void CompressedMotion::Impl::decode(int frame, float fraction, const DecodeTarget& out,
                                    Decoder decoder) const noexcept {
  const int last_segment = static_cast<int>(segment_offsets.size()) - 1;
  const int segment = std::min(frame / header.segment_frames, last_segment);
  const std::vector<float>& basis = segment == last_segment ? last_basis : full_basis;
  const int points = segment == last_segment ? header.segment_points(segment) : header.segment_frames + 1;
  const int point = frame - segment * header.segment_frames;
  // Blending the polynomials' values blends the two frames: decoding is linear in them.
  float weights[64];
  const float* here = basis.data() + point * points;
  const float* next = fraction > 0 ? here + points : here;
  for (int k = 0; k < points; ++k) weights[k] = here[k] + (next[k] - here[k]) * fraction;
  decoder(plan, bytes.data() + segment_offsets[static_cast<std::size_t>(segment)], weights, out);
}

void CompressedMotion::Impl::copy_constants(const DecodeTarget& out) const noexcept {
  const Pose& pose = header.constants;
  std::copy(pose.translations.begin(), pose.translations.end(), out.translations);
  std::copy(pose.rotations.begin(), pose.rotations.end(), out.rotations);
  if (out.scales != nullptr) std::copy(pose.scales.begin(), pose.scales.end(), out.scales);
  if (out.morph_weights != nullptr) {
    std::copy(header.morph_constants.begin(), header.morph_constants.end(), out.morph_weights);
  }
}

}  // namespace zoe
