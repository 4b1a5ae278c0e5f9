// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics feet`: data for learned foot locks, and what they do beside others.
#include <fmt/format.h>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/control/learned_feet.h"
#include "zoe/features/tracks.h"
#include "zoe/motion/edit.h"
#include "zoe/physics/drape_motion.h"
#include "zoe/physics/foot_labels.h"
#include "zoe/physics/track_motion.h"

#include "ground_option.h"
#include "physics/policy_folder.h"

namespace zoe::cli {
namespace {

struct FeetClip {
  physics::BodyModelPtr model;
  SkeletonAnalysis analysis;
  Motion motion, simulated;  // At 60 frames a second, metres.
  std::vector<Leg> legs;
  double ground_y_m = 0;
};

Result<FeetClip> simulate(const std::string& file, double seconds, double assist_share, const GroundPtr& ground) {
  Warnings warnings;
  FeetClip out;
  ZOE_TRY_ASSIGN(LoadedClip clip, load_metric_clip_on(file, {}, warnings));
  if (clip.is_rest() || clip.motion.num_frames < 12)
    return Error{ErrorCode::kUsage, "contains no clip of 12 frames or more", {.file = file}};
  ZOE_TRY_ASSIGN(out.analysis, analyse_clip(clip));
  const std::span<const Motion> clips(&clip.motion, 1);
  ZOE_TRY_ASSIGN(physics::BodyPlan plan,
                 physics::plan_body({*clip.motion.skeleton, out.analysis, clips, clip.character().get()}));
  out.legs = physics::legs_of(plan, clip.motion);
  const double weight_n = plan.mass_kg * physics::kGravityM_s2;
  ZOE_TRY_ASSIGN(out.model, physics::BodyModel::create(std::move(plan), clip.motion.skeleton, {.ground = ground}));
  ZOE_TRY_ASSIGN(out.motion, resample(clip.motion, kFootRateHz));
  if (out.motion.duration_s() > seconds) {
    ZOE_TRY_ASSIGN(out.motion, trim(out.motion, 0, static_cast<int>(seconds * out.motion.fps)));
  }
  out.ground_y_m = physics::ground_under(*out.model, out.motion);
  if (ground != nullptr) {
    out.motion = physics::drape_motion(*out.model, out.motion, *ground, out.ground_y_m);
    out.ground_y_m = 0;
  }
  ZOE_TRY_ASSIGN(physics::TrackReport report,
                 physics::track_motion(out.model, out.motion,
                                       {.assist_n = assist_share * weight_n, .ground_y_m = out.ground_y_m}));
  out.simulated = std::move(report.motion);
  // Frames at the start that no body follows were dropped.
  if (const int dropped = out.motion.num_frames - out.simulated.num_frames; dropped > 0) {
    ZOE_TRY_ASSIGN(out.motion, trim(out.motion, dropped, out.motion.num_frames - 1));
  }
  return out;
}

// Rows of the kinematic feet, and whether the simulated ones hold. One track per leg.
struct Rows {
  std::vector<float> x, y;
  std::vector<std::int32_t> lengths;

  void add(const FeetClip& clip, const GroundPtr& ground) {
    const std::vector<float> holds = physics::holding_feet(*clip.model, clip.legs, clip.simulated, clip.ground_y_m);
    const int num_frames = std::min(clip.motion.num_frames, clip.simulated.num_frames);
    anatomy::ModelPose posed;
    for (std::size_t l = 0; l < clip.legs.size(); ++l) {
      FootHistory history;
      for (int frame = 0; frame < num_frames; ++frame) {
        anatomy::compute_model_pose(*clip.motion.skeleton, clip.motion.frame(frame), posed);
        history.add(control::foot_points(clip.legs[l], posed, ground.get(), static_cast<float>(clip.ground_y_m)),
                    static_cast<float>(1 / kFootRateHz));
        x.resize(x.size() + kFootRowWidth);
        history.write(std::span(x).last(kFootRowWidth));
        const std::size_t at = (static_cast<std::size_t>(frame) * clip.legs.size() + l) * 2;
        y.insert(y.end(), {holds[at], holds[at + 1]});
      }
      lengths.push_back(num_frames);
    }
  }
};

struct Figures {
  double depth_m = 0, slip_m_s = 0, change_m = 0;
  void add(const physics::SoleFigures& soles, double moved_m) {
    depth_m += soles.depth_m, slip_m_s += soles.slip_m_s, change_m += moved_m;
  }
};

double mean_change_m(const Motion& a, const Motion& b) {
  anatomy::ModelPose from, to;
  double sum = 0;
  const int num_frames = std::min(a.num_frames, b.num_frames);
  for (int frame = 0; frame < num_frames; ++frame) {
    anatomy::compute_model_pose(*a.skeleton, a.frame(frame), from);
    anatomy::compute_model_pose(*b.skeleton, b.frame(frame), to);
    for (std::size_t j = 0; j < from.positions.size(); ++j)
      sum += static_cast<double>(distance(from.positions[j], to.positions[j]));
  }
  return sum / (static_cast<double>(num_frames) * a.num_joints());
}

// feet: null: contacts of the whole clip, detected by heights and speeds.
Result<Motion> locked_feet(const FeetClip& clip, const control::LearnedFeetPtr& feet, const GroundPtr& ground) {
  control::FootLockLayer layer(feet, clip.motion.skeleton, clip.legs, ground, static_cast<float>(clip.ground_y_m));
  std::optional<Contacts> contacts;
  if (feet == nullptr) {
    ZOE_TRY_ASSIGN(contacts, find_foot_contacts(clip.motion, clip.analysis));
  }
  Motion out = clip.motion;
  std::vector<float> holds(clip.legs.size());
  for (int frame = 0; frame < clip.motion.num_frames; ++frame) {
    for (std::size_t l = 0; contacts && l < holds.size(); ++l) {
      // Columns are in the order of the analysis' feet.
      const auto parts = foot_parts(clip.analysis);
      for (std::size_t c = 0; c < parts.size(); ++c)
        if (std::ranges::find(parts[c], clip.legs[l].ankle) != parts[c].end())
          holds[l] = contacts->at(frame, static_cast<int>(c)) ? 1.0F : 0.0F;
    }
    if (contacts) layer.set_contacts(holds, holds);
    const PoseView pose = layer.run(clip.motion.frame(frame), {}, 1 / kFootRateHz);
    const auto at = static_cast<std::ptrdiff_t>(frame) * clip.motion.num_joints();
    std::ranges::copy(pose.translations, out.translations.begin() + at);
    std::ranges::copy(pose.rotations, out.rotations.begin() + at);
  }
  return out;
}

}  // namespace

int run_physics_feet(const Arguments& arguments) {
  Options app;
  std::vector<std::string> files, grounds;
  std::string output, network;
  double seconds = 10, assist_share = 1.5;
  app.add_option("files", files, "Clips; bodies are simulated that follow them")->required()->reads();
  auto* out = app.add_option("-o,--out", output, "Folder for data: `zoe train mlp --data FOLDER` trains a lock")
                  ->writes_folder();
  app.add_option("--network", network, "Instead compare this lock with others: the trained model.safetensors")
      ->reads()
      ->excludes(out);
  app.add_option("--ground", grounds, "Uneven ground as in `zoe play`, e.g. rough:3; repeatable; flat is none")
      ->one_value_each();
  app.add_option("--assist", assist_share, "Largest force of the assist, of the weight")
      ->between(0, 10)
      ->capture_default_str();
  app.add_option("--seconds", seconds, "Of each clip")->between(0.5, 600, "s")->capture_default_str();
  if (const auto exit = parse(app, arguments)) return *exit;
  if (output.empty() && network.empty()) {
    print_error("physics feet: -o DATA or --network FILE says what to do");
    return kWrongUsage;
  }
  control::LearnedFeetPtr feet;
  if (!network.empty()) {
    Result<nn::NetworkPtr> loaded = nn::load_fixed_network(network);
    if (!loaded) return print_error(loaded.error());
    Result<control::LearnedFeetPtr> made = control::LearnedFeet::create(std::move(*loaded));
    if (!made) return print_error(made.error());
    feet = std::move(*made);
    fmt::print("| ground | clips | method | depth cm | slip m/s | change cm |\n|---|---|---|---|---|---|\n");
  }
  if (grounds.empty()) grounds.emplace_back("flat");
  Rows rows;
  for (const std::string& words : grounds) {
    GroundPtr ground;
    if (words != "flat") {
      Result<GroundPtr> read = read_ground(words);
      if (!read) return print_error(read.error());
      ground = std::move(*read);
    }
    constexpr const char* kMethods[] = {"clip", "lock, detected contacts", "lock, learned", "physics"};
    Figures figures[4];
    int num_clips = 0;
    for (const std::string& file : files) {
      const Result<FeetClip> clip = simulate(file, seconds, assist_share, ground);
      if (!clip) return print_error(clip.error());
      if (clip->legs.empty()) continue;
      ++num_clips;
      if (feet == nullptr) {
        rows.add(*clip, ground);
        continue;
      }
      const Result<Motion> detected = locked_feet(*clip, nullptr, ground), learned = locked_feet(*clip, feet, ground);
      if (!detected) return print_error(detected.error());
      if (!learned) return print_error(learned.error());
      const Motion* motions[] = {&clip->motion, &*detected, &*learned, &clip->simulated};
      for (std::size_t i = 0; i < 4; ++i)
        figures[i].add(physics::measure_soles(*clip->model, *motions[i], clip->motion, clip->ground_y_m),
                       mean_change_m(clip->motion, *motions[i]));
    }
    for (std::size_t i = 0; feet != nullptr && num_clips > 0 && i < 4; ++i)
      fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.1f} |\n", words, num_clips, kMethods[i],
                 100 * figures[i].depth_m / num_clips, figures[i].slip_m_s / num_clips,
                 100 * figures[i].change_m / num_clips);
  }
  if (feet != nullptr) return kDone;
  if (rows.lengths.empty()) return print_error(Error{ErrorCode::kInvalid, "no clip has legs with feet", {}});
  const features::TrackField fields[] = {{"x", kFootRowWidth, rows.x}, {"y", 2, rows.y}};
  if (const auto written = features::write_tracks(output, fields, rows.lengths, 1); !written)
    return print_error(written.error());
  if (!quiet()) fmt::print("{}: {} rows of {} feet\n", output, rows.y.size() / 2, rows.lengths.size());
  return kDone;
}

}  // namespace zoe::cli
