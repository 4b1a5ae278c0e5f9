// SPDX-License-Identifier: MIT
#include "anatomy/foot_offsets.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/standing.h"
#include "zoe/core/index.h"
#include "zoe/math/smooth_step.h"

namespace zoe::anatomy {
namespace {

struct Span {
  int first, last;  // Both included.
};

std::vector<Span> spans_of(std::span<const std::uint8_t> touching) {
  std::vector<Span> spans;
  const int n = static_cast<int>(touching.size());
  for (int f = 0; f < n; ++f) {
    if (touching[idx(f)] == 0) continue;
    if (f == 0 || touching[idx(f - 1)] == 0) spans.push_back({f, f});
    spans.back().last = f;
  }
  return spans;
}

class Planter {
 public:
  Planter(const FootTrack& foot, double fps, Vec3 up, const OffsetSettings& settings, int frames)
      : foot_(foot), fps_(fps), up_(up), settings_(settings), frames_(frames) {
    out_.offsets.resize(idx(frames));
    out_.slide.resize(idx(frames));
  }

  FootOffsets run(std::span<const std::uint8_t> touching) {
    const std::vector<Span> contacts = spans_of(touching);
    for (const Span& contact : contacts) plant(contact);
    for (std::size_t i = 0; i <= contacts.size(); ++i) {
      const int before = i == 0 ? -1 : contacts[i - 1].last;
      const int after = i == contacts.size() ? frames_ : contacts[i].first;
      if (!contacts.empty()) swing(before, after);
    }
    out_.num_contacts = static_cast<int>(contacts.size());
    return std::move(out_);
  }

 private:
  float height(std::size_t part, int frame) const {
    return dot(foot_.parts[part][idx(frame)], up_) - foot_.standing[part];
  }

  std::vector<float> carrying(int frame) const {
    std::vector<float> heights(foot_.parts.size()), weights(foot_.parts.size());
    for (std::size_t p = 0; p < heights.size(); ++p) heights[p] = height(p, frame);
    carrying_weights(heights, settings_.near_ground, weights);
    return weights;
  }

  // Velocity over the ground between this frame and the next.
  Vec3 velocity(int frame) const {
    if (frame + 1 >= frames_) return {};
    const std::vector<float> here = carrying(frame), next = carrying(frame + 1);
    Vec3 sum{};
    for (std::size_t p = 0; p < here.size(); ++p) {
      sum += (foot_.parts[p][idx(frame + 1)] - foot_.parts[p][idx(frame)]) * (0.5F * (here[p] + next[p]));
    }
    return (sum - up_ * dot(sum, up_)) * static_cast<float>(fps_);
  }

  void plant(const Span& contact) {
    const int count = contact.last - contact.first + 1;
    const double ramp = std::max(1.0, std::min(settings_.ramp_s * fps_, 0.25 * count));
    // A clip may begin or end in the middle of a contact.
    const bool open_start = contact.first == 0, open_end = contact.last == frames_ - 1;
    std::vector<Vec3> offsets(idx(count));
    Vec3 mean{};
    for (int k = 0; k < count; ++k) {
      const int frame = contact.first + k;
      if (k > 0) {
        const double in = open_start ? 1.0 : (k - 0.5) / ramp, out = open_end ? 1.0 : (count - 0.5 - k) / ramp;
        const Vec3 v = velocity(frame - 1);
        offsets[idx(k)] =
            offsets[idx(k - 1)] - v * (std::min(smoother_step(in), smoother_step(out)) / static_cast<float>(fps_));
        out_.slide[idx(frame)] = v;
      }
      mean += offsets[idx(k)] / static_cast<float>(count);
    }
    float farthest = 0;
    for (Vec3& offset : offsets) farthest = std::max(farthest, length(offset -= mean));
    const float share = farthest > settings_.max_offset ? settings_.max_offset / farthest : 1.0F;
    if (share < 1) ++out_.num_held_back;
    for (int k = 0; k < count; ++k) {
      Vec3& offset = out_.offsets[idx(contact.first + k)];
      offset = offsets[idx(k)] * share;
      if (settings_.ground_height) offset += up_ * rise(contact.first + k);
    }
  }

  // Offset that lifts the lowest part onto the ground.
  float rise(int frame) const {
    float lowest = 1e9F, lowest_standing = 1e9F;
    for (std::size_t p = 0; p < foot_.parts.size(); ++p) {
      lowest = std::min(lowest, height(p, frame));
      lowest_standing = std::min(lowest_standing, foot_.standing[p]);
    }
    return *settings_.ground_height - lowest - lowest_standing;
  }

  // Between two contacts, or before the first (before < 0) and after the last (after == frames).
  void swing(int before, int after) {
    const Vec3 from = before >= 0 ? out_.offsets[idx(before)] : Vec3{};
    const Vec3 to = after < frames_ ? out_.offsets[idx(after)] : Vec3{};
    const double gap_s = (after - before) / fps_;
    const bool both = before >= 0 && after < frames_;
    for (int f = before + 1; f < after; ++f) {
      const double since_s = (f - before) / fps_, until_s = (after - f) / fps_;
      if (both && gap_s <= 2 * settings_.swing_s) {
        out_.offsets[idx(f)] = lerp(from, to, smoother_step(since_s / gap_s));
        continue;
      }
      Vec3 offset{};
      if (before >= 0) offset += from * (1 - smoother_step(since_s / settings_.swing_s));
      if (after < frames_) offset += to * (1 - smoother_step(until_s / settings_.swing_s));
      out_.offsets[idx(f)] = offset;
    }
  }

  const FootTrack& foot_;
  double fps_;
  Vec3 up_;
  const OffsetSettings& settings_;
  int frames_;
  FootOffsets out_;
};

}  // namespace

FootOffsets find_foot_offsets(const FootTrack& foot, std::span<const std::uint8_t> touching, double fps, Vec3 up,
                              const OffsetSettings& settings) {
  return Planter(foot, fps, up, settings, static_cast<int>(touching.size())).run(touching);
}

}  // namespace zoe::anatomy
