// SPDX-License-Identifier: MIT
#include "zoe/scene/camera_rig.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/render/debug_draw.h"

namespace zoe::scene {
namespace {

constexpr float kAspect = 16.0F / 9;

// A box of half a metre by 1.8 m that goes along +X at `speed_mps` for four seconds.
BodyExtent moving_box(float speed_mps) {
  BodyExtent extent{.size_m = 1.8F};
  for (int i = 0; i <= 16; ++i) {
    const double time_s = 0.25 * i;
    const Vec3 at{speed_mps * static_cast<float>(time_s), 0, 0};
    BodyExtent::Sample sample{time_s, at + Vec3{-0.25F, 0, -0.25F}, at + Vec3{0.25F, 1.8F, 0.25F}, {}};
    for (int corner = 0; corner < 8; ++corner) {
      sample.outline.push_back({corner % 2 == 0 ? sample.min.x : sample.max.x,
                                corner / 2 % 2 == 0 ? sample.min.y : sample.max.y,
                                corner / 4 == 0 ? sample.min.z : sample.max.z});
    }
    extent.samples.push_back(std::move(sample));
  }
  return extent;
}

// Whether every point of an outline is inside the picture; how much of its height they fill.
float filled(const CameraRig::View& view, const BodyExtent::Sample& sample) {
  render::RenderFrame frame;
  frame.settings.width = 1600;
  frame.settings.height = 900;
  frame.camera = view.camera;
  float low = 1e9F, high = -1e9F;
  for (const Vec3 p : sample.outline) {
    const auto at = render::project_to_pixels(frame, p);
    if (!at || at->x < 0 || at->x > 1600 || at->y < 0 || at->y > 900) return -1;
    low = std::min(low, at->y);
    high = std::max(high, at->y);
  }
  return (high - low) / 900;
}

TEST(CameraRig, FillsThePictureWithABodyThatStays) {
  const BodyExtent extent = moving_box(0.05F);
  const CameraRig rig(extent, {}, kAspect);
  EXPECT_FALSE(rig.follows());
  for (const auto& sample : extent.samples) EXPECT_GT(filled(rig.at(sample.time_s), sample), 0.7F);
  EXPECT_EQ(rig.at(0).target_m, rig.at(3).target_m);  // The camera stands.
}

TEST(CameraRig, GoesAlongWithABodyThatTravels) {
  const BodyExtent extent = moving_box(2);
  const CameraRig rig(extent, {}, kAspect);
  EXPECT_TRUE(rig.follows());
  for (const auto& sample : extent.samples) {
    const CameraRig::View view = rig.at(sample.time_s);
    EXPECT_GT(filled(view, sample), 0.6F) << sample.time_s;
    // On a straight line at a steady pace neither ahead nor behind, also at the ends.
    EXPECT_NEAR(view.target_m.x, (sample.min.x + sample.max.x) / 2, 1e-3F);
  }
  // The overview has all of it, so the body is small.
  for (const auto& sample : extent.samples) {
    const float share = filled(rig.overview(), sample);
    EXPECT_GT(share, 0.05F);
    EXPECT_LT(share, 0.5F);
  }
}

// Yaw counts from where the body goes: at 0 it comes towards the camera, at 180 it goes away.
TEST(CameraRig, TurnsWithTheWayTheBodyGoes) {
  const BodyExtent extent = moving_box(2);
  const Vec3 front = CameraRig(extent, {.yaw_deg = 0, .pitch_deg = 0}, kAspect).at(2).camera.world_from_camera.z;
  EXPECT_LT(distance(front, {1, 0, 0}), 1e-4F);
  const Vec3 back = CameraRig(extent, {.yaw_deg = 180, .pitch_deg = 0}, kAspect).at(2).camera.world_from_camera.z;
  EXPECT_LT(distance(back, {-1, 0, 0}), 1e-4F);
  const Vec3 above = CameraRig(extent, {.yaw_deg = 0, .pitch_deg = 85}, kAspect).at(2).camera.world_from_camera.z;
  EXPECT_GT(above.y, 0.99F);
}

TEST(CameraRig, StandsBeforeTheFrontOfABodyThatWalksBackwards) {
  BodyExtent extent = moving_box(2);
  extent.front_rad = -std::numbers::pi_v<float> / 2;  // It faces -X and goes along +X.
  const Vec3 front = CameraRig(extent, {.yaw_deg = 0, .pitch_deg = 0}, kAspect).at(2).camera.world_from_camera.z;
  EXPECT_NEAR(front.x, -1, 1e-5F);
}

// Where the floor under the body is in the picture, from 0 at the top to 1.
float floor_in_picture(const CameraRig& rig, const BodyExtent& extent, double time_s) {
  render::RenderFrame frame;
  frame.settings.width = 1600;
  frame.settings.height = 900;
  const CameraRig::View view = rig.at(time_s);
  frame.camera = view.camera;
  return render::project_to_pixels(frame, {view.target_m.x, extent.lowest_m, view.target_m.z})->y / 900;
}

TEST(CameraRig, PicturesBesideEachOtherShareHeadingScaleAndFloor) {
  BodyExtent large = moving_box(2), small = moving_box(1), mouse = moving_box(2);
  large.front_rad = 1.5F;
  small.front_rad = 1.2F;
  mouse.front_rad = 1.4F;
  scale_extent(small, 0.6F);
  scale_extent(mouse, 0.05F);
  CameraRig a(large, {}, kAspect), b(small, {}, kAspect), c(mouse, {}, kAspect);
  CameraRig* near[] = {&a, &b};
  CameraRig::share(near);
  const auto distance_m = [](const CameraRig& rig) {
    const CameraRig::View view = rig.at(1);
    return distance(view.camera.world_from_camera.t, view.target_m);
  };
  EXPECT_NEAR(distance_m(a), distance_m(b), 1e-3F);
  EXPECT_NEAR(dot(a.at(1).camera.world_from_camera.z, b.at(1).camera.world_from_camera.z), 1, 1e-5F);
  EXPECT_NEAR(floor_in_picture(a, large, 1), floor_in_picture(b, small, 1), 0.005F);
  for (const auto& sample : large.samples) EXPECT_GT(filled(a.at(sample.time_s), sample), 0.5F);
  for (const auto& sample : small.samples) EXPECT_GT(filled(b.at(sample.time_s), sample), 0.25F);
  // A mouse keeps its own scale. Its floor is at the same height of the picture.
  CameraRig* far[] = {&a, &c};
  CameraRig::share(far);
  EXPECT_LT(distance_m(c), 0.2F * distance_m(a));
  EXPECT_NEAR(floor_in_picture(a, large, 1), floor_in_picture(c, mouse, 1), 0.02F);
  for (const auto& sample : mouse.samples) EXPECT_GT(filled(c.at(sample.time_s), sample), 0.5F);
}

TEST(CameraRig, FloorStaysWhereItIsInThePicture) {
  BodyExtent extent = moving_box(2);
  for (std::size_t i = 4; i < 8; ++i) {  // A hop.
    extent.samples[i].min.y += 0.4F;
    extent.samples[i].max.y += 0.4F;
    for (Vec3& p : extent.samples[i].outline) p.y += 0.4F;
  }
  const CameraRig rig(extent, {}, kAspect);
  for (const auto& sample : extent.samples) {
    EXPECT_NEAR(floor_in_picture(rig, extent, sample.time_s), floor_in_picture(rig, extent, 0), 1e-4F);
    EXPECT_GT(filled(rig.at(sample.time_s), sample), 0.4F);
  }
}

TEST(CameraRig, TakesAGivenDistanceAndOrthographicViews) {
  const BodyExtent extent = moving_box(2);
  const CameraRig::View near = CameraRig(extent, {.distance_m = 3}, kAspect).at(1);
  EXPECT_NEAR(distance(near.camera.world_from_camera.t, near.target_m), 3, 1e-4F);
  const CameraRig::View flat = CameraRig(extent, {.orthographic = true}, kAspect).at(1);
  EXPECT_GT(flat.camera.ortho_height_m, 1.8F);
  EXPECT_GT(filled(flat, extent.samples[4]), 0.6F);
}

TEST(CameraRig, StartsOverWithTheClip) {
  const CameraRig rig(moving_box(2), {}, kAspect);
  EXPECT_LT(distance(rig.at(5).target_m, rig.at(1).target_m), 1e-4F);
}

TEST(CameraRig, OneSampleIsEnough) {
  BodyExtent extent = moving_box(0);
  extent.samples.resize(1);
  EXPECT_GT(filled(CameraRig(extent, {}, kAspect).at(7), extent.samples[0]), 0.7F);
}

}  // namespace
}  // namespace zoe::scene
