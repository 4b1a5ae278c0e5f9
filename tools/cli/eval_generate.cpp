// SPDX-License-Identifier: MIT
#include "eval_generate.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/progress.h"

#include "body_model_option.h"
#include "encoder_option.h"
#include "eval_generate/in_between.h"
#include "eval_generate/page.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct EvalGenerateRequest {
  std::vector<std::string> made, against, train, models, baselines;
  std::string output, gaps, codes, sampler;
  generate::WindowMetricOptions options;
  SampleRequest sample;
  int most_actions = 6, steps = 0, baseline_steps = 100;
  bool json = false, frechet = false, no_sheets = false;
};

Result<std::vector<EvalModel>> load_models(const EvalGenerateRequest& request) {
  std::vector<EvalModel> models;
  const auto name_of = [](const std::string& path) {
    const fs::path clean = fs::path(path).lexically_normal();
    return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
  };
  for (const std::string& path : request.models) {
    ZOE_TRY_ASSIGN(generate::BodyModel model, load_body_model(path));
    nn::SamplerOptions sampler = model.sampler();
    if (request.steps > 0) sampler.steps = request.steps;
    if (!request.sampler.empty()) {
      ZOE_TRY_ASSIGN(sampler.sampler, nn::parse_sampler(request.sampler));
    }
    models.push_back({fmt::format("{}, {} steps", name_of(path), sampler.steps), std::move(model), sampler});
  }
  for (const std::string& path : request.baselines) {
    ZOE_TRY_ASSIGN(generate::BodyModel model, load_body_model(path));
    const nn::SamplerOptions sampler{nn::Sampler::kDdpm, request.baseline_steps};
    models.push_back({fmt::format("baseline {}, {} steps", name_of(path), sampler.steps), std::move(model), sampler});
  }
  return models;
}

// The judge, trained on the training clips, or without any on the real ones. What it is worth is a note.
std::optional<eval::ActionJudge> train_judge(const EvalBodies& real, const EvalBodies& train, bool has_train,
                                             std::vector<std::string>& notes, Json& out) {
  const std::vector<eval::JudgedClip> learned = judged_clips(train);
  Result<eval::ActionJudge> judge = eval::ActionJudge::train(learned);
  if (!judge) {
    notes.push_back("No judge of actions: " + judge.error().message + ".");
    return std::nullopt;
  }
  std::string text =
      fmt::format("Judge of actions: {} actions, trained on {} real clips.", judge->actions().size(), learned.size());
  out["judge"] = {{"actions", judge->actions().size()}, {"training_clips", learned.size()}};
  const auto add = [&](const char* name, const std::string& what, const eval::JudgeScore& own) {
    text +=
        fmt::format(" Right on {:.1f} % of {} {} ({:.1f} % among its three best; the most frequent action: {:.1f} %).",
                    100 * own.accuracy, own.clips, what, 100 * own.top_three, 100 * own.largest);
    out["judge"][name] = {
        {"clips", own.clips}, {"accuracy", own.accuracy}, {"top_three", own.top_three}, {"most_frequent", own.largest}};
  };
  if (const Result<eval::JudgeScore> own = eval::cross_validate(learned))
    add("left_out_bodies", "training clips whose skeleton was left out", *own);
  if (has_train) {
    add("held_out", "held-out real clips", eval::score(*judge, judged_clips(real)));
  } else {
    text += " Without --train it has seen the real clips: do not trust their accuracy.";
  }
  notes.push_back(text);
  return std::move(*judge);
}

// The methods of one body: models or given motions, copies of training clips, the real clips.
Result<EvalSubject> make_subject(const EvalGenerateRequest& request, const std::vector<EvalModel>& models,
                                 const EvalBodies& given, const EvalBody& real, const EvalBodies& train) {
  EvalSubject subject{request.train.empty() ? "all" : split_of(real, train), &real, {}};
  const Conditions conditions = conditions_of(real, request.most_actions);
  for (const EvalModel& model : models) {
    ZOE_TRY_ASSIGN(std::vector<MadeClips> made, sample_model(model, real, conditions, request.sample));
    for (MadeClips& method : made) subject.made.push_back(std::move(method));
  }
  if (const auto found = given.find(real.key); found != given.end())
    subject.made.push_back({"generated", {found->second.clips}});
  MadeClips copies = copy_nearest(real, train, subject.made.front(), conditions, request.sample);
  if (!copies.by_seed.empty()) subject.made.push_back(std::move(copies));
  // The best that a request for these actions can reach: real clips of other actions are not asked for.
  std::vector<EvalClip> requested = clips_of(real, conditions);
  if (!models.empty() && !requested.empty())
    subject.made.push_back({"real, requested actions", {std::move(requested)}});
  subject.made.push_back({"real", {real.clips}});
  return subject;
}

Result<EvalPage> compare(const EvalGenerateRequest& request, Json& out) {
  EvalPage page{.title = "Generated motion"};
  ZOE_TRY_ASSIGN(const std::vector<EvalModel> models, load_models(request));
  ZOE_TRY_ASSIGN(EvalBodies real, load_eval_bodies(request.against));
  EvalBodies given, only_train;
  if (!request.made.empty()) {
    ZOE_TRY_ASSIGN(given, load_eval_bodies(request.made));
  }
  if (!request.train.empty()) {
    ZOE_TRY_ASSIGN(only_train, load_eval_bodies(request.train, &real));
    if (const int dropped = drop_training_clips(real, only_train); dropped > 0)
      page.notes.push_back(fmt::format("{} clips of --against are in --train too and do not count.", dropped));
  }
  const EvalBodies& train = request.train.empty() ? real : only_train;
  const std::optional<eval::ActionJudge> judge = train_judge(real, train, !request.train.empty(), page.notes, out);
  if (models.empty()) {
    for (const auto& [key, body] : given)
      if (real.count(key) == 0) print_warnings({{fmt::format("no real clip has the skeleton of {}", body.name), {}}});
    std::erase_if(real, [&](const auto& entry) { return given.count(entry.first) == 0; });
  }
  if (real.empty())
    return Error{ErrorCode::kUsage,
                 "no generated motion has the skeleton of a real one (--against): nothing to compare"};
  std::vector<EvalSubject> subjects;
  std::vector<EvalRow> rows;
  Progress progress("measure", real.size(),
                    ProgressOptions{.mode = quiet() || request.json ? ProgressMode::kSilent : ProgressMode::kAuto,
                                    .unit = "skeletons"});
  for (const auto& [key, body] : real) {
    Result<EvalSubject> subject = make_subject(request, models, given, body, train);
    progress.advance();
    if (!subject) {
      print_warnings({{"skipped: " + subject.error().message, {.file = body.name}}});
      continue;
    }
    for (EvalRow& row : measure_subject(*subject, judge, request.options)) rows.push_back(std::move(row));
    subjects.push_back(std::move(*subject));
  }
  progress.finish();
  if (rows.empty()) return Error{ErrorCode::kUsage, "no clip could be measured"};
  std::vector<EvalRow> by_split = rows_by_split(rows);
  std::stable_sort(by_split.begin(), by_split.end(),
                   [](const EvalRow& a, const EvalRow& b) { return a.split < b.split; });
  if (request.frechet) {
    ZOE_TRY_ASSIGN(const eval::MotionEncoder encoder, load_encoder(""));
    ZOE_TRY(add_frechet(by_split, subjects, encoder));
    if (!request.codes.empty()) ZOE_TRY(write_codes(request.codes, subjects, encoder));
  }
  if (!models.empty())
    page.notes.push_back(fmt::format("{} sampling seeds, {:g} s each; mean ± deviation over the seeds.",
                                     request.sample.seeds, request.sample.seconds));
  out["splits"] = to_json(by_split);
  out["windows"] = to_json(rows);
  page.tables = {{"By split, every skeleton with the same weight", std::move(by_split)},
                 {"By skeleton", std::move(rows)}};
  const bool is_page = request.output.ends_with(".html") || request.output.ends_with(".md");
  if (is_page && !request.no_sheets) {
    const fs::path path(request.output);
    page.sheets = draw_sheets(subjects, path.parent_path() / (path.stem().string() + "_sheets"));
  }
  return page;
}

std::string gaps_as_text(const Json& rows) {
  std::string text = "| method | frames | L2P | L2Q | NPSS | windows |\n|---|---|---|---|---|---|\n";
  for (const Json& row : rows)
    text += fmt::format("| {} | {} | {:.4g} | {:.4g} | {:.4g} | {} |\n", row["method"].get<std::string>(),
                        row["frames"].get<int>(), row["l2p"].get<double>(), row["l2q"].get<double>(),
                        row["npss"].get<double>(), row["windows"].get<int>());
  return text;
}

Result<int> evaluate(const EvalGenerateRequest& request) {
  Json out;
  std::string markdown, html;
  if (!request.gaps.empty()) {
    ZOE_TRY_ASSIGN(out["in_between"], measure_gaps(request.made, request.gaps, request.models));
    markdown = gaps_as_text(out["in_between"]);
    html = "<!doctype html><meta charset=\"utf-8\"><title>zoe eval generate</title><pre>" + markdown + "</pre>\n";
  } else {
    ZOE_TRY_ASSIGN(const EvalPage page, compare(request, out));
    markdown = to_markdown(page);
    html = to_html(page);
  }
  if (!request.output.empty()) {
    const bool is_json = request.output.ends_with(".json");
    ZOE_TRY(write_file_atomic(request.output, request.output.ends_with(".html") ? html
                                              : is_json                         ? out.dump(2) + "\n"
                                                                                : markdown));
  }
  fmt::print("{}", request.json ? out.dump(2) + "\n" : markdown);
  return kDone;
}

}  // namespace

int run_eval_generate(const Arguments& arguments) {
  Options app;
  EvalGenerateRequest request;
  app.add_option("motions", request.made, "Generated motion files, or folders of them")->reads();
  app.add_option("--against", request.against, "Real motions of the same skeletons, held out of training")->reads();
  app.add_option("--train", request.train,
                 "Training motions: for the nearest clip, the judge of actions and the splits; default --against")
      ->reads();
  app.add_option("-m,--model", request.models, "Instead of motions: run of `zoe train anytop` to sample; repeatable")
      ->one_value_each()
      ->reads();
  app.add_option("--baseline", request.baselines, "Run of the published baseline, sampled by ddpm; repeatable")
      ->one_value_each()
      ->reads();
  app.add_option("--seeds", request.sample.seeds, "With --model: sampling seeds")
      ->between(1, 100)
      ->capture_default_str();
  app.add_option("--seconds", request.sample.seconds, "With --model: length of a motion")
      ->between(0.6, 60, "s")
      ->capture_default_str();
  app.add_flag("--own-seconds", request.sample.own_seconds,
               "With --model: motions as long as the real clips of their actions, at most --seconds");
  app.add_option("--actions", request.most_actions, "With --model: most actions per skeleton")
      ->between(1, 48)
      ->capture_default_str();
  app.add_option("--steps", request.steps, "With --model: steps of the sampler; default the model's")->between(1, 1000);
  app.add_option("--sampler", request.sampler, "With --model: ddim, ddpm, heun or few_step; default the model's")
      ->one_of({"ddim", "ddpm", "heun", "few_step"});
  app.add_option("--baseline-steps", request.baseline_steps, "Steps of the baselines")
      ->between(1, 1000)
      ->capture_default_str();
  app.add_option("--guidance", request.sample.guidance, "With --model: of the action")
      ->between(0, 20, "")
      ->capture_default_str();
  app.add_option("--gain", request.sample.gain, "With --model: of motions beyond their mean pose; default the model's")
      ->between(0.1, 10, "");
  std::string source = "generated";
  app.add_option("--source", source,
                 "With --model: generated; auto also has rows in which the rig's plan takes the place of motions that "
                 "fail, as `zoe generate` does")
      ->one_of({"auto", "generated"})
      ->capture_default_str();
  app.add_option("--in-between", request.gaps,
                 "Instead: fill gaps of N frames in the motions by interpolation and by each --model, e.g. 5,15,30,45")
      ->type_name("LIST");
  Option* frechet = app.add_flag("--frechet", request.frechet, "Also the Fréchet distance, by the motion encoder");
  app.add_option("--codes", request.codes, "With --frechet: also write the codes of the windows (.npz)")
      ->needs(frechet)
      ->writes();
  app.add_option("--window", request.options.window, "Frames of a window")->between(2, 1000)->capture_default_str();
  app.add_option("--seed", request.sample.seed, "Of the first sample, and of the random choices")
      ->at_least_zero()
      ->capture_default_str();
  app.add_flag("--no-sheets", request.no_sheets, "No sheets of poses beside .md and .html");
  app.add_option("-o,--out", request.output, "Tables: .md or .html with sheets in NAME_sheets/, or .json")->writes();
  app.add_flag("--json", request.json, "Print JSON instead of tables");
  if (const auto exit = parse(app, arguments)) return *exit;
  request.options.seed = request.sample.seed;
  request.sample.plans = source == "auto";
  const bool samples = !request.models.empty() || !request.baselines.empty();
  if (request.made.empty() && !samples) {
    print_error("give generated motions, or a --model to sample");
    return kWrongUsage;
  }
  if (!request.made.empty() && samples && request.gaps.empty()) {
    print_error("give either generated motions or a --model, not both");
    return kWrongUsage;
  }
  if (request.against.empty() && request.gaps.empty()) {
    print_error("give real motions to compare with: --against");
    return kWrongUsage;
  }
  const Result<int> done = evaluate(request);
  return done ? *done : print_error(done.error());
}

}  // namespace zoe::cli
