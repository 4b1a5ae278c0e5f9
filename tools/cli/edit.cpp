// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe edit`: parts of a motion anew, the rest as it is.

#include "edit/edit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/suggest.h"
#include "zoe/features/action_words.h"

#include "film.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

// Edits that work on each other's frames exclude each other; a second call edits the result of the first.
Result<void> check_request(const EditRequest& request) {
  std::vector<std::string> edits;
  if (request.loop) edits.emplace_back("--loop");
  if (request.prefix_s || request.suffix_s) edits.emplace_back(request.prefix_s ? "--prefix" : "--suffix");
  if (!request.trajectory.empty()) edits.emplace_back("--trajectory");
  const bool joints = !request.joints.empty() || request.upper_body;
  if (!request.gaps.empty() || !request.keys.empty() || joints)
    edits.emplace_back(!request.gaps.empty() ? "--in-between" : !request.keys.empty() ? "--keys" : "--joints");
  const auto wrong = [](std::string message) { return Error{ErrorCode::kUsage, std::move(message)}; };
  if (edits.empty())
    return wrong(
        "nothing to edit: give --in-between, --keys, --joints, --upper-body, --prefix, --suffix, --trajectory "
        "or --loop");
  if (edits.size() > 1)
    return wrong(
        fmt::format("{} contradict each other: a frame cannot be kept by one and moved by the other. Edit "
                    "twice, the result of the first by the second",
                    fmt::join(edits, " and ")));
  if (request.speed_m_s && request.trajectory.empty()) return wrong("--speed is for --trajectory");
  if (joints && !request.keys.empty())
    return wrong("--keys and --joints contradict each other: a key pose states all joints");
  if (!request.action.empty() && (request.loop || !request.trajectory.empty()))
    return wrong(fmt::format("{} generates nothing: leave out --action", edits[0]));
  if (!request.model.empty() && (request.loop || !request.trajectory.empty()))
    return wrong(fmt::format("{} needs no model: leave out --model", edits[0]));
  if (!request.action.empty() && features::read_action_words(request.action).actions.empty()) {
    std::vector<std::string> known;
    for (const std::string_view word : features::action_vocabulary()) known.emplace_back(word);
    return wrong(fmt::format("--action {}: no such action{}; there are: {}", request.action,
                             did_you_mean(request.action, known), fmt::join(known, ", ")));
  }
  return {};
}

// Last time of the keys: the length of a motion that has nothing but keys.
double last_key_s(const EditRequest& request) {
  double last = 0;
  for (const std::string& key : request.keys)
    for (const std::string& time : split_list(key.substr(std::min(key.size(), key.rfind('@') + 1))))
      last = std::max(last, std::atof(time.c_str()));
  return std::min(last, 600.0);
}

Result<Motion> chosen_clip(const EditRequest& request, const MetricBody& body) {
  if (body.clips.empty()) {
    if (!request.keys.empty()) {
      const int frames = 1 + static_cast<int>(std::lround(last_key_s(request) * 30));
      if (frames < 2) return Error{ErrorCode::kUsage, "a file without clips needs key poses at two times"};
      return make_motion(body.skeleton, "keys", 30, frames, false);
    }
    return Error{ErrorCode::kUsage, "it contains no clip to edit", {.file = request.file}};
  }
  if (request.clip.empty()) return body.clips[0];
  std::vector<std::string> names;
  for (const Motion& clip : body.clips) {
    if (clip.name == request.clip) return clip;
    names.push_back(clip.name);
  }
  // "Walk" of "Armature|Walk", where it is the only one.
  std::size_t found = names.size(), count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].substr(names[i].find_last_of('|') + 1) != request.clip) continue;
    found = i;
    ++count;
  }
  if (count == 1) return body.clips[found];
  return Error{ErrorCode::kUsage,
               fmt::format("--clip {}: no such clip{}; there are: {}", request.clip, did_you_mean(request.clip, names),
                           fmt::join(names, ", ")),
               {.file = request.file}};
}

Result<Json> edit(const EditRequest& request) {
  ZOE_TRY(check_request(request));
  ZOE_TRY_ASSIGN(const MetricBody body, load_metric_body(request.file));
  ZOE_TRY_ASSIGN(const Motion motion, chosen_clip(request, body));
  Result<EditedMotion> edited = request.loop                           ? close_to_cycle(request, body, motion)
                                : !request.trajectory.empty()          ? follow_trajectory(request, body, motion)
                                : request.prefix_s || request.suffix_s ? lengthen(request, body, motion)
                                                                       : fill_parts(request, body, motion);
  if (!edited) return edited.error();
  Motion& out = edited->motion;
  out.name = motion.name;
  const Motion written = in_file_unit(out, body);
  if (is_film(request.output)) {
    if (write_film(written,
                   {.output = request.output,
                    .style = film_style(request.output),
                    .fps = std::min(out.fps, 60.0),
                    .body = &body.displayed},
                   true) != kDone)
      return Error{ErrorCode::kIo, "the film was not written", {.file = request.output}};
  } else {
    ZOE_TRY(write_motion(written, request.output, &body.displayed));
  }
  Json report{{"file", request.output}, {"frames", out.num_frames}, {"fps", out.fps}};
  report.update(edited->facts);
  return report;
}

}  // namespace

int run_edit(const Arguments& arguments) {
  Options app;
  EditRequest request;
  app.add_option("motion", request.file, "Motion file")->required()->reads();
  app.add_option("--in-between", request.gaps, "Frames to fill, FIRST:LAST, or times, 0.5s:1.2s; repeatable")
      ->one_value_each();
  app.add_option(
         "--keys", request.keys,
         "Key poses: FILE@SECONDS, or FILE@S1,S2,… for its frames in order; repeatable. Frames around are filled")
      ->one_value_each();
  app.add_flag("--world-keys", request.world_keys, "Key poses stay where their file has them, not where the body is");
  app.add_option("--joints", request.joints, "Joints to generate anew with all below them, comma-separated");
  app.add_flag("--upper-body", request.upper_body, "The same for arms, spine and head, as the analysis finds them");
  app.add_option("--prefix", request.prefix_s, "Seconds of motion to add before the clip")->between(0.02, 600, "s");
  app.add_option("--suffix", request.suffix_s, "Seconds of motion to add after the clip")->between(0.02, 600, "s");
  app.add_flag("--loop", request.loop, "Cut and close the best cycle of the clip");
  app.add_option("--trajectory", request.trajectory,
                 "Follow another path: .csv of x,z in metres, a curve of a .glb, or the root of a motion file")
      ->reads();
  app.add_option("--speed", request.speed_m_s, "--trajectory: speed of a clip on the spot; default: of its feet")
      ->between(0.001, 1000, "m/s");
  app.add_flag("--keep-feet", request.keep_feet, "--loop, --trajectory: do not plant feet that slide");
  app.add_option(
      "-m,--model", request.model,
      "Run of `zoe train anytop`, or anytop: the one that ships, the default for joints and --action; else gaps are "
      "interpolated");
  app.add_option("--fill", request.fill, "Interpolation without a model: spline or linear")
      ->one_of({"spline", "linear"})
      ->capture_default_str();
  app.add_option("--action", request.action, "An action for what is generated");
  app.add_option("--clip", request.clip, "Name of the clip; default the first");
  app.add_option("--seed", request.seed, "Of the generation")->at_least_zero()->capture_default_str();
  app.add_option("--steps", request.steps, "Evaluations of the network per window; default the model's")
      ->between(1, 1000);
  app.add_option("-o,--out", request.output, "Motion file, film (.mp4 .gif .webp) or sheet of poses (.png)")
      ->required()
      ->writes();
  app.add_flag("--json", request.json, "Print what was done as JSON");
  if (const auto exit = parse(app, arguments)) return *exit;
  const bool generates = !request.joints.empty() || request.upper_body || !request.action.empty();
  if (request.model.empty() && generates && !request.loop && request.trajectory.empty()) request.model = "anytop";
  const Result<Json> out = edit(request);
  if (!out) return print_error(out.error());
  if (request.json)
    fmt::print("{}\n", out->dump(2));
  else if (!quiet())
    fmt::print("{}: {} frames, {:.2f} of the clip's usual change of velocity at the seams\n", request.output,
               (*out)["frames"].get<int>(), (*out)["seam_ratio"].get<double>());
  return kDone;
}

}  // namespace zoe::cli
