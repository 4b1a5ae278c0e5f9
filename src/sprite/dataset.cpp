// SPDX-License-Identifier: MIT
#include "zoe/sprite/dataset.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/identity/captions.h"
#include "zoe/sprite/keypoints.h"
#include "zoe/sprite/make_frames.h"

#include "sprite/dataset_lines.h"
#include "sprite/json_pieces.h"

namespace zoe::sprite {
namespace {

constexpr int kBatch = 48;

// Clips are drawn side by side on all threads; each one on its own.
class OneThread final : public Executor {
 public:
  int num_threads() const noexcept override { return 1; }
  void run(const Task& task) noexcept override {
    for (std::size_t i = 0; i < task.num_pieces(); ++i) task.run_piece(i);
  }
};

const std::vector<std::string>& actions_of(const DatasetOptions& options) {
  return options.actions.empty() ? identity::action_words() : options.actions;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + json_text(word);
  return "[" + out + "]";
}

std::string file_of(int id, std::string_view map = {}) {
  return fmt::format("clips/{:03}/{:06}{}{}.png", id / 1000, id, map.empty() ? "" : "_", map);
}

std::string with_article(const std::string& word) {
  const bool vowel = !word.empty() && std::string_view("aeiou").find(word[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + word;
}

struct DrawnClip {
  std::vector<std::pair<std::string, std::vector<std::byte>>> files;
  std::string line;
};

// Who is drawn, and what the line of the clip says of it.
struct Person {
  Request request;
  std::string word;
  std::shared_ptr<const Motion> motion, stand;
  bool loop = false;
  std::string fields;  // Members of JSON.
  std::vector<std::string> captions;
};

Person identity_of(const DatasetOptions& options, const ClipPlan& plan) {
  const identity::Identity person = identity::make_identity(plan.traits);
  const std::vector<std::string>& actions = actions_of(options);
  const bool own = plan.action < static_cast<int>(actions.size());
  const auto further = static_cast<std::size_t>(plan.action) - actions.size();
  Person out{.request = {.character = person.character, .body = person.body},
             .word = own ? actions[static_cast<std::size_t>(plan.action)] : options.motions[further].name};
  out.motion = std::make_shared<const Motion>(
      own ? identity::make_action(person, out.word).value()
          : identity::transfer(options.motions[further], *options.motion_source, person));
  out.loop = own ? identity::action_loops(out.word) : is_loop(*out.motion);
  out.stand = std::make_shared<const Motion>(identity::make_action(person, "idle").value());
  out.request.num_weapon_instances = person.num_weapon_instances;
  const identity::Traits& t = plan.traits;
  out.fields = fmt::format(
      "\"identity\": {}, \"species\": {}, \"class\": {}, \"build\": {}, \"skin\": {}, \"hair\": {}, \"hair_color\": "
      "{}, \"hat\": {}, \"outfit\": {}, \"cloth\": {}, \"weapon\": {}",
      t.seed, json_text(to_string(t.species)), json_text(to_string(t.job)), json_text(to_string(t.build)),
      json_text(t.skin.word), json_text(to_string(t.hair)), json_text(t.hair_color.word), json_text(to_string(t.hat)),
      json_text(to_string(t.outfit)), json_text(t.cloth.word), json_text(to_string(t.weapon)));
  out.captions = identity::captions(t, out.word, plan.direction, plan.style);
  return out;
}

Person character_of(const DatasetOptions& options, const ClipPlan& plan) {
  const DatasetCharacter& source = options.characters[static_cast<std::size_t>(plan.character)];
  const DatasetCharacter::Armed& armed = source.armed[static_cast<std::size_t>(plan.weapon)];
  const DatasetCharacter::Action& action = source.actions[static_cast<std::size_t>(plan.action)];
  Person out{.request = {.character = armed.character,
                         .image_folder = source.image_folder,
                         .metres_per_unit = source.metres_per_unit,
                         .body = source.body},
             .word = action.word,
             .motion = action.motion,
             .stand = source.actions.front().motion,
             .loop = action.loop};
  for (const DatasetCharacter::Action& other : source.actions) {
    if (other.word.find("idle") == std::string::npos) continue;
    out.stand = other.motion;
    break;
  }
  out.request.num_weapon_instances = armed.num_weapon_instances;
  const std::string who =
      with_article(source.name) + (armed.weapon.empty() ? "" : " with " + with_article(armed.weapon));
  const std::string doing = identity::gerund(action.word);
  out.fields = fmt::format("\"character\": {}, \"weapon\": {}", json_text(source.name),
                           json_text(armed.weapon.empty() ? "none" : armed.weapon));
  out.captions = {fmt::format("game character {} animation of {}, {}, {} style", doing, who,
                              identity::view_words(plan.direction), plan.style),
                  who + ", " + doing, source.name + " " + doing};
  return out;
}

Result<DrawnClip> draw_clip(const DatasetOptions& options, const ClipPlan& plan) {
  Person person = plan.character >= 0 ? character_of(options, plan) : identity_of(options, plan);
  Request& request = person.request;
  request.num_directions = 1;
  request.size_px = options.size_px;
  request.turn_deg = plan.yaw_deg <= 90 ? 90 - plan.yaw_deg : 450 - plan.yaw_deg;  // Below 0 means the default.
  request.pitch_deg = plan.pitch_deg;
  request.look.style = *style_from(plan.style);
  request.look.shadow = false;
  request.maps = options.maps;
  request.maps.add(MapKind::kPose);  // For the keypoints.
  // One scale, pivot and palette for the reference and the clip.
  request.clips.push_back({"reference", person.stand, {{0, 100}}, false});
  request.clips.push_back(
      {person.word, person.motion, even_exposures(*person.motion, 12, options.num_frames, person.loop), person.loop});
  OneThread serial;
  Warnings warnings;
  ZOE_TRY_ASSIGN(const FrameSet set, make_frames(request, serial, warnings));

  DrawnClip clip;
  const auto count = static_cast<int>(set.frames.size());
  const auto strip = [&](const auto& picture_of) {
    render::Picture wide = render::make_picture(set.width * count, set.height, 0, 0, 0, 0);
    for (int i = 0; i < count; ++i)
      render::paste(picture_of(set.frames[static_cast<std::size_t>(i)]), i * set.width, 0, wide);
    return render::encode_png(wide, render::PngAlpha::kKeep);
  };
  clip.files.emplace_back(file_of(plan.id),
                          strip([&](const Frame& f) { return untrim(f.body, set.width, set.height); }));
  for (std::size_t kind = 0; kind < kNumMaps; ++kind) {
    if (!options.maps.kinds[kind]) continue;
    clip.files.emplace_back(file_of(plan.id, kMapWords[kind]),
                            strip([&](const Frame& f) -> const render::Picture& { return f.maps.pictures[kind]; }));
  }
  std::string& line = clip.line;
  line = fmt::format(
      "{{\"id\": {}, \"file\": {}, {}, \"action\": {}, \"loop\": {}, \"style\": {}, \"direction\": {}, \"yaw_deg\": "
      "{}, \"pitch_deg\": {}, \"frames\": {}, \"pivot\": [{}, {}], \"pixels_per_metre\": {}, \"palette\": [",
      plan.id, json_text(file_of(plan.id)), person.fields, json_text(person.word), person.loop, json_text(plan.style),
      json_text(plan.direction), json_number(static_cast<double>(plan.yaw_deg)),
      json_number(static_cast<double>(plan.pitch_deg)), count - 1, set.pivot_x, set.pivot_y,
      json_number(static_cast<double>(set.pixels_per_metre)));
  for (std::size_t i = 0; i < set.palette.size(); ++i)
    line += fmt::format("{}\"{:02x}{:02x}{:02x}\"", i == 0 ? "" : ", ", set.palette[i].r, set.palette[i].g,
                        set.palette[i].b);
  line += "], \"captions\": " + list_of(person.captions) + ", \"poses\": [";
  for (int i = 0; i < count; ++i)
    line += (i == 0 ? "" : ", ") + keypoints_json(set.frames[static_cast<std::size_t>(i)].maps);
  line += "]}\n";
  return clip;
}

std::string describe_dataset(const DatasetOptions& options) {
  std::vector<std::string> actions = options.num_identities > 0 ? actions_of(options) : std::vector<std::string>{};
  std::vector<std::string> maps;
  for (const Motion& motion : options.motions) actions.push_back(motion.name);
  for (std::size_t kind = 0; kind < kNumMaps; ++kind) {
    if (options.maps.kinds[kind]) maps.emplace_back(kMapWords[kind]);
  }
  std::string pitches, words;
  for (const float pitch : options.pitches_deg)
    pitches += (pitches.empty() ? "" : ", ") + json_number(static_cast<double>(pitch));
  for (const auto& [category, list] : identity::vocabulary())
    words += fmt::format("{}\n    {}: {}", words.empty() ? "" : ",", json_text(category), list_of(list));
  // Only where there are some: descriptions of identities alone stay as they were, and runs go on.
  std::string characters;
  for (const DatasetCharacter& character : options.characters) {
    std::vector<std::string> motions, weapons;
    for (const DatasetCharacter::Action& action : character.actions) motions.push_back(action.word);
    for (const DatasetCharacter::Armed& armed : character.armed) {
      if (!armed.weapon.empty()) weapons.push_back(armed.weapon);
    }
    characters +=
        fmt::format("{}\n    {{\"name\": {}, \"actions\": {}, \"weapons\": {}}}", characters.empty() ? "" : ",",
                    json_text(character.name), list_of(motions), list_of(weapons));
  }
  if (!characters.empty()) characters = "  \"characters\": [" + characters + "\n  ],\n";
  return fmt::format(
      "{{\n  \"clips\": {},\n  \"size\": {},\n  \"frames\": {},\n  \"layout\": \"reference, then frames, side by "
      "side\",\n  \"first_identity\": {},\n  \"identities\": {},\n  \"seed\": {},\n  \"parts\": {},\n  \"actions\": "
      "{},\n  \"styles\": {},\n  \"directions\": {},\n  \"pitches_deg\": [{}],\n  \"weapon_changes\": {},\n  \"maps\": "
      "{},\n{}  \"vocabulary\": {{{}\n  }}\n}}\n",
      num_dataset_clips(options), options.size_px, options.num_frames, options.first_identity, options.num_identities,
      options.seed, options.num_parts, list_of(actions), list_of(options.styles), options.num_directions, pitches,
      json_number(static_cast<double>(options.weapon_changes)), list_of(maps), characters, words);
}

Result<void> check_options(const DatasetOptions& options) {
  const auto wrong = [](std::string message) { return Error{ErrorCode::kUsage, std::move(message), {}}; };
  if (options.num_identities < 0 || (options.num_identities == 0 && options.characters.empty()))
    return wrong("a dataset needs at least one identity or character");
  for (const DatasetCharacter& character : options.characters) {
    if (character.actions.empty() || character.armed.empty())
      return wrong(fmt::format("the character '{}' has no motion or no body", character.name));
  }
  if (options.size_px < 16 || options.size_px > 512)
    return wrong(fmt::format("clips of {} pixels: 16 to 512 are possible", options.size_px));
  if (options.num_frames < 1 || options.num_frames > 128)
    return wrong(fmt::format("{} frames: 1 to 128 are possible", options.num_frames));
  if (options.part < 1 || options.part > options.num_parts)
    return wrong(fmt::format("part {} of {}: parts are counted from 1", options.part, options.num_parts));
  if (options.styles.empty() || options.pitches_deg.empty()) return wrong("a dataset needs a style and a pitch");
  for (const std::string& style : options.styles) {
    if (!style_from(style)) return wrong(fmt::format("there is no style '{}'", style));
  }
  const std::vector<std::string>& known = identity::action_words();
  for (const std::string& action : options.actions) {
    if (std::find(known.begin(), known.end(), action) == known.end())
      return wrong(fmt::format("identities have no action '{}'", action));
  }
  return {};
}

}  // namespace

Result<DatasetReport> write_dataset(const DatasetOptions& options, Executor& executor) {
  ZOE_TRY(check_options(options));
  const std::filesystem::path about = options.folder / "dataset.json",
                              list =
                                  options.folder / fmt::format("part_{}_of_{}.jsonl", options.part, options.num_parts);
  const std::string description = describe_dataset(options);
  if (const Result<MappedFile> before = MappedFile::open(about); before && before->text() != description) {
    return Error{ErrorCode::kUsage,
                 "holds a dataset of other options: give the same ones to go on, or another folder (-o)",
                 {.file = about.string()}};
  }
  ZOE_TRY(write_file_atomic(about, description));
  FinishedClips before;
  if (const Result<MappedFile> lines = MappedFile::open(list)) before = read_finished(lines->text());
  const std::set<int>& finished = before.ids;
  ZOE_TRY(write_file_atomic(list, before.text));
  std::vector<int> ids;
  for (int id = options.part - 1; id < num_dataset_clips(options); id += options.num_parts) {
    if (!finished.contains(id)) ids.push_back(id);
  }
  DatasetReport report{.num_before = static_cast<int>(finished.size())};
  const int all = static_cast<int>(ids.size()) + report.num_before;
  for (std::size_t first = 0; first < ids.size(); first += kBatch) {
    const std::size_t count = std::min<std::size_t>(kBatch, ids.size() - first);
    std::vector<std::string> lines(count);
    std::vector<std::optional<Error>> errors(count);
    executor.parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Result<DrawnClip> clip = draw_clip(options, plan_clip(options, ids[first + i]));
        if (!clip) {
          errors[i] = clip.error();
          continue;
        }
        for (const auto& [name, bytes] : clip->files) {
          if (const Result<void> written = write_file_atomic(options.folder / name, bytes); !written)
            errors[i] = written.error();
        }
        lines[i] = std::move(clip->line);
      }
    });
    // A line says that the clip's files are complete; lines are in the order of the clips.
    std::ofstream file(list, std::ios::binary | std::ios::app);
    for (std::size_t i = 0; i < count; ++i) {
      if (errors[i]) return *errors[i];
      file << lines[i];
    }
    file.flush();
    if (!file) return Error{ErrorCode::kIo, "cannot be written", {.file = list.string()}};
    report.num_done += static_cast<int>(count);
    if (options.on_progress && !options.on_progress(report.num_before + report.num_done, all)) {
      report.interrupted = first + count < ids.size();
      break;
    }
  }
  return report;
}

}  // namespace zoe::sprite
