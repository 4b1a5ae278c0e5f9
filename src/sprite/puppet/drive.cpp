// SPDX-License-Identifier: MIT
#include "sprite/puppet/drive.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/motion/sample.h"

namespace zoe::sprite {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTurn_rad = 25 * kPi / 180;  // Of the body towards the viewer, from the side view.
constexpr double kShortest = 0.55;            // Foreshortening: the least length of a bone.
constexpr double kDrawn = 0.12;               // Weight of the drawn direction: for bones that point at the viewer.
constexpr double kNarrowest = 0.3;            // Width of a figure that turns.
constexpr double kTravels = 1.5;              // Heights: clips that go farther travel.

// The least angle from one direction to another.
double between(Point from, Point to) { return portable_atan2(cross(from, to), dot(from, to)); }

}  // namespace

struct PuppetDriver::Sample {
  std::vector<Vec3> view;  // [joints] x right, y up, z towards the viewer; hips' ground position at x = z = 0.
  double facing_rad = 0;   // Since the first frame.
  double hips_x = 0;       // Position without the removed travel, motion units to the right.
  double lowest = 0;       // Of the feet above the ground.
};

PuppetDriver::PuppetDriver(const Puppet& puppet, const PuppetMotion& source)
    : puppet_(puppet), source_(source), root_(find_root(*source.motion, source.body)) {
  const SkeletonAnalysis& body = source_.body;
  hips_ = body.hips != kNoJoint ? body.hips : body.root != kNoJoint ? body.root : 0;
  head_ = body.head != kNoJoint ? body.head : !body.spine.empty() ? body.spine.back() : hips_;
  neck_ = !body.spine.empty() ? body.spine.back() : head_;
  if (neck_ == head_ && body.spine.size() > 1) neck_ = body.spine[body.spine.size() - 2];
  std::size_t leg = 0, arm = 0;
  for (const zoe::Limb& part : body.limbs) {
    const bool is_leg = part.kind == LimbKind::kLeg;
    if (!is_leg && part.kind != LimbKind::kArm) continue;
    const std::vector<int>& ends = is_leg ? body.feet : body.hands;
    std::size_t& number = is_leg ? leg : arm;
    const int end = number < ends.size() ? ends[number] : part.joints.back();
    ++number;
    const auto found = std::find(part.joints.begin(), part.joints.end(), end);
    const auto at = static_cast<std::size_t>(found - part.joints.begin());
    if (found == part.joints.end() || at < 1) continue;
    // Legs of animals have more bones: they count from the body.
    const bool animal = is_leg && body.family != BodyFamily::kBiped;
    const int root = part.joints[animal ? (at > 3 ? 1 : 0) : at >= 2 ? at - 2 : 0];
    Limb limb{root, part.joints[at - 1], end, part.side == Side::kLeft, false};
    (is_leg ? legs_ : arms_).push_back(limb);
  }
  // Of more than one pair, the legs before the middle are front legs.
  if (legs_.size() > 2 && !body.reference_positions.empty()) {
    double low = 1e30, high = -1e30;
    const auto forward = [&](const Limb& limb) {
      return static_cast<double>(dot(body.reference_positions[idx(limb.root)], body.forward));
    };
    for (const Limb& limb : legs_) low = std::min(low, forward(limb)), high = std::max(high, forward(limb));
    for (Limb& limb : legs_) limb.front = forward(limb) > (low + high) / 2;
  }
  const Motion& motion = *source_.motion;
  first_facing_ = root_.roots.empty() ? 0.0F : root_.roots[0].facing_rad;
  // Travel, heights and pitches over the clip.
  std::vector<Affine> joints(idx(motion.num_joints()));
  Vec3 last;
  double low_foot = 1e30, low_hips = 1e30, high_hips = -1e30, longest = 0, rest_leg = 0;
  for (int i = 0; i < motion.num_frames; ++i) {
    compute_model_from_joint(*motion.skeleton, motion.frame(i), joints);
    const Vec3 hips = joints[idx(hips_)].t;
    if (i == 0) first_hips_ = hips;
    last = hips;
    low_hips = std::min(low_hips, static_cast<double>(hips.y));
    high_hips = std::max(high_hips, static_cast<double>(hips.y));
    mean_height_ += static_cast<double>(hips.y) / motion.num_frames;
    for (const Limb& limb : legs_) {
      low_foot = std::min(low_foot, static_cast<double>(joints[idx(limb.end)].t.y));
      longest = std::max(longest, static_cast<double>(length(joints[idx(limb.end)].t - joints[idx(limb.root)].t)));
      rest_leg = static_cast<double>(length(joints[idx(limb.middle)].t - joints[idx(limb.root)].t) +
                                     length(joints[idx(limb.end)].t - joints[idx(limb.middle)].t));
    }
  }
  ground_ = low_foot < 1e29 ? low_foot : low_hips;
  swing_height_ = std::max(mean_height_ - low_hips, high_hips - mean_height_);
  const double height = std::max(1e-6, body.height_m / (body.metres_per_unit > 0 ? body.metres_per_unit : 1));
  leg_length_ = rest_leg > 0 ? std::max(rest_leg, longest) : 0.5 * height;
  travel_ = last - first_hips_;
  travel_.y = 0;
  const double gone = static_cast<double>(length(travel_));
  if (source_.keep_travel || gone < (source_.loop ? 0.08 : kTravels) * height) travel_ = {};

  // Pixels per unit: by the drawn legs, or by the height of the figure.
  const PuppetRig& rig = puppet.rig();
  double drawn = 0;
  int count = 0;
  double bottom = 0;
  for (const PuppetPart& part : puppet.parts())
    for (int y = part.texture.height - 1; y >= 0 && bottom == 0; --y)
      for (int x = 0; x < part.texture.width && bottom == 0; ++x)
        if (part.texture.pixel(x, y)[3] > 0) bottom = y + 1;
  for (const PuppetPart& part : puppet.parts()) {
    for (int y = part.texture.height - 1; y > static_cast<int>(bottom); --y)
      for (int x = 0; x < part.texture.width; ++x)
        if (part.texture.pixel(x, y)[3] > 0) bottom = std::max(bottom, y + 1.0);
  }
  for (const PuppetBone& bone : puppet.bones()) {
    if (rig.joints[idx(bone.to)].name.ends_with("_foot")) {
      const int hip = rig.joints[idx(bone.from)].parent;
      drawn += distance(rig.joints[idx(hip)].position, rig.joints[idx(bone.from)].position) +
               distance(rig.joints[idx(bone.from)].position, rig.joints[idx(bone.to)].position);
      ++count;
    }
  }
  drawn = count > 0 ? drawn / count : 0.5 * bottom;
  scale_ = drawn / std::max(1e-9, leg_length_);
  pivot_ = {rig.joints[0].position.x, bottom};
  if (rig.body == PuppetBody::kAnimal) pivot_.x = mix(joint("hips"), joint("chest"), 0.5).x;
  if (rig.body == PuppetBody::kWorm) pivot_.x = rig.joints[rig.joints.size() / 2].position.x;
  for (int i = 0; i < motion.num_frames; ++i) {
    const Sample now = sample_at(i / motion.fps);
    const Vec3 trunk = now.view[idx(neck_)] - now.view[idx(hips_)], nod = now.view[idx(head_)] - now.view[idx(neck_)];
    mean_pitch_ += angle_of({static_cast<double>(trunk.x), -static_cast<double>(trunk.y)}) / motion.num_frames;
    mean_nod_ += angle_of({static_cast<double>(nod.x), -static_cast<double>(nod.y)}) / motion.num_frames;
  }
}

PuppetDriver::Sample PuppetDriver::sample_at(double time_s) const {
  const Motion& motion = *source_.motion;
  Pose local = make_pose(*motion.skeleton);
  sample(motion, motion.start_time_s + time_s, Wrap::kClamp, local);
  std::vector<Affine> joints(idx(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, local.view(), joints);
  const PlanarRoot root = root_at(root_, time_s);
  Sample out;
  out.facing_rad = static_cast<double>(root.facing_rad - first_facing_);
  // The body's own facing becomes the right of the picture, turned towards the viewer.
  const double turn = kPi / 2 - kTurn_rad - static_cast<double>(root.facing_rad);
  const SineCosine t = sine_cosine(turn);
  const auto s = static_cast<float>(t.sine), c = static_cast<float>(t.cosine);
  const Vec3 hips = joints[idx(hips_)].t;
  out.view.resize(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Vec3 p = joints[i].t - Vec3{hips.x, 0, hips.z};
    out.view[i] = {c * p.x + s * p.z, p.y, -s * p.x + c * p.z};
  }
  out.lowest = 1e30;
  for (const Limb& limb : legs_)
    out.lowest = std::min(out.lowest, static_cast<double>(joints[idx(limb.end)].t.y) - ground_);
  if (legs_.empty()) out.lowest = static_cast<double>(hips.y) - ground_;
  // Position: forward is to the right, by the facing of the first frame.
  const double length_s = motion.duration_s();
  const Vec3 moved = hips - first_hips_ - travel_ * (length_s > 0 ? static_cast<float>(time_s / length_s) : 0.0F);
  const SineCosine first = sine_cosine(static_cast<double>(first_facing_));
  out.hips_x = static_cast<double>(moved.x) * first.sine + static_cast<double>(moved.z) * first.cosine;
  return out;
}

double PuppetDriver::removed_travel(double time_s) const {
  const double length_s = source_.motion->duration_s();
  const SineCosine first = sine_cosine(static_cast<double>(first_facing_));
  const double part = length_s > 0 ? time_s / length_s : 0;
  return part * scale_ * (static_cast<double>(travel_.x) * first.sine + static_cast<double>(travel_.z) * first.cosine);
}

const PuppetDriver::Limb* PuppetDriver::limb(const std::vector<Limb>& limbs, bool left, bool front) const {
  const Limb* side = nullptr;
  for (const Limb& limb : limbs) {
    if (limb.left == left && limb.front == front) return &limb;
    // Without a second pair the opposite leg moves in front: walks of animals are diagonal.
    if (limb.left != left && front) side = &limb;
    if (limb.left == left && side == nullptr) side = &limb;
  }
  return side;
}

Point PuppetDriver::joint(std::string_view name) const {
  return puppet_.rig().joints[idx(std::max(0, puppet_.rig().find(name)))].position;
}

int PuppetDriver::bone(std::string_view to) const { return puppet_.bone_to(puppet_.rig().find(to)); }

Point PuppetDriver::end_of(int bone, const PuppetPose& pose) const {
  const PuppetBone& b = puppet_.bones()[idx(bone)];
  return carried(puppet_.rig(), b, pose.bones[idx(bone)], puppet_.rig().joints[idx(b.to)].position);
}

double PuppetDriver::cycle_rad(double time_s) const {
  const double length_s = source_.motion->duration_s();
  if (length_s <= 0) return 0;
  return 2 * kPi * std::max(1.0, std::round(length_s / 0.9)) * time_s / length_s;
}

PuppetPose PuppetDriver::pose(double time_s) const {
  PuppetPose out;
  const PuppetRig& rig = puppet_.rig();
  for (const PuppetBone& bone : puppet_.bones()) out.bones.push_back({rig.joints[idx(bone.from)].position});
  out.depths.assign(puppet_.parts().size(), 0);
  const Sample now = sample_at(time_s);
  switch (rig.body) {
    case PuppetBody::kHumanoid:
      pose_humanoid(now, out);
      break;
    case PuppetBody::kAnimal:
      pose_animal(now, time_s, out);
      break;
    case PuppetBody::kBlob:
      pose_blob(now, out);
      break;
    case PuppetBody::kWorm:
      pose_worm(time_s, out);
      break;
  }
  stand(now, out);
  const double face = portable_cos(now.facing_rad);
  const double side = face < 0 ? -1 : 1;
  // Small turns are no turns: walks sway.
  out.width = std::abs(face) > 0.92 ? side : side * std::max(kNarrowest, std::abs(face) / 0.92);
  return out;
}

void PuppetDriver::pose_humanoid(const Sample& now, PuppetPose& out) const {
  const PuppetRig& rig = puppet_.rig();
  const auto flat = [&](int from, int to) {
    const Vec3 d = now.view[idx(to)] - now.view[idx(from)];
    return Point{static_cast<double>(d.x), -static_cast<double>(d.y)};
  };
  // The trunk turns by its lean against upright; the drawing keeps its own posture.
  const double lean = between({0, -1}, flat(hips_, neck_));
  const double nod = neck_ != head_ ? between({0, -1}, flat(neck_, head_)) : lean;
  const double turns[3] = {0.8 * lean, lean, 0.5 * nod + 0.5 * lean};
  const char* spine[3] = {"chest", "neck", "head"};
  Point at = joint("hips");
  for (std::size_t i = 0; i < 3; ++i) {
    const int b = bone(spine[i]);
    if (b < 0) continue;
    out.bones[idx(b)].from = at;
    out.bones[idx(b)].turn_rad = turns[i];
    at = end_of(b, out);
  }
  const int chest = bone("chest");
  const auto hang = [&](const char* side, const char* root, const char* middle, const char* end, const Limb* limb,
                        double trunk_turn, Point trunk_from, Point drawn_from, const char* part) {
    const Point drawn_root = joint(std::string(side) + root);
    Point from = trunk_from + rotated(drawn_root - drawn_from, trunk_turn);
    const int bones[2] = {bone(std::string(side) + middle), bone(std::string(side) + end)};
    for (int k = 0; k < 2; ++k) {
      if (bones[k] < 0) return;
      BonePose& pose = out.bones[idx(bones[k])];
      pose.from = from;
      if (limb != nullptr) {
        const int a = k == 0 ? limb->root : limb->middle, b = k == 0 ? limb->middle : limb->end;
        const double full = std::max(1e-9, static_cast<double>(length(now.view[idx(b)] - now.view[idx(a)])));
        const Point seen = flat(a, b) * (1 / full);
        const PuppetBone& drawn_bone = puppet_.bones()[idx(bones[k])];
        const Point drawn = rig.joints[idx(drawn_bone.to)].position - rig.joints[idx(drawn_bone.from)].position;
        const double size = length(drawn);
        const Point unit = size > 1e-6 ? drawn * (1 / size) : Point{0, 1};
        const double away = 1 - std::min(1.0, length(seen));
        pose.turn_rad = between(unit, seen + unit * (kDrawn * away));
        pose.along = std::clamp(length(seen), kShortest, 1.0);
      }
      from = end_of(bones[k], out);
    }
    if (limb == nullptr) return;
    for (std::size_t p = 0; p < puppet_.parts().size(); ++p) {
      if (puppet_.parts()[p].name != std::string(side) + part) continue;
      const Vec3 middle_view = now.view[idx(limb->middle)], end_view = now.view[idx(limb->end)];
      const Vec3 trunk_view = now.view[idx(hips_)];
      out.depths[p] = static_cast<double>((middle_view.z + end_view.z) / 2 - trunk_view.z) / leg_length_;
      if (out.depths[p] == 0) out.depths[p] = 1e-6;
    }
  };
  for (const char* side : {"right", "left"}) {
    const bool left = side[0] == 'l';
    hang(side, "_hip", "_knee", "_foot", limb(legs_, left, false), 0.3 * lean, joint("hips"), joint("hips"), "_leg");
    const Limb* arm = arms_.empty() ? nullptr : limb(arms_, left, false);
    if (arm == nullptr && legs_.size() > 2) arm = limb(legs_, left, true);
    if (chest >= 0) {
      hang(side, "_shoulder", "_elbow", "_hand", arm, out.bones[idx(chest)].turn_rad, out.bones[idx(chest)].from,
           joint("hips"), "_arm");
    }
  }
}

void PuppetDriver::pose_animal(const Sample& now, double time_s, PuppetPose& out) const {
  const auto flat = [&](int from, int to) {
    const Vec3 d = now.view[idx(to)] - now.view[idx(from)];
    return Point{static_cast<double>(d.x), -static_cast<double>(d.y)};
  };
  const double pitch = std::clamp(angle_of(flat(hips_, neck_)) - mean_pitch_, -0.6, 0.6);
  const double nod = std::clamp(neck_ != head_ ? angle_of(flat(neck_, head_)) - mean_nod_ : 0.0, -0.7, 0.7);
  const double phase = cycle_rad(time_s);
  Point at = joint("hips");
  const std::pair<const char*, double> spine[3] = {
      {"chest", pitch}, {"neck", pitch + 0.5 * nod + 0.05 * portable_sin(phase)}, {"head", pitch + 0.8 * nod}};
  for (const auto& [name, turn] : spine) {
    const int b = bone(name);
    if (b < 0) continue;
    out.bones[idx(b)].from = at;
    out.bones[idx(b)].turn_rad = turn;
    at = end_of(b, out);
  }
  if (const int tail = bone("tail"); tail >= 0) {
    out.bones[idx(tail)].from = joint("hips");
    out.bones[idx(tail)].turn_rad = -0.8 * pitch + 0.14 * portable_sin(phase + 0.8);
  }
  const int trunk = bone("chest");
  for (const char* leg : {"hind_near", "hind_far", "front_near", "front_far"}) {
    const std::string name = leg;
    const int upper = bone(name + "_knee"), lower = bone(name + "_foot");
    if (upper < 0 || lower < 0) continue;
    const bool front = name.starts_with("front"), near = name.ends_with("near");
    const Limb* limb = this->limb(legs_, !near, front);  // The right side is near.
    const Point hip = joint(name + "_hip"), knee = joint(name + "_knee"), foot = joint(name + "_foot");
    const Point from =
        trunk >= 0 ? carried(puppet_.rig(), puppet_.bones()[idx(trunk)], out.bones[idx(trunk)], hip) : hip;
    out.bones[idx(upper)].from = from;
    if (limb != nullptr) {
      // The foot goes where the motion's foot goes, in lengths of the leg; the knee bends as it is drawn.
      const double a = distance(hip, knee), b = distance(knee, foot);
      const double reach = std::max(a + b, 1e-6), stands = distance(hip, foot);
      const Point way = flat(limb->root, limb->end) * (stands / leg_length_);
      const double far = std::clamp(length(way), std::abs(a - b) + 1e-3, reach - 1e-3);
      const double inner =
          portable_acos(std::clamp((a * a + far * far - b * b) / std::max(1e-9, 2 * a * far), -1.0, 1.0));
      const double side = cross(foot - hip, knee - hip) < 0 ? -1 : 1;
      const double direction = angle_of(way);
      const double upper_angle = direction + side * inner;
      out.bones[idx(upper)].turn_rad = upper_angle - angle_of(knee - hip);
      const Point bent = end_of(upper, out);
      const Point end = from + way * (far / std::max(1e-9, length(way)));
      out.bones[idx(lower)].from = bent;
      out.bones[idx(lower)].turn_rad = angle_of(end - bent) - angle_of(foot - knee);
    } else {
      out.bones[idx(lower)].from = end_of(upper, out);
    }
    for (std::size_t p = 0; p < puppet_.parts().size(); ++p)
      if (puppet_.parts()[p].name == name) out.depths[p] = near ? 1 : -1;
  }
}

void PuppetDriver::pose_blob(const Sample& now, PuppetPose& out) const {
  // Hips that rise stretch the body, hips that sink squash it; its area stays.
  const double rise = (static_cast<double>(now.view[idx(hips_)].y) - mean_height_) / std::max(1e-9, swing_height_);
  const double strong = std::min(1.0, swing_height_ / (0.02 * leg_length_));
  const double tall = 1 + 0.13 * strong * rise;
  const Vec3 trunk = now.view[idx(neck_)] - now.view[idx(hips_)];
  const double lean = 0.5 * between({0, -1}, {static_cast<double>(trunk.x), -static_cast<double>(trunk.y)});
  Point at = puppet_.rig().joints[0].position;
  for (std::size_t b = 0; b < puppet_.bones().size(); ++b) {
    BonePose& bone = out.bones[b];
    bone.from = at;
    bone.along = tall;
    bone.across = 1 / tall;
    bone.turn_rad = lean * static_cast<double>(b + 1) / static_cast<double>(puppet_.bones().size());
    at = end_of(static_cast<int>(b), out);
  }
}

void PuppetDriver::pose_worm(double time_s, PuppetPose& out) const {
  // A wave runs along the body.
  const double phase = cycle_rad(time_s);
  const std::size_t middle = puppet_.bones().size() / 2;
  Point at = puppet_.rig().joints[0].position;
  for (std::size_t b = 0; b < puppet_.bones().size(); ++b) {
    BonePose& bone = out.bones[b];
    bone.from = at;
    bone.turn_rad = 0.24 * portable_sin(phase - 1.0 * static_cast<double>(b)) +
                    0.04 * (static_cast<double>(b) - static_cast<double>(middle)) * portable_sin(phase);
    at = end_of(static_cast<int>(b), out);
  }
  // The middle stays over the pivot.
  const Point rest = puppet_.rig().joints[middle].position, now = out.bones[middle].from;
  for (BonePose& bone : out.bones) bone.from = bone.from + Point{rest.x - now.x, rest.y - now.y};
}

void PuppetDriver::stand(const Sample& now, PuppetPose& out) const {
  // The lowest foot is as high above the ground as in the motion, and as deep as it is drawn.
  double shift_y = 0;
  double lowest = -1e30, drawn = -1e30;
  const PuppetRig& rig = puppet_.rig();
  for (std::size_t b = 0; b < puppet_.bones().size(); ++b) {
    const PuppetBone& bone = puppet_.bones()[b];
    if (!rig.joints[idx(bone.to)].name.ends_with("_foot")) continue;
    lowest = std::max(lowest, end_of(static_cast<int>(b), out).y);
    drawn = std::max(drawn, rig.joints[idx(bone.to)].position.y);
  }
  if (lowest > -1e29) {
    shift_y = drawn - lowest - std::max(0.0, now.lowest) * scale_;
  } else if (rig.body == PuppetBody::kBlob) {
    const double air = static_cast<double>(now.view[idx(hips_)].y) - mean_height_;
    if (swing_height_ > 0.15 * leg_length_) shift_y = -std::max(0.0, air) * scale_;
  }
  const double shift_x = now.hips_x * scale_;
  for (BonePose& bone : out.bones) bone.from = bone.from + Point{shift_x, shift_y};
  out.middle = pivot_.x + shift_x;
}

}  // namespace zoe::sprite
