// SPDX-License-Identifier: MIT
// Learned motion matching: the database of motion matching, and three networks that replace it.
#include <fmt/format.h>

#include "zoe/control/lmm.h"
#include "zoe/features/tracks.h"
#include "zoe/nn/graph_file.h"

#include "author/fits.h"
#include "author/lmm/label_points.h"
#include "author/lmm/lmm_data.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
using control::MotionDatabase;
using features::BlockKind;

// Windows, in frames. A code needs the frame before, and its change one more. Steppers run freely.
constexpr int kPoseWindow = 3, kStepWindow = 20;

struct Track {
  const char* name;
  const Frames& frames;
};

Result<void> write(const fs::path& folder, std::span<const Track> tracks, std::span<const std::int32_t> lengths,
                   int steps, const FitContext& context) {
  std::vector<features::TrackField> fields;
  for (const Track& track : tracks) fields.push_back({track.name, track.frames.width, track.frames.values});
  return features::write_tracks(folder, fields, lengths, steps,
                                {{"layout", context.group.layout.to_toml()},
                                 {"licence", context.data.licence().empty() ? "unknown" : context.data.licence()}});
}

std::vector<std::int32_t> clip_lengths(const MotionDatabase& database) {
  std::vector<std::int32_t> lengths;
  for (const auto& clip : database.clips()) lengths.push_back(clip->num_frames);
  return lengths;
}

Result<void> train_part(const FitContext& context, const std::string& name, const fs::path& tracks,
                        const std::vector<std::string>& settings) {
  FitContext part = context;
  part.settings = settings_for(context.settings, name);
  std::vector<std::string> all(context.type.settings.begin(), context.type.settings.end());
  all.insert(all.end(), settings.begin(), settings.end());
  ZOE_TRY_ASSIGN(const fs::path made, train_network(part, "lmm_" + name, name, tracks, all));
  std::error_code error;
  fs::copy_file(made, context.run / (name + ".safetensors"), fs::copy_options::overwrite_existing, error);
  if (error) return Error{ErrorCode::kIo, error.message(), {.file = made.string()}};
  return {};
}

Result<void> save_features(const FitContext& context, const MotionDatabase& database) {
  features::Normalisation normalisation = context.group.normalisation;
  normalisation.blocks[static_cast<std::size_t>(BlockKind::kInput)] = database.normalisation();
  return features::save_normalisation(context.run / control::kFeaturesFile, context.group.layout, normalisation);
}

void say_sizes(const FitContext& context, const MotionDatabase& database) {
  std::error_code ignored;
  double bytes = 0;
  for (const char* part : {control::kDecompressorFile, control::kStepperFile, control::kProjectorFile})
    bytes += static_cast<double>(fs::file_size(context.run / part, ignored));
  const auto database_bytes = static_cast<double>(database.bytes());
  context.listener.say(fmt::format("{:.1f} MB of clips in {:.2f} MB of networks: {:.1f} times smaller",
                                   database_bytes / 1e6, bytes / 1e6, database_bytes / bytes));
}

}  // namespace

Result<void> fit_learned_matching(const FitContext& context) {
  ZOE_TRY(check_parts(context.settings));
  ZOE_TRY_ASSIGN(const MotionDatabase database, make_database(context));
  const fs::path folder = context.run / "tracks";
  const std::vector<std::int32_t> lengths = clip_lengths(database);
  ZOE_TRY_ASSIGN(const Frames y, gather_poses(context.group));
  const control::StylePoints points = label_points(database, y);
  const Frames x = with_style_vectors(database, features_of(database), points);
  const Track poses[] = {{"x", x}, {"y", y}};
  ZOE_TRY(write(folder / "decompressor", poses, lengths, kPoseWindow, context));
  ZOE_TRY_ASSIGN(const std::string chain, chain_setting(context.group.layout, context.group.skeleton));
  ZOE_TRY(train_part(context, "decompressor", folder / "decompressor",
                     {chain, fmt::format("model.fps={}", database.fps())}));

  if (points.dims > 0) {
    ZOE_TRY_ASSIGN(nn::Graph graph, nn::read_graph(context.run / control::kDecompressorFile));
    graph.metadata[control::kStylePointsKey] = points.to_text();
    ZOE_TRY(nn::write_graph(context.run / control::kDecompressorFile, graph));
  }

  ZOE_TRY_ASSIGN(const nn::NetworkPtr encoder,
                 nn::load_fixed_network(context.run / "decompressor" / "encoder.safetensors"));
  ZOE_TRY_ASSIGN(const Frames states, find_states(*encoder, database, x, y));
  const Track steps[] = {{"x", states}};
  ZOE_TRY(write(folder / "stepper", steps, lengths, kStepWindow, context));
  ZOE_TRY(train_part(context, "stepper", folder / "stepper", {}));

  const Queries queries = make_queries(database, x, states);
  const Track pairs[] = {{"x", queries.x}, {"y", queries.states}};
  const std::int32_t count[] = {queries.x.count()};
  ZOE_TRY(write(folder / "projector", pairs, count, 1, context));
  ZOE_TRY(train_part(context, "projector", folder / "projector", {}));

  ZOE_TRY(save_features(context, database));
  std::error_code ignored;
  fs::remove_all(folder, ignored);  // They are large, and can be built again from the dataset in seconds.
  context.config.network = control::kDecompressorFile;
  context.config.neural.trajectory = control::MatchOptions{}.trajectory;
  context.config.neural.correction = control::MatchOptions{}.correction;
  context.config.neural.locks = control::gentle_locks();
  say_sizes(context, database);
  return {};
}

}  // namespace zoe::author
