// SPDX-License-Identifier: MIT
#include "zoe/eval/soak.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/eval/random_life.h"

namespace zoe::eval {
namespace {

using control::Controller;
using control::ControllerPtr;
using control::ControllerState;
using control::Crowd;
using control::Intent;

// Frames of a rollback, and of the comparison of two crowds.
constexpr int kFrames = 8;
// Growth of memory that is no finding: allocators keep some.
constexpr double kGrowth_mb = 16, kGrowthShare = 0.05;
// Contact speeds are compared after this time in contact. A later one may be higher by this much.
constexpr double kContact_s = 60, kContactShare = 1.25, kContact_cm_s = 2;
constexpr std::size_t kMostFindings = 20;

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) * 1e-6;
}

bool is_sound(const ControllerState& state) {
  const auto finite = [](Vec3 v) { return is_finite(v); };
  const auto unit = [](Quat q) { return std::abs(dot(q, q) - 1) < 0.01F; };
  const PoseView pose = state.pose();
  return is_finite(state.root().position) && std::isfinite(state.root().facing_rad) &&
         std::all_of(pose.translations.begin(), pose.translations.end(), finite) &&
         std::all_of(pose.rotations.begin(), pose.rotations.end(), unit);
}

// The first foot in contact of a character that walks on for ever.
struct Walker {
  int index = -1;
  std::vector<int> chain;  // From the top joint to the foot.
  Vec3 last;
  int steady_ticks = 0;

  Vec3 foot(const ControllerState& state) const {
    Vec3 at{};
    Quat turn{};
    for (const int joint : chain) {
      at += rotate(turn, state.pose().translations[idx(joint)]);
      turn = turn * state.pose().rotations[idx(joint)];
    }
    return at;
  }
};

class Runner {
 public:
  Runner(const std::vector<ControllerPtr>& models, Executor& pool, const SoakOptions& options)
      : pool_(pool), options_(options), random_(options.seed), crowd_(crowd_of(models, options), crowd_options()) {
    models_ = models;
    intents_.resize(idx(crowd_.size()));
    for (std::size_t m = 0; m < models.size(); ++m) add_walker(static_cast<int>(m));
    while (crowd_.num_alive() < crowd_.size() * 3 / 4 && spawn()) {
    }
  }

  Soak run() {
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed_s = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    double next_progress_s = options_.progress_s;
    const auto done = [&] {
      return options_.max_ticks > 0 ? static_cast<double>(out_.ticks) / static_cast<double>(options_.max_ticks)
                                    : out_.wall_s / (options_.minutes * 60);
    };
    for (double share = 0; share < 1; share = done()) {
      live_one_tick(share);
      if (random_.below(120) == 0) roll_back();
      if (random_.below(400) == 0) compare_twin();
      out_.wall_s = elapsed_s();
      if (out_.warm_mb == 0 && share > 0.1) out_.warm_mb = resident_mb();
      if (out_.wall_s >= next_progress_s) {
        next_progress_s = out_.wall_s + options_.progress_s;
        measure();
        if (options_.on_progress) options_.on_progress(out_);
      }
    }
    roll_back();  // Also in the shortest run.
    compare_twin();
    measure();
    judge();
    return out_;
  }

 private:
  static std::vector<control::CrowdModel> crowd_of(const std::vector<ControllerPtr>& models,
                                                   const SoakOptions& options) {
    ZOE_CHECK(!models.empty() && options.crowd >= 1, "a soak needs a model and a character");
    std::vector<control::CrowdModel> out;
    const int each = std::max(options.crowd / static_cast<int>(models.size()), 2);
    for (const ControllerPtr& model : models) out.push_back({model, each});
    return out;
  }
  static control::CrowdOptions crowd_options() {
    control::CrowdOptions options;
    options.avoidance.emplace();
    options.detail = control::DetailOptions{.half_from_m = 15, .third_from_m = 40};
    return options;
  }

  void found(std::string what) {
    if (out_.findings.size() < kMostFindings) out_.findings.push_back(fmt::format("tick {}: {}", out_.ticks, what));
  }

  void add_walker(int model) {
    const Controller& controller = *models_[idx(model)];
    const auto index = crowd_.spawn({.root = {{4 * static_cast<float>(model), 0, 0}, 0}}, model);
    if (!index) return;
    Walker walker{.index = *index};
    if (!controller.contact_joints().empty()) {
      for (int j = controller.contact_joints()[0]; j != kNoJoint; j = controller.skeleton()->parent(j))
        walker.chain.insert(walker.chain.begin(), j);
    }
    intents_[idx(*index)] = Intent::move({0, 0, controller.motion_range().pace_mps});
    walkers_.push_back(std::move(walker));
  }
  bool is_walker(int index) const {
    return std::any_of(walkers_.begin(), walkers_.end(), [&](const Walker& w) { return w.index == index; });
  }

  bool spawn() {
    control::CrowdCharacter character{
        .root = {{random_.uniform(-20, 20), random_.uniform(-2, 2), random_.uniform(-20, 20)}, random_.uniform(-9, 9)},
        .proportions = {random_.uniform(0.8F, 1.2F), random_.uniform(0.8F, 1.2F)}};
    if (random_.below(3) == 0) character.styles[random_.below(2)] = 1;
    const auto index = crowd_.spawn(character, static_cast<int>(random_.below(models_.size())));
    if (!index) return false;
    ++out_.spawns;
    intents_[idx(*index)] = random_intent(random_);
    return true;
  }

  // Everything but ticks and what a rollback repeats.
  void change_something() {
    const int index = static_cast<int>(random_.below(idx(crowd_.size())));
    if (crowd_.is_alive(index) && !is_walker(index)) {
      ControllerState& state = crowd_.state(index);
      disturb(crowd_.controller_of(index), state, random_);
      if (random_.below(40) == 0) {
        out_.recoveries += state.num_recoveries();
        crowd_.despawn(index);
        ++out_.despawns;
      }
    }
    if (random_.below(30) == 0) spawn();
    if (random_.below(60) == 0) {
      const Walker& near = walkers_[random_.below(walkers_.size())];
      const Vec3 eye = crowd_.state(near.index).root().position;
      crowd_.set_eye(eye + Vec3{random_.uniform(-5, 5), 2, random_.uniform(-5, 5)});
    }
  }

  void change_intents(Random& random) {
    for (int i = 0; i < crowd_.size(); ++i) {
      if (is_walker(i) || random.below(40) != 0) continue;
      intents_[idx(i)] = random.below(12) == 0 ? absurd_intent(random) : random_intent(random);
    }
  }
  static double dt_s(Random& random) {
    constexpr double kAbsurd_s[] = {NAN, -1, 1e9, HUGE_VAL};
    return random.below(500) == 0 ? kAbsurd_s[random.below(4)] : random_dt_s(random);
  }

  void live_one_tick(double share) {
    change_something();
    change_intents(random_);
    const double tick_s = dt_s(random_);
    crowd_.tick(intents_, tick_s, pool_);
    ++out_.ticks;
    out_.character_ticks += crowd_.num_alive();
    if (tick_s > 0) out_.simulated_s += std::min(tick_s, Controller::kMaxTick_s);
    for (int i = 0; i < crowd_.size(); ++i) {
      if (!crowd_.is_alive(i) || is_sound(crowd_.state(i))) continue;
      ++out_.not_finite;
      found(fmt::format("the pose of character {} ({}) is not finite", i, crowd_.controller_of(i).type()));
    }
    for (Walker& walker : walkers_) watch(walker, tick_s, share);
  }

  void watch(Walker& walker, double tick_s, double share) {
    const ControllerState& state = crowd_.state(walker.index);
    if (walker.chain.empty()) return;
    const Vec3 now = walker.foot(state);
    const bool steady =
        tick_s > 0 && tick_s < 0.04 && crowd_.steps_an_answer(walker.index) == 1 && state.contacts()[0] > 0.5F;
    walker.steady_ticks = steady ? walker.steady_ticks + 1 : 0;
    // The first ticks of a contact blend into it, and detail that returns takes a while.
    if (walker.steady_ticks > 3 && share > 0.02) {
      Third& third = share < 1.0 / 3 ? first_ : last_;
      if (share < 1.0 / 3 || share >= 2.0 / 3) {
        third.metres +=
            std::hypot(static_cast<double>(now.x - walker.last.x), static_cast<double>(now.z - walker.last.z));
        third.seconds += tick_s;
      }
    }
    walker.last = now;
  }

  std::vector<std::uint64_t> play(Crowd& crowd, Random frames, bool guessed) {
    std::vector<std::uint64_t> hashes;
    for (Walker& walker : walkers_) walker.steady_ticks = 0;  // These frames are not watched.
    for (int frame = 0; frame < kFrames; ++frame) {
      change_intents(frames);
      std::vector<Intent> used = intents_;
      if (guessed) used[frames.below(used.size())] = Intent::move({1, 0, 0});
      crowd.tick(used, dt_s(frames), pool_);
      hashes.push_back(crowd.hash());
    }
    return hashes;
  }
  bool restore(Crowd& crowd, const char* what) {
    const auto restored = crowd.restore_state(saved_);
    if (restored) return true;
    ++out_.refused;
    found(fmt::format("{}: own bytes are refused: {}", what, restored.error().message));
    return false;
  }

  // As network games do it: eight frames with guessed intents, then again with the true ones.
  void roll_back() {
    saved_.resize(crowd_.state_bytes());
    crowd_.save_state(saved_);
    const std::vector<Intent> before = intents_;
    const Random frames = random_.split(random_.next_u64());
    const std::vector<std::uint64_t> expected = play(crowd_, frames, false);
    for (const bool guessed : {true, false}) {
      if (!restore(crowd_, "rollback")) return;
      intents_ = before;
      const bool equal = play(crowd_, frames, guessed) == expected;
      if (guessed || equal) continue;
      ++out_.hash_mismatches;
      found("the frames after a rollback have other hashes");
    }
    ++out_.rollbacks;
  }

  // Another crowd, restored from these bytes after damaged copies of them, lives on as this one.
  void compare_twin() {
    saved_.resize(crowd_.state_bytes());
    crowd_.save_state(saved_);
    std::vector<control::CrowdModel> models;
    for (const ControllerPtr& model : models_)
      models.push_back({model, crowd_.size() / static_cast<int>(models_.size())});
    Crowd twin(models, crowd_options());
    for (int i = 0; i < crowd_.size(); ++i) twin.state(i).set_ground(crowd_.state(i).ground());
    for (int k = 0; k < 4; ++k) {
      std::vector<std::byte> bytes = saved_;
      bytes[random_.below(bytes.size())] ^= std::byte{static_cast<unsigned char>(1U << random_.below(8))};
      if (k == 3) bytes.resize(random_.below(bytes.size()));
      if (twin.restore_state(bytes)) twin.tick(intents_, 1.0 / 60, pool_);
      ++out_.damaged;
    }
    if (!restore(twin, "another crowd")) return;
    const std::vector<Intent> before = intents_;
    const Random frames = random_.split(random_.next_u64());
    const bool same = twin.hash() == crowd_.hash();
    const std::vector<std::uint64_t> expected = play(crowd_, frames, false);
    intents_ = before;
    ++out_.restores;
    if (same && play(twin, frames, false) == expected) return;
    ++out_.hash_mismatches;
    found("a crowd that was restored from these bytes comes apart");
  }

  void measure() {
    out_.resident_mb = resident_mb();
    out_.first_contact_cm_s = first_.cm_s();
    out_.last_contact_cm_s = last_.cm_s();
  }

  void judge() {
    for (int i = 0; i < crowd_.size(); ++i) {
      if (crowd_.is_alive(i)) out_.recoveries += crowd_.state(i).num_recoveries();
    }
    if (out_.resident_mb > out_.warm_mb * (1 + kGrowthShare) + kGrowth_mb)
      found(fmt::format("memory grew from {:.0f} to {:.0f} MB", out_.warm_mb, out_.resident_mb));
    if (std::min(first_.seconds, last_.seconds) > kContact_s &&
        last_.cm_s() > kContactShare * first_.cm_s() + kContact_cm_s)
      found(fmt::format("feet in contact slide at {:.1f} cm/s, {:.1f} at first", last_.cm_s(), first_.cm_s()));
  }

  struct Third {
    double metres = 0, seconds = 0;
    double cm_s() const { return seconds > 0 ? 100 * metres / seconds : 0; }
  };

  std::vector<ControllerPtr> models_;
  Executor& pool_;
  const SoakOptions& options_;
  Random random_;
  Crowd crowd_;
  std::vector<Walker> walkers_;
  std::vector<Intent> intents_;  // [characters]
  std::vector<std::byte> saved_;
  Third first_, last_;
  Soak out_;
};

}  // namespace

Soak run_soak(const std::vector<ControllerPtr>& models, Executor& pool, const SoakOptions& options) {
  return Runner(models, pool, options).run();
}

}  // namespace zoe::eval
