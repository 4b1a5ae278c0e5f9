// SPDX-License-Identifier: MIT
#include "generate_body.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "zoe/anatomy/clean_feet.h"
#include "zoe/core/suggest.h"
#include "zoe/features/action_words.h"
#include "zoe/generate/body_model.h"
#include "zoe/generate/motion_quality.h"

#include "body_model_option.h"
#include "film.h"
#include "metric_body.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BodyRequest {
  std::string model, skeleton, action, text, output, overrides, sampler;
  double seconds = 4, guidance = 1;
  int samples = 1, steps = 0;
  std::uint64_t seed = 1;
  bool json = false, keep_feet = false;
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
  return {{"foot_skate_m_s", q.foot_skate_m_s}, {"contact_share", q.contact_share}, {"penetration_m", q.penetration_m},
          {"jerk_m_s3", q.jerk_m_s3},           {"bone_error", q.bone_error},       {"travel_m", q.travel_m}};
}

Result<Json> generate_all(const BodyRequest& request) {
  ZOE_TRY_ASSIGN(const generate::BodyModel model, load_body_model(request.model));
  ZOE_TRY_ASSIGN(const MetricBody body, load_metric_body(request.skeleton, request.overrides));
  ZOE_TRY_ASSIGN(const features::ReadWords words, read_words(request));
  if (!words.not_used.empty())
    print_warnings({{fmt::format("words without a meaning to the model: {}", fmt::join(words.not_used, ", ")), {}}});
  Result<generate::BodyLayout> layout = model.layout_for(body.skeleton, body.analysis);
  if (!layout) return Error{layout.error().code, layout.error().message, {.file = request.skeleton}};
  generate::BodySampleOptions options;
  options.num_frames = std::max(1, static_cast<int>(std::lround(request.seconds * layout->layout.fps())));
  options.words = features::action_bag(words.actions);
  options.guidance = static_cast<float>(request.guidance);
  options.sampler = model.sampler();
  if (!request.sampler.empty()) {
    ZOE_TRY_ASSIGN(options.sampler.sampler, nn::parse_sampler(request.sampler));
  }
  if (request.steps > 0) options.sampler.steps = request.steps;
  std::vector<std::string> used;
  for (const int action : words.actions)
    used.emplace_back(features::action_vocabulary()[static_cast<std::size_t>(action)]);
  Json out{{"skeleton", request.skeleton},
           {"family", to_string(body.analysis.family)},
           {"joints", layout->tokens.num_tokens()},
           {"statistics", "none of this body: numbers are relative to its rest pose"},
           {"actions", used},
           {"words_not_used", words.not_used},
           {"steps", options.sampler.steps},
           {"samples", Json::array()}};
  for (int sample = 0; sample < request.samples; ++sample) {
    const auto begin = std::chrono::steady_clock::now();
    options.seed = request.seed + static_cast<std::uint64_t>(sample);
    ZOE_TRY_ASSIGN(const std::vector<float> frames, model.sample(layout->tokens, options));
    Motion motion = generate::to_motion(*layout, frames, {}, used.empty() ? "generated" : used[0]);
    if (!request.keep_feet && !body.analysis.feet.empty()) {
      // The network's feet slide a little; legs are bent so that contacts hold.
      if (Result<Motion> planted = clean_feet(motion, body.analysis)) motion = std::move(*planted);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const std::string path = numbered(request.output, sample, request.samples);
    const Motion written = in_file_unit(motion, body);
    if (is_film(path)) {
      const int exit = write_film(written, {.output = path, .fps = motion.fps, .body = &body.displayed}, true);
      if (exit != kDone) return Error{ErrorCode::kIo, "the film was not written", {.file = path}};
    } else {
      ZOE_TRY(write_motion(written, path, &body.displayed));
    }
    ZOE_TRY_ASSIGN(const generate::MotionQuality quality, generate::measure_quality(motion, body.analysis));
    out["samples"].push_back({{"file", path},
                              {"seed", options.seed},
                              {"frames", motion.num_frames},
                              {"fps", motion.fps},
                              {"seconds_taken", took.count()},
                              {"quality", to_json(quality)}});
    if (!quiet() && !request.json)
      fmt::print("{}: {} frames at {:g} fps in {:.2f} s; feet slide {:.3f} m/s, {:.3f} m below the ground\n", path,
                 motion.num_frames, motion.fps, took.count(), quality.foot_skate_m_s, quality.penetration_m);
  }
  return out;
}

}  // namespace

int run_generate_body(const Arguments& arguments) {
  Options app;
  BodyRequest request;
  app.add_option("--skeleton", request.skeleton, "File with the body: any rig (.glb .fbx .bvh …)")->required()->reads();
  app.add_option("-m,--model", request.model,
                 "Run of `zoe train anytop`, or its model.safetensors; default: the one that ships")
      ->reads();
  Option* action = app.add_option("--action", request.action, "An action, e.g. walk, attack, idle");
  app.add_option("--text", request.text, "A sentence; its words of the vocabulary count")->excludes(action);
  app.add_option("-o,--out", request.output, "Motion file (.bvh .glb .npz …) or film (.mp4 .gif .webp .png)")
      ->required()
      ->writes();
  app.add_option("--seconds", request.seconds, "Length")->between(0.05, 1200, "s")->capture_default_str();
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
  app.add_flag("--keep-feet", request.keep_feet, "Do not plant feet that slide in contact");
  app.add_option("--overrides", request.overrides, "Corrections of the body's analysis")->type_name("FILE")->reads();
  app.add_flag("--json", request.json, "Print what was used and the figures of each motion as JSON");
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<Json> out = generate_all(request);
  if (!out) return print_error(out.error());
  if (request.json) fmt::print("{}\n", out->dump(2));
  return kDone;
}

}  // namespace zoe::cli
