// SPDX-License-Identifier: MIT
#include "zoe/eval/type_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/control/sources.h"
#include "zoe/control/style_mix.h"
#include "zoe/core/index.h"
#include "zoe/eval/courses.h"

namespace zoe::eval {
namespace {

constexpr int kSweepSteps = 5;  // Weights 0, ¼, ½, ¾, 1.

// Mean places of joints in root space over a straight walk, after it has begun.
struct Walk {
  std::vector<double> mean;
  double skate_cm_s = 0;
};

Walk walk_in(const control::Controller& controller, const control::Body& body, int style, float weight,
             double seconds) {
  auto source = make_course("straight", controller.motion_range().pace_mps, 1).value();
  if (weight > 0) {
    control::StyleMix mix{};
    mix[idx(style)] = weight;
    source = control::with_style_mix(std::move(source), mix);
  }
  const Recording recording = record(controller, *source, {.seconds = seconds, .fps = controller.rate_hz()});
  PoseSet poses;
  add_poses(recording.motion, recording.roots, 1, poses);
  Walk walk{std::vector<double>(3 * idx(poses.num_joints)),
            measure_motion(recording.motion, recording.roots, body.legs).foot_skate_cm_s};
  const int first = poses.size() / 4;
  for (int p = first; p < poses.size(); ++p)
    for (std::size_t i = 0; i < walk.mean.size(); ++i)
      walk.mean[i] += static_cast<double>(poses.places[idx(p) * walk.mean.size() + i]) / (poses.size() - first);
  return walk;
}

double apart(const Walk& a, const Walk& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.mean.size(); ++i) square += (a.mean[i] - b.mean[i]) * (a.mean[i] - b.mean[i]);
  return std::sqrt(square);
}

const Summary* find(const Evaluation& evaluation, const char* name) {
  for (const auto& [known, summary] : evaluation.metrics)
    if (known == name) return &summary;
  return nullptr;
}

std::string mean_of(const Evaluation& evaluation, const char* name) {
  const Summary* found = find(evaluation, name);
  return found != nullptr ? fmt::format("{:.3g}", found->mean) : "";
}

std::string ratio_of(const Evaluation& evaluation, const char* name) {
  const Summary* found = find(evaluation, name);
  return found != nullptr && found->reference.value_or(0) > 0 ? fmt::format("{:.2f}", found->mean / *found->reference)
                                                              : "";
}

// Foot skate over that of the source.
std::string skate_ratio(const Evaluation& evaluation, double skate_cm_s) {
  const Summary* found = find(evaluation, "foot_skate_cm_s");
  return found != nullptr && found->reference.value_or(0) > 0 ? fmt::format("{:.2f}", skate_cm_s / *found->reference)
                                                              : "";
}

std::string sticks_ratio(const Evaluation& evaluation) {
  const auto sticks = evaluation.courses.find("sticks");
  if (sticks == evaluation.courses.end()) return "";
  const auto skate = sticks->second.find("foot_skate_cm_s");
  return skate == sticks->second.end() ? "" : skate_ratio(evaluation, skate->second);
}

std::string held_out_of(const Evaluation& evaluation) {
  for (const auto& [name, summary] : evaluation.held_out.metrics)
    if (name == "path_error_cm") return fmt::format("{:.2g}", summary.mean);
  return "";
}

}  // namespace

double near_goals_share(const control::Controller& controller, const NearGoals& options) {
  constexpr float kStopped_mps = 0.2F;
  int reached = 0;
  for (int i = 0; i < options.num_goals; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(options.num_goals);
    control::Intent intent;
    const Vec3 goal{options.distance_m * std::sin(angle), 0, options.distance_m * std::cos(angle)};
    intent.goal = control::WantedPlace{goal, {}};
    const auto state = controller.make_state();
    const double dt_s = controller.step_s();
    for (double time_s = 0; time_s < options.seconds; time_s += dt_s) controller.tick(*state, intent, dt_s);
    const Vec3 off = state->root().position - goal;
    reached += std::hypot(off.x, off.z) < options.within_m && state->speed_mps() < kStopped_mps ? 1 : 0;
  }
  return static_cast<double>(reached) / std::max(options.num_goals, 1);
}

double course_skate_cm_s(const control::Controller& controller, const control::Body& body, const std::string& course,
                         int num_seeds, double seconds) {
  double sum = 0;
  for (int seed = 1; seed <= num_seeds; ++seed) {
    const auto source = make_course(course, body.motion_range.pace_mps, static_cast<std::uint64_t>(seed)).value();
    const Recording recording = record(controller, *source, {.seconds = seconds, .fps = controller.rate_hz()});
    sum += measure_motion(recording.motion, recording.roots, body.legs).foot_skate_cm_s;
  }
  return sum / std::max(num_seeds, 1);
}

StyleSweep sweep_styles(const control::Controller& controller, const control::Body& body, double seconds) {
  StyleSweep out{.num_styles = static_cast<int>(controller.styles().size())};
  if (out.num_styles == 0) return out;
  const Walk plain = walk_in(controller, body, 0, 0, seconds);
  for (int style = 0; style < out.num_styles; ++style) {
    const Walk full = walk_in(controller, body, style, 1, seconds);
    out.worst_skate_cm_s = std::max(out.worst_skate_cm_s, full.skate_cm_s);
    double before = apart(plain, full);
    bool monotone = before > 0;
    for (int step = 1; step < kSweepSteps && monotone; ++step) {
      const float weight = static_cast<float>(step) / (kSweepSteps - 1);
      const double now = step + 1 == kSweepSteps ? 0 : apart(walk_in(controller, body, style, weight, seconds), full);
      monotone = now < before;
      before = now;
    }
    out.num_monotone += monotone ? 1 : 0;
  }
  return out;
}

std::string to_type_table(std::span<const TypeRow> rows) {
  std::string out =
      "| run | type | data, min | tick, µs | model, MB | state, KB | foot skate / source | at speed | on sticks | "
      "on reversals | jerk / source | "
      "path error, cm | held out, cm | response, s | start, s | goals ½ m, % | goals, % | artefacts / min | Fréchet | "
      "styles monotone | worst skate, cm/s |\n|---|---|";
  for (int i = 0; i < 19; ++i) out += "---|";
  for (const TypeRow& row : rows) {
    const Evaluation& e = row.evaluation;
    out += fmt::format("\n| {} | `{}` |", e.subject, e.type);
    const auto cell = [&](const std::string& text) { out += " " + text + " |"; };
    cell(row.data_minutes > 0 ? fmt::format("{:.1f}", row.data_minutes) : "");
    cell(mean_of(e, "tick_us"));
    cell(mean_of(e, "model_mb"));
    cell(fmt::format("{:.1f}", row.state_kb));
    cell(ratio_of(e, "foot_skate_cm_s"));
    cell(ratio_of(e, "foot_skate_at_speed_cm_s"));
    cell(sticks_ratio(e));
    cell(skate_ratio(e, row.reversals_skate_cm_s));
    cell(ratio_of(e, "jerk_m_s3"));
    cell(mean_of(e, "path_error_cm"));
    cell(held_out_of(e));
    cell(mean_of(e, "response_s"));
    cell(mean_of(e, "start_s"));
    cell(fmt::format("{:.0f}", 100 * row.near_goals));
    cell(fmt::format("{:.0f}", 100 * row.goals));
    cell(mean_of(e, "artefacts_per_min"));
    cell(row.frechet_ratio ? fmt::format("{:.2f}", *row.frechet_ratio) : "");
    cell(row.styles.num_styles > 0 ? fmt::format("{} of {}", row.styles.num_monotone, row.styles.num_styles) : "");
    cell(row.styles.num_styles > 0 ? fmt::format("{:.1f}", row.styles.worst_skate_cm_s) : "");
  }
  return out + "\n";
}

}  // namespace zoe::eval
