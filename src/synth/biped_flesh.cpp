// SPDX-License-Identifier: MIT
// Part of Zoetrope. A person's trunk, arms, hands and legs, and the clothes over them. Radii are fractions of the
// height, after the mean proportions of adults.
#include <algorithm>
#include <cmath>

#include "synth/biped.h"

namespace zoe::synth {

PersonLayers add_person_layers(Plan& plan, const Build& b, const Look& look) {
  const auto add = [&](Vec4 color, float cell_m) {
    plan.layers.push_back({color, color, 0, cell_m});
    return static_cast<int>(plan.layers.size()) - 1;
  };
  const float h = b.height;
  PersonLayers layers{};
  layers.skin = add(look.skin, 0.012F * h);
  layers.face = add(look.skin, 0.047F * b.head);
  layers.hands = add(look.skin, 0.02F * b.arm);
  layers.hair = add(look.hair_color, 0.08F * b.head);
  layers.shirt = add(look.shirt, 0.0145F * h);
  layers.trousers = add(look.trousers, 0.0145F * h);
  layers.shoes = add(look.shoes, 0.0085F * h);
  layers.soles = add(look.soles, 0.0085F * h);
  return layers;
}

void add_trunk_flesh(Plan& plan, const Build& b, const PersonLayers& layers, float neck_y) {
  const Body& body = plan.body;
  const float h = b.height, w = b.width(), length_m = neck_y - b.leg;
  // Half depth and half width at a share of the way from the hips to the neck.
  struct Section {
    float share, depth, width;
  };
  static constexpr std::array kSections{Section{0, 0.062F, 0.088F}, Section{0.32F, 0.055F, 0.076F},
                                        Section{0.62F, 0.064F, 0.09F}, Section{0.8F, 0.056F, 0.084F},
                                        Section{1, 0.04F, 0.06F}};
  const auto section = [&](float y) {
    const float t = std::clamp((y - b.leg) / length_m, 0.0F, 1.0F);
    std::size_t i = 0;
    while (i + 2 < kSections.size() && t > kSections[i + 1].share) ++i;
    const Section &low = kSections[i], &high = kSections[i + 1];
    const float s = (t - low.share) / (high.share - low.share);
    return Section{t, low.depth + (high.depth - low.depth) * s, low.width + (high.width - low.width) * s};
  };
  const auto piece = [&](int joint, Vec3 from, Vec3 to, float wider = 1) {
    const Section a = section(from.y), c = section(to.y);
    const float stretch = 0.5F * (a.width / a.depth + c.width / c.depth);
    plan.blob(joint, from, a.depth * h * w * wider, to, c.depth * h * w * wider, {stretch, 1, 1});
  };
  // Seat and hips.
  plan.layer = layers.trousers;
  const float seat = 0.054F * h * w;
  plan.blob(body.root, {-0.75F * b.hip_half, b.leg, 0}, seat, {0.75F * b.hip_half, b.leg, 0}, seat);
  plan.blob(body.root, {0, b.leg, 0}, 0.058F * h * w, plan.at(body.root) + Vec3{0, 0.02F * h, 0}, 0.055F * h * w,
            {1.36F, 1, 0.96F});
  for (const float s : {1.0F, -1.0F}) {
    const Vec3 back{s * 0.72F * b.hip_half, b.leg - 0.008F * h, -0.024F * h};
    plan.blob(body.root, back, 0.042F * h * w, back, 0.042F * h * w);
  }
  // The shirt's hem is over the trousers.
  plan.layer = layers.shirt;
  const Vec3 first = plan.at(body.spine.front());
  piece(body.root, {0, b.leg + 0.035F * h, 0}, {0, std::max(first.y, b.leg + 0.05F * h), first.z}, 1.05F);
  const Vec3 neck_base{0, neck_y, 0};
  const float top_y = neck_y - 0.055F * h;
  for (std::size_t k = 0; k < body.spine.size(); ++k) {
    Vec3 from = plan.at(body.spine[k]);
    const Vec3 end = k + 1 < body.spine.size() ? plan.at(body.spine[k + 1]) : Vec3{0, top_y, -0.004F * h};
    from.y = std::min(from.y, end.y - 0.005F * h);
    // Two pieces follow the curve of the ribs.
    const Vec3 middle = lerp(from, end, 0.5F);
    piece(body.spine[k], from, middle);
    piece(body.spine[k], middle, end);
  }
  for (const float s : {1.0F, -1.0F}) {
    const Vec3 chest{s * 0.04F * h, neck_y - 0.105F * h, 0.034F * h};
    plan.blob(body.chest, chest, 0.036F * h * w, chest + Vec3{s * 0.008F * h, 0, 0}, 0.034F * h * w, {1.15F, 1, 1});
  }
  if (b.girth > 1.1F) {
    const float belly = 0.05F * h * b.girth;
    const Vec3 middle{0, b.leg + 0.24F * length_m, 0.03F * h * (b.girth - 0.7F)};
    plan.blob(body.spine.front(), middle, belly, middle + Vec3{0, 0.02F * h, 0}, belly, {1.2F, 1, 1});
  }
  // Collar and neck. The throat is under the jaw, the nape behind it.
  const float neck = 0.028F * h * std::sqrt(w);
  plan.blob(body.chest, {0, neck_y - 0.03F * h, -0.008F * h}, 1.45F * neck, {0, neck_y + 0.006F * h, -0.006F * h},
            1.14F * neck, {1.1F, 1, 1});
  plan.layer = layers.skin;
  const Vec3 head = plan.at(body.head) + Vec3{0, 0.16F * b.head, -0.01F * h};
  for (std::size_t k = 0; k < body.neck.size(); ++k) {
    const Vec3 from = k == 0 ? neck_base + Vec3{0, -0.02F * h, -0.004F * h} : plan.at(body.neck[k]),
               to = k + 1 < body.neck.size() ? plan.at(body.neck[k + 1]) : head;
    plan.blob(body.neck[k], from, 1.06F * neck, to, neck);
  }
  plan.layer = 0;
}

namespace {

// Wrist, direction of the hand, and the side its palm faces.
struct HandFrame {
  Vec3 wrist, along, palm;
  float size;
  Vec3 at(float along_share, float forward_share, float palm_share) const {
    return wrist + (along * along_share + Vec3{0, 0, forward_share} + palm * palm_share) * size;
  }
};

// A relaxed hand without joints of its own: fingers slightly curled, the thumb apart.
void add_curled_fingers(Plan& plan, int joint, const HandFrame& f) {
  constexpr std::array kLengths{0.4F, 0.44F, 0.41F, 0.32F};
  for (std::size_t i = 0; i < 4; ++i) {
    const float across = 0.155F - 0.103F * static_cast<float>(i), n = kLengths[i];
    const Vec3 base = f.at(0.46F, across, 0), knuckle = f.at(0.46F + 0.52F * n, 0.96F * across, 0.16F * n),
               tip = f.at(0.46F + 0.86F * n, 0.9F * across, 0.5F * n);
    plan.blob(joint, base, 0.056F * f.size, knuckle, 0.05F * f.size);
    plan.blob(joint, knuckle, 0.049F * f.size, tip, 0.04F * f.size);
  }
  const Vec3 base = f.at(0.14F, 0.14F, 0.02F), knuckle = f.at(0.33F, 0.27F, 0.1F), tip = f.at(0.52F, 0.29F, 0.17F);
  plan.blob(joint, base, 0.075F * f.size, knuckle, 0.058F * f.size);
  plan.blob(joint, knuckle, 0.054F * f.size, tip, 0.043F * f.size);
}

}  // namespace

void add_arm_flesh(Plan& plan, const Build& b, const PersonLayers& layers, const Look& look, const Arm& arm) {
  const float h = b.height, w = b.width(), s = arm.side == Side::kLeft ? 1.0F : -1.0F;
  const Vec3 shoulder = plan.at(arm.upper), elbow = plan.at(arm.lower), wrist = plan.at(arm.hand);
  // The slope from the neck to the shoulder, the shoulder's cap, the sleeve.
  plan.layer = layers.shirt;
  const Vec3 nape{s * 0.022F * h, shoulder.y + 0.022F * h, -0.012F * h};
  plan.blob(arm.clavicle, nape, 0.03F * h * w, shoulder - Vec3{s * 0.012F * h, -0.002F * h, 0}, 0.031F * h * w);
  plan.blob(arm.clavicle, {0.55F * shoulder.x, shoulder.y - 0.04F * h, 0}, 0.04F * h * w,
            shoulder - Vec3{s * 0.01F * h, 0.02F * h, 0}, 0.03F * h * w);
  const Vec3 cap = lerp(shoulder, elbow, 0.22F);
  plan.blob(arm.upper, shoulder, 0.034F * h * w, cap, 0.033F * h * w);
  plan.blob(arm.upper, cap, 0.032F * h * w, lerp(shoulder, elbow, look.long_sleeves ? 1.0F : 0.6F), 0.0275F * h * w);
  const Vec3 belly = lerp(elbow, wrist, 0.28F);
  if (look.long_sleeves) {
    plan.blob(arm.lower, elbow, 0.0265F * h * w, belly, 0.027F * h * w);
    plan.blob(arm.lower, belly, 0.0265F * h * w, lerp(elbow, wrist, 0.94F), 0.0225F * h * w);
  }
  plan.layer = layers.skin;
  if (!look.long_sleeves) {
    plan.blob(arm.upper, lerp(shoulder, elbow, 0.45F), 0.0255F * h * w, elbow, 0.0225F * h * w);
    plan.blob(arm.lower, elbow, 0.0225F * h * w, belly, 0.025F * h * w);
    plan.blob(arm.lower, belly, 0.0245F * h * w, wrist, 0.0165F * h * w);
  }
  // The hand is wide along z: palms face the body when arms hang.
  plan.layer = layers.hands;
  const HandFrame frame{wrist, arm.direction, normalized(Vec3{-s * 0.7F, -0.72F, 0}), 0.26F * b.arm};
  const bool fingers = !arm.fingers.empty();
  plan.blob(arm.hand, frame.at(-0.12F, 0, 0), 0.0155F * h * w, frame.at(0.08F, 0, 0), 0.0155F * h * w, {1, 1, 1.1F});
  plan.blob(arm.hand, frame.at(0.1F, 0, 0), 0.07F * frame.size, frame.at(0.44F, 0, 0), 0.075F * frame.size,
            {1, 1, fingers ? 3.1F : 2.5F});
  if (!fingers) add_curled_fingers(plan, arm.hand, frame);
  for (const int joint : arm.fingers) {
    Vec3 end = plan.at(joint);
    for (std::size_t j = 0; j < plan.joints.size(); ++j) {
      if (plan.joints[j].parent == joint) end = plan.positions[j];
    }
    plan.blob(joint, plan.at(joint), 0.062F * frame.size, end, 0.054F * frame.size);
  }
  plan.layer = 0;
}

void add_leg_flesh(Plan& plan, const Build& b, const PersonLayers& layers, const Look& look, const Leg& leg) {
  const float h = b.height, w = b.width();
  const Vec3 hip = plan.at(leg.upper), knee = plan.at(leg.lower), ankle = plan.at(leg.distal[0]),
             ball = plan.at(leg.distal[1]), tip = plan.at(leg.tip);
  const Vec3 calf = lerp(knee, ankle, 0.3F) + Vec3{0, 0, -0.009F * h};
  plan.layer = layers.trousers;
  const Vec3 thigh = hip + Vec3{0, -0.02F * h, 0};
  // Thighs touch at the top only.
  const float thick = std::min(0.051F * h * w, 0.9F * b.hip_half);
  if (look.shorts) {
    plan.blob(leg.upper, thigh, thick, lerp(hip, knee, 0.8F), std::min(0.044F * h * w, 0.8F * b.hip_half));
    plan.layer = layers.skin;
    plan.blob(leg.upper, lerp(hip, knee, 0.5F), 0.04F * h * w, knee, 0.032F * h * w);
    plan.blob(leg.lower, knee, 0.031F * h * w, calf, 0.033F * h * w);
    plan.blob(leg.lower, calf, 0.032F * h * w, ankle, 0.0195F * h * w);
  } else {
    plan.blob(leg.upper, thigh, thick, knee, 0.036F * h * w);
    plan.blob(leg.lower, knee, 0.035F * h * w, calf, 0.0345F * h * w);
    plan.blob(leg.lower, calf, 0.0335F * h * w, lerp(knee, ankle, 0.93F), 0.0275F * h * w);
  }
  const int foot = leg.distal[0], toe = leg.distal[1];
  const float z_heel = ankle.z - 0.06F * b.foot;
  plan.layer = layers.shoes;
  plan.blob(foot, ankle + Vec3{0, 0.004F * h, -0.004F * h}, 0.0235F * h, {ankle.x, 0.026F * h, z_heel}, 0.022F * h);
  plan.blob(foot, {ankle.x, 0.03F * h, ankle.z + 0.1F * b.foot}, 0.0235F * h, {ball.x, 0.021F * h, ball.z}, 0.0185F * h,
            {1.15F, 1, 1});
  plan.blob(toe, {ball.x, 0.021F * h, ball.z}, 0.0185F * h, {tip.x, 0.018F * h, tip.z - 0.012F * h}, 0.0165F * h,
            {1.3F, 0.95F, 1});
  plan.layer = layers.soles;
  const Vec3 flat{1, 0.36F, 1};
  plan.blob(foot, {ankle.x, 0.0085F * h, z_heel - 0.002F * h}, 0.0235F * h, {ball.x, 0.0085F * h, ball.z}, 0.0255F * h,
            flat);
  plan.blob(toe, {ball.x, 0.0085F * h, ball.z}, 0.0255F * h, {tip.x, 0.0085F * h, tip.z - 0.012F * h}, 0.0215F * h,
            flat);
  plan.layer = 0;
}

}  // namespace zoe::synth
