// SPDX-License-Identifier: MIT
// metrics.jsonl and its twin for TensorBoard: every row in both, resumed logs, damaged lines; and the page of them.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"

#include "support/data.h"
#include "train/event_reader.h"
#include "train/metrics.h"
#include "train/report.h"

namespace zoe::train {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}
MetricRow row(std::int64_t step, double loss, const std::string& split = "training") {
  return {
      .step = step, .epoch = static_cast<double>(step) / 3, .split = split, .values = {{"loss", loss}, {"rate", 1e-3}}};
}
void append_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app | std::ios::binary) << text;
}

TEST(MetricLog, ARowIsALineOfJson) {
  const auto folder = zoe::test::temporary_dir("metrics_lines");
  MetricLog log = MetricLog::open(folder, 0).value();
  ASSERT_TRUE(log.add(row(1, 0.5)));
  ASSERT_TRUE(log.add(row(2, 0.25, "validation")));
  const std::vector<std::string> lines = lines_of(folder / "metrics.jsonl");
  ASSERT_EQ(lines.size(), 2U);
  const auto first = nlohmann::json::parse(lines[0]), second = nlohmann::json::parse(lines[1]);
  EXPECT_EQ(first["step"], 1);
  EXPECT_EQ(first["split"], "training");
  EXPECT_EQ(first["loss"], 0.5);
  EXPECT_EQ(first["rate"], 1e-3);
  EXPECT_NEAR(first["epoch"].get<double>(), 0.3333, 1e-9);  // Four digits are enough.
  EXPECT_EQ(second["split"], "validation");
  EXPECT_LT(lines[0].find("\"step\""), lines[0].find("\"loss\""));
}

TEST(MetricLog, ComesBackAsItWas) {
  const auto folder = zoe::test::temporary_dir("metrics_back");
  MetricLog log = MetricLog::open(folder, 0).value();
  for (std::int64_t step = 1; step <= 40; ++step) ASSERT_TRUE(log.add(row(step, 1.0 / static_cast<double>(step))));
  const std::vector<MetricRow> rows = read_metrics(folder / "metrics.jsonl").value();
  ASSERT_EQ(rows.size(), 40U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MetricRow expected = row(static_cast<std::int64_t>(i + 1), 1.0 / static_cast<double>(i + 1));
    EXPECT_EQ(rows[i].step, expected.step);
    EXPECT_EQ(rows[i].split, expected.split);
    EXPECT_EQ(rows[i].values, expected.values);
    EXPECT_NEAR(rows[i].epoch, expected.epoch, 5e-5);
  }
}

TEST(MetricLog, TensorBoardSeesTheSame) {
  const auto folder = zoe::test::temporary_dir("metrics_events");
  MetricLog log = MetricLog::open(folder, 0).value();
  ASSERT_TRUE(log.add(row(7, 0.75, "validation")));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("events.")) files.push_back(entry.path());
  }
  ASSERT_EQ(files.size(), 1U);
  const std::vector<test::Event> events = test::read_events(files[0]);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].step, 7);
  EXPECT_EQ(events[1].scalars.at(0), (std::pair<std::string, float>{"validation/loss", 0.75F}));
  EXPECT_EQ(events[1].scalars.at(1).first, "validation/rate");
}

TEST(MetricLog, NumbersThatAreNoneAreNull) {
  const auto folder = zoe::test::temporary_dir("metrics_null");
  MetricLog log = MetricLog::open(folder, 0).value();
  ASSERT_TRUE(log.add({1, 0, "training", {{"loss", NAN}, {"rate", INFINITY}, {"norm", 2}}}));
  const auto json = nlohmann::json::parse(lines_of(folder / "metrics.jsonl")[0]);
  EXPECT_TRUE(json["loss"].is_null());
  EXPECT_TRUE(json["rate"].is_null());
  // Read back they are not there at all.
  EXPECT_EQ(read_metrics(folder / "metrics.jsonl").value()[0].values, (Scalars{{"norm", 2}}));
}

TEST(MetricLog, AResumedLogDropsWhatCameAfterTheCheckpoint) {
  const auto folder = zoe::test::temporary_dir("metrics_resume");
  {
    MetricLog log = MetricLog::open(folder, 0).value();
    for (std::int64_t step = 10; step <= 50; step += 10) ASSERT_TRUE(log.add(row(step, 1)));
  }
  append_text(folder / "metrics.jsonl", R"({"step": 20, "spl)");  // Cut by a crash.
  MetricLog log = MetricLog::open(folder, 30).value();
  ASSERT_TRUE(log.add(row(31, 2)));
  const std::vector<MetricRow> rows = read_metrics(folder / "metrics.jsonl").value();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].step, 30);
  EXPECT_EQ(rows[3].step, 31);
  // A new run starts afresh.
  EXPECT_TRUE(MetricLog::open(folder, 0));
  EXPECT_TRUE(read_metrics(folder / "metrics.jsonl").value().empty());
}

TEST(MetricLog, LinesThatAreNoRowsArePassedOver) {
  const auto path = zoe::test::temporary_dir("metrics_odd") / "metrics.jsonl";
  append_text(path, "\n[1, 2]\nnonsense\n{\"step\": \"one\", \"split\": \"training\"}\n{\"step\": 1}\n");
  append_text(path, R"({"step": 4, "split": 7})"
                    "\n"
                    R"({"step": 5, "split": "training", "loss": 1, "note": "x"})"
                    "\n");
  const std::vector<MetricRow> rows = read_metrics(path).value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].step, 5);
  EXPECT_EQ(rows[0].values, (Scalars{{"loss", 1}}));
  const auto missing = read_metrics(path.parent_path() / "none.jsonl");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
}

TEST(Report, HasACurveAMeasureAndEscapesWhatItWasGiven) {
  const auto folder = zoe::test::temporary_dir("metrics_report");
  MetricLog log = MetricLog::open(folder, 0).value();
  for (std::int64_t step = 1; step <= 20; ++step) {
    ASSERT_TRUE(log.add(row(step, 1.0 / static_cast<double>(step))));
    ASSERT_TRUE(log.add({step, 0, "validation", {{"loss", 2.0 / static_cast<double>(step)}}}));
  }
  ASSERT_TRUE(write_report(folder, {"a <b> run", {{"best", "<0.1>"}}, "[train]\nseed = 1 # <&>\n"}));
  const MappedFile file = MappedFile::open(folder / "report.html").value();
  const std::string html(file.text());
  EXPECT_EQ(html.find("<b> run"), std::string::npos);
  EXPECT_NE(html.find("a &lt;b&gt; run"), std::string::npos);
  EXPECT_NE(html.find("&lt;0.1&gt;"), std::string::npos);
  EXPECT_NE(html.find("seed = 1 # &lt;&amp;&gt;"), std::string::npos);
  std::size_t plots = 0;
  for (std::size_t at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1)) ++plots;
  EXPECT_EQ(plots, 2U);                                             // Loss and rate.
  EXPECT_EQ(html.find("http://"), html.find("http://www.w3.org"));  // Nothing is fetched.
  EXPECT_FALSE(write_report(folder / "none", {}));
}

}  // namespace
}  // namespace zoe::train
