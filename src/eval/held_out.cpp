// SPDX-License-Identifier: MIT
#include "zoe/eval/held_out.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "zoe/control/trajectory.h"

#include "eval/real_clips.h"
#include "eval/table.h"

namespace zoe::eval {
namespace {

// The path of a clip is compared within this time.
constexpr double kReach_s = 2;
constexpr double kAhead_s = 0.2;  // A body may be ahead of the clip by this.

class RootsSource final : public control::IntentSource {
 public:
  RootsSource(std::vector<PlanarRoot> roots, double fps) : roots_(std::move(roots)), fps_(fps) {}

  control::Intent next(const PlanarRoot& root, double dt_s) override {
    time_s_ += dt_s;
    reached_s_ = nearest_s(root.position);
    // A body that is late goes faster along the path. A pull to where the clip is by now would lead across its curves,
    // and grow with the distance until no body could follow.
    const auto hurry = static_cast<float>(1 + std::clamp(time_s_ - reached_s_, -0.2, 0.4));
    // Half of the distance to the path is removed in the same time as on paths.
    const float rate = std::numbers::ln2_v<float> / control::PathOptions{}.return_half_life_s;
    const Vec3 back = at(reached_s_).position - root.position;
    const float lead_s = control::PathOptions{}.lead_s;
    control::Intent intent;
    intent.num_wanted = control::kMaxWanted;
    for (int i = 0; i < control::kMaxWanted; ++i) {
      const float ahead_s = 0.15F * static_cast<float>(i);
      const double then_s = reached_s_ + static_cast<double>((ahead_s + lead_s) * hurry);
      control::WantedMotion& wanted = intent.wanted[static_cast<std::size_t>(i)];
      wanted.time_s = ahead_s;
      // Over a fifth of a second, so that the sway of single frames is not an intent.
      const Vec3 way = at(then_s + 0.1).position - at(then_s - 0.1).position;
      wanted.velocity_mps =
          Vec3{way.x, 0, way.z} * (5 * hurry) + Vec3{back.x, 0, back.z} * (rate * std::exp(-rate * ahead_s));
      wanted.facing_rad = at(then_s).facing_rad;
    }
    return intent;
  }
  bool done() const override { return time_s_ * fps_ + 0.5 >= static_cast<double>(roots_.size()); }

 private:
  // The time at which the clip was nearest, never earlier than before. A second apart counts as 0.3 m, so that a clip
  // that stands or turns back is followed in time.
  double nearest_s(Vec3 position) const {
    constexpr double kSecond_m = 0.3;
    double best_s = std::max(time_s_, reached_s_), least = std::numeric_limits<double>::infinity();
    for (double s = std::max(time_s_ - kReach_s, reached_s_); s <= time_s_ + kAhead_s; s += 1 / fps_) {
      const Vec3 there = at(s).position;
      const double off = std::hypot(there.x - position.x, there.z - position.z, kSecond_m * (s - time_s_));
      if (off < least) best_s = s, least = off;
    }
    return best_s;
  }
  const PlanarRoot& at(double time_s) const {
    const double frame = std::clamp(std::round(time_s * fps_), 0.0, static_cast<double>(roots_.size() - 1));
    return roots_[static_cast<std::size_t>(frame)];
  }
  std::vector<PlanarRoot> roots_;
  double fps_, time_s_ = 0, reached_s_ = 0;
};

double degrees(double rad) { return rad * 180 / std::numbers::pi; }

// The last `frames - first` frames.
Motion cut(const Motion& motion, int first) {
  Motion out = make_motion(motion.skeleton, motion.name, motion.fps, motion.num_frames - first, false);
  const auto from = static_cast<std::ptrdiff_t>(first) * motion.num_joints();
  std::copy(motion.translations.begin() + from, motion.translations.end(), out.translations.begin());
  std::copy(motion.rotations.begin() + from, motion.rotations.end(), out.rotations.begin());
  return out;
}

struct Places {
  double place_cm = 0, path_cm = 0, facing_deg = 0;
};
// Against the clip's root at the same moment, and against the nearest point of its path within two seconds.
Places compare(std::span<const PlanarRoot> did, std::span<const PlanarRoot> real, double fps, std::size_t first) {
  Places out;
  const auto reach = static_cast<std::size_t>(kReach_s * fps);
  const auto apart = [](const PlanarRoot& a, const PlanarRoot& b) {
    return std::hypot(a.position.x - b.position.x, a.position.z - b.position.z);
  };
  for (std::size_t f = first; f < did.size(); ++f) {
    float nearest = apart(did[f], real[f]);
    out.place_cm += 100 * nearest;
    for (std::size_t k = f > reach ? f - reach : 0; k < std::min(real.size(), f + reach); ++k) {
      nearest = std::min(nearest, apart(did[f], real[k]));
    }
    out.path_cm += 100 * nearest;
    out.facing_deg += degrees(std::abs(control::wrapped(did[f].facing_rad - real[f].facing_rad)));
  }
  const auto count = static_cast<double>(did.size() - first);
  return {out.place_cm / count, out.path_cm / count, out.facing_deg / count};
}

// The file, with the clip's name where that is another.
std::string name_of(const dataset::ClipRecord& clip) {
  const bool is_same = std::filesystem::path(clip.source).stem() == clip.name;
  return is_same ? clip.source : clip.source + ":" + clip.name;
}

}  // namespace

std::unique_ptr<control::IntentSource> follow_roots(std::vector<PlanarRoot> roots, double fps) {
  ZOE_CHECK(!roots.empty() && fps > 0, "follow_roots: at least one root, at some rate");
  return std::make_unique<RootsSource>(std::move(roots), fps);
}

Result<HeldOut> evaluate_held_out(const control::Controller& controller, const control::Body& body,
                                  const dataset::Dataset& data, const HeldOutOptions& options) {
  HeldOut out;
  const auto has = [&](dataset::Split split) {
    return std::any_of(data.clips().begin(), data.clips().end(),
                       [&](const dataset::ClipRecord& clip) { return clip.split == split; });
  };
  const dataset::Split split = has(dataset::Split::kTest) ? dataset::Split::kTest : dataset::Split::kValidation;
  out.split = options.all_clips ? "all" : to_string(split);
  Table table, real;
  std::vector<std::string> names;
  std::vector<double> weights;
  ZOE_TRY(for_each_real_clip(data, body, [&](const RealClip& clip) {
    const double fps = clip.motion.fps, seconds = static_cast<double>(clip.roots.size()) / fps;
    if ((!options.all_clips && clip.record.split != split) || seconds < options.min_seconds) return;
    const auto intents = follow_roots({clip.roots.begin(), clip.roots.end()}, fps);
    const Recording run = record(controller, *intents, {.seconds = seconds, .fps = fps, .place = clip.roots[0]});
    const auto first = static_cast<std::size_t>(options.skip_s * fps);
    const Places places = compare(run.roots, clip.roots.first(run.roots.size()), fps, first);
    table.add("path_error_cm", places.path_cm);
    table.add("place_error_cm", places.place_cm);
    table.add("facing_error_deg", places.facing_deg);
    const auto judged = [&](const Motion& motion, std::span<const PlanarRoot> roots) {
      return measure_motion(cut(motion, static_cast<int>(first)), roots.subspan(first), body.legs);
    };
    table.add(judged(run.motion, run.roots));
    real.add(judged(clip.motion, clip.roots));
    table.add("stuck_s", run.stuck_s);
    table.add("recoveries", run.num_recoveries);
    names.push_back(name_of(clip.record));
    weights.push_back(1);
    ++out.num_clips;
    out.seconds += seconds;
    if (options.on_clip) options.on_clip();
  }));
  out.metrics = table.summaries(real.weighted_means(weights));
  for (const auto& [name, values] : table.rows()) {
    for (std::size_t i = 0; i < names.size(); ++i) out.by_clip[names[i]][name] = values[i];
  }
  return out;
}

}  // namespace zoe::eval
