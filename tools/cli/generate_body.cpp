// SPDX-License-Identifier: MIT
#include "generate_body.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "zoe/anatomy/find_root.h"
#include "zoe/author/planned_instead.h"
#include "zoe/core/progress.h"
#include "zoe/core/suggest.h"
#include "zoe/features/action_words.h"
#include "zoe/generate/body_model.h"
#include "zoe/generate/cycle.h"
#include "zoe/generate/motion_quality.h"
#include "zoe/generate/path_frames.h"
#include "zoe/generate/plant_feet.h"

#include "body_model_option.h"
#include "edit/edit.h"
#include "film.h"
#include "metric_body.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BodyRequest {
  std::string model, skeleton, action, text, output, overrides, sampler, trajectory, weights, source = "auto";
  std::optional<double> seconds;
  double guidance = 1, smooth_frames = 1, gain = 0;
  int samples = 1, steps = 0;
  std::uint64_t seed = 1;
  bool json = false, keep_feet = false, loop = false;
};

// The words of --action and --text. An action must be known; of a text, what is not known is reported.
Result<features::ReadWords> read_words(const BodyRequest& request) {
  features::ReadWords words = features::read_action_words(request.action);
  if (!request.action.empty() && words.actions.empty()) {
    std::vector<std::string> known;
    for (const std::string_view word : features::action_vocabulary()) known.emplace_back(word);
    return Error{ErrorCode::kUsage, fmt::format("--action {}: no such action{}; there are: {}", request.action,
                                                did_you_mean(request.action, known), fmt::join(known, ", "))};
  }
  const features::ReadWords text = features::read_action_words(request.text);
  words.actions.insert(words.actions.end(), text.actions.begin(), text.actions.end());
  words.not_used = text.not_used;
  return words;
}

std::string numbered(const std::string& output, int sample, int count) {
  if (count == 1) return output;
  const std::filesystem::path path(output);
  return (path.parent_path() / fmt::format("{}_{}{}", path.stem().string(), sample + 1, path.extension().string()))
      .string();
}

Json to_json(const generate::MotionQuality& q) {
  return {{"foot_skate_m_s", q.foot_skate_m_s},
          {"low_foot_speed_m_s", q.low_foot_speed_m_s},
          {"contact_share", q.contact_share},
          {"penetration_m", q.penetration_m},
          {"jerk_m_s3", q.jerk_m_s3},
          {"bone_error", q.bone_error},
          {"travel_m", q.travel_m},
          {"speed_m_s", q.gait.speed_m_s},
          {"step_speed_m_s", q.gait.step_speed_m_s},
          {"gait", generate::to_string(q.gait.verdict)},
          {"hover_m", q.gait.hover_m},
          {"sink_m", q.gait.sink_m}};
}

Json to_json(const generate::PlantReport& r) {
  return {{"loose_feet", r.num_loose_feet},
          {"loose_parts", r.num_loose_parts},
          {"stepping_legs", r.num_stepping},
          {"speed_as_generated_m_s", r.speed_before_m_s},
          {"speed_m_s", r.speed_m_s},
          {"slide_before_m_s", r.feet.slide_before_m_s},
          {"slide_after_m_s", r.feet.slide_after_m_s},
          {"stride_stretch", r.stride_stretch},
          {"raised_m", r.raised_m},
          {"pose_change_m", r.change_m}};
}

constexpr double kUsual_s = 4, kMost_s = 600;

// How long the motion is: as requested; along a path as long as the body usually needs; else 4 s.
int frames_of(const BodyRequest& request, const generate::BodyLayout& layout, double path_m,
              const std::vector<int>& actions) {
  double seconds = request.seconds.value_or(kUsual_s);
  if (!request.seconds && path_m > 0) {
    const bool runs = std::any_of(actions.begin(), actions.end(), [](int action) {
      return features::action_vocabulary()[static_cast<std::size_t>(action)] == "run";
    });
    seconds = std::clamp(path_m / generate::usual_speed_m_s(layout.tokens, runs), 0.5, kMost_s);
  }
  return std::max(1, static_cast<int>(std::lround(seconds * layout.layout.fps())));
}

double length_of(const GroundPath& path) {
  double length_m = 0;
  for (std::size_t i = 1; i < path.positions.size(); ++i)
    length_m += double{distance(path.positions[i - 1], path.positions[i])};
  if (path.closed && !path.positions.empty())
    length_m += double{distance(path.positions.back(), path.positions.front())};
  return length_m;
}

// Mean distance over the ground between where the body is and where the path says.
double mean_path_error_m(const Motion& motion, const SkeletonAnalysis& analysis,
                         const std::vector<PlanarRoot>& wanted) {
  const RootTrajectory made = find_root(motion, analysis);
  const std::size_t count = std::min(made.roots.size(), wanted.size());
  double sum = 0;
  for (std::size_t f = 0; f < count; ++f) {
    const Vec3 d = made.roots[f].position - wanted[f].position;
    sum += std::hypot(double{d.x}, double{d.z});
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

// Short motions are finished before a line of progress could be read.
bool shows_progress(const BodyRequest& request, int frames) {
  constexpr int kShort = 600;
  return !quiet() && !request.json && frames > kShort;
}

// Writes one motion, and says what is known about it.
Result<Json> write_sample(const BodyRequest& request, const MetricBody& body, const Motion& motion, int sample,
                          double seconds_taken, const Json& facts) {
  const std::string path = numbered(request.output, sample, request.samples);
  const Motion written = in_file_unit(motion, body);
  if (is_film(path)) {
    const int exit = write_film(
        written, {.output = path, .style = film_style(path), .fps = motion.fps, .body = &body.displayed}, true);
    if (exit != kDone) return Error{ErrorCode::kIo, "the film was not written", {.file = path}};
  } else {
    ZOE_TRY(write_motion(written, path, &body.displayed));
  }
  Json made{{"file", path},
            {"seed", request.seed + static_cast<std::uint64_t>(sample)},
            {"frames", motion.num_frames},
            {"fps", motion.fps},
            {"seconds_taken", seconds_taken}};
  const Result<generate::MotionQuality> quality = generate::measure_quality(motion, body.analysis);
  made["quality"] = quality ? to_json(*quality) : Json{{"not_measured", quality.error().message}};
  made.update(facts);
  if (!quiet() && !request.json)
    fmt::print("{}: {} frames at {:g} fps in {:.2f} s, {}; feet slide {:.3f} m/s, {:.3f} m below the ground\n", path,
               motion.num_frames, motion.fps, seconds_taken, facts["source"].get<std::string>(),
               quality ? quality->foot_skate_m_s : 0, quality ? quality->penetration_m : 0);
  return made;
}

Result<void> close_loop(const BodyRequest& request, const MetricBody& body, Motion& motion, Json& facts) {
  if (!request.loop) return {};
  Result<generate::Cycle> cycle = generate::make_cycle(motion, body.analysis, {.plant_feet = !request.keep_feet});
  if (!cycle) return Error{cycle.error().code, cycle.error().message + ": ask for more --seconds", {}};
  facts["loop"] = {{"frames", {cycle->range.begin, cycle->range.end}},
                   {"distance_m", cycle->range.distance_m},
                   {"seam_ratio", cycle->seam_ratio}};
  motion = std::move(cycle->motion);
  return {};
}

// Where the generated motion does not travel as its action says, the plan of the rig takes its place. Neck and tail
// keep what the model knows.
Result<void> plan_instead(const BodyRequest& request, author::PlannedInstead& planner, const GroundPath& path,
                          std::uint64_t seed, Motion& motion, Json& facts) {
  facts["source"] = "generated";
  if (request.source == "generated" || request.keep_feet) return {};
  std::optional<control::Path> along;
  if (!path.positions.empty()) {
    ZOE_TRY_ASSIGN(along, control::Path::create(path.positions, path.closed));
  }
  ZOE_TRY_ASSIGN(const author::PlannedInstead::Replacement plan,
                 planner.replace_failed(motion, seed, std::move(along)));
  if (!plan.not_planned.empty()) facts["not_planned"] = plan.not_planned;
  if (plan.why.empty() || !plan.not_planned.empty()) return {};
  facts["source"] = plan.from_model > 0 ? "mixed" : "planned";
  facts["why_planned"] = plan.why;
  if (plan.from_model > 0) facts["joints_of_the_model"] = plan.from_model;
  facts["feet"] = "planned";
  return {};
}

// Without the network.
Result<Json> plan_all(const BodyRequest& request, const MetricBody& body, author::PlannedInstead& planner,
                      const std::string& why, Json out) {
  author::PlannedMotionOptions options{.seconds = request.seconds.value_or(kUsual_s)};
  GroundPath path;
  if (!request.trajectory.empty()) {
    ZOE_TRY_ASSIGN(path, read_ground_path(request.trajectory));
    Result<control::Path> along = control::Path::create(path.positions, path.closed);
    if (!along) return Error{along.error().code, along.error().message, {.file = request.trajectory}};
    options.path = std::move(*along);
    if (!request.seconds) {
      ZOE_TRY_ASSIGN(const double pace_m_s, planner.pace_m_s());
      options.seconds = std::clamp(length_of(path) / pace_m_s, 0.5, kMost_s);
    }
  }
  for (int sample = 0; sample < request.samples; ++sample) {
    const auto begin = std::chrono::steady_clock::now();
    options.seed = request.seed + static_cast<std::uint64_t>(sample);
    ZOE_TRY_ASSIGN(author::PlannedInstead::Planned planned, planner.make(options, nullptr));
    Json facts{{"feet", "planned"}, {"source", "planned"}, {"why_planned", why}};
    ZOE_TRY(close_loop(request, body, planned.motion, facts));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    ZOE_TRY_ASSIGN(Json made, write_sample(request, body, planned.motion, sample, took.count(), facts));
    out["samples"].push_back(std::move(made));
  }
  return out;
}

Result<Json> generate_all(const BodyRequest& request) {
  std::optional<nn::WeightType> weights;
  if (request.weights == "int8") weights = nn::WeightType::kI8;
  if (request.weights == "float32") weights = nn::WeightType::kF32;
  ZOE_TRY_ASSIGN(const generate::BodyModel model, load_body_model(request.model, weights));
  ZOE_TRY_ASSIGN(const MetricBody body, load_metric_body(request.skeleton, request.overrides));
  ZOE_TRY_ASSIGN(const features::ReadWords words, read_words(request));
  if (!words.not_used.empty())
    print_warnings({{fmt::format("words without a meaning to the model: {}", fmt::join(words.not_used, ", ")), {}}});
  std::vector<std::string> used;
  for (const int action : words.actions)
    used.emplace_back(features::action_vocabulary()[static_cast<std::size_t>(action)]);
  Json out{{"skeleton", request.skeleton},          {"family", to_string(body.analysis.family)},
           {"joints", body.skeleton->num_joints()}, {"actions", used},
           {"words_not_used", words.not_used},      {"samples", Json::array()}};
  author::PlannedInstead planner(planned_body(body, request.overrides), used);
  if (request.source == "planned" && !planner.can_plan())
    return Error{ErrorCode::kUsage,
                 "--source planned: only walk, run, crawl, swim, fly, attack, idle, jump, hit and die are planned, for "
                 "bodies with the limbs they need"};
  if (request.source == "planned" && !planner.travels() && !request.trajectory.empty())
    return Error{ErrorCode::kUsage, "--source planned: along a path only walk, run, crawl, swim and fly are planned"};
  if (request.source == "planned") return plan_all(request, body, planner, "requested", std::move(out));
  Result<generate::BodyLayout> layout = model.layout_for(body.skeleton, body.analysis);
  constexpr int kMostJoints = 256;  // Networks have at most 65536 pairs of joints.
  if (layout && layout->tokens.num_tokens() > kMostJoints)
    layout = Error{ErrorCode::kUsage,
                   fmt::format("it has {} joints; the model moves at most {}: give a rig without the finest ones",
                               layout->tokens.num_tokens(), kMostJoints)};
  if (!layout) {
    if (request.source == "auto" && planner.can_plan() && !request.keep_feet &&
        (planner.travels() || request.trajectory.empty())) {
      print_warnings(
          {{layout.error().message + "; so the motion is planned, without the model", {.file = request.skeleton}}});
      return plan_all(request, body, planner, layout.error().message, std::move(out));
    }
    return Error{layout.error().code, layout.error().message, {.file = request.skeleton}};
  }
  generate::BodySampleOptions options;
  GroundPath path;
  if (!request.trajectory.empty()) {
    ZOE_TRY_ASSIGN(path, read_ground_path(request.trajectory));
  }
  options.num_frames = frames_of(request, *layout, length_of(path), words.actions);
  generate::PathFrames along;
  if (!request.trajectory.empty()) {
    Result<generate::PathFrames> frames = generate::frames_along_path(*layout, body.skeleton, body.analysis,
                                                                      path.positions, path.closed, options.num_frames);
    if (!frames) return Error{frames.error().code, frames.error().message, {.file = request.trajectory}};
    along = std::move(*frames);
    options.known = along.known;
  }
  options.words = features::action_bag(words.actions);
  options.guidance = static_cast<float>(request.guidance);
  options.smooth_frames = static_cast<float>(request.smooth_frames);
  options.gain = static_cast<float>(request.gain);
  options.sampler = model.sampler();
  if (!request.sampler.empty()) {
    ZOE_TRY_ASSIGN(options.sampler.sampler, nn::parse_sampler(request.sampler));
  }
  if (request.steps > 0) options.sampler.steps = request.steps;
  out["joints"] = layout->tokens.num_tokens();
  out["statistics"] = "none of this body: numbers are relative to its rest pose";
  out["steps"] = options.sampler.steps;
  out["guidance"] = request.guidance;
  out["gain"] = request.gain > 0 ? request.gain : double{model.calibration().gain};
  if (!request.trajectory.empty())
    out["trajectory"] = {{"file", request.trajectory},
                         {"length_m", along.length_m},
                         {"speed_m_s", along.length_m * layout->layout.fps() / options.num_frames}};
  // Along a path the speed is that of the path.
  const bool runs = std::find(used.begin(), used.end(), "run") != used.end();
  if (request.trajectory.empty()) planner.set_usual_speed(generate::usual_speed_m_s(layout->tokens, runs));
  for (int sample = 0; sample < request.samples; ++sample) {
    const auto begin = std::chrono::steady_clock::now();
    options.seed = request.seed + static_cast<std::uint64_t>(sample);
    Progress progress(
        "generate", static_cast<std::uint64_t>(options.num_frames),
        {.mode = shows_progress(request, options.num_frames) ? ProgressMode::kAuto : ProgressMode::kSilent,
         .unit = "frames"});
    options.go_on = [&](int frames) {
      progress.advance(static_cast<std::uint64_t>(frames) - progress.done());
      return true;
    };
    ZOE_TRY_ASSIGN(const std::vector<float> frames, model.sample(layout->tokens, options));
    progress.finish();
    Motion motion = model.motion_of(*layout, frames, along.before, used.empty() ? "generated" : used[0]);
    Json facts = Json::object();
    facts["feet"] = "as generated";
    if (!request.keep_feet) {
      generate::PlantReport report;
      const generate::PlantOptions planting{.clips = body.clips, .keep_path = !request.trajectory.empty()};
      Result<Motion> planted = generate::plant_feet(motion, body.analysis, *layout, frames, planting, &report);
      facts["feet"] =
          planted ? fmt::format("{} legs planted", report.feet.num_legs) : "as generated: " + planted.error().message;
      if (planted) {
        facts["planting"] = to_json(report);
        motion = std::move(*planted);
      }
    }
    ZOE_TRY(plan_instead(request, planner, path, options.seed, motion, facts));
    if (!request.trajectory.empty()) facts["path_error_m"] = mean_path_error_m(motion, body.analysis, along.roots);
    ZOE_TRY(close_loop(request, body, motion, facts));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    ZOE_TRY_ASSIGN(Json made, write_sample(request, body, motion, sample, took.count(), facts));
    out["samples"].push_back(std::move(made));
  }
  return out;
}

}  // namespace

int run_generate_body(const Arguments& arguments) {
  Options app;
  BodyRequest request;
  app.add_option(
         "--skeleton", request.skeleton,
         "File with the body: any rig (.glb .fbx .bvh …). Words of a learned vocabulary need none: `zoe generate "
         "--prior RUN --help`")
      ->required()
      ->reads();
  app.add_option("-m,--model", request.model,
                 "Run of `zoe train anytop`, or its model.safetensors; default: the one that ships")
      ->reads();
  Option* action = app.add_option("--action", request.action, "An action, e.g. walk, attack, idle");
  app.add_option("--text", request.text, "A sentence; its words of the vocabulary count")->excludes(action);
  app.add_option("-o,--out", request.output,
                 "Motion file (.bvh .glb .npz …), film (.mp4 .gif .webp) or sheet of poses (.png)")
      ->required()
      ->writes();
  app.add_option("--seconds", request.seconds, "Length; default 4, along a path what the body usually needs")
      ->between(0.05, 1200, "s");
  app.add_option("--trajectory", request.trajectory,
                 "Path of the root: .csv of x,z in metres, a curve of a .glb, or the root of a motion file")
      ->reads();
  app.add_flag("--loop", request.loop, "Cut and close the best cycle of each motion");
  app.add_option("--samples", request.samples, "Number of motions; files are numbered")
      ->between(1, 1000)
      ->capture_default_str();
  app.add_option("--seed", request.seed, "Of the first motion; the next have the numbers after it")
      ->at_least_zero()
      ->capture_default_str();
  app.add_option("--steps", request.steps, "Evaluations of the network per window; default the model's")
      ->between(1, 1000);
  app.add_option("--sampler", request.sampler, "ddim, ddpm, heun or few_step; default the model's")
      ->one_of({"ddim", "ddpm", "heun", "few_step"});
  app.add_option("--guidance", request.guidance, "Of the action; 1: none, above it stronger and twice the time")
      ->between(0, 20, "")
      ->capture_default_str();
  app.add_option("--smooth", request.smooth_frames, "Deviation in frames of a Gaussian over time; 0: none")
      ->between(0, 10, "")
      ->capture_default_str();
  app.add_option("--gain", request.gain, "Of motions beyond their mean pose; 1: as sampled; default the model's")
      ->between(0.1, 10, "");
  app.add_flag("--keep-feet", request.keep_feet, "As generated: no planted feet, loose parts where they drift");
  app.add_option("--weights", request.weights, "Of the network: float32 or int8; default those of the file")
      ->one_of({"float32", "int8"});
  app.add_option("--source", request.source,
                 "Of a walk, run, swim, flight, attack, jump, hit or death: generated, planned by the rig's limbs, or "
                 "auto: planned where the generated one fails")
      ->one_of({"auto", "generated", "planned"})
      ->capture_default_str();
  app.add_option("--overrides", request.overrides, "Corrections of the body's analysis")->type_name("FILE")->reads();
  app.add_flag("--json", request.json, "Print what was used and the figures of each motion as JSON");
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<Json> out = generate_all(request);
  if (!out) return print_error(out.error());
  if (request.json) fmt::print("{}\n", out->dump(2));
  return kDone;
}

}  // namespace zoe::cli
