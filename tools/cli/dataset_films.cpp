// SPDX-License-Identifier: MIT
#include "dataset_films.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "zoe/anatomy/root_joints.h"
#include "zoe/core/index.h"
#include "zoe/core/progress.h"
#include "zoe/dataset/read_clip_files.h"

#include "correspond_paint.h"
#include "metric_body.h"
#include "verb.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kFilmSeconds = 6;
constexpr Vec4 kBodyGrey{0.42F, 0.42F, 0.45F, 1}, kFootBlue{0.05F, 0.22F, 1, 1}, kFacingYellow{1, 0.62F, 0.02F, 1};

std::vector<Vec4> marked_joints(const MetricBody& body) {
  std::vector<Vec4> colors(idx(body.skeleton->num_joints()), kBodyGrey);
  const auto mark = [&](int joint, const Vec4& color) {
    if (joint != kNoJoint) colors[idx(joint)] = color;
  };
  const RootJoints joints = root_joints(body.analysis);
  if (const auto rule = facing_rule(body.analysis, joints)) {
    if (*rule == RootOptions::Facing::kBiped) {
      for (const int joint : {joints.left_hip, joints.right_hip, joints.left_shoulder, joints.right_shoulder})
        mark(joint, kFacingYellow);
    } else {
      mark(joints.hip, kFacingYellow);
      mark(joints.neck, kFacingYellow);
    }
  }
  for (const int foot : body.analysis.feet) {
    mark(foot, kFootBlue);
    // With its toes, which have most of its skin.
    for (int j = foot + 1; j < body.skeleton->num_joints(); ++j)
      if (const int above = body.skeleton->parent(j); above != kNoJoint && colors[idx(above)].z == kFootBlue.z)
        mark(j, kFootBlue);
  }
  return colors;
}

std::string film_name(const dataset::ClipRecord& record, bool several) {
  std::string name = fs::path(record.source).replace_extension().string();
  if (several) name += "_" + record.name;
  for (char& c : name)
    if (c == '/' || c == '\\' || c == '|' || c == ':' || static_cast<unsigned char>(c) < 33) c = '_';
  return name;
}

}  // namespace

int draw_dataset_films(const std::vector<std::string>& inputs, const dataset::Dataset& data) {
  Warnings warnings;
  const std::vector<fs::path> paths(inputs.begin(), inputs.end());
  const auto files = dataset::list_clip_files(paths, warnings);
  if (!files) return print_error(files.error());
  const fs::path folder = data.folder() / "films";
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return print_error(Error{ErrorCode::kIo, "cannot make the folder: " + failed.message(), {folder.string()}});
  Progress progress("films", files->size(),
                    ProgressOptions{.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "files"});
  int drawn = 0, kept = 0;
  for (const dataset::ClipFile& file : *files) {
    std::vector<const dataset::ClipRecord*> records;
    std::set<int> clips;
    for (const dataset::ClipRecord& record : data.clips())
      if (record.source == file.source && !record.mirrored && clips.insert(record.clip_index).second)
        records.push_back(&record);
    progress.advance();
    if (records.empty()) continue;
    const Result<MetricBody> body = load_metric_body(file.path.string());
    if (!body) {
      warnings.push_back({"no film: " + body.error().message, {.file = file.path.string()}});
      continue;
    }
    const std::vector<Vec4> colors = marked_joints(*body);
    for (const dataset::ClipRecord* record : records) {
      if (record->clip_index >= static_cast<int>(body->clips.size())) continue;
      const Motion& clip = body->clips[idx(record->clip_index)];
      const fs::path output = folder / (film_name(*record, body->clips.size() > 1) + ".mp4");
      if (fs::exists(output, failed)) {
        ++kept;
        continue;
      }
      MetricBody one{output.filename().string(), body->skeleton, body->analysis, {clip}, body->displayed};
      const PaintedBody painted{&one, colors};
      const std::vector<std::string> words{
          "--show",    body->analysis.feet.empty() ? "trajectory" : "contacts,trajectory",
          "--size",    "640x360",
          "--quality", "low",
          "--seconds", fmt::format("{}", std::clamp(clip.duration_s(), 0.2, kFilmSeconds))};
      if (const int code = draw_painted({&painted, 1}, output.string(), words); code != kDone) return code;
      ++drawn;
    }
  }
  progress.finish();
  print_warnings(warnings);
  if (!quiet())
    fmt::print("{}: {} films ({} as before): feet blue, facing joints yellow, rings below feet in contact\n",
               folder.string(), drawn + kept, kept);
  return kDone;
}

}  // namespace zoe::cli
