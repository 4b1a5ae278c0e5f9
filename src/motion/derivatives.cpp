// SPDX-License-Identifier: MIT
#include "zoe/motion/derivatives.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace zoe {
namespace {

constexpr int kMaxTerms = 5;  // Degree 4.

// Weights that give first and second derivative (per frame) at 0 of the polynomial fitted to samples at
// offset, offset + 1, …
struct Stencil {
  int offset = 0;
  std::vector<double> first, second;
};

// Least squares by normal equations: tiny, well scaled (positions divided by the window), exact in double.
Stencil make_stencil(int offset, int window, int degree) {
  const int terms = degree + 1;
  const double unit = std::max(1, window / 2);
  std::array<std::array<double, kMaxTerms + 2>, kMaxTerms> m{};  // Normal matrix, and unit columns for terms 1 and 2.
  for (int k = 0; k < window; ++k) {
    const double x = (offset + k) / unit;
    for (int r = 0; r < terms; ++r) {
      for (int c = 0; c < terms; ++c) m[r][c] += std::pow(x, r + c);
    }
  }
  // The normal matrix is symmetric: solving for e1 and e2 gives the rows of its inverse that we need.
  m[1][kMaxTerms] = 1;
  if (degree >= 2) m[2][kMaxTerms + 1] = 1;
  for (int p = 0; p < terms; ++p) {
    int pivot = p;
    for (int r = p + 1; r < terms; ++r) pivot = std::abs(m[r][p]) > std::abs(m[pivot][p]) ? r : pivot;
    std::swap(m[p], m[pivot]);
    for (int r = 0; r < terms; ++r) {
      if (r == p) continue;
      const double factor = m[r][p] / m[p][p];
      for (int c = p; c < kMaxTerms + 2; ++c) m[r][c] -= factor * m[p][c];
    }
  }
  Stencil stencil{offset, std::vector<double>(static_cast<std::size_t>(window)),
                  std::vector<double>(static_cast<std::size_t>(window))};
  for (int k = 0; k < window; ++k) {
    const double x = (offset + k) / unit;
    double a = 0, b = 0;
    for (int r = 0; r < terms; ++r) {
      a += m[r][kMaxTerms] / m[r][r] * std::pow(x, r);
      b += m[r][kMaxTerms + 1] / m[r][r] * std::pow(x, r);
    }
    stencil.first[static_cast<std::size_t>(k)] = a / unit;
    stencil.second[static_cast<std::size_t>(k)] = 2 * b / (unit * unit);
  }
  return stencil;
}

// Position and rotation of every joint in the requested space. Model rotations are those of the local rotations alone:
// scale does not rotate.
struct Tracks {
  std::vector<Vec3d> positions;
  std::vector<Quatd> rotations;
};

Tracks collect(const Motion& motion, DerivativeOptions::Space space) {
  Tracks tracks;
  const std::size_t count = motion.rotations.size();
  tracks.positions.resize(count);
  tracks.rotations.resize(count);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  std::vector<Affined> model(n);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t joint = i % n, frame = i - joint;
    const Transformd local{to_double(motion.translations[i]), normalized(to_double(motion.rotations[i])),
                           motion.scales.empty() ? Vec3d{1, 1, 1} : to_double(motion.scales[i])};
    const int parent = motion.skeleton->parent(static_cast<int>(joint));
    tracks.positions[i] = local.translation;
    tracks.rotations[i] = local.rotation;
    if (space == DerivativeOptions::Space::kParent) continue;
    model[joint] = to_affine(local);
    if (parent == kNoJoint) continue;
    const auto p = static_cast<std::size_t>(parent);
    model[joint] = model[p] * model[joint];
    tracks.positions[i] = model[joint].t;
    tracks.rotations[i] = tracks.rotations[frame + p] * local.rotation;
  }
  return tracks;
}

}  // namespace

Result<MotionDerivatives> differentiate(const Motion& motion, const DerivativeOptions& options) {
  if (options.window < 3 || options.window % 2 == 0 || options.degree < 2 || options.degree >= kMaxTerms ||
      options.degree >= options.window) {
    return Error{ErrorCode::kUsage, "derivatives: the window must be odd and >= 3, the degree 2 to 4 and below it", {}};
  }
  MotionDerivatives out;
  const std::size_t count = motion.rotations.size();
  for (auto* array :
       {&out.linear_velocity, &out.linear_acceleration, &out.angular_velocity, &out.angular_acceleration}) {
    array->assign(count, Vec3{});
  }
  if (motion.num_frames < 2) return out;
  const Tracks tracks = collect(motion, options.space);
  const int window = std::min(options.window, motion.num_frames);
  const int degree = std::min(options.degree, window - 1);
  // One stencil for each position of the frame inside the window.
  std::vector<Stencil> stencils;
  for (int place = 0; place < window; ++place) stencils.push_back(make_stencil(-place, window, degree));
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const double fps = motion.fps;
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const int begin = std::clamp(frame - window / 2, 0, motion.num_frames - window);
    const Stencil& stencil = stencils[static_cast<std::size_t>(frame - begin)];
    for (std::size_t joint = 0; joint < n; ++joint) {
      const std::size_t here = static_cast<std::size_t>(frame) * n + joint;
      const Quatd back = conjugate(tracks.rotations[here]);
      Vec3d v{}, a{}, w{}, alpha{};
      for (std::size_t k = 0; k < static_cast<std::size_t>(window); ++k) {
        const std::size_t there = (static_cast<std::size_t>(begin) + k) * n + joint;
        // In this chart about the frame itself, ω = r' and its derivative = r'' at r = 0.
        const Vec3d r = to_rotation_vector(tracks.rotations[there] * back);
        const Vec3d p = tracks.positions[there] - tracks.positions[here];
        v += p * stencil.first[k];
        a += p * stencil.second[k];
        w += r * stencil.first[k];
        alpha += r * stencil.second[k];
      }
      out.linear_velocity[here] = to_float(v * fps);
      out.linear_acceleration[here] = to_float(a * (fps * fps));
      out.angular_velocity[here] = to_float(w * fps);
      out.angular_acceleration[here] = to_float(alpha * (fps * fps));
    }
  }
  return out;
}

}  // namespace zoe
