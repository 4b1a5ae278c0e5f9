// SPDX-License-Identifier: MIT
#include "zoe/dataset/clip_file.h"

namespace zoe::dataset {
namespace {

template <class T>
void add_values(HashBuilder& hash, const std::vector<T>& values) {
  hash.add(hash_bytes(std::as_bytes(std::span(values))));
}

}  // namespace

Hash128 content_of(const io::Asset& asset) {
  HashBuilder hash;
  for (const JointDesc& joint : asset.character->skeleton->joints()) {
    const Vec3 t = joint.rest_local.translation, s = joint.rest_local.scale;
    const Quat q = joint.rest_local.rotation;
    hash.add(joint.name).add(std::int64_t{joint.parent}).add(static_cast<std::int64_t>(joint.kind));
    add_values(hash, std::vector<float>{t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z});
  }
  for (const Motion& clip : asset.clips) {
    hash.add(clip.name).add(clip.fps).add(clip.start_time_s).add(std::int64_t{clip.num_frames});
    add_values(hash, clip.translations);
    add_values(hash, clip.rotations);
    add_values(hash, clip.scales);
  }
  return hash.finish();
}

}  // namespace zoe::dataset
