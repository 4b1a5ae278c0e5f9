// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics track`: a simulated body follows a clip.
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/thread_pool.h"
#include "zoe/io/write.h"
#include "zoe/motion/edit.h"
#include "zoe/physics/drape_motion.h"
#include "zoe/physics/push_motion.h"
#include "zoe/physics/track_motion.h"

#include "ground_option.h"
#include "physics/body_file.h"
#include "physics/policy_folder.h"
#include "physics/push_option.h"

namespace zoe::cli {
namespace {

nlohmann::ordered_json to_json(const std::string& file, const BodyFile& body, const physics::TrackReport& r,
                               const physics::BalanceOptions& options) {
  nlohmann::ordered_json json{{"file", file},
                              {"family", to_string(body.analysis.family)},
                              {"bones", body.plan.bones.size()},
                              {"mass_kg", body.plan.mass_kg},
                              {"height_m", body.plan.height_m},
                              {"duration_s", r.duration_s},
                              {"mean_error_m", r.mean_error_m},
                              {"p95_error_m", r.p95_error_m},
                              {"worst_error_m", r.worst_error_m},
                              {"moved_error_m", r.moved_error_m},
                              {"moved_m", r.moved_m},
                              {"mean_assist_n", r.mean_assist_n},
                              {"worst_assist_n", r.worst_assist_n},
                              {"mean_assist_nm", r.mean_assist_nm},
                              {"survived", !r.fall_s.has_value()}};
  if (r.fall_s) json["fall_s"] = *r.fall_s;
  json["resets"] = r.num_bad;
  json["penetration_m"] = r.penetration_m;
  json["target_penetration_m"] = r.target_penetration_m;
  json["slide_m_s"] = r.slide_m_s;
  json["target_slide_m_s"] = r.target_slide_m_s;
  json["slip_m_s"] = r.slip_m_s;
  json["target_slip_m_s"] = r.target_slip_m_s;
  if (r.planned_ticks > 0) {
    json["plan_ahead_s"] = options.horizon_frames / r.motion.fps;
    json["planned_ticks"] = r.planned_ticks;
  }
  json["hash"] = fmt::format("{:016x}", r.hash);
  return json;
}

int print_pushed(const std::string& file, const physics::PushReport& r, bool json) {
  if (json) {
    const nlohmann::ordered_json figures{{"file", file},
                                         {"duration_s", r.motion.duration_s()},
                                         {"falls", r.num_falls},
                                         {"get_ups", r.num_get_ups},
                                         {"recovered", r.recovered},
                                         {"down_s", r.down_s},
                                         {"largest_step_m", r.largest_step_m},
                                         {"thrown_up_m", r.thrown_up_m},
                                         {"mean_assist_n", r.mean_assist_n},
                                         {"resets", r.num_bad}};
    fmt::print("{}\n", figures.dump(2));
  } else {
    fmt::print("{}: {:.1f} s, {} falls, {} get-ups, {:.1f} s down, {}; assist {:.1f} N mean\n", file,
               r.motion.duration_s(), r.num_falls, r.num_get_ups, r.down_s,
               r.recovered ? "follows at the end" : "is down at the end", r.mean_assist_n);
  }
  return kDone;
}

}  // namespace

int run_physics_track(const Arguments& arguments) {
  Options app;
  std::string file, output, ground_words, policy, balance = "0";
  ClipOptions clip;
  physics::TrackOptions options;
  physics::BodyModelOptions model_options;
  std::vector<std::string> pushes;
  double max_s = 0;
  bool json = false, no_self = false, reacts = false;
  app.add_option("file", file, "File with the clip")->required()->reads();
  app.add_option("--clip", clip.clip, "Name or number of the clip; default: the first");
  auto* character =
      app.add_option("--character", clip.character, "Another body: the clip is retargeted to it")->reads();
  auto* assist = app.add_option("--assist", options.assist_n, "Largest force of the assist on the root; 0: none at all")
                     ->between(0, 1e6, "N")
                     ->capture_default_str();
  app.add_option("--fade", options.fade_s, "The assist falls to zero over this time; 0: it stays")
      ->between(0, 1e4, "s")
      ->capture_default_str();
  app.add_option("--push", pushes, "FORCE@TIME or X,Y,Z@TIME, N and s, for 0.2 s; repeatable")->one_value_each();
  app.add_option("--ground", ground_words, "Uneven ground as in `zoe play`, e.g. rough:3; the clip is lifted onto it")
      ->reads();
  auto* get_up =
      app.add_flag("--get-up", reacts, "A body that falls is limp, then gets up; the assist is 1.2 of the weight")
          ->excludes(assist);
  app.add_option("--samples", options.num_samples, "Search of balance: variations per 0.1 s; 0: none")
      ->between(0, 10000)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the search")->at_least_zero()->capture_default_str();
  app.add_option(
         "--balance", balance,
         "Balance without assist, slow: plan this far ahead, 0 to 3 s; auto: by the size of the body, 0.6 s for a "
         "person; 0: none")
      ->type_name("S|auto")
      ->excludes(get_up)
      ->capture_default_str();
  app.add_option("--policy", policy, "Folder of `zoe physics learn`: its body and its learned offsets")
      ->type_name("RUN")
      ->excludes(character);
  app.add_option("--policy-share", options.policy_share, "Of its offsets; 0: the same body without them")
      ->between(0, 1)
      ->capture_default_str();
  app.add_option("--give-way", options.give_way_m_s, "Targets move to a body that is far from them, at most this fast")
      ->between(0, 10, "m/s")
      ->excludes(get_up)
      ->capture_default_str();
  app.add_option("--plan-window", options.balance.window_frames,
                 "Frames for which a plan is followed; 0: by the size of the body")
      ->between(0, 60)
      ->capture_default_str();
  app.add_option("--plan-rounds", options.balance.most_rounds, "Improvements of a plan that is still bad, at most")
      ->between(1, 100)
      ->capture_default_str();
  app.add_option("--plan-steps", options.balance.steps_per_frame, "Simulation steps per frame of plans; 0: as --steps")
      ->between(0, 64)
      ->capture_default_str();
  app.add_option("--steps", model_options.steps_per_frame, "Simulation steps per frame of 1/60 s")
      ->between(1, 64)
      ->capture_default_str();
  app.add_option("--seconds", max_s, "Only the start of the clip; 0: all of it")->between(0, 1e5, "s");
  app.add_flag("--no-self-contacts", no_self, "Bones of the body pass through each other");
  app.add_option("-o,--out", output, "File for the simulated motion (.bvh .glb .fbx .npz)")->writes();
  app.add_flag("--json", json, "Figures as JSON");
  if (const auto exit = parse(app, arguments)) return *exit;
  constexpr const char* kFormats[] = {".glb", ".gltf", ".fbx", ".bvh", ".npz"};
  if (!output.empty())
    if (const Result<void> fits = check_output_file(output, kFormats); !fits) return print_error(fits.error());
  for (const std::string& text : pushes) {
    const Result<physics::Push> push = parse_push(text);
    if (!push) return print_error(push.error());
    options.pushes.push_back(*push);
  }
  double balance_s = 0;
  const char* const balance_end = balance.data() + balance.size();
  const auto [read_to, status] = std::from_chars(balance.data(), balance_end, balance_s);
  const bool is_time = status == std::errc() && read_to == balance_end && balance_s >= 0 && balance_s <= 3;
  if (!is_time && balance != "auto")
    return print_error(Error{ErrorCode::kUsage, fmt::format("--balance {}: 0 to 3 s, or auto", balance), {}});
  Warnings warnings;
  // With a policy limits and soles are those of the body that it knows.
  Result<BodyFile> body = policy.empty() ? load_body_file(file, clip, warnings)
                                         : load_body_file(body_of_policy(policy).string(), {}, warnings);
  if (!body) return print_error(body.error());
  if (!policy.empty()) {
    clip.character = body_of_policy(policy).string();
    Result<LoadedClip> on_body = load_metric_clip_on(file, clip, warnings);
    if (!on_body) return print_error(on_body.error());
    body->clip = std::move(*on_body);
  }
  print_warnings(warnings);
  const auto in_file = [&](const Error& error) {
    return print_error(Error{error.code, error.message, {.file = file}});
  };
  if (body->clip.is_rest()) return in_file({ErrorCode::kUsage, "contains no clip to follow", {}});
  model_options.self_contacts = !no_self;
  options.balance.executor = &ThreadPool::shared();
  if (!ground_words.empty()) {
    const Result<GroundPtr> ground = read_ground(ground_words);
    if (!ground) return print_error(ground.error());
    model_options.ground = *ground;
  }
  const auto model = physics::BodyModel::create(body->plan, body->clip.motion.skeleton, model_options);
  if (!model) return in_file(model.error());
  options.balance.horizon_frames = is_time ? static_cast<int>(std::lround(balance_s / model_options.frame_s))
                                           : physics::usual_horizon_frames(**model);
  if (!policy.empty()) {
    const Result<physics::TrackingPolicyPtr> loaded = load_policy(policy, **model);
    if (!loaded) return print_error(loaded.error());
    options.policy = *loaded;
  }
  Motion motion = body->clip.motion;
  if (max_s > 0 && max_s < motion.duration_s()) {
    const Result<Motion> cut = trim(motion, 0, static_cast<int>(max_s * motion.fps));
    if (!cut) return in_file(cut.error());
    motion = *cut;
  }
  std::optional<double> ground_y_m;
  if (model_options.ground != nullptr) {
    motion = physics::drape_motion(**model, motion, *model_options.ground, physics::ground_under(**model, motion));
    ground_y_m = options.ground_y_m = 0;
  }
  const auto write = [&](const Motion& simulated) -> Result<void> {
    if (output.empty()) return {};
    io::Asset asset{body->clip.character(), {simulated}, body->clip.asset->source, {}};
    ZOE_TRY_ASSIGN(const Warnings written, io::write_asset(output, asset));
    print_warnings(written);
    return {};
  };
  if (reacts) {
    const Result<physics::PushReport> pushed =
        physics::push_motion(*model, motion,
                             {.reaction = {.policy = options.policy, .policy_share = options.policy_share},
                              .pushes = options.pushes,
                              .ground_y_m = ground_y_m});
    if (!pushed) return in_file(pushed.error());
    if (const Result<void> done = write(pushed->motion); !done) return print_error(done.error());
    return print_pushed(file, *pushed, json);
  }
  const Result<physics::TrackReport> report = physics::track_motion(*model, motion, options);
  if (!report) return in_file(report.error());
  if (const Result<void> done = write(report->motion); !done) return print_error(done.error());
  if (json) {
    fmt::print("{}\n", to_json(file, *body, *report, options.balance).dump(2));
  } else {
    fmt::print(
        "{}: {:.1f} s, joint error {:.1f} cm (p95 {:.1f}, worst {:.1f}), assist {:.1f} N mean, {:.1f} N most, {}\n",
        file, report->duration_s, 100 * report->mean_error_m, 100 * report->p95_error_m, 100 * report->worst_error_m,
        report->mean_assist_n, report->worst_assist_n,
        report->fall_s ? fmt::format("falls after {:.1f} s", *report->fall_s) : std::string("does not fall"));
    fmt::print(
        "  soles: {:.1f} cm under the ground (clip {:.1f}), slide {:.2f} m/s (clip {:.2f}), slip {:.2f} (clip {:.2f}); "
        "hash {:016x}\n",
        100 * report->penetration_m, 100 * report->target_penetration_m, report->slide_m_s, report->target_slide_m_s,
        report->slip_m_s, report->target_slip_m_s, report->hash);
  }
  return kDone;
}

}  // namespace zoe::cli
