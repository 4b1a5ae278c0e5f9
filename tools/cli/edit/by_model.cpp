// SPDX-License-Identifier: MIT
// What a network makes of the known parts of a motion.
#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/features/action_words.h"
#include "zoe/generate/body_model.h"

#include "body_model_option.h"
#include "edit/edit.h"

namespace zoe::cli {

using generate::Gap;

Result<Motion> made_by_model(const EditRequest& request, const MetricBody& body, const Motion& motion,
                             std::span<const Gap> gaps, std::span<const int> free_joints) {
  ZOE_TRY_ASSIGN(const generate::BodyModel model, load_body_model(request.model == kShippedModel ? "" : request.model));
  ZOE_TRY_ASSIGN(const generate::BodyLayout layout, model.layout_for(body.skeleton, body.analysis));
  generate::BodySampleOptions options{.seed = request.seed};
  options.sampler = model.sampler();
  if (request.steps > 0) options.sampler.steps = request.steps;
  if (!request.action.empty())
    options.words = features::action_bag(features::read_action_words(request.action).actions);
  return made_by_model(model, layout, std::move(options), motion, gaps, free_joints);
}

Result<Motion> made_by_model(const generate::BodyModel& model, const generate::BodyLayout& layout,
                             generate::BodySampleOptions options, const Motion& motion, std::span<const Gap> gaps,
                             std::span<const int> free_joints) {
  // A network knows a path by its steps alone, so it would not know how far away the end of a gap is: the root's steps
  // in a gap with two ends are those of a spline.
  Motion guess = motion;
  for (const Gap& gap : gaps) {
    ZOE_TRY_ASSIGN(guess, generate::interpolate(guess, gap, generate::Fill::kSpline));
  }
  ZOE_TRY_ASSIGN(generate::BodyFrames frames, generate::to_frames(layout, guess));
  const std::size_t tokens = idx(layout.tokens.num_tokens());
  const auto count = static_cast<int>(frames.values.size() / (tokens * features::kTokenWidth));
  options.num_frames = count;
  options.known.values = std::move(frames.values);
  options.known.groups.assign(idx(count) * tokens * generate::kKnownGroups, 1);
  const double rate = layout.layout.fps() / motion.fps;
  const auto is_in_gap = [&](int f) {
    return std::any_of(gaps.begin(), gaps.end(),
                       [&](const Gap& gap) { return f > (gap.first - 1) * rate && f < (gap.last + 1) * rate; });
  };
  // Of the gap that frame f is in, or that ends before it.
  const auto has_ends = [&](int f) {
    return std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) {
      return f > (gap.first - 1) * rate && f < (gap.last + 2) * rate && gap.first > 0 &&
             gap.last + 1 < motion.num_frames;
    });
  };
  constexpr std::size_t kVelocityGroup = 2;
  for (int f = 0; f < count; ++f) {
    const bool in_gap = is_in_gap(f);
    // Velocities are differences from the frame before: after a frame that is not known they are not known either.
    const bool is_step_open = !in_gap && f > 0 && is_in_gap(f - 1);
    for (std::size_t t = 0; t < tokens; ++t) {
      const bool is_free =
          std::find(free_joints.begin(), free_joints.end(), layout.tokens.joints[t]) != free_joints.end();
      if (in_gap || is_free)
        std::fill_n(&options.known.groups[(idx(f) * tokens + t) * generate::kKnownGroups], generate::kKnownGroups,
                    0.0F);
      const bool is_root_step = t == 0 && !is_free && (is_step_open || in_gap) && has_ends(f);
      float& velocity = options.known.groups[(idx(f) * tokens + t) * generate::kKnownGroups + kVelocityGroup];
      if (is_step_open) velocity = 0;
      if (is_root_step) velocity = 1;
    }
  }
  ZOE_TRY_ASSIGN(const std::vector<float> made, model.sample(layout.tokens, options));
  Motion out = generate::to_motion(layout, made, frames.before);
  out.start_time_s = motion.start_time_s;
  return generate::resample_smoothly(out, motion.fps, motion.num_frames);
}

}  // namespace zoe::cli
