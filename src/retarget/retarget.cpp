// SPDX-License-Identifier: MIT
#include "zoe/retarget/retarget.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/anatomy/hip_drop.h"
#include "zoe/anatomy/leg_rig.h"
#include "zoe/anatomy/smooth_track.h"
#include "zoe/core/index.h"
#include "zoe/math/smooth_step.h"

#include "retarget/calm.h"
#include "retarget/chain.h"
#include "retarget/climb.h"
#include "retarget/ease.h"
#include "retarget/feet.h"
#include "retarget/flex.h"
#include "retarget/goals.h"
#include "retarget/ground.h"
#include "retarget/pair.h"
#include "retarget/reach.h"
#include "retarget/skin.h"
#include "retarget/tail.h"
#include "retarget/terrain.h"
#include "retarget/transfer.h"

namespace zoe {
namespace {

using namespace retarget_detail;  // NOLINT: the parts of this function.

// Leg lengths. Bodies on all fours have two rows of legs of unlike length.
constexpr float kMaxHipDrop = 0.2F, kMaxHipDropOnFours = 0.35F;

// A limb of either body that bends at its hinge.
anatomy::LegRig rig_of(const std::vector<int>& joints, const RetargetBody& body) {
  const std::size_t hinge = anatomy::hinge_of(joints, body.reference.positions);
  anatomy::LegRig rig{-1, joints[hinge - 1], joints[hinge], joints.back(), kNoJoint, {}};
  const Vec3 left = rotate(body_frame(body.analysis), Vec3{1, 0, 0});
  rig.bend_axis = rotate(conjugate(body.reference.rotations[idx(rig.hip)]), left);
  return rig;
}

float length_of(const anatomy::LegRig& rig, const RetargetBody& body) {
  return distance(body.at(rig.hip), body.at(rig.knee)) + distance(body.at(rig.knee), body.at(rig.ankle));
}

bool has_skin(const Character* character) {
  return character != nullptr &&
         std::ranges::any_of(character->instances, [](const auto& one) { return one.skin >= 0; });
}

class Retargeter {
 public:
  Retargeter(const Motion& source, const RetargetBody& from, const RetargetBody& to, const BodyMatch& match,
             Transfer& transfer, bool with_ground, Extents extents, const Terrain& terrain)
      : source_(source),
        from_(from),
        to_(to),
        match_(match),
        transfer_(transfer),
        with_ground_(with_ground),
        extents_(std::move(extents)),
        terrain_(terrain) {}

  // Rotations, and the position of the body.
  void transfer(Motion& out, const Ease& ease) {
    ease_ = ease;
    positions_.num_joints = idx(source_.num_joints());
    placed_.num_joints = idx(out.num_joints());
    anatomy::ModelPose pose, placed;
    const GroundParts parts_a(from_, match_, End::kSource), parts_b(to_, match_, End::kTarget);
    for (int f = 0; f < source_.num_frames; ++f) {
      anatomy::compute_model_pose(*source_.skeleton, source_.frame(f), pose);
      transfer_.run(pose, out, f, placed, ease.at(idx(f)), ease.arms_at(idx(f)));
      low_.add(pose, parts_a, {}, from_.analysis.up);
      placed_low_.add(placed, parts_b, extents_, to_.analysis.up);
      positions_.add(pose);
      placed_.add(placed);
    }
    calm_feet(out);
  }

  // [frames] 1 where no hand is near the ground.
  std::vector<float> free_arms() const {
    std::vector<float> free(positions_.num_frames(), 1);
    for (std::size_t a = 0; a < match_.arms.size(); ++a) {
      const HandGround ground = hand_ground(a);
      for (std::size_t f = 0; f < free.size(); ++f) free[f] = std::min(free[f], 1 - ground.near[f]);
    }
    return free;
  }

  void calm_feet(Motion& out) {
    bool any = false;
    for (const LimbMatch& leg : match_.legs) any = calm_joint(out, leg.target.back()) || any;
    if (!any) return;
    placed_.values.clear();
    anatomy::ModelPose pose;
    for (int f = 0; f < out.num_frames; ++f) {
      anatomy::compute_model_pose(*out.skeleton, out.frame(f), pose);
      placed_.add(pose);
    }
  }

  // A rolling pelvis lifts one hip and lowers the other, of a wide body by more. The whole body moves up or down until
  // the hip of the leg in contact is as high as the source's.
  void level_hips(Motion& out, const Stands& stands) {
    constexpr float kFew = 0.02F;  // Weight of legs; with less, in the air, the body does not move.
    // Of two legs in contact the straighter one's hip counts, because it has no slack. The same holds on the way back.
    constexpr float kStraighter = 20;
    const std::size_t frames = positions_.num_frames();
    std::vector<Vec3> moves(frames);     // Along `up`.
    std::vector<Vec3> standing(frames);  // x: weight of limbs that carry; y: legs in contact.
    const float ratio = row_ratio(from_, to_, 0);
    for (std::size_t l = 0; l < match_.legs.size(); ++l) {
      if (match_.legs[l].row != 0) continue;
      const std::vector<std::uint8_t>& stands_here = stands.of(match_.legs[l].source_foot);
      const std::vector<float> shares = stretches(match_.legs[l]);
      for (std::size_t f = 0; f < frames; ++f) {
        if (stands_here[f] == 0) continue;
        const float rise = to_.height(hip_from_pelvis(placed_, f, l, End::kTarget)) -
                           from_.height(hip_from_pelvis(positions_, f, l, End::kSource)) * ratio;
        const float weight = std::pow(std::min(shares[f], 1.0F), kStraighter);
        moves[f] -= to_.analysis.up * (rise * weight);
        standing[f].x += weight;
        standing[f].y += 1;
      }
    }
    for (std::size_t a = 0; a < match_.arms.size(); ++a) {
      const HandGround ground = hand_ground(a);
      const std::vector<Vec3> goals = hand_goals(clips(), match_.arms[a], {});
      for (std::size_t f = 0; f < frames; ++f) {
        // A body with feet in contact bends down to the ground. A body without is carried by its hands.
        const float weight = ground.touch[f] * std::max(0.0F, 1 - standing[f].y);
        moves[f] -= to_.analysis.up * ((to_.height(goals[f]) - ground.wanted[f]) * weight);
        standing[f].x += weight;
      }
    }
    for (auto* track : {&moves, &standing})
      for (int round = 0; round < 2; ++round) anatomy::smooth_track(*track, std::lround(0.1 * source_.fps));
    for (std::size_t f = 0; f < frames; ++f) moves[f] = moves[f] / (standing[f].x + kFew);
    move_body(out, moves);
  }

  // Raises the body where its trunk would be below the ground and the source's is not.
  void lift_trunk(Motion& out, RetargetReport& report) {
    // Leg lengths: margin for flesh of a source that has only joints, for people and animals.
    const bool upright = from_.legs.empty() || !from_.legs[0].on_toes;
    const float most_flesh = upright ? 0.12F : 0.4F;
    const float ratio = row_ratio(from_, to_, 0);
    const float leg = from_.legs.empty() ? 0.0F : from_.legs[0].length;
    std::vector<float> lifts;
    for (std::size_t f = 0; f < positions_.num_frames(); ++f) {
      const float flesh = std::min(placed_low_.flesh[f] / ratio, most_flesh * leg);
      const float least = std::min(0.0F, low_.trunk[f] - flesh - from_.ground) * ratio;
      lifts.push_back(std::max(0.0F, to_.ground + least - placed_low_.trunk[f]));
    }
    anatomy::smooth_drops(lifts, std::numeric_limits<float>::max(), source_.fps);
    std::vector<Vec3> moves;
    for (const float lift : lifts) {
      moves.push_back(to_.analysis.up * lift);
      report.worst_lift_m = std::max<double>(report.worst_lift_m, lift * to_.analysis.metres_per_unit);
    }
    move_body(out, moves);
  }

  void move_body(Motion& out, const std::vector<Vec3>& moves) {
    for (std::size_t f = 0; f < moves.size(); ++f) {
      placed_low_.trunk[f] += to_.height(moves[f]);
      for (auto& hand : placed_low_.hands) hand[f] += to_.height(moves[f]);
      for (std::size_t j = 0; j < placed_.num_joints; ++j) placed_.values[f * placed_.num_joints + j] += moves[f];
    }
    anatomy::move_joint(out, to_.travel, moves);
  }

  Vec3 hip_from_pelvis(const ClipPositions& at, std::size_t f, std::size_t leg, End end) const {
    Vec3 sum{};
    int count = 0;
    const auto hip = [&](const LimbMatch& limb) {
      return at.at(f, (end == End::kSource ? limb.source : limb.target).front());
    };
    for (const LimbMatch& limb : match_.legs) {
      if (limb.row != 0) continue;
      sum += hip(limb);
      ++count;
    }
    return hip(match_.legs[leg]) - sum / static_cast<float>(count);
  }

  // Raises the body where a leg in contact could not fold as far: a horse does not lie down as low as a dog.
  void raise_stiff_legs(Motion& out, const Stands& stands) {
    std::vector<float> rises(idx(source_.num_frames), 0);
    float longest = 0;
    for (std::size_t l = 0; l < match_.legs.size(); ++l) {
      if (!match_.legs[l].flexes) continue;
      const FlexLeg flex(to_, match_.legs[l].target, match_.legs[l].row == 0);
      longest = std::max(longest, flex.length());
      const std::vector<std::uint8_t>& touching = stands.of(match_.legs[l].source_foot);
      const std::vector<Vec3> goals = foot_goals(clips(), l, touching);
      for (std::size_t f = 0; f < rises.size(); ++f) {
        const Vec3 way = goals[f] - placed_.at(f, match_.legs[l].target.front());
        const float aside = length(to_.level(way)), least = flex.shortest();
        if (touching[f] == 0 || aside >= least) continue;
        rises[f] = std::max(rises[f], std::sqrt(least * least - aside * aside) + to_.height(way));
      }
    }
    if (!(longest > 0)) return;
    anatomy::smooth_drops(rises, longest, source_.fps);
    std::vector<Vec3> moves;
    for (const float rise : rises) moves.push_back(to_.analysis.up * rise);
    move_body(out, moves);
  }

  void follow_terrain(Motion& out, const Stands& stands) {
    if (terrain_.is_flat() || match_.legs.empty()) return;
    Climb climb = climb_of(terrain_, clips(), stands);
    climbs_ = std::move(climb.goals);
    pitch_body(out, to_.travel, climb.turns, climb.pivots, climb.moves);
    for (std::size_t l = 0; l < match_.legs.size(); ++l) turn_joint(out, match_.legs[l].target.back(), climb.tilts[l]);
    placed_.values.clear();
    placed_low_ = {};
    anatomy::ModelPose pose;
    const GroundParts parts(to_, match_, End::kTarget);
    for (int f = 0; f < out.num_frames; ++f) {
      anatomy::compute_model_pose(*out.skeleton, out.frame(f), pose);
      placed_low_.add(pose, parts, extents_, to_.analysis.up);
      placed_.add(pose);
    }
  }

  void reach_goals(Motion& out, const Stands& stands, RetargetReport& report) {
    std::vector<anatomy::LegRig> rigs;
    std::vector<FlexLeg> flex;  // [legs]
    // [limbs][frames] stretch of the source's limb, as a fraction of its length.
    std::vector<std::vector<float>> shares;
    std::vector<std::vector<Vec3>> goals;
    std::vector<std::vector<std::uint8_t>> touches;
    std::vector<HandGround> grounds;
    std::vector<float> drops(idx(source_.num_frames), 0);
    float longest = 0;
    for (std::size_t l = 0; l < match_.legs.size(); ++l) {
      const LimbMatch& leg = match_.legs[l];
      touches.push_back(stands.of(leg.source_foot));
      const std::vector<std::uint8_t>& touching = touches.back();
      rigs.push_back(rig_of(leg.target, to_));
      flex.emplace_back(to_, leg.target, leg.row == 0);
      if (leg.flexes) rigs.back().hip = leg.target.front();
      goals.push_back(climbs_.empty() ? foot_goals(clips(), l, touching) : climbs_[l]);
      shares.push_back(stretches(leg));
      const float whole = leg.flexes ? flex[l].length() : length_of(rigs[l], to_);
      longest = std::max(longest, whole);
      for (std::size_t f = 0; f < drops.size(); ++f) {
        if (touching[f] == 0) continue;  // A foot in the air may miss its goal.
        drops[f] = std::max(drops[f], anatomy::needed_drop(placed_.at(f, rigs[l].hip), goals[l][f], to_.analysis.up,
                                                           reach(whole, shares[l][f]) + kGive * whole));
      }
    }
    for (std::size_t f = 0; f < drops.size(); ++f)
      drops[f] =
          std::min(drops[f], std::max(0.0F, placed_low_.trunk[f] - terrain_.height(placed_.at(f, to_.analysis.hips))));
    anatomy::smooth_drops(drops, (match_.on_all_fours ? kMaxHipDropOnFours : kMaxHipDrop) * longest, source_.fps);
    report.worst_hip_drop_m = drops.empty() ? 0.0 : *std::ranges::max_element(drops) * to_.analysis.metres_per_unit;
    anatomy::lower(out, to_.travel, drops, to_.analysis.up);
    for (std::size_t a = 0; a < match_.arms.size(); ++a) {
      const LimbMatch& arm = match_.arms[a];
      rigs.push_back(rig_of(arm.target, to_));
      goals.push_back(hand_goals(clips(), arm, {}));
      shares.push_back(stretches(arm));
      grounds.push_back(hand_ground(a));
      const float whole = length_of(rigs.back(), to_);
      for (std::size_t f = 0; f < drops.size(); ++f) {
        if (!ease_.of_arms.empty())  // An arm goes no further than its skin allows.
          goals.back()[f] = lerp(goals.back()[f], placed_.at(f, arm.target.back()), smooth_step(10 * ease_.arms_at(f)));
        goals.back()[f] -= to_.analysis.up * drops[f];
        // Out of reach, where a large head is between the shoulders and the ground: as in the air.
        const float down = to_.height(placed_.at(f, arm.target.front())) - drops[f] - grounds[a].wanted[f];
        if (whole > 0) grounds[a].touch[f] *= 1 - smooth_step((down / whole - 1) / 0.2F);
      }
      ground_hand(clips(), arm, grounds.back(), goals.back());
    }
    for (std::size_t l = 0; l < rigs.size(); ++l) {
      for (std::size_t f = 0; f < drops.size(); ++f) {
        // As they are in the frame: the lower part may have joints of its own, a dog's heel.
        const float upper = distance(placed_.at(f, rigs[l].hip), placed_.at(f, rigs[l].knee));
        const float lower_part = distance(placed_.at(f, rigs[l].knee), placed_.at(f, rigs[l].ankle));
        const float near = 1.02F * std::abs(upper - lower_part), whole = upper + lower_part;
        const Vec3 down = to_.analysis.up * drops[f];
        const Vec3 hip = placed_.at(f, rigs[l].hip) - down, way = goals[l][f] - hip;
        const float far = length(way);
        const bool is_leg = l < match_.legs.size(), on_toes = is_leg && match_.legs[l].on_toes;
        if (is_leg && match_.legs[l].flexes) {
          const float most = reach(flex[l].length(), shares[l][f]);
          if (far > most) goals[l][f] = hip + stretched(way, most, to_.analysis.up);
          continue;
        }
        float stretch = on_toes ? far : softly_above(1.1F * near, 0.2F * near, far);
        if (is_leg && !on_toes) stretch = whole * as_straight(stretch / whole, shares[l][f]);
        stretch = std::min(stretch, reach(whole, shares[l][f]));
        const float low = is_leg ? 0.0F : grounds[l - match_.legs.size()].near[f];
        if (far > 0) goals[l][f] = hip + stretched(way, stretch, to_.analysis.up);
        if (low > 0 && stretch > far) goals[l][f] = lerp(goals[l][f], hip + aside(way, stretch, to_.analysis.up), low);
        // A leg folded as far as its unequal bones allow rotates a lot for a small motion of its foot. In a gallop the
        // copied rotations decide there.
        const float from = on_toes ? near : 0.3F * near;
        const float t = std::clamp((far - from) / std::max(0.4F * near, 1e-12F) + low, 0.0F, 1.0F);
        if (t < 1 && !(on_toes && touches[l][f] != 0))
          goals[l][f] = lerp(placed_.at(f, rigs[l].ankle) - down, goals[l][f], t * t * (3 - 2 * t));
      }
    }
    flex_legs(out, flex, goals, drops);
    for (std::size_t l = match_.legs.size(); l-- > 0;) {
      if (!match_.legs[l].flexes) continue;
      rigs.erase(rigs.begin() + static_cast<std::ptrdiff_t>(l));
      goals.erase(goals.begin() + static_cast<std::ptrdiff_t>(l));
    }
    anatomy::reach_ankles(out, rigs, goals);
  }

 private:
  void flex_legs(Motion& out, const std::vector<FlexLeg>& flex, const std::vector<std::vector<Vec3>>& goals,
                 const std::vector<float>& drops) const {
    constexpr float kInAir = 0.15F;  // Leg lengths above contact from which a foot follows its leg.
    const std::size_t n = idx(out.num_joints());
    for (std::size_t l = 0; l < match_.legs.size(); ++l) {
      const LimbMatch& leg = match_.legs[l];
      if (!leg.flexes) continue;
      for (std::size_t f = 0; f < drops.size(); ++f) {
        const Vec3 top = placed_.at(f, leg.target.front()) - to_.analysis.up * drops[f];
        std::optional<Quat> foot;
        if (leg.on_toes)
          foot = anatomy::model_rotation(*out.skeleton, out.frame(static_cast<int>(f)), leg.target.back());
        const float above = (to_.height(goals[l][f]) - to_.legs[l].standing_ankle) / flex[l].length();
        flex[l].reach({out.rotations.data() + f * n, n}, top, goals[l][f], foot, smooth_step(above / kInAir));
      }
    }
  }

  ClipPair clips() const {
    return {match_, from_, to_, positions_, placed_, transfer_.target_from_source(), transfer_.scale(), source_.fps};
  }

  // Ground of one arm, before the target's hand was placed.
  HandGround hand_ground(std::size_t arm) const {
    HandGround ground;
    const float leg = from_.legs.empty() ? 0.0F : from_.legs[0].length;
    const float ratio = row_ratio(from_, to_, 0);
    const float told = leg > 0 && with_ground_ ? hands_tell(from_, match_.arms[arm].source) : 0.0F;
    // Arms that reach the ground while the body stands do not hold it, but do not go below it either.
    const float holds = told * hands_tell(to_, match_.arms[arm].target);
    for (std::size_t f = 0; f < positions_.num_frames(); ++f) {
      const float height = low_.hands[arm][f] - from_.ground;
      const float hand = to_.height(placed_.at(f, match_.arms[arm].target.back()));
      // Before the body rises the ground is flat.
      const float ground_here =
          climbs_.empty() ? to_.ground : terrain_.height(placed_.at(f, match_.arms[arm].target.back()));
      const float on_ground = ground_here + hand - placed_low_.hands[arm][f];
      ground.touch.push_back(holds > 0 ? holds * hand_touch(height / leg) : 0.0F);
      ground.wanted.push_back(on_ground + hand_height(height, leg, ratio));
      ground.least.push_back(on_ground + std::min(0.0F, height) * ratio);
      ground.near.push_back(told > 0 ? told * hand_is_near(height / leg) : 0.0F);
    }
    return ground;
  }

  // [frames] stretch of a source limb, as a fraction of its length. Captured knees bend the wrong way by a few degrees:
  // beyond straight, over 1.
  std::vector<float> stretches(const LimbMatch& limb) const {
    const anatomy::LegRig rig = rig_of(limb.source, from_);
    const float whole = std::max(length_of(rig, from_), 1e-12F);
    const std::vector<float> bends = anatomy::hinge_bends(source_, rig);
    std::vector<float> shares;
    for (std::size_t f = 0; f < positions_.num_frames(); ++f) {
      const float share = distance(positions_.at(f, rig.hip), positions_.at(f, rig.ankle)) / whole;
      shares.push_back(bends[f] < 0 ? 2 - share : share);
    }
    return shares;
  }

  const Motion& source_;
  const RetargetBody& from_;
  const RetargetBody& to_;
  const BodyMatch& match_;
  Transfer& transfer_;
  bool with_ground_;
  Extents extents_;  // Of the target. Empty where no surface is known.
  const Terrain& terrain_;
  std::vector<std::vector<Vec3>> climbs_;  // [legs][frames] goals of feet on the terrain. Empty where it is flat.
  Ease ease_;
  ClipPositions positions_, placed_;
  GroundTrack low_, placed_low_;
};

}  // namespace

Result<Motion> retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const SkeletonPtr& target,
                        const SkeletonAnalysis& target_analysis, const RetargetOptions& options,
                        RetargetReport* report) {
  ZOE_CHECK(source.skeleton && target, "retarget() needs two skeletons");
  ZOE_TRY_ASSIGN(const Pose source_pose,
                 checked_reference(*source.skeleton, source_analysis, options.source_reference, "the source"));
  ZOE_TRY_ASSIGN(const Pose target_pose,
                 checked_reference(*target, target_analysis, options.target_reference, "the target"));
  ZOE_TRY_ASSIGN(const BodyMatch match,
                 matched_bodies(*source.skeleton, source_analysis, *target, target_analysis, options.map));

  RetargetBody from(*source.skeleton, source_analysis, source_pose.view(), match, End::kSource);
  RetargetBody to(*target, target_analysis, target_pose.view(), match, End::kTarget);
  if (options.target_character != nullptr)
    to.travel = travel_joint(*target, target_analysis.hips, weighted_joints(*options.target_character));
  Extents extents;
  if (options.target_character != nullptr) extents = extents_of(*options.target_character);
  to.find_surface(extents);
  const Stands stands(source, source_analysis);
  from.find_standing(source, stands);
  Transfer transfer(match, from, to, target_pose);
  const bool with_scales = std::ranges::any_of(target_pose.scales, [](Vec3 s) { return !(s == Vec3{1, 1, 1}); });
  if (!options.ground) extents.clear();
  const std::vector<DetachedFoot> detached = find_detached_feet(to, match);
  std::vector<DetachedFoot> loose;
  if (options.target_character != nullptr) loose = find_loose_parts(to, *options.target_character, detached);
  RetargetReport found;
  std::vector<Affine> scratch;
  const std::vector<float> steps = largest_steps(source);
  std::vector<float> free_arms;
  const Terrain terrain(options.terrain.get(), to);
  const auto run = [&](const Ease& ease) {
    found = {};
    Motion out = make_motion(target, source.name, source.fps, source.num_frames, with_scales);
    out.start_time_s = source.start_time_s;
    Retargeter work(source, from, to, match, transfer, options.ground, extents, terrain);
    work.transfer(out, ease);
    if (ease.share.empty()) free_arms = work.free_arms();
    if (options.ik) {
      work.level_hips(out, stands);
      if (options.ground) work.lift_trunk(out, found);
      work.raise_stiff_legs(out, stands);
      work.follow_terrain(out, stands);
      work.reach_goals(out, stands, found);
      if (options.ground && has_skin(options.target_character)) lay_tail(out, to, terrain);
      calm_joints_below(out, target_analysis.hips, steps);
    }
    attach_feet(out, to, detached, scratch);
    attach_feet(out, to, loose, scratch);
    return out;
  };
  Motion out = run({});
  if (options.target_character != nullptr && options.allowed_stretch > 0 && options.ik) {
    const Character& character = *options.target_character;
    const Ease ease = match.on_all_fours ? find_ease(character, options.allowed_stretch, out, run)
                                         : find_upright_ease(character, options.allowed_stretch, out, free_arms, run);
    if (!ease.share.empty()) {
      out = run(ease);
      found.largest_ease = *std::ranges::max_element(ease.share);
    }
  }
  found.num_loose_parts = static_cast<int>(loose.size());
  make_continuous(out);
  if (report != nullptr) {
    found.num_matched_joints = static_cast<int>(match.joints.size());
    found.num_matched_legs = static_cast<int>(match.legs.size());
    found.num_matched_arms = static_cast<int>(match.arms.size());
    found.num_detached_feet = static_cast<int>(detached.size());
    found.scale = transfer.scale();
    *report = found;
  }
  return out;
}

}  // namespace zoe
