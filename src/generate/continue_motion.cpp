// SPDX-License-Identifier: MIT
#include "zoe/generate/continue_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/generate/ground_move.h"
#include "zoe/generate/seam.h"
#include "zoe/motion/edit.h"

#include "generate/body_size.h"
#include "generate/plant_weighted.h"

namespace zoe::generate {
namespace {

constexpr int kBeforeFrames = 4;  // Compared before a moment and the border.
constexpr double kWorthOfRest =
    0.02;                         // Of the body's size: a moment with the whole clip after it over one with nothing.
constexpr double kGoodSeam = 1;   // Of the clip's own jumps of velocity.
constexpr int kMostMoments = 12;  // Tried.

struct Moment {
  int frame = -1;
  Alignment fit;
  double cost = 0;
};

// Moments that are more like the border than those beside them, the nearest first.
std::vector<Moment> near_moments(const Motion& motion, double size_m, int least_frames) {
  const std::vector<Vec3> positions = all_positions(motion);
  const int last = motion.num_frames - 1;
  std::vector<Moment> all, best;
  for (int f = 0; f + least_frames <= last; ++f) {
    // Frames at the beginning have fewer before them; those after count instead.
    const int before = std::min(kBeforeFrames, f);
    const Alignment fit = align_frames(positions, motion.num_joints(), f, last, before, 0);
    // A first frame alone has no velocity: compared with the step before the last.
    double cost = fit.distance_m / size_m + kWorthOfRest * f / std::max(1, last);
    if (before == 0 && last > 0) {
      const Alignment step = align_frames(positions, motion.num_joints(), f + 1, last, 1, 0);
      cost = std::max(cost, step.distance_m / size_m / 2);
    }
    all.push_back({f, fit, cost});
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i == 0 || all[i].cost < all[i - 1].cost) && (i + 1 == all.size() || all[i].cost <= all[i + 1].cost))
      best.push_back(all[i]);
  std::sort(best.begin(), best.end(), [](const Moment& a, const Moment& b) { return a.cost < b.cost; });
  return best;
}

// Frames on either side of each join.
std::vector<int> joins(int own, int frames, int block) {
  std::vector<int> out;
  for (int begin = own; begin < own + frames; begin += block) {
    out.push_back(begin - 1);
    out.push_back(begin);
  }
  return out;
}

// window_part: the window is at most this part of what follows the moment.
Continuation joined(const Motion& motion, const SkeletonAnalysis& analysis, const Moment& moment, int frames,
                    const ContinueOptions& options, int window_part) {
  const int own = motion.num_frames, last = own - 1;
  Continuation out;
  out.match_frame = moment.frame;
  out.distance_m = moment.fit.distance_m;
  std::vector<int> order(idx(own));
  std::iota(order.begin(), order.end(), 0);
  order.resize(idx(own + frames), last);
  out.motion = take_frames(motion, order);
  const int block = last - moment.frame;
  const int window =
      std::max(1, std::min(static_cast<int>(std::lround(options.window_s * motion.fps)), block / window_part));
  GroundMove move{};
  for (int begin = own; begin < own + frames; begin += block) {
    const int end = std::min(begin + block, own + frames) - 1;
    move = composed(moment.fit.move, move);
    // From the moment itself, which is where the border is. The border stays: frames after it leave it smoothly.
    std::vector<int> part(idx(end - begin + 2));
    std::iota(part.begin(), part.end(), moment.frame);
    Motion piece = take_frames(motion, part);
    move_frames(piece, 0, piece.num_frames - 1, move);
    ease_start(piece, 0, window, seam_difference(out.motion, begin - 1, piece, 0), 1.0F);
    copy_frames(piece, 1, end - begin + 1, out.motion, begin);
    ++out.num_seams;
  }
  make_continuous(out.motion);
  if (!analysis.feet.empty()) {
    std::vector<float> weights(idx(out.motion.num_frames), 0);
    for (int f = own; f < out.motion.num_frames; ++f) weights[idx(f)] = 1 - fading(f - last, window);
    if (Result<Motion> planted = plant_weighted(out.motion, analysis, weights)) out.motion = std::move(*planted);
  }
  return out;
}

}  // namespace

Result<Continuation> continue_after(const Motion& motion, const SkeletonAnalysis& analysis, int frames,
                                    const ContinueOptions& options) {
  const int own = motion.num_frames, last = own - 1;
  const int least = std::max(2, static_cast<int>(std::lround(options.min_repeat_s * motion.fps)));
  if (own <= least)
    return Error{ErrorCode::kUsage, fmt::format("a clip of {:.2f} s has no moment to continue from: give --model, or a "
                                                "clip longer than {:.2f} s",
                                                motion.duration_s(), options.min_repeat_s)};
  const double size_m = body_size_m(analysis);
  const std::vector<Moment> moments = near_moments(motion, size_m, least);
  ZOE_CHECK(!moments.empty(), "a clip longer than the least repeat has a moment");
  const Moment& nearest = moments[0];
  if (nearest.fit.distance_m > options.max_distance * size_m)
    return Error{ErrorCode::kUsage,
                 fmt::format("no moment of the clip is like its border (the nearest differs by {:.3f} m, {:.0f} % of "
                             "the body's size): this continuation needs --model",
                             nearest.fit.distance_m, 100 * nearest.fit.distance_m / size_m)};
  // The nearest moment may be so near to the border that what follows it is too short to leave the border smoothly.
  // Then others are tried, and the one with the smoothest joins is taken.
  Continuation best;
  best.seam_ratio = 1e9;
  std::vector<std::uint8_t> known(idx(own + frames), 0);
  std::fill_n(known.begin(), own, 1);
  int tried = 0;
  for (const Moment& moment : moments) {
    if (moment.fit.distance_m > options.max_distance * size_m || ++tried > kMostMoments) continue;
    for (const int window_part : {2, 1}) {
      Continuation out = joined(motion, analysis, moment, frames, options, window_part);
      SoftSeams soft = soften_seams(motion, out.motion, joins(own, frames, last - moment.frame), known);
      out.motion = std::move(soft.motion);
      out.seam_ratio = soft.seam_ratio;
      if (out.seam_ratio < best.seam_ratio) best = std::move(out);
      if (best.seam_ratio <= kGoodSeam) return best;
    }
  }
  if (best.seam_ratio > options.max_seam_ratio)
    return Error{
        ErrorCode::kUsage,
        fmt::format("no moment of the clip can follow its border smoothly (the best join changes velocities by "
                    "{:.1f} times what is usual in the clip): this continuation needs --model",
                    best.seam_ratio)};
  return best;
}

Result<Continuation> continue_before(const Motion& motion, const SkeletonAnalysis& analysis, int frames,
                                     const ContinueOptions& options) {
  ZOE_TRY_ASSIGN(Continuation out, continue_after(reverse(motion), analysis, frames, options));
  out.motion = reverse(out.motion);
  out.motion.start_time_s = motion.start_time_s - frames / motion.fps;
  out.match_frame = motion.num_frames - 1 - out.match_frame;
  return out;
}

}  // namespace zoe::generate
