// SPDX-License-Identifier: MIT
// Type hybrid: the database of motion matching, the network, and the confidence in its poses.
#include <fmt/format.h>

#include "zoe/control/neural_parts.h"
#include "zoe/core/file.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/sampler.h"

#include "author/fits.h"
#include "author/hybrid/calibration.h"
#include "author/network/choose_weights.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
constexpr const char* kHybridDatabase = "database.safetensors";
// Of play, each. Learning and scaling need samples of their own, and the report needs others.
constexpr double kLearn_min = 24, kScale_min = 8, kReport_min = 10;

// A controller that trusts every pose, to try the network out.
control::Confidence blind() { return fit_confidence({}, {}); }

Result<control::HybridParts> hybrid_parts(const FitContext& context) {
  control::HybridParts parts;
  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::open(context.run / context.config.network));
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::load_fixed_network(file));
  ZOE_TRY_ASSIGN(control::FeatureRange range, control::read_feature_range(file));
  const control::NeuralOptions options = run_time_options(context);
  parts.neural = {"hybrid", context.body, std::move(network), options, std::move(range)};
  ZOE_TRY_ASSIGN(control::MotionDatabase database,
                 control::MotionDatabase::load(context.run / kHybridDatabase, context.body.skeleton));
  parts.database = std::make_shared<const control::MotionDatabase>(std::move(database));
  parts.match = control::hybrid_match_options(options);
  return parts;
}

Result<void> calibrate_hybrid(const FitContext& context) {
  ZOE_TRY_ASSIGN(control::HybridParts parts, hybrid_parts(context));
  parts.confidence = {blind(), blind()};
  ZOE_TRY_ASSIGN(const control::ControllerPtr hybrid, control::make_hybrid_controller(std::move(parts)));
  ZOE_TRY_ASSIGN(const eval::ArtefactLimits limits, eval::artefact_limits(context.data, context.body));
  const auto gather = [&](double minutes, std::uint64_t seed) {
    return gather_pose_samples(*hybrid, context.body, limits, minutes, seed);
  };
  const PoseSamples learn = gather(kLearn_min, 101), scale = gather(kScale_min, 102);
  const PoseSamples held_out = gather(kReport_min, 103);
  const control::Confidences confidences{fit_confidence(learn.network, scale.network),
                                         fit_confidence(learn.matching, scale.matching)};
  const Reliability network = measure_reliability(confidences.network, held_out.network);
  const Reliability matching = measure_reliability(confidences.matching, held_out.matching);
  ZOE_TRY(control::save_confidences(context.run / control::kConfidenceFile, confidences));
  ZOE_TRY(write_file_atomic(
      context.run / "reliability.md",
      fmt::format("# Confidence of the network's poses, {} held-out poses\n\n{}\n# Confidence of matching after a "
                  "hand-over, {} held-out poses\n\n{}",
                  held_out.network.size(), to_text(network), held_out.matching.size(), to_text(matching))));
  ZOE_TRY(write_file_atomic(context.run / "reliability.svg", to_svg(network)));
  context.listener.say(fmt::format(
      "confidence: {} poses, {:.1f} % good; held out: expected calibration error {:.3f}, area under the curve {:.3f}; "
      "matching {:.1f} % good, {:.3f}, {:.3f}",
      learn.network.size(), 100 * network.good_share, network.expected_error, network.auc, 100 * matching.good_share,
      matching.expected_error, matching.auc));
  return {};
}

}  // namespace

// The clips of the database have another rate and other features than the network's data, so they are built before.
Result<Prepared> prepare_hybrid(const PrepareContext& context) {
  const fs::path folder = context.run / "match_dataset";
  dataset::BuildOptions options = context.build;
  options.output = folder;
  ZOE_TRY_ASSIGN(options.schema, features::Schema::parse(match_schema()));
  options.on_progress = {};
  options.find_actions = false;
  ZOE_TRY(dataset::build(options));
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder));
  const int group_index = dataset::most_sampled_group(*data);
  if (group_index < 0) return Error{ErrorCode::kInvalid, "no clip is long enough to match", {.file = folder.string()}};
  const dataset::Group& group = data->groups()[static_cast<std::size_t>(group_index)];
  ZOE_TRY_ASSIGN(const control::MotionDatabase database, make_database(*data, group, context.listener));
  ZOE_TRY(database.save(context.run / kHybridDatabase, data->licence()));
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return Prepared{};
}

Result<void> fit_hybrid(const FitContext& context) {
  if (std::error_code ignored; !fs::exists(context.run / kHybridDatabase, ignored)) {
    return Error{ErrorCode::kUsage,
                 "the type hybrid needs the clips themselves, not a dataset of them: name their folder",
                 {.file = context.data_folder.string()}};
  }
  ZOE_TRY(fit_network(context));
  context.config.database = kHybridDatabase;
  return calibrate_hybrid(context);
}

}  // namespace zoe::author
