// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe convert`: converts one file or a folder of files to another format.
#include "zoe/io/convert.h"

#include <optional>

#include <fmt/format.h>

#include "zoe/core/progress.h"

#include "clip_edits.h"
#include "clip_range.h"
#include "convert_vrm.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

int convert_one(const std::string& input, const std::string& output, const io::ConvertOptions& options) {
  const bool vrm = std::filesystem::path(output).extension() == ".vrm";
  const Result<io::ConvertReport> report =
      vrm ? convert_to_vrm(input, output, options) : io::convert_file(input, output, options);
  if (!report) return print_error(report.error());
  print_warnings(report->warnings);
  if (!quiet()) fmt::print("{}: {} clips, {} frames\n", output, report->num_clips, report->num_frames);
  return kDone;
}

int convert_all(const std::string& input, const std::string& output, const std::string& format,
                const io::ConvertOptions& options) {
  std::optional<Progress> progress;
  const auto on_done = [&](std::size_t, std::size_t total) {
    if (!progress)
      progress.emplace("convert", total,
                       ProgressOptions{.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "files"});
    progress->advance();
  };
  const auto results = io::convert_folder(input, output, "." + format, options, on_done);
  if (progress) progress->finish();
  if (!results) return print_error(results.error());

  int code = kDone;
  std::size_t failed = 0, written = 0, frames = 0;
  for (const io::FolderResult& one : *results) {
    if (!one.result) {
      code = print_error(one.result.error());
      ++failed;
      continue;
    }
    print_warnings(one.result->warnings);
    written += one.result->written.size();
    frames += static_cast<std::size_t>(one.result->num_frames);
  }
  if (!quiet())
    fmt::print("{} of {} files read, {} written, {} frames\n", results->size() - failed, results->size(), written,
               frames);
  return code;
}

}  // namespace

int run_convert(const Arguments& arguments) {
  Options app;
  std::string input, output, format, up = "y", bvh_up = "auto", character;
  ClipEdits edits;
  ClipRange range;
  std::optional<double> time_s;
  io::ConvertOptions options;
  app.add_option("input", input, "File or folder to read")->required()->reads();
  app.add_option("output", output, "File to write (.glb .gltf .vrm .fbx .usda .usdz .bvh .npz .obj), or a folder")
      ->required()
      ->writes();
  app.add_option("--clip", options.clip, "Only this clip: its number from 0, or its name");
  app.add_option("--time", time_s,
                 "Only the pose at this time of the file's own clock, seconds; .obj: the deformed mesh")
      ->between(-86400.0, 86400.0, "s");
  app.add_option("--fps", options.fps, "Resample to this frame rate")->between(0.1, 1000.0, "frames per second");
  app.add_option("--character", character, "Play the clips on this file's rig and meshes, matched by joint names")
      ->reads();
  app.add_option("--scale", options.scale,
                 "Multiply all lengths; default 1, and BVH to glTF in metres by an estimate of the unit")
      ->between(1e-6, 1e6);
  app.add_option("--up", up, "Up axis of the output, y or z")->one_of({"y", "z"});
  app.add_option("--bvh-up", bvh_up,
                 "Up axis of BVH input, y or z; the format does not state it. auto: as the body stands")
      ->one_of({"auto", "y", "z"});
  app.add_option("--format", format, "Folders: format to write, default npz")
      ->one_of({"glb", "gltf", "fbx", "usda", "usdz", "bvh", "npz", "obj"});
  add_clip_range(app, range);
  add_clip_edits(app, edits);
  if (const auto exit = parse(app, arguments)) return *exit;

  constexpr const char* kFormats[] = {".glb", ".gltf", ".vrm", ".fbx", ".usda", ".usdz", ".bvh", ".npz", ".obj"};
  const bool folder = std::filesystem::is_directory(input);
  if (const Result<void> fits = folder ? check_folder_output(output, kFormats) : check_output_file(output, kFormats);
      !fits)
    return print_error(fits.error());
  std::atomic<int> num_dropped = 0;
  // A pose at a time of the file's own clock is in the file, or not.
  const bool cuts = !time_s;
  options.edit = [&](io::Asset& asset) -> Result<void> {
    for (std::size_t i = 0; cuts && i < asset.clips.size(); ++i) {
      ZOE_TRY_ASSIGN(asset.clips[i], cut(asset.clips[i], range, num_dropped));
    }
    return edits.any() ? apply(edits, asset) : Result<void>{};
  };
  options.time_s = time_s;
  options.character = character;
  options.up = up[0];
  options.read.bvh_up = bvh_up[0];
  const int code = folder ? convert_all(input, output, format.empty() ? "npz" : format, options)
                          : convert_one(input, output, options);
  if (!quiet()) print_dropped(num_dropped);
  return code;
}

}  // namespace zoe::cli
