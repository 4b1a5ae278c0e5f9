// SPDX-License-Identifier: MIT
// What a game relies on: one pivot, one palette, a closed outline, pixels that stay while a pose is held.
#include <array>

#include <gtest/gtest.h>

#include "zoe/motion/frame_span.h"
#include "zoe/sprite/make_frames.h"

#include "sprite/support.h"

namespace zoe::sprite {
namespace {

using test::draw;
using test::same_pictures;
using test::walker;

// A body that is carried along without moving its limbs.
Request carried() {
  Request request = walker(Style::kToon);
  const Motion& walk = *request.clips[0].motion;
  Motion motion = make_motion(walk.skeleton, "carried", 30, 31, false);
  for (int i = 0; i < motion.num_frames; ++i) {
    auto frame = frame_span(motion, i);
    for (int joint = 0; joint < motion.num_joints(); ++joint) {
      if (motion.skeleton->parent(joint) == kNoJoint)
        frame.translations[static_cast<std::size_t>(joint)] += Vec3{0.02F, 0, 0.1F} * static_cast<float>(i);
    }
  }
  auto shared = std::make_shared<const Motion>(std::move(motion));
  request.clips = {{"carried", shared, even_exposures(*shared, 10, 0, false), false}};
  request.root = RootMotion::kRemove;
  return request;
}

TEST(Frames, ThePivotDoesNotDrift) {
  for (const Style style : {Style::kToon, Style::kPixel}) {
    Request request = carried();
    request.look.style = style;
    request.num_directions = 4;
    const FrameSet set = draw(request);
    ASSERT_EQ(set.animations.size(), 4U);
    for (const Animation& animation : set.animations) {
      const Frame& first = set.frames[static_cast<std::size_t>(animation.first)];
      ASSERT_FALSE(first.body.empty());
      for (int k = 1; k < animation.count; ++k) {
        const Frame& frame = set.frames[static_cast<std::size_t>(animation.first + k)];
        // Sums of floats differ in the last bits, so smooth edges may differ by a step; the box does not.
        EXPECT_EQ(frame.body.x, first.body.x);
        EXPECT_EQ(frame.body.y, first.body.y);
        EXPECT_EQ(frame.body.picture.width, first.body.picture.width);
        EXPECT_EQ(frame.body.picture.height, first.body.picture.height);
      }
    }
  }
}

// Kept travel moves the body; the removed travel is stated in pixels.
TEST(Frames, RemovedTravelIsStated) {
  Request request = carried();
  const FrameSet removed = draw(request);
  request.root = RootMotion::kKeep;
  request.pixels_per_metre = removed.pixels_per_metre / 6;
  const FrameSet kept = draw(request);
  const Frame &first = kept.frames.front(), &last = kept.frames.back();
  const float moved = static_cast<float>(last.body.x - first.body.x) * 6;
  EXPECT_GT(std::abs(moved), 30);
  EXPECT_NEAR(removed.frames.back().root_x, moved, 12);  // Whole pixels of the small picture, six times.
  EXPECT_EQ(kept.frames.back().root_x, 0);
}

TEST(Frames, OnePaletteWithoutStrayColours) {
  for (const Style style : {Style::kPixel, Style::kFlat}) {
    for (const int num_colors : {4, 16}) {
      Request request = walker(style);
      request.look.num_colors = num_colors;
      request.num_directions = 4;
      request.pitch_deg = 30;
      const FrameSet set = draw(request);
      EXPECT_LE(set.palette.size(), static_cast<std::size_t>(num_colors));
      std::set<std::uint32_t> used;
      for (const Frame& frame : set.frames) {
        const std::vector<std::uint8_t>& rgba = frame.body.picture.rgba;
        for (std::size_t i = 0; i < rgba.size(); i += 4) {
          ASSERT_TRUE(rgba[i + 3] == 0 || rgba[i + 3] == 255);
          if (rgba[i + 3] == 0) continue;
          const Rgb color{rgba[i], rgba[i + 1], rgba[i + 2]};
          ASSERT_NE(std::find(set.palette.begin(), set.palette.end(), color), set.palette.end());
          used.insert(rgba[i] | rgba[i + 1] << 8 | rgba[i + 2] << 16);
        }
      }
      EXPECT_GE(used.size(), 2U);
    }
  }
}

// A given palette is used as it is.
TEST(Frames, AGivenPaletteIsUsed) {
  Request request = walker(Style::kPixel);
  request.look.palette = {{0, 0, 0}, {120, 90, 60}, {240, 220, 200}};
  const FrameSet set = draw(request);
  EXPECT_EQ(set.palette, request.look.palette);
}

// From outside no surface can be entered but through the outline: left, right, up or down.
TEST(Frames, TheOutlineIsClosed) {
  Request request = walker(Style::kPixel);
  request.num_directions = 8;
  request.pitch_deg = 30;
  const FrameSet set = draw(request);
  const Rgb ink = request.look.outline_color;
  for (const Frame& frame : set.frames) {
    const render::Picture canvas = untrim(frame.body, set.width, set.height);
    const auto clear = [&](int x, int y) {
      return x < 0 || y < 0 || x >= canvas.width || y >= canvas.height || canvas.pixel(x, y)[3] == 0;
    };
    int num_ink = 0;
    for (int y = 0; y < canvas.height; ++y) {
      for (int x = 0; x < canvas.width; ++x) {
        if (clear(x, y)) continue;
        const std::uint8_t* p = canvas.pixel(x, y);
        const bool is_ink = Rgb{p[0], p[1], p[2]} == ink;
        num_ink += is_ink ? 1 : 0;
        if (clear(x - 1, y) || clear(x + 1, y) || clear(x, y - 1) || clear(x, y + 1)) {
          ASSERT_TRUE(is_ink) << x << " " << y;
        }
      }
    }
    EXPECT_GT(num_ink, 30);
  }
}

// Pixels of mostly opaque, bright colour that are reached from the border through mostly transparent ones.
int count_open(const render::Picture& canvas) {
  int found = 0;
  std::vector<int> open{0};
  std::vector<bool> seen(static_cast<std::size_t>(canvas.width * canvas.height));
  seen[0] = true;
  while (!open.empty()) {
    const int x = open.back() % canvas.width, y = open.back() / canvas.width;
    open.pop_back();
    for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const int nx = x + dx, ny = y + dy;
      if (nx < 0 || ny < 0 || nx >= canvas.width || ny >= canvas.height) continue;
      const auto index = static_cast<std::size_t>(ny * canvas.width + nx);
      const std::uint8_t* p = canvas.pixel(nx, ny);
      if (p[3] >= 128) {
        found += p[0] + p[1] + p[2] > 360 ? 1 : 0;
      } else if (!seen[index]) {
        seen[index] = true;
        open.push_back(ny * canvas.width + nx);
      }
    }
  }
  return found;
}

TEST(Frames, TheSmoothOutlineIsClosed) {
  Request request = walker(Style::kInk);
  const FrameSet lined = draw(request);
  request.look.outline = false;
  const FrameSet bare = draw(request);
  int open = 0;
  for (std::size_t i = 0; i < lined.frames.size(); ++i) {
    EXPECT_EQ(count_open(untrim(lined.frames[i].body, 64, 64)), 0);
    open += count_open(untrim(bare.frames[i].body, 64, 64));
  }
  EXPECT_GT(open, 100);
}

// Shimmer: pixels that change while the pose does not. Also for poses that move less than a pixel and back.
TEST(Frames, HeldPosesDoNotShimmer) {
  Request request = walker(Style::kPixel);
  std::vector<Exposure>& exposures = request.clips[0].exposures;
  exposures = {{0.2, 100}, {0.5, 100}, {0.5, 100}, {0.5, 100}, {0.8, 100}, {0.8, 100}};
  request.num_directions = 4;
  const FrameSet set = draw(request);
  for (int d = 0; d < 4; ++d) {
    const auto at = [&](int k) -> const Cel& { return set.frames[static_cast<std::size_t>(d * 6 + k)].body; };
    EXPECT_TRUE(same_pictures(at(1), at(2)));
    EXPECT_TRUE(same_pictures(at(2), at(3)));
    EXPECT_TRUE(same_pictures(at(4), at(5)));
    EXPECT_FALSE(same_pictures(at(0), at(1)));
  }
}

// A pose that trembles by a tenth of a pixel: pixels that change and change back.
TEST(Frames, TremblingPosesHardlyShimmer) {
  Request request = walker(Style::kPixel);
  std::vector<Exposure>& exposures = request.clips[0].exposures;
  exposures.clear();
  for (int i = 0; i < 12; ++i) exposures.push_back({0.5 + 0.0005 * (i % 2), 50});
  const FrameSet set = draw(request);
  int changed = 0;
  for (std::size_t i = 2; i < set.frames.size(); ++i) {
    const render::Picture a = untrim(set.frames[i - 1].body, 64, 64), b = untrim(set.frames[i].body, 64, 64);
    for (std::size_t k = 0; k < a.rgba.size(); k += 4)
      changed += std::equal(&a.rgba[k], &a.rgba[k] + 4, &b.rgba[k]) ? 0 : 1;
  }
  EXPECT_EQ(changed, 0);
}

TEST(Frames, TheSameBytesWithAnyNumberOfThreads) {
  for (const Style style : {Style::kLit, Style::kToon, Style::kPixel}) {
    Request request = walker(style);
    request.num_directions = 2;
    const FrameSet one = draw(request);
    ThreadPool pool(3);
    Warnings warnings;
    const FrameSet many = make_frames(request, pool, warnings).value();
    ASSERT_EQ(one.frames.size(), many.frames.size());
    for (std::size_t i = 0; i < one.frames.size(); ++i) {
      ASSERT_TRUE(same_pictures(one.frames[i].body, many.frames[i].body));
      ASSERT_TRUE(same_pictures(one.frames[i].shadow, many.frames[i].shadow));
    }
  }
}

// Nothing reaches the border of the canvas: no part of the body or its shadow is cut off.
TEST(Frames, NothingIsCutOff) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    Request request = walker(Style::kToon, family);
    request.num_directions = 8;
    request.pitch_deg = 45;
    const FrameSet set = draw(request);
    for (const Frame& frame : set.frames) {
      for (const Cel* cel : {&frame.body, &frame.shadow}) {
        ASSERT_FALSE(cel->empty());
        EXPECT_GE(cel->x, 1);
        EXPECT_GE(cel->y, 0);
        EXPECT_LE(cel->x + cel->picture.width, set.width - 1);
        EXPECT_LE(cel->y + cel->picture.height, set.height);
      }
    }
  }
}

TEST(Frames, MirroredDirectionsAreNotDrawn) {
  Request request = walker(Style::kSilhouette);
  request.num_directions = 8;
  request.clips[0].exposures.resize(2);
  const FrameSet all = draw(request);
  request.mirror = true;
  const FrameSet half = draw(request);
  EXPECT_EQ(all.animations.size(), 8U);
  EXPECT_TRUE(all.mirrored.empty());
  EXPECT_EQ(half.animations.size(), 5U);
  ASSERT_EQ(half.mirrored.size(), 3U);
  EXPECT_EQ(half.mirrored[0].name, "walk_sw");
  EXPECT_EQ(half.mirrored[0].first, half.animations[1].first);
  EXPECT_EQ(half.animations[1].name, "walk_se");
  for (std::size_t i = 0; i < half.frames.size(); ++i)
    EXPECT_TRUE(same_pictures(half.frames[i].body, all.frames[i].body));
}

TEST(Frames, WrongRequestsAreRefusedWithAReason) {
  ThreadPool pool(0);
  Warnings warnings;
  const auto refused = [&](const Request& request, const char* word) {
    const Result<FrameSet> set = make_frames(request, pool, warnings);
    ASSERT_FALSE(set);
    EXPECT_NE(set.error().message.find(word), std::string::npos) << set.error().message;
  };
  Request request = walker(Style::kToon);
  request.size_px = 10000;
  refused(request, "10000 pixels");
  request.size_px = 1;
  refused(request, "1 pixels");
  request.size_px = 64;
  request.num_directions = 3;
  refused(request, "3 directions");
  request.num_directions = 1;
  request.pixels_per_metre = 1000;
  refused(request, "--size");
  request = walker(Style::kToon);
  auto bare = std::make_shared<Character>(*request.character);
  bare->instances.clear();
  request.character = bare;
  refused(request, "no mesh");
  request = walker(Style::kToon);
  request.clips.clear();
  refused(request, "no clip");
}

TEST(Exposures, DurationsAddUp) {
  const Request request = walker(Style::kToon);
  const Motion& motion = *request.clips[0].motion;
  for (const int frames : {1, 3, 7, 30}) {
    int sum = 0;
    const std::vector<Exposure> exposures = even_exposures(motion, 12, frames, true);
    for (const Exposure& exposure : exposures) sum += exposure.duration_ms;
    EXPECT_EQ(static_cast<int>(exposures.size()), frames);
    EXPECT_EQ(sum, std::lround(motion.duration_s() * 1000));
  }
}

// A light from the other side makes the other side brighter, and its colour is that of lit surfaces.
TEST(Frames, LightsHaveADirectionAndAColour) {
  Request request = test::walker(Style::kLit);
  request.clips[0].exposures.resize(1);
  request.num_directions = 4;
  const auto sums = [&] {  // Left and right half of the body, and red less blue of all.
    const Cel body = test::draw(request).frames[0].body;
    std::array<double, 3> out{};
    for (int y = 0; y < body.picture.height; ++y) {
      for (int x = 0; x < body.picture.width; ++x) {
        const std::uint8_t* p = body.picture.pixel(x, y);
        if (p[3] < 255) continue;
        out[2 * x < body.picture.width ? 0 : 1] += p[0] + p[1] + p[2];
        out[2] += p[0] - p[2];
      }
    }
    return out;
  };
  request.look.to_light = light_direction(-90, 10);
  const auto left = sums();
  request.look.to_light = light_direction(90, 10);
  const auto right = sums();
  EXPECT_GT(left[0] / left[1], 1.1 * right[0] / right[1]);
  request.look.light_color = {255, 160, 90};
  EXPECT_GT(sums()[2], right[2] + 1000);
  const Vec3 above = light_direction(30, 90);
  EXPECT_NEAR(above.y, 1, 1e-6F);
}

}  // namespace
}  // namespace zoe::sprite
