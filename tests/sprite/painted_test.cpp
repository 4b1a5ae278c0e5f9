// SPDX-License-Identifier: MIT
// Drawings and sentences, painted: by a painter of frames and by one of clips.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/sprite/generate/evaluate.h"
#include "zoe/sprite/generate/make_painted.h"
#include "zoe/sprite/generate/video.h"
#include "zoe/sprite/identity/identity.h"
#include "zoe/sprite/make_frames.h"
#include "zoe/sprite/puppet/find_rig.h"

#include "paint/video_network.h"
#include "sprite/generate/puppet_pose.h"
#include "sprite/generate/settle.h"
#include "sprite/generate_support.h"
#include "support/allocation.h"
#include "support/data.h"

namespace zoe::sprite {
namespace {

using identity::Species;

// A person of four colours in front of nothing, as pixel art.
render::Picture drawn_person() {
  render::Picture picture = render::make_picture(40, 56, 0, 0, 0, 0);
  const auto box = [&](int left, int top, int width, int height, std::array<std::uint8_t, 3> color) {
    for (int y = top; y < top + height; ++y)
      for (int x = left; x < left + width; ++x) {
        std::copy(color.begin(), color.end(), picture.pixel(x, y));
        picture.pixel(x, y)[3] = 255;
      }
  };
  box(15, 3, 10, 10, {240, 200, 160});
  box(18, 13, 4, 3, {240, 200, 160});
  box(14, 16, 12, 18, {40, 80, 200});
  box(5, 17, 9, 4, {200, 40, 40});
  box(26, 17, 9, 4, {200, 40, 40});
  box(14, 34, 5, 18, {60, 60, 60});
  box(21, 34, 5, 18, {60, 60, 60});
  return picture;
}

PuppetRequest walking_person() {
  Warnings warnings;
  PuppetRequest request;
  request.cut = cut_out(drawn_person(), {}, warnings).value();
  request.rig = find_rig(request.cut.figure, PuppetBody::kHumanoid);
  const identity::Identity person = identity::make_identity(identity::draw_traits(100));
  const auto motion = std::make_shared<const Motion>(identity::make_action(person, "walk").value());
  request.clips.push_back({"walk", motion, person.body, even_exposures(*motion, 12, 6, true), true});
  return request;
}

// One row of a clip of rows of four pixels.
using Pixel = std::array<std::uint8_t, 4>;
std::vector<std::uint8_t> filled(int size, Pixel pixel) {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < size * size; ++i) rgba.insert(rgba.end(), pixel.begin(), pixel.end());
  return rgba;
}

// Doubt inside of the figure is decided, beside its edge it may stay; pixel art is decided everywhere.
TEST(Settled, HasNoHaze) {
  constexpr int kSize = 8;
  constexpr std::array<Rgb, 2> kPalette{{{200, 40, 40}, {40, 40, 200}}};
  std::vector<std::uint8_t> frame = filled(kSize, {200, 40, 40, 0});
  const auto alpha = [&](int x, int y) -> std::uint8_t& {
    return frame[4 * (kSize * static_cast<std::size_t>(y) + static_cast<std::size_t>(x)) + 3];
  };
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x)
      alpha(x, y) = x < 4 ? 150 : x == 4 ? 110 : 90;  // Half of it is a little above one half.
  const paint::SoftPicture soft = settled({.frames = {&frame, 1}, .palette = kPalette, .size = kSize})[0];
  const paint::SoftPicture whole =
      settled({.frames = {&frame, 1}, .palette = kPalette, .size = kSize, .whole_pixels = true})[0];
  for (std::size_t i = 0; i < soft.coverage.size(); ++i) {
    const std::size_t x = i % kSize;
    if (x < 3) {
      EXPECT_EQ(soft.coverage[i], paint::kFullCoverage) << i;
    }
    if (x > 4) {
      EXPECT_EQ(soft.coverage[i], 0) << i;
      EXPECT_EQ(soft.pixels[i], 0) << i;
    }
    if (x == 3 || x == 4) {
      EXPECT_GT(soft.coverage[i], 20) << i;
      EXPECT_LT(soft.coverage[i], 40) << i;
    }
    EXPECT_EQ(whole.coverage[i], x < 4 ? paint::kFullCoverage : 0) << i;
  }
}

// The guess's colour, and that of the frame before, stay where another is hardly nearer; not where one clearly is.
TEST(Settled, KeepsColoursWithoutAReasonToChangeThem) {
  constexpr int kSize = 4;
  constexpr std::array<Rgb, 3> kPalette{{{120, 120, 120}, {128, 128, 128}, {200, 40, 40}}};
  const std::vector<std::vector<std::uint8_t>> frames{
      filled(kSize, {121, 121, 121, 255}), filled(kSize, {126, 126, 126, 255}), filled(kSize, {195, 45, 45, 255})};
  const SettledClip plain{.frames = frames, .palette = kPalette, .size = kSize};
  const auto colors = [](const std::vector<paint::SoftPicture>& all) {
    std::vector<int> out;
    for (const paint::SoftPicture& one : all) out.push_back(one.pixels[5]);
    return out;
  };
  EXPECT_EQ(colors(settled(plain)), (std::vector<int>{1, 1, 3}));  // The second is nearer to 2, and follows 1.
  std::vector<paint::SoftPicture> guesses(
      3, {std::vector<std::uint8_t>(kSize * kSize, 2), std::vector<std::uint8_t>(kSize * kSize, paint::kFullCoverage)});
  SettledClip guessed = plain;
  guessed.guesses = guesses;
  EXPECT_EQ(colors(settled(guessed)), (std::vector<int>{2, 2, 3}));
  SettledClip alone = plain;
  alone.frames = std::span(frames).subspan(1, 1);
  EXPECT_EQ(colors(settled(alone)), std::vector<int>{2});
}

TEST(MakePainted, PaintsEveryFrameInTheColoursOfTheDrawing) {
  const paint::Painter painter = cut_out_painter(64);
  ThreadPool one(1), three(3);
  Warnings warnings;
  const PuppetRequest request = walking_person();
  const FrameSet set = make_painted(request, painter, one, warnings).value();
  EXPECT_EQ(set.frames.size(), 6U);
  EXPECT_EQ(set.width, 64);
  EXPECT_EQ(set.animations[0].name, "walk_e");
  const std::set<std::array<int, 3>> known{{240, 200, 160}, {40, 80, 200}, {200, 40, 40}, {60, 60, 60}};
  std::size_t painted = 0;
  for (const Frame& frame : set.frames) {
    EXPECT_FALSE(frame.body.empty());
    for (std::size_t i = 0; i < frame.body.picture.rgba.size(); i += 4) {
      const std::uint8_t* p = frame.body.picture.rgba.data() + i;
      if (p[3] == 0) continue;
      EXPECT_EQ(p[3], 255);
      ++painted;
      EXPECT_TRUE(known.contains({p[0], p[1], p[2]}));
    }
  }
  EXPECT_GT(painted, 6U * 400U);
  const FrameSet again = make_painted(request, painter, three, warnings).value();
  for (std::size_t i = 0; i < set.frames.size(); ++i)
    EXPECT_EQ(set.frames[i].body.picture.rgba, again.frames[i].body.picture.rgba);
  PuppetRequest blob = request;
  blob.rig = find_rig(request.cut.figure, PuppetBody::kBlob);
  const auto refused = make_painted(blob, painter, one, warnings);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("zoe sprite puppet"), std::string::npos);
}

// The known network adds about 1 to the guesses: all is opaque, in colours of the drawing, whatever the length.
TEST(MakePainted, PaintsClipsByAPainterOfVideos) {
  const paint::VideoPainter painter = paint::known_video_painter(64);
  ThreadPool three(3);
  Warnings warnings;
  PuppetRequest request = walking_person();
  request.clips[0].exposures = even_exposures(*request.clips[0].motion, 30, 21, true);
  const FrameSet set = make_painted(request, painter, "green", {.steps = 1}, three, warnings).value();
  EXPECT_EQ(set.frames.size(), 21U);
  const std::set<std::array<int, 3>> known{{240, 200, 160}, {40, 80, 200}, {200, 40, 40}, {60, 60, 60}};
  for (const Frame& frame : set.frames) {
    ASSERT_FALSE(frame.body.empty());
    for (std::size_t i = 0; i < frame.body.picture.rgba.size(); i += 4) {
      const std::uint8_t* p = frame.body.picture.rgba.data() + i;
      if (p[3] != 0) {
        ASSERT_TRUE(known.contains({p[0], p[1], p[2]}));
      }
    }
  }
}

// A network that begins with painted guesses: not without a painter, and with one the frames are others.
TEST(MakePainted, PaintsGuessesThatANetworkBeginsWith) {
  nn::Graph graph = paint::known_video_graph(64);
  const paint::VideoPainter plain = paint::VideoPainter::create(nn::Network::compile(graph).value()).value();
  graph.metadata[paint::kGuessKey] = paint::kGuessPainted;
  const paint::VideoPainter painted = paint::VideoPainter::create(nn::Network::compile(graph).value()).value();
  EXPECT_FALSE(plain.begins_painted());
  EXPECT_TRUE(painted.begins_painted());
  const paint::Painter small = cut_out_painter(32), first = cut_out_painter(64);
  // The network paints all white; the guess's colour is kept where it is nearly that.
  const std::vector<paint::Color> palette{{255, 255, 255}, {245, 245, 245}};
  paint::SoftPicture drawing{std::vector<std::uint8_t>(64 * 64), std::vector<std::uint8_t>(64 * 64)};
  for (std::size_t i = 20 * 64; i < 40 * 64; ++i) drawing.pixels[i] = 2, drawing.coverage[i] = paint::kFullCoverage;
  VideoClip clip;
  clip.reference = {&drawing, palette, {}};
  clip.poses.resize(2);
  clip.guesses = {drawing, drawing};
  ThreadPool one(1);
  EXPECT_FALSE(paint_video(painted, clip, {.steps = 1}, one));
  EXPECT_FALSE(paint_video(painted, clip, {.steps = 1, .first = &small}, one));
  const auto before = paint_video(plain, clip, {.steps = 1}, one).value();
  // Without bones that painter paints nothing: the guesses are empty.
  const auto after = paint_video(painted, clip, {.steps = 1, .first = &first}, one).value();
  EXPECT_NE(before, after);
  paint::SoftPicture nothing{std::vector<std::uint8_t>(64 * 64), std::vector<std::uint8_t>(64 * 64)};
  clip.guesses = {nothing, nothing};
  EXPECT_EQ(paint_video(plain, clip, {.steps = 1}, one).value(), after);
}

TEST(Repaint, FramesOfOnePaletteFromWordsAlone) {
  const paint::VideoPainter painter = paint::known_video_painter(64);
  const identity::Identity person = identity::make_identity(identity::draw_traits(7));
  Request request{.character = person.character, .body = person.body, .num_directions = 2, .size_px = 64};
  const auto motion = std::make_shared<const Motion>(identity::make_action(person, "walk").value());
  request.clips.push_back({"walk", motion, even_exposures(*motion, 12, 4, true), true});
  request.look.shadow = false;
  request.maps.add(MapKind::kPose);
  ThreadPool three(3);
  Warnings warnings;
  FrameSet set = make_frames(request, three, warnings).value();
  const FrameSet before = set;
  const Frame still = set.frames[0];
  ASSERT_TRUE(
      repaint(set, {&still, set.animations[0].direction}, painter, {"green goblin", "pixel"}, {.steps = 1}, three));
  ASSERT_EQ(set.frames.size(), before.frames.size());
  ASSERT_FALSE(set.palette.empty());
  for (std::size_t f = 0; f < set.frames.size(); ++f) {
    EXPECT_EQ(set.frames[f].duration_ms, before.frames[f].duration_ms);
    const render::Picture& picture = set.frames[f].body.picture;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
      const std::uint8_t* p = picture.rgba.data() + i;
      ASSERT_TRUE(p[3] == 0 || p[3] == 255);
      const auto same = [&](const Rgb& c) { return c.r == p[0] && c.g == p[1] && c.b == p[2]; };
      ASSERT_TRUE(p[3] == 0 || std::any_of(set.palette.begin(), set.palette.end(), same));
    }
  }
  set.width = 32;
  EXPECT_FALSE(repaint(set, {&still, "e"}, painter, {"green goblin", "pixel"}, {}, three));
}

// A network without a sampler of its own paints in one step; more steps give specks where training was short.
TEST(Repaint, PaintsInOneStepByDefault) {
  const paint::VideoPainter painter = paint::known_video_painter(64);
  EXPECT_EQ(painter.sampler().steps, 1);
  const identity::Identity person = identity::make_identity(identity::draw_traits(7));
  Request request{.character = person.character, .body = person.body, .num_directions = 1, .size_px = 64};
  const auto motion = std::make_shared<const Motion>(identity::make_action(person, "idle").value());
  request.clips.push_back({"idle", motion, {{0, 100}}, false});
  request.look.shadow = false;
  request.maps.add(MapKind::kPose);
  ThreadPool pool(2);
  Warnings warnings;
  const FrameSet set = make_frames(request, pool, warnings).value();
  const auto painted = [&](int steps) {
    FrameSet made = set;
    EXPECT_TRUE(repaint(made, {&set.frames[0], "e"}, painter, {"green goblin", "pixel"}, {.steps = steps}, pool));
    return made.frames[0].body.picture.rgba;
  };
  EXPECT_EQ(painted(0), painted(1));
  EXPECT_NE(painted(0), painted(4));
}

// Soft edges stay soft, in colours of the palette; pixel art is never soft (above).
TEST(MakePainted, KeepsSoftEdgesOfSmoothDrawings) {
  PuppetRequest request = walking_person();
  request.cut.pixel_art = false;
  render::Picture& figure = request.cut.figure;
  for (std::size_t i = 0; i < figure.rgba.size() / 4; ++i)  // A gradient: many colours.
    if (figure.rgba[4 * i + 3] > 0) figure.rgba[4 * i] = static_cast<std::uint8_t>(100 + i % 120);
  nn::GraphBuilder b;  // Trusts the guess alone.
  constexpr std::size_t kOut = paint::kNumScores + 1;
  const int x = b.input("features", static_cast<int>(paint::kNumFeatures), 64 * 64);
  const int colors = b.input("colors", static_cast<int>(paint::kColorFeatures), static_cast<int>(paint::kMaxColors));
  std::vector<float> bias(kOut);
  bias[paint::kGuessScore] = 30;
  b.output("mix",
           b.linear(x, "mix", {kOut, paint::kNumFeatures}, std::vector<float>(kOut * paint::kNumFeatures), bias));
  b.output("keys", b.linear(colors, "keys", {1, paint::kColorFeatures}, std::vector<float>(paint::kColorFeatures),
                            std::vector<float>(1)));
  const paint::Painter painter =
      paint::Painter::create(nn::Network::compile(std::move(b).build().value()).value()).value();
  ThreadPool pool(2);
  Warnings warnings;
  const FrameSet set = make_painted(request, painter, pool, warnings).value();
  std::set<std::array<int, 3>> known;
  for (const Rgb color : set.palette) known.insert({color.r, color.g, color.b});
  std::size_t soft = 0, full = 0;
  for (const Frame& frame : set.frames) {
    for (std::size_t i = 0; i < frame.body.picture.rgba.size(); i += 4) {
      const std::uint8_t* p = frame.body.picture.rgba.data() + i;
      if (p[3] == 0) continue;
      ++(p[3] == 255 ? full : soft);
      ASSERT_TRUE(known.contains({p[0], p[1], p[2]}));
    }
  }
  EXPECT_GT(full, 2000U);
  EXPECT_GT(soft, 100U);
}

// What models/painter holds: nearer to the truth than a copy and than a puppet with the true joints, on species that it
// was not trained on, in no new colour.
TEST(IncludedPainter, PaintsUnseenSpecies) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "run by ctest, or set ZOE_SOURCE_DIR";
  const paint::Painter painter =
      paint::Painter::load(std::filesystem::path(source) / "models/painter/model.safetensors").value();
  const std::filesystem::path folder = test::temporary_dir("pack_included");
  ThreadPool pool(2);
  PackOptions options = small_pack(folder);
  options.dataset.first_identity = 700000;
  options.dataset.num_identities = options.dataset.num_clips = zoe::test::kSanitized ? 20 : 60;
  options.dataset.num_frames = zoe::test::kSanitized ? 2 : 4;
  options.dataset.num_directions = 2;
  options.dataset.size_px = painter.size();
  options.dataset.actions = {"run", "wave"};
  options.species = {Species::kFrog, Species::kRobot, Species::kMinotaur, Species::kMushroom};
  options.other_views = 0;
  ASSERT_TRUE(pack_clips(options, pool));
  const paint::ClipFile clips = paint::ClipFile::open(folder).value();
  const auto rows = EvaluatePainter{&clips, &painter, nullptr}.run(pool).value();
  EXPECT_GT(rows[3].alpha_overlap, rows[1].alpha_overlap + 0.05);
  EXPECT_GT(rows[3].psnr_db, rows[1].psnr_db + 2);
  EXPECT_GT(rows[3].alpha_overlap, rows[2].alpha_overlap);
  EXPECT_GT(rows[3].psnr_db, rows[2].psnr_db);
  EXPECT_EQ(rows[3].stray_colors, 0);
}

TEST(PuppetPose, JointsComeBackThroughARig) {
  const PuppetRequest request = walking_person();
  const paint::Pose pose = pose_of_rig(request.rig, {12, 4}, 64);
  EXPECT_TRUE(has_all_joints(pose));
  const PuppetRig rig = rig_of_pose(pose, 64);
  const paint::Pose again = pose_of_rig(rig, {}, 64);
  for (std::size_t j = 0; j < paint::kNumJoints; ++j) {
    EXPECT_NEAR(again.points[j].x, pose.points[j].x, 1e-5F) << j;
    EXPECT_NEAR(again.points[j].y, pose.points[j].y, 1e-5F) << j;
  }
}

}  // namespace
}  // namespace zoe::sprite
