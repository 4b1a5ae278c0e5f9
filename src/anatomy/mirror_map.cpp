// SPDX-License-Identifier: MIT
#include "zoe/anatomy/mirror_map.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/symmetric_eigen.h"

#include "anatomy/mirror_partners.h"

namespace zoe {
namespace {

using Matrix = SquareMatrix<3>;

Vec3d reflect(Vec3d n, Vec3d v) { return v - n * (2.0 * dot(n, v)); }

// S·R·S for a reflection S.
Quatd reflect(Vec3d n, Quatd q) {
  const Vec3d v = -reflect(n, Vec3d{q.x, q.y, q.z});
  return {v.x, v.y, v.z, q.w};
}

// m += weight · to · fromᵀ.
void add_outer(Matrix& m, Vec3d to, Vec3d from, double weight) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) m[i][k] += weight * to[i] * from[k];
  }
}

// m += weight · Bᵀ · S · A: maps vectors of frame A, reflected in the model, into frame B.
void add_seen(Matrix& m, Quatd a, Quatd b, Vec3d n, double weight) {
  for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    add_outer(m, rotate(conjugate(b), reflect(n, rotate(a, axis))), axis, weight);
  }
}

// The rotation C for which S·C is nearest to m (Davenport's q-method on S·m).
Quatd nearest_frame(const Matrix& m, Vec3d n) {
  Matrix r;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3d column = reflect(n, Vec3d{m[0][k], m[1][k], m[2][k]});
    for (std::size_t i = 0; i < 3; ++i) r[i][k] = column[i];
  }
  const double trace = r[0][0] + r[1][1] + r[2][2];
  SquareMatrix<4> k{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) k[i][j] = r[i][j] + r[j][i] - (i == j ? trace : 0.0);
  }
  const double z[3] = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
  for (std::size_t i = 0; i < 3; ++i) k[i][3] = k[3][i] = z[i];
  k[3][3] = trace;
  const SymmetricEigen<4> eigen = symmetric_eigen<4>(k);
  const auto& q = eigen.vectors[eigen.largest()];
  return normalized(Quatd{q[0], q[1], q[2], q[3]});
}

// The same where S·C must be its own inverse: a reflection in a plane of the joint's frame.
Quatd nearest_own_frame(const Matrix& m, Vec3d n) {
  Matrix s;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) s[i][k] = 0.5 * (m[i][k] + m[k][i]);
  }
  const SymmetricEigen<3> eigen = symmetric_eigen<3>(s);
  const auto& v = eigen.vectors[eigen.smallest()];
  const Vec3d normal = normalized(Vec3d{v[0], v[1], v[2]});
  // Two reflections give the rotation by twice the angle between their planes.
  const Vec3d axis = cross(normal, n);
  return {axis.x, axis.y, axis.z, dot(n, normal)};
}

std::vector<Quatd> model_rotations(const Skeleton& skeleton, std::span<const Quat> locals) {
  std::vector<Quatd> model(locals.size());
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    const Quatd local = to_double(locals[idx(j)]);
    model[idx(j)] = normalized(parent == kNoJoint ? local : model[idx(parent)] * local);
  }
  return model;
}

class MapBuilder {
 public:
  MapBuilder(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips)
      : skeleton_(skeleton),
        analysis_(analysis),
        up_(normalized(to_double(analysis.up), Vec3d{0, 1, 0})),
        height_(std::max(1e-9, analysis.height_m / std::max(1e-9, analysis.metres_per_unit))) {
    map_.partners = anatomy::mirror_partners(skeleton, analysis);
    seen_.resize(map_.partners.size());
    find_offsets(clips);
    choose_plane();
    if (analysis.reference_clip < 0 || !look_at_clips(clips)) look_at_rest();
  }

  MirrorMap run() {
    mark_places();
    std::vector<std::vector<int>> bones(map_.partners.size());  // Children that determine how a frame mirrors.
    for (int c = 0; c < skeleton_.num_joints(); ++c) {
      if (map_.partners[idx(c)] != kNoJoint && is_bone(c)) bones[idx(skeleton_.parent(c))].push_back(c);
    }
    std::vector<Quatd> frames(map_.partners.size());
    for (int i = 0; i < skeleton_.num_joints(); ++i) {
      const int p = map_.partners[idx(i)];
      if (p == kNoJoint || p < i) continue;
      frames[idx(i)] = fit(i, p, bones[idx(i)]);
      if (p != i) frames[idx(p)] = reflect(normal_, conjugate(frames[idx(i)]));
    }
    for (const Quatd& frame : frames) map_.frames.push_back(to_float(frame));
    map_.plane_normal = to_float(normal_);
    return std::move(map_);
  }

 private:
  // Bones decide. Observed frames determine the rest, with less weight than a bone's noise of 0.3 %. (A rest pose is
  // not more reliable: exporters write any frame into it.) A bone that fits no mirror, such as a tail modelled beside
  // the body, is ignored.
  Quatd fit(int i, int p, const std::vector<int>& bones) const {
    constexpr double kOpen = 1e-5;
    const double tolerance = 0.02 * height_;
    Matrix seen;
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) seen[r][c] = kOpen * (seen_[idx(i)][r][c] + seen_[idx(p)][c][r]);
    }
    const auto nearest = [&](const Matrix& m) {
      return p == i ? nearest_own_frame(m, normal_) : nearest_frame(m, normal_);
    };
    // Distance of a bone's image from its partner.
    const auto off = [&](int bone, Quatd frame) {
      const Vec3d own = to_double(map_.offsets[idx(bone)]),
                  image = to_double(map_.offsets[idx(map_.partners[idx(bone)])]);
      return length(reflect(normal_, rotate(frame, own)) - image) * model_scale(bone);
    };
    Quatd frame = nearest(seen);
    for (int round = 0; round < 8 && !bones.empty(); ++round) {
      Matrix m{};
      double total = 0;
      for (const int bone : bones) {
        const Vec3d own = to_double(map_.offsets[idx(bone)]),
                    image = to_double(map_.offsets[idx(map_.partners[idx(bone)])]);
        const double misfit = off(bone, frame) / tolerance, weight = round == 0 ? 1.0 : 1 / (1 + misfit * misfit);
        add_outer(m, image, own, weight);
        total += weight * length(own) * length(image);
      }
      if (!(total > 1e-12)) break;
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) m[r][c] = m[r][c] / total + seen[r][c];
      }
      frame = nearest(m);
    }
    return frame;
  }
  // Model units per unit of the joint's translation.
  double model_scale(int joint) const {
    const int parent = skeleton_.parent(joint);
    const auto rest = skeleton_.rest_model();
    return parent == kNoJoint ? 1.0 : std::cbrt(std::abs(static_cast<double>(determinant(rest[idx(parent)]))));
  }

  // Each bone as in the clips. Joints that translate, or were moved away from the rest pose, are positions.
  void find_offsets(std::span<const Motion> clips) {
    const std::size_t n = map_.partners.size();
    std::vector<Vec3d> sums(n), squares(n);
    double frames = 0;
    for (const Motion& clip : clips) {
      if (clip.num_joints() != skeleton_.num_joints()) continue;
      for (std::size_t i = 0; i < clip.translations.size(); ++i) {
        const Vec3d t = to_double(clip.translations[i]);
        sums[i % n] += t;
        squares[i % n] += Vec3d{t.x * t.x, t.y * t.y, t.z * t.z};
      }
      frames += clip.num_frames;
    }
    slides_.assign(n, 0);
    for (int j = 0; j < skeleton_.num_joints(); ++j) {
      if (!(frames > 0)) {
        map_.offsets.push_back(skeleton_.rest_local(j).translation);
        continue;
      }
      const Vec3d mean = sums[idx(j)] / frames, square = squares[idx(j)] / frames;
      const double variance = square.x + square.y + square.z - dot(mean, mean);
      const double moved = length(mean - to_double(skeleton_.rest_local(j).translation));
      slides_[idx(j)] = std::max(std::sqrt(std::max(0.0, variance)), 0.1 * moved) * model_scale(j) > 1e-4 * height_;
      map_.offsets.push_back(to_float(mean));
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (map_.partners[j] != kNoJoint && slides_[idx(map_.partners[j])]) slides_[j] = 1;
    }
  }

  // Directions from right to left where paired joints leave the middle.
  Vec3d across(std::span<const Affine> model) const {
    Vec3d sum{};
    for (const JointPair& pair : analysis_.pairs) {
      const int parent = skeleton_.parent(pair.left);
      if (parent == kNoJoint || map_.partners[idx(parent)] != parent) continue;
      sum += to_double(model[idx(pair.left)].t - model[idx(pair.right)].t);
    }
    return normalized(sum - up_ * dot(sum, up_));
  }

  bool look_at_clips(std::span<const Motion> clips) {
    constexpr int kMaxFrames = 96;
    std::vector<Affine> model(map_.partners.size());
    int seen = 0;
    for (const Motion& clip : clips) {
      if (clip.num_joints() != skeleton_.num_joints()) continue;
      const int step = std::max(1, clip.num_frames * static_cast<int>(clips.size()) / kMaxFrames);
      for (int frame = step / 2; frame < clip.num_frames; frame += step) {
        const PoseView pose = clip.frame(frame);
        compute_model_from_joint(skeleton_, pose, model);
        const Vec3d n = across(model);
        if (length(n) < 0.5) continue;
        const std::vector<Quatd> rotations = model_rotations(skeleton_, pose.rotations);
        for (int i = 0; i < skeleton_.num_joints(); ++i) {
          const int p = map_.partners[idx(i)];
          if (p != kNoJoint) add_seen(seen_[idx(i)], rotations[idx(i)], rotations[idx(p)], n, 1.0 / kMaxFrames);
        }
        ++seen;
      }
    }
    return seen > 0;
  }

  void look_at_rest() {
    std::vector<Quat> locals;
    for (int j = 0; j < skeleton_.num_joints(); ++j) locals.push_back(skeleton_.rest_local(j).rotation);
    const std::vector<Quatd> rotations = model_rotations(skeleton_, locals);
    for (int i = 0; i < skeleton_.num_joints(); ++i) {
      const int p = map_.partners[idx(i)];
      if (p != kNoJoint) add_seen(seen_[idx(i)], rotations[idx(i)], rotations[idx(p)], normal_, 1);
    }
  }

  // A coordinate axis where the plane is near one; a rest pose may be skewed.
  void choose_plane() {
    const Vec3d left = normalized(cross(up_, to_double(analysis_.forward)), Vec3d{1, 0, 0});
    normal_ = std::abs(up_.x) > 0.7 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
    if (analysis_.reference_clip >= 0) return;
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
      if (std::abs(dot(left, axis)) > std::cos(0.17)) {
        normal_ = axis;
        return;
      }
    }
    normal_ = left;
  }

  // Joints that carry the body are positions, and so are joints beside it on the same parent (feet held by IK), and
  // joints that translate: their translations are no bones.
  void mark_places() {
    map_.are_places.assign(map_.partners.size(), 0);
    std::vector<std::uint8_t> carries(map_.partners.size(), 0);
    for (int j = analysis_.hips; j != kNoJoint; j = skeleton_.parent(j)) carries[idx(j)] = 1;
    for (int j = 0; j < skeleton_.num_joints(); ++j) {
      const int parent = skeleton_.parent(j);
      map_.are_places[idx(j)] =
          parent == kNoJoint || slides_[idx(j)] || (carries[idx(parent)] && parent != analysis_.hips);
    }
  }

  // Nodes that carry a mesh are anywhere on their bone.
  bool is_bone(int joint) const { return !map_.are_places[idx(joint)] && skeleton_.kind(joint) != JointKind::kNode; }

  const Skeleton& skeleton_;
  const SkeletonAnalysis& analysis_;
  Vec3d up_, normal_;
  double height_;                     // Height of the body, in the skeleton's units.
  std::vector<std::uint8_t> slides_;  // [joints] The translation of the joint or of its partner is animated.
  MirrorMap map_;
  std::vector<Matrix> seen_;  // [joints] sums of maps from the joint's frame to its partner's, as observed in poses.
};

void fill_report(const Skeleton& skeleton, const SkeletonAnalysis& analysis, const MirrorMap& map,
                 MirrorReport& report) {
  report = {};
  const auto rest = skeleton.rest_model();
  const Vec3d n = to_double(map.plane_normal);
  const double height = analysis.metres_per_unit > 0 ? analysis.height_m / analysis.metres_per_unit : 0.0;
  for (int i = 0; i < skeleton.num_joints(); ++i) {
    const int p = map.partners[idx(i)], parent = skeleton.parent(i);
    if (p == kNoJoint) ++report.num_loose;
    if (p == i) ++report.num_middle;
    if (p > i) ++report.num_pairs;
    if (p == kNoJoint || parent == kNoJoint || map.are_places[idx(i)] || skeleton.kind(i) == JointKind::kNode) continue;
    const Vec3d own = to_double(map.offsets[idx(i)]);
    const Vec3d image =
        rotate(conjugate(to_double(map.frames[idx(parent)])), reflect(n, to_double(map.offsets[idx(p)])));
    const double scale = std::cbrt(std::abs(static_cast<double>(determinant(rest[idx(parent)]))));
    if (height > 0) report.worst_asymmetry = std::max(report.worst_asymmetry, scale * length(own - image) / height);
  }
}

}  // namespace

Result<MirrorMap> mirror_map(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                             MirrorReport* report) {
  if (analysis.reference_positions.size() != static_cast<std::size_t>(skeleton.num_joints())) {
    return Error{ErrorCode::kUsage, "mirror: the analysis is of another skeleton, or found no body", {}};
  }
  MirrorMap map = MapBuilder(skeleton, analysis, clips).run();
  ZOE_TRY(validate(map, skeleton, 0));
  if (report != nullptr) fill_report(skeleton, analysis, map, *report);
  return map;
}

}  // namespace zoe
