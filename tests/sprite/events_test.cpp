// SPDX-License-Identifier: MIT
// Events of generated motions, against what their generator knows.
#include "zoe/sprite/events.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/motion/frame_span.h"
#include "zoe/sprite/identity/identity.h"
#include "zoe/sprite/timing.h"

#include "support.h"

namespace zoe::sprite {
namespace {

struct Act {
  Request request;
  synth::Clip clip;
};

Act act(synth::Gait gait, double seconds = 2) {
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(3));
  Act out{{}, synth::make_clip(body, {.gait = gait, .seconds = seconds}, Random(1)).value()};
  out.request.character = body.character;
  out.request.body = analyse(*body.character->skeleton, {&out.clip.motion, 1}, body.character.get());
  const auto motion = std::make_shared<const Motion>(out.clip.motion);
  out.request.clips.push_back({"act", motion, even_exposures(*motion, 24, 0, false), false});
  return out;
}

std::vector<Event> of_type(const std::vector<Event>& events, EventType type) {
  std::vector<Event> out;
  std::copy_if(events.begin(), events.end(), std::back_inserter(out),
               [&](const Event& event) { return event.type == type; });
  return out;
}

// Moments at which no foot touches the ground before, and one does after.
std::vector<double> landings(const synth::Clip& clip) {
  const auto n = static_cast<std::size_t>(clip.motion.num_frames), legs = clip.contacts.size() / n;
  std::vector<double> out;
  for (std::size_t i = 1; i < n; ++i) {
    const auto touches = [&](std::size_t f) {
      return std::any_of(clip.contacts.begin() + static_cast<std::ptrdiff_t>(f * legs),
                         clip.contacts.begin() + static_cast<std::ptrdiff_t>((f + 1) * legs),
                         [](auto c) { return c != 0; });
    };
    if (!touches(i - 1) && touches(i)) out.push_back(static_cast<double>(i) / clip.motion.fps);
  }
  return out;
}

TEST(Events, LandingsOfAJump) {
  const Act jump = act(synth::Gait::kJump, 3);
  const std::vector<Event> found = of_type(find_events(jump.request, jump.request.clips[0]), EventType::kLanding);
  const std::vector<double> truth = landings(jump.clip);
  ASSERT_FALSE(truth.empty());
  ASSERT_EQ(found.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(found[i].time_s, truth[i], 0.1);
}

TEST(Events, BlowsOfAnAttackAndNoneOfAWalk) {
  const Act attack = act(synth::Gait::kAttack);
  const std::vector<Event> events = find_events(attack.request, attack.request.clips[0]);
  const std::vector<Event> hits = of_type(events, EventType::kHit);
  ASSERT_FALSE(hits.empty());
  EXPECT_FALSE(of_type(events, EventType::kSwing).empty());
  for (std::size_t i = 1; i < events.size(); ++i) EXPECT_GE(events[i].time_s, events[i - 1].time_s);
  for (const synth::Gait gait : {synth::Gait::kWalk, synth::Gait::kIdle}) {
    const Act calm = act(gait);
    for (const Event& event : find_events(calm.request, calm.request.clips[0]))
      EXPECT_EQ(event.type, EventType::kStep) << to_string(event.type);
  }
}

// A slow kick is no more than a gesture, unless its name says so. It hits while the foot is raised before the body.
TEST(Events, TheNameOfASlowKickDecides) {
  const identity::Identity person = identity::make_identity(identity::draw_traits(3));
  Motion slow = identity::make_action(person, "kick").value();
  slow.fps *= 0.28;
  const auto motion = std::make_shared<const Motion>(slow);
  Request request{.character = person.character, .body = person.body};
  request.num_weapon_instances = person.num_weapon_instances;
  request.clips = {{"stretch", motion, {{0, 100}}, false}, {"Front_Kick", motion, {{0, 100}}, false}};
  EXPECT_TRUE(of_type(find_events(request, request.clips[0]), EventType::kHit).empty());
  const std::vector<Event> hits = of_type(find_events(request, request.clips[1]), EventType::kHit);
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_GT(dot(hits[0].position, person.body.forward), 0.2F);
  EXPECT_GT(hits[0].position.y, 0.15F);
}

TEST(Events, StepsOfARun) {
  const Act run = act(synth::Gait::kRun, 3);
  const std::vector<Event> steps = of_type(find_events(run.request, run.request.clips[0]), EventType::kStep);
  // Footfalls by the generator's contacts.
  const auto n = static_cast<std::size_t>(run.clip.motion.num_frames), legs = run.clip.contacts.size() / n;
  std::vector<double> truth;
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t leg = 0; leg < legs; ++leg)
      if (run.clip.contacts[i * legs + leg] != 0 && run.clip.contacts[(i - 1) * legs + leg] == 0)
        truth.push_back(static_cast<double>(i) / run.clip.motion.fps);
  }
  ASSERT_GT(truth.size(), 3U);
  int matched = 0;
  for (const double at : truth) {
    matched += std::any_of(steps.begin(), steps.end(), [&](const Event& e) { return std::abs(e.time_s - at) < 0.1; });
  }
  EXPECT_GE(matched, static_cast<int>(truth.size()) - 1);
  EXPECT_LE(steps.size(), truth.size() + 2);
}

TEST(Events, ImpactDrawingsKeepTheLength) {
  const Act attack = act(synth::Gait::kAttack);
  const Clip& clip = attack.request.clips[0];
  const std::vector<Event> events = find_events(attack.request, clip);
  for (const Pace pace : {Pace::kSmooth, Pace::kArcade, Pace::kSnappy}) {
    Timing timing{.pace = pace};
    for (const Event& event : of_type(events, EventType::kHit)) timing.pins_s.push_back(event.time_s);
    const std::vector<Exposure> drawn = time_drawings(*clip.motion, timing, false), with = with_impacts(drawn, events);
    int before_ms = 0, after_ms = 0, impacts = 0;
    for (const Exposure& exposure : drawn) before_ms += exposure.duration_ms;
    for (const Exposure& exposure : with) {
      after_ms += exposure.duration_ms;
      impacts += exposure.impact ? 1 : 0;
      EXPECT_GT(exposure.duration_ms, 0);
    }
    EXPECT_EQ(before_ms, after_ms);
    EXPECT_GE(impacts, 1);
    EXPECT_EQ(with.size(), drawn.size() + static_cast<std::size_t>(impacts));
    if (pace != Pace::kArcade) continue;
    // The whole preset: extremes kept with few drawings, those of the impacts included.
    EXPECT_GE(kept_extremes(*clip.motion, with), 0.95);
    EXPECT_LE(static_cast<double>(with.size()), 0.4 * 24 * clip.motion->duration_s());
  }
  EXPECT_EQ(with_impacts(clip.exposures, {}), clip.exposures);
}

// Two tones, and the same outline as the drawing of that moment.
TEST(Events, ImpactDrawingsHaveTwoTones) {
  Act attack = act(synth::Gait::kAttack, 1);
  attack.request.size_px = 64;
  attack.request.look.style = Style::kPixel;
  attack.request.clips[0].exposures = {{0.2, 100, false}, {0.2, 100, true}};
  const FrameSet set = test::draw(attack.request);
  std::set<std::uint32_t> tones;
  const render::Picture& picture = set.frames[1].body.picture;
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    if (picture.rgba[i + 3] != 0)
      tones.insert(picture.rgba[i] | picture.rgba[i + 1] << 8U | picture.rgba[i + 2] << 16U);
  }
  EXPECT_LE(tones.size(), 3U);  // Light, dark, and the outline where it has a colour of its own.
  EXPECT_EQ(set.frames[0].body.picture.width, picture.width);
  EXPECT_EQ(set.frames[0].body.picture.height, picture.height);
}

// Sum of alpha, its middle and the lowest drawn row of an effect on its canvas.
struct Blot {
  double weight = 0, x = 0;
  int bottom = -1;
};
Blot blot_of(const Cel& cel) {
  Blot out;
  for (int y = 0; y < cel.picture.height; ++y) {
    for (int x = 0; x < cel.picture.width; ++x) {
      const double alpha = cel.picture.pixel(x, y)[3];
      out.weight += alpha;
      out.x += alpha * (cel.x + x);
      if (alpha > 0) out.bottom = cel.y + y;
    }
  }
  if (out.weight > 0) out.x /= out.weight;
  return out;
}

TEST(Effects, SparksFollowAHitAndGoOut) {
  Act attack = act(synth::Gait::kAttack);
  attack.request.effects = true;
  const FrameSet set = test::draw(attack.request);
  const std::vector<FrameEvent>& events = set.animations[0].events;
  const auto hit = std::find_if(events.begin(), events.end(), [](const FrameEvent& e) { return e.type == "hit"; });
  ASSERT_NE(hit, events.end());
  EXPECT_GT(blot_of(set.frames[static_cast<std::size_t>(hit->frame)].effect).weight, 0);
  EXPECT_TRUE(set.frames[0].effect.empty());
  // A calm walk has none.
  Request walk = test::walker(Style::kToon);
  walk.effects = true;
  for (const Frame& frame : test::draw(walk).frames) EXPECT_TRUE(frame.effect.empty());
}

// A body that glides along: the end of the loop is no leap back to its first frame.
TEST(Effects, LoopsThatTravelHaveNoArcAtTheirStart) {
  Request walk = test::walker(Style::kToon);
  walk.effects = true;
  Motion glide = make_motion(walk.character->skeleton, "glide", 30, 31, false);
  const float step = static_cast<float>(walk.body.height_m) * 0.02F;
  for (int i = 0; i < glide.num_frames; ++i)
    frame_span(glide, i).translations[0] += walk.body.forward * (step * static_cast<float>(i));
  const auto motion = std::make_shared<const Motion>(std::move(glide));
  walk.clips = {{"glide", motion, even_exposures(*motion, 8, 0, true), true}};
  for (const Frame& frame : test::draw(walk).frames) EXPECT_TRUE(frame.effect.empty());
}

TEST(Effects, DustIsOnTheGround) {
  Act jump = act(synth::Gait::kJump, 3);
  jump.request.effects = true;
  const FrameSet set = test::draw(jump.request);
  int landings = 0;
  for (const FrameEvent& event : set.animations[0].events) {
    if (event.type != "landing") continue;
    ++landings;
    const Blot dust = blot_of(set.frames[static_cast<std::size_t>(event.frame)].effect);
    ASSERT_GT(dust.weight, 0);
    EXPECT_NEAR(dust.bottom, set.pivot_y, 0.12 * set.height);
  }
  EXPECT_GE(landings, 1);
}

TEST(Effects, AFireballFliesForwardsInColoursOfThePalette) {
  Act cast = act(synth::Gait::kAttack);
  cast.request.effects = true;
  cast.request.look.style = Style::kPixel;
  cast.request.size_px = 96;
  cast.request.clips[0].name = "spell_cast";
  const FrameSet set = test::draw(cast.request);
  ASSERT_EQ(set.animations[0].events.size(), 1U);
  const FrameEvent& event = set.animations[0].events[0];
  EXPECT_EQ(event.type, "cast");
  EXPECT_LE(set.palette.size(), static_cast<std::size_t>(cast.request.look.num_colors));
  double last = -1;
  int followed = 0;
  for (std::size_t i = static_cast<std::size_t>(event.frame) + 3; i < set.frames.size() && followed < 4; ++i) {
    const Blot ball = blot_of(set.frames[i].effect);
    if (!(ball.weight > 0)) break;
    EXPECT_GT(ball.x, last);
    last = ball.x;
    ++followed;
  }
  EXPECT_GE(followed, 2);
  bool orange = false;
  for (const Frame& frame : set.frames) {
    const render::Picture& picture = frame.effect.picture;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
      if (picture.rgba[i + 3] == 0) continue;
      EXPECT_EQ(picture.rgba[i + 3], 255);
      const Rgb color{picture.rgba[i], picture.rgba[i + 1], picture.rgba[i + 2]};
      ASSERT_NE(std::find(set.palette.begin(), set.palette.end(), color), set.palette.end());
      orange |= color.r > 200 && color.g > 100 && color.g < 190 && color.b < 100;
    }
  }
  EXPECT_TRUE(orange);
  // A palette of the game stays as it is, without new colours.
  cast.request.look.palette = {{0, 0, 0}, {90, 90, 120}, {200, 200, 210}};
  for (const Frame& frame : test::draw(cast.request).frames) {
    for (std::size_t i = 0; i < frame.effect.picture.rgba.size(); i += 4) {
      const std::uint8_t* p = &frame.effect.picture.rgba[i];
      EXPECT_TRUE(p[3] == 0 || p[0] == 0 || p[0] == 90 || p[0] == 200);
    }
  }
}

}  // namespace
}  // namespace zoe::sprite
