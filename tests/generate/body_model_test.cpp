// SPDX-License-Identifier: MIT
// A network for any skeleton whose prediction is known: what is kept, what is generated, any length.
#include "zoe/generate/body_model.h"

#include <gtest/gtest.h>

#include "zoe/anatomy/find_root.h"
#include "zoe/features/action_words.h"
#include "zoe/generate/path_frames.h"
#include "zoe/nn/graph_builder.h"

#include "generate/walker_window.h"

namespace zoe::generate {
namespace {

// Predicts half of the mean of what is known, everywhere: a network whose result can be computed by hand.
nn::Graph small_graph(const char* frames_text = "12") {
  nn::GraphBuilder b;
  const nn::RowCount frames = b.dim("frames"), joints = b.dim("joints");
  const int x = b.input("x", 13, frames * joints), known = b.input("known", 13, frames * joints);
  b.input("known_groups", 4, frames * joints);
  b.input("body", features::kBodyWidth, joints);
  b.input("names", features::kNameWidth, joints);
  b.input("relation", 2, joints * joints);
  b.input("time", 1);
  b.input("words", static_cast<int>(features::action_vocabulary().size()));
  const int half = b.constant("half", 1, 13, std::vector<float>(13, 0.5F));
  const int zero = b.subtract(x, x);
  b.output("prediction", b.add(zero, b.multiply(b.mean_rows(known), half)));
  b.output("joint_codes", b.mean_rows(x, {{}, joints}));
  b.output("frame_codes", b.mean_rows(x, {joints, {}}));
  b.set_metadata(nn::kProcessKey, "schedule=flow prediction=x0 levels=100");
  b.set_metadata("zoe.means", "0.5 0 0 0 0 0 0 0 0 0 0 0 0");
  b.set_metadata("zoe.spreads", "2 1 1 1 1 1 1 1 1 1 1 1 1");
  b.set_metadata("zoe.frames", frames_text);
  b.set_metadata("zoe.schema", features::preset_text("anytop").value());
  return std::move(b).build().value();
}

BodyLayout walker(const BodyModel& model) {
  return model.layout_for(test::walker_skeleton(), test::walker_analysis()).value();
}

TEST(BodyModel, GeneratesAnyLengthAndKeepsWhatIsKnown) {
  const BodyModel model = BodyModel::create(small_graph()).value();
  EXPECT_EQ(model.window_frames(), 12);
  const BodyLayout body = walker(model);
  const auto tokens = static_cast<std::size_t>(body.tokens.num_tokens()), row = tokens * features::kTokenWidth;
  for (const int frames : {1, 5, 12, 13, 40}) {
    const auto made = model.sample(body.tokens, {.num_frames = frames}).value();
    ASSERT_EQ(made.size(), static_cast<std::size_t>(frames) * row);
    EXPECT_NEAR(made[0], 0.5, 1e-6) << frames;  // Nothing known in the first window: 0, which is the mean.
    EXPECT_NEAR(made[1], 0, 1e-6) << frames;
    const Motion motion = to_motion(body, made, {});
    EXPECT_EQ(motion.num_frames, frames);
    EXPECT_TRUE(validate(motion));
  }
  // Two frames are known, in two groups of their numbers.
  BodySampleOptions options{.num_frames = 30, .seed = 4};
  options.known.values.assign(30 * row, 7.0F);
  options.known.groups.assign(30 * tokens * kKnownGroups, 0);
  for (const std::size_t frame : {3U, 28U}) {
    for (std::size_t t = 0; t < tokens; ++t) options.known.groups[(frame * tokens + t) * kKnownGroups + 1] = 1;
  }
  const auto made = model.sample(body.tokens, options).value();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::size_t frame = i / row, column = i % features::kTokenWidth;
    const bool known = (frame == 3 || frame == 28) && column >= 3 && column < 9;
    if (known) {
      ASSERT_NEAR(made[i], 7, 1e-5);
    } else {
      ASSERT_LT(std::abs(made[i]), 4);
    }
  }
  EXPECT_EQ(made, model.sample(body.tokens, options).value());
  EXPECT_FALSE(model.sample(body.tokens, {.num_frames = 0}));
  EXPECT_FALSE(model.sample(body.tokens, {.num_frames = 1 << 30}));
}

// As few windows as the trained length allows, none longer than it: the overlap shrinks where that saves one.
TEST(BodyModel, WindowsAreFewAndNoLongerThanTheTrainedLength) {
  const BodyModel model = BodyModel::create(small_graph("16")).value();
  const BodyLayout body = walker(model);
  for (const auto& [frames, windows] :
       {std::pair{16, 1}, std::pair{17, 2}, std::pair{30, 2}, std::pair{31, 3}, std::pair{18000, 1286}}) {
    std::vector<int> done{0};
    BodySampleOptions options{.num_frames = frames, .smooth_frames = 0};
    options.go_on = [&](int now) {
      done.push_back(now);
      return true;
    };
    EXPECT_EQ(model.sample(body.tokens, options).value().size() % static_cast<std::size_t>(frames), 0U);
    EXPECT_EQ(done.size(), static_cast<std::size_t>(windows) + 1) << frames;
    EXPECT_EQ(done.back(), frames);
    // New frames of a window that knows at least two of the one before.
    for (std::size_t i = 2; i < done.size(); ++i) EXPECT_LE(done[i] - done[i - 1], 14) << frames;
  }
  BodySampleOptions stopped{.num_frames = 40};
  stopped.go_on = [](int) { return false; };
  EXPECT_FALSE(model.sample(body.tokens, stopped));
}

// A motion through its numbers and back, at rest lengths.
TEST(BodyModel, MotionsComeBack) {
  const BodyModel model = BodyModel::create(small_graph()).value();
  const BodyLayout body = walker(model);
  const Motion motion = test::swinging(50);
  const BodyFrames frames = to_frames(body, motion).value();
  const Motion back = to_motion(body, frames.values, frames.before);
  ASSERT_EQ(back.num_frames, motion.num_frames);
  for (std::size_t i = static_cast<std::size_t>(motion.num_joints()); i < motion.rotations.size(); ++i) {
    EXPECT_LT(angle_between(back.rotations[i], motion.rotations[i]), 1e-4F);
    EXPECT_LT(distance(back.translations[i], motion.translations[i]), 1e-4F);
  }
  const MotionCodes codes = model.codes(body.tokens, frames.values, 0.1).value();
  EXPECT_EQ(codes.frames.size(), 50U * static_cast<std::size_t>(codes.width));
}

// Numbers of a real motion agree. Where rotations are too small and positions are right, fitting brings joints nearer
// to where they were, with bones of their lengths; the more so the less the rotations count.
TEST(BodyModel, JointsTurnTowardsTheirPositions) {
  const BodyModel model = BodyModel::create(small_graph()).value();
  const BodyLayout body = walker(model);
  const Motion motion = test::swinging(50);
  const BodyFrames frames = to_frames(body, motion).value();
  const auto error_of = [&](const Motion& made) {
    const BodyFrames own = to_frames(body, made).value();
    double sum = 0;
    for (std::size_t i = 0; i < own.values.size(); ++i)
      if (i % features::kTokenWidth < 3) sum += std::abs(double{own.values[i]} - double{frames.values[i]});
    return sum / static_cast<double>(own.values.size());
  };
  const Motion same = fitted_motion(body, frames.values, frames.before, 0.05F);
  const Motion exact = to_motion(body, frames.values, frames.before);
  for (std::size_t i = 0; i < same.rotations.size(); ++i)
    ASSERT_LT(angle_between(same.rotations[i], exact.rotations[i]), 1e-3F);
  std::vector<float> shrunk = frames.values;
  const auto tokens = static_cast<std::size_t>(body.tokens.num_tokens());
  for (std::size_t i = 0; i < shrunk.size(); ++i) {
    const std::size_t column = i % features::kTokenWidth, token = i / features::kTokenWidth % tokens;
    if (token > 0 && column >= 3 && column < 9) shrunk[i] *= 0.5F;
  }
  const double alone = error_of(to_motion(body, shrunk, frames.before));
  const double some = error_of(fitted_motion(body, shrunk, frames.before, 0.5F));
  const double most = error_of(fitted_motion(body, shrunk, frames.before, 0.005F));
  EXPECT_LT(some, 0.9 * alone);
  EXPECT_LT(most, 0.3 * alone);
  EXPECT_TRUE(validate(fitted_motion(body, shrunk, frames.before, 0.05F)));
}

// A gain in the file is used, and an option replaces it. What is known in some frames stays as sampled.
TEST(BodyModel, TheCalibrationOfTheFileIsUsed) {
  nn::Graph graph = small_graph();
  graph.metadata[kCalibrationKey] = "gain=2 fast_frames=1.5";
  const BodyModel plain = BodyModel::create(small_graph()).value(), louder = BodyModel::create(graph).value();
  EXPECT_EQ(plain.calibration().gain, 1);
  EXPECT_EQ(louder.calibration().gain, 2);
  const BodyLayout body = walker(plain);
  const auto tokens = static_cast<std::size_t>(body.tokens.num_tokens()), row = tokens * features::kTokenWidth;
  BodySampleOptions options{.num_frames = 30, .seed = 4};
  options.known.values.assign(30 * row, 7.0F);
  options.known.groups.assign(30 * tokens * kKnownGroups, 0);
  for (std::size_t f = 0; f < 15; ++f) options.known.groups[(f * tokens + 1) * kKnownGroups + 1] = 1;
  const auto quiet = plain.sample(body.tokens, options).value(), loud = louder.sample(body.tokens, options).value();
  EXPECT_NE(quiet, loud);
  for (std::size_t i = 0; i < quiet.size(); ++i) {
    const std::size_t token = i % row / features::kTokenWidth, column = i % features::kTokenWidth;
    if (token == 1 && column >= 3 && column < 9) {
      ASSERT_EQ(quiet[i], loud[i]);
    }
  }
  options.gain = 1;
  EXPECT_EQ(louder.sample(body.tokens, options).value(), quiet);
  graph.metadata[kCalibrationKey] = "gain=loud";
  EXPECT_FALSE(BodyModel::create(graph));
}

// The network's own numbers say nothing of the path: the root is where the path is all the same.
TEST(BodyModel, TheRootGoesAlongAPath) {
  const BodyModel model = BodyModel::create(small_graph()).value();
  const BodyLayout body = walker(model);
  const Vec3 corner[] = {{1, 0, 1}, {1, 0, 4}, {5, 0, 4}};
  const PathFrames path =
      frames_along_path(body, test::walker_skeleton(), test::walker_analysis(), corner, false, 70).value();
  EXPECT_GT(path.length_m, 6);  // The corner is cut a little.
  EXPECT_LE(path.length_m, 7.001);
  std::vector<float> made = model.sample(body.tokens, {.num_frames = 70, .known = path.known}).value();
  // The pose at rest: where hips shift and turn, the root would as well.
  for (std::size_t i = 0; i < made.size(); ++i)
    if (path.known.groups[i / features::kTokenWidth * kKnownGroups + 2] == 0 || i % features::kTokenWidth < 9 ||
        i % features::kTokenWidth == 12)
      made[i] = 0;
  const Motion motion = to_motion(body, made, path.before);
  const RootTrajectory roots = find_root(motion, test::walker_analysis());
  ASSERT_EQ(roots.roots.size(), path.roots.size());
  for (std::size_t f = 0; f < roots.roots.size(); ++f) {
    // The schema's root is smoothed: it cuts the corner a little more.
    const double most_m = f < 15 || f > 55 ? 0.03 : 0.15;
    EXPECT_NEAR(roots.roots[f].position.x, path.roots[f].position.x, most_m) << f;
    EXPECT_NEAR(roots.roots[f].position.z, path.roots[f].position.z, most_m) << f;
  }
  EXPECT_NEAR(path.roots.back().position.x, 5, 1e-3);
  EXPECT_NEAR(path.roots[10].facing_rad, 0, 1e-3);
  EXPECT_NEAR(path.roots.back().facing_rad, 1.5708, 1e-2);
  const Vec3 same[] = {{1, 0, 1}, {1, 2, 1}};
  EXPECT_FALSE(frames_along_path(body, test::walker_skeleton(), test::walker_analysis(), same, false, 70));
}

TEST(BodyModel, RefusesOtherNetworks) {
  EXPECT_FALSE(BodyModel::create(small_graph("0")));
  EXPECT_FALSE(BodyModel::create(small_graph("many")));
  nn::Graph damaged = small_graph();
  damaged.metadata["zoe.spreads"] = "1 2 x";
  EXPECT_FALSE(BodyModel::create(damaged));
  damaged.metadata["zoe.spreads"] = "0 1 1 1 1 1 1 1 1 1 1 1 1";
  EXPECT_FALSE(BodyModel::create(damaged));
  damaged = small_graph();
  damaged.metadata.erase("zoe.schema");
  EXPECT_FALSE(BodyModel::create(damaged));
  damaged = small_graph();
  damaged.inputs[0].name = "y";
  EXPECT_FALSE(BodyModel::create(damaged));
  EXPECT_FALSE(BodyModel::load("/nowhere"));
}

}  // namespace
}  // namespace zoe::generate
