// SPDX-License-Identifier: MIT
#include "zoe/io/write.h"

#include <fmt/format.h>

#include "zoe/core/trace.h"
#include "zoe/io/bvh.h"
#include "zoe/io/fbx.h"
#include "zoe/io/gltf.h"
#include "zoe/io/npz.h"
#include "zoe/io/obj.h"
#include "zoe/io/usd.h"
#include "zoe/motion/sample.h"

namespace zoe::io {
namespace {

// The character at one time of its first clip, or at rest.
Result<void> write_obj_at(const std::filesystem::path& path, const Asset& asset, double time_s) {
  const Character& character = *asset.character;
  Pose pose = make_pose(*character.skeleton);
  std::vector<float> morph_weights;  // Empty: the character's defaults.
  if (!asset.clips.empty() && asset.clips[0].num_frames > 0) {
    const Motion& clip = asset.clips[0];
    morph_weights.resize(static_cast<std::size_t>(clip.num_morph_weights));
    const SampleJob job{.motion = &clip,
                        .time_s = time_s,
                        .interpolation = Interpolation::kSlerp,
                        .translations = pose.translations,
                        .rotations = pose.rotations,
                        .scales = pose.scales,
                        .morph_weights = morph_weights};
    ZOE_TRY(job.validate());
    job.run();
  }
  return write_obj(path, character, pose.view(), morph_weights);
}

}  // namespace

bool holds_one_clip(Format format) {
  return format == Format::kBvh || format == Format::kNpz || format == Format::kObj;
}

Result<Warnings> write_asset(const std::filesystem::path& path, const Asset& asset, double obj_time_s) {
  ZOE_TRACE_SCOPE("io.write_asset");
  Warnings warnings;
  const std::optional<Format> format = format_of_extension(path);
  if (!format) {
    return Error{ErrorCode::kUsage,
                 "cannot write this type of file; use .glb, .gltf, .fbx, .usda, .usdz, .bvh, .npz or .obj",
                 {.file = path.string()}};
  }
  switch (*format) {
    case Format::kBvh:
      ZOE_TRY(write_bvh(path, asset, 0, {}, &warnings));
      break;
    case Format::kNpz:
      ZOE_TRY(write_motion_npz(path, asset));
      break;
    case Format::kGltf:
    case Format::kGlb:
      ZOE_TRY(write_gltf(path, *asset.character, asset.clips, {}, &warnings));
      break;
    case Format::kUsda:
    case Format::kUsdz:
      ZOE_TRY(write_usd(path, *asset.character, asset.clips, &warnings));
      break;
    case Format::kObj:
      ZOE_TRY(write_obj_at(path, asset, obj_time_s));
      break;
    case Format::kFbx:
      ZOE_TRY(write_fbx(path, *asset.character, asset.clips, {}, &warnings));
      break;
  }
  return warnings;
}

}  // namespace zoe::io
