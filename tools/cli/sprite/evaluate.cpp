// SPDX-License-Identifier: MIT
#include "sprite/evaluate.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/thread_pool.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/generate/evaluate.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

std::filesystem::path network_file(const std::string& given) {
  std::error_code ignored;
  const std::filesystem::path path = given;
  return std::filesystem::is_directory(path, ignored) ? path / "model.safetensors" : path;
}

Json to_json(const sprite::PaintScores& s) {
  return {{"method", s.method},
          {"clips", s.num_clips},
          {"frames", s.num_frames},
          {"psnr_db", s.psnr_db},
          {"figure_psnr_db", s.figure_psnr_db},
          {"ssim", s.ssim},
          {"alpha_overlap", s.alpha_overlap},
          {"exact_pixels", s.exact_pixels},
          {"stray_colors", s.stray_colors},
          {"color_distance", s.color_distance},
          {"flicker", s.flicker},
          {"motion_ratio", s.motion_ratio},
          {"loop_gap", s.loop_gap},
          {"joint_error_px", s.joint_error_px},
          {"joints_right", s.joints_right},
          {"action_right", s.action_right}};
}

void print_row(const sprite::PaintScores& s) {
  fmt::print(
      "  "
      "{:<24}{:>7.2f}{:>9.2f}{:>7.3f}{:>7.3f}{:>7.3f}{:>7.3f}{:>7.3f}{:>9.4f}{:>8.2f}{:>7.2f}{:>8.2f}{:>7.3f}{:>8.3f}"
      "\n",
      s.method, s.psnr_db, s.figure_psnr_db, s.ssim, s.alpha_overlap, s.exact_pixels, s.stray_colors, s.color_distance,
      s.flicker, s.motion_ratio, s.loop_gap, s.joint_error_px, s.joints_right, s.action_right);
}

// A network that paints single frames, or one that paints clips.
struct Subject {
  std::optional<paint::Painter> painter;
  std::optional<paint::VideoPainter> video;
};
Result<Subject> load_subject(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const nn::NetworkPtr network, nn::load_network(path));
  Subject subject;
  if (network->metadata().contains(paint::kWordsKey)) {
    ZOE_TRY_ASSIGN(subject.video, paint::VideoPainter::create(network));
  } else {
    ZOE_TRY_ASSIGN(subject.painter, paint::Painter::create(network));
  }
  return subject;
}

}  // namespace

int run_eval_sprite(const Arguments& arguments) {
  Options app;
  std::vector<std::string> models, data;
  std::string judge_path, sheet;
  bool json = false, oracles = false;
  int sheet_clips = 12, steps = 0;
  app.add_option("models", models,
                 "Runs of `zoe train sprite` or `sprite_video`, or their networks; none: trivial methods only")
      ->reads();
  app.add_option("--data", data, "Folders of `zoe sprite pack --truth`, each a split of its own")->required()->reads();
  app.add_option("--judge", judge_path, "Run of `zoe train sprite_judge`, for poses and actions")->reads();
  app.add_option("--sheet", sheet, "Picture of the first clips: truth, puppet, painter below each other")->writes();
  app.add_option("--sheet-clips", sheet_clips, "Clips on it")->between(1, 100)->capture_default_str();
  app.add_option("--steps", steps, "Of the samplers of sprite_video; default the model's")->between(1, 50);
  app.add_flag("--oracles", oracles, "Also what the best choice among a painter's candidates reaches");
  app.add_flag("--json", json, "Print everything as one object");
  if (const auto exit = parse(app, arguments)) return *exit;
  nn::NetworkPtr judge;
  if (!judge_path.empty()) {
    Result<nn::NetworkPtr> network = nn::load_fixed_network(network_file(judge_path));
    if (!network) return print_error(network.error());
    judge = *network;
  }
  std::vector<Subject> subjects;
  for (const std::string& model : models) {
    Result<Subject> subject = load_subject(network_file(model));
    if (!subject) return print_error(subject.error());
    subjects.push_back(std::move(*subject));
  }
  Json splits = Json::array();
  for (const std::string& folder : data) {
    const Result<paint::ClipFile> clips = paint::ClipFile::open(folder);
    if (!clips) return print_error(clips.error());
    if (!json) {
      fmt::print(
          "{}: {} clips\n  {:<24}   PSNR   figure   SSIM  alpha  exact  stray  color  flicker  motion   loop  joints  "
          "right  action\n",
          folder, clips->num_clips(), "");
    }
    Json rows = Json::array();
    for (std::size_t m = 0; m < std::max<std::size_t>(1, subjects.size()); ++m) {
      sprite::EvaluatePainter job{.clips = &*clips, .judge = judge.get(), .only_painter = m > 0, .oracles = oracles};
      if (!subjects.empty()) {
        job.painter = subjects[m].painter ? &*subjects[m].painter : nullptr;
        job.video = subjects[m].video ? &*subjects[m].video : nullptr;
        job.video_steps = steps;
      }
      Result<std::vector<sprite::PaintScores>> scores = job.run(ThreadPool::shared());
      if (!scores) {
        Error error = scores.error();
        if (error.where.file.empty()) error.where.file = folder;
        return print_error(error);
      }
      for (sprite::PaintScores& row : *scores) {
        if (row.method == "painter" || row.method == "video") row.method = models[m];
        if (m > 0 && row.method == "truth") continue;
        rows.push_back(to_json(row));
        if (!json) print_row(row);
      }
      if (m == 0 && !sheet.empty()) {
        const Result<void> written =
            write_file_atomic(sheet, render::encode_png(job.sheet(sheet_clips), render::PngAlpha::kDrop));
        if (!written) return print_error(written.error());
      }
    }
    splits.push_back({{"data", folder}, {"rows", rows}});
  }
  if (json) fmt::print("{}\n", Json{{"splits", splits}}.dump(2));
  return kDone;
}

}  // namespace zoe::cli
