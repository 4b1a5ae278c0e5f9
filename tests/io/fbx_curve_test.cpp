// SPDX-License-Identifier: MIT
// Curve evaluation: by hand, and against numbers read in Maya.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/io/fbx.h"

#include "io/fbx/curve.h"
#include "io/fbx/layer_blend.h"
#include "io/fbx/settings.h"
#include "io/fbx/tangents.h"
#include "support/data.h"

namespace zoe {
namespace {

using namespace io::fbx;

std::int64_t ticks(double seconds) { return std::llround(seconds * static_cast<double>(kTicksPerSecond)); }

// One attribute record for all keys.
Curve make_curve(std::vector<std::pair<double, float>> keys, KeyAttributes attributes) {
  Curve curve;
  for (const auto& [seconds, value] : keys) {
    curve.times.push_back(ticks(seconds));
    curve.values.push_back(value);
  }
  attributes.end = static_cast<std::uint32_t>(keys.size());
  curve.runs.push_back(attributes);
  return curve;
}

double at(const Curve& curve, double seconds) { return CurveCursor(curve).evaluate(ticks(seconds)); }

TEST(FbxCurve, LinearAndConstant) {
  const Curve linear = make_curve({{0, 1}, {2, 5}}, {.flags = kKeyLinear});
  EXPECT_NEAR(at(linear, 0.5), 2, 1e-9);
  EXPECT_NEAR(at(linear, -1), 1, 1e-9);
  EXPECT_NEAR(at(linear, 3), 5, 1e-9);
  const Curve hold = make_curve({{0, 1}, {2, 5}}, {.flags = kKeyConstant});
  EXPECT_EQ(at(hold, 1.999), 1);
  EXPECT_EQ(at(hold, 2), 5);
  const Curve hold_next = make_curve({{0, 1}, {2, 5}}, {.flags = kKeyConstant | kKeyConstantNext});
  EXPECT_EQ(at(hold_next, 0), 1);
  EXPECT_EQ(at(hold_next, 0.001), 5);
}

TEST(FbxCurve, FlatCubicIsSmoothstep) {
  const Curve curve = make_curve({{0, 0}, {4, 8}}, {.flags = kKeyCubic | kKeyTangentUser});
  for (const double x : {0.25, 0.5, 0.9}) EXPECT_NEAR(at(curve, 4 * x), 8 * (3 * x * x - 2 * x * x * x), 1e-6);
}

TEST(FbxCurve, UserSlopesMakeHermite) {
  // f(0)=1, f'(0)=3, f(2)=5, f'(2)=-1: Hermite by hand.
  const Curve curve =
      make_curve({{0, 1}, {2, 5}}, {.flags = kKeyCubic | kKeyTangentUser, .right_slope = 3, .next_left_slope = -1});
  const auto hermite = [](double t) {
    return (2 * t * t * t - 3 * t * t + 1) * 1 + (t * t * t - 2 * t * t + t) * 2 * 3 +
           (-2 * t * t * t + 3 * t * t) * 5 + (t * t * t - t * t) * 2 * -1;
  };
  for (const double t : {0.1, 0.5, 0.75}) EXPECT_NEAR(at(curve, 2 * t), hermite(t), 1e-6);
}

TEST(FbxCurve, WeightedTangentsAreSolvedInTime) {
  for (const auto& [x1, x2] : {std::pair(0.1, 0.2), std::pair(0.9, 0.05), std::pair(0.0, 1.0), std::pair(1.0, 0.0)}) {
    for (double t = 0; t <= 1; t += 0.05) {
      const double x = 3 * (1 - t) * (1 - t) * t * x1 + 3 * (1 - t) * t * t * x2 + t * t * t;
      const double solved = solve_bezier_time(x1, x2, x);
      const double back = 3 * (1 - solved) * (1 - solved) * solved * x1 + 3 * (1 - solved) * solved * solved * x2 +
                          solved * solved * solved;
      EXPECT_NEAR(back, x, 1e-12);
    }
  }
  // Handles 0.8 long and flat: at t = 0.5 both coordinates are the middle, and time runs slowly
  // around it.
  const Curve curve =
      make_curve({{0, 0}, {1, 1}}, {.flags = kKeyCubic | kKeyTangentUser | kKeyWeightedRight | kKeyWeightedNextLeft,
                                    .right_weight = 0.8F,
                                    .next_left_weight = 0.8F});
  EXPECT_NEAR(at(curve, 0.5), 0.5, 1e-6);
  const double t = 0.25, x = 3 * 0.75 * 0.75 * t * 0.8 + 3 * 0.75 * t * t * (1 - 0.8) + t * t * t;
  EXPECT_NEAR(at(curve, x), 3 * 0.75 * t * t + t * t * t, 1e-6);
}

TEST(FbxCurve, TcbZeroIsCatmullRom) {
  const Curve curve = make_curve({{0, 0}, {1, 4}, {2, 6}}, {.flags = kKeyCubic | kKeyTangentTcb});
  const KeyTangents middle = tangents_at(curve, 1);
  EXPECT_NEAR(middle.left.slope, 3, 1e-9);
  EXPECT_NEAR(middle.right.slope, 3, 1e-9);
  double left = 0, right = 0;
  solve_tcb(1, 0, 0, 4, 2, false, &left, &right);  // Full tension: flat.
  EXPECT_EQ(left, 0);
  EXPECT_EQ(right, 0);
  solve_tcb(0, 0, 1, 4, 2, false, &left, &right);  // Full bias: along what comes before.
  EXPECT_EQ(left, 4);
  EXPECT_EQ(right, 4);
  solve_tcb(0, -1, 0, 4, 2, false, &left, &right);  // Continuity -1: a corner.
  EXPECT_EQ(left, 4);
  EXPECT_EQ(right, 2);
}

TEST(FbxCurve, AutomaticTangentsDoNotOvershootWhenClamped) {
  const Curve curve = make_curve({{0, 0}, {1, 1}, {2, 1.01F}, {3, 5}},
                                 {.flags = kKeyCubic | kKeyTangentAuto | kKeyTimeIndependent | kKeyClampProgressive});
  for (double t = 0; t <= 3; t += 0.01) {
    const double value = at(curve, t);
    EXPECT_GE(value, -1e-6);
    EXPECT_LE(value, t <= 1 ? 1 + 1e-6 : t <= 2 ? 1.01 + 1e-6 : 5 + 1e-6);
  }
}

TEST(FbxCurve, Extrapolation) {
  Curve curve = make_curve({{0, 0}, {1, 2}}, {.flags = kKeyLinear});
  const auto both = [&](Extrapolation mode, int repetitions = -1) { curve.before = curve.after = {mode, repetitions}; };
  both(Extrapolation::kRepeat);
  EXPECT_NEAR(at(curve, 1.25), 0.5, 1e-6);
  EXPECT_NEAR(at(curve, -0.25), 1.5, 1e-6);
  both(Extrapolation::kMirror);
  EXPECT_NEAR(at(curve, 1.25), 1.5, 1e-6);
  EXPECT_NEAR(at(curve, 2.25), 0.5, 1e-6);
  EXPECT_NEAR(at(curve, -0.25), 0.5, 1e-6);
  both(Extrapolation::kKeepSlope);
  EXPECT_NEAR(at(curve, 3), 6, 1e-6);
  EXPECT_NEAR(at(curve, -1), -2, 1e-6);
  both(Extrapolation::kRepeatRelative);
  EXPECT_NEAR(at(curve, 2.5), 5, 1e-6);
  EXPECT_NEAR(at(curve, -0.5), -1, 1e-6);
  both(Extrapolation::kRepeat, 1);
  EXPECT_NEAR(at(curve, 5), 2, 1e-6);
}

TEST(FbxCurve, AnyOrderOfTimesGivesTheSame) {
  const Curve curve = make_curve({{0, 0}, {1, 3}, {2, -1}, {2.5, 4}, {7, 0}}, {.flags = kKeyCubic | kKeyTangentAuto});
  CurveCursor cursor(curve);
  for (int i = 0; i < 200; ++i) {
    const double seconds = std::fmod(i * 3.7, 8.0) - 0.5;
    EXPECT_EQ(cursor.evaluate(ticks(seconds)), at(curve, seconds));
  }
}

TEST(FbxLayers, Modes) {
  AnimLayer layer;
  const Vec3d below{10, 20, 30}, value{2, 4, 6};
  EXPECT_EQ(blend_layer(layer, true, 0.5, ChainPart::kTranslation, 0, below, value), value);
  EXPECT_EQ(blend_layer(layer, false, 0.5, ChainPart::kTranslation, 0, below, value), (Vec3d{11, 22, 33}));
  layer.mode = LayerMode::kOverride;
  EXPECT_EQ(blend_layer(layer, false, 0.5, ChainPart::kTranslation, 0, below, value), value);
  layer.mode = LayerMode::kOverridePassthrough;
  EXPECT_EQ(blend_layer(layer, false, 0.25, ChainPart::kTranslation, 0, below, value), (Vec3d{8, 16, 24}));
  // Scales as factors: halfway between 4 and 16 is 8.
  EXPECT_NEAR(blend_layer(layer, false, 0.5, ChainPart::kScaling, 0, {4, 4, 4}, {16, 16, 16}).x, 8, 1e-9);
  layer.mode = LayerMode::kAdditive;
  EXPECT_NEAR(blend_layer(layer, false, 0.5, ChainPart::kScaling, 0, {3, 3, 3}, {4, 4, 4}).x, 6, 1e-9);
}

TEST(FbxLayers, RotationsByLayerAndByChannel) {
  AnimLayer layer;
  const Vec3d below{90, 0, 0}, value{0, 90, 0};
  const Quatd composed = euler_deg(0, blend_layer(layer, false, 1, ChainPart::kRotation, 0, below, value));
  EXPECT_LT(angle_between(composed, euler_deg(0, below) * euler_deg(0, value)), 1e-9);
  layer.compose_rotations = false;
  EXPECT_EQ(blend_layer(layer, false, 0.5, ChainPart::kRotation, 0, below, value), (Vec3d{90, 45, 0}));
}

// x of the only animated node, file units, at frame `frame` of the file's clock.
double x_at(const io::Asset& asset, double frame) {
  const Motion& clip = asset.clips.at(0);
  const int joint = clip.skeleton->find("pCube1");
  const int index =
      std::clamp(static_cast<int>(std::lround(frame - clip.start_time_s * clip.fps)), 0, clip.num_frames - 1);
  return static_cast<double>(clip.frame(index).translations[static_cast<std::size_t>(joint)].x) /
         asset.source.metres_per_unit;
}

// Numbers that Maya showed for the files, as published with them (ufbx test_animation.h, public
// domain).
TEST(FbxCurve, InterpolationModesOfMaya) {
  ZOE_NEED_DATA(data);
  constexpr std::array kValues{
      -8.653366, -8.602998, -8.464664, -8.257528, -8.00075,  -7.713489, -7.414906, -7.124163, -6.86042,  -6.642837,
      -6.490576, -6.388305, -6.306414, -6.242637, -6.19471,  -6.160368, -6.137348, -6.123385, -6.116215, -6.113573,
      -6.113196, -5.969524, -5.825851, -5.682179, -5.538507, -5.394835, -5.251163, -5.107491, -4.963819, -4.820146,
      -4.676474, -4.532802, -4.38913,  -4.245458, -4.101785, -3.958113, -4.1529,   -4.347686, -4.542472, -4.737258,
      -4.932045, -5.126832, -5.321618, -5.516404, -5.71119,  -5.905977, -5.767788, -5.315578, -4.954943, -4.83559,
      -4.856855, -4.960766, -5.118543, -4.976541, -4.885909, -4.865979, -4.93845,  -5.099224, -5.270246, -5.359269,
      -5.349404, -5.261964, -5.118543, -5.264501, -5.33535,  -5.285445, -5.058857, -4.69383,  -4.357775, -4.124978,
      -3.981697, -3.904232, -3.875225, -3.875225, -3.875225};
  for (const char* name : {"maya_interpolation_modes_7500_ascii.fbx", "maya_interpolation_modes_7500_binary.fbx"}) {
    const auto asset = io::read_fbx(data / "conformance/fbx/ufbx" / name);
    ASSERT_TRUE(asset) << asset.error().format();
    for (std::size_t i = 0; i < kValues.size(); ++i)
      EXPECT_NEAR(x_at(*asset, static_cast<double>(i + 1)), kValues[i], 2e-3) << name << " frame " << i + 1;
  }
}

TEST(FbxCurve, AutoClampOfMaya) {
  ZOE_NEED_DATA(data);
  constexpr std::array kValues{0.000, 0.273,  0.515,  0.718,  0.868,  0.945,  0.920,  0.779,  0.611,  0.591,
                               0.747, 1.206,  2.059,  3.191,  4.489,  5.837,  7.121,  8.228,  9.042,  9.449,
                               9.694, 10.128, 10.610, 10.873, 10.927, 10.854, 10.704, 10.502, 10.264, 10.000};
  const auto asset = io::read_fbx(data / "conformance/fbx/ufbx/maya_auto_clamp_7700_binary.fbx");
  ASSERT_TRUE(asset) << asset.error().format();
  for (std::size_t i = 0; i < kValues.size(); ++i)
    EXPECT_NEAR(x_at(*asset, static_cast<double>(i + 1)), kValues[i], 2e-3) << "frame " << i + 1;
}

TEST(FbxCurve, WeightedTangentsAndStepsOfMaya) {
  ZOE_NEED_DATA(data);
  const auto asset = io::read_fbx(data / "conformance/fbx/ufbx/maya_anim_interpolation_7700_binary.fbx");
  ASSERT_TRUE(asset) << asset.error().format();
  constexpr std::array<std::pair<int, double>, 18> kValues{{{0, 0.0},
                                                            {1, -0.855245},
                                                            {2, -1.13344},
                                                            {3, -1.17802},
                                                            {4, -1.10882},
                                                            {5, -0.991537},
                                                            {6, -0.875223},
                                                            {7, -0.808958},
                                                            {8, -0.858419},
                                                            {9, -1.14293},
                                                            {10, -2},
                                                            {20, -4},
                                                            {25, -6},
                                                            {30, -8},
                                                            {35, -10},
                                                            {40, -12},
                                                            {45, -14},
                                                            {50, -16}}};
  for (const auto& [frame, value] : kValues) EXPECT_NEAR(x_at(*asset, frame), value, 2e-3) << "frame " << frame;
}

}  // namespace
}  // namespace zoe
