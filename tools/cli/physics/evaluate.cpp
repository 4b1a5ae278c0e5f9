// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe eval physics`: figures of simulated bodies over clips, as a table or JSON.
#include "zoe/physics/evaluate.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"

#include "eval_physics.h"
#include "physics/body_file.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Metric {
  const char* name;
  const char* unit;
  std::optional<double> reference;  // The bar of the project, or the clip's own figure.
  std::vector<double> values = {};

  double mean() const {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  }
  double deviation() const {
    const double m = mean();
    double sum = 0;
    for (const double v : values) sum += (v - m) * (v - m);
    return values.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(values.size() - 1));
  }
};

struct Metrics {
  Metric error{"joint_error_cm", "cm", 3.0}, p95{"joint_error_p95_cm", "cm", {}};
  Metric assist{"assist_of_weight", "", {}}, stays{"no_fall_assisted", "", 1.0};
  Metric alone{"no_fall_alone", "", 0.8}, alone_s{"seconds_alone", "s", {}};
  Metric recovered{"pushes_recovered", "", 0.9}, falls{"falls_per_push", "", {}}, down{"down_s", "s", {}};
  Metric step{"largest_root_step_m", "m", {}};
  Metric depth{"penetration_cm", "cm", {}}, slide{"slide_m_s", "m/s", {}};
  Metric repeats{"hash_repeats", "", 1.0};
  Metric resets{"resets", "", 0.0};
  Metric target_depth{"", "", {}}, target_slide{"", "", {}};

  void add(const physics::ClipScore& s, double weight_n) {
    error.values.push_back(100 * s.assisted.mean_error_m), p95.values.push_back(100 * s.assisted.p95_error_m);
    assist.values.push_back(s.assisted.mean_assist_n / weight_n), stays.values.push_back(s.assisted.fall_s ? 0 : 1);
    alone.values.push_back(s.alone.fall_s ? 0 : 1), alone_s.values.push_back(s.alone.fall_s.value_or(s.duration_s));
    recovered.values.push_back(s.num_pushes > 0 ? static_cast<double>(s.num_recovered) / s.num_pushes : 1);
    falls.values.push_back(s.num_pushes > 0 ? static_cast<double>(s.num_falls) / s.num_pushes : 0);
    down.values.push_back(s.down_s), step.values.push_back(s.largest_step_m);
    depth.values.push_back(100 * s.assisted.penetration_m), slide.values.push_back(s.assisted.slide_m_s);
    target_depth.values.push_back(100 * s.assisted.target_penetration_m);
    target_slide.values.push_back(s.assisted.target_slide_m_s);
    depth.reference = target_depth.mean(), slide.reference = target_slide.mean();
    repeats.values.push_back(s.repeats ? 1 : 0), resets.values.push_back(s.assisted.num_bad + s.alone.num_bad);
  }
  std::vector<const Metric*> all() const {
    return {&error, &p95,  &assist, &stays, &alone, &alone_s, &recovered,
            &falls, &down, &step,   &depth, &slide, &repeats, &resets};
  }
};

}  // namespace

int run_eval_physics(const Arguments& arguments) {
  Options app;
  std::vector<std::string> files;
  std::string output, split = "given";
  physics::EvaluateOptions options;
  physics::BodyModelOptions model_options;
  int crowd = 100;
  double soak_minutes = 0;
  bool json = false;
  app.add_option("files", files, "Clips to follow; none of them was used for anything else")->required()->reads();
  app.add_option("--seconds", options.seconds, "Of each clip")->between(0.5, 600.0, "s")->capture_default_str();
  app.add_option("--assist", options.assist_share, "Largest force of the assist, of the weight")
      ->between(0, 100)
      ->capture_default_str();
  app.add_option("--seeds", options.num_seeds, "Pushes per clip, each from its own side")
      ->between(0, 1000)
      ->capture_default_str();
  app.add_option("--push", options.push_ns, "Of each push; smaller bodies than 70 kg get their share")
      ->between(0, 1e5, "N s")
      ->capture_default_str();
  app.add_option("--steps", model_options.steps_per_frame, "Simulation steps per frame of 1/60 s")
      ->between(1, 64)
      ->capture_default_str();
  app.add_option("--characters", crowd, "Characters of the speed test; 0: none")
      ->between(0, 10000)
      ->capture_default_str();
  app.add_option("--soak", soak_minutes, "Simulated minutes of random pushes, drops and teleports as well; 0: none")
      ->between(0, 1e4, "minutes")
      ->capture_default_str();
  app.add_option("--split", split, "Name of the set of clips, for the JSON")->capture_default_str();
  app.add_option("-o,--out", output, "Also write the JSON to a file")->writes();
  app.add_flag("--json", json, "Print JSON instead of a table");
  if (const auto exit = parse(app, arguments)) return *exit;
  Metrics metrics;
  Json extra = Json::object();
  for (const std::string& file : files) {
    const auto in_file = [&](const Error& e) { return print_error(Error{e.code, e.message, {.file = file}}); };
    Warnings warnings;
    const Result<BodyFile> body = load_body_file(file, {}, warnings);
    if (!body) return print_error(body.error());
    if (body->clip.is_rest()) return in_file({ErrorCode::kUsage, "contains no clip to follow", {}});
    const auto model = physics::BodyModel::create(body->plan, body->clip.motion.skeleton, model_options);
    if (!model) return in_file(model.error());
    const auto score = physics::evaluate_clip(*model, body->clip.motion, options);
    if (!score) return in_file(score.error());
    metrics.add(*score, body->plan.mass_kg * physics::kGravityM_s2);
    if (!quiet() && !json)
      fmt::print("{}: {:.1f} cm, {:.2f} of the weight, alone {}, {} of {} pushes recovered\n", file,
                 100 * score->assisted.mean_error_m, metrics.assist.values.back(),
                 score->alone.fall_s ? fmt::format("falls after {:.1f} s", *score->alone.fall_s) : "does not fall",
                 score->num_recovered, score->num_pushes);
    if (&file != &files.front()) continue;
    if (crowd > 0)
      extra["crowd_frame_ms"] = {{"mean", 1e3 * physics::crowd_frame_s(*model, body->clip.motion, crowd, 20)},
                                 {"std", 0},
                                 {"reference", 33.3}};
    if (soak_minutes > 0) {
      const auto report = physics::soak(*model, body->clip.motion, soak_minutes, 1);
      if (!report) return in_file(report.error());
      extra["soak_not_finite"] = {{"mean", report->num_not_finite}, {"std", 0}, {"reference", 0}};
      extra["soak_resets"] = {{"mean", report->num_resets}, {"std", 0}, {"reference", 0}};
      if (!quiet() && !json)
        fmt::print(
            "soak: {} ticks, {} pushes, {} drops, {} teleports, {} falls, {} get-ups; {} resets, {} ticks with "
            "numbers that are not finite; hash {:016x}\n",
            report->num_ticks, report->num_pushes, report->num_drops, report->num_teleports, report->num_falls,
            report->num_get_ups, report->num_resets, report->num_not_finite, report->hash);
    }
  }
  Json values = Json::object();
  for (const Metric* metric : metrics.all()) {
    Json one{{"mean", metric->mean()}, {"std", metric->deviation()}};
    if (metric->reference) one["reference"] = *metric->reference;
    values[metric->name] = std::move(one);
  }
  values.update(extra);
  const Json out{{"subject", "physics"},
                 {"split", split},
                 {"clips", files.size()},
                 {"seeds", options.num_seeds},
                 {"metrics", std::move(values)}};
  if (json) {
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("\n| over {} clips | mean | deviation | reference |\n|---|---|---|---|\n", files.size());
    for (const auto& [name, m] : out["metrics"].items())
      fmt::print("| {} | {:.3g} | {:.2g} | {} |\n", name, m["mean"].get<double>(), m["std"].get<double>(),
                 m.contains("reference") ? fmt::format("{:.3g}", m["reference"].get<double>()) : "-");
  }
  if (output.empty()) return kDone;
  const auto written = write_file_atomic(output, out.dump(2) + "\n");
  return written ? static_cast<int>(kDone) : print_error(written.error());
}

}  // namespace zoe::cli
