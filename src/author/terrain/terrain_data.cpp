// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "zoe/core/hash.h"
#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/motion/edit.h"

#include "author/terrain/terrain_clips.h"

namespace zoe::author {
namespace {

using dataset::ClipFile;

// One file on one ground.
struct MadeFile {
  ClipFile file;
  std::vector<TerrainClip> clips;  // One for each clip of the file.
  bool own_ground = false;
};

// A clip before it has a ground.
struct TrackedClip {
  Motion motion;  // Without end sites.
  FootTracks feet;
  FootMarks marks;
};
Result<std::vector<TrackedClip>> track_clips(const TerrainBody& body, const ClipFile& file) {
  std::vector<TrackedClip> out;
  for (const Motion& clip : file.asset.clips) {
    TrackedClip one;
    one.motion = without_end_sites(clip);
    ZOE_TRY_ASSIGN(one.feet, track_feet(body, one.motion));
    one.marks = foot_marks(body, one.feet);
    if (one.marks.stances.empty()) return Error{ErrorCode::kInvalid, "no foot is ever in contact", {}};
    out.push_back(std::move(one));
  }
  return out;
}

// The file with its clips on `grounds`, one for each.
Result<MadeFile> make_file(const TerrainBody& body, const ClipFile& file, std::span<const TrackedClip> tracked,
                           const std::vector<GroundPtr>& grounds, int patch) {
  MadeFile made;
  made.file = file;
  for (std::size_t i = 0; i < tracked.size(); ++i) {
    ZOE_TRY_ASSIGN(TerrainClip clip, put_on_ground(body, tracked[i].motion, tracked[i].feet, grounds[i]));
    subtract_plane(clip, made.file.asset.clips[i]);
    made.clips.push_back(std::move(clip));
  }
  made.file.split_with = file.relative;
  if (patch > 0) {
    made.file.source += fmt::format("@{}", patch);
    made.file.relative += fmt::format("@{}", patch);
  }
  made.file.content = hash_text(dataset::content_of(made.file.asset).hex() + made.file.source);
  return made;
}

// On the ground beside the file, or on each of the fitted ones.
Result<std::vector<MadeFile>> make_files(const TerrainBody& body, const ClipFile& file,
                                         const TerrainDataOptions& options) {
  if (without_end_sites(file.asset.clips[0]).skeleton->topology_hash() != body.skeleton->topology_hash())
    return Error{ErrorCode::kInvalid, "it has another skeleton", {}};
  ZOE_TRY_ASSIGN(const GroundPtr own, ground_beside(file.path));
  ZOE_TRY_ASSIGN(const std::vector<TrackedClip> tracked, track_clips(body, file));
  std::vector<std::vector<GroundPtr>> grounds;  // [patches][clips]
  for (std::size_t i = 0; i < tracked.size(); ++i) {
    std::vector<GroundPtr> below;
    if (own != nullptr) {
      below.push_back(ground_at_contacts(own, tracked[i].marks));
      if (below[0] == nullptr) return Error{ErrorCode::kInvalid, "the ground beside it does not fit its feet", {}};
    } else {
      const Random random(options.seed);
      const std::uint64_t key = hash_text(file.relative).low;
      for (FittedGround& fitted :
           fit_grounds(tracked[i].marks, body.leg_length_m, std::max(options.patches, 1), random.split(key).split(i)))
        below.push_back(std::move(fitted.ground));
    }
    grounds.resize(below.size());
    for (std::size_t k = 0; k < below.size(); ++k) grounds[k].push_back(std::move(below[k]));
  }
  std::vector<MadeFile> out;
  for (std::size_t k = 0; k < grounds.size(); ++k) {
    ZOE_TRY_ASSIGN(MadeFile one, make_file(body, file, tracked, grounds[k], static_cast<int>(k)));
    one.own_ground = own != nullptr;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

Result<TerrainData> make_terrain_data(const features::Schema& schema, std::vector<ClipFile> files,
                                      const TerrainDataOptions& options, const Listener& listener) {
  std::erase_if(files, [](const ClipFile& file) { return is_ground_file(file.path); });
  TerrainData data;
  Warnings warnings;
  const auto first = std::find_if(files.begin(), files.end(),
                                  [](const ClipFile& file) { return !file.problem && !file.asset.clips.empty(); });
  if (first == files.end()) return Error{ErrorCode::kUsage, "no clip to put on terrain", {}};
  ZOE_TRY_ASSIGN(TerrainBody body, terrain_body(schema, without_end_sites(first->asset.clips[0])));
  data.body = std::make_shared<const TerrainBody>(std::move(body));

  std::mutex mutex;
  std::vector<std::vector<MadeFile>> made(files.size());
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ClipFile& file = files[i];
      const auto leave_out = [&](const std::string& why) {
        const std::lock_guard lock(mutex);
        warnings.push_back({"left out of the terrain: " + why, {.file = file.path.string()}});
      };
      if (file.problem || file.asset.clips.empty()) {
        leave_out(file.problem ? file.problem->text : "no clip");
        continue;
      }
      Result<std::vector<MadeFile>> of_file = make_files(*data.body, file, options);
      if (!of_file) {
        leave_out(of_file.error().message);
        continue;
      }
      made[i] = std::move(*of_file);
    }
  });

  auto clips = std::make_shared<std::map<std::string, std::vector<TerrainClip>>>();
  int num_own = 0, num_fitted = 0;
  for (std::vector<MadeFile>& of_file : made) {
    for (MadeFile& one : of_file) {
      (one.own_ground ? num_own : num_fitted) += 1;
      clips->emplace(one.file.source, std::move(one.clips));
      data.files.push_back(std::move(one.file));
    }
  }
  listener.warn(warnings);
  if (data.files.empty()) return Error{ErrorCode::kInvalid, "no clip fits any terrain", {}};
  listener.say(fmt::format("terrain: {} files on their own ground, {} on fitted ground", num_own, num_fitted));
  data.signals.key = fmt::format("terrain 1 {} {} {} {}", options.heights, options.grid, options.patches, options.seed);
  data.signals.make_for = [clips, body = data.body, options](
                              const Motion& motion,
                              const dataset::ClipOrigin& origin) -> Result<std::vector<dataset::ClipSignal>> {
    const auto found = clips->find(origin.source);
    if (found == clips->end() || idx(origin.clip_index) >= found->second.size())
      return Error{ErrorCode::kInvalid, "no ground is known for this clip", {}};
    return ground_signals_of(*body, found->second[idx(origin.clip_index)], motion, origin.mirrored, options.heights,
                             options.grid);
  };
  return data;
}

}  // namespace zoe::author
