// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/math/transform.h"

#include "io/usd/write_parts.h"

namespace zoe::io::usd {
namespace {

void write_joints(const OutStage& stage, const OutSkeleton& out_skeleton, TextWriter& out) {
  const Skeleton& skeleton = *stage.character.skeleton;
  const std::size_t n = stage.joint_paths.size();
  out.array("uniform token[] joints", n, [&](std::size_t j) { out.put("\"{}\"", stage.joint_paths[j]); });
  out.array("uniform token[] jointNames", n,
            [&](std::size_t j) { out.put("{}", in_quotes(skeleton.name(static_cast<int>(j)))); });
  out.array("uniform matrix4d[] bindTransforms", n, [&](std::size_t j) {
    out.put(out_skeleton.model_from_joint_at_bind[j].value_or(to_double(skeleton.rest_model()[j])));
  });
  out.array("uniform matrix4d[] restTransforms", n,
            [&](std::size_t j) { out.put(to_affine(to_double(skeleton.rest_local(static_cast<int>(j))))); });
  const bool plain = std::all_of(skeleton.joints().begin(), skeleton.joints().end(),
                                 [](const JointDesc& joint) { return joint.kind == JointKind::kBone; });
  if (!plain) {  // For our reader.
    out.array("custom uniform token[] zoe:jointKinds", n,
              [&](std::size_t j) { out.put("\"{}\"", to_string(skeleton.kind(static_cast<int>(j)))); });
  }
}

template <typename T>
bool is_still(const std::vector<T>& track, std::size_t width) {
  for (std::size_t i = width; i < track.size(); ++i) {
    if (!(track[i] == track[i - width])) return false;
  }
  return true;
}

}  // namespace

// Arrays of all joints for each frame; an array that never changes has one sample.
void write_animation(const OutStage& stage, const Motion& clip, const std::string& name, TextWriter& out) {
  const std::size_t n = stage.joint_paths.size();
  std::vector<double> times;
  for (int f = 0; f < clip.num_frames; ++f) times.push_back(time_code(stage, clip, f));
  out.begin("SkelAnimation", name,
            {fmt::format("displayName = {}", in_quotes(clip.name)), "customData = {",
             fmt::format("    double zoe_fps = {}", clip.fps), fmt::format("    int zoe_frames = {}", clip.num_frames),
             fmt::format("    double zoe_start_s = {}", clip.start_time_s), "}"});
  out.array("uniform token[] joints", n, [&](std::size_t j) { out.put("\"{}\"", stage.joint_paths[j]); });
  const auto track = [&](const char* declaration, const auto& values) {
    // One sample, not a default value: three.js ignores those.
    const std::span<const double> keys = std::span(times).first(is_still(values, n) ? 1 : times.size());
    out.samples(declaration, keys, n, [&](std::size_t f, std::size_t j) { out.put(values[f * n + j]); });
  };
  track("float3[] translations", clip.translations);
  // Always with samples: a clip whose joints stand still has a length too.
  out.samples("quatf[] rotations", times, n, [&](std::size_t f, std::size_t j) { out.put(clip.rotations[f * n + j]); });
  track("half3[] scales", clip.scales.empty() ? std::vector<Vec3>(n, Vec3{1, 1, 1}) : clip.scales);
  std::vector<std::string> shapes;
  std::vector<float> rest;
  for (std::size_t i = 0; i < stage.shape_names.size(); ++i) {
    const std::vector<float>& own = stage.character.instances[i].morph_weights;
    for (std::size_t t = 0; t < stage.shape_names[i].size(); ++t) {
      shapes.push_back(stage.shape_names[i][t]);
      rest.push_back(t < own.size() ? own[t] : 0.0F);
    }
  }
  if (!shapes.empty()) {
    out.array("uniform token[] blendShapes", shapes.size(), [&](std::size_t i) { out.put("\"{}\"", shapes[i]); });
    if (clip.num_morph_weights > 0)
      out.samples("float[] blendShapeWeights", times, shapes.size(), [&](std::size_t f, std::size_t i) {
        out.put("{}", clip.frame_morph_weights(static_cast<int>(f))[i]);
      });
    else
      out.array("float[] blendShapeWeights", shapes.size(), [&](std::size_t i) { out.put("{}", rest[i]); });
  }
  out.end();
}

void write_skeletons(const OutStage& stage, TextWriter& out) {
  Names names;
  std::vector<std::string> clip_names;
  for (const Motion& clip : stage.clips)
    clip_names.push_back(clip.num_frames > 0 ? names.add(clip.name, "clip") : std::string());
  const auto first = std::find_if(clip_names.begin(), clip_names.end(), [](const auto& name) { return !name.empty(); });
  for (std::size_t s = 0; s < stage.skeletons.size(); ++s) {
    const OutSkeleton& skeleton = stage.skeletons[s];
    out.begin("Skeleton", skeleton.path.substr(skeleton.path.rfind('/') + 1),
              {"prepend apiSchemas = [\"SkelBindingAPI\"]"});
    write_joints(stage, skeleton, out);
    if (first != clip_names.end()) out.line("rel skel:animationSource = <{}/{}>", stage.skeletons[0].path, *first);
    for (std::size_t c = 0; s == 0 && c < stage.clips.size(); ++c) {
      if (!clip_names[c].empty()) write_animation(stage, stage.clips[c], clip_names[c], out);
    }
    out.end();
  }
}

}  // namespace zoe::io::usd
