// SPDX-License-Identifier: MIT
#include "zoe/author/periodic_phases.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/motion/sample.h"

namespace zoe::author {
namespace {

using features::BlockKind;

// Names of zoe-train's model "pae".
enum Output : std::size_t { kWindow, kPhase, kFrequency, kAmplitude, kOffset, kNumOutputs };
constexpr const char* kOutputs[] = {"y", "phase", "frequency_hz", "amplitude", "offset"};

constexpr int kBatch = 32;  // Windows per batch.

// 1 - the squared residual of the reconstruction over the squares of the window about its mean.
float share_given_back(std::span<const float> window, std::span<const float> back, std::size_t width) {
  double all = 0, left = 0;
  for (std::size_t column = 0; column < width; ++column) {
    double sum = 0, count = 0;
    for (std::size_t i = column; i < window.size(); i += width) {
      sum += static_cast<double>(window[i]);
      ++count;
    }
    for (std::size_t i = column; i < window.size(); i += width) {
      const double from_mean = static_cast<double>(window[i]) - sum / count;
      const double difference = static_cast<double>(window[i]) - static_cast<double>(back[i]);
      all += from_mean * from_mean;
      left += difference * difference;
    }
  }
  return all > 0 ? static_cast<float>(std::clamp(1 - left / all, 0.0, 1.0)) : 0.0F;
}

}  // namespace

const char* periodic_schema() {
  return "name = \"controller_phases\"\n"
         "fps = 30.0\n"
         "[joints]\npose = [\"body\"]\n"
         "[root]\nends = \"reflect\"\n"
         "[velocity]\nover_row = true\n"
         "[input]\nsteps = \"-1:1:61\"\nchannels = [\"joint.velocity\"]\n";
}

Result<PeriodicPhases> PeriodicPhases::create(nn::NetworkPtr network, const Skeleton& skeleton) {
  ZOE_CHECK(network != nullptr, "PeriodicPhases: no network");
  const auto wrong = [](std::string what) {
    return Error{ErrorCode::kInvalid, "this is no periodic autoencoder: " + what, {}};
  };
  const auto text = network->metadata().find("layout");
  if (text == network->metadata().end()) return wrong("its file does not describe its features ('layout')");
  ZOE_TRY_ASSIGN(features::Layout layout, features::Layout::from_toml(text->second, skeleton));
  const auto inputs = network->inputs(), outputs = network->outputs();
  if (inputs.size() != 1 || inputs[0].shape.size() != layout.size(BlockKind::kInput)) {
    return wrong("its input does not match its layout");
  }
  if (outputs.size() != kNumOutputs)
    return wrong(fmt::format("it has {} outputs, not {}", outputs.size(), int{kNumOutputs}));
  const std::size_t channels = outputs[kPhase].shape.size();
  for (std::size_t i = 0; i < kNumOutputs; ++i) {
    const std::size_t size = i == kWindow ? inputs[0].shape.size() : channels;
    if (outputs[i].name != kOutputs[i] || outputs[i].shape.size() != size) {
      return wrong(fmt::format("its output {} is '{}' of {} numbers, not '{}' of {}", i, outputs[i].name,
                               outputs[i].shape.size(), kOutputs[i], size));
    }
  }
  PeriodicPhases phases(std::move(network), std::move(layout));
  phases.num_channels_ = static_cast<int>(channels);
  return phases;
}

Result<std::vector<PhaseSample>> PeriodicPhases::rows_of(const Motion& motion) const {
  ZOE_TRY_ASSIGN(const std::vector<float> rows, features::build_frame_rows(layout_, {.motion = &motion}));
  const features::ClipRows clip{rows.data(), features::num_rows(layout_, motion)};
  const std::size_t channels = idx(num_channels_), window = layout_.size(BlockKind::kInput);
  std::vector<PhaseSample> out(idx(clip.num_rows) * channels);
  // Rows with whole windows; for a clip too short for any, the middle one.
  const int middle = (clip.num_rows - 1) / 2;
  const int first = std::min(layout_.past_frames(), middle);
  const int last = std::max(clip.num_rows - 1 - layout_.future_frames(), middle);

  nn::NetworkState state = nn::make_state(*network_, kBatch);
  std::vector<float> x(kBatch * window), y(x.size());
  std::array<std::vector<float>, kNumOutputs> parts;
  for (auto& part : parts) part.resize(kBatch * channels);
  std::vector<features::Sample> samples;
  for (int begin = first; begin <= last; begin += kBatch) {
    const int count = std::min(kBatch, last + 1 - begin);
    samples.clear();
    for (int i = 0; i < count; ++i) samples.push_back({0, begin + i, 0});
    const std::size_t values = idx(count) * channels;
    const std::span<float> windows = std::span(x).first(idx(count) * window);
    bool ran = features::GatherJob{.layout = &layout_, .clips = {&clip, 1}, .samples = samples, .input = windows}.run();
    const std::span<const float> inputs[] = {windows};
    const std::span<float> outputs[] = {std::span(y).first(windows.size()), std::span(parts[kPhase]).first(values),
                                        std::span(parts[kFrequency]).first(values),
                                        std::span(parts[kAmplitude]).first(values),
                                        std::span(parts[kOffset]).first(values)};
    ran =
        ran &&
        nn::NetworkJob{.network = network_.get(), .state = &state, .batch = count, .inputs = inputs, .outputs = outputs}
            .run();
    ZOE_CHECK(ran, "the network's ports were checked when the phases were made");
    for (std::size_t i = 0; i < values; ++i) {
      PhaseSample& sample = out[idx(begin) * channels + i];
      const float turns = parts[kPhase][i];
      sample = {turns - std::floor(turns), parts[kAmplitude][i], parts[kFrequency][i], 0};
      const std::size_t at = i / channels * window;
      sample.confidence = i % channels > 0
                              ? (&sample)[-1].confidence
                              : share_given_back(windows.subspan(at, window), std::span(y).subspan(at, window),
                                                 idx(layout_.width(BlockKind::kInput)));
    }
  }
  for (int row = 0; row < clip.num_rows; ++row) {
    const int from = std::clamp(row, first, last);
    if (from == row) continue;
    for (std::size_t c = 0; c < channels; ++c) {
      PhaseSample sample = out[idx(from) * channels + c];
      sample.phase += sample.frequency_hz * static_cast<float>((row - from) / layout_.fps());
      sample.phase -= std::floor(sample.phase);
      out[idx(row) * channels + c] = sample;
    }
  }
  return out;
}

Result<PeriodicPhases::Signals> PeriodicPhases::signals_of(const Motion& motion) const {
  ZOE_TRY_ASSIGN(const std::vector<PhaseSample> rows, rows_of(motion));
  const std::size_t channels = idx(num_channels_);
  const int num_rows = static_cast<int>(rows.size() / channels);
  Signals out;
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const FramePosition at = find_frame(num_rows, layout_.fps(), 0, frame / motion.fps, Wrap::kClamp);
    for (std::size_t c = 0; c < channels; ++c) {
      const PhaseSample &a = rows[idx(at.frame) * channels + c], &b = rows[idx(at.next_frame) * channels + c];
      const Vec2 from = phase_vector(a), to = phase_vector(b);
      const auto mix = [&](float u, float v) { return u + (v - u) * at.fraction; };
      out.phase.push_back(mix(from.x, to.x));
      out.phase.push_back(mix(from.y, to.y));
      out.rhythm.push_back(mix(a.amplitude, b.amplitude));
      out.rhythm.push_back(mix(a.frequency_hz, b.frequency_hz));
    }
  }
  return out;
}

}  // namespace zoe::author
