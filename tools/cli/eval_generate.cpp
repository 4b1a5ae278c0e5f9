// SPDX-License-Identifier: MIT
#include "eval_generate.h"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/eval/frechet.h"
#include "zoe/generate/inbetween_scores.h"
#include "zoe/generate/motion_quality.h"
#include "zoe/generate/window_metrics.h"
#include "zoe/motion/edit.h"

#include "encoder_option.h"
#include "metric_body.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;
using generate::PoseFrames;

struct EvalGenerateRequest {
  std::vector<std::string> made, against, train;
  std::string output, gaps;
  generate::WindowMetricOptions options;
  bool json = false, frechet = false;
};

// The clips of one skeleton as poses, and their own figures.
struct SkeletonClips {
  std::string name;
  std::vector<PoseFrames> poses;
  generate::MotionQuality quality;  // Means.
  int num_clips = 0;
};

Result<void> add_clips(const MetricBody& body, SkeletonClips& out) {
  ZOE_TRY_ASSIGN(const features::Schema schema, features::Schema::preset("anytop"));
  ZOE_TRY_ASSIGN(const generate::BodyLayout layout, generate::make_body_layout(schema, body.skeleton, body.analysis));
  for (const Motion& clip : body.clips) {
    if (clip.num_frames < 2) continue;
    ZOE_TRY_ASSIGN(const generate::BodyFrames frames, generate::to_frames(layout, clip));
    out.poses.push_back(generate::pose_frames(layout, frames.values));
    ZOE_TRY_ASSIGN(const generate::MotionQuality q, generate::measure_quality(clip, body.analysis));
    ++out.num_clips;
    const double n = out.num_clips;
    const auto mean = [&](double& sum, double value) { sum += (value - sum) / n; };
    mean(out.quality.foot_skate_m_s, q.foot_skate_m_s);
    mean(out.quality.contact_share, q.contact_share);
    mean(out.quality.penetration_m, q.penetration_m);
    mean(out.quality.jerk_m_s3, q.jerk_m_s3);
    mean(out.quality.bone_error, q.bone_error);
  }
  return {};
}

// Names and parents of the bones below the hips: end sites and nodes above do not make another skeleton.
std::string skeleton_key(const MetricBody& body) {
  std::string key;
  for (int j = 0; j < body.skeleton->num_joints(); ++j)
    if (body.skeleton->kind(j) == JointKind::kBone) key += body.skeleton->name(j) + "/";
  return key;
}

Result<std::map<std::string, SkeletonClips>> by_skeleton(const std::vector<std::string>& inputs) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(const std::vector<MetricBody> bodies, load_metric_bodies(inputs, warnings));
  std::map<std::string, SkeletonClips> out;
  for (const MetricBody& body : bodies) {
    if (body.clips.empty()) continue;
    SkeletonClips& group = out[skeleton_key(body)];
    if (group.name.empty())
      group.name = fmt::format("{}, {} joints ({})", to_string(body.analysis.family), body.skeleton->num_joints(),
                               std::filesystem::path(body.file).filename().string());
    if (const Result<void> added = add_clips(body, group); !added)
      warnings.push_back({added.error().message, {.file = body.file}});
  }
  print_warnings(warnings);
  return out;
}

Json to_json(const generate::WindowMetrics& m, const generate::MotionQuality& q, const std::string& skeleton,
             const std::string& row, std::size_t made, std::size_t real) {
  return {{"skeleton", skeleton},
          {"row", row},
          {"clips", made},
          {"against_clips", real},
          {"coverage", m.coverage[0]},
          {"coverage_0.1", m.coverage[1]},
          {"local_diversity", m.local_diversity},
          {"global_diversity", m.global_diversity},
          {"inter_diversity", m.inter_diversity},
          {"intra_diversity", m.intra_diversity},
          {"intra_difference", m.intra_difference},
          {"foot_skate_m_s", q.foot_skate_m_s},
          {"penetration_m", q.penetration_m},
          {"jerk_m_s3", q.jerk_m_s3},
          {"bone_error", q.bone_error}};
}

// Every skeleton with generated and real clips: the generated ones, the nearest training clip of each, the real ones.
Result<Json> measure_windows(const EvalGenerateRequest& request) {
  ZOE_TRY_ASSIGN(const auto made, by_skeleton(request.made));
  ZOE_TRY_ASSIGN(const auto real, by_skeleton(request.against));
  std::map<std::string, SkeletonClips> train = real;
  if (!request.train.empty()) {
    ZOE_TRY_ASSIGN(train, by_skeleton(request.train));
  }
  Json rows = Json::array();
  for (const auto& [key, group] : made) {
    const auto other = real.find(key);
    if (other == real.end()) {
      print_warnings({{fmt::format("no real clip has the skeleton of {}", group.name), {}}});
      continue;
    }
    ZOE_TRY_ASSIGN(const generate::WindowMetrics own,
                   generate::window_metrics(group.poses, other->second.poses, request.options));
    rows.push_back(
        to_json(own, group.quality, group.name, "generated", group.poses.size(), other->second.poses.size()));
    if (const auto source = train.find(key); source != train.end()) {
      std::vector<PoseFrames> copies;
      for (const PoseFrames& clip : group.poses) {
        const int nearest = generate::nearest_clip(clip, source->second.poses, request.options);
        if (nearest >= 0) copies.push_back(source->second.poses[static_cast<std::size_t>(nearest)]);
      }
      if (!copies.empty()) {
        ZOE_TRY_ASSIGN(const generate::WindowMetrics copied,
                       generate::window_metrics(copies, other->second.poses, request.options));
        rows.push_back(to_json(copied, source->second.quality, group.name, "nearest training clip", copies.size(),
                               other->second.poses.size()));
      }
    }
    ZOE_TRY_ASSIGN(const generate::WindowMetrics same,
                   generate::window_metrics(other->second.poses, other->second.poses, request.options));
    rows.push_back(to_json(same, other->second.quality, group.name, "real", other->second.poses.size(),
                           other->second.poses.size()));
  }
  if (rows.empty())
    return Error{ErrorCode::kUsage,
                 "no generated motion has the skeleton of a real one (--against): nothing to compare"};
  return rows;
}

Result<Json> measure_frechet(const EvalGenerateRequest& request) {
  ZOE_TRY_ASSIGN(const eval::MotionEncoder encoder, load_encoder(""));
  const auto made = describe_with_progress(request.made, {}, true);
  if (!made) return made.error();
  const auto real = describe_with_progress(request.against, {}, true);
  if (!real) return real.error();
  ZOE_TRY_ASSIGN(const eval::FrechetReport report,
                 eval::compare_sets(eval::encode_clips(*made, &encoder), eval::encode_clips(*real, &encoder), {}));
  return Json{{"distance", report.distance},
              {"at_floor_size", report.at_floor_size.mean},
              {"floor", report.floor.mean},
              {"too_few", report.too_few()}};
}

// In-betweening of the given motions by interpolation: no model.
Result<Json> measure_gaps(const EvalGenerateRequest& request) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(const std::vector<MetricBody> bodies, load_metric_bodies(request.made, warnings));
  print_warnings(warnings);
  std::vector<Motion> clips;
  for (const MetricBody& body : bodies)
    for (const Motion& clip : body.clips) clips.push_back(without_end_sites(clip));
  Json rows = Json::array();
  for (const std::string& text : split_list(request.gaps)) {
    const int frames = std::atoi(text.c_str());
    if (frames < 1 || frames > 54)
      return Error{ErrorCode::kUsage, fmt::format("--in-between {}: give numbers of frames from 1 to 54", text)};
    const std::pair<const char*, generate::FillGap> methods[] = {
        {"hold the last pose",
         [](const Motion& window, const generate::Gap& gap) -> Result<Motion> {
           Motion held = window;
           const auto joints = static_cast<std::size_t>(window.num_joints());
           for (int f = gap.first; f <= gap.last; ++f) {
             const std::size_t from = static_cast<std::size_t>(gap.first - 1) * joints;
             std::copy_n(&window.translations[from], joints, &held.translations[static_cast<std::size_t>(f) * joints]);
             std::copy_n(&window.rotations[from], joints, &held.rotations[static_cast<std::size_t>(f) * joints]);
           }
           return held;
         }},
        {"linear",
         [](const Motion& window, const generate::Gap& gap) {
           return generate::interpolate(window, gap, generate::Fill::kLinear);
         }},
        {"spline", [](const Motion& window, const generate::Gap& gap) {
           return generate::interpolate(window, gap, generate::Fill::kSpline);
         }}};
    for (const auto& [name, fill] : methods) {
      ZOE_TRY_ASSIGN(const generate::InbetweenRow row, generate::score_inbetween(clips, frames, name, fill));
      rows.push_back({{"method", name},
                      {"frames", frames},
                      {"l2p", row.l2p},
                      {"l2q", row.l2q},
                      {"npss", row.npss},
                      {"windows", row.windows}});
    }
  }
  return rows;
}

std::string cell(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_integer() ? std::to_string(value.get<std::int64_t>())
                                   : fmt::format("{:.4g}", value.get<double>());
}

// A table with a row for each object.
std::string to_markdown(const Json& rows) {
  std::string text = "|", line = "|";
  for (const auto& [key, value] : rows[0].items()) text += " " + key + " |", line += "---|";
  text += "\n" + line + "\n";
  for (const Json& row : rows) {
    text += "|";
    for (const auto& [key, value] : row.items()) text += " " + cell(value) + " |";
    text += "\n";
  }
  return text;
}

std::string to_html(const Json& out) {
  std::string text =
      "<!doctype html><meta charset=\"utf-8\"><title>zoe eval generate</title><style>body{font:15px "
      "sans-serif;margin:2em}td,th{padding:.3em .8em;text-align:right;border-bottom:1px solid "
      "#ccc}td:first-child{text-align:left}</style>";
  for (const auto& [name, rows] : out.items()) {
    if (!rows.is_array()) {
      text += "<p>" + name + ": " + rows.dump() + "</p>";
      continue;
    }
    text += "<h2>" + name + "</h2><table><tr>";
    for (const auto& [key, value] : rows[0].items()) text += "<th>" + key;
    for (const Json& row : rows) {
      text += "<tr>";
      for (const auto& [key, value] : row.items()) text += "<td>" + cell(value);
    }
    text += "</table>";
  }
  return text + "\n";
}

Result<int> evaluate(const EvalGenerateRequest& request) {
  Json out;
  if (!request.gaps.empty()) {
    ZOE_TRY_ASSIGN(out["in_between"], measure_gaps(request));
  } else {
    ZOE_TRY_ASSIGN(out["windows"], measure_windows(request));
  }
  if (request.frechet) {
    ZOE_TRY_ASSIGN(out["frechet"], measure_frechet(request));
  }
  std::string markdown;
  for (const auto& [name, rows] : out.items())
    markdown += rows.is_array() ? to_markdown(rows) + "\n" : fmt::format("{}: {}\n", name, rows.dump());
  if (!request.output.empty()) {
    const bool html = request.output.ends_with(".html");
    ZOE_TRY(write_file_atomic(request.output, html                                ? to_html(out)
                                              : request.output.ends_with(".json") ? out.dump(2) + "\n"
                                                                                  : markdown));
  }
  if (request.json)
    fmt::print("{}\n", out.dump(2));
  else
    fmt::print("{}", markdown);
  return kDone;
}

}  // namespace

int run_eval_generate(const Arguments& arguments) {
  Options app;
  EvalGenerateRequest request;
  app.add_option("motions", request.made, "Generated motion files, or folders of them")->required()->reads();
  app.add_option("--against", request.against, "Real motions of the same skeletons")->reads();
  app.add_option("--train", request.train, "Training motions, for the nearest clip; default those of --against")
      ->reads();
  app.add_option("--in-between", request.gaps,
                 "Instead: fill gaps of N frames in the motions by interpolation, e.g. 5,15,30,45")
      ->type_name("LIST");
  app.add_flag("--frechet", request.frechet, "Also the Fréchet distance with its floor, by the motion encoder");
  app.add_option("--window", request.options.window, "Frames of a window")->between(2, 1000)->capture_default_str();
  app.add_option("--seed", request.options.seed, "Of the random choices")->at_least_zero()->capture_default_str();
  app.add_option("-o,--out", request.output, "Table: .md, .html or .json")->writes();
  app.add_flag("--json", request.json, "Print JSON instead of a table");
  if (const auto exit = parse(app, arguments)) return *exit;
  if (request.against.empty() && request.gaps.empty()) {
    print_error("give real motions to compare with: --against");
    return kWrongUsage;
  }
  const Result<int> done = evaluate(request);
  return done ? *done : print_error(done.error());
}

}  // namespace zoe::cli
