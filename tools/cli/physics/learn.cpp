// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics learn`: rollouts of a body and training of its tracker in turn. The
// engine is here, libtorch is in zoe-train; rollouts go from one to the other as a file.
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "zoe/author/trainer.h"
#include "zoe/control/controller.h"
#include "zoe/core/thread_pool.h"
#include "zoe/features/tracks.h"
#include "zoe/io/write.h"
#include "zoe/motion/edit.h"
#include "zoe/physics/rollouts.h"

#include "physics/policy_folder.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

struct Learn {
  std::vector<std::string> files, settings;
  std::string out, device = "auto";
  int rounds = 4, frames = 40000, steps = 400, window = 32, kept_rounds = 3;
  double seconds = 0;
  double assist = 0, last_assist = -1, plans_s = 0;
  physics::RolloutOptions rollouts;
};

// Some seconds at few frames per second are enough for limits and soles.
Result<Motion> start_of(const Motion& motion) {
  constexpr double kRate = 30, kSeconds = 6;
  ZOE_TRY_ASSIGN(Motion slow, resample(motion, std::min(kRate, motion.fps)));
  if (slow.duration_s() <= kSeconds) return slow;
  return trim(slow, 0, static_cast<int>(kSeconds * slow.fps));
}

// The start of all clips on the first file's body, in metres.
Result<void> write_body(const Learn& job) {
  Warnings warnings;
  io::Asset body;
  const fs::path out = body_of_policy(job.out);
  for (const std::string& file : job.files) {
    ZOE_TRY_ASSIGN(LoadedClip clip, load_metric_clip_on(file, {}, warnings));
    if (clip.is_rest() || clip.motion.num_frames < 12)
      return Error{ErrorCode::kUsage, "contains no clip of 12 frames or more to follow", {.file = file}};
    if (body.character == nullptr) {
      body.character = clip.character();
    } else if (!control::check_same_skeleton(*body.character->skeleton, *clip.motion.skeleton)) {
      ZOE_TRY(change_body(clip, out.string()));
    }
    ZOE_TRY_ASSIGN(Motion start, start_of(clip.motion));
    start.skeleton = body.character->skeleton;
    start.name = fs::path(file).stem().string();
    body.clips.push_back(std::move(start));
    if (body.clips.size() == 1 || body.clips.size() == job.files.size()) {
      ZOE_TRY_ASSIGN(const Warnings written, io::write_asset(out, body));
    }
  }
  print_warnings(warnings);
  return {};
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Result<void> write_rollouts(const fs::path& folder, std::span<const physics::Rollouts> rounds, int window) {
  physics::Rollouts all;
  for (const physics::Rollouts& part : rounds) {
    append(all.body, part.body), append(all.target, part.target), append(all.offset, part.offset);
    append(all.track_lengths, part.track_lengths);
  }
  const int width = rounds[0].num_bones * kBoneRowWidth;
  const features::TrackField fields[] = {
      {"body", width, all.body}, {"target", width, all.target}, {"offset", rounds[0].num_offsets, all.offset}};
  return features::write_tracks(folder, fields, all.track_lengths, window);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Result<void> learn(const Learn& job) {
  const auto start = std::chrono::steady_clock::now();
  author::ProcessTrainer trainer(author::trainer_beside_us());
  ZOE_TRY(trainer.check());
  std::error_code ignored;
  fs::create_directories(job.out, ignored);
  ZOE_TRY(write_body(job));
  // As `zoe physics track --policy` reads it.
  const std::string body_file = body_of_policy(job.out).string();
  Warnings warnings;
  ZOE_TRY_ASSIGN(const BodyFile body, load_body_file(body_file, {}, warnings));
  ZOE_TRY_ASSIGN(const physics::BodyModelPtr model, physics::BodyModel::create(body.plan, body.clip.motion.skeleton));
  std::vector<Motion> clips;
  for (const std::string& file : job.files) {
    ZOE_TRY_ASSIGN(LoadedClip clip, load_metric_clip_on(file, {.character = body_file}, warnings));
    clips.push_back(std::move(clip.motion));
  }
  const fs::path data = fs::path(job.out) / "rollouts", training = fs::path(job.out) / "training";
  fs::remove_all(training, ignored);
  std::vector<physics::Rollouts> kept;
  physics::RolloutOptions options = job.rollouts;
  options.num_frames = job.frames;
  options.teacher.horizon_frames = static_cast<int>(std::lround(job.plans_s / model->options().frame_s));
  options.teacher.steps_per_frame = 2, options.teacher.most_rounds = 1;
  // Plans are slow: shorter rollouts begin at more places.
  if (job.plans_s > 0) options.longest_frames = 120;
  double trained_s = 0;
  for (int round = 0; round <= job.rounds; ++round) {
    const bool last = round == job.rounds;
    if (last) options.num_frames = std::min(job.frames, 10000), options.calm_share = 1, options.teacher = {};
    const double way = job.rounds > 1 ? std::min(1.0, round / (job.rounds - 1.0)) : 1;
    options.assist_share = job.assist + (job.last_assist < 0 ? 0 : way * (job.last_assist - job.assist));
    options.seed = job.rollouts.seed + static_cast<std::uint64_t>(round);
    const auto began = std::chrono::steady_clock::now();
    ZOE_TRY_ASSIGN(physics::Rollouts made, physics::roll_out(model, clips, options, ThreadPool::shared()));
    if (!quiet()) {
      fmt::print(
          "{} {} rounds: {} of {} rollouts without noise stay up, {:.1f} s on average of at most {:.1f} s, error "
          "{:.1f} "
          "cm, assist {:.2f} of the weight ({:.0f} s)\n",
          round == 0 ? "Before" : "After", round == 0 ? job.rounds : round, made.num_calm - made.num_calm_falls,
          made.num_calm, made.calm_s, options.longest_frames * model->options().frame_s, 100 * made.calm_error_m,
          options.assist_share, seconds_since(began));
      std::fflush(stdout);
    }
    const double rolled_s = seconds_since(began);
    if (last) break;
    kept.push_back(std::move(made));
    // What a teacher says stays true; the world of an early policy is one that later ones do not see.
    if (job.plans_s <= 0 && kept.size() > static_cast<std::size_t>(job.kept_rounds)) kept.erase(kept.begin());
    ZOE_TRY(write_rollouts(data, kept, job.window));
    author::TrainingRequest request{.model = "tracker", .data = data, .out = training, .device = job.device};
    request.quiet = true, request.resume = round > 0, request.allow_changes = round > 0;
    request.settings = {"train.schedule=constant",
                        "train.rate=5e-4",
                        "train.ema=0.995",
                        "train.batch=256",
                        "train.log_every=100",
                        "train.checkpoint_every=1000000",
                        "train.keep=1"};
    if (job.plans_s > 0) request.settings.emplace_back("model.clone=true");
    request.settings.push_back(fmt::format("train.steps={}", (round + 1) * job.steps));
    if (job.seconds > 0) {
      // What rollouts leave, in equal parts; the trainer counts the seconds of earlier rounds.
      const double left = job.seconds - seconds_since(start) - rolled_s * (job.rounds - 1 - round);
      const double part = std::max(1.0, left / (job.rounds - round) - 2);
      trained_s += part;
      request.settings.push_back(fmt::format("train.seconds={:.1f}", trained_s));
    }
    request.settings.insert(request.settings.end(), job.settings.begin(), job.settings.end());
    ZOE_TRY_ASSIGN(const author::Training trained, trainer.train(request));
    fs::copy_file(trained.model_file, network_of_policy(job.out), fs::copy_options::overwrite_existing, ignored);
    ZOE_TRY_ASSIGN(options.policy, load_policy(job.out, *model));
  }
  return {};
}

}  // namespace

int run_physics_learn(const Arguments& arguments) {
  Options app;
  Learn job;
  app.add_option("files", job.files, "Clips to follow, of one body: the first file's")->required()->reads();
  app.add_option("-o,--out", job.out, "Folder of the policy")->required()->writes_folder();
  app.add_option("--rounds", job.rounds, "Rounds of rollouts and training")->between(1, 1000)->capture_default_str();
  app.add_option("--frames", job.frames, "Frames of rollouts per round")->between(200, 10000000)->capture_default_str();
  app.add_option("--steps", job.steps, "Training steps per round")->between(1, 10000000)->capture_default_str();
  app.add_option("--seconds", job.seconds, "Instead: all of it takes about this time; 0: by steps")
      ->between(0, 1e6, "s")
      ->capture_default_str();
  app.add_option("--window", job.window, "Ticks that the policy is trained over")
      ->between(2, 512)
      ->capture_default_str();
  app.add_option("--noise", job.rollouts.noise_rad, "Largest deviation of random offsets")
      ->between(0, 1, "rad")
      ->capture_default_str();
  app.add_option("--assist", job.assist, "Limit of the assist in rollouts, of the weight; 0: none")
      ->between(0, 10)
      ->capture_default_str();
  app.add_option("--last-assist", job.last_assist, "Limit in the last round, equal steps between; default: the same")
      ->between(0, 10);
  app.add_option("--plans", job.plans_s,
                 "Learn to do what plans of balance do that look this far ahead; 0: learn from a model of the world")
      ->between(0, 3, "s")
      ->capture_default_str();
  app.add_option("--seed", job.rollouts.seed, "Of rollouts")->at_least_zero()->capture_default_str();
  app.add_option("--device", job.device, "auto, cpu, cuda")->capture_default_str();
  app.add_option("--set", job.settings, "Settings of the training, e.g. model.hidden=256,256")->one_value_each();
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<void> done = learn(job);
  return done ? static_cast<int>(kDone) : print_error(done.error());
}

}  // namespace zoe::cli
