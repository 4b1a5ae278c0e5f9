// SPDX-License-Identifier: MIT
#include "control/neural/planted_feet.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/math/spring.h"

namespace zoe::control {
namespace {

// Single predictions are rough. Without smoothing the root would shake with them.
constexpr float kHalfLife_s = 0.04F;

Vec3 place_of(const Skeleton& skeleton, PoseView pose, int joint) {
  Vec3 place = pose.translations[idx(joint)];
  for (int p = skeleton.parent(joint); p != kNoJoint; p = skeleton.parent(p)) {
    const Vec3 scale = pose.scales.empty() ? Vec3{1, 1, 1} : pose.scales[idx(p)];
    place = pose.translations[idx(p)] +
            rotate(pose.rotations[idx(p)], Vec3{place.x * scale.x, place.y * scale.y, place.z * scale.z});
  }
  return place;
}

}  // namespace

FootPlaces places_of_feet(const Body& body, PoseView pose, std::span<const float> contacts) noexcept {
  FootPlaces out;
  const auto add = [&](int joint, int contact) {
    if (joint == kNoJoint || contact < 0 || idx(contact) >= contacts.size() || out.count == FootPlaces::kMost) return;
    out.places[out.count] = place_of(*body.skeleton, pose, joint);
    out.contacts[out.count++] = std::clamp(contacts[idx(contact)], 0.0F, 1.0F);
  };
  for (const BodyLeg& leg : body.legs) {
    add(leg.leg.ankle, leg.ankle_contact);
    add(leg.leg.ball, leg.ball_contact);
  }
  return out;
}

Vec3 PlantedFeet::slide(const FootPlaces& before, const FootPlaces& after, float dt_s) noexcept {
  Vec3 sum;
  float weights = 0, most = 0;
  for (std::size_t i = 0; i < after.count; ++i) {
    const float contact = before.contacts[i] * after.contacts[i], weight = contact * contact;
    sum += (after.places[i] - before.places[i]) * weight;
    weights += weight;
    most = std::max(most, weight);
  }
  Vec3 slide = weights > 1e-6F ? sum * (most / (weights * dt_s)) : Vec3{};
  slide.y = 0;
  slide_mps_ = approach(slide_mps_, slide, kHalfLife_s, dt_s);
  return slide_mps_;
}

}  // namespace zoe::control
