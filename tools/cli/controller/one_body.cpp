// SPDX-License-Identifier: MIT
#include "controller/one_body.h"

#include <algorithm>
#include <mutex>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/core/thread_pool.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"
#include "zoe/motion/convert_space.h"

#include "retarget/work.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

struct File {
  fs::path path, relative;
};

std::vector<File> find_files(const std::vector<std::string>& inputs) {
  std::vector<File> files;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (fs::is_regular_file(input, error)) files.push_back({input, fs::path(input).filename()});
    for (fs::recursive_directory_iterator at(input, error), end; !error && at != end; at.increment(error)) {
      if (at->is_regular_file() && io::format_of_extension(at->path()))
        files.push_back({at->path(), at->path().lexically_relative(input)});
    }
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.relative < b.relative; });
  return files;
}

// Of median height among those with legs.
Result<std::string> choose_body(const std::vector<File>& files,
                                const std::vector<std::shared_ptr<const RetargetSource>>& sources) {
  std::vector<std::pair<double, std::size_t>> heights;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (sources[i] && !sources[i]->body.feet.empty()) heights.emplace_back(sources[i]->body.height_m, i);
  }
  if (heights.empty()) return Error{ErrorCode::kInvalid, "no file has a body with feet", {}};
  std::sort(heights.begin(), heights.end());
  return files[heights[heights.size() / 2].second].path.string();
}

// Metres, and standing on y = 0.
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

// walk.labels.csv and walk.CLIP.labels.csv go with walk.bvh.
Result<void> copy_labels(const fs::path& from, const fs::path& to) {
  std::error_code error;
  const std::string stem = from.stem().string() + ".";
  const fs::path folder = from.parent_path().empty() ? "." : from.parent_path();
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(stem) || !name.ends_with(".labels.csv")) continue;
    fs::copy_file(at->path(), to.parent_path() / name, fs::copy_options::overwrite_existing, error);
  }
  if (error) return Error{ErrorCode::kIo, "labels: " + error.message(), {.file = from.string()}};
  return {};
}

}  // namespace

Result<OneBody> put_on_one_body(const std::vector<std::string>& inputs, const std::string& body_file,
                                const fs::path& output) {
  const std::vector<File> files = find_files(inputs);
  if (files.empty()) return Error{ErrorCode::kUsage, "no motion files here", {.file = inputs.empty() ? "" : inputs[0]}};
  std::vector<fs::path> paths;
  for (const File& file : files) paths.push_back(file.path);
  const auto sources = find_sources(paths, "");
  OneBody done;
  done.body = body_file;
  if (done.body.empty()) {
    ZOE_TRY_ASSIGN(done.body, choose_body(files, sources));
  }
  ZOE_TRY_ASSIGN(const RetargetCharacter target, load_character(done.body, ""));
  const SpaceChange to_metres{.scale = target.body.metres_per_unit};
  ZOE_TRY(validate(to_metres));
  auto character = std::make_shared<Character>();
  character->skeleton = convert_space(*target.character->skeleton, to_metres);

  std::mutex mutex;
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto put = [&]() -> Result<void> {
        if (!sources[i]) return Error{ErrorCode::kInvalid, "holds no body", {}};
        ZOE_TRY_ASSIGN(const io::Asset asset, io::read_asset(files[i].path));
        io::Asset out;
        out.character = character;
        for (const Motion& clip : asset.clips) {
          ZOE_TRY_ASSIGN(const Motion moved,
                         retarget(clip, sources[i]->body, target.character->skeleton, target.body,
                                  {.source_reference = sources[i]->reference, .target_reference = target.reference}));
          out.clips.push_back(grounded(moved, character->skeleton, to_metres));
        }
        fs::path to = output / files[i].relative;
        to.replace_extension(".glb");
        std::error_code error;
        fs::create_directories(to.parent_path(), error);
        const auto written = io::write_asset(to, out);
        if (!written) return written.error();
        return copy_labels(files[i].path, to);
      };
      const Result<void> result = put();
      const std::lock_guard lock(mutex);
      if (result) {
        ++done.num_files;
      } else {
        done.warnings.push_back({"left out: " + result.error().message, {.file = files[i].path.string()}});
      }
    }
  });
  if (done.num_files == 0)
    return Error{ErrorCode::kInvalid, "no file could be put onto this body", {.file = done.body}};
  return done;
}

}  // namespace zoe::cli
