// SPDX-License-Identifier: MIT
#include "controller/play_goal.h"

#include <fmt/format.h>

#include "zoe/author/show_deed.h"
#include "zoe/eval/deeds.h"
#include "zoe/eval/goals.h"
#include "zoe/io/gltf.h"
#include "zoe/scene/displayed_body.h"

#include "film.h"
#include "seat_file.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using control::Deed;

struct Words {
  Deed deed = Deed::kSit;
  std::string file;
};
Result<Words> read_words(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::string deed = text.substr(0, space);
  Words words;
  if (space != std::string::npos) words.file = text.substr(text.find_first_not_of(' ', space));
  if (deed == "sit")
    words.deed = Deed::kSit;
  else if (deed == "carry")
    words.deed = Deed::kCarry;
  else if (deed == "open")
    words.deed = Deed::kOpen;
  else if (deed == "walk")
    words.deed = Deed::kWalk;
  else
    return Error{ErrorCode::kUsage, fmt::format("--goal '{}': there are sit, carry, open and walk", deed), {}};
  if (!words.file.empty() && words.deed != Deed::kSit)
    return Error{ErrorCode::kUsage, fmt::format("--goal {} has its own props; only sit takes a file", deed), {}};
  return words;
}

}  // namespace

int play_goal(const PlayOptions& options, const Playable& playable) {
  const auto words = read_words(options.goal);
  if (!words) return print_error(words.error());
  const auto facts = control::load_deed_facts(options.run);
  if (!facts) return print_error(facts.error());
  eval::DeedTask task;
  if (words->deed == Deed::kWalk) {
    const eval::GoalTask around = eval::draw_avoid_task(options.seed);
    task = {around.props, {Deed::kWalk, 0, {around.goal, around.facing_rad}}};
  } else {
    task = eval::draw_deed_task(words->deed, *facts, options.seed);
  }
  if (!words->file.empty()) {
    auto seat = read_seat(words->file, options.seat_scale);
    if (!seat) return print_error(seat.error());
    seat->position = task.props[0].position, seat->facing_rad = task.props[0].facing_rad;
    task.props[0] = *seat;
    if (const std::string beyond = control::beyond_data(*facts, *seat); !beyond.empty())
      return print_error(
          Error{ErrorCode::kUsage,
                fmt::format("this character cannot sit on it: {}; --seat-scale changes its size", beyond),
                {.file = words->file}});
  }
  const double seconds = options.seconds > 0 ? options.seconds : 20;
  const eval::DeedRecording deed = eval::record_deed(*playable.controller, *facts, task, seconds, options.fps);
  if (!quiet()) {
    fmt::print("{}: {} {} after {:.1f} s\n", options.run, options.goal, deed.done_s >= 0 ? "done" : "not done",
               deed.done_s >= 0 ? deed.done_s : seconds);
    if (!deed.note.empty()) fmt::print("  {}\n", deed.note);
  }
  if (options.output.empty()) return kDone;
  const bool own_body = playable.body.character && !playable.body.retarget;
  auto shown = author::show_deed(own_body ? playable.body.character : nullptr, deed);
  if (!shown) return print_error(shown.error());
  if (is_film(options.output)) {
    const scene::DisplayedBody body{.character = shown->character};
    return write_film(
        *shown->motion,
        {.output = options.output, .style = options.style == "skeleton" ? "studio" : options.style, .body = &body});
  }
  const auto written = io::write_gltf(options.output, *shown->character, {shown->motion.get(), 1}, {});
  return written ? static_cast<int>(kDone) : print_error(written.error());
}

}  // namespace zoe::cli
