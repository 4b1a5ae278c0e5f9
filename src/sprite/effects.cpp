// SPDX-License-Identifier: MIT
#include "sprite/effects.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/math/portable.h"

#include "sprite/follow.h"

namespace zoe::sprite {
namespace {

constexpr double kDust_s = 0.45, kSparks_s = 0.26, kFlash_s = 0.09, kCharge_s = 0.35, kFlight_s = 0.9;
constexpr float kBallSpeed = 1.7F;                       // Heights per second.
constexpr float kDrifts = 0.4F;                          // Heights per second from which dust stays behind.
constexpr float kLinesFrom = 1.7F, kLinesAll = 3.2F;     // Speeds of the body: the first speed lines, all.
constexpr float kFireball = 0.9F, kMuzzleFlash = 0.45F;  // Strengths of casts.

float ease_out(float t) { return 1 - (1 - t) * (1 - t); }

Vec2 on_canvas(const SlashView& view, Vec3 sprite_point) {
  const Vec3 v = view.view_from_sprite.apply_point(sprite_point);
  return {static_cast<float>(view.framing.pivot_x) + v.x * view.framing.pixels_per_unit,
          static_cast<float>(view.framing.pivot_y) - v.y * view.framing.pixels_per_unit};
}

// A direction on the unit sphere.
Vec3 any_direction(Random& random) {
  const float z = random.uniform(-1, 1);
  const SineCosine turn = sine_cosine(2 * std::numbers::pi * random.uniform_double());
  const float r = std::sqrt(std::max(0.0F, 1 - z * z));
  return {r * static_cast<float>(turn.cosine), r * static_cast<float>(turn.sine), z};
}

}  // namespace

ClipEffects::ClipEffects(const Request& request, const Clip& clip, const ClipStage& stage, float height)
    : clip_(clip),
      stage_(stage),
      hips_(request.body.hips != kNoJoint ? request.body.hips : 0),
      height_(height),
      speed_(ground_speed(*clip.motion, request.body, height)),
      events_(find_events(request, clip)) {
  for (const Exposure& exposure : clip.exposures) {
    displayed_s_.push_back(total_s_);
    total_s_ += exposure.duration_ms / 1000.0;
  }
}

std::vector<Tone> ClipEffects::tones() const {
  std::vector<Tone> out{Tone::kWhite};
  for (const Event& event : events_) {
    if (event.type == EventType::kHit || event.type == EventType::kCast) out.push_back(Tone::kYellow);
    if (event.type == EventType::kCast && event.strength >= kFireball)
      out.insert(out.end(), {Tone::kOrange, Tone::kRed});
    if (event.type == EventType::kStep || event.type == EventType::kTakeoff || event.type == EventType::kLanding)
      out.insert(out.end(), {Tone::kDust, Tone::kDustShade});
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// On the clock of the display: from the drawing of the event.
double ClipEffects::age_s(const Event& event, std::size_t exposure) const {
  const double age = displayed_s_[exposure] - displayed_s_[exposure_at(clip_.exposures, event.time_s)];
  if (!clip_.loop || event.type == EventType::kCast) return age;
  return age < 0 ? age + total_s_ : age;
}

void ClipEffects::draw(std::size_t exposure, const SlashView& view, EffectCanvas& canvas) const {
  draw_speed_lines(exposure, view, canvas);
  for (const Event& event : events_) {
    const double age = age_s(event, exposure);
    switch (event.type) {
      case EventType::kSwing:
        break;
      case EventType::kStep:
      case EventType::kTakeoff:
      case EventType::kLanding:
        draw_dust(event, age, view, canvas);
        break;
      case EventType::kHit:
        draw_hit(event, age, view, canvas);
        break;
      case EventType::kCast:
        draw_cast(event, age, exposure, view, canvas);
        break;
    }
  }
}

// Puffs that spread over the ground and rise a little. Behind a runner they stay where they began.
void ClipEffects::draw_dust(const Event& event, double age_s, const SlashView& view, EffectCanvas& canvas) const {
  const double life_s = kDust_s * (event.type == EventType::kStep ? 0.6 : 1.0);
  if (age_s < 0 || age_s >= life_s) return;
  const auto t = static_cast<float>(age_s / life_s);
  Vec3 origin = stage_.placement(event.time_s).apply_point(event.position);
  origin.y = std::min(origin.y, 0.02F * height_);
  if (speed_ > kDrifts) origin.z -= speed_ * height_ * static_cast<float>(age_s);
  const bool step = event.type == EventType::kStep;
  const int count = step ? 3 : 8;
  Random random(17);
  for (int i = 0; i < count; ++i) {
    const double around = 2 * std::numbers::pi * (i + 0.5 * random.uniform_double()) / count;
    const SineCosine turn = sine_cosine(around);
    Vec3 out{static_cast<float>(turn.sine), 0, static_cast<float>(turn.cosine)};
    if (step) out = {out.x * 0.4F, 0, -0.6F - 0.4F * random.uniform()};
    const float uneven = 0.7F + 0.5F * random.uniform();
    const float force = step ? event.strength : 0.5F + 0.5F * event.strength;
    const float far = (0.10F + 0.36F * ease_out(t)) * force * uneven * height_;
    const float rise = (0.02F + 0.12F * ease_out(t) * uneven) * force * height_;
    const float radius = 0.095F * (0.35F + 0.65F * force) * uneven * (0.7F + 0.7F * ease_out(t)) * std::sqrt(1 - t) *
                         height_ * view.framing.pixels_per_unit;
    const Vec2 at = on_canvas(view, origin + out * far + Vec3{0, rise, 0});
    const float alpha = view.hard ? 1.0F : 0.9F - 0.5F * t;
    canvas.disc({at.x, at.y + radius * 0.25F}, radius, Tone::kDustShade, alpha);
    canvas.disc({at.x - radius * 0.12F, at.y - radius * 0.12F}, radius * 0.82F, Tone::kDust, alpha);
  }
}

void ClipEffects::draw_hit(const Event& event, double age_s, const SlashView& view, EffectCanvas& canvas) const {
  if (age_s < 0 || age_s >= kSparks_s) return;
  const Affine placed = stage_.placement(event.time_s);
  const Vec3 origin = placed.apply_point(event.position), direction = placed.apply_vector(event.direction);
  const float unit = height_ * view.framing.pixels_per_unit, size = 0.6F + 0.4F * event.strength;
  const Vec2 at = on_canvas(view, origin);
  const auto t = static_cast<float>(age_s / kSparks_s);
  Random random(23);
  for (int i = 0; i < 9; ++i) {
    const Vec3 fly = normalized(any_direction(random) + direction * 0.6F, direction);
    const float uneven = 0.6F + 0.6F * random.uniform();
    const float head = (0.07F + 0.30F * ease_out(t)) * uneven * size, tail = head * (0.35F + 0.6F * t);
    const Vec3 fall{0, -0.18F * t * t * height_, 0};
    const Vec2 a = on_canvas(view, origin + fly * (tail * height_) + fall),
               b = on_canvas(view, origin + fly * (head * height_) + fall);
    const float width = std::max(1.3F, 0.035F * unit * (1 - t));
    canvas.stroke(b, a, width, Tone::kYellow);
    canvas.stroke(b, {(a.x + b.x) / 2, (a.y + b.y) / 2}, width * 0.5F, Tone::kWhite);
  }
  if (age_s >= kFlash_s) return;
  canvas.star(at, 8, 0.24F * unit * size, 0.055F * unit * size, 0.35F, Tone::kYellow);
  canvas.star(at, 8, 0.16F * unit * size, 0.04F * unit * size, 0.35F, Tone::kWhite);
}

// The ball grows in the hand, flies off, and leaves flames behind.
void ClipEffects::draw_cast(const Event& event, double age_s, std::size_t exposure, const SlashView& view,
                            EffectCanvas& canvas) const {
  const float unit = height_ * view.framing.pixels_per_unit;
  const double time_s = clip_.exposures[exposure].time_s;
  if (event.strength < kFireball) {
    if (event.strength < kMuzzleFlash || age_s < 0 || age_s >= kFlash_s) return;
    const Vec3 muzzle = stage_.placement(event.time_s).apply_point(event.position) + Vec3{0, 0, 0.18F * height_};
    canvas.star(on_canvas(view, muzzle), 6, 0.16F * unit, 0.04F * unit, 0, Tone::kYellow);
    canvas.star(on_canvas(view, muzzle), 6, 0.10F * unit, 0.03F * unit, 0, Tone::kWhite);
    return;
  }
  if (age_s < -kCharge_s || age_s > kFlight_s) return;
  std::vector<Affine> joints;
  stage_.joints(age_s < 0 ? time_s : event.time_s, joints);
  const Affine placed = stage_.placement(age_s < 0 ? time_s : event.time_s);
  const Vec3 hand = placed.apply_point(event.joint != kNoJoint ? joints[idx(event.joint)].t : event.position);
  const auto age = static_cast<float>(age_s);
  const float grown = age < 0 ? 0.3F + 0.5F * (1 + age / static_cast<float>(kCharge_s)) : 1.0F;
  const float flown = age < 0 ? 0.0F : 0.1F + kBallSpeed * age;
  const Vec3 center = hand + Vec3{0, 0.02F * height_, flown * height_ + 0.06F * height_};
  const float radius = 0.12F * unit * grown;
  Random random(31 + exposure);
  for (int i = 4; i >= 1 && age >= 0; --i) {
    const float back = std::min(flown, 0.085F * static_cast<float>(i));
    const float wobble = (random.uniform() - 0.5F) * 0.05F;
    const Vec2 at = on_canvas(view, center + Vec3{0, wobble * height_, -back * height_});
    const float smaller = radius * (1 - 0.19F * static_cast<float>(i));
    canvas.disc(at, smaller, Tone::kRed);
    canvas.disc(at, smaller * 0.7F, Tone::kOrange);
  }
  const auto ball = [&](float ahead, float part, Tone tone) {
    canvas.disc(on_canvas(view, center + Vec3{0, 0, ahead * height_}), radius * part, tone);
  };
  ball(0, 1, Tone::kRed);
  ball(0.008F, 0.85F, Tone::kOrange);
  ball(0.016F, 0.6F, Tone::kYellow);
  ball(0.022F, 0.35F, Tone::kWhite);
  if (age >= 0 && age_s < kFlash_s)
    canvas.star(on_canvas(view, hand), 8, 0.2F * unit, 0.03F * unit, 0.2F, Tone::kWhite);
}

// Behind a fast body, against its path; other lines in every drawing.
void ClipEffects::draw_speed_lines(std::size_t exposure, const SlashView& view, EffectCanvas& canvas) const {
  constexpr double kReach_s = 1.0 / 30;
  const double time_s = clip_.exposures[exposure].time_s, length_s = clip_.motion->duration_s();
  const double a_s = std::max(0.0, time_s - kReach_s), b_s = std::min(length_s, time_s + kReach_s);
  if (!(b_s > a_s)) return;
  std::vector<Affine> before, after, now;
  stage_.joints(a_s, before);
  stage_.joints(b_s, after);
  stage_.joints(time_s, now);
  const Vec3 a = stage_.placement(a_s).apply_point(before[idx(hips_)].t),
             b = stage_.placement(b_s).apply_point(after[idx(hips_)].t);
  const Vec3 velocity = (b - a) / (static_cast<float>(b_s - a_s) * height_) + Vec3{0, 0, speed_};
  const float speed = length(velocity);
  if (speed < kLinesFrom) return;
  const float part = std::min(1.0F, (speed - kLinesFrom) / (kLinesAll - kLinesFrom));
  const Vec3 back = velocity / -speed, middle = stage_.placement(time_s).apply_point(now[idx(hips_)].t);
  const Vec3 side = normalized(cross(back, {1, 0, 0}), {0, 1, 0});
  const float width = std::max(1.2F, 0.016F * height_ * view.framing.pixels_per_unit);
  Random random(41 + exposure);
  const int count = 3 + static_cast<int>(part * 4);
  for (int i = 0; i < count; ++i) {
    const float across = (static_cast<float>(i) + random.uniform()) / static_cast<float>(count) - 0.5F;
    const float from = 0.22F + 0.12F * random.uniform(),
                reach = (0.18F + 0.3F * part) * (0.6F + 0.6F * random.uniform());
    const Vec3 start =
        middle + side * (across * 0.8F * height_) + Vec3{(random.uniform() - 0.5F) * 0.2F * height_, 0, 0};
    canvas.stroke(on_canvas(view, start + back * (from * height_)),
                  on_canvas(view, start + back * ((from + reach) * height_)), width, Tone::kLine,
                  view.hard ? 1.0F : 0.55F + 0.35F * part);
  }
}

}  // namespace zoe::sprite
