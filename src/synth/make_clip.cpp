// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "synth/captions.h"
#include "synth/crawl.h"
#include "synth/fly.h"
#include "synth/legged.h"
#include "synth/swim.h"

namespace zoe::synth {
namespace {

// Where feet cannot be reached (short legs in a tight turn), tries again with shorter steps.
Clip walk(const Body& body, const ClipRequest& request, Random random) {
  Clip clip;
  float travel = 1;
  for (int attempt = 0; attempt < 4; ++attempt, travel *= 0.75F) {
    LeggedAnimator animator(body, request, random, travel);
    clip = animator.run();
    if (animator.missed_m() < 1e-4F * body.leg_length_m) break;
  }
  return clip;
}

}  // namespace

Result<Clip> make_clip(const Body& body, const ClipRequest& request, Random random) {
  const auto known = gaits_of(body.family);
  if (std::find(known.begin(), known.end(), request.gait) == known.end())
    return Error{ErrorCode::kUsage,
                 std::string("a ") + to_string(body.family) + " has no gait '" + to_string(request.gait) + "'"};
  if (!(request.fps > 0 && request.fps <= 1000))
    return Error{ErrorCode::kUsage, "fps must be above 0 and at most 1000"};
  if (!(request.seconds > 0 && request.seconds * request.fps <= 100000))
    return Error{ErrorCode::kUsage, "seconds must be above 0 and give at most 100,000 frames"};
  ClipRequest wanted = request;
  if (!can_use(body.family, wanted.gait, wanted.terrain)) wanted.terrain = TerrainKind::kFlat;
  // A beam is straight.
  if (wanted.terrain == TerrainKind::kBeams && wanted.course != Course::kStraight) wanted.terrain = TerrainKind::kFlat;
  const auto courses = courses_of(body.family, wanted.gait);
  if (std::find(courses.begin(), courses.end(), wanted.course) == courses.end()) wanted.course = Course::kStraight;
  const Random stream = random.split(10);
  const bool flies = wanted.gait == Gait::kFly || wanted.gait == Gait::kGlide || wanted.gait == Gait::kHover;
  Clip clip = flies                               ? FlyAnimator(body, wanted, stream).run()
              : body.family == BodyFamily::kSnake ? CrawlAnimator(body, wanted, stream).run()
              : body.family == BodyFamily::kFish  ? SwimAnimator(body, wanted, stream).run()
                                                  : walk(body, wanted, stream);
  clip.captions = make_captions(body, clip, random.split(11));
  return clip;
}

}  // namespace zoe::synth
