// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/character/pose.h"
#include "zoe/core/index.h"
#include "zoe/synth/interaction.h"
#include "zoe/synth/measure.h"

#include "synth/body_sizes.h"

namespace zoe::synth {
namespace {

// Distance of the pelvis from the seat's surface: above or below it, and beyond its edges.
float seat_distance(const Prop& seat, Vec3 bottom) {
  const Vec3 own = prop_from_world(seat, bottom) - seat.seat_m;
  return length(Vec3{std::max(0.0F, std::abs(own.x) - seat.seat_half_width_m), own.y,
                     std::max(0.0F, std::abs(own.z) - seat.seat_half_depth_m)});
}

bool is_hand(const Body& body, int joint) {
  for (const Arm& arm : body.arms) {
    int parent = joint;
    while (parent > arm.hand) parent = body.skeleton->parent(parent);
    if (parent == arm.hand) return true;
  }
  return false;
}

}  // namespace

InteractionQuality measure(const Body& body, const InteractionClip& clip) {
  InteractionQuality quality;
  const Motion& motion = clip.clip.motion;
  std::vector<Affine> models(idx(body.skeleton->num_joints()));
  const float below = seated_height_m(body);
  const auto last = [&](Deed deed, int f) { return f > 0 && clip.deeds[idx(f - 1)] == deed; };
  double first_s = -1;
  // Seated: neither going down nor getting up. 1.5 s after the deed began, until the goal changes.
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(*body.skeleton, motion.frame(f), models);
    const Deed deed = clip.deeds[idx(f)];
    const double now_s = f / motion.fps;
    if (deed == Deed::kSit && !last(Deed::kSit, f)) first_s = now_s;
    const std::span<const Prop> props = std::span(clip.props).subspan(idx(f) * clip.num_props, clip.num_props);
    const auto palm = [&](std::size_t i) {
      return models[idx(body.arms[i].hand)].apply_point(palm_of(body, body.arms[i]));
    };
    if (deed == Deed::kSit && now_s - first_s >= 1.5 && clip.goals[idx(f)].deed == Deed::kSit) {
      const Vec3 bottom = models[idx(body.root)].t - Vec3{0, below, 0};
      quality.seat_m = std::max(quality.seat_m, seat_distance(props[0], bottom));
    }
    const auto moved = [&] {
      return f > 0 && (distance(props[0].position, clip.props[idx(f - 1) * clip.num_props].position) > 1e-4F ||
                       std::abs(props[0].open_rad - clip.props[idx(f - 1) * clip.num_props].open_rad) > 1e-4F);
    };
    if ((deed == Deed::kLift || deed == Deed::kCarry || deed == Deed::kPutDown) && moved()) {
      for (std::size_t i = 0; i < 2; ++i)
        quality.hands_m = std::max(quality.hands_m, std::abs(signed_distance(props[0], palm(i))));
    }
    if (deed == Deed::kOpen && moved())
      quality.hands_m = std::max(
          quality.hands_m, std::min(distance(palm(0), handle_of(props[0])), distance(palm(1), handle_of(props[0]))));
    for (const Flesh& flesh : body.flesh) {
      const Affine& m = models[idx(flesh.joint)];
      const Vec3 a = m.apply_point(flesh.a), b = m.apply_point(flesh.b);
      for (std::size_t p = 0; p < props.size(); ++p) {
        const bool used = p == 0 && deed != Deed::kWalk && deed != Deed::kIdle;
        if (used && is_hand(body, flesh.joint)) continue;
        const float depth = depth_of_capsule(props[p], a, b, std::min(flesh.radius_a_m, flesh.radius_b_m));
        if (depth <= quality.inside_m) continue;
        quality.inside_m = depth, quality.inside_joint = flesh.joint;
        quality.inside_frame = f, quality.inside_prop = static_cast<int>(p);
      }
    }
  }
  quality.skate_m_s = measure(body, clip.clip).skate_m_s;
  return quality;
}

}  // namespace zoe::synth
