// SPDX-License-Identifier: MIT
#include "character_option.h"

#include <cmath>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/still.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/synth/body.h"

#include "retarget/work.h"

namespace zoe::cli {
namespace {

constexpr std::uint64_t kNumBodies = 24;  // Drawn to choose from.

// Length of the trunk over that of the legs. A body of another ratio crouches or overreaches in the motion of this one.
double trunk_ratio(const SkeletonAnalysis& body) {
  const auto at = [&](int joint) { return body.reference_positions[static_cast<std::size_t>(joint)]; };
  double legs = 0;
  int count = 0;
  for (const Limb& limb : body.limbs) {
    if (limb.kind != LimbKind::kLeg) continue;
    for (std::size_t i = 1; i < limb.joints.size(); ++i)
      legs += static_cast<double>(distance(at(limb.joints[i - 1]), at(limb.joints[i])));
    ++count;
  }
  if (body.hips == kNoJoint || body.spine.empty() || !(legs > 0)) return 1;
  return static_cast<double>(distance(at(body.hips), at(body.spine.back()))) * count / legs;
}

struct SynthBody {
  synth::Body body;
  SkeletonAnalysis analysis;
};
SynthBody draw_body(BodyFamily family, std::uint64_t seed, float size) {
  SynthBody out{synth::make_body(family, Random(seed), {.size = size}), {}};
  out.analysis = analyse(*out.body.skeleton, {}, out.body.character.get());
  return out;
}

Result<scene::DisplayedBody> display(const control::Controller& controller, const SynthBody& made) {
  return scene::make_displayed_body(controller, made.body.character, made.analysis,
                                    reference_pose(*made.body.skeleton, made.analysis, {}, made.body.character.get()));
}

// The synthetic body whose trunk and legs are most like the controller's, of the controller's size.
Result<scene::DisplayedBody> synthetic_body(const control::Controller& controller, const SkeletonAnalysis& own) {
  const double wanted = trunk_ratio(own);
  std::uint64_t best = 0;
  double least = 1e9;
  for (std::uint64_t seed = 0; seed < kNumBodies; ++seed) {
    const synth::Body body = synth::make_body(own.family, Random(seed), {.mesh = false});
    const double difference = std::abs(std::log(trunk_ratio(analyse(*body.skeleton)) / wanted));
    if (difference < least) {
      least = difference;
      best = seed;
    }
  }
  // The first gives the ratio of the legs.
  ZOE_TRY_ASSIGN(const scene::DisplayedBody first, display(controller, draw_body(own.family, best, 1)));
  return display(controller, draw_body(own.family, best, 1 / first.scale()));
}

}  // namespace

Result<scene::DisplayedBody> load_displayed_body(const std::string& option, const control::Controller& controller) {
  if (option == kBones) return scene::DisplayedBody{};
  if (!option.empty()) {
    ZOE_TRY_ASSIGN(const RetargetCharacter target, load_character(option, ""));
    Result<scene::DisplayedBody> body =
        scene::make_displayed_body(controller, target.character, target.body, target.reference);
    if (!body) {
      Error error = body.error();
      if (error.where.file.empty()) error.where.file = option;
      return error;
    }
    body->metres_per_unit = target.source.unit_known ? 1.0F : static_cast<float>(target.source.metres_per_unit);
    body->image_folder = std::filesystem::path(option).parent_path();
    return body;
  }
  const Motion standing = make_still(controller.skeleton(), controller.make_state()->pose());
  const SkeletonAnalysis own = analyse(*controller.skeleton(), {&standing, 1});
  if (own.family != BodyFamily::kBiped && own.family != BodyFamily::kQuadruped) return scene::DisplayedBody{};
  Result<scene::DisplayedBody> body = synthetic_body(controller, own);
  return body ? std::move(body) : scene::DisplayedBody{};
}

}  // namespace zoe::cli
