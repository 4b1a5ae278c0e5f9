// SPDX-License-Identifier: MIT
// Motions of a body as the numbers of the model `anytop`, and back.
#include "zoe/core/index.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/generate/body_model.h"

namespace zoe::generate {

using features::BlockKind;

Result<BodyLayout> make_body_layout(const features::Schema& schema, const SkeletonPtr& skeleton,
                                    const SkeletonAnalysis& analysis) {
  ZOE_TRY_ASSIGN(features::Layout layout, features::Layout::compile(schema, *skeleton, analysis));
  ZOE_TRY_ASSIGN(features::BodyTokens tokens, features::body_tokens(layout, skeleton, analysis));
  ZOE_TRY_ASSIGN(features::Decoder decoder, features::Decoder::create(layout, skeleton));
  return BodyLayout{std::move(layout), std::move(tokens), std::move(decoder)};
}

Result<BodyFrames> to_frames(const BodyLayout& body, const Motion& motion) {
  ZOE_TRY_ASSIGN(const std::vector<float> rows, features::build_frame_rows(body.layout, {.motion = &motion}));
  const features::ClipRows clip{rows.data(), features::num_rows(body.layout, motion)};
  const int steps = body.layout.steps(BlockKind::kOutput);
  std::vector<features::Sample> samples;
  for (int frame = 0; frame < clip.num_rows; frame += steps) samples.push_back({0, frame, 0});
  BodyFrames out;
  out.values.resize(samples.size() * body.layout.size(BlockKind::kOutput));
  if (!features::GatherJob{.layout = &body.layout, .clips = {&clip, 1}, .samples = samples, .output = out.values}.run())
    return Error{ErrorCode::kInvalid, "the motion gives no features"};
  out.values.resize(idx(clip.num_rows) * idx(body.layout.width(BlockKind::kOutput)));
  features::to_canonical(body.tokens, out.values);
  // The first frame repeats its own root as the one before: a step of zero.
  const float* first = rows.data();
  out.before = {{first[features::row::kX], first[features::row::kY], first[features::row::kZ]},
                first[features::row::kFacing]};
  return out;
}

Motion to_motion(const BodyLayout& body, std::span<const float> frames, const PlanarRoot& before,
                 const std::string& name) {
  std::vector<float> values(frames.begin(), frames.end());
  features::from_canonical(body.tokens, values);
  return features::decode_motion(body.decoder, values, before,
                                 {.fps = body.layout.fps(), .name = name, .use_positions = false});
}

}  // namespace zoe::generate
