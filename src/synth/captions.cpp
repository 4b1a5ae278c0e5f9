// SPDX-License-Identifier: MIT
#include "synth/captions.h"

#include <algorithm>

namespace zoe::synth {
namespace {

using Words = std::vector<const char*>;

const char* pick(const Words& words, Random& random) { return words[random.below(words.size())]; }

Words family_words(BodyFamily family) {
  switch (family) {
    case BodyFamily::kBiped:
      return {"a person", "someone", "a two-legged figure", "a humanoid character"};
    case BodyFamily::kQuadruped:
      return {"a four-legged animal", "a quadruped", "an animal on four legs"};
    case BodyFamily::kHexapod:
      return {"a six-legged creature", "an insect", "a hexapod"};
    case BodyFamily::kOctopod:
      return {"an eight-legged creature", "a spider-like creature"};
    case BodyFamily::kMillipede:
      return {"a many-legged creature", "a millipede-like creature", "a long creature with many legs"};
    case BodyFamily::kBird:
      return {"a bird", "a two-legged winged animal"};
    case BodyFamily::kFlyer:
      return {"a winged beast", "a dragon-like creature"};
    case BodyFamily::kSnake:
      return {"a snake", "a legless reptile"};
    case BodyFamily::kFish:
      return {"a fish", "a swimming animal"};
    case BodyFamily::kOther:
      break;
  }
  return {"a creature"};
}

Words gait_words(Gait gait) {
  switch (gait) {
    case Gait::kIdle:
      return {"stands still", "stands and looks around", "waits in place", "idles"};
    case Gait::kWalk:
      return {"walks", "strolls", "steps along", "is walking"};
    case Gait::kRun:
      return {"runs", "is running", "jogs"};
    case Gait::kHop:
      return {"hops", "bounces along on both feet", "is hopping"};
    case Gait::kTrot:
      return {"trots", "moves at a trot"};
    case Gait::kPace:
      return {"paces", "moves at a pace, legs of one side together"};
    case Gait::kCanter:
      return {"canters", "lopes"};
    case Gait::kGallop:
      return {"gallops", "runs at full gallop"};
    case Gait::kBound:
      return {"bounds", "leaps along in bounds"};
    case Gait::kTripod:
      return {"scuttles", "walks in a tripod gait", "hurries along"};
    case Gait::kRipple:
      return {"crawls in a ripple gait", "walks with rippling legs"};
    case Gait::kWave:
      return {"creeps with one wave of legs after the other", "crawls slowly"};
    case Gait::kJump:
      return {"crouches and jumps", "leaps", "jumps"};
    case Gait::kAttack:
      return {"attacks", "strikes", "lashes out"};
    case Gait::kFly:
      return {"flies", "flaps its wings and flies", "is flying"};
    case Gait::kGlide:
      return {"glides on spread wings", "soars"};
    case Gait::kHover:
      return {"hovers in place", "beats its wings and stays in the air"};
    case Gait::kSlither:
      return {"slithers", "winds along", "is slithering"};
    case Gait::kSidewind:
      return {"sidewinds", "winds sideways"};
    case Gait::kSwim:
      return {"swims", "is swimming", "cruises through the water"};
    case Gait::kDart:
      return {"darts forward", "shoots ahead with a burst of tail beats"};
  }
  return {"moves"};
}

Words course_words(Course course, bool moves) {
  if (!moves) return {""};
  switch (course) {
    case Course::kStraight:
      return {" forward", " straight ahead", ""};
    case Course::kTurnLeft:
      return {" and turns left", " in a curve to the left", " around to the left"};
    case Course::kTurnRight:
      return {" and turns right", " in a curve to the right", " around to the right"};
    case Course::kWeave:
      return {" in a winding line", " weaving left and right"};
    case Course::kStopAndGo:
      return {", stops, and goes on", ", halts for a moment, then continues"};
    case Course::kSpin:
      return {" around on the spot", " in place, turning around"};
    case Course::kSidestep:
      return {" sideways", " to the side"};
    case Course::kBackward:
      return {" backwards", " in reverse"};
    case Course::kWander:
      return {" about", " here and there", " around, stopping and turning"};
  }
  return {""};
}

Words style_words(Style style) {
  switch (style) {
    case Style::kNeutral:
      return {""};
    case Style::kTired:
      return {", tired", " wearily", ", exhausted"};
    case Style::kSneaky:
      return {" sneakily", ", sneaking", " stealthily"};
    case Style::kProud:
      return {" proudly", ", proud and upright", " with pride"};
    case Style::kInjured:
      return {" with a limp", ", injured", ", sparing one leg"};
    case Style::kHappy:
      return {" happily", ", in a good mood", " with a bounce"};
    case Style::kAngry:
      return {" angrily", ", furious", " aggressively"};
    case Style::kOld:
      return {" like an old one", ", frail and slow", ", bent by age"};
    case Style::kHeavy:
      return {" heavily", ", lumbering", " with great weight"};
  }
  return {""};
}

Words terrain_words(const Terrain& terrain) {
  switch (terrain.kind) {
    case TerrainKind::kFlat:
      return {"", "", " on flat ground"};
    case TerrainKind::kRough:
      return {" over rough ground", " across uneven terrain", " on bumpy ground"};
    case TerrainKind::kSlope:
      return terrain.climb > 0 ? Words{" up a slope", " uphill"} : Words{" down a slope", " downhill"};
    case TerrainKind::kStairs:
      return terrain.climb > 0 ? Words{" up a flight of stairs", " upstairs"}
                               : Words{" down a flight of stairs", " downstairs"};
    case TerrainKind::kGaps:
      return {" over trenches", " across gaps in the ground"};
    case TerrainKind::kPlatforms:
      return {" over platforms", " from platform to platform"};
    case TerrainKind::kBeams:
      return {" along a beam", " on a beam"};
  }
  return {""};
}

}  // namespace

std::vector<std::string> make_captions(const Body& body, const Clip& clip, Random random) {
  const bool moves = clip.request.gait != Gait::kIdle && clip.request.gait != Gait::kAttack &&
                     clip.request.gait != Gait::kJump && clip.request.gait != Gait::kHover;
  const bool up_or_down = clip.terrain.kind == TerrainKind::kFlat || clip.terrain.kind == TerrainKind::kRough ||
                          clip.terrain.climb == 0 || (moves && clip.request.course == Course::kStraight);
  std::vector<std::string> captions;
  for (int tries = 0; captions.size() < 3 && tries < 40; ++tries) {
    std::string who = captions.empty()       ? pick(family_words(body.family), random)
                      : random.below(2) == 0 ? body.species
                                             : pick(family_words(body.family), random);
    std::string text = std::move(who) + " " + pick(gait_words(clip.request.gait), random) +
                       pick(course_words(clip.request.course, moves), random);
    if (up_or_down || tries > 30)
      text += moves || clip.terrain.kind == TerrainKind::kRough ? pick(terrain_words(clip.terrain), random) : "";
    text += pick(style_words(clip.request.style), random);
    if (std::find(captions.begin(), captions.end(), text) == captions.end()) captions.push_back(std::move(text));
  }
  return captions;
}

}  // namespace zoe::synth
