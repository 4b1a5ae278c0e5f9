// SPDX-License-Identifier: MIT
#include "zoe/author/labels.h"

#include <gtest/gtest.h>

#include "zoe/dataset/build.h"

#include "author/walks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

TEST(Labels, AreWordsByCommas) {
  EXPECT_TRUE(desired_labels({}).value().empty());
  const Labels labels = desired_labels({.styles = "old,proud", .actions = "sit"}).value();
  EXPECT_EQ(labels.styles, (std::vector<std::string>{"old", "proud"}));
  EXPECT_EQ(labels.actions, (std::vector<std::string>{"sit"}));
  for (const char* wrong : {"old,,proud", "", "old,old", "none,old", ",old"}) {
    const auto refused = desired_labels({.styles = wrong});
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_TRUE(test::contains(refused.error(), "--styles"));
  }
  EXPECT_TRUE(test::contains(desired_labels({.actions = "a,a"}).error(), "--actions"));
}

TEST(Labels, AutoStandsForActionsThatSpeedDoesNotTell) {
  const LabelRequest request{.actions = "auto"};
  EXPECT_TRUE(request.finds_actions());
  EXPECT_FALSE(LabelRequest{}.finds_actions());
  EXPECT_EQ(desired_labels(request).value().actions, (std::vector<std::string>{"crouch", "jump", "lie", "sit"}));
}

// Two walks called "old", one called "proud", by words in their names.
dataset::DatasetPtr labelled(const std::string& name, bool with_plain) {
  const fs::path folder = test::synthetic_walks(name, with_plain ? 4 : 3, 3);
  fs::rename(folder / "walk_0.bvh", folder / "old_0.bvh");
  fs::rename(folder / "walk_1.bvh", folder / "old_1.bvh");
  fs::rename(folder / "walk_2.bvh", folder / "proud_2.bvh");
  dataset::BuildOptions options;
  options.inputs = {folder};
  options.output = folder.parent_path() / "dataset";
  options.schema = schema_of(*find_type("mann").value(), {{"old", "proud", "sad"}, {}}).value();
  options.skeletons = dataset::Skeletons::kEach;
  EXPECT_TRUE(dataset::build(options));
  return dataset::Dataset::open(options.output).value();
}

TEST(Labels, ThatNoClipHasAreRefusedWithASuggestion) {
  const dataset::DatasetPtr data = labelled("labels_check", false);
  EXPECT_TRUE(check_labels(*data, {{"old", "proud"}, {}}));
  const auto refused = check_labels(*data, {{"prod"}, {}});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(test::contains(refused.error(), "'prod'"));
  EXPECT_TRUE(test::contains(refused.error(), "proud"));
}

TEST(Labels, ThatHoldForASecondAreKept) {
  const dataset::DatasetPtr data = labelled("labels_in", false);
  const Labels found = labels_in(*data, {{"old", "sad", "proud"}, {"sit"}});
  EXPECT_EQ(found.styles, (std::vector<std::string>{"old", "proud"}));
  EXPECT_TRUE(found.actions.empty());
}

TEST(Labels, TheUsualOneIsTheMostFrequentWhereNearlyAllDataHasOne) {
  EXPECT_EQ(usual_label(*labelled("labels_usual", false), {"proud", "old"}), "old");
  EXPECT_EQ(usual_label(*labelled("labels_unusual", true), {"proud", "old"}), "") << "a quarter has none";
  EXPECT_EQ(usual_label(*labelled("labels_nothing", false), {}), "");
}

}  // namespace
}  // namespace zoe::author
