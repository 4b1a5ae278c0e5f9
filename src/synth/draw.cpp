// SPDX-License-Identifier: MIT
#include "zoe/synth/draw.h"

#include <algorithm>

namespace zoe::synth {
namespace {

template <typename T>
bool holds(const std::vector<T>& list, T value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<Gait> gaits_for(const DrawOptions& options, BodyFamily family) {
  std::vector<Gait> result;
  for (const Gait gait : gaits_of(family)) {
    if (holds(options.gaits, gait)) result.push_back(gait);
  }
  return result;
}

std::vector<BodyFamily> families_for(const DrawOptions& options) {
  std::vector<BodyFamily> result;
  for (const BodyFamily family : families()) {
    if (holds(options.families, family) && !gaits_for(options, family).empty()) result.push_back(family);
  }
  return result;
}

template <typename T>
T pick(const std::vector<T>& list, Random& random) {
  return list[random.below(list.size())];
}

}  // namespace

Result<void> check(const DrawOptions& options) {
  if (families_for(options).empty()) return Error{ErrorCode::kUsage, "none of the families has any of the gaits"};
  if (!(options.fps > 0 && options.fps <= 1000))
    return Error{ErrorCode::kUsage, "fps must be above 0 and at most 1000"};
  if (!(options.seconds > 0 && options.seconds * options.fps <= 100000))
    return Error{ErrorCode::kUsage, "seconds must be above 0 and give at most 100,000 frames"};
  return {};
}

Result<DrawnClip> draw_clip(const DrawOptions& options, std::uint64_t seed, std::uint64_t index) {
  ZOE_TRY(check(options));
  Random random = Random(seed).split(index);
  const std::vector<BodyFamily> can = families_for(options);
  const BodyFamily family = can[index % can.size()];
  ClipRequest request;
  request.gait = pick(gaits_for(options, family), random);
  request.seconds = options.seconds;
  request.fps = options.fps;
  std::vector<Style> styles = options.styles;
  // Half of the free choices are neutral.
  const int num_styles = random.below(2) == 0 ? 1 : kNumStyles;
  for (int i = 0; options.styles.empty() && i < num_styles; ++i) styles.push_back(static_cast<Style>(i));
  request.style = pick(styles, random);
  std::vector<Course> courses;
  for (const Course course : courses_of(family, request.gait)) {
    if (course == Course::kWander && options.courses.empty()) continue;
    if (holds(options.courses, course)) courses.push_back(course);
  }
  request.course = courses.empty() ? Course::kStraight : pick(courses, random);
  std::vector<TerrainKind> terrains;
  for (int i = 0; i < kNumTerrainKinds; ++i) {
    const auto kind = static_cast<TerrainKind>(i);
    if (holds(options.terrains, kind) && can_use(family, request.gait, kind)) terrains.push_back(kind);
  }
  if (terrains.empty()) terrains.push_back(TerrainKind::kFlat);
  request.terrain = pick(terrains, random);
  std::vector<Names> names = options.names;
  for (int i = 0; options.names.empty() && i + 1 < kNumNames; ++i) names.push_back(static_cast<Names>(i));

  DrawnClip drawn;
  drawn.names = pick(names, random);
  Random of_body = random.split(1);
  if (options.one_body) {
    Random first = Random(seed).split(index % can.size()).split(1);
    drawn.names = names[first.split(1).below(names.size())];
    of_body = first;
  }
  drawn.body = make_body(family, of_body, {.names = drawn.names, .mesh = options.mesh});
  ZOE_TRY_ASSIGN(drawn.clip, make_clip(drawn.body, request, random.split(2)));
  return drawn;
}

}  // namespace zoe::synth
