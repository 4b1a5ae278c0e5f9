// SPDX-License-Identifier: MIT
#include "zoe/features/body_tokens.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/motion/frame_span.h"

namespace zoe::features {
namespace {

// Columns of a token's part: [begin, end).
constexpr int kPositionEnd = 3, kRotationEnd = 9, kVelocityEnd = 12;
constexpr float kUsualScale_m = 0.4F;  // Of a person: the logarithm of the scale is around 0.

bool is_anytop(const Layout& layout, std::size_t tokens) {
  const std::span<const Column> columns = layout.columns(BlockKind::kOutput);
  return (columns.size() == 3 || columns.size() == 4) && columns[0].width == kRotationEnd && columns[1].width == 3 &&
         columns[2].width == 1 && layout.width(BlockKind::kOutput) == static_cast<int>(tokens) * kTokenWidth;
}

// The rest pose as the layout's numbers.
Result<std::vector<float>> rest_features(const Layout& layout, const SkeletonPtr& skeleton) {
  Motion still = make_motion(skeleton, "rest", layout.fps(), 2, /*with_scales=*/true);
  const Pose pose = make_pose(*skeleton);
  for (int f = 0; f < 2; ++f) copy_pose(pose.view(), frame_span(still, f));
  ZOE_TRY_ASSIGN(const std::vector<float> rows, build_frame_rows(layout, {.motion = &still}));
  const ClipRows clip{rows.data(), num_rows(layout, still)};
  const Sample sample{};
  std::vector<float> output(layout.size(BlockKind::kOutput));
  if (!GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .output = output}.run())
    return Error{ErrorCode::kInvalid, "the rest pose gives no features"};
  output.resize(idx(layout.width(BlockKind::kOutput)));
  return output;
}

// Numbers a joint can have in the roles of kBodyWidth, after position, bone, length, scale and side.
struct RoleMarks {
  enum : int { kLeg = 9, kSpine = 13, kHead, kTail, kFoot, kHand, kLeaf };
};

void mark_roles(BodyTokens& body, const Layout& layout, const SkeletonAnalysis& analysis) {
  const auto mark = [&](std::span<const int> joints, int column) {
    for (std::size_t t = 0; t < body.joints.size(); ++t) {
      if (std::find(joints.begin(), joints.end(), body.joints[t]) != joints.end())
        body.body[t * kBodyWidth + idx(column)] = 1;
    }
  };
  for (const Limb& limb : analysis.limbs) mark(limb.joints, RoleMarks::kLeg + static_cast<int>(limb.kind));
  mark(analysis.spine, RoleMarks::kSpine);
  mark({&analysis.head, 1}, RoleMarks::kHead);
  mark(analysis.tail, RoleMarks::kTail);
  mark(analysis.feet, RoleMarks::kFoot);
  mark(analysis.hands, RoleMarks::kHand);
  for (std::size_t t = 0; t < body.joints.size(); ++t) {
    float* row = &body.body[t * kBodyWidth];
    row[8] = static_cast<float>(layout.joint_sides()[idx(body.joints[t])]);
    const bool leaf = std::find(body.parents.begin(), body.parents.end(), static_cast<int>(t)) == body.parents.end();
    row[RoleMarks::kLeaf] = leaf ? 1.0F : 0.0F;
  }
}

void describe(BodyTokens& body) {
  const std::size_t tokens = body.joints.size();
  body.body.assign(tokens * kBodyWidth, 0);
  for (std::size_t t = 0; t < tokens; ++t) {
    const float* own = &body.rest[t * kTokenWidth];
    float* row = &body.body[t * kBodyWidth];
    float squared = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      row[c] = own[c] / body.scale_m;
      if (body.parents[t] == kNoJoint) continue;
      row[3 + c] = (own[c] - body.rest[idx(body.parents[t]) * kTokenWidth + c]) / body.scale_m;
      squared += row[3 + c] * row[3 + c];
    }
    row[6] = std::sqrt(squared);
    row[7] = std::log(body.scale_m / kUsualScale_m);
  }
}

// Lowest joint on the ground, and the spread of the joints.
void ground_and_scale(BodyTokens& body) {
  const std::size_t tokens = body.joints.size();
  float lowest = body.rest[1];
  double mean[3] = {}, squares = 0;
  for (std::size_t t = 0; t < tokens; ++t) lowest = std::min(lowest, body.rest[t * kTokenWidth + 1]);
  for (std::size_t t = 0; t < tokens; ++t) {
    body.rest[t * kTokenWidth + 1] -= lowest;
    for (std::size_t c = 0; c < 3; ++c) mean[c] += double{body.rest[t * kTokenWidth + c]} / static_cast<double>(tokens);
  }
  for (std::size_t t = 0; t < tokens; ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const double d = double{body.rest[t * kTokenWidth + c]} - mean[c];
      squares += d * d / static_cast<double>(tokens);
    }
  }
  body.scale_m = squares > 1e-8 ? static_cast<float>(std::sqrt(squares)) : 1.0F;
}

// Factor of the numbers of a token in canonical units: 1 / scale for lengths. The hips' velocity is (x, turn, z).
bool is_length(std::size_t token, int column) {
  return column < kPositionEnd ||
         (column >= kRotationEnd && column < kVelocityEnd && (token > 0 || column != kRotationEnd + 1));
}

// Axes of a body's facing at rest. Rotations are measured in model axes: bodies that face elsewhere than along +Z would
// bend their knees around another axis than all others.
class RestFacing {
 public:
  explicit RestFacing(const BodyTokens& body) {
    const float* axes = &body.rest[kPositionEnd];  // Of the hips: x, then y.
    for (std::size_t i = 0; i < 3; ++i) columns_[0][i] = axes[i], columns_[1][i] = axes[3 + i];
    cross(columns_[0], columns_[1], columns_[2]);
    const float identity[6] = {1, 0, 0, 0, 1, 0};
    for (std::size_t i = 0; i < 6; ++i) is_turned_ = is_turned_ || std::abs(axes[i] - identity[i]) > 1e-5F;
  }
  bool is_turned() const { return is_turned_; }

  // Six numbers of a rotation in model axes <-> in the axes of the facing. The hips' own are only measured from there.
  void turn(float* six, bool hips, bool back) const {
    float r[3][3];  // By columns.
    for (std::size_t i = 0; i < 3; ++i) r[0][i] = six[i], r[1][i] = six[3 + i];
    // Numbers of a network are no exact rotation.
    unit(r[0]);
    cross(r[0], r[1], r[2]);
    unit(r[2]);
    cross(r[2], r[0], r[1]);
    for (std::size_t c = 0; c < 2; ++c) {  // Q R Q^T, or R Q^T; back: Q^T R Q, or R Q.
      float turned[3] = {};
      for (std::size_t k = 0; k < 3; ++k) {
        const float factor = back ? columns_[c][k] : columns_[k][c];
        for (std::size_t i = 0; i < 3; ++i) turned[i] += r[k][i] * factor;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += (back ? columns_[i][k] : columns_[k][i]) * turned[k];
        six[3 * c + i] = hips ? turned[i] : sum;
      }
    }
  }

 private:
  static void cross(const float* a, const float* b, float* out) {
    for (std::size_t i = 0; i < 3; ++i) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }

  static void unit(float* v) {
    const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (std::size_t i = 0; i < 3; ++i) v[i] /= std::max(length, 1e-12F);
  }

  float columns_[3][3];
  bool is_turned_ = false;
};

}  // namespace

Result<BodyTokens> body_tokens(const Layout& layout, const SkeletonPtr& skeleton, const SkeletonAnalysis& analysis) {
  BodyTokens body;
  for (const std::vector<int>& joints : layout.channel_joints(BlockKind::kOutput)) {
    for (const int joint : joints)
      if (std::find(body.joints.begin(), body.joints.end(), joint) == body.joints.end()) body.joints.push_back(joint);
  }
  if (!is_anytop(layout, body.joints.size()))
    return Error{ErrorCode::kUsage,
                 fmt::format("a network for any skeleton needs the schema anytop, not '{}'", layout.schema().name)};
  ZOE_TRY_ASSIGN(body.rest, rest_features(layout, skeleton));
  std::vector<int> token_of(idx(skeleton->num_joints()), kNoJoint), mirrors(body.joints.size());
  for (std::size_t t = 0; t < body.joints.size(); ++t) {
    token_of[idx(body.joints[t])] = static_cast<int>(t);
    mirrors[t] = static_cast<int>(t);
  }
  for (const int joint : body.joints) {
    int above = skeleton->parent(joint);
    while (above != kNoJoint && token_of[idx(above)] == kNoJoint) above = skeleton->parent(above);
    body.parents.push_back(above == kNoJoint ? kNoJoint : token_of[idx(above)]);
  }
  for (const JointPair& pair : analysis.pairs) {
    const int left = token_of[idx(pair.left)], right = token_of[idx(pair.right)];
    if (left != kNoJoint && right != kNoJoint) mirrors[idx(left)] = right, mirrors[idx(right)] = left;
  }
  ground_and_scale(body);
  describe(body);
  mark_roles(body, layout, analysis);
  body.names.resize(body.joints.size() * kNameWidth);
  for (std::size_t t = 0; t < body.joints.size(); ++t)
    name_pieces(skeleton->name(body.joints[t]), std::span(body.names).subspan(t * kNameWidth, kNameWidth));
  body.relations = joint_relations(body.parents, mirrors);
  return body;
}

void to_canonical(const BodyTokens& body, std::span<float> frames) {
  const RestFacing facing(body);
  const std::size_t tokens = body.joints.size();
  const float per_scale = 1 / body.scale_m;
  constexpr float kIdentity[6] = {1, 0, 0, 0, 1, 0};
  for (std::size_t i = 0; i * kTokenWidth < frames.size(); ++i) {
    const std::size_t token = i % tokens;
    float* row = &frames[i * kTokenWidth];
    const float* rest = &body.rest[token * kTokenWidth];
    for (std::size_t c = 0; c < kPositionEnd; ++c) row[c] = (row[c] - rest[c]) * per_scale;
    if (facing.is_turned()) facing.turn(row + kPositionEnd, token == 0, /*back=*/false);
    for (std::size_t c = 0; c < 6; ++c)
      row[kPositionEnd + c] -= facing.is_turned() ? kIdentity[c] : rest[kPositionEnd + c];
    for (std::size_t c = kRotationEnd; c < kVelocityEnd; ++c)
      if (is_length(token, static_cast<int>(c))) row[c] *= per_scale;
  }
}

void from_canonical(const BodyTokens& body, std::span<float> frames) {
  const RestFacing facing(body);
  const std::size_t tokens = body.joints.size();
  constexpr float kIdentity[6] = {1, 0, 0, 0, 1, 0};
  for (std::size_t i = 0; i * kTokenWidth < frames.size(); ++i) {
    const std::size_t token = i % tokens;
    float* row = &frames[i * kTokenWidth];
    const float* rest = &body.rest[token * kTokenWidth];
    for (std::size_t c = 0; c < kPositionEnd; ++c) row[c] = row[c] * body.scale_m + rest[c];
    for (std::size_t c = 0; c < 6; ++c)
      row[kPositionEnd + c] += facing.is_turned() ? kIdentity[c] : rest[kPositionEnd + c];
    if (facing.is_turned()) facing.turn(row + kPositionEnd, token == 0, /*back=*/true);
    for (std::size_t c = kRotationEnd; c < kVelocityEnd; ++c)
      if (is_length(token, static_cast<int>(c))) row[c] *= body.scale_m;
  }
}

}  // namespace zoe::features
