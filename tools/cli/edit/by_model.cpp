// SPDX-License-Identifier: MIT
// What a network makes of the known parts of a motion.
#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/features/action_words.h"
#include "zoe/generate/body_model.h"

#include "edit/edit.h"

namespace zoe::cli {

using generate::Gap;

Result<Motion> made_by_model(const EditRequest& request, const MetricBody& body, const Motion& motion,
                             std::span<const Gap> gaps, std::span<const int> free_joints) {
  ZOE_TRY_ASSIGN(const generate::BodyModel model, generate::BodyModel::load(request.model));
  ZOE_TRY_ASSIGN(const generate::BodyLayout layout, model.layout_for(body.skeleton, body.analysis));
  ZOE_TRY_ASSIGN(generate::BodyFrames frames, generate::to_frames(layout, motion));
  const std::size_t tokens = idx(layout.tokens.num_tokens());
  const auto count = static_cast<int>(frames.values.size() / (tokens * features::kTokenWidth));
  generate::BodySampleOptions options{.num_frames = count, .seed = request.seed};
  options.sampler.steps = request.steps;
  if (!request.action.empty())
    options.words = features::action_bag(features::read_action_words(request.action).actions);
  options.known.values = std::move(frames.values);
  options.known.groups.assign(idx(count) * tokens * generate::kKnownGroups, 1);
  const double rate = layout.layout.fps() / motion.fps;
  for (int f = 0; f < count; ++f) {
    const bool in_gap = std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) {
      return f > (gap.first - 1) * rate && f < (gap.last + 1) * rate;
    });
    for (std::size_t t = 0; t < tokens; ++t) {
      const bool is_free =
          std::find(free_joints.begin(), free_joints.end(), layout.tokens.joints[t]) != free_joints.end();
      if (in_gap || is_free)
        std::fill_n(&options.known.groups[(idx(f) * tokens + t) * generate::kKnownGroups], generate::kKnownGroups,
                    0.0F);
    }
  }
  ZOE_TRY_ASSIGN(const std::vector<float> made, model.sample(layout.tokens, options));
  Motion out = generate::to_motion(layout, made, frames.before);
  out.start_time_s = motion.start_time_s;
  return generate::resample_smoothly(out, motion.fps, motion.num_frames);
}

}  // namespace zoe::cli
