// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/evaluate_text.h"

#include <optional>

#include "zoe/core/random.h"
#include "zoe/sprite/generate/answers.h"
#include "zoe/sprite/generate/text.h"
#include "zoe/sprite/identity/captions.h"
#include "zoe/sprite/identity/identity.h"
#include "zoe/sprite/make_frames.h"

#include "sprite/generate/serial_executor.h"
#include "sprite/generate/word_judge.h"

namespace zoe::sprite {
namespace {

constexpr int kJudgedSize = 64;
constexpr std::array<const char*, 3> kTextStyles{"pixel", "toon", "lit"};
// Views in which faces and clothes are seen: direction and turn of the request.
struct TextView {
  const char* direction;
  float turn_deg;
};
constexpr std::array<TextView, 3> kTextViews{{{"s", 90}, {"se", 45}, {"sw", 135}}};

struct TextClip {
  FrameSet set;  // Frames of the action.
  Frame still;
  std::string direction, style, who;
  paint::Answers answers;  // Of the caption.
};

Result<TextClip> draw_caption(std::uint64_t seed, int num_frames, int num_directions) {
  Random random = Random(seed).split(31);
  const identity::Traits meant = identity::draw_traits(seed);
  const std::vector<std::string>& actions = identity::action_words();
  const std::string& action = actions[random.below(actions.size())];
  const TextView view = kTextViews[random.below(kTextViews.size())];
  TextClip out;
  out.direction = view.direction;
  out.style = kTextStyles[random.below(kTextStyles.size())];
  out.answers = answers_of(meant, action);
  // From here on the caption is all that is known; the rest of the character is that of another seed.
  ZOE_TRY_ASSIGN(const TextRequest text,
                 parse_text(identity::captions(meant, action, out.direction, out.style)[0], seed + 1000000));
  out.who = text.who;
  const identity::Identity person = identity::make_identity(text.traits);
  Request request{
      .character = person.character, .body = person.body, .num_directions = num_directions, .size_px = kJudgedSize};
  if (num_directions == 1) request.turn_deg = view.turn_deg;
  request.pitch_deg = 15;
  request.look.style = *style_from(text.style);
  request.look.shadow = false;
  request.num_weapon_instances = person.num_weapon_instances;
  request.maps.add(MapKind::kPose);
  const std::string word = text.actions.empty() ? "idle" : text.actions[0];
  const auto motion = std::make_shared<const Motion>(identity::make_action(person, word).value());
  const auto stand = std::make_shared<const Motion>(identity::make_action(person, "idle").value());
  const bool loop = identity::action_loops(word);
  request.clips.push_back({word, motion, even_exposures(*motion, 12, num_frames, loop), loop});
  request.clips.push_back({"still", stand, {{0, 100}}, false});
  SerialExecutor serial;
  Warnings warnings;
  ZOE_TRY_ASSIGN(out.set, make_frames(request, serial, warnings));
  const auto directions = static_cast<std::size_t>(num_directions);
  if (out.set.animations.size() != 2 * directions || out.set.frames.size() < 2 * directions)
    return Error{ErrorCode::kInvalid, "a caption gave no frames", {}};
  // One still for each direction is last of all.
  const Animation first = out.set.animations[directions];
  out.still = out.set.frames[static_cast<std::size_t>(first.first)];
  if (num_directions > 1)
    out.direction = first.direction;
  else
    out.set.animations[0].direction = out.direction;  // Sets of one direction call it east, however they are turned.
  out.set.frames.resize(out.set.frames.size() - directions);
  out.set.animations.resize(directions);
  return out;
}

// Of each direction.
using AllAnswers = std::vector<paint::Answers>;
AllAnswers judged_answers(const std::vector<const nn::Network*>& words, const FrameSet& set) {
  AllAnswers all;
  for (const Animation& animation : set.animations) {
    Frames frames;
    for (int f = animation.first; f < animation.first + animation.count; ++f)
      frames.push_back(untrim(set.frames[static_cast<std::size_t>(f)].body, set.width, set.height).rgba);
    all.push_back(paint::kNoAnswers);
    for (const nn::Network* judge : words) judge_words(*judge, frames, all.back());
  }
  return all;
}

void count(const paint::Answers& meant, const AllAnswers& given, TextScores& scores) {
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q) {
    if (q == paint::kAskDrawn || meant[q] < 0 || given[0][q] < 0) continue;
    ++scores.asked[q];
    scores.right[q] += meant[q] == given[0][q] ? 1 : 0;
    for (std::size_t d = 1; d < given.size(); ++d) {
      ++scores.pairs[q];
      scores.agree[q] += given[0][q] == given[d][q] ? 1 : 0;
    }
  }
}

}  // namespace

Result<std::vector<TextScores>> EvaluateText::run(Executor& executor) const {
  if (words.empty()) return Error{ErrorCode::kUsage, "captions need judges: runs of `zoe train sprite_words`", {}};
  for (const nn::Network* judge : words) ZOE_TRY(check_word_judge(*judge, kJudgedSize));
  if (painter != nullptr && painter->size() != kJudgedSize)
    return Error{ErrorCode::kUsage, "judges of captions see pictures of 64 pixels, the painter has others", {}};
  const auto captions = static_cast<std::size_t>(num_captions);
  std::vector<std::optional<TextClip>> clips(captions);
  std::vector<std::optional<Error>> errors(captions);
  std::vector<AllAnswers> given(captions);
  std::vector<TextScores> rows;
  const auto add_row = [&](const char* method, const auto& answer) -> Result<void> {
    executor.parallel_for(captions, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Result<void> done = answer(i);
        if (!done) errors[i] = done.error();
      }
    });
    rows.push_back({method, {}, {}, {}, {}});
    for (std::size_t i = 0; i < captions; ++i) {
      if (errors[i]) return *errors[i];
      count(clips[i]->answers, given[i], rows.back());
    }
    return {};
  };
  const auto draw = [&](std::size_t i) -> Result<void> {
    ZOE_TRY_ASSIGN(TextClip clip, draw_caption(seed + i, num_frames, num_directions));
    given[i] = judged_answers(words, clip.set);
    clips[i] = std::move(clip);
    return {};
  };
  ZOE_TRY(add_row("factory", draw));
  if (painter == nullptr) return rows;
  for (const bool as_drawn : {true, false}) {
    const auto paint = [&](std::size_t i) -> Result<void> {
      SerialExecutor serial;
      const TextClip& clip = *clips[i];
      FrameSet set = clip.set;
      VideoLook own = look;
      own.seed = look.seed + i;
      ZOE_TRY(repaint(set, {&clip.still, clip.direction, as_drawn}, *painter, {clip.who, clip.style}, own, serial));
      given[i] = judged_answers(words, set);
      return {};
    };
    ZOE_TRY(add_row(as_drawn ? "animated" : "video", paint));
  }
  return rows;
}

}  // namespace zoe::sprite
