// SPDX-License-Identifier: MIT
#include "dataset/names.h"

#include <gtest/gtest.h>

#include "zoe/dataset/build.h"

#include "dataset/units.h"

namespace zoe::dataset {
namespace {

TEST(Names, Actors) {
  EXPECT_EQ(actor_of("walk1_subject5"), "subject5");  // LAFAN1
  EXPECT_EQ(actor_of("locomotion/07_12"), "07");      // CMU
  EXPECT_EQ(actor_of("take_Actor 3_run"), "actor3");
  EXPECT_EQ(actor_of("anna/walk_fast"), "anna");
  EXPECT_EQ(actor_of("people/anna/walk_fast"), "anna");
  EXPECT_EQ(actor_of("walk_fast"), "walk_fast");
  EXPECT_EQ(actor_of("submarine_12"), "submarine_12");  // Not a "sub" with a number.
}

TEST(Names, Labels) {
  const std::vector<std::string> labels{"walk", "walk-back", "old", "Run"};
  EXPECT_EQ(labels_of("dataset1/dataset-1_walk-back_old_001", labels),
            (std::vector<std::string>{"walk", "walk-back", "old"}));
  EXPECT_EQ(labels_of("RUN/sidewalk_bold", labels), (std::vector<std::string>{"Run"}));
}

TEST(Names, SplitSharesAndBuckets) {
  const SplitOptions options{.validation = 0.2, .test = 0.1};
  int counts[3] = {};
  std::vector<int> buckets(kNumBuckets);
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "clips/walk_" + std::to_string(i);
    ++counts[static_cast<int>(split_of(options, name))];
    ++buckets[static_cast<std::size_t>(bucket_of(name))];
  }
  EXPECT_NEAR(counts[0], 14000, 260);  // Four deviations of a binomial.
  EXPECT_NEAR(counts[1], 4000, 226);
  EXPECT_NEAR(counts[2], 2000, 170);
  for (const int count : buckets) EXPECT_NEAR(count, 20000.0 / kNumBuckets, 75);
}

TEST(Names, Shards) {
  EXPECT_EQ(parse_shard("2/5").value().index, 2);
  EXPECT_EQ(parse_shard("2/5").value().count, 5);
  for (const char* wrong : {"5/5", "-1/4", "1", "a/b", "1/", "1/4x", ""}) EXPECT_FALSE(parse_shard(wrong)) << wrong;
  ASSERT_EQ(setenv("OMPI_COMM_WORLD_RANK", "3", 1), 0);
  ASSERT_EQ(setenv("OMPI_COMM_WORLD_SIZE", "7", 1), 0);
  EXPECT_EQ(parse_shard("auto").value().index, 3);
  EXPECT_EQ(parse_shard("auto").value().count, 7);
  setenv("SLURM_PROCID", "1", 1);
  setenv("SLURM_NTASKS", "2", 1);
  EXPECT_EQ(parse_shard("auto").value().index, 1);
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS"})
    unsetenv(name);
  EXPECT_EQ(parse_shard("auto").value().count, 1);
}

TEST(Units, TheUsualOnesAreFound) {
  // A body of 4 m of bones in files of centimetres.
  EXPECT_EQ(choose_unit(400, 400, 0.01).metres_per_unit, 0.01);
  EXPECT_FALSE(choose_unit(300, 400, 0.01).differs);                       // A child.
  EXPECT_NEAR(choose_unit(4.1, 400, 0.01).metres_per_unit, 1.0, 1e-9);     // Metres.
  EXPECT_NEAR(choose_unit(4100, 400, 0.01).metres_per_unit, 0.001, 1e-9);  // Millimetres.
  EXPECT_NEAR(choose_unit(160, 400, 0.01).metres_per_unit, 0.01, 1e-9);    // 0.4 times: still a body.
  EXPECT_NEAR(choose_unit(152, 400, 0.01).metres_per_unit, 0.0254, 1e-6);  // Inches.
  EXPECT_EQ(choose_unit(1e9, 400, 0.01).metres_per_unit, 0);
  EXPECT_EQ(choose_unit(0, 400, 0.01).metres_per_unit, 0);
}

TEST(Names, SpeciesAreBodiesOfOneKind) {
  EXPECT_EQ(species_of("mesh2motion/fox-animations", true, "quadruped"), "fox");
  EXPECT_EQ(species_of("002_Squaresquid_Art", true, "octopod"), "squaresquid");
  EXPECT_EQ(species_of("Blob_Chicken", true, "other"), "blob chicken");
  EXPECT_EQ(species_of("Fish1", true, "fish"), species_of("more/Fish2", true, "fish"));
  EXPECT_EQ(species_of("D1_010_KAN01_001", false, "quadruped"), "quadruped");
  EXPECT_EQ(species_of("07_12", false, "biped"), "07");
  EXPECT_EQ(species_of("Knight", true, "biped"), "Knight");
  EXPECT_EQ(species_of("12", true, "snake"), "snake");
}

}  // namespace
}  // namespace zoe::dataset
