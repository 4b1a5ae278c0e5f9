// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "zoe/motion/edit.h"

#include "motion/frame_copy.h"

namespace zoe {
namespace {

// The turn about Y inside a rotation: the twist of its swing-twist split. Identity for a half turn about a horizontal
// axis, which has no heading.
Quat heading(Quat q) { return normalized(Quat{0, q.y, 0, q.w}); }

// Moves the root tracks of `frames` frames from `first` on, so that the pose at `first` continues the pose before it.
void align_roots(Motion& motion, int first) {
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const std::size_t begin = static_cast<std::size_t>(first) * n;
  // The first root leads. Other roots follow rigidly.
  const Vec3 from = motion.translations[begin], to = motion.translations[begin - n];
  const Quat turn = normalized(heading(motion.rotations[begin - n]) * conjugate(heading(motion.rotations[begin])));
  for (std::size_t frame = begin; frame < motion.rotations.size(); frame += n) {
    for (std::size_t joint = 0; joint < n; ++joint) {
      if (motion.skeleton->parent(static_cast<int>(joint)) != kNoJoint) continue;
      Vec3& p = motion.translations[frame + joint];
      const Vec3 moved = rotate(turn, Vec3{p.x - from.x, 0, p.z - from.z});
      p = {to.x + moved.x, p.y, to.z + moved.z};
      motion.rotations[frame + joint] = normalized(turn * motion.rotations[frame + joint]);
    }
  }
}

}  // namespace

Result<Motion> concatenate(std::span<const Motion* const> motions, const ConcatenateOptions& options) {
  if (motions.empty()) return Error{ErrorCode::kUsage, "nothing to concatenate", {}};
  const Motion& head = *motions[0];
  Motion out = empty_like(head);
  for (const Motion* motion : motions) {
    const auto fail = [&](const char* what) {
      return Error{
          ErrorCode::kUsage, fmt::format("cannot concatenate '{}' and '{}': {}", head.name, motion->name, what), {}};
    };
    if (motion->skeleton == nullptr || head.skeleton == nullptr ||
        motion->skeleton->topology_hash() != head.skeleton->topology_hash()) {
      return fail("they have different skeletons; retarget one first");
    }
    if (std::abs(motion->fps - head.fps) > 1e-4 * head.fps) return fail("frame rates differ; resample one first");
    if (motion->num_morph_weights != head.num_morph_weights) return fail("numbers of morph weights differ");
    const int skip = options.drop_shared_frame && out.num_frames > 0 && motion->num_frames > 0 ? 1 : 0;
    const int seam = out.num_frames;
    // Aligning needs the clip's own first frame, also where that frame is then dropped.
    append_frames(out, *motion, 0, motion->num_frames);
    if (seam == 0 || motion->num_frames == 0) continue;
    if (options.align_root && out.num_joints() > 0) align_roots(out, seam);
    if (skip != 0) {
      const std::ptrdiff_t n = out.num_joints(), weights = out.num_morph_weights;
      const auto erase_row = [&](auto& values, std::ptrdiff_t width) {
        if (values.empty()) return;
        values.erase(values.begin() + seam * width, values.begin() + (seam + 1) * width);
      };
      erase_row(out.translations, n);
      erase_row(out.rotations, n);
      erase_row(out.scales, n);
      erase_row(out.morph_weights, weights);
      --out.num_frames;
    }
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe
