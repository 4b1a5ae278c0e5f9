// SPDX-License-Identifier: MIT
#include "eval/real_clips.h"

#include <algorithm>

#include "zoe/control/controller.h"
#include "zoe/features/decode.h"

namespace zoe::eval {

Result<void> for_each_real_clip(const dataset::Dataset& data, const control::Body& body,
                                const std::function<void(const RealClip&)>& visit) {
  const auto group = std::find_if(data.groups().begin(), data.groups().end(), [&](const dataset::Group& g) {
    return control::check_same_skeleton(*body.skeleton, *g.skeleton).has_value();
  });
  if (group == data.groups().end()) {
    return Error{
        ErrorCode::kInvalid, "the data has no clips of the controller's body", {.file = data.folder().string()}};
  }
  return for_each_clip(data, *group, visit);
}

Result<void> for_each_clip(const dataset::Dataset& data, const dataset::Group& of,
                           const std::function<void(const RealClip&)>& visit) {
  const dataset::Group* group = &of;
  ZOE_TRY_ASSIGN(const features::Decoder decoder, features::Decoder::create(group->layout, group->skeleton));
  const auto width = static_cast<std::size_t>(decoder.width());
  const std::size_t size = group->layout.size(features::BlockKind::kOutput);
  for (std::size_t c = 0; c < group->rows.size(); ++c) {
    const dataset::ClipRecord& record = data.clips()[static_cast<std::size_t>(group->clips[c])];
    const int frames = group->rows[c].num_rows - 1;
    if (record.mirrored || frames < 30) continue;
    std::vector<features::Sample> samples;
    for (int f = 0; f < frames; ++f) samples.push_back({static_cast<std::int32_t>(c), f, 0});
    std::vector<float> values(samples.size() * size);
    const features::GatherJob job{.layout = &group->layout, .clips = group->rows, .samples = samples, .output = values};
    if (!job.run()) continue;
    // The first frame of each sequence.
    for (std::size_t f = 1; f < samples.size() && size > width; ++f) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(f * size), width,
                  values.begin() + static_cast<std::ptrdiff_t>(f * width));
    }
    values.resize(samples.size() * width);
    const Motion motion =
        features::decode_motion(decoder, values, {}, {.fps = group->layout.fps(), .use_positions = false});
    std::vector<PlanarRoot> roots;
    PlanarRoot root;
    for (std::size_t f = 0; f < samples.size(); ++f) {
      root = moved_by(root, decoder.root_step(std::span<const float>(values).subspan(f * width, width)));
      roots.push_back(root);
    }
    visit({record, motion, roots});
  }
  return {};
}

}  // namespace zoe::eval
