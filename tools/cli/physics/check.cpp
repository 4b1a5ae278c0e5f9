// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics check`: bodies of many rigs, built and standing.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/index.h"
#include "zoe/io/convert.h"
#include "zoe/io/write.h"
#include "zoe/physics/track_motion.h"

#include "physics/body_file.h"

namespace zoe::cli {
namespace fs = std::filesystem;
namespace {

struct Stand {
  std::string file, family, problem;  // The problem is empty where the body stands.
  bool has_legs = false;
  int num_bones = 0, num_dofs = 0;
  double mass_kg = 0, height_m = 0;
  double assist_n = 0, drift_m = 0;    // Held by servos and a small assist.
  std::optional<double> alone_fall_s;  // Servos alone.
};

struct Held {
  double assist_n = 0, drift_m = 0;
  std::optional<double> fall_s;
  int num_bad = 0;
};

Held hold(const physics::BodyModelPtr& model, const Pose& pose, double ground_y_m, double limit_n, double seconds,
          Pose* end) {
  physics::BodyState state(model);
  state.reset(pose.view(), ground_y_m);
  Held held;
  const int num_ticks = static_cast<int>(seconds / model->options().frame_s);
  for (int i = 0; i < num_ticks && !held.fall_s; ++i) {
    const physics::TickReport tick = state.tick(pose.view(), {.assist_n = limit_n});
    held.assist_n += tick.assist_n / num_ticks;
    held.num_bad += tick.went_bad ? 1 : 0;
    held.drift_m = std::max(held.drift_m, distance(state.bone_origin_m(0), state.target_origin_m(0)));
    if (physics::has_fallen(state, model->plan())) held.fall_s = (i + 1) * model->options().frame_s;
  }
  if (end != nullptr) state.read_pose(*end);
  return held;
}

// The rest pose of the file, or where the analysis says otherwise its own; the lowest shape is on the ground.
Result<Stand> stand(const std::string& file, double seconds, double assist_share, const fs::path& out) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(const BodyFile body, load_body_file(file, {}, warnings));
  const physics::BodyPlan& plan = body.plan;
  Stand result{.file = file, .family = to_string(body.analysis.family)};
  result.has_legs = plan.has_legs();
  result.num_bones = static_cast<int>(plan.bones.size());
  result.mass_kg = plan.mass_kg, result.height_m = plan.height_m;
  ZOE_TRY_ASSIGN(const physics::BodyModelPtr model, physics::BodyModel::create(plan, body.clip.motion.skeleton));
  result.num_dofs = model->num_dofs();
  const Pose pose = physics::reference_pose_of(body.source());
  Motion still = make_motion(body.clip.motion.skeleton, "stand", 60, 1, true);
  still.translations = pose.translations, still.rotations = pose.rotations, still.scales = pose.scales;
  const double ground = physics::ground_under(*model, still);
  const double weight = plan.mass_kg * physics::kGravityM_s2;
  Pose end = pose;
  const Held held = hold(model, pose, ground, assist_share * weight, seconds, &end);
  result.assist_n = held.assist_n, result.drift_m = held.drift_m;
  result.alone_fall_s = hold(model, pose, ground, 0, seconds, nullptr).fall_s;
  if (held.num_bad > 0) result.problem = fmt::format("unstable: numbers were reset {} times", held.num_bad);
  if (held.fall_s) result.problem = fmt::format("falls after {:.1f} s", *held.fall_s);
  if (!out.empty()) {
    still.translations = end.translations, still.rotations = end.rotations, still.scales = end.scales;
    io::Asset asset{body.clip.character(), {still}, body.clip.asset->source, {}};
    const fs::path name = out / (fs::path(file).stem().string() + ".glb");
    ZOE_TRY_ASSIGN(const Warnings written, io::write_asset(name, asset));
  }
  return result;
}

nlohmann::ordered_json to_json(const Stand& s) {
  nlohmann::ordered_json json{
      {"file", s.file},       {"family", s.family},         {"legs", s.has_legs},     {"bones", s.num_bones},
      {"dofs", s.num_dofs},   {"mass_kg", s.mass_kg},       {"height_m", s.height_m}, {"assist_n", s.assist_n},
      {"drift_m", s.drift_m}, {"stands", s.problem.empty()}};
  json["stands_alone"] = !s.alone_fall_s.has_value();
  if (!s.problem.empty()) json["problem"] = s.problem;
  return json;
}

}  // namespace

int run_physics_check(const Arguments& arguments) {
  Options app;
  std::vector<std::string> inputs;
  std::string out;
  double seconds = 2, assist = 0.2;
  bool json = false;
  app.add_option("files", inputs, "Rigs, or folders of rigs")->required()->reads();
  app.add_option("--seconds", seconds, "How long each body stands")->between(0.1, 60, "s")->capture_default_str();
  app.add_option("--assist", assist, "Largest force of the assist, of the body's weight")
      ->between(0, 10)
      ->capture_default_str();
  app.add_option("-o,--out", out, "Folder for the poses at the end (.glb)")->writes_folder();
  app.add_flag("--json", json, "One object per file");
  if (const auto exit = parse(app, arguments)) return *exit;
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    if (!fs::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    const Result<std::vector<fs::path>> found = io::list_assets(input);
    if (!found) return print_error(found.error());
    for (const fs::path& path : *found) files.push_back(path.string());
  }
  if (!out.empty()) fs::create_directories(out);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  int stood = 0, alone = 0, with_legs = 0, without_legs = 0, refused = 0;
  for (const std::string& file : files) {
    const Result<Stand> result = stand(file, seconds, assist, out);
    if (!result) {
      ++refused;
      all.push_back({{"file", file}, {"error", result.error().message}});
      if (!json) fmt::print("{}: no body: {}\n", file, result.error().message);
      continue;
    }
    all.push_back(to_json(*result));
    (result->has_legs ? with_legs : without_legs) += 1;
    if (result->has_legs && result->problem.empty()) ++stood;
    if (result->has_legs && !result->alone_fall_s) ++alone;
    if (json) continue;
    fmt::print("{}: {}, {} bones, {:.3g} kg, {:.2f} m: {}, drift {:.1f} cm, assist {:.1f} N{}\n", file, result->family,
               result->num_bones, result->mass_kg, result->height_m,
               result->problem.empty() ? "stands" : result->problem, 100 * result->drift_m, result->assist_n,
               result->alone_fall_s ? fmt::format("; alone it falls after {:.1f} s", *result->alone_fall_s) : "");
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  } else if (files.size() > 1) {
    fmt::print("{} of {} bodies with legs stand, {} of them without assist; {} without legs, {} files without a body\n",
               stood, with_legs, alone, without_legs, refused);
  }
  return stood == with_legs ? kDone : kFailed;
}

}  // namespace zoe::cli
