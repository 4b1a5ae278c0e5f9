// SPDX-License-Identifier: MIT
#include "sprite/identity/frame.h"

#include <array>

#include "zoe/core/check.h"
#include "zoe/core/random.h"

namespace zoe::sprite::identity {
namespace {

// Shares of the height, but for `height` in metres. Widths are radii.
struct Proportions {
  float height, head, legs, head_wide, shoulders, chest_z, waist, hips, arms, arm_r, hand_r, leg_r, foot, belly;
};

constexpr std::array kProportions{
    //          height  head   legs  wide  shoulders chz   waist  hips   arms   arm_r  hand   leg_r  foot  belly
    Proportions{1.05F, 0.47F, 0.24F, 0.96F, 0.150F, 0.115F, 0.125F, 0.135F, 0.30F, 0.048F, 0.062F, 0.062F, 0.150F,
                0.01F},
    Proportions{1.25F, 0.38F, 0.29F, 0.90F, 0.150F, 0.105F, 0.115F, 0.125F, 0.33F, 0.045F, 0.056F, 0.058F, 0.145F,
                0.01F},
    Proportions{1.70F, 0.30F, 0.37F, 0.84F, 0.140F, 0.088F, 0.092F, 0.104F, 0.36F, 0.038F, 0.045F, 0.049F, 0.135F,
                0.00F},
    Proportions{1.80F, 0.29F, 0.41F, 0.80F, 0.122F, 0.076F, 0.074F, 0.088F, 0.38F, 0.032F, 0.040F, 0.042F, 0.130F,
                0.00F},
    Proportions{1.25F, 0.38F, 0.23F, 0.92F, 0.190F, 0.145F, 0.170F, 0.170F, 0.32F, 0.060F, 0.068F, 0.072F, 0.158F,
                0.04F},
    Proportions{1.45F, 0.34F, 0.24F, 0.92F, 0.170F, 0.155F, 0.205F, 0.195F, 0.31F, 0.056F, 0.060F, 0.074F, 0.150F,
                0.08F},
    Proportions{1.85F, 0.27F, 0.35F, 0.86F, 0.195F, 0.120F, 0.115F, 0.115F, 0.38F, 0.060F, 0.062F, 0.060F, 0.138F,
                0.00F},
    Proportions{2.40F, 0.24F, 0.28F, 0.90F, 0.235F, 0.170F, 0.180F, 0.160F, 0.44F, 0.078F, 0.078F, 0.080F, 0.150F,
                0.05F},
};

float vary(Random& random, float value, float share = 0.06F) { return value * random.uniform(1 - share, 1 + share); }

}  // namespace

Frame make_frame(const Traits& traits) {
  Random random = Random(traits.seed).split(0xb0d7);
  const Proportions& p = kProportions[static_cast<std::size_t>(traits.build)];
  Frame f;
  const float h = f.height = vary(random, p.height, 0.08F);
  const float head = vary(random, p.head) * h, legs = vary(random, p.legs) * h;
  f.head_radii = {head * 0.5F * vary(random, p.head_wide), head * 0.5F, head * 0.5F * p.head_wide * 0.94F};
  f.hip_y = legs;
  const float trunk = h - head - legs;
  f.neck_y = legs + trunk * (head > 0.3F * h ? 1.0F : 0.93F);
  f.head_y = h - head * 0.5F;
  f.shoulder_y = legs + trunk * 0.82F;
  f.waist_y = legs + trunk * 0.34F;
  f.ankle_y = legs * 0.16F;
  f.knee_y = f.ankle_y + (legs - f.ankle_y) * 0.5F;
  const float slim = traits.feminine ? 0.90F : 1.0F;
  f.chest_x = vary(random, p.shoulders) * h * 0.80F * slim;
  f.chest_z = vary(random, p.chest_z) * h * slim;
  f.waist_x = vary(random, p.waist) * h * (traits.feminine ? 0.88F : 1.0F);
  f.waist_z = f.waist_x * 0.82F;
  f.hip_x = vary(random, p.hips) * h * (traits.feminine ? 1.04F : 1.0F);
  f.hip_z = f.hip_x * 0.86F;
  f.belly = p.belly * h;
  f.shoulder_x = f.chest_x + p.arm_r * h * 0.35F;
  f.leg_x = f.hip_x * 0.52F;
  const float arms = vary(random, p.arms) * h;
  f.arm_r = vary(random, p.arm_r) * h * slim;
  f.hand_r = p.hand_r * h;
  f.upper_arm = (arms - f.hand_r) * 0.48F;
  f.forearm = (arms - f.hand_r) * 0.52F;
  f.leg_r = vary(random, p.leg_r) * h * slim;
  f.foot_len = p.foot * h;
  f.foot_r = f.leg_r * 1.12F;
  if (traits.species == Species::kSkeleton || traits.species == Species::kRobot) {
    f.arm_r *= 0.68F;
    f.leg_r *= 0.66F;
  }
  return f;
}

SkeletonPtr make_skeleton(const Frame& f) {
  const float mid = (f.waist_y + f.shoulder_y) * 0.5F;
  const float wrist = f.shoulder_x + f.upper_arm + f.forearm;
  struct Place {
    const char* name;
    int parent;
    Vec3 position;
  };
  const auto arm = [&](float side, float x) { return Vec3{side * x, f.shoulder_y, 0}; };
  const auto leg = [&](float side, float y, float z = 0) { return Vec3{side * f.leg_x, y, z}; };
  const float back = -f.chest_z * 1.02F, crown = f.head_y + f.head_radii.y * 0.5F;
  const std::array<Place, kNumJoints> places{{
      {"Root", -1, {}},
      {"Hips", kRoot, {0, f.hip_y, 0}},
      {"Spine", kHips, {0, f.waist_y, 0}},
      {"Chest", kSpine, {0, mid, 0}},
      {"Neck", kChest, {0, f.neck_y, 0}},
      {"Head", kNeck, {0, f.neck_y + 0.02F * f.height, 0}},
      {"LeftShoulder", kChest, arm(1, f.shoulder_x * 0.5F)},
      {"LeftArm", kLeftShoulder, arm(1, f.shoulder_x)},
      {"LeftForeArm", kLeftArm, arm(1, f.shoulder_x + f.upper_arm)},
      {"LeftHand", kLeftForeArm, arm(1, wrist)},
      {"handslot.l", kLeftHand, arm(1, wrist + f.hand_r * 0.7F)},
      {"RightShoulder", kChest, arm(-1, f.shoulder_x * 0.5F)},
      {"RightArm", kRightShoulder, arm(-1, f.shoulder_x)},
      {"RightForeArm", kRightArm, arm(-1, f.shoulder_x + f.upper_arm)},
      {"RightHand", kRightForeArm, arm(-1, wrist)},
      {"handslot.r", kRightHand, arm(-1, wrist + f.hand_r * 0.7F)},
      {"LeftUpLeg", kHips, leg(1, f.hip_y)},
      {"LeftLeg", kLeftUpLeg, leg(1, f.knee_y)},
      {"LeftFoot", kLeftLeg, leg(1, f.ankle_y)},
      {"LeftToeBase", kLeftFoot, leg(1, f.ankle_y * 0.35F, f.foot_len * 0.45F)},
      {"RightUpLeg", kHips, leg(-1, f.hip_y)},
      {"RightLeg", kRightUpLeg, leg(-1, f.knee_y)},
      {"RightFoot", kRightLeg, leg(-1, f.ankle_y)},
      {"RightToeBase", kRightFoot, leg(-1, f.ankle_y * 0.35F, f.foot_len * 0.45F)},
      {"Cape1", kChest, {0, f.shoulder_y, back}},
      {"Cape2", kCape1, {0, f.shoulder_y * 0.72F, back * 1.15F}},
      {"Cape3", kCape2, {0, f.shoulder_y * 0.45F, back * 1.3F}},
      {"Hair1", kHead, {0, crown, -f.head_radii.z}},
      {"Hair2", kHair1, {0, crown - f.head_radii.y * 0.8F, -f.head_radii.z * 1.3F}},
      {"Tail1", kHips, {0, f.hip_y + 0.02F * f.height, -f.hip_z}},
      {"Tail2", kTail1, {0, f.hip_y + 0.02F * f.height, -f.hip_z - 0.12F * f.height}},
      {"Tail3", kTail2, {0, f.hip_y + 0.04F * f.height, -f.hip_z - 0.24F * f.height}},
      {"LeftEar", kHead, {f.head_radii.x * 0.5F, f.head_y + f.head_radii.y * 0.8F, 0}},
      {"RightEar", kHead, {-f.head_radii.x * 0.5F, f.head_y + f.head_radii.y * 0.8F, 0}},
  }};
  std::vector<JointDesc> joints;
  for (const Place& place : places) {
    const Vec3 from = place.parent < 0 ? Vec3{} : places[static_cast<std::size_t>(place.parent)].position;
    joints.push_back({place.name, place.parent, {place.position - from, {}, {1, 1, 1}}});
  }
  Result<SkeletonPtr> skeleton = Skeleton::create(std::move(joints));
  ZOE_CHECK(skeleton.has_value(), "the skeleton of identities is valid");
  return std::move(skeleton).value();
}

}  // namespace zoe::sprite::identity
