// SPDX-License-Identifier: MIT
// Clips of a dataset as courses: which are taken, and what a controller is compared with.
#include "zoe/eval/held_out.h"

#include <map>

#include <gtest/gtest.h>

#include "zoe/author/make_body.h"

#include "dataset/figures.h"
#include "eval/motions.h"

namespace zoe::eval {
namespace {

using test::ObedientController;

struct Data {
  dataset::DatasetPtr set;
  control::Body body;
};

Data make_data(const std::string& name, const dataset::SplitOptions& split) {
  const std::filesystem::path folder = zoe::test::temporary_dir(name) / "walks";
  // Curves at different speeds, of 3.5 to 5.6 seconds.
  for (int i = 0; i < 8; ++i) {
    zoe::test::write_walk(folder / ("walk" + std::to_string(i) + ".bvh"),
                          {.speed_m_s = 0.7 + 0.1 * i, .turn_rad_s = 0.15 * (i - 4), .num_frames = 210 + 18 * i});
  }
  auto options = zoe::test::build_options(folder, zoe::test::temporary_dir(name + "_out"));
  options.mirror = true;
  options.split = split;
  EXPECT_TRUE(dataset::build(options));
  Data data{dataset::Dataset::open(options.output).value(), {}};
  const dataset::Group& group = data.set->groups()[0];
  data.body = author::make_body(group.layout, group.skeleton, group.rows).value();
  return data;
}
const Data& with_test() {
  static const Data kData = make_data("eval_held_out", {.validation = 0.2, .test = 0.5});
  return kData;
}

// Clips of a split that are not mirrored and last three seconds, and their seconds together.
std::pair<int, double> expected_clips(const dataset::Dataset& data, std::optional<dataset::Split> split) {
  int count = 0;
  double seconds = 0;
  for (const dataset::ClipRecord& clip : data.clips()) {
    const double own_s = (clip.num_rows - 1) / data.groups()[0].layout.fps();
    if (clip.mirrored || (split && clip.split != *split) || own_s < 3) continue;
    ++count;
    seconds += own_s;
  }
  return {count, seconds};
}

std::map<std::string, Summary> by_name(const HeldOut& held) { return {held.metrics.begin(), held.metrics.end()}; }

TEST(HeldOut, TakesTheTestSplitWithoutMirroredCopies) {
  const Data& data = with_test();
  const ObedientController controller(data.body.skeleton, data.set->groups()[0].layout.fps());
  const auto [count, seconds] = expected_clips(*data.set, dataset::Split::kTest);
  ASSERT_GT(count, 0);
  ASSERT_LT(count, 8);
  int calls = 0;
  const HeldOut held = evaluate_held_out(controller, data.body, *data.set, {.on_clip = [&] { ++calls; }}).value();
  EXPECT_EQ(held.split, "test");
  EXPECT_EQ(held.num_clips, count);
  EXPECT_EQ(calls, count);
  EXPECT_NEAR(held.seconds, seconds, 1e-6);
}

TEST(HeldOut, TakesAllClipsOrLongOnesOnRequest) {
  const Data& data = with_test();
  const ObedientController controller(data.body.skeleton, data.set->groups()[0].layout.fps());
  const HeldOut all = evaluate_held_out(controller, data.body, *data.set, {.all_clips = true}).value();
  EXPECT_EQ(all.split, "all");
  EXPECT_EQ(all.num_clips, expected_clips(*data.set, {}).first);
  const HeldOut few =
      evaluate_held_out(controller, data.body, *data.set, {.all_clips = true, .min_seconds = 4.5}).value();
  EXPECT_GT(few.num_clips, 0);
  EXPECT_LT(few.num_clips, all.num_clips);
  EXPECT_GE(few.seconds, 4.5 * few.num_clips);
  const HeldOut none =
      evaluate_held_out(controller, data.body, *data.set, {.all_clips = true, .min_seconds = 60}).value();
  EXPECT_EQ(none.num_clips, 0);
  EXPECT_TRUE(none.metrics.empty());
}

TEST(HeldOut, FallsBackOnTheValidationSplit) {
  const Data data = make_data("eval_held_out_v", {.validation = 0.5, .test = 0});
  const ObedientController controller(data.body.skeleton, data.set->groups()[0].layout.fps());
  const HeldOut held = evaluate_held_out(controller, data.body, *data.set).value();
  EXPECT_EQ(held.split, "validation");
  EXPECT_EQ(held.num_clips, expected_clips(*data.set, dataset::Split::kValidation).first);
}

TEST(HeldOut, AnObedientControllerIsOnTheClipsPath) {
  const Data& data = with_test();
  const double rate_hz = data.set->groups()[0].layout.fps();
  const ObedientController prompt(data.body.skeleton, rate_hz);
  const ObedientController late(data.body.skeleton, rate_hz, static_cast<int>(0.5 * rate_hz));
  const auto near = by_name(evaluate_held_out(prompt, data.body, *data.set, {.all_clips = true}).value());
  const auto far = by_name(evaluate_held_out(late, data.body, *data.set, {.all_clips = true}).value());
  EXPECT_LT(near.at("path_error_cm").mean, 4);
  EXPECT_LT(near.at("place_error_cm").mean, 12);
  EXPECT_LT(near.at("facing_error_deg").mean, 5);
  // Half a second behind at about a metre a second, on nearly the same path.
  EXPECT_GT(far.at("place_error_cm").mean, 1.5 * near.at("place_error_cm").mean);
  EXPECT_LT(far.at("path_error_cm").mean, far.at("place_error_cm").mean);
  EXPECT_GT(far.at("facing_error_deg").mean, 1.5 * near.at("facing_error_deg").mean);
  for (const auto& [name, summary] : near) EXPECT_GE(summary.mean, 0) << name;
}

TEST(HeldOut, ReferencesAreTheClipsOwnMeasures) {
  const Data& data = with_test();
  const double rate_hz = data.set->groups()[0].layout.fps();
  const ObedientController controller(data.body.skeleton, rate_hz);
  const auto metrics = by_name(evaluate_held_out(controller, data.body, *data.set, {.all_clips = true}).value());
  // A statue that is carried along varies in nothing; the walks swing their limbs.
  EXPECT_LT(metrics.at("variety_cm").mean, 0.1);
  ASSERT_TRUE(metrics.at("variety_cm").reference.has_value());
  EXPECT_GT(*metrics.at("variety_cm").reference, 3);
  for (const char* name : {"path_error_cm", "place_error_cm", "stuck_s", "recoveries"}) {
    EXPECT_FALSE(metrics.at(name).reference.has_value()) << name;
  }
}

TEST(HeldOut, EveryClipHasItsOwnMeasures) {
  const Data& data = with_test();
  const ObedientController controller(data.body.skeleton, data.set->groups()[0].layout.fps());
  const HeldOut held = evaluate_held_out(controller, data.body, *data.set, {.all_clips = true}).value();
  ASSERT_EQ(held.by_clip.size(), static_cast<std::size_t>(held.num_clips));
  double sum = 0, largest = 0;
  for (const auto& [clip, measures] : held.by_clip) {
    EXPECT_TRUE(clip.starts_with("walks/walk") && clip.ends_with(".bvh")) << clip;
    sum += measures.at("place_error_cm");
    largest = std::max(largest, measures.at("place_error_cm"));
  }
  const Summary all = by_name(held).at("place_error_cm");
  EXPECT_NEAR(all.mean, sum / held.num_clips, 1e-9);
  EXPECT_EQ(all.largest, largest);
  EXPECT_GT(all.largest, all.mean);
}

TEST(HeldOut, AnotherBodyIsRefused) {
  const ObedientController controller(control::test::toy_skeleton());
  control::Body body;
  body.skeleton = controller.skeleton();
  const auto held = evaluate_held_out(controller, body, *with_test().set);
  ASSERT_FALSE(held);
  EXPECT_EQ(held.error().code, ErrorCode::kInvalid);
  EXPECT_NE(held.error().message.find("no clips of the controller's body"), std::string::npos);
  const auto found = evaluate(controller, body, with_test().set.get(), {.num_seeds = 1, .seconds = 3});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, held.error().message);
}

TEST(FollowRoots, DesiresTheClipsVelocityAndFacing) {
  std::vector<PlanarRoot> roots;
  for (int f = 0; f < 120; ++f) roots.push_back({{0, 0, 0.05F * static_cast<float>(f)}, 0.01F * static_cast<float>(f)});
  const auto source = follow_roots(roots, 30);
  // Exactly where the clip is in a thirtieth: no way back is added.
  const control::Intent intent = source->next(roots[1], 1.0 / 30);
  EXPECT_EQ(intent.num_wanted, control::kMaxWanted);
  EXPECT_NEAR(intent.velocity_at(0.6F).z, 1.5F, 1e-3);
  EXPECT_NEAR(intent.wanted[2].time_s, 0.3F, 1e-6);
  EXPECT_NEAR(*intent.wanted[2].facing_rad, 0.16F, 1e-3);  // Frame 1 + 0.3 s, and 0.2 s ahead as on paths.
  // Beside it: half of the distance within the half-life of paths.
  const auto again = follow_roots(roots, 30);
  const control::Intent back = again->next({{1, 0, roots[1].position.z}, 0}, 1.0 / 30);
  EXPECT_NEAR(back.velocity_at(0).x, -std::log(2.0) / static_cast<double>(control::PathOptions{}.return_half_life_s),
              1e-3);
  EXPECT_LT(std::abs(back.velocity_at(0.9F).x), std::abs(back.velocity_at(0).x));
}

// A body on the path of a circle, late by up to a second: along the path and a little faster, not across the circle.
TEST(FollowRoots, ALateBodyIsLedAlongThePath) {
  constexpr float kRadius_m = 1, kSpeed_mps = 2;
  std::vector<PlanarRoot> roots;
  for (int f = 0; f < 300; ++f) {
    const float angle = kSpeed_mps / kRadius_m * static_cast<float>(f) / 30;
    roots.push_back({{kRadius_m * std::sin(angle), 0, kRadius_m * std::cos(angle)}, angle});
  }
  for (const int late : {10, 20, 30}) {
    SCOPED_TRACE(late);
    const auto source = follow_roots(roots, 30);
    control::Intent intent;
    for (int f = 1; f < 120; ++f)
      intent = source->next(roots[static_cast<std::size_t>(std::max(f - late, 0))], 1.0 / 30);
    // Intents are 0.2 s ahead, as on paths.
    const float angle = roots[static_cast<std::size_t>(119 - late + 6)].facing_rad;
    const Vec3 velocity = intent.velocity_at(0), along{std::cos(angle), 0, -std::sin(angle)};
    EXPECT_GT(dot(velocity, along) / length(velocity), std::cos(0.35F));
    EXPECT_GT(length(velocity), 1.2F * kSpeed_mps);
    EXPECT_LT(length(velocity), 1.6F * kSpeed_mps);
  }
}

// The clip stands, then goes: its time goes on while it stands.
TEST(FollowRoots, GoesOnAfterAStand) {
  std::vector<PlanarRoot> roots(150);
  for (int f = 90; f < 150; ++f) roots[static_cast<std::size_t>(f)].position.z = static_cast<float>(f - 90) / 30;
  const auto source = follow_roots(roots, 30);
  PlanarRoot body;
  for (int f = 1; f < 150; ++f) {
    const control::Intent intent = source->next(body, 1.0 / 30);
    if (f < 75) {
      EXPECT_LT(length(intent.velocity_at(0)), 0.01F);
    }
    body.position += intent.velocity_at(0) * (1.0F / 30);
  }
  EXPECT_NEAR(body.position.z, 59.0F / 30, 0.15F);
}

TEST(FollowRoots, NeedsRootsAndARate) {
  EXPECT_DEATH(follow_roots({}, 30), "at least one root");
  EXPECT_DEATH(follow_roots({PlanarRoot{}}, 0), "at some rate");
}

}  // namespace
}  // namespace zoe::eval
