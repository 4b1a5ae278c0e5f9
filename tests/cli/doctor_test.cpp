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

}  // namespace
}  // namespace zoe::test
