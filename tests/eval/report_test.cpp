// SPDX-License-Identifier: MIT
// Reports for programs and for people: every field of the JSON, every cell of the tables; and the means behind them.
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/eval/evaluate.h"

#include "eval/motions.h"
#include "eval/table.h"
#include "support/data.h"

namespace zoe::eval {
namespace {

using Json = nlohmann::json;

Evaluation an_evaluation(const std::string& subject, double skate) {
  Evaluation out;
  out.subject = subject;
  out.type = "mann";
  out.num_seeds = 3;
  out.metrics = {{"foot_skate_cm_s", {skate, 0.5, 4.25, 7.5}}, {"path_error_cm", {12.5, 1.25, {}, 15}}};
  out.courses = {{"circle", {{"path_error_cm", 10}}}, {"square", {{"path_error_cm", 15}}}};
  return out;
}

// Cells of a Markdown table's line.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}
std::vector<std::vector<std::string>> rows_of(const std::string& markdown) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream stream(markdown);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("|")) rows.push_back(cells_of(line));
  }
  return rows;
}

TEST(ReportJson, HoldsEveryField) {
  Evaluation one = an_evaluation("run \"7\"", 5);
  const Json json = Json::parse(to_json({&one, 1}));
  EXPECT_EQ(json["subject"], "run \"7\"");
  EXPECT_EQ(json["kind"], "mann");
  EXPECT_EQ(json["split"], "closed loop");
  EXPECT_EQ(json["seeds"], 3);
  EXPECT_EQ(json["metrics"]["foot_skate_cm_s"], (Json{{"mean", 5.0}, {"std", 0.5}, {"max", 7.5}, {"reference", 4.25}}));
  EXPECT_EQ(json["metrics"]["path_error_cm"],
            (Json{{"mean", 12.5}, {"std", 1.25}, {"max", 15.0}, {"reference", nullptr}}));
  EXPECT_EQ(json["courses"]["square"]["path_error_cm"], 15);
  EXPECT_FALSE(json.contains("held_out"));
  EXPECT_FALSE(json.contains("endurance"));
}

TEST(ReportJson, KeepsTheOrderOfMeasures) {
  Evaluation one = an_evaluation("a", 5);
  const std::string text = to_json({&one, 1});
  EXPECT_LT(text.find("foot_skate_cm_s"), text.find("path_error_cm"));
  EXPECT_EQ(text.back(), '\n');
}

TEST(ReportJson, SeveralRunsAreAList) {
  const std::vector<Evaluation> two{an_evaluation("a", 5), an_evaluation("b", 6)};
  const Json json = Json::parse(to_json(two));
  ASSERT_TRUE(json.is_array());
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[1]["subject"], "b");
  EXPECT_EQ(json[1]["metrics"]["foot_skate_cm_s"]["mean"], 6.0);
}

TEST(ReportJson, HeldOutClipsAndEnduranceAreThereWhenTheyWereRun) {
  Evaluation one = an_evaluation("a", 5);
  one.held_out = {"validation", 7, 33.5, {{"place_error_cm", {8, 2, {}, 9}}}, {{"a.bvh", {{"place_error_cm", 9}}}}};
  one.endurance = Endurance{.minutes = 2,
                            .finite = false,
                            .restarts = 3,
                            .stuck_s = 1.5,
                            .longest_freeze_s = 0.25,
                            .worst_root_mps = 2,
                            .worst_joint_mps = 6,
                            .lowest_top_share = 0.75,
                            .height_drift_cm = -1,
                            .speed_error_drift_cm_s = 4};
  const Json json = Json::parse(to_json({&one, 1}));
  EXPECT_EQ(json["held_out"]["split"], "validation");
  EXPECT_EQ(json["held_out"]["clips"], 7);
  EXPECT_EQ(json["held_out"]["seconds"], 33.5);
  EXPECT_EQ(json["held_out"]["metrics"]["place_error_cm"]["mean"], 8.0);
  EXPECT_EQ(json["held_out"]["metrics"]["place_error_cm"]["max"], 9.0);
  EXPECT_EQ(json["held_out"]["by_clip"], (Json{{"a.bvh", {{"place_error_cm", 9.0}}}}));
  const Json expected{{"minutes", 2.0},           {"finite", 0.0},
                      {"restarts", 3.0},          {"stuck_s", 1.5},
                      {"longest_freeze_s", 0.25}, {"worst_root_m_s", 2.0},
                      {"worst_joint_m_s", 6.0},   {"lowest_top_share", 0.75},
                      {"height_drift_cm", -1.0},  {"speed_error_drift_cm_s", 4.0}};
  EXPECT_EQ(json["endurance"], expected);
}

TEST(ReportMarkdown, HasAColumnARunAndTheSourceLast) {
  std::vector<Evaluation> two{an_evaluation("a", 5), an_evaluation("b", 6.125)};
  two[1].metrics.emplace_back("only_in_b", Summary{1, 0, {}});
  const auto rows = rows_of(to_markdown(two));
  ASSERT_EQ(rows.size(), 5U);  // Head, rule, three measures.
  EXPECT_EQ(rows[0], (std::vector<std::string>{"", "a (mann)", "b (mann)", "source mocap"}));
  EXPECT_EQ(rows[1], (std::vector<std::string>(4, "---")));
  EXPECT_EQ(rows[2], (std::vector<std::string>{"foot_skate_cm_s", "5 ± 0.5", "6.12 ± 0.5", "4.25"}));
  EXPECT_EQ(rows[3], (std::vector<std::string>{"path_error_cm", "12.5 ± 1.2", "12.5 ± 1.2", ""}));
  EXPECT_EQ(rows[4], (std::vector<std::string>{"only_in_b", "", "1 ± 0", ""}));
}

TEST(ReportMarkdown, ReferencesThatDifferAreAllNamed) {
  std::vector<Evaluation> three{an_evaluation("a", 5), an_evaluation("b", 5), an_evaluation("c", 5)};
  three[1].metrics[0].second.reference = 9;
  three[2].metrics[0].second.reference = {};
  EXPECT_EQ(rows_of(to_markdown(three))[2].back(), "4.25 / 9 / -");
}

TEST(ReportMarkdown, EnduranceHasItsOwnTable) {
  std::vector<Evaluation> two{an_evaluation("a", 5), an_evaluation("b", 6)};
  two[1].endurance = Endurance{.minutes = 10, .restarts = 2};
  const std::string text = to_markdown(two);
  const auto rows = rows_of(text.substr(text.find("Random sticks:")));
  ASSERT_EQ(rows.size(), 12U);  // Head, rule, ten measures.
  EXPECT_EQ(rows[2], (std::vector<std::string>{"minutes", "", "10"}));
  EXPECT_EQ(rows[4], (std::vector<std::string>{"restarts", "", "2"}));
}

TEST(ReportHtml, HasATableARowAMeasureAndEscapes) {
  const std::vector<Evaluation> one{an_evaluation("<script>", 5)};
  const std::string html = to_html(one);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt; (mann)"), std::string::npos);
  EXPECT_NE(html.find("<svg"), std::string::npos);
  std::size_t rows = 0;
  for (std::size_t at = html.find("<tr"); at != std::string::npos; at = html.find("<tr", at + 1)) ++rows;
  EXPECT_EQ(rows, 3U);
}

TEST(Table, MeansDeviationsAndWeights) {
  Table table;
  for (const double value : {1.0, 2.0, 6.0}) table.add("b", value);
  table.add("a", 4);
  ASSERT_EQ(table.rows().size(), 2U);
  EXPECT_EQ(table.rows()[0].first, "b");  // As they came, not sorted.
  EXPECT_DOUBLE_EQ(Table::mean({1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(Table::deviation({1, 2, 6}), std::sqrt((4 + 1 + 9) / 2.0));
  EXPECT_EQ(Table::deviation({7}), 0);
  Table pairs;
  pairs.add("x", 1), pairs.add("x", 5);
  EXPECT_DOUBLE_EQ(pairs.weighted_means({3, 1}).at("x"), 2);
  const auto summaries = table.summaries({{"a", 9}});
  EXPECT_FALSE(summaries[0].second.reference);
  EXPECT_EQ(summaries[1].second.reference, 9);
  EXPECT_EQ(summaries[0].second.largest, 6);
}

TEST(WriteEvaluations, TheEndingSaysWhatIsWritten) {
  const Evaluation one = an_evaluation("run", 5);
  const std::filesystem::path folder = zoe::test::temporary_dir("evaluations");
  const auto written = [&](const char* name) {
    EXPECT_TRUE(write_evaluations(folder / name, {&one, 1}));
    return std::string(MappedFile::open(folder / name).value().text());
  };
  EXPECT_EQ(written("a.json"), to_json({&one, 1}));
  EXPECT_EQ(written("a.svg"), to_svg({&one, 1}));
  EXPECT_EQ(written("a.md"), to_markdown({&one, 1}));
  EXPECT_EQ(written("a.txt"), to_markdown({&one, 1}));
  const std::string page = written("a.html");
  EXPECT_NE(page.find("<html"), std::string::npos);
  EXPECT_NE(page.find(to_html({&one, 1})), std::string::npos);
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_FALSE(write_evaluations(folder / "a.md" / "b.md", {&one, 1})) << "a file is no folder";
}

TEST(Evaluate, AnObedientControllerHasKnownMeasures) {
  const test::ObedientController controller(control::test::toy_skeleton(), 30);
  control::Body body;
  body.skeleton = controller.skeleton();
  const Evaluation found =
      evaluate(controller, body, nullptr, {.courses = {"straight", "square"}, .num_seeds = 2, .seconds = 8}).value();
  const std::map<std::string, Summary> metrics(found.metrics.begin(), found.metrics.end());
  EXPECT_EQ(found.type, "obedient");
  EXPECT_EQ(found.courses.size(), 2U);
  EXPECT_DOUBLE_EQ(metrics.at("model_mb").mean, 2.5);
  EXPECT_EQ(metrics.at("recoveries").mean, 0);
  EXPECT_LT(found.courses.at("straight").at("path_error_cm"), 1);
  EXPECT_LT(metrics.at("response_s").mean, 0.15);
  EXPECT_FALSE(metrics.contains("nearest_pose_cm"));
  // A mean over all is the mean over courses of equal numbers of runs.
  EXPECT_NEAR(metrics.at("path_error_cm").mean,
              (found.courses.at("straight").at("path_error_cm") + found.courses.at("square").at("path_error_cm")) / 2,
              1e-9);
}

}  // namespace
}  // namespace zoe::eval
