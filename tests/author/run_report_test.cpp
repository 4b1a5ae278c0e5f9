// SPDX-License-Identifier: MIT
#include "zoe/author/run_report.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/dataset/build.h"

#include "author/walks.h"
#include "control/toy_controller.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// A run of nothing: what is told of it.
class Report : public testing::Test {
 protected:
  static const dataset::Dataset& data() {
    static const dataset::DatasetPtr built = [] {
      const fs::path folder = test::synthetic_walks("report_walks", 2, 3);
      dataset::BuildOptions options;
      options.inputs = {folder};
      options.output = folder.parent_path() / "dataset";
      options.schema = schema_of(*find_type("mann").value()).value();
      options.mirror = true;
      EXPECT_TRUE(dataset::build(options));
      return dataset::Dataset::open(options.output).value();
    }();
    return *built;
  }

  std::string write(std::vector<std::string> settings = {}) {
    control::Body body;
    body.skeleton = control::test::toy_skeleton();
    control::ControllerConfig config;
    config.licence = "CC0 <1.0>";
    eval::Evaluation evaluation;
    evaluation.subject = "walker";
    const RunReport report{*find_type("mann").value(), config, controller, body, data(), evaluation,
                           std::move(settings)};
    EXPECT_TRUE(write_run_report(report, run));
    return std::string(MappedFile::open(run / "report.html").value().text());
  }

  control::test::ToyController controller;
  fs::path run = zoe::test::temporary_dir("report");
};

TEST_F(Report, SaysWhatItWasMadeOf) {
  const std::string html = write({"train.steps=7", "model.hidden=8"});
  EXPECT_NE(html.find("walker, a mann controller"), std::string::npos);
  EXPECT_NE(html.find("2 clips and 2 mirrored"), std::string::npos);
  EXPECT_NE(html.find("train.steps=7, model.hidden=8"), std::string::npos);
  EXPECT_NE(html.find("CC0 &lt;1.0&gt;"), std::string::npos) << "escaped";
  EXPECT_NE(write().find("the type's own"), std::string::npos) << "no settings of the user";
}

TEST_F(Report, ShowsPicturesOnlyWhereTheyAre) {
  EXPECT_EQ(write().find("film.mp4"), std::string::npos);
  std::ofstream(run / "film.mp4") << "film";
  std::ofstream(run / "sheet.png") << "sheet";
  const std::string html = write();
  EXPECT_NE(html.find("<video src=\"film.mp4\""), std::string::npos);
  EXPECT_NE(html.find("<img src=\"sheet.png\""), std::string::npos);
}

TEST_F(Report, DrawsTheCurvesOfEveryTraining) {
  EXPECT_EQ(write().find("<h2>Training</h2>"), std::string::npos);
  for (const char* name : {"stepper", "decompressor"}) {
    fs::create_directories(run / name);
    std::ofstream log(run / name / "metrics.jsonl");
    for (int step = 0; step < 20; ++step) {
      log << "{\"step\":" << step << ",\"split\":\"training\",\"loss\":" << 1.0 / (step + 1) << "}\n";
      log << "{\"step\":" << step << ",\"split\":\"validation\",\"loss\":" << 2.0 / (step + 1) << "}\n";
    }
    log << "{\"step\":20,\"loss\":null}\nno json\n{\"step\":21";  // A line that was being written.
  }
  const std::string html = write();
  EXPECT_NE(html.find("<h2>Training</h2>"), std::string::npos);
  const std::size_t first = html.find("Loss of decompressor"), second = html.find("Loss of stepper");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second) << "by name";
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find("stepper/report.html"), std::string::npos);
}

TEST(Tour, IsACircleThenSticks) {
  const control::test::ToyController controller(60);
  const Motion tour = record_tour(controller, 1.3F);
  EXPECT_NEAR(tour.duration_s(), 10, 0.1);
  EXPECT_EQ(tour.fps, 60);
  EXPECT_TRUE(validate(tour));
  // The circle has a radius of two metres about (2, 0): after 5 s it is still on it.
  const Vec3 on_circle = tour.translations[static_cast<std::size_t>(300 * tour.num_joints())];
  EXPECT_NEAR(std::hypot(on_circle.x - 2, on_circle.z), 2, 0.3);
  EXPECT_EQ(record_tour(control::test::ToyController(20), 1.3F).fps, 30) << "films have at least thirty";
}

}  // namespace
}  // namespace zoe::author
