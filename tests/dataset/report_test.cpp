// SPDX-License-Identifier: MIT
#include <fstream>

#include <gtest/gtest.h>

#include "dataset/figures.h"

namespace zoe::dataset {
namespace {

TEST(Report, HoldsTheNumbersAndNothingFromElsewhere) {
  const auto folder = test::walk_folder("ds_report", 6);
  std::ofstream(folder / "a<b>.bvh") << "nonsense";
  std::ofstream(folder / "LICENSE") << "# CC0 1.0 Universal\n\nmore text\n";
  const auto options = test::build_options(folder, test::temporary_dir("ds_report_out"));
  ASSERT_TRUE(build(options));
  const auto files = test::contents(options.output);
  const std::string& page = files.at("report.html");
  EXPECT_NE(page.find("6 clips"), std::string::npos);
  EXPECT_NE(page.find("CC0 1.0 Universal"), std::string::npos);
  EXPECT_EQ(page.find("more text"), std::string::npos);
  EXPECT_NE(page.find("a&lt;b&gt;.bvh"), std::string::npos);
  EXPECT_EQ(page.find("a<b>"), std::string::npos);
  EXPECT_NE(page.find("unreadable"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_NE(page.find("subject2"), std::string::npos);
}

}  // namespace
}  // namespace zoe::dataset
