// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: motion files. Without ZOE_IO only the refusal is built.
#include "common.h"

#ifdef ZOE_C_WITH_IO

#include <cmath>

#include "zoe/io/read.h"
#include "zoe/motion/sample.h"

struct zoe_file {
  zoe::io::Asset asset;
};

using namespace zoe::capi;

namespace {

bool is_joint_of(const zoe_file* file, int32_t joint) { return joint >= 0 && joint < zoe_file_num_joints(file); }

const zoe::Motion* clip_of(const zoe_file* file, int32_t clip) {
  if (clip < 0 || clip >= zoe_file_num_clips(file)) return nullptr;
  return &file->asset.clips[static_cast<std::size_t>(clip)];
}

}  // namespace

zoe_status zoe_file_load(const char* path, zoe_file** out) {
  if (path == nullptr || out == nullptr) return refuse_null("zoe_file_load: path and out must not be null");
  return guarded([&] {
    return give(zoe::io::read_asset(path), out, [](zoe::io::Asset asset) { return new zoe_file{std::move(asset)}; });
  });
}

void zoe_file_free(zoe_file* file) { delete file; }

int32_t zoe_file_num_joints(const zoe_file* file) {
  return file != nullptr ? file->asset.character->skeleton->num_joints() : 0;
}
const char* zoe_file_joint_name(const zoe_file* file, int32_t joint) {
  return is_joint_of(file, joint) ? file->asset.character->skeleton->name(joint).c_str() : nullptr;
}
int32_t zoe_file_joint_parent(const zoe_file* file, int32_t joint) {
  return is_joint_of(file, joint) ? file->asset.character->skeleton->parent(joint) : -2;
}
int32_t zoe_file_num_clips(const zoe_file* file) {
  return file != nullptr ? static_cast<int32_t>(file->asset.clips.size()) : 0;
}

zoe_status zoe_file_clip(const zoe_file* file, int32_t clip, zoe_clip* out) {
  const zoe::Motion* motion = clip_of(file, clip);
  if (motion == nullptr || out == nullptr) return fail(ZOE_ERROR_USAGE, "zoe_file_clip: no such clip, or null");
  *out = {motion->name.c_str(),
          motion->fps,
          motion->num_frames,
          motion->num_joints(),
          floats(motion->translations.data()),
          floats(motion->rotations.data()),
          motion->scales.empty() ? nullptr : floats(motion->scales.data())};
  return ZOE_OK;
}

zoe_status zoe_file_sample(const zoe_file* file, int32_t clip, double time_s, float* translations, float* rotations) {
  const zoe::Motion* motion = clip_of(file, clip);
  if (motion == nullptr || translations == nullptr || rotations == nullptr || !std::isfinite(time_s)) {
    return fail(ZOE_ERROR_USAGE, "zoe_file_sample: no such clip, null, or a time that is not finite");
  }
  return guarded([&]() -> zoe_status {
    const auto joints = static_cast<std::size_t>(motion->num_joints());
    const zoe::SampleJob job{.motion = motion,
                             .time_s = motion->start_time_s + time_s,
                             .translations = {reinterpret_cast<zoe::Vec3*>(translations), joints},
                             .rotations = {reinterpret_cast<zoe::Quat*>(rotations), joints},
                             .scales = {},
                             .morph_weights = {}};
    if (const auto valid = job.validate(); !valid) return fail(valid.error());
    return job.run() ? ZOE_OK : fail(ZOE_ERROR_INVALID, "zoe_file_sample: the clip cannot be sampled");
  });
}

#else

namespace {
zoe_status refuse_file() {
  return zoe::capi::fail(ZOE_ERROR_UNSUPPORTED,
                         "this libzoe_c was built without motion files: build it with -DZOE_IO=ON");
}
}  // namespace

zoe_status zoe_file_load(const char*, zoe_file**) { return refuse_file(); }
void zoe_file_free(zoe_file*) {}
int32_t zoe_file_num_joints(const zoe_file*) { return 0; }
const char* zoe_file_joint_name(const zoe_file*, int32_t) { return nullptr; }
int32_t zoe_file_joint_parent(const zoe_file*, int32_t) { return -2; }
int32_t zoe_file_num_clips(const zoe_file*) { return 0; }
zoe_status zoe_file_clip(const zoe_file*, int32_t, zoe_clip*) { return refuse_file(); }
zoe_status zoe_file_sample(const zoe_file*, int32_t, double, float*, float*) { return refuse_file(); }

#endif
