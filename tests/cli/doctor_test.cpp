// SPDX-License-Identifier: MIT
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>

#include "cli/run_zoe.h"

namespace zoe::test {
namespace {

TEST(Doctor, JsonNamesEveryProbeOnceAndMendsWhatIsNotWell) {
  // The OpenGL driver leaks a little, and is unloaded before the sanitizer could name it.
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  const ZoeRun run = run_zoe({"doctor", "--json"});
  ::unsetenv("ASAN_OPTIONS");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto findings = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_TRUE(findings.is_array());
  std::set<std::string> names;
  for (const auto& finding : findings) {
    EXPECT_TRUE(names.insert(finding.at("name")).second) << finding;
    EXPECT_FALSE(finding.at("value").get<std::string>().empty()) << finding;
    EXPECT_EQ(finding.at("state") == "ok", finding.at("remedy").get<std::string>().empty()) << finding;
  }
  for (const char* name : {"cpu", "instruction_sets", "kernels", "memory", "copy_bandwidth", "blas", "libtorch",
                           "opengl", "cuda", "blender", "node", "ffmpeg"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

// Value, state and remedy of the kernels' finding with ZOE_TARGET in the environment.
nlohmann::json kernels_with(const char* target) {
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  ::setenv("ZOE_TARGET", target, 1);
  const ZoeRun run = run_zoe({"doctor", "--json"});
  ::unsetenv("ZOE_TARGET");
  ::unsetenv("ASAN_OPTIONS");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const auto& finding : nlohmann::json::parse(run.out, nullptr, false))
    if (finding.at("name") == "kernels") return finding;
  return {};
}

TEST(Doctor, ReportsTheInstructionSetOfTheEnvironment) {
  const nlohmann::json scalar = kernels_with("scalar"), unknown = kernels_with("avx9");
  EXPECT_EQ(scalar.at("state"), "ok");
  EXPECT_NE(scalar.at("value").get<std::string>().find("ZOE_TARGET=scalar"), std::string::npos) << scalar;
  EXPECT_EQ(unknown.at("state"), "poor");
  EXPECT_NE(unknown.at("remedy").get<std::string>().find("scalar"), std::string::npos) << unknown;
}

}  // namespace
}  // namespace zoe::test
