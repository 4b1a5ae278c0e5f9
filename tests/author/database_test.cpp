// SPDX-License-Identifier: MIT
#include "zoe/author/database.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/features/frame_rows.h"
#include "zoe/store/safetensors.h"

#include "control/walkers.h"
#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::author {
namespace {

using control::DatabaseClip;
using control::Match;
using control::MotionDatabase;
using features::BlockKind;

TEST(MatchDatabase, HasTheDatasetsRowsAndTheClipsPoses) {
  const test::Walkers walkers = test::make_walkers(2);
  const MotionDatabase database = walkers.database();
  ASSERT_EQ(database.num_dims(), 27);
  ASSERT_EQ(database.num_frames(), database.end_of(1));
  // Weights: a group's mean deviation is its channel's weight.
  std::vector<double> sums(27), squares(27);
  std::vector<float> row(27);
  for (int f = 0; f < database.num_frames(); ++f) {
    database.features(f, row);
    for (std::size_t i = 0; i < 27; ++i) {
      sums[i] += static_cast<double>(row[i]);
      squares[i] += static_cast<double>(row[i]) * static_cast<double>(row[i]);
    }
  }
  const double count = database.num_frames();
  double feet = 0;
  for (std::size_t i = 0; i < 6; ++i) feet += std::sqrt(squares[i] / count - sums[i] / count * (sums[i] / count)) / 6;
  EXPECT_NEAR(feet, 0.75, 1e-3);

  // Poses with their roots are the clip's, joint by joint in model space.
  const Skeleton& skeleton = *walkers.skeleton;
  Pose pose = make_pose(skeleton);
  std::vector<Affine> got(idx(skeleton.num_joints())), wanted(got);
  for (const int f : {0, 17, 100}) {
    const Motion& clip = walkers.clips[1];
    database.pose(database.begin_of(1) + f, pose);
    const PlanarRoot& root = database.root(database.begin_of(1) + f);
    compute_model_from_joint(skeleton, pose.view(), got);
    compute_model_from_joint(skeleton, clip.frame(f), wanted);
    for (std::size_t j = 0; j < got.size(); ++j) {
      const Vec3 place = root.position + rotate(rotation_of(root), got[j].t);
      EXPECT_LT(distance(place, wanted[j].t), 1e-4F) << skeleton.name(static_cast<int>(j));
    }
  }
}

// What a character asks for when it is led along a clip's own roots is that clip's own features.
TEST(MatchDatabase, QueriesAlongAClipEqualItsFeatures) {
  const test::Walkers walkers = test::make_walkers(2);
  const MotionDatabase database = walkers.database();
  const features::Layout& layout = database.layout();
  const auto trajectory = layout.find_column(BlockKind::kInput, "root.position");
  ASSERT_TRUE(trajectory);
  for (int f = database.begin_of(1); f + 60 < database.end_of(1); f += 13) {
    auto series = features::ControlSeries::standing({0, 1, 4}, {});
    for (int i = 0; i < 4; ++i) series.roots[idx(i)] = database.root(f + 20 * i);
    std::vector<float> wanted(27), got(27);
    database.features(f, wanted);
    got = wanted;
    database.normalisation().undo(got);
    for (std::size_t c = idx(trajectory->begin); c < 27; ++c) got[c] = 99;
    features::encode_trajectory(layout, BlockKind::kInput, database.root(f), series, got);
    database.normalisation().apply(got);
    for (std::size_t c = 0; c < 27; ++c) EXPECT_NEAR(got[c], wanted[c], 1e-4) << f << " " << c;
  }
}

TEST(MatchDatabase, LeavesOutTheEndsOfClips) {
  const test::Walkers walkers = test::make_walkers(2);
  const MotionDatabase database = walkers.database();
  EXPECT_EQ(database.index().num_candidates(), database.num_frames() - 2 * 20);
  std::vector<float> row(27);
  for (const int frame : {database.end_of(0) - 1, database.end_of(1) - 20}) {
    database.features(frame, row);
    const Match match = database.index().find({.features = row});
    EXPECT_NE(match.frame, frame);
    EXPECT_LT(match.frame, database.end_of(database.clip_of(match.frame)) - 20);
  }
}

TEST(MatchDatabase, ClipsComeAndGoWithoutTouchingTheOthers) {
  const test::Walkers walkers = test::make_walkers(3);
  const auto sources = walkers.sources();
  const auto first = build_database(walkers.layout, walkers.skeleton, std::span(sources).first(2));
  ASSERT_TRUE(first) << first.error().format();
  const auto more = with_clips(*first, std::span(sources).subspan(2));
  ASSERT_TRUE(more) << more.error().format();
  EXPECT_EQ(more->clips().size(), 3U);
  EXPECT_EQ(more->clips()[0], first->clips()[0]);  // The same memory.
  std::vector<float> before(27), after(27);
  first->features(30, before);
  more->features(30, after);
  EXPECT_EQ(before, after);
  // Its new frames are found, and are gone again with their clip.
  more->features(more->begin_of(2) + 40, after);
  EXPECT_EQ(more->index().find({.features = after}).frame, more->begin_of(2) + 40);
  const auto less = without_clip(*more, sources[0].name);
  ASSERT_TRUE(less);
  EXPECT_EQ(less->num_frames(), more->num_frames() - more->end_of(0));
  EXPECT_EQ(less->index().find({.features = after}).frame, more->begin_of(2) + 40 - more->end_of(0));
  const auto wrong = without_clip(*more, "walk_O");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("walk_0"), std::string::npos) << wrong.error().message;
}

TEST(MatchDatabase, LabelsAreTags) {
  test::Walkers walkers = test::make_walkers(2, "[labels]\nstyles = [\"proud\", \"sad\"]\n", "\"style\", ");
  const std::vector<features::LabelTrack> labels[] = {{{"proud", 1, {}}}, {{"sad", 1, {}}}};
  walkers.label(labels);
  const MotionDatabase database = walkers.database();
  ASSERT_EQ(database.tag_names().size(), 2U);
  std::vector<float> row(idx(database.num_dims()));
  database.features(50, row);
  EXPECT_EQ(database.index().find({.features = row, .all_of = 1}).frame, 50);
  const Match other = database.index().find({.features = row, .all_of = 2});
  EXPECT_EQ(database.clip_of(other.frame), 1);
  EXPECT_EQ(database.index().find({.features = row, .none_of = 1}), other);
  EXPECT_EQ(database.index().find({.features = row, .all_of = 3}), Match{});
}

TEST(MatchDatabase, ComesBackFromItsFile) {
  const test::Walkers walkers = test::make_walkers(2);
  const MotionDatabase database = walkers.database();
  const auto path = test::temporary_dir("match_database") / "database.safetensors";
  ASSERT_TRUE(database.save(path, "CC0"));
  const auto again = MotionDatabase::load(path, walkers.skeleton);
  ASSERT_TRUE(again) << again.error().format();
  EXPECT_EQ(again->num_frames(), database.num_frames());
  EXPECT_EQ(again->clips()[1]->name, database.clips()[1]->name);
  std::vector<float> row(27), row_again(27);
  for (const int f : {0, 99, database.num_frames() - 1}) {
    database.features(f, row);
    again->features(f, row_again);
    EXPECT_EQ(row, row_again);
    EXPECT_EQ(database.index().find({.features = row}), again->index().find({.features = row}));
    EXPECT_EQ(database.root(f).position, again->root(f).position);
  }

  // A skeleton with another joint name is refused by that name.
  std::vector<JointDesc> joints(walkers.skeleton->joints().begin(), walkers.skeleton->joints().end());
  joints[3].name = "tentacle";
  const auto wrong = MotionDatabase::load(path, Skeleton::create(joints).value());
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().format().find("tentacle"), std::string::npos) << wrong.error().format();
}

TEST(MatchDatabase, DamagedFilesAreRefused) {
  const test::Walkers walkers = test::make_walkers(1, "", "", 40);
  const auto path = test::temporary_dir("match_damaged") / "database.safetensors";
  const auto database = build_database(walkers.layout, walkers.skeleton, walkers.sources(), {.skip_last_frames = 5});
  ASSERT_TRUE(database) << database.error().format();
  ASSERT_TRUE(database->save(path, "CC0"));
  const MappedFile file = MappedFile::open(path).value();
  test::MutateOptions options;
  options.flips = test::kSanitized ? 50 : 300;
  int accepted = 0;
  const auto read = [&](std::span<const std::byte> damaged) {
    accepted += MotionDatabase::from_bytes(damaged, walkers.skeleton).has_value() ? 1 : 0;
  };
  test::expect_survives_damage("a motion database", file.bytes(), read, options);
  EXPECT_EQ(accepted, 0);

  // Without the checksum damage comes further; what is read then can still be used.
  const auto bare = path.parent_path() / "bare.safetensors";
  {
    const Safetensors whole = Safetensors::open(path).value();
    Metadata words = whole.metadata();
    words.erase(kChecksumKey);
    ASSERT_TRUE(write_safetensors(bare, whole.tensors(), words));
  }
  const MappedFile bare_file = MappedFile::open(bare).value();
  const auto use = [&](std::span<const std::byte> damaged) {
    const auto got = MotionDatabase::from_bytes(damaged, walkers.skeleton);
    if (!got) return;
    ++accepted;
    std::vector<float> row(idx(got->num_dims()));
    got->features(0, row);
    EXPECT_EQ(got->index().find({.features = row}), got->index().find_by_scan({.features = row}));
  };
  test::expect_survives_damage("a motion database without a checksum", bare_file.bytes(), use, options);
  EXPECT_GT(accepted, 0);
}

TEST(MatchDatabase, SaysWhatIsMissing) {
  const test::Walkers walkers = test::make_walkers(1, "", "", 15);
  const auto database = walkers.try_database();
  ASSERT_FALSE(database);
  EXPECT_NE(database.error().message.find("shorter"), std::string::npos);
  const auto weights = build_database(walkers.layout, walkers.skeleton, walkers.sources(), {.weights = {1, 2}});
  ASSERT_FALSE(weights);
  EXPECT_NE(weights.error().message.find("5 channels"), std::string::npos);
}

}  // namespace
}  // namespace zoe::author
