// SPDX-License-Identifier: MIT
#include "zoe/author/make_body.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "zoe/core/index.h"
#include "zoe/features/decode.h"
#include "zoe/features/ground_signals.h"

#include "author/percentile.h"
#include "author/standing_pose.h"

namespace zoe::author {
namespace {

using control::Body;
using control::BodyLeg;
using control::MotionRange;
using features::BlockKind;

std::span<const int> contact_joints_of(const features::Layout& layout) {
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].group == features::Group::kContact) return layout.channel_joints(BlockKind::kOutput)[i];
  }
  return {};
}

float bone_between(const Skeleton& skeleton, int below, int above) {
  float sum = 0;
  for (; below != above && below != kNoJoint; below = skeleton.parent(below)) {
    sum += length(skeleton.rest_local(below).translation);
  }
  return sum;
}

bool is_above(const Skeleton& skeleton, int joint, int below) {
  for (int up = skeleton.parent(below); up != kNoJoint; up = skeleton.parent(up)) {
    if (up == joint) return true;
  }
  return false;
}

// The knee is the joint of the leg with the longest bones above and below it.
bool find_knee(const Skeleton& skeleton, std::span<const int> others, Leg& leg) {
  float best = 0;
  for (int knee = skeleton.parent(leg.ankle); knee != kNoJoint; knee = skeleton.parent(knee)) {
    const int hip = skeleton.parent(knee);
    // A joint that also carries another leg (a spine, whose shoulder looks like a knee) must not turn with this one.
    const bool is_shared =
        std::any_of(others.begin(), others.end(), [&](int other) { return is_above(skeleton, hip, other); });
    if (hip == kNoJoint || is_shared) break;
    const float score =
        std::min(length(skeleton.rest_local(knee).translation), bone_between(skeleton, leg.ankle, knee));
    if (score <= best) continue;
    best = score;
    leg.knee = knee;
    leg.hip = hip;
  }
  return best > 1e-3F;
}

bool same_leg(const Skeleton& skeleton, int a, int b) {
  return a == b || is_above(skeleton, a, b) || is_above(skeleton, b, a);
}

// A leg ends at the uppermost of its contact joints that carries the body: the ankle of a person, but not the hock of a
// dog. stands: [contacts]; where none of a leg does, all count.
std::vector<BodyLeg> find_legs(const Skeleton& skeleton, std::span<const int> contacts, std::vector<char> stands) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    bool any = false;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      any = any || (stands[k] == 1 && same_leg(skeleton, contacts[i], contacts[k]));
    }
    if (!any) stands[i] = 2;  // Counts, but does not affect others.
  }
  std::vector<BodyLeg> legs;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int ankle = contacts[i];
    const auto holds_ankle = [&](std::size_t k) { return stands[k] != 0 && is_above(skeleton, contacts[k], ankle); };
    bool is_ball = stands[i] == 0;
    std::vector<int> others;
    BodyLeg out;
    out.leg.ankle = ankle;
    out.ankle_contact = static_cast<int>(i);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      is_ball = is_ball || holds_ankle(k);
      if (!same_leg(skeleton, ankle, contacts[k])) others.push_back(contacts[k]);
      if (stands[k] != 0 && skeleton.parent(contacts[k]) == ankle) {
        out.leg.ball = contacts[k];
        out.ball_contact = static_cast<int>(k);
      }
    }
    if (!is_ball && find_knee(skeleton, others, out.leg)) legs.push_back(out);
  }
  return legs;
}

float median(std::vector<float>& values, float fallback) { return values.empty() ? fallback : percentile(values, 0.5); }

class BodyMaker {
 public:
  BodyMaker(const features::Layout& layout, const SkeletonPtr& skeleton, const features::Decoder& decoder)
      : layout_(layout), decoder_(decoder), frame_(decoder.make_frame()), values_(layout.size(BlockKind::kOutput)) {
    body_.skeleton = skeleton;
    const auto contacts = contact_joints_of(layout);
    body_.contact_joints.assign(contacts.begin(), contacts.end());
    body_.start = pose_ = make_pose(*skeleton);
    models_.resize(idx(skeleton->num_joints()));
    touching_.resize(contacts.size());
    const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name == features::kUnderfootSignal && idx(channels[i].width) == contacts.size())
        underfoot_ = layout.columns(BlockKind::kOutput)[i].begin;
    }
  }

  // First all frames pass here, then find_legs() runs, then all frames pass look_at().
  void count_contacts(std::span<const features::ClipRows> clips, const features::Sample& sample) {
    decode(clips, sample);
    for (std::size_t i = 0; i < touching_.size(); ++i) touching_[i] += touches(static_cast<int>(i)) ? 1 : 0;
    ++num_counted_;
  }

  void find_legs() {
    std::vector<char> stands;
    // A joint in contact for less than half as long as the joint below or above it only passes by.
    for (std::size_t i = 0; i < touching_.size(); ++i) {
      int most = 0;
      for (std::size_t k = 0; k < touching_.size(); ++k) {
        if (same_leg(*body_.skeleton, body_.contact_joints[i], body_.contact_joints[k]))
          most = std::max(most, touching_[k]);
      }
      stands.push_back(20 * touching_[i] > num_counted_ && 2 * touching_[i] > most ? 1 : 0);
    }
    body_.legs = author::find_legs(*body_.skeleton, body_.contact_joints, std::move(stands));
    ankle_heights_.resize(body_.legs.size());
    ball_heights_.resize(body_.legs.size());
    axes_.resize(body_.legs.size());
    stance_.resize(body_.legs.size());
  }

  void look_at(std::span<const features::ClipRows> clips, const features::Sample& sample) {
    decode(clips, sample);
    const RootDelta step = decoder_.root_step(std::span(values_).first(idx(decoder_.width())));
    frame_.pose_root = {};
    decoder_.to_pose(frame_, pose_);
    compute_model_from_joint(*body_.skeleton, pose_.view(), models_);
    const float speed_mps = std::hypot(step.translation.x, step.translation.z) * static_cast<float>(layout_.fps());
    if (speed_mps > kMoves_mps) {
      speeds_mps_.push_back(speed_mps);
      turn_speeds_rad_s_.push_back(std::abs(step.turn_rad) * static_cast<float>(layout_.fps()));
    }
    const float turn_rad_s = std::abs(step.turn_rad) * static_cast<float>(layout_.fps());
    bool is_still = speed_mps < kStill_mps && turn_rad_s < kStill_rad_s;
    float still = length(step.translation) * static_cast<float>(layout_.fps()) + std::abs(step.turn_rad) * 10;
    for (std::size_t l = 0; l < body_.legs.size(); ++l) {
      const BodyLeg& leg = body_.legs[l];
      const Vec3 hip = models_[idx(leg.leg.hip)].t, knee = models_[idx(leg.leg.knee)].t,
                 ankle = models_[idx(leg.leg.ankle)].t;
      const Vec3 bend = cross(normalized(knee - hip), normalized(ankle - knee));
      axes_[l] += rotate(conjugate(rotation_of(models_[idx(leg.leg.knee)])), bend) * length(bend);
      if (touches(leg.ankle_contact)) ankle_heights_[l].push_back(ankle.y - ground_below(leg.ankle_contact));
      if (touches(leg.ball_contact))
        ball_heights_[l].push_back(models_[idx(leg.leg.ball)].t.y - ground_below(leg.ball_contact));
      const bool stands = touches(leg.ankle_contact) || touches(leg.ball_contact);
      if (!stands) still += 1;
      is_still = is_still && stands;
      // In mid-stance the ankle is below the hip.
      const float off = (ankle.z - hip.z) / std::max(0.1F * (length(knee - hip) + length(ankle - knee)), 1e-6F);
      stance_[l] = stands ? std::exp(-off * off) : 0.0F;
      // Feet side by side are a better standing pose than feet in a stride.
      still += std::abs(ankle.z) + 0.1F * (1 - length(knee - hip));
    }
    standing_.add(pose_, is_still, body_.legs, stance_);
    if (still >= stillest_) return;
    stillest_ = still;
    body_.start = pose_;
  }

  Body take() {
    for (std::size_t l = 0; l < body_.legs.size(); ++l) {
      Leg& leg = body_.legs[l].leg;
      leg.knee_axis = normalized(axes_[l], {1, 0, 0});
      leg.ankle_height_m = std::max(median(ankle_heights_[l], 0.08F), 0.0F);
      leg.ball_height_m = std::max(median(ball_heights_[l], 0.02F), 0.0F);
    }
    standing_.find(body_);
    if (!speeds_mps_.empty()) {
      body_.motion_range = MotionRange::measured(percentile(speeds_mps_, 0.5), percentile(speeds_mps_, 0.95),
                                                 std::max(percentile(turn_speeds_rad_s_, 0.95), 0.1F));
    }
    return std::move(body_);
  }

 private:
  void decode(std::span<const features::ClipRows> clips, const features::Sample& sample) {
    const bool gathered =
        features::GatherJob{.layout = &layout_, .clips = clips, .samples = {&sample, 1}, .output = values_}.run();
    ZOE_CHECK(gathered, "make_body: samples are made of the clips");
    decoder_.decode(std::span(values_).first(idx(decoder_.width())), {}, PlanarRoot{}, frame_);
  }
  // Of data on uneven ground: its height under the foot. Else 0.
  float ground_below(int contact) const { return underfoot_ >= 0 ? values_[idx(underfoot_ + contact)] : 0.0F; }
  bool touches(int contact) const { return contact >= 0 && frame_.contacts[idx(contact)] > 0.5F; }

  const features::Layout& layout_;
  const features::Decoder& decoder_;
  features::DecodedFrame frame_;
  std::vector<float> values_;
  Body body_;
  Pose pose_;
  std::vector<Affine> models_;
  std::vector<std::vector<float>> ankle_heights_, ball_heights_;  // [legs] Heights while in contact.
  std::vector<int> touching_;                                     // [contact joints] Number of frames in contact.
  int num_counted_ = 0;
  std::vector<Vec3> axes_;  // [legs] Sums, in the knee's frame.
  float stillest_ = 1e30F;
  StandingPose standing_;
  std::vector<float> stance_;  // [legs]
  int underfoot_ = -1;         // Column of the ground under the first contact joint, or none.
  static constexpr float kStill_mps = 0.08F, kStill_rad_s = 0.2F;  // A body that sways while it stands.
  static constexpr float kMoves_mps = 0.2F;                        // Slower motion is a shift of weight.
  std::vector<float> speeds_mps_, turn_speeds_rad_s_;              // Over the frames that move.
};

}  // namespace

Result<Body> make_body(const features::Layout& layout, const SkeletonPtr& skeleton,
                       std::span<const features::ClipRows> clips) {
  ZOE_TRY_ASSIGN(const features::Decoder decoder, features::Decoder::create(layout, skeleton));
  std::int64_t total = 0;
  for (const features::ClipRows& clip : clips) total += std::max(clip.num_rows - 1, 0);
  if (total == 0) return Error{ErrorCode::kInvalid, "there are no clips to measure the body on", {}};
  constexpr std::int64_t kPoses = 4000;  // Enough for medians. More takes longer.
  const int stride = static_cast<int>(std::max<std::int64_t>(total / kPoses, 1));
  BodyMaker maker(layout, skeleton, decoder);
  const auto for_all = [&](void (BodyMaker::*look)(std::span<const features::ClipRows>, const features::Sample&)) {
    for (std::size_t c = 0; c < clips.size(); ++c) {
      for (int frame = 0; frame + 1 < clips[c].num_rows; frame += stride) {
        (maker.*look)(clips, {static_cast<std::int32_t>(c), frame, 0});
      }
    }
  };
  for_all(&BodyMaker::count_contacts);
  maker.find_legs();
  for_all(&BodyMaker::look_at);
  return maker.take();
}

}  // namespace zoe::author
