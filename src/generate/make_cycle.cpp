// SPDX-License-Identifier: MIT
// A part of a clip, closed to a cycle.
#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/core/index.h"
#include "zoe/generate/cycle.h"
#include "zoe/generate/seam.h"
#include "zoe/motion/edit.h"

#include "generate/plant_weighted.h"

namespace zoe::generate {
namespace {

constexpr double kExactShare = 0.001;  // Of the body's size: ends that are the same.

// The last frame is the first one, moved: bit for bit but for the joints without parents.
void copy_first_to_last(Motion& cycle, const GroundMove& move) {
  copy_frames(cycle, 0, 1, cycle, cycle.num_frames - 1);
  move_frames(cycle, cycle.num_frames - 1, cycle.num_frames - 1, move);
  make_continuous(cycle);
}

// Plants feet within the windows: fully at the seam, not at all at the windows' inner ends.
void plant_within(Cycle& cycle, const SkeletonAnalysis& analysis, const Contacts& contacts) {
  const int frames = cycle.motion.num_frames - 1;
  // Copies on either side, because contacts and swings go across the seam.
  const int side = std::clamp(static_cast<int>(std::ceil(cycle.motion.fps / frames)), 1, 20);
  const Motion long_motion = unrolled(cycle.motion, cycle.range.move, 2 * side + 1);
  std::vector<float> weights(idx(long_motion.num_frames), 0);
  for (std::size_t f = 0; f < weights.size(); ++f) {
    const int in_cycle = static_cast<int>(f) % frames;
    weights[f] = fading(std::min(in_cycle, frames - in_cycle), cycle.window);
  }
  const Result<Motion> planted_long = plant_weighted(long_motion, analysis, weights);
  if (!planted_long) return;
  // Kept frames are those of the cycle itself: no rounding of moves there and back.
  Motion planted = cycle.motion;
  const std::size_t joints = idx(planted.num_joints());
  for (int f = 0; f < frames; ++f) {
    for (std::size_t j = 0; j < joints; ++j) {
      const std::size_t from = idx(side * frames + f) * joints + j, to = idx(f) * joints + j;
      if (weights[idx(side * frames + f)] == 0) continue;
      const bool is_root = planted.skeleton->parent(static_cast<int>(j)) == kNoJoint;
      if (!is_root) planted.rotations[to] = planted_long->rotations[from];
      if (is_root)
        planted.translations[to].y = planted_long->translations[from].y;  // Hips that are lowered.
      else
        planted.translations[to] = planted_long->translations[from];
    }
  }
  copy_first_to_last(planted, cycle.range.move);
  const double skate = mean_skate(planted, analysis, contacts);
  if (skate >= cycle.skate_m_s) return;
  cycle.skate_m_s = skate;
  cycle.motion = std::move(planted);
}

// Both sides of the seam take half of the difference.
Motion closed_by_half(const Motion& cut, const GroundMove& move, int window) {
  const int last = cut.num_frames - 1;
  const int begin[] = {0, std::min(1, last), std::min(2, last)}, end[] = {std::max(0, last - 2), last - 1, last};
  // Parent-relative differences of joints without parents depend on where they are seen from: once at the end, once at
  // the beginning.
  Motion next = take_frames(cut, begin), before = take_frames(cut, end);
  move_frames(next, 0, 2, move);
  move_frames(before, 0, 2, {-move.turn_rad, moved({-move.turn_rad, {}}, move.shift) * -1.0F});
  Motion closed = cut;
  ease_end(closed, last, window, seam_difference(cut, last, next, 0), 0.5F);
  ease_start(closed, 0, window, seam_difference(before, 2, cut, 0), 0.5F);
  return closed;
}

// Both windows put on smoother tracks, where the seam jumps more than the clip itself does.
void soften_ends(Cycle& cycle, const Motion& own) {
  const int frames = cycle.motion.num_frames - 1, window = cycle.window;
  const Motion three = unrolled(cycle.motion, cycle.range.move, 3);
  std::vector<std::uint8_t> known(idx(three.num_frames), 1);
  std::vector<int> seams;
  for (const int seam : {frames, 2 * frames}) {
    for (int f = seam - window + 1; f < seam + window; ++f) known[idx(f)] = 0;
    seams.insert(seams.end(), {seam - window, seam, seam + window});
  }
  SoftSeams soft = soften_seams(own, three, seams, known);
  if (soft.frames == 0) return;
  // The middle copy, moved back; its first and last frames are one pose.
  const GroundMove& move = cycle.range.move;
  move_frames(soft.motion, frames, 2 * frames - 1, {-move.turn_rad, moved({-move.turn_rad, {}}, move.shift) * -1.0F});
  for (int f = 0; f < frames; ++f)
    if (known[idx(frames + f)] == 0) copy_frames(soft.motion, frames + f, 1, cycle.motion, f);
  copy_first_to_last(cycle.motion, move);
}

}  // namespace

Motion unrolled(const Motion& cycle, const GroundMove& move, int copies) {
  const int frames = cycle.num_frames - 1;
  std::vector<int> order(idx(frames * copies + 1));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i) % frames;
  Motion out = take_frames(cycle, order);
  GroundMove all{};
  for (int copy = 1; copy <= copies; ++copy) {
    all = composed(move, all);
    move_frames(out, copy * frames, std::min((copy + 1) * frames, out.num_frames) - 1, all);
  }
  make_continuous(out);
  return out;
}

Result<Cycle> make_cycle(const Motion& motion, const SkeletonAnalysis& analysis, const CycleOptions& options) {
  Cycle cycle;
  ZOE_TRY_ASSIGN(cycle.range, find_cycle_range(motion, analysis, options));
  const CycleRange& range = cycle.range;
  ZOE_TRY_ASSIGN(const Motion cut, trim(motion, range.begin, range.end));
  const int frames = cut.num_frames - 1;
  const auto measure = [&](const Motion& closed) {
    const Motion twice = unrolled(closed, range.move, 2);
    const int seams[] = {cycle.window, frames - cycle.window, frames, frames + cycle.window};
    return seam_ratio(motion, twice, seams);
  };
  Result<Contacts> contacts = analysis.feet.empty() ? Result<Contacts>(Error{}) : find_foot_contacts(cut, analysis);
  const bool planted = contacts && !contacts->in_place;
  if (planted) cycle.skate_m_s = cycle.own_skate = mean_skate(cut, analysis, *contacts);
  cycle.motion = cut;
  cycle.motion.start_time_s = 0;
  copy_first_to_last(cycle.motion, range.move);
  cycle.seam_ratio = measure(cycle.motion);
  if (range.distance_share < kExactShare && cycle.seam_ratio <= 1) return cycle;  // Nothing to close.

  cycle.window = std::max(1, std::min(static_cast<int>(std::lround(options.window_s * motion.fps)), frames / 3));
  cycle.motion = closed_by_half(cut, range.move, cycle.window);
  cycle.motion.start_time_s = 0;
  copy_first_to_last(cycle.motion, range.move);
  if (planted) cycle.skate_m_s = mean_skate(cycle.motion, analysis, *contacts);
  if (planted && options.plant_feet) plant_within(cycle, analysis, *contacts);
  soften_ends(cycle, motion);
  cycle.seam_ratio = measure(cycle.motion);
  return cycle;
}

}  // namespace zoe::generate
