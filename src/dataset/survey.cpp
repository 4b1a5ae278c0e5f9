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
  return (normal.has_filename() ? normal.filename() : normal.parent_path().filename()).generic_string();
}

constexpr std::string_view kLabelEnding = ".labels.csv";

// Label files of folders, each folder read once.
class LabelFolders {
 public:
  std::vector<fs::path> beside(const fs::path& motion_file) {
    const fs::path folder = motion_file.parent_path();
    const auto [found, is_new] = folders_.try_emplace(folder);
    if (is_new) found->second = list(folder);
    const std::string stem = motion_file.stem().string() + ".";
    std::vector<fs::path> out;
    for (const fs::path& path : found->second) {
      const std::string name = path.filename().string();
      if (!name.starts_with(stem) || name.size() + 1 < stem.size() + kLabelEnding.size()) continue;
      out.push_back(path);
      used_.insert(path);
    }
    return out;
  }

  // Label files without a requested motion file beside them.
  std::vector<fs::path> unused() const {
    std::vector<fs::path> out;
    for (const auto& [folder, paths] : folders_)
      for (const fs::path& path : paths)
        if (!used_.contains(path)) out.push_back(path);
    return out;
  }

 private:
  static std::vector<fs::path> list(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code error;
    for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end; it.increment(error))
      if (it->path().filename().string().ends_with(kLabelEnding)) out.push_back(folder / it->path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }

  std::map<fs::path, std::vector<fs::path>> folders_;
  std::set<fs::path> used_;
};

// The hierarchy only: frames are most of a BVH file, and the skeleton does not need them.
Result<io::Asset> read_skeleton(const MappedFile& file, const fs::path& path, const io::ReadOptions& options) {
  if (io::detect_format(file.bytes().first(std::min<std::size_t>(file.bytes().size(), 4096)), path) ==
      io::Format::kBvh) {
    const std::size_t end = file.text().find("MOTION");
    if (end != std::string_view::npos) {
      const std::string text = std::string(file.text().substr(0, end)) + "MOTION\nFrames: 0\nFrame Time: 0.033333\n";
      return io::read_bvh(as_bytes(text), path.filename().string(), {.up = options.bvh_up, .limits = options.limits});
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
    if (skeleton.parent(j) == kNoJoint || (names != nullptr && names->find(skeleton.name(j)) == kNoJoint)) continue;
    sum += static_cast<double>(length(skeleton.rest_local(j).translation));
  }
  return sum;
}

Result<std::vector<SurveyedFile>> list_files(std::span<const fs::path> inputs, std::span<const ClipFile> held,
                                             Warnings& warnings) {
  std::vector<SurveyedFile> files;
  std::map<std::string, int> uses;
  std::set<fs::path> known;
  for (const fs::path& input : inputs) {
    const bool is_folder = fs::is_directory(input);
    if (!is_folder && !fs::exists(input))
      return Error{ErrorCode::kIo, "no such file or folder", {.file = input.string()}};
    std::vector<fs::path> paths{input};
    if (is_folder) {
      ZOE_TRY_ASSIGN(paths, io::list_assets(input));
    }
    LabelFolders labels;
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
      file.label_files = labels.beside(path);
      files.push_back(std::move(file));
    }
    if (!is_folder) continue;  // Its folder may hold labels of other files.
    for (const fs::path& path : labels.unused())
      warnings.push_back(
          {"these labels have no motion file; walk.labels.csv belongs to walk.bvh", {.file = path.string()}});
  }
  for (const ClipFile& file : held) {
    files.push_back({.path = file.path,
                     .source = file.source,
                     .relative = file.relative,
                     .label_files = file.label_files,
                     .problem = file.problem,
                     .held = &file});
  }
  std::sort(files.begin(), files.end(),
            [](const SurveyedFile& a, const SurveyedFile& b) { return a.source < b.source; });
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (files[i].source == files[i - 1].source) {
      return Error{
          ErrorCode::kUsage, fmt::format("two inputs give '{}': name a folder that holds both", files[i].source), {}};
    }
  }
  return files;
}

Result<io::Asset> read_whole(const SurveyedFile& file, const io::ReadOptions& read) {
  if (file.held != nullptr) return file.held->asset;
  return io::read_asset(file.path, read);
}

void survey_file(SurveyedFile& file, const io::ReadOptions& read, bool end_sites) {
  std::optional<MappedFile> mapped;
  if (file.held != nullptr) {
    file.bytes = file.held->bytes;
    file.content = file.held->content;
  } else {
    auto opened = MappedFile::open(file.path);
    if (!opened) {
      file.problem = unreadable(opened.error());
      return;
    }
    mapped = std::move(*opened);
    file.bytes = mapped->bytes().size();
    file.content = hash_bytes(mapped->bytes());
  }
  HashBuilder labels;
  for (const fs::path& path : file.label_files) {
    const auto text = MappedFile::open(path);
    labels.add(path.filename().string()).add(text ? hash_bytes(text->bytes()) : Hash128{});
  }
  file.labels = labels.finish();
  if (file.problem) return;
  const auto take = [&](const io::Asset& asset) {
    file.skeleton = asset.character->skeleton;
    file.unit_stated = asset.source.unit_known;
  };
  if (file.held != nullptr) {
    take(file.held->asset);
  } else {
    const auto asset = read_skeleton(*mapped, file.path, read);
    if (!asset) {
      file.problem = unreadable(asset.error());
      return;
    }
    take(*asset);
  }
  if (file.skeleton->num_joints() == 0) {
    file.problem = Note{"no_motion", "the file holds no skeleton"};
    file.skeleton = nullptr;
    return;
  }
  if (!end_sites) file.skeleton = without_end_sites(make_motion(file.skeleton, "", 30, 1, false)).skeleton;
  file.span = bone_span(*file.skeleton);
}

}  // namespace zoe::dataset
