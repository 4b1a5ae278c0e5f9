// SPDX-License-Identifier: MIT
#include "zoe/generate/inbetween_scores.h"

#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/motion/edit.h"

namespace zoe::generate {
namespace {

// Global positions and rotations of the frames of one window: [frames × joints].
struct Globals {
  std::vector<Vec3> positions;
  std::vector<Quat> rotations;
};

Globals globals_of(const Motion& motion, int first, int count) {
  Globals out;
  const std::size_t joints = idx(motion.num_joints());
  std::vector<Quat> rotations(joints);
  std::vector<Vec3> positions(joints);
  for (int f = first; f < first + count; ++f) {
    const PoseView pose = motion.frame(f);
    for (std::size_t j = 0; j < joints; ++j) {
      const int parent = motion.skeleton->parent(static_cast<int>(j));
      const Quat above = parent == kNoJoint ? Quat{} : rotations[idx(parent)];
      const Vec3 base = parent == kNoJoint ? Vec3{} : positions[idx(parent)];
      rotations[j] = normalized(above * pose.rotations[j]);
      positions[j] = base + rotate(above, pose.translations[j]);
    }
    out.positions.insert(out.positions.end(), positions.begin(), positions.end());
    out.rotations.insert(out.rotations.end(), rotations.begin(), rotations.end());
  }
  return out;
}

// The turn about Y and the shift that bring a window into its common place.
struct Placement {
  Quat turn;
  Vec3 centre;
  Vec3 place(Vec3 p) const { return rotate(turn, p - centre); }
};
Placement placement_of(const Globals& window, std::size_t joints, int reference_frame) {
  const std::size_t frames = window.positions.size() / joints;
  Placement p;
  for (std::size_t f = 0; f < frames; ++f) {
    p.centre.x += window.positions[f * joints].x / static_cast<float>(frames);
    p.centre.z += window.positions[f * joints].z / static_cast<float>(frames);
  }
  // Heading of the root's rotation: the projection of its turn about Y.
  const Quat q = window.rotations[idx(reference_frame) * joints];
  const float half = std::atan2(q.y, q.w);
  p.turn = {0, -std::sin(half), 0, std::cos(half)};
  return p;
}

// Sum over the features of the distance of cumulative spectra, weighed by the truth's power, and that power.
void add_npss(std::span<const Quat> truth, std::span<const Quat> made, std::size_t joints, double& sum,
              double& weight) {
  const std::size_t frames = truth.size() / joints;
  std::vector<double> power[2];
  for (std::vector<double>& p : power) p.resize(frames);
  for (std::size_t j = 0; j < joints; ++j) {
    for (int c = 0; c < 4; ++c) {
      double total[2] = {};
      for (int which = 0; which < 2; ++which) {
        for (std::size_t k = 0; k < frames; ++k) {
          double real = 0;
          for (std::size_t f = 0; f < frames; ++f) {
            const Quat q = (which == 0 ? truth : made)[f * joints + j];
            const double value = c == 0 ? q.x : c == 1 ? q.y : c == 2 ? q.z : q.w;
            real += value * std::cos(2 * std::numbers::pi * static_cast<double>(k * f) / static_cast<double>(frames));
          }
          power[which][k] = real * real;
          total[which] += power[which][k];
        }
      }
      double distance = 0, cumulative[2] = {};
      for (std::size_t k = 0; k < frames; ++k) {
        for (int which = 0; which < 2; ++which)
          cumulative[which] += total[which] > 0 ? power[which][k] / total[which] : 0;
        distance += std::abs(cumulative[0] - cumulative[1]);
      }
      sum += distance * total[0];
      weight += total[0];
    }
  }
}

Quat aligned(Quat q, const Quat& with) { return dot(q, with) < 0 ? Quat{-q.x, -q.y, -q.z, -q.w} : q; }

}  // namespace

Result<InbetweenRow> score_inbetween(std::span<const Motion> clips, int gap_frames, const std::string& method,
                                     const FillGap& fill, const InbetweenOptions& options) {
  const int past = options.past_frames;
  if (gap_frames < 1 || past + gap_frames + 1 > options.window_frames)
    return Error{ErrorCode::kUsage, "the gap does not fit into the window"};
  std::vector<Motion> windows;
  std::vector<Placement> placements;
  std::size_t joints = 0;
  for (const Motion& clip : clips) {
    for (int first = 0; first + options.window_frames <= clip.num_frames; first += options.window_step) {
      ZOE_TRY_ASSIGN(Motion window, trim(clip, first, first + options.window_frames - 1));
      if (joints != 0 && joints != idx(window.num_joints()))
        return Error{ErrorCode::kUsage, "the clips have different skeletons"};
      joints = idx(window.num_joints());
      windows.push_back(std::move(window));
    }
  }
  if (windows.empty()) return Error{ErrorCode::kUsage, "no clip is as long as a window"};
  // Deviations of each joint's coordinates over all frames of all windows.
  std::vector<double> mean(joints * 3), square(joints * 3);
  double count = 0;
  for (const Motion& window : windows) {
    const Globals truth = globals_of(window, 0, window.num_frames);
    placements.push_back(placement_of(truth, joints, past - 1));
    for (std::size_t i = 0; i < truth.positions.size(); ++i) {
      const Vec3 p = placements.back().place(truth.positions[i]);
      const double values[] = {p.x, p.y, p.z};
      for (std::size_t c = 0; c < 3; ++c) {
        mean[i % joints * 3 + c] += values[c];
        square[i % joints * 3 + c] += values[c] * values[c];
      }
    }
    count += window.num_frames;
  }
  std::vector<double> deviation(joints * 3);
  for (std::size_t i = 0; i < deviation.size(); ++i) {
    mean[i] /= count;
    deviation[i] = std::sqrt(std::max(1e-12, square[i] / count - mean[i] * mean[i]));
  }
  InbetweenRow row{method, gap_frames};
  double npss_weight = 0, frames = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const Gap gap{past, past + gap_frames - 1};
    // One known frame after the gap, as published: no velocity is known there.
    ZOE_TRY_ASSIGN(const Motion known, trim(windows[w], 0, gap.last + 1));
    ZOE_TRY_ASSIGN(const Motion filled, fill(known, gap));
    const Globals truth = globals_of(windows[w], gap.first, gap_frames),
                  made = globals_of(filled, gap.first, gap_frames);
    std::vector<Quat> signed_made = made.rotations;
    for (std::size_t f = 0; f < idx(gap_frames); ++f) {
      double positions = 0, rotations = 0;
      for (std::size_t j = 0; j < joints; ++j) {
        const std::size_t i = f * joints + j;
        const Vec3 d = rotate(placements[w].turn, made.positions[i] - truth.positions[i]);
        const double values[] = {d.x, d.y, d.z};
        for (std::size_t c = 0; c < 3; ++c) {
          const double scaled = values[c] / deviation[j * 3 + c];
          positions += scaled * scaled;
        }
        const Quat a = truth.rotations[i], b = aligned(made.rotations[i], a);
        signed_made[i] = b;
        rotations += (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z) +
                     (a.w - b.w) * (a.w - b.w);
      }
      row.l2p += std::sqrt(positions);
      row.l2q += std::sqrt(rotations);
      frames += 1;
    }
    add_npss(truth.rotations, signed_made, joints, row.npss, npss_weight);
    ++row.windows;
  }
  row.l2p /= frames;
  row.l2q /= frames;
  row.npss /= std::max(1e-12, npss_weight);
  return row;
}

}  // namespace zoe::generate
