// SPDX-License-Identifier: MIT
#include "train/settings.h"

#include <sstream>

#include <fmt/format.h>

#include "zoe/core/suggest.h"

#include "train/loss_schedule.h"

namespace zoe::train {
namespace {

Result<double> number(const Config& config, const char* key, double low, double high) {
  const auto value = config.get<double>(key);
  if (value >= low && value <= high) return value;
  return Error{ErrorCode::kUsage, fmt::format("{} = {}: must be from {} to {}", key, value, low, high)};
}

Result<std::int64_t> integer(const Config& config, const char* key, std::int64_t low,
                             std::int64_t high = 1'000'000'000'000) {
  const auto value = config.get<std::int64_t>(key);
  if (value >= low && value <= high) return value;
  return Error{ErrorCode::kUsage, fmt::format("{} = {}: must be from {} to {}", key, value, low, high)};
}

// The word's index among `words`.
Result<std::size_t> one_of(const Config& config, const char* key, const std::vector<std::string>& words) {
  const auto& value = config.get<std::string>(key);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == value) return i;
  }
  return Error{ErrorCode::kUsage,
               fmt::format("{} = '{}': must be {}{}", key, value, fmt::join(words, ", "), did_you_mean(value, words))};
}

}  // namespace

void add_settings(ConfigSchema& schema) {
  schema.add("train.seed", 1, "of weights, shuffles, noise")
      .add("train.steps", 2000, "optimiser steps; 0: given by epochs")
      .add("train.seconds", 0.0, "end after this time; steps then follow from the measured speed; 0: no limit")
      .add("train.epochs", 0, "passes over the training samples, where steps is 0")
      .add("train.batch", 32, "samples per step, over all ranks")
      .add("train.tokens", 4096, "ragged data: tokens (frames x joints) per step with padding, instead of train.batch")
      .add("train.optimiser", std::string("adamw"),
           "adamw, or adamwr: decay normalised by the restart period and not scaled by the rate")
      .add("train.rate", 1e-3, "learning rate at its highest")
      .add("train.min_rate", 1e-7, "learning rate at its lowest")
      .add("train.weight_decay", 1e-4)
      .add("train.beta1", 0.9)
      .add("train.beta2", 0.999)
      .add("train.epsilon", 1e-8)
      .add("train.schedule", std::string("cosine"), "constant, cosine (over all steps), warm_restarts, exponential")
      .add("train.warmup_steps", 0, "the rate rises from 0 over this number of steps")
      .add("train.restart_epochs", 10.0, "warm_restarts: length of the first period")
      .add("train.restart_factor", 2.0, "warm_restarts: ratio of the lengths of a period and the one before")
      .add("train.rate_per_epoch", 0.99, "exponential: factor of the rate each epoch")
      .add("train.clip_norm", 1.0, "gradients longer than this are clipped to it; 0: never")
      .add("train.ema", 0.0,
           "weights averaged with this weight of the past, e.g. 0.999, are validated and exported; 0: off")
      .add("train.precision", std::string("float32"), "float32, tf32 or bf16 (the last two on CUDA)")
      .add("train.log_every", 50, "steps")
      .add("train.validate_every", 0, "steps; 0: once per epoch")
      .add("train.validation_batches", 64, "at most; 0: all")
      .add("train.checkpoint_every", 500, "steps")
      .add("train.keep", 3, "newest checkpoints to keep, besides the best")
      .add("train.candidates", 0,
           "networks of evenly spaced steps to export besides model.safetensors, at most; 0: none")
      .add("train.patience", 0, "stop after this number of validations without a better one; 0: never")
      .add("train.max_skipped", 20,
           "stop after this number of steps in a row whose gradient is not finite (each is skipped)")
      .add("train.threads", 0, "CPU threads; 0: the fastest as measured at the start")
      .add("train.collective", std::string("auto"),
           "between ranks: auto (NCCL where each has its own GPU, else Gloo), gloo, nccl")
      .add("train.rank_timeout_s", 20.0, "a rank that does not answer for this time has failed")
      .add("train.cuda_graph", std::string("auto"),
           "auto, on, off: launch a step's kernels as one recorded graph (CUDA)")
      .add("train.sample_command", std::string(),
           "draws the samples of a checkpoint: run with their file and the name of a picture without its ending")
      .add("train.sample_timeout_s", 60.0, "the command is ended after this time")
      .add("data.min_frames", 16, "ragged data: frames of the shortest window of a clip")
      .add("data.max_frames", 64, "ragged data: frames of the longest window")
      .add("data.variants", 0, "anytop: altered bodies (bones, joints, names) for each skeleton")
      .add("data.bodies", std::string("all"),
           "anytop: skeletons to learn: all, bipeds, quadrupeds, millipeds_snakes, flying")
      .add("data.resident", std::string("auto"), "auto, on, off: hold all samples in the device's memory")
      .add("data.balance", std::string(), "two labels, as in style,content: their pairs are drawn equally often")
      .add("data.frame_sizes", 4, "ragged data: numbers of frames to which samples are padded")
      .add("data.joint_sizes", 4, "the same for joints")
      .add("data.size_multiple", 1, "padded frames and joints are multiples of this; 8 is fast on CUDA")
      .add("data.toy_samples", 4096, "training samples of toy data")
      .add("data.toy_width", 6, "columns of toy data")
      .add("data.toy_steps", 16, "steps of toy sequences");
}

Result<Settings> read_settings(const Config& config) {
  Settings s;
  ZOE_TRY_ASSIGN(const std::int64_t seed, integer(config, "train.seed", 0));
  s.seed = static_cast<std::uint64_t>(seed);
  ZOE_TRY_ASSIGN(s.steps, integer(config, "train.steps", 0));
  ZOE_TRY_ASSIGN(s.seconds, number(config, "train.seconds", 0, 1e9));
  ZOE_TRY_ASSIGN(s.epochs, integer(config, "train.epochs", 0));
  if (s.steps == 0 && s.epochs == 0)
    return Error{ErrorCode::kUsage, "train.steps and train.epochs are both 0: set one of them"};
  ZOE_TRY_ASSIGN(s.batch, integer(config, "train.batch", 1, 1 << 24));
  for (const ConfigEntry& entry : config.entries()) {
    if (entry.key != "model.rollout") continue;
    ZOE_TRY_ASSIGN(s.run_length, integer(config, "model.rollout", 1, 256));
    if (s.batch % s.run_length != 0)
      return Error{ErrorCode::kUsage,
                   "train.batch = " + std::to_string(s.batch) +
                       " does not divide evenly into runs of model.rollout = " + std::to_string(s.run_length)};
  }
  ZOE_TRY_ASSIGN(const std::size_t optimiser, one_of(config, "train.optimiser", {"adamw", "adamwr"}));
  s.normalised_decay = optimiser == 1;
  ZOE_TRY_ASSIGN(s.rate, number(config, "train.rate", 0, 10));
  ZOE_TRY_ASSIGN(s.min_rate, number(config, "train.min_rate", 0, s.rate));
  ZOE_TRY_ASSIGN(s.weight_decay, number(config, "train.weight_decay", 0, 10));
  ZOE_TRY_ASSIGN(s.beta1, number(config, "train.beta1", 0, 0.99999));
  ZOE_TRY_ASSIGN(s.beta2, number(config, "train.beta2", 0, 0.9999999));
  ZOE_TRY_ASSIGN(s.epsilon, number(config, "train.epsilon", 1e-16, 1));
  ZOE_TRY_ASSIGN(const std::size_t schedule,
                 one_of(config, "train.schedule", {"constant", "cosine", "warm_restarts", "exponential"}));
  s.schedule = static_cast<Schedule>(schedule);
  ZOE_TRY_ASSIGN(s.warmup_steps, integer(config, "train.warmup_steps", 0));
  ZOE_TRY_ASSIGN(s.restart_epochs, number(config, "train.restart_epochs", 1e-3, 1e6));
  ZOE_TRY_ASSIGN(s.restart_factor, number(config, "train.restart_factor", 1, 100));
  ZOE_TRY_ASSIGN(s.rate_per_epoch, number(config, "train.rate_per_epoch", 1e-6, 1));
  ZOE_TRY_ASSIGN(s.clip_norm, number(config, "train.clip_norm", 0, 1e12));
  ZOE_TRY_ASSIGN(s.ema, number(config, "train.ema", 0, 0.999999));
  ZOE_TRY_ASSIGN(const std::size_t precision, one_of(config, "train.precision", {"float32", "tf32", "bf16"}));
  s.precision = config.get<std::string>("train.precision");
  (void)precision;
  ZOE_TRY_ASSIGN(s.log_every, integer(config, "train.log_every", 1));
  ZOE_TRY_ASSIGN(s.validate_every, integer(config, "train.validate_every", 0));
  ZOE_TRY_ASSIGN(s.validation_batches, integer(config, "train.validation_batches", 0));
  ZOE_TRY_ASSIGN(s.checkpoint_every, integer(config, "train.checkpoint_every", 1));
  ZOE_TRY_ASSIGN(s.keep, integer(config, "train.keep", 1));
  ZOE_TRY_ASSIGN(s.candidates, integer(config, "train.candidates", 0, 1000));
  ZOE_TRY_ASSIGN(s.patience, integer(config, "train.patience", 0));
  ZOE_TRY_ASSIGN(s.max_skipped, integer(config, "train.max_skipped", 1));
  ZOE_TRY_ASSIGN(s.threads, integer(config, "train.threads", 0, 4096));
  ZOE_TRY(one_of(config, "train.collective", {"auto", "gloo", "nccl"}));
  s.collective = config.get<std::string>("train.collective");
  ZOE_TRY_ASSIGN(s.rank_timeout_s, number(config, "train.rank_timeout_s", 1, 86400));
  ZOE_TRY(one_of(config, "train.cuda_graph", {"auto", "on", "off"}));
  s.cuda_graph = config.get<std::string>("train.cuda_graph");
  ZOE_TRY(one_of(config, "data.resident", {"auto", "on", "off"}));
  s.resident = config.get<std::string>("data.resident");
  s.sample_command = config.get<std::string>("train.sample_command");
  ZOE_TRY_ASSIGN(s.sample_timeout_s, number(config, "train.sample_timeout_s", 0.1, 86400));
  ZOE_TRY_ASSIGN(const std::int64_t max_frames, integer(config, "data.max_frames", 1, 65536));
  ZOE_TRY_ASSIGN(const std::int64_t min_frames, integer(config, "data.min_frames", 1, max_frames));
  s.max_frames = static_cast<int>(max_frames);
  s.min_frames = static_cast<int>(min_frames);
  ZOE_TRY_ASSIGN(const std::int64_t variants, integer(config, "data.variants", 0, 64));
  s.variants = static_cast<int>(variants);
  ZOE_TRY(one_of(config, "data.bodies", {"all", "bipeds", "quadrupeds", "millipeds_snakes", "flying"}));
  s.bodies = config.get<std::string>("data.bodies");
  ZOE_TRY_ASSIGN(s.tokens, integer(config, "train.tokens", 1, std::int64_t{1} << 40));
  ZOE_TRY_ASSIGN(const std::int64_t frame_sizes, integer(config, "data.frame_sizes", 1, 64));
  ZOE_TRY_ASSIGN(const std::int64_t joint_sizes, integer(config, "data.joint_sizes", 1, 64));
  s.frame_sizes = static_cast<int>(frame_sizes);
  s.joint_sizes = static_cast<int>(joint_sizes);
  ZOE_TRY_ASSIGN(const std::int64_t size_multiple, integer(config, "data.size_multiple", 1, 64));
  s.size_multiple = static_cast<int>(size_multiple);
  std::stringstream balance(config.get<std::string>("data.balance"));
  for (std::string label; std::getline(balance, label, ',');) s.balance.push_back(label);
  ZOE_TRY(integer(config, "data.toy_samples", 1, 100'000'000));
  ZOE_TRY(integer(config, "data.toy_width", 1, 4096));
  ZOE_TRY(integer(config, "data.toy_steps", 1, 4096));
  return s;
}

Result<void> check_model_settings(const Config& config) {
  constexpr std::int64_t kLargest = 1 << 20;
  ZOE_TRY(read_loss_settings(config));
  for (const ConfigEntry& entry : config.entries()) {
    if (!entry.key.starts_with("model.") || entry.key == "model.gate" || entry.key == "model.chain" ||
        entry.key == "model.style" || entry.key == "model.feet" || entry.key == "model.slide_feet" ||
        entry.key == "model.style_dims" || entry.key.starts_with("model.fed_back") ||
        entry.key.starts_with("model.feed"))
      continue;  // A range, or positions in a list.
    std::vector<std::int64_t> sizes;
    if (const auto* one = std::get_if<std::int64_t>(&entry.value)) sizes = {*one};
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&entry.value)) sizes = *list;
    const bool may_be_none = entry.key.starts_with("model.graph_") || entry.key == "model.timed_frames";
    const std::int64_t least = may_be_none ? 0 : 1;  // 0: any size, or none.
    for (const std::int64_t size : sizes) {
      if (size < least || size > kLargest)
        return Error{ErrorCode::kUsage,
                     fmt::format("{} = {}: must be from {} to {}", entry.key, size, least, kLargest)};
    }
    if (entry.key == "model.dropout") ZOE_TRY(number(config, "model.dropout", 0, 0.99));
    if (entry.key == "model.decay") ZOE_TRY(number(config, "model.decay", 0, 0.999999));
    if (entry.key == "model.window_s") ZOE_TRY(number(config, "model.window_s", 1e-3, 1e6));
  }
  return {};
}

}  // namespace zoe::train
