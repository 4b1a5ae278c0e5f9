// SPDX-License-Identifier: MIT
// Part of Zoetrope. Skin weights of the hull.
#include <algorithm>
#include <array>

#include "synth/flesh.h"

namespace zoe::synth {
namespace {

constexpr std::size_t kSlots = 8;  // Joints per vertex while weights are smoothed; four are kept.

struct Weights {
  std::array<std::uint16_t, kSlots> joints{};
  std::array<float, kSlots> values{};
  std::size_t count = 0;

  void add(std::uint16_t joint, float value) {
    for (std::size_t i = 0; i < count; ++i) {
      if (joints[i] != joint) continue;
      values[i] += value;
      return;
    }
    if (count < kSlots) {
      joints[count] = joint;
      values[count++] = value;
      return;
    }
    const auto least = static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
    if (values[least] >= value) return;
    joints[least] = joint;
    values[least] = value;
  }
  void normalise() {
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
    for (std::size_t i = 0; i < count; ++i) values[i] /= sum;
  }
};

// True if one is the other's parent, grandparent or great-grandparent. Flesh of unrelated joints (the other thigh) has
// no influence.
bool related(const Plan& plan, int a, int b) {
  for (int joint = std::max(a, b), steps = 0; joint != kNoJoint && steps <= 3; ++steps) {
    if (joint == std::min(a, b)) return true;
    joint = plan.joints[static_cast<std::size_t>(joint)].parent;
  }
  return false;
}

Weights weights_at(const Plan& plan, const FleshField& field) {
  constexpr float kBlend = 0.8F;  // In radii beyond the nearest: reach of a joint's influence along the next bone.
  Weights weights;
  const auto nearest = std::min_element(field.near().begin(), field.near().end(),
                                        [](const auto& a, const auto& b) { return a.distance < b.distance; });
  if (nearest == field.near().end()) {
    weights.add(static_cast<std::uint16_t>(plan.body.root), 1);
    return weights;
  }
  const int first = plan.blobs[static_cast<std::size_t>(nearest->blob)].joint;
  for (const FleshField::Near& near : field.near()) {
    const int joint = plan.blobs[static_cast<std::size_t>(near.blob)].joint;
    const float pull = 1 - (near.distance - nearest->distance) / kBlend;
    if (pull <= 0 || !related(plan, first, joint)) continue;
    // Several blobs of one joint are not added: the nearest counts.
    bool raised = false;
    for (std::size_t i = 0; i < weights.count; ++i) {
      if (weights.joints[i] != static_cast<std::uint16_t>(joint)) continue;
      weights.values[i] = std::max(weights.values[i], pull * pull);
      raised = true;
    }
    if (!raised) weights.add(static_cast<std::uint16_t>(joint), pull * pull);
  }
  weights.normalise();
  return weights;
}

void smooth(const Surface& surface, std::vector<Weights>& weights) {
  std::vector<Weights> next = weights;
  for (std::size_t t = 0; t < surface.indices.size(); t += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Weights& other = weights[surface.indices[t + (k + 1) % 3]];
      Weights& mine = next[surface.indices[t + k]];
      for (std::size_t i = 0; i < other.count; ++i) mine.add(other.joints[i], 0.25F * other.values[i]);
    }
  }
  for (Weights& w : next) w.normalise();
  weights = std::move(next);
}

}  // namespace

Influences skin_surface(const Plan& plan, const Surface& surface) {
  FleshField field(plan.blobs);
  std::vector<Weights> weights;
  weights.reserve(surface.positions.size());
  for (const Vec3& p : surface.positions) {
    field.gather(p);
    weights.push_back(weights_at(plan, field));
  }
  for (int i = 0; i < 6; ++i) smooth(surface, weights);
  Influences result;
  for (Weights& w : weights) {
    std::array<std::size_t, kSlots> order{};
    for (std::size_t i = 0; i < kSlots; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(w.count),
                     [&](std::size_t a, std::size_t b) { return w.values[a] > w.values[b]; });
    float sum = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, w.count); ++i) sum += w.values[order[i]];
    for (std::size_t i = 0; i < 4; ++i) {
      result.joints.push_back(i < w.count ? w.joints[order[i]] : 0);
      result.weights.push_back(i < w.count ? w.values[order[i]] / sum : 0.0F);
    }
  }
  return result;
}

}  // namespace zoe::synth
