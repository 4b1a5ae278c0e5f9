// SPDX-License-Identifier: MIT
#include "eval_generate/made.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <optional>

#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/features/action_words.h"
#include "zoe/generate/path_frames.h"
#include "zoe/generate/plant_feet.h"
#include "zoe/motion/edit.h"
#include "zoe/retarget/retarget.h"

namespace zoe::cli {
namespace {

int limbs_of_kind(const SkeletonAnalysis& body, LimbKind kind) {
  return static_cast<int>(
      std::count_if(body.limbs.begin(), body.limbs.end(), [&](const Limb& limb) { return limb.kind == kind; }));
}

// How unlike two bodies are: family, numbers of limbs, numbers of joints.
double body_distance(const EvalBody& a, const EvalBody& b) {
  const SkeletonAnalysis &of_a = a.body.analysis, &of_b = b.body.analysis;
  double sum = of_a.family == of_b.family ? 0 : 2;
  for (const LimbKind kind : {LimbKind::kLeg, LimbKind::kArm, LimbKind::kWing, LimbKind::kFin})
    sum += 0.5 * std::abs(limbs_of_kind(of_a, kind) - limbs_of_kind(of_b, kind));
  return sum + std::abs(std::log(static_cast<double>(a.body.skeleton->num_joints()) /
                                 static_cast<double>(b.body.skeleton->num_joints())));
}

bool share_action(const std::vector<int>& a, const std::vector<int>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

std::vector<int> sorted_actions(const EvalClip& clip) {
  std::vector<int> actions = clip.actions;
  std::sort(actions.begin(), actions.end());
  return actions;
}

// How long a motion of these actions is.
double seconds_of(const EvalBody& real, const std::vector<int>& actions, const SampleRequest& request) {
  constexpr double kLeast_s = 0.6;  // The least that can be described.
  if (!request.own_seconds) return request.seconds;
  double sum = 0;
  int count = 0;
  for (const EvalClip& clip : clips_of(real, {actions})) sum += clip.motion.duration_s(), ++count;
  return count == 0 ? request.seconds : std::clamp(sum / count, kLeast_s, request.seconds);
}

Result<EvalClip> retargeted(const EvalClip& clip, const EvalBody& to, double seconds) {
  Motion motion = clip.motion;
  const int frames = static_cast<int>(std::lround(seconds * motion.fps));
  if (frames > 1 && motion.num_frames > frames) {
    ZOE_TRY_ASSIGN(motion, trim(motion, 0, frames - 1));
  }
  const author::RetargetSource& target = *to.clips.front().source;
  RetargetOptions options;
  options.source_reference = clip.source->reference;
  options.target_reference = target.reference;
  EvalClip out{.name = clip.name, .actions = clip.actions};
  ZOE_TRY_ASSIGN(out.motion, retarget(motion, clip.source->body, target.skeleton, target.body, options));
  ZOE_TRY(describe_clip(target.skeleton, to.body.analysis, out));
  return out;
}

std::vector<EvalClip> copies_of(const EvalBody& train, const std::vector<EvalClip>& made) {
  std::vector<generate::PoseFrames> poses;
  for (const EvalClip& clip : train.clips) poses.push_back(clip.poses);
  std::vector<EvalClip> out;
  for (const EvalClip& clip : made) {
    const int nearest = generate::nearest_clip(clip.poses, poses, {});
    if (nearest < 0) continue;
    out.push_back(train.clips[idx(nearest)]);
    out.back().actions = clip.actions;  // A copy is judged by what was requested.
  }
  return out;
}

// The plan of one condition, for several threads.
class Planner {
 public:
  Planner(const MetricBody& body, const generate::BodyLayout& layout, const std::vector<int>& actions)
      : gait_(planned_body(body), words_of(actions)) {
    const std::vector<std::string> words = words_of(actions);
    const bool runs = std::find(words.begin(), words.end(), "run") != words.end();
    gait_.set_usual_speed(generate::usual_speed_m_s(layout.tokens, runs));
  }
  Result<void> replace_failed(Motion& motion, std::uint64_t seed) {
    const std::scoped_lock lock(mutex_);
    ZOE_TRY(gait_.replace_failed(motion, seed));
    return {};
  }

 private:
  static std::vector<std::string> words_of(const std::vector<int>& actions) {
    std::vector<std::string> words;
    for (const int action : actions) words.emplace_back(features::action_vocabulary()[idx(action)]);
    return words;
  }

  std::mutex mutex_;
  author::PlannedInstead gait_;
};

}  // namespace

Conditions conditions_of(const EvalBody& real, int most) {
  Conditions all;
  for (const EvalClip& clip : real.clips) {
    const std::vector<int> actions = sorted_actions(clip);
    if (!actions.empty() && std::find(all.begin(), all.end(), actions) == all.end()) all.push_back(actions);
  }
  if (all.empty()) return {{}};
  std::sort(all.begin(), all.end());  // The vocabulary begins with what most bodies do.
  if (all.size() > idx(most)) all.resize(idx(most));
  return all;
}

std::vector<EvalClip> clips_of(const EvalBody& real, const Conditions& conditions) {
  std::vector<EvalClip> out;
  for (const EvalClip& clip : real.clips)
    if (std::find(conditions.begin(), conditions.end(), sorted_actions(clip)) != conditions.end()) out.push_back(clip);
  return out;
}

Result<std::vector<MadeClips>> sample_model(const EvalModel& model, const EvalBody& real, const Conditions& conditions,
                                            const SampleRequest& request) {
  ZOE_TRY_ASSIGN(const generate::BodyLayout layout, model.model.layout_for(real.body.skeleton, real.body.analysis));
  std::vector<MadeClips> out{{model.name, {}}};
  if (request.plans) out.push_back({model.name + ", planned where it fails", {}});
  for (MadeClips& method : out) method.by_seed.assign(idx(request.seeds), std::vector<EvalClip>(conditions.size()));
  std::deque<Planner> planners;
  for (const std::vector<int>& actions : conditions) planners.emplace_back(real.body, layout, actions);
  const std::size_t jobs = idx(request.seeds) * conditions.size();
  std::mutex mutex;
  std::optional<Error> failed;
  ThreadPool::shared().parallel_for(jobs, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t job = begin; job < end; ++job) {
      const std::size_t seed = job / conditions.size(), which = job % conditions.size();
      const auto make = [&]() -> Result<void> {
        generate::BodySampleOptions options;
        options.num_frames = std::max(
            2, static_cast<int>(std::lround(seconds_of(real, conditions[which], request) * layout.layout.fps())));
        options.words = features::action_bag(conditions[which]);
        options.guidance = static_cast<float>(request.guidance);
        options.gain = static_cast<float>(request.gain);
        options.sampler = model.sampler;
        options.seed = request.seed + 1000 * seed + which;
        ZOE_TRY_ASSIGN(const std::vector<float> frames, model.model.sample(layout.tokens, options));
        EvalClip clip{.name = "generated", .actions = conditions[which]};
        clip.motion = model.model.motion_of(layout, frames, {});
        // As `zoe generate` does.
        if (Result<Motion> planted =
                generate::plant_feet(clip.motion, real.body.analysis, layout, frames, {.clips = real.body.clips}))
          clip.motion = std::move(*planted);
        EvalClip planned = clip;
        ZOE_TRY(describe_clip(real.body.skeleton, real.body.analysis, clip));
        out[0].by_seed[seed][which] = std::move(clip);
        if (!request.plans) return {};
        ZOE_TRY(planners[which].replace_failed(planned.motion, options.seed));
        ZOE_TRY(describe_clip(real.body.skeleton, real.body.analysis, planned));
        out[1].by_seed[seed][which] = std::move(planned);
        return {};
      };
      const Result<void> made = make();
      const std::scoped_lock lock(mutex);
      if (!made) failed = made.error();
    }
  });
  if (failed) return *failed;
  return out;
}

MadeClips copy_nearest(const EvalBody& real, const EvalBodies& train, const MadeClips& made,
                       const Conditions& conditions, const SampleRequest& request) {
  MadeClips out{"nearest training clip", {}};
  if (const auto same = train.find(real.key); same != train.end()) {
    for (const std::vector<EvalClip>& clips : made.by_seed) out.by_seed.push_back(copies_of(same->second, clips));
    std::erase_if(out.by_seed, [](const auto& clips) { return clips.empty(); });
    return out;
  }
  std::vector<const EvalBody*> bodies;
  for (const auto& [key, body] : train) bodies.push_back(&body);
  std::stable_sort(bodies.begin(), bodies.end(), [&](const EvalBody* a, const EvalBody* b) {
    return body_distance(*a, real) < body_distance(*b, real);
  });
  for (int seed = 0; seed < std::min(request.seeds, static_cast<int>(made.by_seed.size())); ++seed) {
    std::vector<EvalClip> clips;
    for (const std::vector<int>& wanted : conditions) {
      int rank = 0;
      for (const EvalBody* body : bodies) {
        const auto clip = std::find_if(body->clips.begin(), body->clips.end(), [&](const EvalClip& one) {
          return wanted.empty() || share_action(one.actions, wanted);
        });
        if (clip == body->clips.end() || rank++ < seed) continue;
        Result<EvalClip> moved = retargeted(*clip, real, seconds_of(real, wanted, request));
        if (!moved) continue;  // No part in common; the next body.
        moved->actions = wanted;
        clips.push_back(std::move(*moved));
        break;
      }
    }
    if (!clips.empty()) out.by_seed.push_back(std::move(clips));
  }
  return out;
}

}  // namespace zoe::cli
