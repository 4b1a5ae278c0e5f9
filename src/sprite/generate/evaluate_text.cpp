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

Result<TextClip> draw_caption(std::uint64_t seed, int num_frames) {
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
  Request request{.character = person.character, .body = person.body, .num_directions = 1, .size_px = kJudgedSize};
  request.turn_deg = view.turn_deg;
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
  if (out.set.frames.size() < 2 || out.set.animations.size() != 2)
    return Error{ErrorCode::kInvalid, "a caption gave no frames", {}};
  out.still = out.set.frames.back();
  out.set.frames.pop_back();
  out.set.animations.pop_back();
  return out;
}

paint::Answers judged_answers(const std::vector<const nn::Network*>& words, const FrameSet& set) {
  Frames frames;
  for (const Frame& frame : set.frames) frames.push_back(untrim(frame.body, set.width, set.height).rgba);
  paint::Answers answers = paint::kNoAnswers;
  for (const nn::Network* judge : words) judge_words(*judge, frames, answers);
  return answers;
}

void count(const paint::Answers& meant, const paint::Answers& given, TextScores& scores) {
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q) {
    if (q == paint::kAskDrawn || meant[q] < 0 || given[q] < 0) continue;
    ++scores.asked[q];
    scores.right[q] += meant[q] == given[q] ? 1 : 0;
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
  std::vector<paint::Answers> given(captions, paint::kNoAnswers);
  executor.parallel_for(captions, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Result<TextClip> clip = draw_caption(seed + i, num_frames);
      if (clip) {
        given[i] = judged_answers(words, clip->set);
        clips[i] = std::move(*clip);
      } else {
        errors[i] = clip.error();
      }
    }
  });
  std::vector<TextScores> rows{{"factory", {}, {}}};
  for (std::size_t i = 0; i < captions; ++i) {
    if (errors[i]) return *errors[i];
    count(clips[i]->answers, given[i], rows[0]);
  }
  if (painter == nullptr) return rows;
  rows.push_back({"video", {}, {}});
  executor.parallel_for(captions, 1, [&](std::size_t begin, std::size_t end) {
    SerialExecutor serial;
    for (std::size_t i = begin; i < end; ++i) {
      TextClip& clip = *clips[i];
      VideoLook own = look;
      own.seed = look.seed + i;
      const Result<void> painted =
          repaint(clip.set, clip.still, clip.direction, *painter, {clip.who, clip.style}, own, serial);
      if (painted)
        given[i] = judged_answers(words, clip.set);
      else
        errors[i] = painted.error();
    }
  });
  for (std::size_t i = 0; i < captions; ++i) {
    if (errors[i]) return *errors[i];
    count(clips[i]->answers, given[i], rows[1]);
  }
  return rows;
}

}  // namespace zoe::sprite
