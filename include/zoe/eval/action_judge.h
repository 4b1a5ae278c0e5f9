// SPDX-License-Identifier: MIT
// Part of Zoetrope. Names the action of a clip of any body, to measure whether generated motion does what was
// requested. A linear classifier of the columns of motion_windows.h, trained on real clips only, without torch and
// without the motion encoder.
//
//   const ActionJudge judge = *ActionJudge::train(real_clips);
//   const JudgeScore own = score(judge, held_out_clips);           // What the judge itself is worth.
//   const int action = judge.judge(windows.values);
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::eval {

struct JudgedClip {
  std::vector<float> windows;  // [windows × description_width()], finite; at least one window.
  std::vector<int> actions;    // Of the vocabulary of features/action_words.h; the clip shows all of them.
  std::string body;            // Clips of one body are left out together by cross_validate().
};

struct JudgeOptions {
  int least_clips = 4;  // Of an action: rarer ones are not learned.
  int rounds = 300;     // Of gradient descent.
  double decay = 3e-3;  // Of the weights' squares.
};

// Immutable.
class ActionJudge {
 public:
  // Actions have equal weight, and so have the clips of an action. Fails where fewer than two actions have enough.
  static Result<ActionJudge> train(std::span<const JudgedClip> clips, const JudgeOptions& options = {});

  std::span<const int> actions() const { return actions_; }  // That the judge can name, in order.
  bool knows(std::span<const int> actions) const;            // One of them at least.
  // [actions()] Over all windows of a clip, sum 1. windows: [n × description_width()], n >= 1.
  std::vector<double> probabilities(std::span<const float> windows) const;
  int judge(std::span<const float> windows) const;
  // Whether one of `wanted` is among the `best` most probable actions.
  bool agrees(std::span<const float> windows, std::span<const int> wanted, int best = 1) const;

 private:
  ActionJudge() = default;
  void log_probabilities(const float* window, std::vector<double>& out) const;

  std::vector<int> actions_;
  std::vector<float> means_, scales_;  // [columns]
  std::vector<float> weights_;         // [(columns + 1) × actions] The last row: offsets.
};

struct JudgeScore {
  int clips = 0;  // With an action that the judge knows.
  double accuracy = 0, top_three = 0;
  double largest = 0;  // Fraction of the clips that show the most frequent action: what a constant answer reaches.
};
JudgeScore score(const ActionJudge& judge, std::span<const JudgedClip> clips);

// Each clip is judged by a judge that saw no clip of its body. Bodies are dealt to `folds` groups in turns.
Result<JudgeScore> cross_validate(std::span<const JudgedClip> clips, int folds = 5, const JudgeOptions& options = {});

}  // namespace zoe::eval
