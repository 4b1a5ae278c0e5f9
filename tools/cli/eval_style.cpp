// SPDX-License-Identifier: MIT
#include "eval_style.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/author/evaluate_style.h"

#include "controller/print_listener.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const author::StyleScores& scores, const author::StyleReport& report) {
  const auto three = [](const std::array<double, 3>& values) {
    return Json{{"content", values[0]}, {"style", values[1]}, {"dynamics", values[2]}};
  };
  const auto parts_of = [&](const std::vector<std::string>& names, const auto& parts) {
    Json out = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i) {
      out[names[i]] = three(parts[i].accuracy);
      out[names[i]].update({{"skate", parts[i].skate}, {"jerk", parts[i].jerk}, {"windows", parts[i].num_windows}});
    }
    return out;
  };
  return {{"method", scores.method},
          {"clips", scores.num_clips},
          {"windows", scores.num_windows},
          {"accuracy", three(scores.accuracy)},
          {"lowest_seed", three(scores.lowest)},
          {"highest_seed", three(scores.highest)},
          {"frechet", scores.frechet},
          {"skate", scores.skate},
          {"jerk", scores.jerk},
          {"by_content", parts_of(report.contents, scores.by_content)},
          {"by_style", parts_of(report.styles, scores.by_style)}};
}

void print_scores(const author::StyleScores& s) {
  fmt::print("{:<32}{:>8.3f}{:>8.3f}{:>8.3f}{:>10.2f}{:>8.3f}{:>8.0f}{:>8}\n", s.method, s.accuracy[0], s.accuracy[1],
             s.accuracy[2], s.frechet, s.skate, s.jerk, s.num_windows);
}

void print_contents(const author::StyleReport& report, const author::StyleScores& s) {
  fmt::print("\n{}, by content{:>12}content   style dynamics   skate  (real)    jerk  (real)\n", s.method, "");
  for (std::size_t c = 0; c < report.contents.size(); ++c) {
    const auto& one = s.by_content[c];
    const auto& real = report.real.by_content[c];
    fmt::print("  {:<38}{:>7.3f}{:>8.3f}{:>9.3f}{:>8.3f}{:>8.3f}{:>8.0f}{:>8.0f}\n", report.contents[c],
               one.accuracy[0], one.accuracy[1], one.accuracy[2], one.skate, real.skate, one.jerk, real.jerk);
  }
}

void print_styles(const author::StyleReport& report, const author::StyleScores& s) {
  fmt::print("\n{}, by target style{:>8}content   style dynamics (real style, dynamics)\n", s.method, "");
  for (std::size_t i = 0; i < report.styles.size(); ++i) {
    const auto& one = s.by_style[i];
    const auto& real = report.real.by_style[i];
    fmt::print("  {:<38}{:>7.3f}{:>8.3f}{:>9.3f}", report.styles[i], one.accuracy[0], one.accuracy[1], one.accuracy[2]);
    if (real.num_windows > 0)
      fmt::print("{:>14.3f}{:>10.3f}\n", real.accuracy[1], real.accuracy[2]);
    else
      fmt::print("   nothing held out\n");
  }
}

}  // namespace

int run_eval_style(const Arguments& arguments) {
  Options app;
  author::EvaluateStyle job;
  std::vector<std::string> data;
  std::string model, judges, labels;
  bool json = false, no_interpolation = false, no_trivial = false;
  app.add_option("model", model, "Run of `zoe train style`; without it, real clips and trivial methods only")->reads();
  app.add_option("--data", data, "Folders of the clips that model and judges were trained on")->required()->reads();
  app.add_option("--judges", judges, "Folder of `zoe train judges`")->required()->reads();
  app.add_option("--labels", labels, "Table of NAME, CONTENT and STYLE, as in training")->reads();
  app.add_option("--held-out-takes", job.clips.held_out_takes, "As in training")
      ->between(0, 1000)
      ->capture_default_str();
  app.add_option("--left-out", job.left_out, "A style that the model was trained without: it is taken from one clip");
  app.add_option("--by-rule", job.clips.by_rule, "Procedural styles of each normal clip, as the judges know them")
      ->between(0, 8)
      ->capture_default_str();
  app.add_flag("--no-trivial", no_trivial, "Do not measure methods without the model, nor --apply change");
  app.add_flag("--no-interpolation", no_interpolation, "Do not measure the lines between styles");
  app.add_flag("--json", json, "Print everything as one object");
  if (const auto exit = parse(app, arguments)) return *exit;
  job.data.assign(data.begin(), data.end());
  job.model = model;
  job.judges = judges;
  job.clips.labels = labels;
  job.interpolation = !no_interpolation;
  job.trivial = !no_trivial;
  const Result<author::StyleReport> report = job.run(json ? author::Listener{} : print_listener());
  if (!report) return print_error(report.error());
  if (json) {
    Json methods = Json::array();
    for (const auto& one : report->methods) methods.push_back(to_json(one, *report));
    fmt::print("{}\n", Json{{"judges", report->judges_hash},
                            {"styles", report->styles},
                            {"contents", report->contents},
                            {"training_clips", report->num_training},
                            {"held_out_clips", report->num_held_out},
                            {"real", to_json(report->real, *report)},
                            {"methods", methods},
                            {"identity_cm", report->identity_cm},
                            {"interpolated_pairs", report->num_pairs},
                            {"steps_back", report->num_violations},
                            {"worst_step_back", report->worst_violation},
                            {"us_a_frame", report->us_a_frame},
                            {"crowd_tick_ms", report->crowd_tick_ms}}
                           .dump(2));
    return kDone;
  }
  fmt::print("judges {}; {} clips, {} held out\n\n", report->judges_hash, report->num_training, report->num_held_out);
  fmt::print("{:<32} content   style dynamics  Frechet   skate    jerk windows\n", "");
  print_scores(report->real);
  for (const auto& one : report->methods) print_scores(one);
  if (model.empty() || report->methods.empty()) return kDone;
  for (const auto& one : report->methods) {
    if (!one.method.starts_with("model")) continue;
    print_contents(*report, one);
    print_styles(*report, one);
    break;
  }
  if (!job.left_out.empty()) return kDone;
  fmt::print("\nidentity       {:.2f} cm\n", report->identity_cm);
  if (job.interpolation)
    fmt::print("interpolation  {} steps back of more than 0.01 on {} lines, the largest {:.3f}\n",
               report->num_violations, report->num_pairs, report->worst_violation);
  fmt::print("network        {:.0f} us a frame, one core\n", report->us_a_frame);
  fmt::print("crowd          {:.1f} ms for a tick of {} characters, all threads, without their controllers\n",
             report->crowd_tick_ms, author::StyleReport::kCrowd);
  return kDone;
}

}  // namespace zoe::cli
