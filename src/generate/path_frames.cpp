// SPDX-License-Identifier: MIT
#include "zoe/generate/path_frames.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/find_root.h"
#include "zoe/core/index.h"
#include "zoe/generate/ground_move.h"
#include "zoe/motion/frame_span.h"

#include "smooth_path.h"

namespace zoe::generate {
namespace {

constexpr int kVelocityGroup = 2;
constexpr float kCornerScales = 0.5F;  // To either side, in the body's scale: corners no body could follow are rounded.

}  // namespace

Result<PathFrames> frames_along_path(const BodyLayout& body, const SkeletonPtr& skeleton,
                                     const SkeletonAnalysis& analysis, std::span<const Vec3> points, bool closed,
                                     int num_frames) {
  std::vector<Vec3> places;
  std::vector<double> arcs;
  for (const Vec3& point : points) {
    const Vec3 place{point.x, 0, point.z};
    if (!std::isfinite(place.x) || !std::isfinite(place.z))
      return Error{ErrorCode::kInvalid, "the path has a number that is not finite"};
    const double step = places.empty() ? 0 : double{distance(places.back(), place)};
    if (!places.empty() && step < 1e-6) continue;
    arcs.push_back(arcs.empty() ? 0 : arcs.back() + step);
    places.push_back(place);
  }
  if (places.size() < 2) return Error{ErrorCode::kInvalid, "a path needs two different positions"};
  const SmoothPath path(places, arcs, double{kCornerScales} * double{body.tokens.scale_m}, closed);

  // The rest pose carried along the path has the root's steps in the layout's own convention. The frame before the
  // first gives the first its step.
  Motion carried = make_motion(skeleton, "path", body.layout.fps(), num_frames + 1, /*with_scales=*/true);
  const Pose pose = make_pose(*skeleton);
  for (int f = 0; f <= num_frames; ++f) copy_pose(pose.view(), frame_span(carried, f));
  const PlanarRoot rest = find_root(carried, analysis).roots[0];
  PathFrames out{.length_m = path.length_m()};
  for (int f = 0; f <= num_frames; ++f) {
    const PlanarRoot root = path.at(path.length_m() * f / num_frames);
    move_frames(carried, f, f, move_between(rest, root));
    if (f > 0) out.roots.push_back(root);
  }
  ZOE_TRY_ASSIGN(BodyFrames frames, to_frames(body, carried));
  const std::size_t tokens = idx(body.tokens.num_tokens()), row = tokens * features::kTokenWidth;
  ZOE_CHECK(frames.values.size() == idx(num_frames + 1) * row, "one row for each frame");
  out.known.values.assign(frames.values.begin() + static_cast<std::ptrdiff_t>(row), frames.values.end());
  out.known.groups.assign(idx(num_frames) * tokens * kKnownGroups, 0.0F);
  for (int f = 0; f < num_frames; ++f) out.known.groups[idx(f) * tokens * kKnownGroups + kVelocityGroup] = 1;
  out.before = frames.before;
  return out;
}

double usual_speed_m_s(const features::BodyTokens& body, bool runs) {
  constexpr double kGravity = 9.81, kWalk = 0.25, kRun = 1;
  const double leg_m = std::max(double{body.rest[1]}, 0.3 * double{body.scale_m});
  return std::sqrt((runs ? kRun : kWalk) * kGravity * leg_m);
}

}  // namespace zoe::generate
