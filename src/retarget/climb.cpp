// SPDX-License-Identifier: MIT
#include "retarget/climb.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/smooth_track.h"

namespace zoe::retarget_detail {
namespace {

// Heights of the ground for the feet of a row, means.
struct RowHeights {
  std::vector<Vec3> values;  // [frames] x: of the hind feet; y: of the front feet.
  int front = 0;             // The row of the front feet; 0 where there is one row.
};

float legs_in_row(const BodyMatch& match, int row) {
  return static_cast<float>(std::ranges::count(match.legs, row, &LimbMatch::row));
}

void climb_feet(const Terrain& terrain, const ClipPair& clips, const Stands& stands, RowHeights& heights, Climb& out) {
  const BodyMatch& match = clips.match;
  const std::size_t frames = clips.source.num_frames();
  for (std::size_t l = 0; l < match.legs.size(); ++l) {
    const int row = match.legs[l].row;
    const std::vector<std::uint8_t>& touching = stands.of(match.legs[l].source_foot);
    std::vector<Vec3> goals = foot_goals(clips, l, touching), soles;
    const BodyLeg& leg = clips.target_body.legs[l];
    for (std::size_t f = 0; f < frames; ++f)
      soles.push_back(leg.on_toes ? goals[f] + clips.target.at(f, leg.ball) - clips.target.at(f, leg.joints->back())
                                  : goals[f]);
    FootRise foot = rise_of_foot(terrain, soles, touching);
    const float count = legs_in_row(match, row);
    for (std::size_t f = 0; f < frames; ++f) {
      goals[f] = soles[f] + terrain.up() * foot.rise[f] + rotate(foot.tilt[f], goals[f] - soles[f]);
      if (row == 0) heights.values[f].x += foot.rise[f] / count;
      if (row == heights.front) heights.values[f].y += foot.rise[f] / count;
    }
    out.goals.push_back(std::move(goals));
    out.tilts.push_back(std::move(foot.tilt));
  }
}

void climb_body(const Terrain& terrain, const ClipPair& clips, const RowHeights& heights, Climb& out) {
  const BodyMatch& match = clips.match;
  const std::size_t frames = clips.source.num_frames();
  out.moves.resize(frames);
  out.pivots.resize(frames);
  out.turns.resize(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const Vec3 height = heights.values[f];
    out.moves[f] = terrain.up() * height.x;
    if (heights.front == 0) continue;
    Vec3 shoulders{};
    for (const LimbMatch& leg : match.legs) {
      const float count = legs_in_row(match, leg.row);
      if (leg.row == 0) out.pivots[f] += clips.target.at(f, leg.target.front()) / count;
      if (leg.row == heights.front) shoulders += clips.target.at(f, leg.target.front()) / count;
    }
    const Vec3 ahead = clips.target_body.level(shoulders - out.pivots[f]);
    const float angle = std::atan2(height.y - height.x, std::max(length(ahead), 1e-6F));
    out.turns[f] = from_axis_angle(normalized(cross(ahead, terrain.up()), Vec3{1, 0, 0}), angle);
  }
}

}  // namespace

Climb climb_of(const Terrain& terrain, const ClipPair& clips, const Stands& stands) {
  RowHeights heights;
  heights.values.resize(clips.source.num_frames());
  for (const LimbMatch& leg : clips.match.legs) heights.front = std::max(heights.front, leg.row);
  Climb out;
  climb_feet(terrain, clips, stands, heights, out);
  for (int round = 0; round < 2; ++round) anatomy::smooth_track(heights.values, std::lround(0.15 * clips.fps));
  climb_body(terrain, clips, heights, out);
  return out;
}

}  // namespace zoe::retarget_detail
