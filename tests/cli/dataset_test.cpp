// SPDX-License-Identifier: MIT
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_zoe.h"
#include "support/data.h"

namespace zoe::test {
namespace {

TEST(DatasetVerb, BuildInfoMerge) {
  const std::filesystem::path work = temporary_dir("cli_dataset");
  const std::string clips = (work / "clips").string(), out = (work / "data").string(),
                    merged = (work / "merged").string();
  ASSERT_EQ(run_zoe({"demo", "formats", "--out", clips}).exit_code, 0);
  // The same walk in several formats: bytes differ, joints do not.
  const ZoeRun built = run_zoe(
      {"dataset", "build", clips, "-o", out, "--mirror", "--validation", "0", "--test", "0", "--min-seconds", "0.1"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const ZoeRun info = run_zoe({"dataset", "info", out, "--json"});
  ASSERT_EQ(info.exit_code, 0);
  const auto json = nlohmann::json::parse(info.out);
  EXPECT_GE(json.at("clips").get<int>(), 2);
  EXPECT_EQ(json.at("groups").at(0).at("splits").at("train").at("clips"),
            json.at("groups").at(0).at("counts").at("clips"));
  EXPECT_EQ(json.at("groups").at(0).at("blocks").at("output").at(0), 16);
  EXPECT_NE(run_zoe({"dataset", "build", clips, "-o", out, "--mirror", "--validation", "0", "--test", "0",
                     "--min-seconds", "0.1"})
                .out.find("as before"),
            std::string::npos);
  for (const char* shard : {"0/2", "1/2"}) {
    ASSERT_EQ(run_zoe({"dataset", "build", clips, "-o", (work / "parts" / (std::string("part-") + shard[0])).string(),
                       "--shard", shard, "-q"})
                  .exit_code,
              0);
  }
  EXPECT_EQ(run_zoe({"dataset", "merge", (work / "parts").string(), "-o", merged}).exit_code, 0);
}

TEST(DatasetVerb, WrongUsage) {
  EXPECT_EQ(run_zoe({"dataset"}).exit_code, 2);
  EXPECT_EQ(run_zoe({"dataset", "--help"}).exit_code, 0);
  EXPECT_EQ(run_zoe({"dataset", "build", "--help"}).exit_code, 0);
  const ZoeRun typo = run_zoe({"dataset", "biuld", "x"});
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_NE(typo.err.find("did you mean 'build'"), std::string::npos) << typo.err;
  EXPECT_EQ(run_zoe({"dataset", "build", "x", "-o", "y", "--shard", "4/4"}).exit_code, 2);
  EXPECT_EQ(run_zoe({"dataset", "info", "/nowhere"}).exit_code, 1);
}

}  // namespace
}  // namespace zoe::test
