// SPDX-License-Identifier: MIT
#include "synth/crawl.h"

#include <algorithm>
#include <cmath>

#include "synth/angle.h"

namespace zoe::synth {
namespace {

// Mean of cos(a sin x): ratio of the distance travelled and the length of the line.
float bessel_j0(float a) {
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += std::cos(a * std::sin(2 * kPi * static_cast<float>(i) / 64));
  return sum / 64;
}

}  // namespace

CrawlAnimator::CrawlAnimator(const Body& body, const ClipRequest& request, Random random)
    : body_(body),
      request_(request),
      gait_(gait_numbers(body.family, request.gait)),
      style_(style_numbers(request.style)),
      rig_(body) {
  terrain_ = make_terrain(request.terrain, body.leg_length_m, random.split(1));
  still_ = request.gait == Gait::kIdle || request.gait == Gait::kAttack;
  sidewinds_ = request.gait == Gait::kSidewind;
  track_ = make_track({&body_, request_, gait_, style_}, random.split(2));
  actions_ = plan_actions(body_, request_, style_, random.split(9));
  Random draw = random.split(3);
  const float length_m = body.body_length_m;
  amplitude_rad_ = sidewinds_ ? draw.uniform(0.85F, 1.0F)
                              : std::clamp(draw.uniform(0.6F, 0.95F) * (0.7F + 0.3F * style_.sway), 0.4F, 1.05F);
  wave_m_ = length_m * (sidewinds_ ? draw.uniform(0.6F, 0.75F) : draw.uniform(0.5F, 0.8F));
  phase_rad_ = draw.uniform(0, 2 * kPi);
  straightness_ = bessel_j0(amplitude_rad_);
  contact_rad_ = (draw.below(2) == 0 ? 1.0F : -1.0F) * amplitude_rad_;
  look_ = Wander(random.split(5), 0.15F), nod_ = Wander(random.split(6), 0.2F), breath_ = Wander(random.split(7), 0.3F);
  course_ = curve_of(track_, 0.02F * length_m);
  if (!still_) line_ = make_curve(0);
}

float CrawlAnimator::swing_at(float arc_m, float wound) const {
  float amplitude = amplitude_rad_;
  if (wound != 0) {
    // Drawn back, the front is a tight S. While striking it is straight.
    const float front = smooth_step(0.15F, 0.35F, arc_m / body_.body_length_m);
    amplitude += front * (wound < 0 ? -0.35F * wound : -0.85F * wound * amplitude_rad_);
  }
  return amplitude * std::sin(2 * kPi * arc_m / wave_m_ + phase_rad_);
}

Curve CrawlAnimator::make_curve(float wound) const {
  const float length_m = body_.body_length_m, step = 0.004F * length_m;
  const float from = track_.at(0).arc_m / straightness_ - 1.2F * length_m,
              to = track_.at(request_.seconds).arc_m / straightness_ + 1.2F * length_m;
  std::vector<float> headings;
  float zero = 0;
  const auto count = static_cast<std::size_t>((to - from) / step) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const float arc = from + step * (static_cast<float>(i) + 0.5F);
    const Vec3 way = course_->tangent(arc * straightness_);
    headings.push_back(std::atan2(way.x, way.z) + swing_at(arc, wound));
    if (arc < 0) zero = static_cast<float>(i + 1);
  }
  Curve curve = curve_of_headings(headings, from, step);
  // The root begins at the origin.
  const Vec3 origin = curve.at(from + zero * step);
  curve.shift(Vec3{} - origin);
  return curve;
}

void CrawlAnimator::pose(double time_s, float wound, float jaw_rad) {
  const Track::Sample now = track_.at(time_s);
  const float length_m = body_.body_length_m, t = static_cast<float>(time_s);
  const float speed = track_.nominal_speed_m_s / straightness_;  // Along the line.
  const std::optional<Curve> coiled = still_ ? std::optional(make_curve(wound)) : std::nullopt;
  const Curve& line = coiled ? *coiled : *line_;
  const float root_arc = still_ ? 0.0F : sidewinds_ ? speed * t : now.arc_m / straightness_;
  // Sidewinding: the line moves against the heading of the parts in contact.
  const Vec3 drift = sidewinds_ ? Vec3{std::sin(contact_rad_), 0, std::cos(contact_rad_)} * (-speed * t) : Vec3{};
  const float lift_m = sidewinds_ ? 1.6F * body_.radius_m : 0.0F;
  const float raised =
      std::min(0.115F, still_ ? 0.1F + 0.015F * nod_.at(time_s) + 0.03F * std::max(0.0F, -wound) : 0.022F) * length_m *
      std::clamp(1 - 1.2F * style_.head_pitch - style_.spine_pitch, 0.3F, 1.0F);
  const auto rest = body_.skeleton->rest_model();
  const float root_z = rest[static_cast<std::size_t>(body_.root)].t.z;
  rig_.reset();
  const Laying laying{[&](float arc, int joint) {
                        Vec3 p = line.at(arc) + drift;
                        const float along = (rest[static_cast<std::size_t>(joint)].t.z - root_z) / length_m;
                        p.y = terrain_.ground->height(p.x, p.z) + rest[static_cast<std::size_t>(joint)].t.y +
                              raised * smooth_step(0.42F, 0.72F, along);
                        if (lift_m > 0) {
                          // Zero where the heading is that of the parts in contact, with a flat minimum.
                          const float away = 0.5F * (1 - std::sin(2 * kPi * arc / wave_m_ + phase_rad_) *
                                                             (contact_rad_ > 0 ? 1.0F : -1.0F));
                          p.y += lift_m * smooth_step(0.05F, 1.0F, away);
                        }
                        return p;
                      },
                      [&](float arc) {
                        const Vec3 p = line.at(arc) + drift;
                        return terrain_.ground->normal(p.x, p.z);
                      }};
  lay_body(rig_, laying, root_arc);
  rig_.update();
  // The head faces the direction of travel rather than the direction of its neck.
  const Vec3 way = course_->tangent((root_arc + 0.7F * length_m) * straightness_);
  const float aside =
      sidewinds_ ? std::atan2(-std::sin(contact_rad_), straightness_ - std::cos(contact_rad_)) * 0.4F : 0.0F;
  const float look = (still_ ? 0.5F : 0.15F) * style_.look_around * look_.at(time_s);
  const Quat facing = about_y(std::atan2(way.x, way.z) + aside + look) *
                      about_x(0.25F * style_.head_pitch + 0.08F * nod_.at(time_s) - 0.1F * std::max(0.0F, -wound));
  const Quat parent = rig_.rotation(body_.chest);
  rig_.set(body_.head, slerp(Quat{}, nearest_to(Quat{}, normalized(conjugate(parent) * facing)), 0.85F));
  rig_.clamp(body_.head);
  if (body_.jaw != kNoJoint) {
    rig_.set(body_.jaw, about_x(0.02F + jaw_rad));
    rig_.clamp(body_.jaw);
  }
}

Clip CrawlAnimator::run() {
  Clip clip;
  clip.request = request_;
  clip.terrain = terrain_;
  const int num_frames = std::max(1, static_cast<int>(std::lround(request_.seconds * request_.fps)) + 1);
  clip.motion = make_motion(body_.skeleton, to_string(request_.gait), request_.fps, num_frames, false);
  clip.airborne.assign(static_cast<std::size_t>(num_frames), 0);
  for (int f = 0; f < num_frames; ++f) {
    const double t = f / request_.fps;
    float wound = 0;
    for (const Attack& attack : actions_.attacks) wound += attack.at(t);
    pose(t, std::clamp(wound, -1.0F, 1.0F), actions_.at(body_, t).jaw_rad);
    rig_.write(clip.motion, f);
  }
  make_continuous(clip.motion);
  const Vec3 moved = clip.motion.frame(num_frames - 1).translations[0] - clip.motion.frame(0).translations[0];
  clip.speed_m_s =
      sidewinds_ ? length(Vec3{moved.x, 0, moved.z}) / static_cast<float>(request_.seconds)
                 : (track_.at(request_.seconds).arc_m - track_.at(0).arc_m) / static_cast<float>(request_.seconds);
  clip.froude = clip.speed_m_s * clip.speed_m_s / (kGravity * body_.leg_length_m);
  return clip;
}

}  // namespace zoe::synth
