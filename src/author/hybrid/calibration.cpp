// SPDX-License-Identifier: MIT
#include "author/hybrid/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/random.h"

namespace zoe::author {
namespace {

using control::Confidence;
using control::HybridMode;
using control::kNumPoseSigns;
using control::PoseSigns;

constexpr int kAhead = 12;  // Frames in which a pose must stay good: 0.4 s, the least time of a hand-over.
constexpr int kFirst = 4;   // Steps after a hand-over that tell of the next one.
constexpr int kUnits = 24;  // Of the hidden layer.
constexpr int kEpochs = 40;
constexpr std::size_t kBatch = 128, kBins = 15;
constexpr float kRate = 2e-3F, kDecay = 1e-4F;

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

struct AdamWeights {
  std::vector<float> w, m, v, g;
  explicit AdamWeights(std::size_t size) : w(size), m(size), v(size), g(size) {}
  void step(int t) {
    const float a = 1 - std::pow(0.9F, static_cast<float>(t)), b = 1 - std::pow(0.999F, static_cast<float>(t));
    for (std::size_t i = 0; i < w.size(); ++i) {
      m[i] = 0.9F * m[i] + 0.1F * g[i];
      v[i] = 0.999F * v[i] + 0.001F * g[i] * g[i];
      w[i] -= kRate * (m[i] / a / (std::sqrt(v[i] / b) + 1e-8F) + kDecay * w[i]);
      g[i] = 0;
    }
  }
};

void set_statistics(std::span<const PoseSample> samples, Confidence& out) {
  for (std::size_t i = 0; i < kNumPoseSigns; ++i) {
    double sum = 0, square = 0;
    for (const PoseSample& sample : samples) {
      sum += static_cast<double>(sample.signs[i]);
      square += static_cast<double>(sample.signs[i]) * static_cast<double>(sample.signs[i]);
    }
    const double count = static_cast<double>(samples.size()), mean = sum / count;
    out.mean[i] = static_cast<float>(mean);
    out.spread[i] = static_cast<float>(std::sqrt(std::max(square / count - mean * mean, 1e-8)));
  }
}

// Newton's method on scale and shift of the logit (Platt, 1999).
void calibrate(std::span<const PoseSample> samples, Confidence& out) {
  double a = 1, b = 0;
  for (int round = 0; round < 50; ++round) {
    double ga = 0, gb = 0, aa = 1e-6, ab = 0, bb = 1e-6;
    for (const PoseSample& sample : samples) {
      const auto x = static_cast<double>(out.logit(sample.signs));
      const double p = 1 / (1 + std::exp(-(a * x + b))), off = p - (sample.good ? 1 : 0), h = p * (1 - p);
      ga += off * x;
      gb += off;
      aa += h * x * x;
      ab += h * x;
      bb += h;
    }
    const double det = aa * bb - ab * ab;
    if (!(std::abs(det) > 1e-12)) break;
    a -= (bb * ga - ab * gb) / det;
    b -= (aa * gb - ab * ga) / det;
  }
  if (!std::isfinite(a) || !std::isfinite(b) || a <= 0) return;
  out.scale = static_cast<float>(a);
  out.shift = static_cast<float>(b);
}

}  // namespace

PoseSamples gather_pose_samples(const control::Controller& hybrid, const control::Body& body,
                                const eval::ArtefactLimits& limits, double minutes, std::uint64_t seed) {
  PoseSamples samples;
  Random random(seed);
  constexpr double kRun_s = 30, kStep_s = 1 / eval::kArtefactRate_hz;
  const int runs = std::max(1, static_cast<int>(minutes * 60 / kRun_s));
  const float pace = body.motion_range.pace_mps;
  for (int run = 0; run < runs; ++run) {
    const std::uint64_t run_seed = seed * 1000 + static_cast<std::uint64_t>(run);
    const auto sticks = run % 2 == 0 ? eval::wild_sticks(run_seed, pace)
                                     : control::random_sticks(run_seed, pace * random.uniform(0.8F, 1.6F));
    const auto state = hybrid.make_state();
    eval::ArtefactWatch watch(body, limits);
    std::vector<PoseSigns> signs;
    std::vector<char> by_network, by_matching, flawed, is_first;
    bool network = true;
    int left = 0, since_begin = kFirst;
    std::int64_t poses = 0;
    for (int f = 0; f < static_cast<int>(kRun_s / kStep_s); ++f) {
      if (--left <= 0) {
        network = !network;
        left =
            network ? static_cast<int>(random.uniform(20.0F, 90.0F)) : static_cast<int>(random.uniform(16.0F, 30.0F));
      }
      control::force_hybrid(*state, network ? HybridMode::kNetwork : HybridMode::kMatching);
      hybrid.tick(*state, sticks->next(state->root(), kStep_s), kStep_s);
      const control::HybridReport& report = control::hybrid_report(*state);
      const bool generated = report.num_poses > poses;  // Else the character stands without its model.
      poses = report.num_poses;
      const bool finite =
          std::all_of(report.signs.begin(), report.signs.end(), [](float x) { return std::isfinite(x); });
      signs.push_back(report.signs);
      by_network.push_back(generated && !report.matching && finite ? 1 : 0);
      by_matching.push_back(generated && report.matching && finite ? 1 : 0);
      const bool began = f > 0 && by_matching[idx(f)] != 0 && by_matching[idx(f - 1)] == 0;
      since_begin = began ? 0 : since_begin + 1;
      is_first.push_back(since_begin < kFirst ? 1 : 0);
      flawed.push_back(watch.see(state->pose(), state->root()) != 0 ? 1 : 0);
    }
    for (std::size_t f = 3; f + kAhead < signs.size(); ++f) {
      const auto all = [&](const std::vector<char>& of, char value) {
        return std::all_of(of.begin() + static_cast<std::ptrdiff_t>(f),
                           of.begin() + static_cast<std::ptrdiff_t>(f + kAhead),
                           [&](char one) { return one == value; });
      };
      if (all(by_network, 1)) samples.network.push_back({signs[f], all(flawed, 0)});
      if (all(by_matching, 1) && is_first[f] != 0) samples.matching.push_back({signs[f], all(flawed, 0)});
    }
  }
  return samples;
}

Confidence fit_confidence(std::span<const PoseSample> training, std::span<const PoseSample> calibration) {
  Confidence out;
  out.spread.fill(1);
  out.hidden.assign(kNumPoseSigns * kUnits, 0.0F);
  out.hidden_bias.assign(kUnits, 0.0F);
  out.last.assign(kUnits, 0.0F);
  if (training.size() < kBatch) return out;
  set_statistics(training, out);
  Random random(11);
  AdamWeights hidden(kUnits * kNumPoseSigns), bias(kUnits), last(kUnits), top(1);
  for (float& w : hidden.w) w = random.uniform(-0.4F, 0.4F);
  for (float& w : last.w) w = random.uniform(-0.3F, 0.3F);
  std::vector<std::size_t> order(training.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  int step = 0;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(random.uniform(0.0F, 0.99999F) * static_cast<float>(i))]);
    for (std::size_t begin = 0; begin + kBatch <= order.size(); begin += kBatch) {
      for (std::size_t k = begin; k < begin + kBatch; ++k) {
        const PoseSample& sample = training[order[k]];
        PoseSigns x{};
        for (std::size_t i = 0; i < kNumPoseSigns; ++i)
          x[i] = std::clamp((sample.signs[i] - out.mean[i]) / out.spread[i], -6.0F, 6.0F);
        float units[kUnits], sum = top.w[0];
        for (std::size_t h = 0; h < kUnits; ++h) {
          units[h] = bias.w[h];
          for (std::size_t i = 0; i < kNumPoseSigns; ++i) units[h] += hidden.w[h * kNumPoseSigns + i] * x[i];
          if (units[h] > 0) sum += last.w[h] * units[h];
        }
        const float off = (sigmoid(sum) - (sample.good ? 1.0F : 0.0F)) / static_cast<float>(kBatch);
        top.g[0] += off;
        for (std::size_t h = 0; h < kUnits; ++h) {
          if (units[h] <= 0) continue;
          last.g[h] += off * units[h];
          const float back = off * last.w[h];
          bias.g[h] += back;
          for (std::size_t i = 0; i < kNumPoseSigns; ++i) hidden.g[h * kNumPoseSigns + i] += back * x[i];
        }
      }
      ++step;
      for (AdamWeights* part : {&hidden, &bias, &last, &top}) part->step(step);
    }
  }
  out.hidden = hidden.w;
  out.hidden_bias = bias.w;
  out.last = last.w;
  out.last_bias = top.w[0];
  calibrate(calibration, out);
  return out;
}

Reliability measure_reliability(const Confidence& confidence, std::span<const PoseSample> samples) {
  Reliability out;
  out.bins.resize(kBins);
  std::vector<std::pair<float, bool>> ranked;
  for (const PoseSample& sample : samples) {
    const float p = confidence.of(sample.signs);
    auto& bin = out.bins[std::min(static_cast<std::size_t>(p * static_cast<float>(kBins)), kBins - 1)];
    bin.predicted += static_cast<double>(p);
    bin.observed += sample.good ? 1 : 0;
    ++bin.count;
    const double off = static_cast<double>(p) - (sample.good ? 1 : 0);
    out.brier += off * off;
    out.good_share += sample.good ? 1 : 0;
    ranked.emplace_back(p, sample.good);
  }
  if (samples.empty()) return out;
  const auto total = static_cast<double>(samples.size());
  for (Reliability::Bin& bin : out.bins) {
    if (bin.count == 0) continue;
    out.expected_error += std::abs(bin.predicted - bin.observed) / total;
    bin.predicted /= static_cast<double>(bin.count);
    bin.observed /= static_cast<double>(bin.count);
  }
  const double good = out.good_share, bad = total - good;
  std::sort(ranked.begin(), ranked.end());
  double below = 0, pairs = 0;
  for (const auto& [p, is_good] : ranked) {
    if (is_good) pairs += below;
    below += is_good ? 0 : 1;
  }
  out.auc = good > 0 && bad > 0 ? pairs / (good * bad) : 0.5;
  out.brier /= total;
  out.good_share /= total;
  return out;
}

std::string to_text(const Reliability& r) {
  std::string text = fmt::format(
      "expected calibration error {:.3f}, Brier score {:.3f}, area under the curve {:.3f}, {:.1f} % of the poses "
      "good\n\n"
      "| confidence | observed | poses |\n|---|---|---|\n",
      r.expected_error, r.brier, r.auc, 100 * r.good_share);
  for (const Reliability::Bin& bin : r.bins)
    if (bin.count > 0) text += fmt::format("| {:.3f} | {:.3f} | {} |\n", bin.predicted, bin.observed, bin.count);
  return text;
}

std::string to_svg(const Reliability& r) {
  constexpr double kSize = 320, kLeft = 40;
  const auto x = [&](double v) { return kLeft + v * (kSize - 60); };
  const auto y = [&](double v) { return kSize - 40 - v * (kSize - 60); };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"{0}\" height=\"{0}\" fill=\"white\"/>\n"
      "<line x1=\"{1}\" y1=\"{2}\" x2=\"{3}\" y2=\"{4}\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>\n",
      kSize, x(0), y(0), x(1), y(1));
  double most = 1;
  for (const Reliability::Bin& bin : r.bins) most = std::max(most, static_cast<double>(bin.count));
  for (const Reliability::Bin& bin : r.bins) {
    if (bin.count == 0) continue;
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#2b6cb0\" fill-opacity=\"0.7\"/>\n",
                       x(bin.predicted), y(bin.observed), 2.5 + 7 * std::sqrt(static_cast<double>(bin.count) / most));
  }
  for (const double tick : {0.0, 0.5, 1.0}) {
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n", x(tick), y(0) + 16, tick);
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", x(0) - 6, y(tick) + 4, tick);
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">confidence</text>\n", x(0.5), kSize - 8);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"14\">observed; expected calibration error {:.3f}</text>\n</svg>\n", x(0),
                     r.expected_error);
  return svg;
}

}  // namespace zoe::author
