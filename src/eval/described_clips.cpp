// SPDX-License-Identifier: MIT
#include "zoe/eval/described_clips.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "zoe/anatomy/calibration_frames.h"
#include "zoe/control/load.h"
#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/dataset/dataset.h"
#include "zoe/dataset/read_clip_files.h"
#include "zoe/eval/courses.h"
#include "zoe/eval/record.h"
#include "zoe/motion/edit.h"

#include "eval/clip_names.h"
#include "eval/real_clips.h"

namespace zoe::eval {
namespace {

namespace fs = std::filesystem;

// Clips of one input or file, and what was wrong with it.
struct Found {
  std::vector<DescribedClip> clips;
  Warnings warnings;
};

Result<std::vector<MotionWindows>> describe_one(const Motion& clip, const SkeletonAnalysis& body,
                                                const std::string& source, const DescribeOptions& options) {
  if (options.describe) return options.describe(clip, body, source);
  ZOE_TRY_ASSIGN(MotionWindows windows, describe_windows(clip, body, {.hop_s = options.hop_s}));
  return std::vector<MotionWindows>{std::move(windows)};
}

void add_clip(DescribedClip about, const Motion& clip, const SkeletonAnalysis& body, const DescribeOptions& options,
              Found& found) {
  about.family = body.family;
  about.seconds = clip.duration_s();
  Result<std::vector<MotionWindows>> versions = describe_one(clip, body, about.source, options);
  if (!versions) {
    found.warnings.push_back({"skipped: " + versions.error().message, {.file = about.source}});
    return;
  }
  if (versions->empty() || versions->front().size() == 0) return;
  about.versions = std::move(*versions);
  found.clips.push_back(std::move(about));
}

void describe_file(const dataset::ClipFile& file, const DescribeOptions& options, Found& found) {
  Result<io::Asset> asset = io::read_asset(file.path);
  if (!asset) {
    found.warnings.push_back({"skipped: " + asset.error().message, asset.error().where});
    return;
  }
  for (Motion& clip : asset->clips) {
    const int calibration = anatomy::count_calibration_frames(clip);
    if (calibration == 0 || calibration >= clip.num_frames) continue;
    if (Result<Motion> rest = trim(clip, calibration, clip.num_frames - 1)) clip = std::move(*rest);
  }
  if (asset->clips.empty()) return;
  const SkeletonAnalysis body = analyse(*asset->character->skeleton, asset->clips, asset->character.get());
  const bool several = asset->clips.size() > 1;
  for (const Motion& clip : asset->clips) {
    DescribedClip about;
    about.source = several ? file.source + ":" + clip.name : file.source;
    about.folder = folder_of(file.source);
    about.label = words_without_numbers(several ? clip.name : stem_of(file.source));
    if (about.label.empty()) about.label = about.folder;
    add_clip(std::move(about), clip, body, options, found);
  }
}

Result<void> describe_dataset(const fs::path& folder, const DescribeOptions& options, Found& found) {
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder));
  for (const dataset::Group& group : data->groups()) {
    SkeletonAnalysis body;
    bool analysed = false;
    const Result<void> done = for_each_clip(*data, group, [&](const RealClip& clip) {
      if (options.accept && !options.accept(clip.record.source)) return;
      if (!analysed) body = analyse(*group.skeleton, std::span(&clip.motion, 1));
      analysed = true;
      DescribedClip about;
      about.source = clip.record.source;
      about.folder = folder_of(clip.record.source);
      about.label =
          clip.record.labels.empty() ? words_without_numbers(stem_of(clip.record.source)) : clip.record.labels.front();
      if (about.label.empty()) about.label = about.folder;
      add_clip(std::move(about), clip.motion, body, options, found);
    });
    if (!done)
      found.warnings.push_back(
          {fmt::format("group '{}': {}", group.name, done.error().message), {.file = folder.string()}});
  }
  return {};
}

Result<void> describe_controller(const fs::path& folder, const DescribeOptions& options, Found& found) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(folder));
  for (const char* course : course_names()) {
    ZOE_TRY_ASSIGN(const auto source, make_course(course));
    const Recording made = record(*controller, *source, {.seconds = 20});
    DescribedClip about;
    about.source = folder.filename().string() + ":" + course;
    about.folder = "controller";
    about.label = course;
    add_clip(std::move(about), made.motion, analyse(*made.motion.skeleton, std::span(&made.motion, 1)), options, found);
  }
  return {};
}

void append(Found& found, std::vector<DescribedClip>& clips, Warnings& warnings) {
  std::move(found.clips.begin(), found.clips.end(), std::back_inserter(clips));
  std::move(found.warnings.begin(), found.warnings.end(), std::back_inserter(warnings));
}

}  // namespace

Result<std::vector<DescribedClip>> describe_clips(std::span<const fs::path> inputs, const DescribeOptions& options,
                                                  Warnings& warnings) {
  std::vector<DescribedClip> clips;
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::path& input : inputs) {
    Found found;
    if (fs::exists(input / "dataset.json", ignored)) {
      ZOE_TRY(describe_dataset(input, options, found));
    } else if (fs::exists(input / "controller.toml", ignored)) {
      if (fs::exists(input / "dataset" / "dataset.json", ignored))
        ZOE_TRY(describe_dataset(input / "dataset", options, found));
      ZOE_TRY(describe_controller(input, options, found));
    } else {
      folders.push_back(input);
    }
    append(found, clips, warnings);
  }
  std::vector<dataset::ClipFile> files;
  if (!folders.empty()) {
    ZOE_TRY_ASSIGN(files, dataset::list_clip_files(folders, warnings));
  }
  if (options.accept) std::erase_if(files, [&](const dataset::ClipFile& file) { return !options.accept(file.source); });
  if (options.on_start && !files.empty()) options.on_start(files.size());
  std::vector<Found> parts(files.size());
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      describe_file(files[i], options, parts[i]);
      if (options.on_file) options.on_file();
    }
  });
  for (Found& found : parts) append(found, clips, warnings);
  if (clips.empty())
    return Error{ErrorCode::kInvalid, "no clip of at least 0.5 s", {.file = inputs.empty() ? "" : inputs[0].string()}};
  return clips;
}

CodeSet encode_clips(std::span<const DescribedClip> clips, const MotionEncoder* encoder, std::size_t version) {
  CodeSet out;
  out.width = encoder != nullptr ? encoder->width() : description_width();
  const std::size_t width = idx(out.width);
  std::vector<std::size_t> first;
  std::size_t rows = 0;
  for (const DescribedClip& clip : clips) {
    first.push_back(rows);
    rows += clip.versions[version].size();
  }
  out.codes.resize(rows * width);
  out.clips.resize(rows);
  ThreadPool::shared().parallel_for(clips.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const MotionWindows& windows = clips[i].versions[version];
      const std::vector<float> codes = encoder != nullptr ? encoder->encode(windows) : windows.values;
      std::copy(codes.begin(), codes.end(), out.codes.begin() + static_cast<std::ptrdiff_t>(first[i] * width));
      std::fill_n(out.clips.begin() + static_cast<std::ptrdiff_t>(first[i]), windows.size(), static_cast<int>(i));
    }
  });
  return out;
}

}  // namespace zoe::eval
