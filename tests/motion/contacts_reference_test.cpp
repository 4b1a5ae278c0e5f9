// SPDX-License-Identifier: MIT
// Contacts against the documented rule, written down again frame by frame; and requests at their borders.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/math/filter.h"
#include "zoe/motion/contacts.h"

namespace zoe {
namespace {

constexpr std::array<int, 2> kFeet{2, 4};
constexpr float kLeg = 0.8F;

SkeletonPtr two_legs() {
  return Skeleton::create({{"hip", kNoJoint, {{0, kLeg, 0}}},
                           {"left_knee", 0, {{0, -kLeg / 2, 0}}},
                           {"left_foot", 1, {{0, -kLeg / 2, 0}}},
                           {"right_knee", 0, {{0, -kLeg / 2, 0}}},
                           {"right_foot", 3, {{0, -kLeg / 2, 0}}}})
      .value();
}

// The hip goes along z, faster and slower; feet step after it, in arcs of different heights, over noise.
Motion steps(int frames, double fps, float body_speed_m_s, float lift_m) {
  Motion motion = make_motion(two_legs(), "steps", fps, frames, false);
  Random random(5);
  for (int f = 0; f < frames; ++f) {
    const double t = f / fps;
    const auto z = static_cast<float>(body_speed_m_s * (t + 0.1 * std::sin(3 * t)));
    const auto first = static_cast<std::size_t>(5 * f);
    motion.translations[first] = {0.3F * static_cast<float>(std::sin(t)), kLeg, z};
    for (int foot = 0; foot < 2; ++foot) {
      const double cycle = 1.3 * t + 0.5 * foot, part = cycle - std::floor(cycle);
      const double swing = std::max(0.0, part - 0.55) / 0.45;
      const double ahead = 0.3 * (part < 0.55 ? 0.5 - part / 0.55 : swing - 0.5);
      const Vec3 noise{random.uniform(-0.002F, 0.002F), random.uniform(-0.01F, 0.01F), random.uniform(-0.01F, 0.01F)};
      motion.translations[first + static_cast<std::size_t>(kFeet[static_cast<std::size_t>(foot)])] =
          Vec3{foot == 0 ? 0.1F : -0.1F,
               static_cast<float>(lift_m * std::sin(std::numbers::pi * swing)) - kLeg / 2 + (foot == 0 ? 0.0F : 0.05F),
               static_cast<float>(ahead)} +
          noise;
    }
  }
  return motion;
}

struct Truth {
  std::vector<bool> touching;
  std::vector<float> weights;
  float ground = 0;
};

float smooth_fall(float value, float enter, float leave) {
  if (value <= enter) return 1;
  if (value >= leave) return 0;
  const float t = (leave - value) / (leave - enter);
  return 3 * t * t - 2 * t * t * t;
}
float low_of(std::vector<float> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

// Without gaps that are too short: those have their own test.
Truth reference_contacts(const Motion& motion, const ContactOptions& o) {
  const auto frames = static_cast<std::size_t>(motion.num_frames);
  const float speed_unit = std::sqrt(9.81F * kLeg);
  std::array<std::vector<float>, 3> hip;
  Truth truth;
  truth.touching.resize(2 * frames);
  truth.weights.resize(2 * frames);
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t k = 0; k < 3; ++k) hip[k].push_back(motion.translations[5 * f][k]);
  }
  std::array<std::array<std::vector<float>, 3>, 2> feet;
  for (std::size_t foot = 0; foot < 2; ++foot) {
    for (std::size_t f = 0; f < frames; ++f) {
      const auto at = static_cast<std::size_t>(kFeet[foot]);
      const Vec3 p = motion.translations[5 * f] + motion.translations[5 * f + at - 1] + motion.translations[5 * f + at];
      for (std::size_t k = 0; k < 3; ++k) feet[foot][k].push_back(p[k]);
    }
    for (auto& track : feet[foot]) low_pass_zero_phase(track, o.cutoff_hz, motion.fps);
  }
  for (const std::size_t k : {0U, 2U}) low_pass_zero_phase(hip[k], 1.5, motion.fps);
  std::array<float, 2> standing{};
  for (std::size_t foot = 0; foot < 2; ++foot) standing[foot] = low_of(feet[foot][1], o.low_percentile);
  truth.ground = o.ground_height_m.value_or(std::min(standing[0], standing[1]));
  for (float& height : standing) {
    if (height < truth.ground || height - truth.ground > o.max_clearance * kLeg) height = truth.ground;
  }
  const auto speed = [&](const std::array<std::vector<float>, 3>& tracks, std::size_t f, bool flat) {
    const std::size_t before = f == 0 ? 0 : f - 1, after = std::min(f + 1, frames - 1);
    float square = 0;
    for (const std::size_t k : {0U, 1U, 2U}) {
      if (k != 1 || !flat) square += std::pow(tracks[k][after] - tracks[k][before], 2.0F);
    }
    return std::sqrt(square) * static_cast<float>(motion.fps) / static_cast<float>(after - before);
  };
  for (std::size_t foot = 0; foot < 2; ++foot) {
    bool touching = false;
    for (std::size_t f = 0; f < frames; ++f) {
      const float v = speed(feet[foot], f, false), h = feet[foot][1][f] - standing[foot];
      const float enter = std::max(o.speed_enter * speed_unit, o.share_enter * speed(hip, f, true));
      const float leave = std::max(o.speed_leave * speed_unit, o.share_leave * speed(hip, f, true));
      touching = touching ? v <= leave && h <= o.height_leave * kLeg : v <= enter && h <= o.height_enter * kLeg;
      truth.touching[2 * f + foot] = touching;
      truth.weights[2 * f + foot] =
          smooth_fall(v, enter, leave) * smooth_fall(h, o.height_enter * kLeg, o.height_leave * kLeg);
    }
  }
  return truth;
}

TEST(ContactsReference, EveryFrameFollowsTheRule) {
  for (const float body : {0.0F, 0.6F, 3.0F}) {
    for (const float lift : {0.05F, 0.2F}) {
      const Motion motion = steps(150, 40, body, lift);
      for (ContactOptions options :
           {ContactOptions{}, ContactOptions{.share_enter = 0, .share_leave = 0, .cutoff_hz = 8},
            ContactOptions{.speed_enter = 0.1F, .speed_leave = 0.4F, .height_enter = 0.02F, .height_leave = 0.1F},
            ContactOptions{.ground_height_m = -0.01F, .low_percentile = 0.2, .max_clearance = 0.03F}}) {
        options.in_place = false;
        options.min_duration_s = 0;
        const Contacts found = find_contacts(motion, kFeet, options).value();
        const Truth truth = reference_contacts(motion, options);
        EXPECT_NEAR(found.ground_height_m, truth.ground, 1e-5F);
        EXPECT_NEAR(found.leg_length_m, kLeg, 1e-5F);
        for (std::size_t i = 0; i < truth.weights.size(); ++i) {
          EXPECT_NEAR(found.weights[i], truth.weights[i], 2e-3F) << body << " " << lift << " at " << i;
          EXPECT_EQ(found.touching[i] != 0, truth.touching[i]) << body << " " << lift << " at " << i;
        }
      }
    }
  }
}

// Runs inside the clip shorter than ceil(duration × fps) go; first gaps, then contacts; runs at the ends stay.
TEST(ContactsReference, ShortRunsGoAtTheirLength) {
  Motion motion = make_motion(two_legs(), "gaps", 20, 40, false);
  const auto up = [](int f) {
    return f < 2 || (f >= 8 && f < 10) || (f >= 15 && f < 18) || (f >= 22 && f < 26) || f == 28 || f >= 38;
  };
  for (int f = 0; f < 40; ++f) {
    motion.translations[static_cast<std::size_t>(5 * f)] = {0, kLeg, 0};
    for (const int foot : kFeet) {
      motion.translations[static_cast<std::size_t>(5 * f + foot)] = {0, up(f) ? 0.1F : -kLeg / 2, 0};
    }
  }
  // 0.15 s at 20 Hz are three frames: gaps of two close, those of three stay.
  const ContactOptions options{
      .speed_enter = 1e6F, .speed_leave = 1e6F, .in_place = false, .cutoff_hz = 0, .min_duration_s = 0.15};
  const Contacts found = find_contacts(motion, kFeet, options).value();
  for (int f = 0; f < 40; ++f) {
    const bool touches = !up(f) || (f >= 8 && f < 10) || f == 28;
    EXPECT_EQ(found.at(f, 0), touches) << f;
    EXPECT_EQ(found.at(f, 1), touches) << f;
  }
}

TEST(ContactsReference, OnTheSpotIsWhatSlidesBelowAStillBody) {
  // Feet on the ground that move at v while the hip stays: in place from the leaving speed on.
  const auto in_place = [](float speed_m_s, float hip_way_m) {
    Motion motion = make_motion(two_legs(), "belt", 30, 30, false);
    for (int f = 0; f < 30; ++f) {
      const float t = static_cast<float>(f) / 30, hip_z = hip_way_m * static_cast<float>(f) / 29;
      motion.translations[static_cast<std::size_t>(5 * f)] = {0, kLeg, hip_z};
      for (const int foot : kFeet) {
        motion.translations[static_cast<std::size_t>(5 * f + foot)] = {0, -kLeg / 2, speed_m_s * t - hip_z};
      }
    }
    return find_contacts(motion, kFeet)->in_place;
  };
  const float leave = 0.24F * std::sqrt(9.81F * kLeg);
  EXPECT_FALSE(in_place(0.97F * leave, 0));
  EXPECT_TRUE(in_place(1.03F * leave, 0));
  EXPECT_TRUE(in_place(2 * leave, 0.98F * kLeg));
  EXPECT_FALSE(in_place(2 * leave, 1.02F * kLeg)) << "the body travels more than a leg";
}

TEST(ContactsReference, RequestsAreCheckedAtTheirBorders) {
  const Motion motion = steps(20, 30, 0, 0.1F);
  const auto accepts = [&](const ContactOptions& options) { return find_contacts(motion, kFeet, options).has_value(); };
  EXPECT_TRUE(accepts({.speed_enter = 0.1F, .speed_leave = 0.1F}));
  EXPECT_FALSE(accepts({.speed_enter = 0}));
  EXPECT_TRUE(accepts({.height_enter = 0.1F, .height_leave = 0.1F}));
  EXPECT_FALSE(accepts({.height_enter = 0.1F, .height_leave = 0.09F}));
  EXPECT_FALSE(accepts({.height_enter = 0}));
  EXPECT_TRUE(accepts({.share_enter = 0, .share_leave = 0}));
  EXPECT_FALSE(accepts({.share_enter = -0.1F}));
  EXPECT_FALSE(accepts({.share_enter = 0.2F, .share_leave = 0.1F}));
  EXPECT_FALSE(accepts({.metres_per_unit = 0}));
  EXPECT_TRUE(accepts({.low_percentile = 0}));
  EXPECT_TRUE(accepts({.low_percentile = 1}));
  EXPECT_FALSE(accepts({.low_percentile = -0.01}));
  EXPECT_FALSE(accepts({.low_percentile = 1.01}));
  const std::array<int, 1> first{0}, last{4}, behind{5}, before{-1};
  EXPECT_TRUE(find_contacts(motion, first, {.leg_length_m = 1}));
  EXPECT_TRUE(find_contacts(motion, last, {.leg_length_m = 1}));
  EXPECT_FALSE(find_contacts(motion, behind, {.leg_length_m = 1}));
  EXPECT_FALSE(find_contacts(motion, before, {.leg_length_m = 1}));
  EXPECT_FALSE(find_contacts(motion, {}, {.leg_length_m = 1}));
}

// A threshold is not below itself.
TEST(ContactsReference, BySpeedIsBelowTheThreshold) {
  Motion motion = make_motion(two_legs(), "pace", 4, 4, false);
  for (int f = 0; f < 4; ++f) {
    motion.translations[static_cast<std::size_t>(5 * f)] = {0, kLeg, 0};
    for (const int foot : kFeet) {
      motion.translations[static_cast<std::size_t>(5 * f + foot)] = {0, -kLeg / 2, 0.25F * static_cast<float>(f)};
    }
  }
  const std::array thresholds{1.0F, 1.125F};  // The feet go at exactly 1 m/s.
  const Contacts found = find_contacts_by_speed(motion, kFeet, thresholds).value();
  for (int f = 0; f < 4; ++f) {
    EXPECT_FALSE(found.at(f, 0)) << f;
    EXPECT_TRUE(found.at(f, 1)) << f;
    EXPECT_EQ(found.weights[static_cast<std::size_t>(2 * f + 1)], 1) << f;
  }
  // All bones together are 4 × 0.4 m.
  const std::array scaled{0.999F / (2 * kLeg), 1.001F / (2 * kLeg)};
  const Contacts proportional = find_contacts_by_speed(motion, kFeet, scaled, true).value();
  EXPECT_FALSE(proportional.at(2, 0));
  EXPECT_TRUE(proportional.at(2, 1));
  EXPECT_NEAR(proportional.leg_length_m, kLeg, 1e-6F);
}

}  // namespace
}  // namespace zoe
