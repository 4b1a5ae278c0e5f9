// SPDX-License-Identifier: MIT
#include "zoe/generate/in_between.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/index.h"

namespace zoe::generate {
namespace {

Result<void> check_gap(const Motion& motion, const Gap& gap) {
  if (gap.first < 0 || gap.last >= motion.num_frames || gap.first > gap.last)
    return Error{ErrorCode::kUsage, fmt::format("frames {} to {} are no part of the motion's 0 to {}", gap.first,
                                                gap.last, motion.num_frames - 1)};
  if (gap.num_frames() == motion.num_frames)
    return Error{ErrorCode::kUsage, "no frame of the motion is known: leave one before or after the gap"};
  return {};
}

// Weights of frame `at` after the known frame before the gap: the end's share, and of the velocities per frame.
struct SplineWeights {
  float end = 0, from_start = 0, from_end = 0;
};
// length: frames from the known frame before to the known one after. reach: frames over which velocities count.
SplineWeights spline_weights(int at, int length, int start_reach, int end_reach) {
  const auto tangent = [&](int frames, int reach) {
    const float u = static_cast<float>(frames) / static_cast<float>(reach);
    return u < 1 ? static_cast<float>(frames) * (1 - u) * (1 - u) : 0.0F;
  };
  return {static_cast<float>(at) / static_cast<float>(length), tangent(at, start_reach),
          -tangent(length - at, end_reach)};
}

// A value between two known ones. Velocities are per frame and beyond the mean velocity of the gap, so that a steady
// motion stays steady however short their reach is (a cubic of Hermite where they reach across the gap).
struct TrackEnds {
  Vec3 start, end, start_velocity, end_velocity;
  Quat start_turn, end_turn;  // Rotations.
  Vec3 start_spin, end_spin;  // Rotation per frame, in the axes of the rotation.
};

Vec3 between(const TrackEnds& t, const SplineWeights& w) {
  return t.start + (t.end - t.start) * w.end + t.start_velocity * w.from_start + t.end_velocity * w.from_end;
}
// The product of what each weight turns: exact for a steady rotation, and for the values and spins at both ends.
Quat turn_between(const TrackEnds& t, const SplineWeights& w) {
  const Quat across = from_rotation_vector(to_rotation_vector(conjugate(t.start_turn) * t.end_turn) * w.end);
  return normalized(t.start_turn * from_rotation_vector(t.start_spin * w.from_start) * across *
                    from_rotation_vector(t.end_spin * w.from_end));
}

// The known frames around a gap. At an end of the motion one side stands for both.
struct Around {
  int before, after;          // Known frames.
  int earlier, later;         // Known frames beyond them, for velocities; the same frame where there is none.
  bool open_start, open_end;  // The gap reaches the motion's first or last frame.
  int length;                 // Frames from `before` to `after`.
  int start_reach, end_reach;

  // A single known frame between gaps: its velocity follows from the known frames on both sides.
  bool start_is_key() const { return before - earlier > 1; }
  bool end_is_key() const { return later - after > 1; }
};
// known: [frames]; empty: all but the gap.
Around around(const Motion& motion, const Gap& gap, std::span<const std::uint8_t> known, double reach_s) {
  Around a{gap.first - 1,
           gap.last + 1,
           gap.first - 2,
           gap.last + 2,
           gap.first == 0,
           gap.last + 1 == motion.num_frames,
           gap.num_frames() + 1,
           1,
           1};
  if (a.open_start) a.before = a.after;
  if (a.open_end) a.after = a.before;
  const auto is_known = [&](int frame) { return known.empty() || known[idx(frame)] != 0; };
  if (a.open_start) a.earlier = a.before;
  if (a.open_end) a.later = a.after;
  while (a.earlier >= 0 && !is_known(a.earlier)) --a.earlier;
  while (a.later < motion.num_frames && !is_known(a.later)) ++a.later;
  if (a.earlier < 0) a.earlier = a.before;
  if (a.later >= motion.num_frames) a.later = a.after;
  const int reach = std::max(2, static_cast<int>(std::lround(reach_s * motion.fps)));
  // At an open end nothing has to be met, so a velocity dies out as slowly as elsewhere.
  const int most = a.open_start || a.open_end ? std::max(a.length, reach) : a.length;
  a.start_reach = a.start_is_key() ? a.length : std::min(reach, most);
  a.end_reach = a.end_is_key() ? a.length : std::min(reach, most);
  return a;
}

// place(frame), turn(frame): of the known frames around. Velocities of keys: through the known frames on both sides
// (Catmull and Rom), or none. Where no velocity is known, it is the gap's mean.
template <typename Place, typename Turn>
TrackEnds track_ends(const Around& a, bool keys_move, const Place& place, const Turn& turn) {
  TrackEnds ends{place(a.before), place(a.after), {}, {}, turn(a.before), turn(a.after), {}, {}};
  const auto spin = [&](int from, int to) { return to_rotation_vector(conjugate(turn(from)) * turn(to)); };
  const auto per_frame = [](Vec3 change, int frames) { return change * (1.0F / static_cast<float>(frames)); };
  const int before = a.before - a.earlier, inside = a.after - a.before, after = a.later - a.after;
  // Weighted by the time on the other side, as for unevenly spaced keys.
  const auto key = [&](Vec3 left, int left_frames, Vec3 right, int right_frames) {
    const auto all = static_cast<float>(left_frames + right_frames);
    return per_frame(left, left_frames) * (static_cast<float>(right_frames) / all) +
           per_frame(right, right_frames) * (static_cast<float>(left_frames) / all);
  };
  const Vec3 mean = inside > 0 ? per_frame(ends.end - ends.start, inside) : Vec3{};
  const Vec3 mean_spin = inside > 0 ? per_frame(spin(a.before, a.after), inside) : Vec3{};
  const bool no_keys = !keys_move || inside == 0;
  if (before == 1) {
    ends.start_velocity = place(a.before) - place(a.earlier) - mean;
    ends.start_spin = spin(a.earlier, a.before) - mean_spin;
  } else if (before > 1) {
    const Vec3 v = no_keys ? Vec3{} : key(place(a.before) - place(a.earlier), before, ends.end - ends.start, inside);
    const Vec3 s = no_keys ? Vec3{} : key(spin(a.earlier, a.before), before, spin(a.before, a.after), inside);
    ends.start_velocity = v - mean, ends.start_spin = s - mean_spin;
  }
  if (after == 1) {
    ends.end_velocity = place(a.later) - place(a.after) - mean;
    ends.end_spin = spin(a.after, a.later) - mean_spin;
  } else if (after > 1) {
    const Vec3 v = no_keys ? Vec3{} : key(ends.end - ends.start, inside, place(a.later) - place(a.after), after);
    const Vec3 s = no_keys ? Vec3{} : key(spin(a.before, a.after), inside, spin(a.after, a.later), after);
    ends.end_velocity = v - mean, ends.end_spin = s - mean_spin;
  }
  return ends;
}

void copy_gap_weights(const Motion& motion, Motion& out, const Gap& gap, const Around& a) {
  // Morph weights are numbers: linear.
  const auto count = idx(motion.num_morph_weights);
  for (int f = gap.first; count > 0 && f <= gap.last; ++f) {
    const float t = static_cast<float>(f - gap.first + 1) / static_cast<float>(gap.num_frames() + 1);
    for (std::size_t i = 0; i < count; ++i) {
      const float from = motion.morph_weights[idx(a.before) * count + i],
                  to = motion.morph_weights[idx(a.after) * count + i];
      out.morph_weights[idx(f) * count + i] = from + (to - from) * t;
    }
  }
}

}  // namespace

Result<Motion> interpolate(const Motion& motion, const Gap& gap, Fill fill, std::span<const std::uint8_t> known,
                           double reach_s) {
  ZOE_TRY(check_gap(motion, gap));
  Motion out = motion;
  const Around a = around(motion, gap, known, reach_s);
  const std::size_t joints = idx(motion.num_joints());
  copy_gap_weights(motion, out, gap, a);
  for (std::size_t j = 0; j < joints; ++j) {
    const auto at = [&](int frame) { return idx(frame) * joints + j; };
    const TrackEnds ends = track_ends(
        a, true, [&](int frame) { return motion.translations[at(frame)]; },
        [&](int frame) { return motion.rotations[at(frame)]; });
    for (int f = gap.first; f <= gap.last; ++f) {
      // In an open gap the other end is at infinity: only the tangents of the known side count.
      SplineWeights w = spline_weights(f - gap.first + 1, a.length, a.start_reach, a.end_reach);
      if (fill == Fill::kLinear) w = {static_cast<float>(f - gap.first + 1) / static_cast<float>(a.length), 0, 0};
      out.translations[at(f)] = between(ends, w);
      out.rotations[at(f)] = turn_between(ends, w);
      if (!motion.scales.empty()) {
        const Vec3 from = motion.scales[at(a.before)], to = motion.scales[at(a.after)];
        out.scales[at(f)] = from + (to - from) * w.end;
      }
    }
  }
  make_continuous(out);
  return out;
}

Result<Motion> fit_between(const Motion& motion, const Gap& gap, const Motion& made,
                           std::span<const std::uint8_t> known, double reach_s) {
  ZOE_TRY(check_gap(motion, gap));
  if (made.num_frames != motion.num_frames || made.num_joints() != motion.num_joints())
    return Error{ErrorCode::kUsage, "the generated motion has other frames or joints"};
  Motion out = motion;
  const Around a = around(motion, gap, known, reach_s);
  const std::size_t joints = idx(motion.num_joints());
  copy_gap_weights(motion, out, gap, a);
  for (std::size_t j = 0; j < joints; ++j) {
    const auto at = [&](int frame) { return idx(frame) * joints + j; };
    // The generated frames of the gap alone, continued steadily beyond both ends: what a generator makes of known
    // frames may jump where they end.
    const auto next = [&](int frame) { return std::clamp(frame + 1, gap.first, gap.last); };
    const auto made_place = [&](int frame) {
      const int inside = std::clamp(frame, gap.first, gap.last), from = inside == gap.first ? inside : inside - 1;
      const Vec3 step = made.translations[at(next(from))] - made.translations[at(from)];
      return made.translations[at(inside)] + step * static_cast<float>(frame - inside);
    };
    const auto made_turn = [&](int frame) {
      const int inside = std::clamp(frame, gap.first, gap.last), from = inside == gap.first ? inside : inside - 1;
      const Vec3 step = to_rotation_vector(conjugate(made.rotations[at(from)]) * made.rotations[at(next(from))]);
      return made.rotations[at(inside)] * from_rotation_vector(step * static_cast<float>(frame - inside));
    };
    // What the known frames have beyond the generated ones: known = offset + made, and known = offset * made.
    const auto offset = [&](int frame) { return motion.translations[at(frame)] - made_place(frame); };
    const auto turn = [&](int frame) { return motion.rotations[at(frame)] * conjugate(made_turn(frame)); };
    const TrackEnds ends = track_ends(a, false, offset, turn);
    for (int f = gap.first; f <= gap.last; ++f) {
      const SplineWeights w = spline_weights(f - gap.first + 1, a.length, a.start_reach, a.end_reach);
      out.translations[at(f)] = made.translations[at(f)] + between(ends, w);
      out.rotations[at(f)] = normalized(turn_between(ends, w) * made.rotations[at(f)]);
      if (!motion.scales.empty()) out.scales[at(f)] = motion.scales[at(a.before)];
    }
  }
  make_continuous(out);
  return out;
}

double generated_share(double gap_s) {
  const double u = std::clamp(gap_s / kSplineSeconds - 1, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

Motion blend_gap(const Motion& motion, const Motion& made, const Gap& gap, double share) {
  ZOE_CHECK(motion.translations.size() == made.translations.size(), "a blend needs equal frames and joints");
  Motion out = motion;
  const std::size_t joints = idx(motion.num_joints());
  const auto weight = static_cast<float>(share);
  for (std::size_t i = idx(gap.first) * joints; i < idx(gap.last + 1) * joints; ++i) {
    out.translations[i] = motion.translations[i] + (made.translations[i] - motion.translations[i]) * weight;
    const Vec3 turn = to_rotation_vector(conjugate(motion.rotations[i]) * made.rotations[i]);
    out.rotations[i] = normalized(motion.rotations[i] * from_rotation_vector(turn * weight));
  }
  make_continuous(out);
  return out;
}

Motion resample_smoothly(const Motion& motion, double fps, int num_frames) {
  Motion out = make_motion(motion.skeleton, motion.name, fps, num_frames, !motion.scales.empty());
  out.start_time_s = motion.start_time_s;
  const std::size_t joints = idx(motion.num_joints());
  for (int f = 0; f < num_frames; ++f) {
    const double at = std::min(f / fps * motion.fps, static_cast<double>(motion.num_frames - 1));
    const int first = static_cast<int>(at);
    const auto t = static_cast<float>(at - first);
    // Catmull and Rom (1974).
    const float w[4] = {0.5F * t * (-1 + t * (2 - t)), 1 + 0.5F * t * t * (3 * t - 5), 0.5F * t * (1 + t * (4 - 3 * t)),
                        0.5F * t * t * (t - 1)};
    std::size_t from[4];
    for (int k = 0; k < 4; ++k) from[k] = idx(std::clamp(first + k - 1, 0, motion.num_frames - 1)) * joints;
    for (std::size_t j = 0; j < joints; ++j) {
      Vec3 p{}, scale{};
      Quat q{0, 0, 0, 0};
      const Quat reference = motion.rotations[from[1] + j];
      for (int k = 0; k < 4; ++k) {
        p = p + motion.translations[from[k] + j] * w[k];
        const Quat r = motion.rotations[from[k] + j];
        const float weight = dot(r, reference) < 0 ? -w[k] : w[k];
        q = {q.x + r.x * weight, q.y + r.y * weight, q.z + r.z * weight, q.w + r.w * weight};
        if (!motion.scales.empty()) scale = scale + motion.scales[from[k] + j] * w[k];
      }
      out.translations[idx(f) * joints + j] = p;
      out.rotations[idx(f) * joints + j] = normalized(q);
      if (!motion.scales.empty()) out.scales[idx(f) * joints + j] = scale;
    }
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe::generate
