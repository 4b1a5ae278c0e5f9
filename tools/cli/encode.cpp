// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe encode`: a motion as the numbers of a learned codec, beside curve compression
// at the same error; or a whole dataset as code numbers, to train a prior on.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/features/frame_rows.h"
#include "zoe/features/tracks.h"
#include "zoe/generate/code_file.h"
#include "zoe/generate/compare.h"
#include "zoe/motion/edit.h"

#include "codec_run.h"
#include "metric_clip.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using generate::CodeFile;
using generate::MotionCodec;

struct EncodeRequest {
  std::string input, model, data, output, clip;
  int overlap = -1, bits = 8, steps = 8;
  bool json = false;
};

Result<int> hop_of(const EncodeRequest& request, const MotionCodec& codec, int otherwise) {
  const int overlap = request.overlap >= 0 ? request.overlap : otherwise;
  if (overlap >= codec.window_frames())
    return Error{ErrorCode::kUsage,
                 fmt::format("--overlap must be below the window's {} frames", codec.window_frames())};
  return codec.window_frames() - overlap;
}

// All clips of the run's group as tracks of code numbers.
Result<void> encode_dataset(const EncodeRequest& request, const CodecRun& run) {
  ZOE_TRY_ASSIGN(const MotionCodec codec, run.codec(run.body().skeleton));
  if (codec.num_codes() == 0)
    return Error{ErrorCode::kUsage, "a prior needs code numbers: train the model vq", {.file = request.model}};
  if (request.output.empty()) return Error{ErrorCode::kUsage, "a dataset is encoded into a folder: give it with -o"};
  ZOE_TRY_ASSIGN(const int hop, hop_of(request, codec, codec.window_frames() / 4));
  std::vector<float> codes;
  std::vector<std::int32_t> lengths;
  int too_short = 0;
  for (std::size_t i = 0; i < run.body().rows.size(); ++i) {
    const auto& record = run.data->clips()[static_cast<std::size_t>(run.body().clips[i])];
    if (record.split != dataset::Split::kTrain) continue;
    // Windows from every fourth of a hop on: a prior sees each clip in several cuts.
    for (int first = 0; first < hop; first += std::max(hop / 4, 1)) {
      features::ClipRows rows = run.body().rows[i];
      rows.rows += static_cast<std::size_t>(first) * static_cast<std::size_t>(codec.layout().frame_width());
      rows.num_rows -= first;
      const int windows = rows.num_rows < codec.window_frames() ? 0 : 1 + (rows.num_rows - codec.window_frames()) / hop;
      if (windows < request.steps) {
        ++too_short;
        continue;
      }
      rows.num_rows = (windows - 1) * hop + codec.window_frames();
      ZOE_TRY_ASSIGN(const std::vector<float> clip, codec.encode(rows, hop));
      codes.insert(codes.end(), clip.begin(), clip.end());
      lengths.push_back(windows);
    }
  }
  if (lengths.empty())
    return Error{
        ErrorCode::kInvalid,
        fmt::format("no training clip has {} windows of {} frames, each {} after the one before: a smaller --steps "
                    "or a larger --overlap helps",
                    request.steps, codec.window_frames(), hop),
        {.file = request.input}};
  const features::TrackField field{"x", codec.numbers(), codes};
  const Metadata metadata{
      {"licence", run.data->licence().empty() ? "unknown" : run.data->licence()},
      {"zoe.codebook", fmt::format("codes={} hop={} network={}", codec.num_codes(), hop, fingerprint_text(codec))}};
  ZOE_TRY(features::write_tracks(request.output, {&field, 1}, lengths, request.steps, metadata));
  if (!quiet())
    fmt::print(
        "{}: {} sequences of {} windows in all, {} code numbers each, of {} codes ({} cuts too short)\n"
        "train a prior: zoe train vq_prior --data {} -o PRIOR --set model.codes={}\n",
        request.output, lengths.size(), codes.size() / static_cast<std::size_t>(codec.numbers()), codec.numbers(),
        codec.num_codes(), too_short, request.output, codec.num_codes());
  return {};
}

void print_rows(const EncodeRequest& request, std::span<const generate::CompressionRow> rows, const CodeFile& file,
                const MotionCodec& codec) {
  if (request.json) {
    nlohmann::ordered_json json{{"file", request.input},
                                {"frames", file.num_frames},
                                {"fps", file.fps},
                                {"windows", file.codes.size() / static_cast<std::size_t>(file.numbers)},
                                {"numbers_per_window", file.numbers},
                                {"bits_per_number", file.bits},
                                {"network_bytes", codec.network_bytes()}};
    for (const generate::CompressionRow& row : rows)
      json["rows"].push_back({{"name", row.name},
                              {"bytes", row.bytes},
                              {"ratio", row.ratio},
                              {"mean_error_mm", row.errors.mean_mm},
                              {"worst_error_mm", row.errors.worst_mm},
                              {"mean_pose_error_mm", row.pose_errors.mean_mm},
                              {"worst_pose_error_mm", row.pose_errors.worst_mm}});
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}: {} frames at {:g} fps as {} windows of {} numbers, {} bits each\n\n", request.input, file.num_frames,
             file.fps, file.codes.size() / static_cast<std::size_t>(file.numbers), file.numbers, file.bits);
  fmt::print("{:<42} {:>9} {:>8} {:>9} {:>9} {:>10} {:>10}\n", "", "bytes", "ratio", "mean mm", "worst", "poses mm",
             "worst");
  for (const generate::CompressionRow& row : rows)
    fmt::print("{:<42} {:>9} {:>8.1f} {:>9.2f} {:>9.1f} {:>10.2f} {:>10.1f}\n", row.name, row.bytes, row.ratio,
               row.errors.mean_mm, row.errors.worst_mm, row.pose_errors.mean_mm, row.pose_errors.worst_mm);
  fmt::print(
      "\nerrors are distances of joints from the clip at {:g} fps, and of its poses alone, without their path\n"
      "the codec's network has {} bytes besides, once for all clips\n",
      file.fps, codec.network_bytes());
}

Result<void> encode_motion(const EncodeRequest& request, const CodecRun& run, Warnings& warnings) {
  ZOE_TRY_ASSIGN(MetricClip clip, load_metric_clip({request.input, request.clip, {}}, warnings));
  // Datasets keep end sites only where their schema needs them.
  if (clip.motion.num_joints() != run.body().layout.num_joints()) clip.motion = without_end_sites(clip.motion);
  ZOE_TRY_ASSIGN(const MotionCodec codec, run.codec(clip.motion.skeleton));
  ZOE_TRY_ASSIGN(const int hop, hop_of(request, codec, 0));
  ZOE_TRY_ASSIGN(const std::vector<float> rows, features::build_frame_rows(codec.layout(), {.motion = &clip.motion}));
  const features::ClipRows view{rows.data(), features::num_rows(codec.layout(), clip.motion)};
  CodeFile file{.name = clip.motion.name, .model = request.model, .fingerprint = fingerprint_text(codec)};
  file.fps = codec.fps(), file.num_frames = view.num_rows, file.hop_frames = hop;
  file.numbers = codec.numbers(), file.num_codes = codec.num_codes();
  file.bits = codec.num_codes() > 0 ? generate::bits_for(codec.num_codes()) : request.bits;
  file.first_root = {{rows[0], rows[1], rows[2]}, rows[3]};
  ZOE_TRY_ASSIGN(file.codes, codec.encode(view, hop));
  generate::round_to_bits(file);
  if (!request.output.empty()) ZOE_TRY(generate::write_codes(request.output, file));

  ZOE_TRY_ASSIGN(const Motion truth, resample(clip.motion, codec.fps()));
  ZOE_TRY_ASSIGN(const Motion decoded, codec.decode(file.codes, {.hop_frames = hop,
                                                                 .num_frames = file.num_frames,
                                                                 .first_root = file.first_root,
                                                                 .name = clip.motion.name}));
  std::vector<generate::CompressionRow> table{{"the clip itself", generate::raw_bytes(truth), 1, {}}};
  generate::CompressionRow learned{codec.num_codes() > 0 ? "codes" : "code of the autoencoder", file.payload_bytes()};
  learned.ratio = static_cast<double>(generate::raw_bytes(truth)) / static_cast<double>(learned.bytes);
  learned.errors = generate::joint_errors(truth, decoded, false);
  learned.pose_errors = generate::joint_errors(truth, decoded, true);
  table.push_back(learned);
  for (const bool relative : {false, true}) {
    const double target_mm = (relative ? learned.pose_errors : learned.errors).mean_mm;
    if (Result<generate::CompressionRow> curves = generate::curves_at(truth, target_mm, relative)) {
      curves->name += relative ? " (same poses)" : " (same mean)";
      table.push_back(std::move(*curves));
    } else {
      warnings.push_back({curves.error().message, {.file = request.input}});
    }
  }
  ZOE_TRY_ASSIGN(generate::CompressionRow fine, generate::curves_within(truth, 0.1));
  table.push_back(std::move(fine));
  print_rows(request, table, file, codec);
  return {};
}

}  // namespace

int run_encode(const Arguments& arguments) {
  Options app;
  EncodeRequest request;
  app.add_option("input", request.input, "Motion file, or a dataset folder (to train a prior on its codes)")
      ->required()
      ->reads();
  app.add_option("-m,--model", request.model, "Run folder of a vq, autoencoder or vae trained on motions")
      ->required()
      ->reads();
  app.add_option("-o,--out", request.output, "Write the codes: .codes; of a dataset: a folder")->writes();
  app.add_option("--data", request.data, "Dataset that the run was trained on, if it was moved")->reads();
  app.add_option("--clip", request.clip, "Which clip: its name or its number from 0");
  app.add_option("--overlap", request.overlap,
                 "Frames that two windows share; default 0, of a dataset a quarter of the window")
      ->between(0, 100000, "frames");
  app.add_option("--bits", request.bits, "Of each number of an autoencoder's code")
      ->between(1, 16, "bits")
      ->capture_default_str();
  app.add_option("--steps", request.steps, "Dataset: windows of a training sequence")
      ->between(2, 10000, "windows")
      ->capture_default_str();
  app.add_flag("--json", request.json, "Print the table as JSON");
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<CodecRun> run = open_codec_run(request.model, request.data);
  if (!run) return print_error(run.error());
  Warnings warnings;
  const Result<void> done = std::filesystem::exists(std::filesystem::path(request.input) / "dataset.json")
                                ? encode_dataset(request, *run)
                                : encode_motion(request, *run, warnings);
  print_warnings(warnings);
  return done ? kDone : print_error(done.error());
}

}  // namespace zoe::cli
