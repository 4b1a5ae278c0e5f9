// SPDX-License-Identifier: MIT
#include "zoe/eval/action_judge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/eval/motion_windows.h"

namespace zoe::eval {
namespace {

constexpr std::size_t kMostWindows = 6;  // Of a clip in training: long captures repeat themselves.
constexpr float kFarthest = 3;           // Deviations at which a column is clamped: other bodies have odd proportions.

// Windows of all clips as rows, standardised, and what each is worth to each action.
struct JudgeRows {
  std::vector<float> values;   // [rows × columns]
  std::vector<float> targets;  // [rows × actions] Shares; sum 1.
  std::vector<float> weights;  // [rows] Sum 1.
  std::size_t size() const { return weights.size(); }
};

std::size_t columns() { return idx(description_width()); }

// Evenly spaced windows of a clip.
std::vector<std::size_t> chosen_windows(const JudgedClip& clip) {
  const std::size_t all = clip.windows.size() / columns(), count = std::min(all, kMostWindows);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(i * all / count);
  return out;
}

// probabilities[actions] of a standardised row.
void soft_max(const float* row, const std::vector<float>& weights, std::size_t actions, std::vector<float>& out) {
  const std::size_t width = columns();
  std::copy_n(&weights[width * actions], actions, out.begin());
  for (std::size_t c = 0; c < width; ++c) {
    const float value = row[c];
    const float* line = &weights[c * actions];
    for (std::size_t a = 0; a < actions; ++a) out[a] += value * line[a];
  }
  const float largest = *std::max_element(out.begin(), out.end());
  float sum = 0;
  for (float& value : out) sum += value = std::exp(value - largest);
  for (float& value : out) value /= sum;
}

// Gradient descent with Nesterov's momentum on the cross entropy; the same on every machine with the same arithmetic.
std::vector<float> fit(const JudgeRows& rows, std::size_t actions, const JudgeOptions& options) {
  const std::size_t width = columns(), size = (width + 1) * actions;
  std::vector<float> weights(size, 0), ahead(size, 0), before(size, 0), gradient(size), guess(actions);
  constexpr float kRate = 0.5F;
  for (int round = 0; round < options.rounds; ++round) {
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const float* row = &rows.values[r * width];
      soft_max(row, ahead, actions, guess);
      for (std::size_t a = 0; a < actions; ++a) guess[a] = (guess[a] - rows.targets[r * actions + a]) * rows.weights[r];
      for (std::size_t c = 0; c < width; ++c) {
        float* line = &gradient[c * actions];
        for (std::size_t a = 0; a < actions; ++a) line[a] += row[c] * guess[a];
      }
      for (std::size_t a = 0; a < actions; ++a) gradient[width * actions + a] += guess[a];
    }
    for (std::size_t i = 0; i < width * actions; ++i) gradient[i] += static_cast<float>(options.decay) * ahead[i];
    const float momentum = static_cast<float>(round) / static_cast<float>(round + 3);
    for (std::size_t i = 0; i < size; ++i) {
      before[i] = weights[i];
      weights[i] = ahead[i] - kRate * gradient[i];
      ahead[i] = weights[i] + momentum * (weights[i] - before[i]);
    }
  }
  return weights;
}

}  // namespace

Result<ActionJudge> ActionJudge::train(std::span<const JudgedClip> clips, const JudgeOptions& options) {
  std::map<int, int> counts;
  for (const JudgedClip& clip : clips)
    for (const int action : clip.actions) ++counts[action];
  ActionJudge judge;
  for (const auto& [action, count] : counts)
    if (count >= options.least_clips) judge.actions_.push_back(action);
  if (judge.actions_.size() < 2)
    return Error{ErrorCode::kUsage, fmt::format("a judge of actions needs two actions with {} real clips each; names "
                                                "of clips and files give their actions",
                                                options.least_clips)};
  const std::size_t width = columns(), actions = judge.actions_.size();
  JudgeRows rows;
  std::vector<double> totals(actions, 0);
  for (const JudgedClip& clip : clips) {
    std::vector<float> shares(actions, 0);
    float sum = 0;
    for (std::size_t a = 0; a < actions; ++a)
      if (std::find(clip.actions.begin(), clip.actions.end(), judge.actions_[a]) != clip.actions.end())
        shares[a] = 1, ++sum;
    if (sum == 0) continue;
    for (float& share : shares) share /= sum;
    const std::vector<std::size_t> chosen = chosen_windows(clip);
    for (const std::size_t w : chosen) {
      rows.values.insert(rows.values.end(), &clip.windows[w * width], &clip.windows[w * width] + width);
      rows.targets.insert(rows.targets.end(), shares.begin(), shares.end());
      rows.weights.push_back(1.0F / static_cast<float>(chosen.size()));
    }
    for (std::size_t a = 0; a < actions; ++a) totals[a] += double{shares[a]};
  }
  // Every action has the same weight.
  double all = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double weight = 0;
    for (std::size_t a = 0; a < actions; ++a) weight += double{rows.targets[r * actions + a]} / totals[a];
    rows.weights[r] *= static_cast<float>(weight);
    all += double{rows.weights[r]};
  }
  for (float& weight : rows.weights) weight /= static_cast<float>(all);
  judge.means_.resize(width);
  judge.scales_.resize(width);
  for (std::size_t c = 0; c < width; ++c) {
    double mean = 0, square = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double value = double{rows.values[r * width + c]};
      mean += value * double{rows.weights[r]};
      square += value * value * double{rows.weights[r]};
    }
    judge.means_[c] = static_cast<float>(mean);
    const double deviation = std::sqrt(std::max(0.0, square - mean * mean));
    judge.scales_[c] = deviation > 1e-6 ? static_cast<float>(1 / deviation) : 0;
  }
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    const std::size_t c = i % width;
    rows.values[i] = std::clamp((rows.values[i] - judge.means_[c]) * judge.scales_[c], -kFarthest, kFarthest);
  }
  judge.weights_ = fit(rows, actions, options);
  return judge;
}

bool ActionJudge::knows(std::span<const int> actions) const {
  return std::any_of(actions.begin(), actions.end(),
                     [&](int action) { return std::binary_search(actions_.begin(), actions_.end(), action); });
}

void ActionJudge::log_probabilities(const float* window, std::vector<double>& out) const {
  std::vector<float> row(columns()), guess(actions_.size());
  for (std::size_t c = 0; c < row.size(); ++c)
    row[c] = std::clamp((window[c] - means_[c]) * scales_[c], -kFarthest, kFarthest);
  soft_max(row.data(), weights_, actions_.size(), guess);
  for (std::size_t a = 0; a < guess.size(); ++a) out[a] += std::log(std::max(1e-6, double{guess[a]}));
}

std::vector<double> ActionJudge::probabilities(std::span<const float> windows) const {
  const std::size_t count = windows.size() / columns();
  std::vector<double> out(actions_.size(), 0);
  for (std::size_t w = 0; w < count; ++w) log_probabilities(&windows[w * columns()], out);
  // The mean of the logarithms: windows of one clip are not independent of each other.
  double sum = 0, largest = -1e300;
  for (double& value : out) largest = std::max(largest, value /= static_cast<double>(std::max<std::size_t>(count, 1)));
  for (double& value : out) sum += value = std::exp(value - largest);
  for (double& value : out) value /= sum;
  return out;
}

int ActionJudge::judge(std::span<const float> windows) const {
  const std::vector<double> guess = probabilities(windows);
  return actions_[idx(static_cast<int>(std::max_element(guess.begin(), guess.end()) - guess.begin()))];
}

bool ActionJudge::agrees(std::span<const float> windows, std::span<const int> wanted, int best) const {
  const std::vector<double> guess = probabilities(windows);
  std::vector<std::size_t> order(guess.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return guess[a] > guess[b]; });
  for (std::size_t i = 0; i < std::min(order.size(), idx(best)); ++i)
    if (std::find(wanted.begin(), wanted.end(), actions_[order[i]]) != wanted.end()) return true;
  return false;
}

JudgeScore score(const ActionJudge& judge, std::span<const JudgedClip> clips) {
  JudgeScore out;
  std::map<int, int> counts;
  for (const JudgedClip& clip : clips) {
    if (!judge.knows(clip.actions)) continue;
    ++out.clips;
    for (const int action : clip.actions) ++counts[action];
    out.accuracy += judge.agrees(clip.windows, clip.actions, 1) ? 1 : 0;
    out.top_three += judge.agrees(clip.windows, clip.actions, 3) ? 1 : 0;
  }
  if (out.clips == 0) return out;
  for (const auto& [action, count] : counts)
    if (judge.knows(std::span(&action, 1))) out.largest = std::max(out.largest, static_cast<double>(count));
  for (double* value : {&out.accuracy, &out.top_three, &out.largest}) *value /= out.clips;
  return out;
}

Result<JudgeScore> cross_validate(std::span<const JudgedClip> clips, int folds, const JudgeOptions& options) {
  std::map<std::string, int> fold_of;
  for (const JudgedClip& clip : clips) fold_of.emplace(clip.body, 0);
  int next = 0;
  for (auto& [body, fold] : fold_of) fold = next++ % folds;
  if (next < 2) return Error{ErrorCode::kUsage, "clips of two bodies are needed to leave one out"};
  JudgeScore all;
  for (int fold = 0; fold < std::min(folds, next); ++fold) {
    std::vector<JudgedClip> seen, left_out;
    for (const JudgedClip& clip : clips) (fold_of[clip.body] == fold ? left_out : seen).push_back(clip);
    const Result<ActionJudge> judge = ActionJudge::train(seen, options);
    if (!judge) continue;  // All clips of an action are of one body.
    const JudgeScore part = score(*judge, left_out);
    all.clips += part.clips;
    all.accuracy += part.accuracy * part.clips;
    all.top_three += part.top_three * part.clips;
    all.largest += part.largest * part.clips;
  }
  if (all.clips == 0) return Error{ErrorCode::kUsage, "no action has clips of two bodies"};
  for (double* value : {&all.accuracy, &all.top_three, &all.largest}) *value /= all.clips;
  return all;
}

}  // namespace zoe::eval
