// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe retarget`: retargets the motions of a file or a folder to another body.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/progress.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/grounds.h"
#include "zoe/io/convert.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"

#include "info_analysis.h"
#include "retarget/map_option.h"
#include "retarget/work.h"
#include "temporary_folder.h"
#include "verbs.h"

namespace zoe::cli {
namespace fs = std::filesystem;
namespace {

struct Job {
  fs::path input, output;
  Result<RetargetedFile> result = Error{};
};

Result<std::vector<Job>> plan(const std::string& motion, const std::string& output, const std::string& format) {
  std::vector<Job> jobs;
  if (!fs::is_directory(motion)) {
    jobs.push_back({motion, output});
    return jobs;
  }
  ZOE_TRY_ASSIGN(const std::vector<fs::path> files, io::list_assets(motion));
  if (files.empty()) return Error{ErrorCode::kUsage, "no supported file in this folder", {.file = motion}};
  const std::vector<fs::path> names =
      output.empty() ? std::vector<fs::path>(files.size()) : io::output_names(files, motion, output, "." + format);
  for (std::size_t i = 0; i < files.size(); ++i) jobs.push_back({files[i], names[i]});
  return jobs;
}

// Files are read once. Those of a folder stay in memory until they are done: the body of one may follow from another.
std::vector<std::optional<io::Asset>> read_all(std::vector<Job>& jobs) {
  std::vector<std::optional<io::Asset>> assets(jobs.size());
  ThreadPool::shared().parallel_for(jobs.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Result<io::Asset> asset = io::read_asset(jobs[i].input);
      if (asset) {
        assets[i] = std::move(*asset);
      } else {
        jobs[i].result = asset.error();
      }
    }
  });
  return assets;
}

void run_all(std::vector<Job>& jobs, const RetargetCharacter& character, const RetargetRequest& request) {
  std::vector<std::optional<io::Asset>> assets = read_all(jobs);
  std::vector<author::RetargetSourcePtr> sources(jobs.size());
  if (jobs.size() > 1) {
    std::vector<const io::Asset*> read;
    for (const auto& asset : assets) read.push_back(asset ? &*asset : nullptr);
    sources = author::find_sources(read, request.source_overrides);
  }
  std::atomic<int> num_dropped = 0;
  const bool silent = quiet() || jobs.size() == 1;
  Progress progress("retarget", jobs.size(),
                    ProgressOptions{.mode = silent ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "files"});
  ThreadPool::shared().parallel_for(jobs.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (assets[i]) {
        jobs[i].result =
            retarget_file(*assets[i], jobs[i].input, jobs[i].output, character, request, sources[i].get(), num_dropped);
        assets[i].reset();
      }
      progress.advance();
    }
  });
  progress.finish();
  if (!quiet()) print_dropped(num_dropped);
}

int report(const std::vector<Job>& jobs, const RetargetCharacter& character, bool json) {
  int code = kDone;
  std::size_t failed = 0;
  std::vector<const RetargetedClip*> clips;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Job& job : jobs) {
    if (!job.result) {
      code = print_error(job.result.error());
      ++failed;
      files.push_back({{"file", job.input.string()}, {"error", job.result.error().message}});
      continue;
    }
    print_warnings(job.result->warnings);
    files.push_back(to_json(*job.result));
    for (const RetargetedClip& clip : job.result->clips) {
      clips.push_back(&clip);
      if (!json && !quiet()) print_clip(clip);
    }
  }
  if (json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"character", character.file},
                                              {"family", to_string(character.body.family)},
                                              {"reference_pose", reference_word(character.body)},
                                              {"allowed_stretch", character.allowed_stretch},
                                              {"files", files}}
                           .dump(2));
  } else if (!quiet() && jobs.size() > 1) {
    print_summary(clips);
    fmt::print("{} of {} files done\n", jobs.size() - failed, jobs.size());
  }
  return code;
}

// Before the work, which may take long.
Result<void> check_names(const std::string& motion, const std::string& output, const std::string& preview) {
  constexpr const char* kFormats[] = {".glb", ".gltf", ".fbx", ".bvh", ".npz", ".obj"};
  constexpr const char* kPictures[] = {".mp4", ".gif", ".webp", ".png"};
  if (!output.empty())
    ZOE_TRY(fs::is_directory(motion) ? check_folder_output(output, kFormats) : check_output_file(output, kFormats));
  return preview.empty() ? Result<void>{} : check_output_file(preview, kPictures);
}

// The source, as it was cut, and the result, by `zoe render`.
int draw(const RetargetedFile& file, const fs::path& picture, const std::vector<std::string>& more = {}) {
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return print_error(folder.error());
  const fs::path source = folder->path() / (file.input.stem().string() + ".glb");
  if (const auto written = io::write_asset(source, *file.played); !written) return print_error(written.error());
  const auto verb = std::ranges::find_if(verbs(), [](const Verb& v) { return std::string(v.name) == "render"; });
  Arguments arguments{*verb, {source.string(), file.written.front().string(), "-o", picture.string()}};
  const std::string& clip = file.clips.front().name;
  if (!clip.empty()) arguments.words.insert(arguments.words.end(), {"--clip", clip});
  arguments.words.insert(arguments.words.end(), more.begin(), more.end());
  if (quiet()) arguments.words.emplace_back("--quiet");
  return run_render(arguments);
}

int make_report(const fs::path& folder, const std::vector<Job>& jobs, const RetargetCharacter& character) {
  const std::vector<std::string> more{"--style", "sheet", "--poses", "8", "--size", "1600x500"};
  std::vector<const RetargetedFile*> files;
  for (const Job& job : jobs)
    if (job.result) files.push_back(&*job.result);
  const Result<void> written =
      write_report(folder, character, files,
                   [&](const RetargetedFile& file, const fs::path& picture) { draw(file, picture, more); });
  if (!written) return print_error(written.error());
  if (!quiet()) fmt::print("{}\n", (folder / "index.html").string());
  return kDone;
}

}  // namespace

int run_retarget(const Arguments& arguments) {
  Options app;
  RetargetRequest request;
  std::string motion, character_file, output, format = "glb", target_overrides, preview, report_folder,
                                              reference = "auto", terrain, map;
  bool no_ik = false, no_ground = false, json = false;
  app.add_option("motion", motion, "File with the clips, or a folder of files")->required()->reads();
  app.add_option("--to", character_file, "File of the target character")->required()->reads();
  app.add_option("-o,--out", output,
                 "File to write (.glb .gltf .fbx .bvh .npz .obj), or a folder; without it, only measure")
      ->writes();
  app.add_option("--clip", request.clip, "Only this clip: its number from 0, or its name");
  app.add_option("--format", format, "Folders: format to write")
      ->one_of({"glb", "gltf", "bvh", "npz"})
      ->capture_default_str();
  app.add_option("--time", request.time_s, ".obj: the pose at this time of the clip's own clock, seconds")
      ->between(-86400.0, 86400.0, "s");
  add_clip_range(app, request.range);
  app.add_option("--source-overrides", request.source_overrides, "TOML corrections to the motion's analysis")->reads();
  app.add_option("--target-overrides", target_overrides, "TOML corrections to the character's analysis")->reads();
  app.add_option(
         "--map", map,
         "Which joints correspond: auto (by `zoe correspond`, for unlike bodies), or a .json or .csv of joints; "
         "default by roles")
      ->type_name("auto|FILE");
  app.add_flag("--no-ik", no_ik, "Leave hands and feet where the copied rotations put them");
  app.add_flag("--no-ground", no_ground, "Keep hands and trunk where the source's are, even below the ground");
  app.add_option("--ground", terrain,
                 "Uneven ground for the target: ramp:DEGREES, steps:METRES, or a file with meshes; along +Z from the "
                 "origin, on top of what the source climbs")
      ->reads();
  app.add_option("--preview", preview, "Film or picture of both side by side (.mp4 .gif .webp .png); needs -o FILE")
      ->writes();
  app.add_option("--reference", reference,
                 "Pose in which the character is compared: rest (the file's nodes), bind (its skin's), or auto")
      ->one_of({"auto", "rest", "bind"})
      ->capture_default_str();
  app.add_flag("--allow-torn", request.allow_torn, "Write results whose skin is torn, too");
  app.add_option("--report", report_folder,
                 "Folder for a page with the figures of all clips and sheets of poses; without -o also for the results")
      ->writes_folder();
  app.add_flag("--round-trip", request.round_trip, "Also retarget back onto the first body, and compare");
  app.add_flag("--json", json, "Print what was written and measured as one object");
  if (const auto exit = parse(app, arguments)) return *exit;

  request.draws = !preview.empty() || !report_folder.empty();
  request.options.ik = !no_ik;
  request.options.ground = !no_ground;
  if (!terrain.empty()) {
    if (no_ik || no_ground)
      return print_error(Error{ErrorCode::kUsage, "--ground needs what --no-ik and --no-ground switch off", {}});
    const Result<GroundPtr> ground = eval::make_ground(terrain);
    if (!ground) return print_error(ground.error());
    request.options.terrain = *ground;
  }
  if (!preview.empty() && (output.empty() || fs::is_directory(motion) || fs::is_directory(output)))
    return print_error(Error{
        ErrorCode::kUsage, "--preview draws one file: name a motion, not a folder, and -o FILE", {.file = preview}});
  if (const Result<void> fits = check_names(motion, output, preview); !fits) return print_error(fits.error());
  const Result<RetargetCharacter> character = load_character(character_file, target_overrides, reference);
  if (!character) return print_error(character.error());
  print_warnings(character->warnings);
  if (!map.empty()) {
    auto maker = make_joint_map(map, character_file, *character);
    if (!maker) return print_error(maker.error());
    request.map = std::move(*maker);
  }
  if (!json && !quiet())
    fmt::print("{}: {}, reference pose: {}\n", character_file, to_string(character->body.family),
               reference_word(character->body));
  if (!report_folder.empty()) {
    std::error_code failed;
    fs::create_directories(report_folder, failed);
    if (failed)
      return print_error(Error{ErrorCode::kIo, "cannot make the folder: " + failed.message(), {.file = report_folder}});
    if (output.empty()) {
      request.allow_torn = true;  // The page is about them.
      const bool folder = fs::is_directory(motion);
      output =
          (fs::path(report_folder) / (folder ? fs::path() : fs::path(motion).stem().concat("." + format))).string();
    }
  }
  Result<std::vector<Job>> jobs = plan(motion, output, format);
  if (!jobs) return print_error(jobs.error());
  run_all(*jobs, *character, request);
  const int code = report(*jobs, *character, json);
  if (!report_folder.empty())
    if (const int drawn = make_report(report_folder, *jobs, *character); drawn != kDone) return drawn;
  if (code != kDone || preview.empty()) return code;
  return draw(*jobs->front().result, preview);
}

}  // namespace zoe::cli
