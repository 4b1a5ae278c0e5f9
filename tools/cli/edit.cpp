// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe edit`: parts of a motion anew, the rest as it is.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/index.h"
#include "zoe/features/action_words.h"
#include "zoe/generate/body_model.h"
#include "zoe/generate/in_between.h"

#include "film.h"
#include "metric_body.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using generate::Gap;
using Json = nlohmann::ordered_json;

struct EditRequest {
  std::string file, clip, model, output, action, fill = "spline";
  std::vector<std::string> gaps;
  bool json = false, upper_body = false;
  std::string joints;
  std::uint64_t seed = 1;
  int steps = 8;
};

// "20:40" frames, "0.5s:1.2s" seconds; both ends included.
Result<Gap> parse_gap(const std::string& text, const Motion& motion) {
  const std::size_t colon = text.find(':');
  const auto number = [&](std::string part) -> Result<int> {
    const bool seconds = !part.empty() && part.back() == 's';
    if (seconds) part.pop_back();
    double value = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value < 0)
      return Error{ErrorCode::kUsage,
                   fmt::format("--in-between {}: give two frames, 20:40, or times, 0.5s:1.2s", text)};
    return static_cast<int>(std::lround(seconds ? value * motion.fps : value));
  };
  if (colon == std::string::npos)
    return Error{ErrorCode::kUsage, fmt::format("--in-between {}: give two frames, 20:40, or times, 0.5s:1.2s", text)};
  ZOE_TRY_ASSIGN(const int first, number(text.substr(0, colon)));
  ZOE_TRY_ASSIGN(const int last, number(text.substr(colon + 1)));
  return Gap{first, last};
}

// The motion that the network makes of what is known, at the motion's own rate and place.
Result<Motion> made_by_model(const EditRequest& request, const MetricBody& body, const Motion& motion,
                             std::span<const Gap> gaps, std::span<const int> free_joints) {
  ZOE_TRY_ASSIGN(const generate::BodyModel model, generate::BodyModel::load(request.model));
  ZOE_TRY_ASSIGN(const generate::BodyLayout layout, model.layout_for(body.skeleton, body.analysis));
  ZOE_TRY_ASSIGN(generate::BodyFrames frames, generate::to_frames(layout, motion));
  const std::size_t tokens = idx(layout.tokens.num_tokens());
  const auto count = static_cast<int>(frames.values.size() / (tokens * features::kTokenWidth));
  generate::BodySampleOptions options{.num_frames = count, .seed = request.seed};
  options.sampler.steps = request.steps;
  if (!request.action.empty())
    options.words = features::action_bag(features::read_action_words(request.action).actions);
  options.known.values = std::move(frames.values);
  options.known.groups.assign(idx(count) * tokens * generate::kKnownGroups, 1);
  const double rate = layout.layout.fps() / motion.fps;
  for (int f = 0; f < count; ++f) {
    const bool in_gap = std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) {
      return f > (gap.first - 1) * rate && f < (gap.last + 1) * rate;
    });
    for (std::size_t t = 0; t < tokens; ++t) {
      const bool is_free =
          std::find(free_joints.begin(), free_joints.end(), layout.tokens.joints[t]) != free_joints.end();
      if (in_gap || is_free)
        std::fill_n(&options.known.groups[(idx(f) * tokens + t) * generate::kKnownGroups], generate::kKnownGroups,
                    0.0F);
    }
  }
  ZOE_TRY_ASSIGN(const std::vector<float> made, model.sample(layout.tokens, options));
  Motion out = generate::to_motion(layout, made, frames.before);
  out.start_time_s = motion.start_time_s;
  return generate::resample_smoothly(out, motion.fps, motion.num_frames);
}

// Largest change of a joint's velocity at the borders of the gaps, as a multiple of the clip's own 99th percentile.
double seam_ratio(const Motion& before, const Motion& after, std::span<const Gap> gaps) {
  const std::size_t joints = idx(before.num_joints());
  const auto positions = [&](const Motion& motion) {
    std::vector<Vec3> all(idx(motion.num_frames) * joints);
    std::vector<Affine> models(joints);
    for (int f = 0; f < motion.num_frames; ++f) {
      compute_model_from_joint(*motion.skeleton, motion.frame(f), models);
      for (std::size_t j = 0; j < joints; ++j) all[idx(f) * joints + j] = models[j].t;
    }
    return all;
  };
  const auto jump = [&](const std::vector<Vec3>& p, int frame) {
    double worst = 0;
    for (std::size_t j = 0; j < joints; ++j) {
      const auto at = [&](int f) { return p[idx(f) * joints + j]; };
      worst = std::max(worst, double{length(at(frame + 1) - at(frame) * 2.0F + at(frame - 1))});
    }
    return worst;
  };
  const std::vector<Vec3> own = positions(before), made = positions(after);
  std::vector<double> usual;
  for (int f = 1; f + 1 < before.num_frames; ++f) usual.push_back(jump(own, f));
  if (usual.empty()) return 0;
  std::sort(usual.begin(), usual.end());
  const double percentile = usual[std::min(usual.size() - 1, usual.size() * 99 / 100)];
  double worst = 0;
  for (const Gap& gap : gaps) {
    for (const int f : {gap.first - 1, gap.first, gap.last, gap.last + 1})
      if (f > 0 && f + 1 < after.num_frames) worst = std::max(worst, jump(made, f));
  }
  return percentile > 0 ? worst / percentile : 0;
}

// Joints of --joints and --upper-body with all below them.
Result<std::vector<int>> freed_joints(const EditRequest& request, const MetricBody& body) {
  std::vector<int> roots;
  for (const std::string& name : split_list(request.joints)) {
    const int joint = body.skeleton->find(name);
    if (joint == kNoJoint)
      return Error{ErrorCode::kUsage, fmt::format("--joints {}: there is no such joint", name), {.file = request.file}};
    roots.push_back(joint);
  }
  if (request.upper_body) {
    for (const Limb& limb : body.analysis.limbs)
      if (limb.kind != LimbKind::kLeg && !limb.joints.empty()) roots.push_back(limb.joints[0]);
    if (body.analysis.spine.size() > 1) roots.push_back(body.analysis.spine[1]);
    if (body.analysis.head != kNoJoint) roots.push_back(body.analysis.head);
    std::erase(roots, body.analysis.hips);
    if (roots.empty())
      return Error{ErrorCode::kUsage, "no upper body was found; name joints with --joints", {.file = request.file}};
  }
  std::vector<int> joints;
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    for (int above = j; above != kNoJoint; above = body.skeleton->parent(above)) {
      if (std::find(roots.begin(), roots.end(), above) == roots.end()) continue;
      joints.push_back(j);
      break;
    }
  }
  return joints;
}

Result<Json> edit(const EditRequest& request) {
  ZOE_TRY_ASSIGN(const MetricBody body, load_metric_body(request.file));
  if (body.clips.empty()) return Error{ErrorCode::kUsage, "it contains no clip to edit", {.file = request.file}};
  std::size_t which = 0;
  if (!request.clip.empty()) {
    const auto found = std::find_if(body.clips.begin(), body.clips.end(),
                                    [&](const Motion& clip) { return clip.name == request.clip; });
    if (found == body.clips.end())
      return Error{ErrorCode::kUsage, fmt::format("--clip {}: no such clip", request.clip), {.file = request.file}};
    which = static_cast<std::size_t>(found - body.clips.begin());
  }
  const Motion& motion = body.clips[which];
  ZOE_TRY_ASSIGN(const std::vector<int> free_joints, freed_joints(request, body));
  std::vector<Gap> gaps;
  for (const std::string& text : request.gaps) {
    ZOE_TRY_ASSIGN(const Gap gap, parse_gap(text, motion));
    for (const Gap& other : gaps)
      if (gap.first <= other.last + 1 && other.first <= gap.last + 1)
        return Error{ErrorCode::kUsage, fmt::format("--in-between {}: it overlaps or touches another gap", text)};
    gaps.push_back(gap);
  }
  Motion out = motion;
  std::optional<Motion> made;
  if (!request.model.empty()) {
    ZOE_TRY_ASSIGN(made, made_by_model(request, body, motion, gaps, free_joints));
    const std::size_t joints = idx(motion.num_joints());
    for (int f = 0; f < motion.num_frames; ++f)
      for (const int j : free_joints)
        out.rotations[idx(f) * joints + idx(j)] = made->rotations[idx(f) * joints + idx(j)];
    if (!free_joints.empty()) make_continuous(out);
  }
  const generate::Fill fill = request.fill == "linear" ? generate::Fill::kLinear : generate::Fill::kSpline;
  for (const Gap& gap : gaps) {
    ZOE_TRY_ASSIGN(out, made ? generate::fit_between(out, gap, *made) : generate::interpolate(out, gap, fill));
  }
  out.name = motion.name;
  if (is_film(request.output)) {
    if (write_film(out, {.output = request.output, .fps = out.fps, .body = &body.displayed}, true) != kDone)
      return Error{ErrorCode::kIo, "the film was not written", {.file = request.output}};
  } else {
    ZOE_TRY(write_motion(out, request.output, &body.displayed));
  }
  Json filled = Json::array();
  for (const Gap& gap : gaps) filled.push_back({gap.first, gap.last});
  return Json{{"file", request.output},   {"method", made ? request.model : request.fill},
              {"gaps", filled},           {"free_joints", free_joints.size()},
              {"frames", out.num_frames}, {"seam_ratio", seam_ratio(motion, out, gaps)}};
}

}  // namespace

int run_edit(const Arguments& arguments) {
  Options app;
  EditRequest request;
  app.add_option("motion", request.file, "Motion file")->required()->reads();
  app.add_option("--in-between", request.gaps, "Frames to fill, FIRST:LAST, or times, 0.5s:1.2s; repeatable")
      ->one_value_each();
  app.add_option("--joints", request.joints,
                 "Joints to generate anew with all below them, comma-separated (needs a model)");
  app.add_flag("--upper-body", request.upper_body, "The same for arms, spine and head, as the analysis finds them");
  app.add_option("-m,--model", request.model, "Run of `zoe train anytop`; without it gaps are interpolated")->reads();
  app.add_option("--fill", request.fill, "Interpolation without a model: spline or linear")
      ->one_of({"spline", "linear"})
      ->capture_default_str();
  app.add_option("--action", request.action, "An action for what is generated");
  app.add_option("--clip", request.clip, "Name of the clip; default the first");
  app.add_option("--seed", request.seed, "Of the generation")->at_least_zero()->capture_default_str();
  app.add_option("--steps", request.steps, "Evaluations of the network per window")
      ->between(1, 1000)
      ->capture_default_str();
  app.add_option("-o,--out", request.output, "Motion file or film")->required()->writes();
  app.add_flag("--json", request.json, "Print what was done as JSON");
  if (const auto exit = parse(app, arguments)) return *exit;
  if (request.gaps.empty() && request.joints.empty() && !request.upper_body) {
    print_error("nothing to edit: give --in-between, --joints or --upper-body");
    return kWrongUsage;
  }
  if (request.model.empty() && (!request.joints.empty() || request.upper_body)) {
    print_error("joints are generated by a model: give --model");
    return kWrongUsage;
  }
  const Result<Json> out = edit(request);
  if (!out) return print_error(out.error());
  if (request.json)
    fmt::print("{}\n", out->dump(2));
  else if (!quiet())
    fmt::print("{}: {} frames, {} of the clip's usual change of velocity at the seams\n", request.output,
               (*out)["frames"].get<int>(), fmt::format("{:.2f}", (*out)["seam_ratio"].get<double>()));
  return kDone;
}

}  // namespace zoe::cli
