// SPDX-License-Identifier: MIT
#include "zoe/control/confidence.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/portable.h"
#include "zoe/store/safetensors.h"

namespace zoe::control {
namespace {

constexpr const char* kConfidenceVersion = "1";
constexpr const char* kSignNames[kNumPoseSigns] = {"slide",         "contact slide", "lowest foot",    "positions",
                                                   "velocities",    "fastest joint", "acceleration",   "root error",
                                                   "desired speed", "facing error",  "desired change", "nearest pose",
                                                   "nearest way",   "contact doubt", "outside",        "root speed"};
// Deviations. Farther out the network would extrapolate.
constexpr float kMostSign = 6;

}  // namespace

const char* to_string(PoseSign sign) { return kSignNames[static_cast<std::size_t>(sign)]; }

float Confidence::logit(const PoseSigns& signs) const noexcept {
  PoseSigns x{};
  for (std::size_t i = 0; i < kNumPoseSigns; ++i)
    x[i] = std::clamp((signs[i] - mean[i]) / spread[i], -kMostSign, kMostSign);
  float sum = last_bias;
  for (std::size_t h = 0; h < last.size(); ++h) {
    float unit = hidden_bias[h];
    for (std::size_t i = 0; i < kNumPoseSigns; ++i) unit += hidden[h * kNumPoseSigns + i] * x[i];
    if (unit > 0) sum += last[h] * unit;
  }
  return sum;
}

float Confidence::of(const PoseSigns& signs) const noexcept {
  for (const float sign : signs)
    if (!std::isfinite(sign)) return 0;
  const float x = scale * logit(signs) + shift;
  return std::isfinite(x) ? 1 / (1 + portable_exp(-std::clamp(x, -30.0F, 30.0F))) : 0;
}

Result<void> save_confidences(const std::filesystem::path& path, const Confidences& confidences) {
  // Arrays are views: what they view must stay until the file is written.
  std::vector<std::vector<float>> kept;
  kept.reserve(6);
  std::vector<NamedArray> arrays;
  const auto add = [&](const std::string& who, const Confidence& c) {
    const auto keep = [&](std::vector<float> values) -> const std::vector<float>& {
      return kept.emplace_back(std::move(values));
    };
    arrays.push_back({who + "mean", view_of(keep({c.mean.begin(), c.mean.end()}))});
    arrays.push_back({who + "spread", view_of(keep({c.spread.begin(), c.spread.end()}))});
    arrays.push_back({who + "hidden", view_of(c.hidden, {c.last.size(), kNumPoseSigns})});
    arrays.push_back({who + "hidden_bias", view_of(c.hidden_bias)});
    arrays.push_back({who + "last", view_of(c.last)});
    arrays.push_back({who + "calibration", view_of(keep({c.last_bias, c.scale, c.shift}))});
  };
  add("network.", confidences.network);
  add("matching.", confidences.matching);
  Metadata metadata{{"format", "zoe confidence"}, {"version", kConfidenceVersion}};
  metadata[kChecksumKey] = content_checksum(arrays, metadata);
  return write_safetensors(path, arrays, metadata);
}

namespace {

// Null: it is sound.
const char* read_confidence(const Safetensors& file, const std::string& who, Confidence& out) {
  const auto numbers = [&](const char* name) -> std::span<const float> {
    for (const NamedArray& array : file.tensors())
      if (array.name == who + name) return array.view.as<float>().value_or(std::span<const float>{});
    return {};
  };
  for (const char* name : {"mean", "spread", "hidden", "hidden_bias", "last", "calibration"}) {
    for (const float value : numbers(name))
      if (!std::isfinite(value)) return "a number is not finite";
  }
  const auto mean = numbers("mean"), spread = numbers("spread"), hidden = numbers("hidden"), last = numbers("last");
  const auto bias = numbers("hidden_bias"), calibration = numbers("calibration");
  if (mean.size() != kNumPoseSigns || spread.size() != kNumPoseSigns || calibration.size() != 3 || last.empty() ||
      last.size() > Confidence::kMaxHidden || bias.size() != last.size() ||
      hidden.size() != last.size() * kNumPoseSigns) {
    return "sizes differ";
  }
  if (std::any_of(spread.begin(), spread.end(), [](float s) { return !(s > 0); })) return "a spread is not positive";
  std::copy(mean.begin(), mean.end(), out.mean.begin());
  std::copy(spread.begin(), spread.end(), out.spread.begin());
  out.hidden.assign(hidden.begin(), hidden.end());
  out.hidden_bias.assign(bias.begin(), bias.end());
  out.last.assign(last.begin(), last.end());
  out.last_bias = calibration[0];
  out.scale = calibration[1];
  out.shift = calibration[2];
  return nullptr;
}

}  // namespace

Result<Confidences> load_confidences(const Safetensors& file) {
  const auto wrong = [&](const char* what) {
    return Error{ErrorCode::kInvalid,
                 std::string("not a confidence that this version can read: ") + what,
                 {.file = file.file_name()}};
  };
  const auto text = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  if (text("format") != "zoe confidence" || text("version") != kConfidenceVersion)
    return wrong("format or version differs");
  if (!matches_its_checksum(file)) return wrong("damaged, its content does not match its checksum");
  Confidences out;
  if (const char* defect = read_confidence(file, "network.", out.network)) return wrong(defect);
  if (const char* defect = read_confidence(file, "matching.", out.matching)) return wrong(defect);
  return out;
}

}  // namespace zoe::control
