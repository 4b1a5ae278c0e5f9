// SPDX-License-Identifier: MIT
#include "physics/search_targets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "zoe/core/index.h"
#include "zoe/core/random.h"

namespace zoe::physics {
namespace {

constexpr int kWindowFrames = 6;   // 0.1 s.
constexpr std::size_t kKept = 12;  // States that go on to the next window.

// Largest usual change of a bone's target, radians: legs step and push, the trunk leans.
double spread_of(const Bone& bone) {
  switch (bone.role) {
    case BoneRole::kLeg:
      return 0.12;
    case BoneRole::kFoot:
      return 0.18;
    case BoneRole::kTrunk:
      return 0.06;
    case BoneRole::kArm:
      return 0.05;
    default:
      return 0;
  }
}

// How far a state is from its target: pose, root, centre of mass with its velocity, and soles.
double cost_of(const BodyState& state, const BodyPlan& plan, Vec3d com_target, Vec3d com_velocity,
               Vec3d com_velocity_target) {
  const double size = plan.height_m;
  double pose = 0, soles = 0;
  int num_soles = 0;
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    const int bone = static_cast<int>(b);
    pose += distance(state.bone_origin_m(bone), state.target_origin_m(bone)) / static_cast<double>(plan.bones.size());
    if (plan.bones[b].role != BoneRole::kFoot) continue;
    soles += std::abs(state.bone_origin_m(bone).y - state.target_origin_m(bone).y);
    ++num_soles;
  }
  const double turned = angle_between(state.bone_rotation(0), normalized(state.target_rotation(0)));
  const double height = std::abs(state.bone_origin_m(0).y - state.target_origin_m(0).y);
  const double com = distance(state.centre_of_mass_m(), com_target);
  const double speed = distance(com_velocity, com_velocity_target);
  const double fallen = has_fallen(state, plan) ? 100 : 0;
  return fallen + 3 * pose / size + 3 * height / size + turned + 3 * com / size + 0.5 * speed / std::sqrt(9.81 * size) +
         (num_soles > 0 ? 3 * soles / (num_soles * size) : 0);
}

struct Candidate {
  std::size_t from = 0;  // State of the window before.
  double cost = 0;
  std::vector<Vec3d> offsets;  // [bones]
};

// Centre of mass of the targets: masses at the middles of their shapes.
Vec3d target_com(const BodyState& state, const BodyPlan& plan) {
  Vec3d sum{};
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    const int bone = static_cast<int>(b);
    sum += (state.target_origin_m(bone) + rotate(state.target_rotation(bone), plan.bones[b].shape.centre_of_volume())) *
           plan.bones[b].mass_kg;
  }
  return sum / plan.mass_kg;
}

}  // namespace

SearchedTargets search_targets(const BodyModelPtr& model, const Motion& targets, double ground_y_m,
                               const SearchOptions& options) {
  const BodyPlan& plan = model->plan();
  const std::size_t num_bones = plan.bones.size(), num_samples = idx(options.num_samples);
  const int num_windows = (targets.num_frames - 2) / kWindowFrames + 1;
  std::vector<BodyState> states, next;
  for (std::size_t i = 0; i < kKept; ++i) states.emplace_back(model), next.emplace_back(model);
  states[0].reset_moving(targets.frame(0), targets.frame(1), ground_y_m);
  BodyState trial(model);
  std::size_t num_states = 1;
  std::vector<std::vector<Candidate>> history;  // [windows][kept]
  const Random random(options.seed);
  for (int window = 0; window < num_windows; ++window) {
    std::vector<Candidate> candidates(num_samples);
    const int first = 1 + window * kWindowFrames, end = std::min(first + kWindowFrames, targets.num_frames);
    const auto simulate = [&](const Candidate& candidate) {
      trial.copy_from(states[candidate.from]);
      Vec3d com_before = trial.centre_of_mass_m(), com_target_before = target_com(trial, plan);
      for (int frame = first; frame < end; ++frame) {
        if (frame == end - 1) com_before = trial.centre_of_mass_m(), com_target_before = target_com(trial, plan);
        trial.tick(targets.frame(frame), {.assist_n = options.assist_n, .offsets_rad = candidate.offsets});
      }
      const double frame_s = model->options().frame_s;
      const Vec3d goal = target_com(trial, plan);
      return cost_of(trial, plan, goal, (trial.centre_of_mass_m() - com_before) / frame_s,
                     (goal - com_target_before) / frame_s);
    };
    for (std::size_t s = 0; s < num_samples; ++s) {
      Candidate& candidate = candidates[s];
      candidate.from = s % num_states;
      candidate.offsets.assign(num_bones, Vec3d{});
      Random own = random.split(static_cast<std::uint64_t>(window) * 100000 + s);
      // The first variation of each state is none; half of the others change little.
      const double scale = s < num_states ? 0 : s % 2 == 0 ? 1 : 0.4;
      const std::vector<Candidate>* before = history.empty() ? nullptr : &history.back();
      for (std::size_t b = 1; b < num_bones; ++b) {
        const double spread = scale * spread_of(plan.bones[b]);
        Vec3d offset{own.normal() * spread, own.normal() * spread, own.normal() * spread};
        // What helped in the window before often helps again.
        if (before != nullptr && s % 3 != 0) offset += (*before)[candidate.from].offsets[b] * 0.7;
        candidate.offsets[b] = offset;
      }
      candidate.cost = simulate(candidate);
    }
    std::vector<std::size_t> order(num_samples);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return candidates[a].cost < candidates[b].cost; });
    const std::size_t kept = std::min(kKept, num_samples);
    std::vector<Candidate> best;
    for (std::size_t i = 0; i < kept; ++i) {
      best.push_back(std::move(candidates[order[i]]));
      simulate(best.back());
      next[i].copy_from(trial);
    }
    history.push_back(std::move(best));
    std::swap(states, next);
    num_states = kept;
  }
  SearchedTargets found{kWindowFrames, num_bones, std::vector<Vec3d>(idx(num_windows) * num_bones)};
  std::size_t at = 0;
  for (std::size_t window = history.size(); window-- > 0;) {
    const Candidate& chosen = history[window][at];
    std::ranges::copy(chosen.offsets, found.values.begin() + static_cast<std::ptrdiff_t>(window * num_bones));
    at = chosen.from;
  }
  return found;
}

}  // namespace zoe::physics
