// SPDX-License-Identifier: MIT
// Part of Zoetrope. What judges are asked about a clip: the action, who is drawn, what it wears and holds, its colours,
// and whether a hand drew it. Answers are numbers; sprite/generate/answers.h has their words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace zoe::paint {

enum QuestionIndex : std::size_t {
  kAskAction,
  kAskSpecies,
  kAskClass,
  kAskColor,  // Of the clothes.
  kAskSkin,   // Of bodies that are no people: captions name it.
  kAskDrawn,  // 0: rendered, 1: drawn by hand.
  kAskOutfit,
  kAskHat,
  kAskWeapon,  // What classes are known by.
};
constexpr std::size_t kNumQuestions = 9;

struct Question {
  const char* name;
  int num_answers;
};
constexpr std::array<Question, kNumQuestions> kQuestions{{{"action", 25},
                                                          {"species", 20},
                                                          {"class", 12},
                                                          {"color", 20},
                                                          {"skin", 20},
                                                          {"drawn", 2},
                                                          {"outfit", 7},
                                                          {"hat", 13},
                                                          {"weapon", 13}}};

// -1: unknown, or it has none.
using Answers = std::array<std::int32_t, kNumQuestions>;
constexpr Answers kNoAnswers{-1, -1, -1, -1, -1, -1, -1, -1, -1};

constexpr std::optional<std::size_t> question_from(std::string_view name) {
  for (std::size_t q = 0; q < kNumQuestions; ++q)
    if (name == kQuestions[q].name) return q;
  return std::nullopt;
}

// Frames that a judge of motion sees: clips of other lengths are sampled evenly.
constexpr std::size_t kJudgedFrames = 8;
// The frame of a clip of `num_frames` that is number `k` of the judged ones.
constexpr std::size_t judged_frame(std::size_t k, std::size_t num_frames) { return k * num_frames / kJudgedFrames; }

}  // namespace zoe::paint
