// SPDX-License-Identifier: MIT
#include "zoe/author/one_body.h"

#include <algorithm>
#include <mutex>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/author/retarget_source.h"
#include "zoe/core/thread_pool.h"
#include "zoe/io/read.h"
#include "zoe/motion/convert_space.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/retarget/retarget.h"

namespace zoe::author {
namespace {

using dataset::ClipFile;
using Sources = std::vector<RetargetSourcePtr>;

// Null where a file could not be read.
Sources sources_of(const std::vector<ClipFile>& files) {
  std::vector<const io::Asset*> assets;
  for (const ClipFile& file : files) assets.push_back(file.problem ? nullptr : &file.asset);
  return find_sources(assets);
}

// Index of the body of median height among those with feet.
Result<std::size_t> median_body(const Sources& sources) {
  std::vector<std::pair<double, std::size_t>> heights;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] && !sources[i]->body.feet.empty()) heights.emplace_back(sources[i]->body.height_m, i);
  }
  if (heights.empty()) return Error{ErrorCode::kInvalid, "no file has a body with feet", {}};
  std::sort(heights.begin(), heights.end());
  return heights[heights.size() / 2].second;
}

// In metres, with the ground at y = 0.
Motion grounded(const Motion& motion, const SkeletonPtr& skeleton, const SpaceChange& change) {
  Motion out = convert_space(motion, change, skeleton);
  const SkeletonAnalysis analysis = analyse(*skeleton, {&out, 1});
  const auto contacts = find_foot_contacts(out, analysis);
  const float ground_m = contacts ? contacts->ground_height_m : 0;
  const std::size_t joints = static_cast<std::size_t>(out.num_joints());
  for (std::size_t i = 0; i < out.translations.size(); ++i) {
    if (skeleton->parent(static_cast<int>(i % joints)) == kNoJoint) out.translations[i].y -= ground_m;
  }
  return out;
}

struct Target {
  SkeletonPtr skeleton;  // In the file's unit.
  SkeletonAnalysis body;
  Pose reference;
  SpaceChange to_metres;
  CharacterPtr character;  // In metres.
};

Result<Target> target_of(const io::Asset& asset, const std::string& name) {
  if (!asset.character || asset.character->skeleton->num_joints() == 0)
    return Error{ErrorCode::kInvalid, "contains no skeleton to move", {.file = name}};
  ZOE_TRY_ASSIGN(AssetAnalysis analysis, analyse_asset(asset));
  Target target;
  target.skeleton = asset.character->skeleton;
  target.reference = reference_pose(*target.skeleton, analysis.body, asset.clips, asset.character.get());
  target.body = std::move(analysis.body);
  target.to_metres = {.scale = target.body.metres_per_unit};
  ZOE_TRY(validate(target.to_metres));
  auto character = std::make_shared<Character>();
  character->skeleton = convert_space(*target.skeleton, target.to_metres);
  target.character = std::move(character);
  return target;
}

// Retargets the clips of the file. Its original clips are freed.
Result<void> move_file(ClipFile& file, const RetargetSourcePtr& source, const Target& target) {
  if (file.problem) return Error{ErrorCode::kInvalid, file.problem->text, {}};
  if (!source) return Error{ErrorCode::kInvalid, "contains no body", {}};
  io::Asset out;
  out.character = target.character;
  out.source.format = file.asset.source.format;
  for (const Motion& clip : file.asset.clips) {
    ZOE_TRY_ASSIGN(const Motion moved,
                   retarget(clip, source->body, target.skeleton, target.body,
                            {.source_reference = source->reference, .target_reference = target.reference}));
    out.clips.push_back(grounded(moved, target.character->skeleton, target.to_metres));
  }
  file.asset = std::move(out);
  file.content = dataset::content_of(file.asset);
  return {};
}

Result<OneBody> put_on(std::vector<ClipFile> files, const Sources& sources, const Target& target, std::string name) {
  std::vector<char> moved(files.size(), 0);
  std::mutex mutex;
  OneBody done{.body = std::move(name), .files = {}, .warnings = {}};
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Result<void> result = move_file(files[i], sources[i], target);
      const std::lock_guard lock(mutex);
      if (result) {
        moved[i] = 1;
      } else {
        done.warnings.push_back({"left out: " + result.error().message, {.file = files[i].path.string()}});
      }
    }
  });
  std::sort(done.warnings.begin(), done.warnings.end(),
            [](const Warning& a, const Warning& b) { return a.where.file < b.where.file; });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (moved[i] != 0) done.files.push_back(std::move(files[i]));
  }
  if (done.files.empty())
    return Error{ErrorCode::kInvalid, "no file could be retargeted onto this body", {.file = done.body}};
  return done;
}

}  // namespace

Result<OneBody> put_on_body(std::vector<ClipFile> files, const io::Asset& body, const std::string& body_name) {
  ZOE_TRY_ASSIGN(const Target target, target_of(body, body_name));
  const Sources sources = sources_of(files);
  return put_on(std::move(files), sources, target, body_name);
}

Result<OneBody> put_on_body(std::vector<ClipFile> files, const std::filesystem::path& body_file) {
  ZOE_TRY_ASSIGN(const io::Asset body, io::read_asset(body_file));
  return put_on_body(std::move(files), body, body_file.string());
}

Result<OneBody> put_on_median_body(std::vector<ClipFile> files) {
  const Sources sources = sources_of(files);
  ZOE_TRY_ASSIGN(const std::size_t chosen, median_body(sources));
  ZOE_TRY_ASSIGN(const Target target, target_of(files[chosen].asset, files[chosen].path.string()));
  const std::string name = files[chosen].path.string();
  return put_on(std::move(files), sources, target, name);
}

}  // namespace zoe::author
