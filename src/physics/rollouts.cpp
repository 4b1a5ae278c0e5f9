// SPDX-License-Identifier: MIT
#include "zoe/physics/rollouts.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/physics/track_motion.h"

#include "physics/sound_frames.h"

namespace zoe::physics {
namespace {

constexpr std::size_t kMostLanes = 64;  // Parts that threads may take, each with its own random numbers.

struct Target {
  Motion motion;
  double ground_y_m = 0;
};

// One sequence of rollouts with its own body.
class Lane {
 public:
  Lane(const BodyModelPtr& model, const RolloutOptions& options, Random random)
      : model_(model), options_(options), random_(random), state_(model), target_(model) {
    if (options.policy) policy_.emplace(options.policy, model);
    bones_ = balancing_bones(model->plan());
    const std::size_t num_bones = model->plan().bones.size();
    read_.resize(num_bones), row_.resize(num_bones * kBoneRowWidth), offsets_.resize(num_bones);
    taught_.resize(num_bones);
    noise_.resize(3 * bones_.size()), change_.resize(2 * idx(model->num_dofs()));
  }

  void run(std::span<const Target> targets, std::size_t num_frames) {
    out.num_bones = static_cast<int>(read_.size()), out.num_offsets = static_cast<int>(noise_.size());
    while (out.offset.size() / std::max<std::size_t>(noise_.size(), 1) < num_frames) one(choose(targets));
  }

  Rollouts out;

 private:
  // By length: each second is equally likely.
  const Target& choose(std::span<const Target> targets) {
    std::size_t total = 0;
    for (const Target& target : targets) total += idx(target.motion.num_frames);
    std::size_t at = random_.below(total);
    for (const Target& target : targets) {
      if (at < idx(target.motion.num_frames)) return target;
      at -= idx(target.motion.num_frames);
    }
    return targets.back();
  }

  void one(const Target& target) {
    const Motion& clip = target.motion;
    const bool calm = random_.uniform_double() < options_.calm_share;
    const int longest = std::min(options_.longest_frames, clip.num_frames - 2);
    const auto first = static_cast<int>(random_.below(idx(clip.num_frames - 1 - longest)));
    state_.reset_moving(clip.frame(first), clip.frame(first + 1), target.ground_y_m);
    target_.reset(clip.frame(first), target.ground_y_m);
    if (policy_) policy_->reset(clip.frame(first), target.ground_y_m);
    const double size = calm ? 0 : options_.noise_rad * random_.uniform_double();
    if (!calm) displace();
    const double weight = model_->plan().mass_kg * kGravityM_s2;
    // While the policy drives, the teacher states what it would do: so the policy learns from its own errors (Ross,
    // Gordon and Bagnell, "A reduction of imitation learning to no-regret online learning", 2011).
    std::optional<Balancer> teacher;
    if (options_.teacher.horizon_frames > 0)
      teacher.emplace(model_, clip, options_.teacher, options_.assist_share * weight);
    const bool teacher_drives = teacher && (!policy_ || (!calm && random_.uniform_double() < options_.teacher_share));
    Vec3d push;
    int pushed = 0, length = 0;
    for (; length < longest; ++length) {
      const PoseView goal = clip.frame(first + 1 + length);
      std::ranges::fill(offsets_, Vec3d{});
      if (policy_) std::ranges::copy(policy_->offsets(state_, goal), offsets_.begin());
      if (teacher) {
        const std::span<const Vec3d> taught = teacher->offsets(state_, first + 1 + length);
        std::ranges::copy(taught, taught_.begin());
        if (teacher_drives) std::ranges::copy(taught, offsets_.begin());
      }
      for (std::size_t i = 0; i < noise_.size(); ++i) {
        // Held for a tenth of a second on average: servos follow slow offsets farther than fast ones.
        if (random_.uniform_double() < 1.0 / 6 || length == 0) noise_[i] = size * random_.normal();
        offsets_[idx(bones_[i / 3])][i % 3] += noise_[i];
      }
      if (!calm && pushed == 0 && random_.uniform_double() < 1.0 / 60) {
        push = Vec3d{random_.normal(), 0, random_.normal()} * (options_.push_share * weight);
        pushed = 12;
      }
      record(goal);
      state_.tick(
          goal,
          {.assist_n = options_.assist_share * weight, .push_n = pushed > 0 ? push : Vec3d{}, .offsets_rad = offsets_});
      pushed = std::max(0, pushed - 1);
      if (has_fallen(state_, model_->plan())) break;
      for (int b = 0; calm && b < out.num_bones; ++b)
        out.calm_error_m += distance(state_.bone_origin_m(b), state_.target_origin_m(b)) / out.num_bones;
      out.num_calm_frames += calm ? 1 : 0;
    }
    const bool fell = length < longest;
    out.track_lengths.push_back(length + (fell ? 1 : 0));
    if (!calm) return;
    ++out.num_calm, out.num_calm_falls += fell ? 1 : 0;
    out.calm_s += length * model_->options().frame_s;
  }

  void displace() {
    const std::size_t n = change_.size() / 2;
    for (std::size_t i = 0; i < n; ++i) {
      const double scale = options_.start_noise * random_.uniform_double();
      // Positions of the root stay: feet would begin in the ground.
      change_[i] = i < 3 ? 0 : 0.1 * scale * random_.normal() * (i < 6 ? 0.5 : 1);
      change_[n + i] = (i < 3 ? 0.3 : 1) * scale * random_.normal();
    }
    state_.displace(change_);
  }

  void record(const PoseView& goal) {
    const auto add = [&](std::vector<float>& to) { to.insert(to.end(), row_.begin(), row_.end()); };
    state_.read_bones(read_);
    write_bone_row(read_, row_);
    add(out.body);
    write_bone_row(target_.next(goal), row_);
    add(out.target);
    const std::vector<Vec3d>& recorded = options_.teacher.horizon_frames > 0 ? taught_ : offsets_;
    for (std::size_t i = 0; i < noise_.size(); ++i)
      out.offset.push_back(static_cast<float>(recorded[idx(bones_[i / 3])][i % 3]));
  }

  BodyModelPtr model_;
  const RolloutOptions& options_;
  Random random_;
  BodyState state_;
  TargetBones target_;
  std::optional<PolicyState> policy_;
  std::vector<int> bones_;
  std::vector<BoneMotion> read_;
  std::vector<float> row_;
  std::vector<double> noise_, change_;
  std::vector<Vec3d> offsets_, taught_;
};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Result<Rollouts> roll_out(const BodyModelPtr& model, std::span<const Motion> clips, const RolloutOptions& options,
                          Executor& executor) {
  if (balancing_bones(model->plan()).empty())
    return Error{ErrorCode::kUsage, "the body has no legs: there is nothing to balance", {}};
  if (model->options().ground != nullptr)
    return Error{ErrorCode::kUnsupported, "rollouts for learning are on flat ground", {}};
  std::vector<Target> targets;
  for (const Motion& clip : clips) {
    ZOE_TRY_ASSIGN(Motion motion, targets_of(*model, clip));
    const double ground = ground_under(*model, motion);
    if (motion.num_frames >= 12) targets.push_back({std::move(motion), ground});
  }
  if (targets.empty()) return Error{ErrorCode::kInvalid, "no clip is long enough: 0.2 s at least", {}};
  // Each has a whole rollout at least.
  const std::size_t num_lanes =
      std::clamp<std::size_t>(idx(options.num_frames) / idx(options.longest_frames), 1, kMostLanes);
  std::vector<Rollouts> parts(num_lanes);
  const std::size_t each = idx(options.num_frames) / num_lanes + 1;
  executor.parallel_for(num_lanes, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t lane = begin; lane < end; ++lane) {
      Lane work(model, options, Random(options.seed).split(lane));
      work.run(targets, each);
      parts[lane] = std::move(work.out);
    }
  });
  Rollouts all = std::move(parts[0]);
  for (std::size_t lane = 1; lane < num_lanes; ++lane) {
    const Rollouts& part = parts[lane];
    append(all.body, part.body), append(all.target, part.target), append(all.offset, part.offset);
    append(all.track_lengths, part.track_lengths);
    all.num_calm += part.num_calm, all.num_calm_falls += part.num_calm_falls, all.calm_s += part.calm_s;
    all.calm_error_m += part.calm_error_m, all.num_calm_frames += part.num_calm_frames;
  }
  all.calm_s /= std::max(all.num_calm, 1);
  all.calm_error_m /= std::max(all.num_calm_frames, 1);
  return all;
}

}  // namespace zoe::physics
