// SPDX-License-Identifier: MIT
#include "zoe/train/run.h"

#include <optional>

#include "zoe/core/lock_file.h"

#include "train/mixed_source.h"
#include "train/run_folder.h"
#include "train/threads.h"
#include "train/trainer.h"

namespace zoe::train {
namespace {

ConfigSchema schema_of(const ModelInfo& info) {
  ConfigSchema schema;
  add_settings(schema);
  info.add_keys(schema);
  return schema;
}

Result<at::Device> choose_device(const RunRequest& request) {
  const bool has_cuda = at::hasCUDA();
  if (request.device == "cpu" || (request.device == "auto" && !has_cuda)) return at::Device(at::kCPU);
  if (!has_cuda)
    return Error{ErrorCode::kUsage, "there is no CUDA device, or this libtorch was built without CUDA (" +
                                        torch_version() + "): use --device cpu"};
  return at::Device(at::kCUDA,
                    static_cast<at::DeviceIndex>(request.ranks.local_rank % static_cast<int>(at::getNumGPUs())));
}

// A dataset folder, as the model reads it.
Result<std::unique_ptr<BatchSource>> open_folder(const RunRequest& request, const std::string& folder,
                                                 const Settings& settings, bool ragged, Warnings& warnings) {
  if (ragged ? !request.open_ragged_source : !request.open_source)
    return Error{ErrorCode::kUnsupported, "this program reads no dataset folders, only toy data", {.file = folder}};
  if (!ragged) return request.open_source(folder, warnings);
  return request.open_ragged_source(
      folder, {settings.min_frames, settings.max_frames, settings.variants, settings.bodies, settings.seed}, warnings);
}

Result<std::unique_ptr<BatchSource>> open_data(const RunRequest& request, const Config& config,
                                               const Settings& settings, const ModelInfo& info, Warnings& warnings) {
  if (!request.mixture.empty()) {
    std::vector<MixedPart> parts;
    for (const DataPart& part : request.mixture) {
      ZOE_TRY_ASSIGN(std::unique_ptr<BatchSource> source,
                     open_folder(request, part.data, settings, info.ragged, warnings));
      parts.push_back({part.data, std::move(source), part.weight});
    }
    return make_mixed_source(std::move(parts));
  }
  if (request.data != "toy") return open_folder(request, request.data, settings, info.ragged, warnings);
  ToyOptions options{.kind = info.toy};
  options.num_training = static_cast<std::size_t>(config.get<std::int64_t>("data.toy_samples"));
  options.num_validation = options.num_training / 8 + 1;
  options.width = static_cast<int>(config.get<std::int64_t>("data.toy_width"));
  options.steps = static_cast<int>(config.get<std::int64_t>("data.toy_steps"));
  return make_toy_source(options);
}

template <typename T>
std::vector<T> pick(std::span<const T> all, const std::vector<std::size_t>& which) {
  std::vector<T> chosen;
  for (const std::size_t i : which) chosen.push_back(all[i]);
  return chosen;
}

Result<RunSummary> run_unguarded(const RunRequest& request) {
  ZOE_TRY_ASSIGN(const ModelInfo* info, find_model(request.model));
  const bool writes = request.time_steps == 0;
  if (writes && (request.ranks.rank == 0 || request.resume)) ZOE_TRY(open_run_folder(request));
  std::optional<LockFile> lock;
  if (writes && request.ranks.rank == 0) {
    ZOE_TRY_ASSIGN(LockFile taken, LockFile::take(request.folder / ".lock", request.folder));
    lock.emplace(std::move(taken));
  }
  ZOE_TRY_ASSIGN(const Config config, resolve_config(schema_of(*info), request));
  ZOE_TRY_ASSIGN(const Settings settings, read_settings(config));
  ZOE_TRY(check_model_settings(config));
  ZOE_TRY_ASSIGN(const std::vector<TurnSetting> turns, read_turn_settings(config));
  if (settings.batch % request.ranks.size != 0) {
    return Error{ErrorCode::kUsage, "train.batch = " + std::to_string(settings.batch) +
                                        " does not divide evenly over " + std::to_string(request.ranks.size) +
                                        " ranks"};
  }
  ZOE_TRY_ASSIGN(const at::Device device, choose_device(request));
  if (settings.precision != "float32" && !device.is_cuda()) {
    return Error{ErrorCode::kUsage,
                 "train.precision = '" + settings.precision + "' is for CUDA; the CPU computes in float32"};
  }
  if (settings.precision != "float32") at::globalContext().setAllowTF32CuBLAS(true);
  if (settings.cuda_graph == "on" && !StepGraph::available(device))
    return Error{ErrorCode::kUsage,
                 "train.cuda_graph = 'on' needs a CUDA device and a build with CUDA's headers: use auto"};
  Warnings warnings;
  ZOE_TRY_ASSIGN(const std::unique_ptr<BatchSource> source, open_data(request, config, settings, *info, warnings));
  ZOE_TRY_ASSIGN(const std::vector<std::size_t> fields, select_fields(*info, source->fields()));
  ZOE_TRY_ASSIGN(const std::vector<FieldStatistics> statistics, measure_statistics(*source));
  ZOE_TRY_ASSIGN(Loader loader, Loader::create(*source, fields, settings, request.ranks, device));

  at::manual_seed(settings.seed);
  const std::vector<Field> chosen = pick<Field>(source->fields(), fields);
  const std::vector<FieldStatistics> chosen_statistics = pick<FieldStatistics>(statistics, fields);
  ZOE_TRY_ASSIGN(const std::unique_ptr<Model> model,
                 info->create({config, chosen, chosen_statistics, at::TensorOptions(device).dtype(at::kFloat)}));
  ZOE_TRY_ASSIGN(
      const std::unique_ptr<Collective> collective,
      connect(request.ranks, {.backend = settings.collective, .timeout_s = settings.rank_timeout_s, .device = device},
              warnings));
  Trainer trainer({request, config, settings, *source, *model, turns, *collective, std::move(loader), device});

  int threads = static_cast<int>(settings.threads);
  if (request.resume) {
    ZOE_TRY_ASSIGN(const int threads_before, trainer.resume(warnings));
    if (threads == 0) threads = threads_before;  // Sums with another number of threads differ in their last bits.
  }
  if (threads > 0 || !device.is_cpu()) {
    threads = std::max(threads, 1);
    set_threads(threads);
  } else {
    Result<void> rehearsed;
    threads = tune_threads([&] {
      if (rehearsed) rehearsed = trainer.rehearse();
    });
    ZOE_TRY(rehearsed);
  }
  std::int64_t num_weights = 0;
  for (const NamedTensor& weight : model->parameters().weights()) num_weights += weight.tensor.numel();
  if (writes && request.ranks.rank == 0)
    ZOE_TRY(write_run_files(request, config, *source, device.str(), num_weights, threads));
  ZOE_TRY_ASSIGN(RunSummary summary, writes ? trainer.run(threads) : trainer.time(request.time_steps));
  summary.num_weights = num_weights;
  summary.warnings.insert(summary.warnings.begin(), warnings.begin(), warnings.end());
  return summary;
}

}  // namespace

Result<RunSummary> run(const RunRequest& request) {
  try {
    return run_unguarded(request);
  } catch (const RankFailure& failure) {
    return failure.error;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    if (text.find("allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos)
      return Error{ErrorCode::kInvalid,
                   "out of memory: make train.batch or the sizes in [model] smaller, or set "
                   "data.resident=off"};
    // libtorch's messages come with a stack; the first line is the message.
    return Error{ErrorCode::kInvalid, "libtorch: " + text.substr(0, text.find('\n'))};
  }
}

std::vector<ModelSummary> list_models() {
  std::vector<ModelSummary> all;
  for (const ModelInfo& info : model_table()) all.push_back({info.name, info.summary});
  return all;
}

Result<std::string> default_config(const std::string& model) {
  ZOE_TRY_ASSIGN(const ModelInfo* info, find_model(model));
  return Config(schema_of(*info)).to_toml();
}

std::string torch_version() { return std::string(TORCH_VERSION) + (at::hasCUDA() ? " (CUDA)" : " (CPU)"); }

}  // namespace zoe::train
