// SPDX-License-Identifier: MIT
#include "certify/judge.h"

#include <algorithm>
#include <cstring>

#include "zoe/core/index.h"

namespace zoe::certify {
namespace {

bool near(const Finding& a, const Finding& b, int slack) {
  return a.first_frame <= b.last_frame + slack && b.first_frame <= a.last_frame + slack;
}

bool shares_joint(const Finding& a, const Finding& b) {
  return std::ranges::find_first_of(a.joints, b.joints) != a.joints.end();
}

// Whether `cause` already says what `other` found. Flips, swaps, twists and stretches begin and end with jumps, feet
// that flip slide, and noise looks like everything else.
bool explains(const Finding& cause, const Finding& other, int second) {
  const bool flips = cause.check == Check::kKneeFlip || cause.check == Check::kElbowFlip;
  const bool jumps = flips || cause.check == Check::kTwist || cause.check == Check::kSideSwap;
  const bool is_short = other.last_frame - other.first_frame <= cause.last_frame - cause.first_frame + 2 * second;
  switch (other.check) {
    case Check::kSpike:
      if (cause.check == Check::kJitter) return true;
      if (jumps && shares_joint(cause, other)) return near(cause, other, second);
      return (jumps || cause.check == Check::kBoneStretch) && near(cause, other, 2);
    case Check::kFootSlide:
    case Check::kPenetration:
      if (cause.check == Check::kJitter) return true;
      return jumps && is_short && near(cause, other, 2);
    case Check::kTwist:
      return (cause.check == Check::kSideSwap && near(cause, other, 2)) ||
             (flips && shares_joint(cause, other) && near(cause, other, second));
    case Check::kKneeFlip:
    case Check::kElbowFlip:
      return cause.check == Check::kSideSwap && near(cause, other, 2);
    default:
      return false;
  }
}

}  // namespace

double Judge::limit(Check check) const {
  const Limit& limit = limit_of(check);
  const bool is_length = std::strncmp(limit.unit, "m", 1) == 0;
  double most = limit.most * (is_length ? static_cast<double>(size_m_) : 1.0) * options_.tolerance;
  // The source's own value, with room for a body of other proportions.
  if (options_.source != nullptr)
    if (const Measure* of_source = options_.source->measure(check)) most = std::max(most, 1.25 * of_source->value);
  return most;
}

void Judge::measure(Check check, double value) {
  for (Measure& one : certificate_.measures) {
    if (one.check != check) continue;
    one.value = std::max(one.value, value);
    return;
  }
  certificate_.measures.push_back({check, value, limit(check), limit_of(check).unit});
}

void Judge::add(Check check, double value, int first_frame, int last_frame, std::vector<int> joints, std::string text,
                double allowance) {
  measure(check, value / allowance);
  const double most = limit(check) * allowance;
  if (!(value > most)) return;
  certificate_.findings.push_back(
      {check, first_frame, last_frame, std::move(joints), value, most, limit_of(check).unit, std::move(text)});
}

void Judge::skip(Check check, std::string reason) { certificate_.skipped.push_back({check, std::move(reason)}); }

Certificate Judge::finish(int first_frame, int num_frames, double fps) {
  const auto second = static_cast<int>(fps);
  std::vector<Finding> joined;
  for (Finding& one : certificate_.findings) {
    const auto same = std::ranges::find_if(joined, [&](const Finding& other) {
      return other.check == one.check && other.joints == one.joints && near(one, other, 2);
    });
    if (same == joined.end()) {
      joined.push_back(std::move(one));
      continue;
    }
    same->first_frame = std::min(same->first_frame, one.first_frame);
    same->last_frame = std::max(same->last_frame, one.last_frame);
    if (one.value > same->value) {
      same->value = one.value;
      same->text = std::move(one.text);
    }
  }
  std::vector<Finding> kept;
  for (const Finding& one : joined) {
    const bool explained =
        std::ranges::any_of(joined, [&](const Finding& other) { return explains(other, one, second); });
    if (!explained) kept.push_back(one);
  }
  std::ranges::stable_sort(kept,
                           [](const Finding& a, const Finding& b) { return a.value * b.limit > b.value * a.limit; });
  for (Finding& one : kept) {
    one.first_frame = std::clamp(one.first_frame, 0, std::max(0, num_frames - 1)) + first_frame;
    one.last_frame = std::clamp(one.last_frame, 0, std::max(0, num_frames - 1)) + first_frame;
  }
  certificate_.findings = std::move(kept);
  return std::move(certificate_);
}

std::vector<int> moving_joints(const Skeleton& skeleton) {
  std::vector<char> has_child(idx(skeleton.num_joints()), 0);
  for (int j = 0; j < skeleton.num_joints(); ++j)
    if (skeleton.parent(j) != kNoJoint) has_child[idx(skeleton.parent(j))] = 1;
  std::vector<int> joints;
  for (int j = 0; j < skeleton.num_joints(); ++j)
    if (skeleton.kind(j) == JointKind::kBone && has_child[idx(j)] != 0) joints.push_back(j);
  return joints;
}

bool Certificate::has(Check check) const {
  return std::ranges::any_of(findings, [&](const Finding& one) { return one.check == check; });
}

const Measure* Certificate::measure(Check check) const {
  const auto found = std::ranges::find_if(measures, [&](const Measure& one) { return one.check == check; });
  return found == measures.end() ? nullptr : &*found;
}

}  // namespace zoe::certify
