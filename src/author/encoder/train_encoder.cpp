// SPDX-License-Identifier: MIT
#include "zoe/author/train_encoder.h"

#include <atomic>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/hash.h"
#include "zoe/core/index.h"
#include "zoe/features/tracks.h"
#include "zoe/nn/graph_file.h"

#include "author/encoder/cut_graph.h"
#include "author/encoder/encoder_targets.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// Found by the measures of models/motion_encoder; all can be changed by settings.
std::vector<std::string> default_settings(int code) {
  return {fmt::format("model.hidden=[160, {}]", code),
          "model.activation=silu",
          "model.dropout=0.1",
          "train.batch=256",
          "train.steps=8000",
          "train.rate=0.001",
          "train.ema=0.999"};
}

// The codes of the clips as they are, of the trained network without its last layer.
Result<nn::Graph> finish(const fs::path& model_file, std::span<const eval::DescribedClip> clips) {
  ZOE_TRY_ASSIGN(const nn::Graph trained, nn::read_graph(model_file));
  ZOE_TRY_ASSIGN(nn::Graph graph, cut_before_last_layer(trained));
  graph.metadata[eval::kEncoderColumns] = eval::description_id();
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::Network::compile(graph));
  ZOE_TRY_ASSIGN(const eval::MotionEncoder encoder, eval::MotionEncoder::create(std::move(network)));
  normalise_output(graph, eval::encode_clips(clips, &encoder).codes);
  return graph;
}

// The columns of a window as they are, in the same units: what the network is compared with.
Result<void> write_plain(const fs::path& file, std::span<const eval::DescribedClip> clips, const std::string& licence) {
  nn::Graph graph = identity_graph("x", eval::description_width());
  graph.metadata[eval::kEncoderColumns] = eval::description_id();
  graph.metadata["licence"] = licence;
  normalise_output(graph, eval::encode_clips(clips, nullptr).codes);
  return nn::write_graph(file, graph);
}

}  // namespace

bool is_held_out(const std::string& source, double fraction) { return hash_text(source).unit() < fraction; }

Result<TrainedEncoder> TrainEncoder::run(const Listener& listener) const {
  ZOE_CHECK(trainer != nullptr, "TrainEncoder: no trainer");
  ZOE_TRY(trainer->check());
  TrainedEncoder out;
  std::string skipped;
  eval::DescribeOptions options;
  std::atomic<std::size_t> done = 0;
  std::size_t total = 0;
  options.describe = describe_damaged;
  options.accept = [&](const std::string& source) {
    if (!is_held_out(source, held_out)) return true;
    skipped += source + "\n";
    ++out.num_held_out;
    return false;
  };
  options.on_start = [&](std::size_t num_files) { total = num_files; };
  options.on_file = [&] {
    const std::size_t now = ++done;
    if (listener.on_progress) listener.on_progress("describe", "files", now, total);
  };
  Warnings warnings;
  ZOE_TRY_ASSIGN(const std::vector<eval::DescribedClip> clips, eval::describe_clips(data, options, warnings));
  listener.warn(warnings);
  const EncoderRows rows = make_encoder_rows(clips);
  out.num_clips = static_cast<int>(clips.size());
  out.num_windows = rows.num_rows;
  out.words = rows.words;
  listener.say(fmt::format("{} clips ({} files held out), {} windows of {} columns; {} words", out.num_clips,
                           out.num_held_out, out.num_windows, rows.x_width, rows.words.size()));

  const features::TrackField fields[] = {{"x", rows.x_width, rows.x}, {"y", rows.y_width, rows.y}};
  const auto length = static_cast<std::int32_t>(rows.num_rows);
  ZOE_TRY(features::write_tracks(folder / "tracks", fields, std::span(&length, 1), 1,
                                 {{"licence", licence.empty() ? "unknown" : licence}}));
  TrainingRequest request{.model = "mlp", .data = folder / "tracks", .out = folder / "training", .device = device};
  request.settings = default_settings(code);
  request.settings.insert(request.settings.end(), settings.begin(), settings.end());
  request.quiet = listener.quiet();
  ZOE_TRY_ASSIGN(const Training training, trainer->train(request));
  listener.warn(training.warnings);
  if (!training.summary.empty()) listener.say(training.summary);

  ZOE_TRY_ASSIGN(const nn::Graph graph, finish(training.model_file, clips));
  out.file = folder / "encoder.safetensors";
  out.width = static_cast<int>(graph.outputs[0].shape.size());
  ZOE_TRY(nn::write_graph(out.file, graph));
  ZOE_TRY(write_plain(folder / "plain.safetensors", clips, licence));
  ZOE_TRY(write_file_atomic(folder / "held_out.txt", skipped));
  std::error_code error;
  fs::copy_file(folder / "training" / "config.toml", folder / "config.toml", fs::copy_options::overwrite_existing,
                error);
  if (error) return Error{ErrorCode::kIo, error.message(), {.file = (folder / "config.toml").string()}};
  return out;
}

}  // namespace zoe::author
