// SPDX-License-Identifier: MIT
#include "author/standing_pose.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::author {
namespace {

constexpr std::size_t kEnoughFrames = 8;  // Standing frames. Fewer may be a moment between two steps.

void add_to(Quat& sum, Quat q, float weight) {
  q = nearest_to(sum, q);
  sum = {sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z, sum.w + weight * q.w};
}

void add_to(Pose& sum, const Pose& pose) {
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    sum.translations[j] += pose.translations[j];
    add_to(sum.rotations[j], pose.rotations[j], 1);
  }
}

Pose mean_of(Pose sum, float count) {
  for (std::size_t j = 0; j < sum.rotations.size(); ++j) {
    sum.translations[j] = sum.translations[j] / count;
    sum.rotations[j] = normalized(sum.rotations[j]);
  }
  return sum;
}

// Sum over joints of the squared sine of half of the angle between them.
float difference(const Pose& a, const Pose& b) {
  float sum = 0;
  for (std::size_t j = 0; j < a.rotations.size(); ++j) {
    const float cosine = dot(a.rotations[j], b.rotations[j]);
    sum += std::max(1 - cosine * cosine, 0.0F);
  }
  return sum;
}

// People stand straighter than they walk. Raises the hips until a leg reaches the ground nearly straight; controllers
// plant the feet.
void straighten(control::Body& body) {
  constexpr float kReach = 0.975F, kMost = 0.1F;  // Of the leg's length.
  std::vector<Affine> models(body.stand.rotations.size());
  compute_model_from_joint(*body.skeleton, body.stand.view(), models);
  float rise_m = 1e30F;
  for (const control::BodyLeg& part : body.legs) {
    const Leg& leg = part.leg;
    const Vec3 hip = models[idx(leg.hip)].t, knee = models[idx(leg.knee)].t, ankle = models[idx(leg.ankle)].t;
    const float length_m = length(knee - hip) + length(ankle - knee), reach_m = kReach * length_m;
    const float aside = (hip.x - ankle.x) * (hip.x - ankle.x) + (hip.z - ankle.z) * (hip.z - ankle.z);
    const float below_m = std::sqrt(std::max(reach_m * reach_m - aside, 0.0F));
    rise_m = std::min({rise_m, leg.ankle_height_m + below_m - hip.y, kMost * length_m});
  }
  body.stand.translations[0].y += std::max(rise_m, 0.0F);
}

}  // namespace

void StandingPose::add(const Pose& pose, bool is_still, std::span<const control::BodyLeg> legs,
                       std::span<const float> stance) {
  legs_.resize(legs.size());
  for (std::size_t l = 0; l < legs.size(); ++l) {
    const Leg& leg = legs[l].leg;
    add_to(legs_[l].hip, pose.rotations[idx(leg.hip)], stance[l]);
    add_to(legs_[l].knee, pose.rotations[idx(leg.knee)], stance[l]);
    add_to(legs_[l].ankle, pose.rotations[idx(leg.ankle)], stance[l]);
    legs_[l].weight += stance[l];
    hips_m_ += stance[l] * pose.translations[0].y;
  }
  if (is_still) still_.push_back(pose);
  if (count_ == 0) {
    sum_ = pose;
  } else {
    add_to(sum_, pose);
  }
  count_ += 1;
}

void StandingPose::find(control::Body& body) const {
  if (still_.size() < kEnoughFrames) {
    body.stand = mean_of(sum_, count_);
    body.stand_source = control::StandSource::kMean;
    float weight = 0;
    for (std::size_t l = 0; l < legs_.size(); ++l) {
      const Leg& leg = body.legs[l].leg;
      if (legs_[l].weight < 1) continue;
      body.stand.rotations[idx(leg.hip)] = normalized(legs_[l].hip);
      body.stand.rotations[idx(leg.knee)] = normalized(legs_[l].knee);
      body.stand.rotations[idx(leg.ankle)] = normalized(legs_[l].ankle);
    }
    for (const LegSum& leg : legs_) weight += leg.weight;
    if (weight >= 1) body.stand.translations[0].y = hips_m_ / weight;
    if (body.legs.size() == 2) straighten(body);
    return;
  }
  Pose sum = still_[0];
  for (std::size_t i = 1; i < still_.size(); ++i) add_to(sum, still_[i]);
  const Pose mean = mean_of(std::move(sum), static_cast<float>(still_.size()));
  float nearest = 1e30F;
  for (const Pose& pose : still_) {
    const float far = difference(pose, mean);
    if (far >= nearest) continue;
    nearest = far;
    body.stand = pose;
  }
  body.stand_source = control::StandSource::kFrame;
}

}  // namespace zoe::author
