// SPDX-License-Identifier: MIT
// The command line's frame: help, version, exit codes, one-line errors.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/core/version.h"

#include "cli/run_zoe.h"
#include "support/data.h"

namespace zoe::test {
namespace {

void expect_one_line_error(const ZoeRun& run, int exit_code) {
  EXPECT_EQ(run.exit_code, exit_code) << run.err;
  EXPECT_TRUE(run.err.starts_with("zoe: ")) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

// Verb names as `zoe --help` lists them.
std::vector<std::string> listed_verbs() {
  std::vector<std::string> verbs;
  std::istringstream lines(run_zoe({"--help"}).out);
  bool in_list = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Verbs")) {
      in_list = true;
    } else if (line.empty()) {
      in_list = false;
    } else if (in_list) {
      std::istringstream(line) >> verbs.emplace_back();
    }
  }
  return verbs;
}

TEST(Frame, HelpListsVerbs) {
  const ZoeRun run = run_zoe({"--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("doctor"), std::string::npos);
  EXPECT_EQ(run.err, "");
}

TEST(Frame, EveryVerbHasHelpWithAnExample) {
  const auto verbs = listed_verbs();
  ASSERT_FALSE(verbs.empty());
  for (const std::string& verb : verbs) {
    const ZoeRun run = run_zoe({verb, "--help"});
    EXPECT_EQ(run.exit_code, 0) << verb;
    EXPECT_NE(run.out.find("Example:\n  zoe " + verb), std::string::npos) << run.out;
  }
}

TEST(Frame, Version) {
  const ZoeRun run = run_zoe({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "zoe " ZOE_VERSION_STRING "\n");
}

TEST(Frame, WithoutAVerbHelpsAndFails) {
  const ZoeRun run = run_zoe({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.out.find("Usage:"), std::string::npos);
}

TEST(Frame, UnknownVerbSuggestsTheNearest) {
  const ZoeRun run = run_zoe({"doktor"});
  expect_one_line_error(run, 2);
  EXPECT_NE(run.err.find("did you mean 'doctor'"), std::string::npos) << run.err;
}

TEST(Frame, TraceIsWrittenFromBothSidesOfTheVerb) {
  const std::string file = temporary_dir("trace") / "run.json";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--trace", file, "demo", "formats"}, {"demo", "formats", "--trace", file}}) {
    std::filesystem::remove(file);
    EXPECT_EQ(run_zoe(words).exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  expect_one_line_error(run_zoe({"demo", "formats", "--trace", "/proc/no/such/folder/run.json"}), 1);
}

TEST(Frame, UnknownOption) {
  expect_one_line_error(run_zoe({"--nonsense", "doctor"}), 2);
  expect_one_line_error(run_zoe({"doctor", "--nonsense"}), 2);
  expect_one_line_error(run_zoe({"doctor", "surplus"}), 2);
}

}  // namespace
}  // namespace zoe::test
