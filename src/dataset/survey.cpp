// SPDX-License-Identifier: MIT
#include "dataset/survey.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/bvh.h"
#include "zoe/io/convert.h"
#include "zoe/motion/edit.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;

// "/data/walks/" and "/data/walks" are both called "walks".
std::string folder_name(const fs::path& path) {
  const fs::path normal = fs::absolute(path).lexically_normal();
  return (normal.has_filename() ? normal.filename() : normal.parent_path().filename())
      .generic_string();
}

// The hierarchy alone: frames are most of a BVH file, and not needed to know the skeleton.
Result<io::Asset> read_skeleton(const MappedFile& file, const fs::path& path,
                                const io::ReadOptions& options) {
  if (io::detect_format(file.bytes().first(std::min<std::size_t>(file.bytes().size(), 4096)),
                        path) == io::Format::kBvh) {
    const std::size_t end = file.text().find("MOTION");
    if (end != std::string_view::npos) {
      const std::string text =
          std::string(file.text().substr(0, end)) + "MOTION\nFrames: 0\nFrame Time: 0.033333\n";
      return io::read_bvh(as_bytes(text), path.filename().string(),
                          {.up = options.bvh_up, .limits = options.limits});
    }
  }
  return io::read_asset(path, options);
}

}  // namespace

Note unreadable(const Error& error) {
  std::string text = error.message;
  if (!error.where.joint.empty()) text += fmt::format(" (joint {})", error.where.joint);
  if (error.where.line >= 0) text += fmt::format(" (line {})", error.where.line);
  return {text.find("finite") != std::string::npos ? "not_finite" : "unreadable", std::move(text)};
}

double bone_span(const Skeleton& skeleton, const Skeleton* names) {
  double sum = 0;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (skeleton.parent(j) == kNoJoint ||
        (names != nullptr && names->find(skeleton.name(j)) == kNoJoint))
      continue;
    sum += static_cast<double>(length(skeleton.rest_local(j).translation));
  }
  return sum;
}

Result<std::vector<SurveyedFile>> list_files(const BuildOptions& options) {
  std::vector<SurveyedFile> files;
  std::map<std::string, int> uses;
  std::set<fs::path> known;
  for (const fs::path& input : options.inputs) {
    const bool is_folder = fs::is_directory(input);
    if (!is_folder && !fs::exists(input))
      return Error{ErrorCode::kIo, "no such file or folder", {.file = input.string()}};
    std::vector<fs::path> paths{input};
    if (is_folder) {
      ZOE_TRY_ASSIGN(paths, io::list_assets(input));
    }
    std::string prefix;
    if (is_folder) {
      prefix = folder_name(input);
      if (const int use = ++uses[prefix]; use > 1) prefix += fmt::format("~{}", use);
    }
    for (const fs::path& path : paths) {
      std::error_code error;
      const fs::path real = fs::canonical(path, error);
      if (error || !known.insert(real).second) continue;
      SurveyedFile file;
      file.path = path;
      const fs::path below = is_folder ? path.lexically_relative(input) : path.filename();
      file.source = (prefix.empty() ? fs::path() : fs::path(prefix)) / below;
      file.relative = fs::path(below).replace_extension().generic_string();
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SurveyedFile& a, const SurveyedFile& b) { return a.source < b.source; });
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (files[i].source == files[i - 1].source) {
      return Error{
          ErrorCode::kUsage,
          fmt::format("two inputs give '{}': name a folder that holds both", files[i].source),
          {}};
    }
  }
  return files;
}

void survey_file(SurveyedFile& file, const io::ReadOptions& read, bool end_sites) {
  const auto mapped = MappedFile::open(file.path);
  if (!mapped) {
    file.problem = unreadable(mapped.error());
    return;
  }
  file.bytes = mapped->bytes().size();
  file.content = hash_bytes(mapped->bytes());
  const auto asset = read_skeleton(*mapped, file.path, read);
  if (!asset) {
    file.problem = unreadable(asset.error());
    return;
  }
  file.skeleton = asset->character->skeleton;
  file.unit_stated = asset->source.unit_known;
  if (file.skeleton->num_joints() == 0) {
    file.problem = Note{"no_motion", "the file holds no skeleton"};
    file.skeleton = nullptr;
    return;
  }
  if (!end_sites)
    file.skeleton = without_end_sites(make_motion(file.skeleton, "", 30, 1, false)).skeleton;
  file.span = bone_span(*file.skeleton);
}

}  // namespace zoe::dataset
