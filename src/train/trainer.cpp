// SPDX-License-Identifier: MIT
#include "train/trainer.h"

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "zoe/core/random.h"
#include "zoe/nn/graph_file.h"

#include "train/report.h"
#include "train/resume_check.h"
#include "train/sample_hook.h"
#include "train/state.h"

namespace zoe::train {
namespace {

std::atomic<bool> g_stop{false};

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

std::int64_t integer_in(const Metadata& metadata, const char* key, std::int64_t otherwise) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return otherwise;
  std::int64_t value = otherwise;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

}  // namespace

void request_stop() noexcept { g_stop = true; }
bool stop_requested() noexcept { return g_stop; }

Trainer::Trainer(TrainerParts parts)
    : parts_(std::move(parts)),
      checkpoints_(parts_.request.folder / "checkpoints", parts_.settings.keep),
      candidates_(parts_.request.folder / "candidates", parts_.settings.candidates, parts_.settings.checkpoint_every) {
  const Settings& settings = parts_.settings;
  num_steps_ = settings.steps > 0 ? settings.steps : settings.epochs * parts_.loader.steps_per_epoch();
  ZOE_CHECK(parts_.turns.size() == parts_.model.turns().size(), "the model declares settings for each of its turns");
  for (std::size_t i = 0; i < parts_.turns.size(); ++i)
    turns_.push_back(std::make_unique<Turn>(parts_.model, i, parts_.turns[i], settings, parts_.device));
}

Metadata Trainer::checkpoint_metadata() const {
  Metadata metadata{{"version", "1"},
                    {"model", parts_.request.model},
                    {"step", std::to_string(step_)},
                    {"threads", std::to_string(threads_)},
                    {"best_step", std::to_string(best_step_)},
                    {"since_best", std::to_string(since_best_)},
                    {"config", parts_.config.to_toml()},
                    {"data", parts_.source.identity()}};
  // Only where it counts: the same run otherwise has the same bytes.
  if (parts_.settings.seconds > 0) metadata["seconds"] = std::to_string(elapsed_s());
  if (best_loss_) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.17g", *best_loss_);
    metadata["best_loss"] = text;
  }
  return metadata;
}

std::vector<NamedTensor> Trainer::all_tensors() const {
  std::vector<NamedTensor> all = model_tensors(parts_.model);
  for (const auto& turn : turns_) {
    for (NamedTensor& tensor : turn->state()) all.push_back(std::move(tensor));
  }
  return all;
}

Result<int> Trainer::resume(Warnings& warnings) {
  if (checkpoints_.steps().empty()) return 0;  // Killed before the first checkpoint: from the start.
  ZOE_TRY_ASSIGN(const Safetensors file, checkpoints_.open_newest(warnings));
  const auto model = file.metadata().find("model");
  if (model == file.metadata().end() || model->second != parts_.request.model) {
    return Error{ErrorCode::kUsage, "the run is of model '" + (model == file.metadata().end() ? "?" : model->second) +
                                        "', not '" + parts_.request.model + "'"};
  }
  if (!parts_.request.allow_changes)
    ZOE_TRY(check_unchanged(file.metadata(), parts_.config, parts_.source.identity(), parts_.request.folder));
  ZOE_TRY(load_tensors(file, all_tensors()));
  step_ = saved_step_ = integer_in(file.metadata(), "step", 0);
  if (const auto seconds = file.metadata().find("seconds"); seconds != file.metadata().end())
    earlier_s_ = std::strtod(seconds->second.c_str(), nullptr);
  best_step_ = integer_in(file.metadata(), "best_step", 0);
  since_best_ = integer_in(file.metadata(), "since_best", 0);
  if (const auto best = file.metadata().find("best_loss"); best != file.metadata().end())
    best_loss_ = std::strtod(best->second.c_str(), nullptr);
  return static_cast<int>(integer_in(file.metadata(), "threads", 0));
}

// Noise is a function of seed, step and rank: a resumed run draws the same numbers as an uninterrupted one.
void Trainer::seed(std::int64_t step) const {
  Random random = Random(parts_.settings.seed)
                      .split(static_cast<std::uint64_t>(step))
                      .split(static_cast<std::uint64_t>(parts_.request.ranks.rank));
  at::manual_seed(random.next_u64() >> 1);
}

Result<void> Trainer::rehearse() {
  seed(step_);
  ZOE_TRY_ASSIGN(const LoadedBatch batch, parts_.loader.training(step_));
  turns_[turn_at(parts_.turns, step_)]->compute(batch.fields);
  return {};
}

StepRates Trainer::rates(const Turn& turn, std::int64_t step) const {
  StepRates rates = rates_at(parts_.settings, step, num_steps_, parts_.loader.steps_per_epoch());
  rates.rate *= turn.setting().rate_factor;
  rates.decay *= turn.setting().rate_factor;
  return rates;
}

Result<void> Trainer::step() {
  constexpr std::int64_t kWorthRecording = 20;  // Recording takes as long as a few steps.
  ZOE_TRY_ASSIGN(const LoadedBatch batch, parts_.loader.training(step_));
  Turn& turn = *turns_[turn_at(parts_.turns, step_)];
  parts_.model.loss_weights().set_step(step_);
  const StepWork work{.batch = batch.fields,
                      .bucket = batch.bucket,
                      .rates = rates(turn, step_),
                      .record = num_steps_ - first_step_ > kWorthRecording,
                      .seed = [this] { seed(step_); }};
  ZOE_TRY(turn.step(work, parts_.collective, summary_.warnings));
  const c10::NoGradGuard no_gradients;
  parts_.model.after_step(parts_.collective);
  ++step_;
  num_samples_ += batch.num_samples;
  tokens_ += batch.tokens;
  padded_tokens_ += batch.padded_tokens;
  if (parts_.device.is_cpu() && turn.optimiser().skipped_in_a_row() >= parts_.settings.max_skipped) return log();
  return {};
}

Result<void> Trainer::log() {
  if (step_ == logged_step_) return {};
  MetricRow row{step_, epoch(), "training", {}};
  std::int64_t skipped_in_a_row = 0;
  for (const auto& turn : turns_) {
    const std::vector<std::pair<std::string, double>> means = turn->means(parts_.collective);
    if (means.empty()) continue;
    if (turn == turns_[0]) last_loss_ = means[0].second;
    row.values.insert(row.values.end(), means.begin(), means.end());
    row.values.emplace_back(turn->prefix() + "rate", rates(*turn, step_ - 1).rate);
    row.values.emplace_back(turn->prefix() + "gradient_norm", turn->optimiser().gradient_norm().item<double>());
    if (const std::int64_t skipped = turn->optimiser().num_skipped(); skipped > 0)
      row.values.emplace_back(turn->prefix() + "skipped_steps", static_cast<double>(skipped));
    skipped_in_a_row = std::max(skipped_in_a_row, turn->optimiser().skipped_in_a_row());
  }
  // After the means, which wait for the device.
  busy_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - log_start_).count();
  // All ranks have batches of one size.
  const auto per_s = [&](std::int64_t count) {
    return static_cast<double>(count * parts_.request.ranks.size) / std::max(busy_s_, 1e-9);
  };
  const double samples_per_s = per_s(num_samples_);
  summary_.samples_per_s = samples_per_s;
  for (const auto& [name, weight] : parts_.model.loss_weights().changing(step_ - 1))
    row.values.emplace_back("weight." + name, weight);
  row.values.emplace_back("samples_per_s", samples_per_s);
  if (padded_tokens_ > 0) {
    row.values.emplace_back("tokens_per_s", per_s(tokens_));
    row.values.emplace_back("padding", 1 - static_cast<double>(tokens_) / static_cast<double>(padded_tokens_));
  }
  if (metrics_) ZOE_TRY(metrics_->add(row));
  if (progress_) {
    progress_->set_note("loss " + short_number(last_loss_) +
                        (best_loss_ ? ", best validation " + short_number(*best_loss_) : "") + ", " +
                        short_number(samples_per_s) + " samples/s");
  }
  if (skipped_in_a_row >= parts_.settings.max_skipped) {
    return Error{ErrorCode::kInvalid,
                 "the gradient has not been finite for " + std::to_string(skipped_in_a_row) + " steps up to step " +
                     std::to_string(step_) +
                     "; the weights have not changed since: lower train.rate or check the data" +
                     (saved_step_ >= 0 ? " (newest checkpoint: step " + std::to_string(saved_step_) + ")" : "")};
  }
  for (const auto& turn : turns_) turn->clear();
  logged_step_ = step_;
  num_samples_ = tokens_ = padded_tokens_ = 0;
  busy_s_ = 0;
  log_start_ = std::chrono::steady_clock::now();
  return {};
}

Trainer::Averages Trainer::use_averages() {
  Averages all;
  for (const auto& turn : turns_) all.push_back(std::make_unique<Optimiser::UseAverage>(turn->optimiser()));
  return all;
}

Result<void> Trainer::validate() {
  const auto start = std::chrono::steady_clock::now();
  std::size_t num_batches = parts_.loader.num_validation_batches();
  if (num_batches == 0) return {};
  if (parts_.settings.validation_batches > 0)
    num_batches = std::min(num_batches, static_cast<std::size_t>(parts_.settings.validation_batches));
  const Averages averages = use_averages();
  const c10::NoGradGuard no_gradients;
  parts_.model.training = false;
  const auto rank = static_cast<std::size_t>(parts_.request.ranks.rank),
             num_ranks = static_cast<std::size_t>(parts_.request.ranks.size);
  std::vector<std::string> names{"loss"};
  at::Tensor sums;  // [1 + values + 1]: sums over samples, and their number.
  for (std::size_t i = 0; i < num_batches; ++i) {
    if (i % num_ranks != rank && i > 0) continue;  // Every rank processes the first, to know the names.
    ZOE_TRY_ASSIGN(const LoadedBatch part, parts_.loader.validation(i));
    const Losses losses = parts_.model.loss(part.fields);
    const auto count = static_cast<double>(part.num_samples);
    std::vector<at::Tensor> values{losses.total.to(at::kDouble)};
    for (const auto& [name, value] : losses.values) {
      values.push_back(value.to(at::kDouble));
      if (names.size() < values.size()) names.push_back(name);
    }
    values.push_back(at::ones({}, values[0].options()));
    const at::Tensor weighted = at::stack(values) * count;
    if (!sums.defined()) sums = at::zeros_like(weighted);
    if (i % num_ranks == rank) sums += weighted;
  }
  parts_.collective.average(sums);
  const at::Tensor means = (sums / sums[-1]).cpu();
  const double loss = means[0].item<double>();
  const bool better = std::isfinite(loss) && (!best_loss_ || loss < *best_loss_);
  since_best_ = better ? 0 : since_best_ + 1;
  if (better) {
    best_loss_ = loss;
    best_step_ = step_;
  }
  if (writes()) {
    MetricRow row{step_, epoch(), "validation", {}};
    for (std::size_t i = 0; i < names.size(); ++i)
      row.values.emplace_back(names[i], means[static_cast<std::int64_t>(i)].item<double>());
    ZOE_TRY(metrics_->add(row));
    if (better) ZOE_TRY(checkpoints_.save_best(HostTensors(model_tensors(parts_.model)).arrays, checkpoint_metadata()));
  }
  log_start_ += std::chrono::steady_clock::now() - start;  // Not part of the training rate.
  return {};
}

Result<void> Trainer::save() {
  if (saved_step_ == step_ || !writes()) return {};
  const auto start = std::chrono::steady_clock::now();
  const HostTensors host(all_tensors());
  ZOE_TRY(checkpoints_.save(step_, host.arrays, checkpoint_metadata()));
  saved_step_ = step_;
  ZOE_TRY(sample());
  log_start_ += std::chrono::steady_clock::now() - start;
  return {};
}

// What the model makes now. A failing command is a warning: training goes on.
Result<void> Trainer::sample() {
  const Averages averages = use_averages();
  const c10::NoGradGuard no_gradients;
  parts_.model.training = false;
  ZOE_TRY_ASSIGN(const LoadedBatch batch,
                 parts_.loader.num_validation_batches() > 0 ? parts_.loader.validation(0) : parts_.loader.training(0));
  const std::vector<NamedTensor> made = parts_.model.sample(batch.fields);
  if (made.empty()) return {};
  const SampleFolder folder(parts_.request.folder / "samples");
  ZOE_TRY(
      folder.save(step_, HostTensors(made).arrays, {{"model", parts_.request.model}, {"step", std::to_string(step_)}}));
  if (parts_.settings.sample_command.empty()) return {};
  if (const Result<void> drawn = folder.draw(step_, parts_.settings.sample_command, parts_.settings.sample_timeout_s);
      !drawn)
    summary_.warnings.push_back({"step " + std::to_string(step_) + ": " + drawn.error().message, {}});
  return {};
}

bool Trainer::should_stop() {
  if (parts_.request.ranks.size == 1) return g_stop;
  // All ranks must stop at the same step.
  at::Tensor flag = at::full({}, g_stop ? 1.0F : 0.0F);
  parts_.collective.average(flag);
  return flag.item<float>() > 0;
}

double Trainer::elapsed_s() const {
  if (run_start_ == std::chrono::steady_clock::time_point{}) return earlier_s_;
  return earlier_s_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - run_start_).count();
}

// train.seconds: the schedule of the rate ends when the time does. Early estimates of the speed are low, since the
// first steps are slow, and get better.
void Trainer::follow_clock() {
  constexpr double kFirstEstimate = 0.03;
  at::Tensor elapsed = at::full({}, elapsed_s(), at::kDouble);
  if (parts_.request.ranks.size > 1) parts_.collective.average(elapsed);  // All ranks must have one number of steps.
  const double done = elapsed.item<double>() / parts_.settings.seconds;
  if (done >= 1) {
    num_steps_ = step_;
    summary_.reason = "the time is over";
  } else if (done > kFirstEstimate) {
    num_steps_ = std::max(step_ + 1, static_cast<std::int64_t>(std::llround(static_cast<double>(step_) / done)));
  }
}

Result<RunSummary> Trainer::time(std::int64_t steps) {
  const std::int64_t warm = 5;
  num_steps_ = std::max(num_steps_, warm + steps);
  double busy_s = 0;
  for (std::int64_t i = 0; i < warm + steps; ++i) {
    if (i == warm) {
      for (const auto& turn : turns_) turn->optimiser().num_skipped();  // Waits for the device.
      num_samples_ = 0;
      log_start_ = std::chrono::steady_clock::now();
    }
    ZOE_TRY(step());
  }
  for (const auto& turn : turns_) turn->optimiser().num_skipped();
  busy_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - log_start_).count();
  summary_.step = step_;
  summary_.samples_per_s = static_cast<double>(num_samples_ * parts_.request.ranks.size) / std::max(busy_s, 1e-9);
  return summary_;
}

Result<RunSummary> Trainer::run(int threads) {
  threads_ = threads;
  first_step_ = logged_step_ = step_;
  if (writes()) {
    ZOE_TRY_ASSIGN(MetricLog log_file, MetricLog::open(parts_.request.folder, step_));
    metrics_.emplace(std::move(log_file));
    progress_.emplace(
        "train " + parts_.request.model, static_cast<std::uint64_t>(std::max<std::int64_t>(num_steps_ - step_, 0)),
        ProgressOptions{.mode = parts_.request.quiet ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "steps"});
  }
  const Settings& settings = parts_.settings;
  const std::int64_t validate_every =
      settings.validate_every > 0 ? settings.validate_every : parts_.loader.steps_per_epoch();
  log_start_ = run_start_ = std::chrono::steady_clock::now();
  summary_.reason = "all steps done";
  while (step_ < num_steps_) {
    if (should_stop()) {
      summary_.stopped = true;
      summary_.reason = "asked to stop";
      break;
    }
    ZOE_TRY(step());
    if (progress_) progress_->advance();
    if (step_ % settings.log_every == 0) {
      ZOE_TRY(log());
      if (settings.seconds > 0) follow_clock();
    }
    if (step_ % validate_every == 0) ZOE_TRY(validate());
    // Before the checkpoint: a run that is killed between the two comes to this step again.
    if (candidates_.is_due(step_)) {
      ZOE_TRY(save_candidate());
      if (writes() && step_ < num_steps_) candidates_.thin(step_);
    }
    if (step_ % settings.checkpoint_every == 0) ZOE_TRY(save());
    if (settings.patience > 0 && since_best_ >= settings.patience) {
      summary_.reason = "no better validation for " + std::to_string(since_best_) + " times";
      break;
    }
  }
  ZOE_TRY(log());
  if (step_ % validate_every != 0 && !summary_.stopped) ZOE_TRY(validate());
  ZOE_TRY(save());
  if (settings.candidates > 0 && !summary_.stopped) ZOE_TRY(save_candidate());  // The last weights are one, always.
  if (progress_) progress_->finish();
  if (writes()) ZOE_TRY(finish());
  summary_.step = step_;
  summary_.training_loss = last_loss_;
  summary_.best_validation_loss = best_loss_;
  summary_.best_step = best_step_;
  return summary_;
}

Result<void> Trainer::write_graph(Result<nn::Graph> graph, const std::filesystem::path& file, std::int64_t step) const {
  if (!graph) return std::move(graph).error();
  graph->metadata.merge(parts_.source.metadata());
  graph->metadata["model"] = parts_.request.model;
  graph->metadata["config"] = parts_.config.to_toml();
  graph->metadata["step"] = std::to_string(step);
  return nn::write_graph(file, *graph);
}

Result<void> Trainer::save_candidate() {
  if (!writes()) return {};
  const auto start = std::chrono::steady_clock::now();
  const Averages averages = use_averages();
  const c10::NoGradGuard no_gradients;
  parts_.model.training = false;
  const std::filesystem::path file = candidates_.path(step_);
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = file.string()}};
  ZOE_TRY(write_graph(parts_.model.graph(), file, step_));
  log_start_ += std::chrono::steady_clock::now() - start;
  return {};
}

// The network's file and the report.
Result<void> Trainer::finish() {
  Averages averages;
  bool has_best = std::filesystem::exists(checkpoints_.best_path());
  if (has_best) {
    const Result<Safetensors> best = open_checkpoint(checkpoints_.best_path());
    if (best) {
      ZOE_TRY(load_tensors(*best, model_tensors(parts_.model)));
    } else {
      has_best = false;
      summary_.warnings.push_back(
          {best.error().message + "; the newest weights are exported", {.file = checkpoints_.best_path().string()}});
    }
  }
  if (!has_best) averages = use_averages();
  parts_.model.training = false;
  const auto write = [&](Result<nn::Graph> graph, const char* name) {
    return write_graph(std::move(graph), parts_.request.folder / name, has_best ? best_step_ : step_);
  };
  if (Result<nn::Graph> graph = parts_.model.graph(); graph || graph.error().code != ErrorCode::kUnsupported)
    ZOE_TRY(write(std::move(graph), "model.safetensors"));
  else
    summary_.warnings.push_back({"no model.safetensors is written: " + graph.error().message, {}});
  if (parts_.model.has_encoder()) ZOE_TRY(write(parts_.model.encoder_graph(), "encoder.safetensors"));
  ReportFacts facts{parts_.request.model + " on " + parts_.request.data, {}, parts_.config.to_toml()};
  facts.facts = {{"steps", std::to_string(step_) + " of " + std::to_string(num_steps_) + ": " + summary_.reason},
                 {"training loss", short_number(last_loss_)},
                 {"best validation loss",
                  best_loss_ ? short_number(*best_loss_) + " at step " + std::to_string(best_step_) : "none"},
                 {"samples a second", short_number(summary_.samples_per_s)}};
  return write_report(parts_.request.folder, facts);
}

}  // namespace zoe::train
