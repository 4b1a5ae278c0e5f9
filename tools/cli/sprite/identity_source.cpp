// SPDX-License-Identifier: MIT
#include "sprite/identity_source.h"

#include <charconv>

#include <fmt/format.h>

#include "zoe/core/suggest.h"
#include "zoe/io/convert.h"
#include "zoe/retarget/retarget.h"

#include "clip.h"
#include "sprite/source.h"

namespace zoe::cli {

std::optional<std::uint64_t> identity_seed(const std::string& character) {
  constexpr std::string_view kPrefix = "identity:";
  if (!character.starts_with(kPrefix)) return std::nullopt;
  std::uint64_t seed = 0;
  const char* end = character.data() + character.size();
  const auto [at, error] = std::from_chars(character.data() + kPrefix.size(), end, seed);
  if (error != std::errc() || at != end) return std::nullopt;
  return seed;
}

Result<std::vector<Motion>> motions_on_identity(const std::string& file, const std::vector<std::string>& clips,
                                                const std::vector<std::string>& actions,
                                                const sprite::identity::Identity& identity, Warnings& warnings) {
  ZOE_TRY_ASSIGN(const LoadedClip loaded, load_clip(file, {}, warnings));
  ZOE_TRY_ASSIGN(SourceMotions source, load_motions(file, clips, actions, warnings));
  const SkeletonPtr& skeleton = identity.character->skeleton;
  const RetargetOptions options{.source_reference = reference_pose(*loaded.motion.skeleton, source.body,
                                                                   loaded.asset->clips, loaded.character().get()),
                                .target_reference = make_pose(*skeleton),
                                .target_character = identity.character.get()};
  std::vector<Motion> moved;
  for (const Motion& motion : source.motions) {
    Result<Motion> result = retarget(motion, source.body, skeleton, identity.body, options);
    if (!result) {
      Error error = result.error();
      error.where.file = file;
      return error;
    }
    result->name = motion.name;
    moved.push_back(std::move(result).value());
  }
  return moved;
}

Result<void> load_identity_source(std::uint64_t seed, const SpriteSource& source, sprite::Request& request,
                                  Warnings& warnings) {
  namespace id = sprite::identity;
  const id::Identity identity = id::make_identity(id::draw_traits(seed));
  request.character = identity.character;
  request.body = identity.body;
  request.metres_per_unit = 1;
  request.num_weapon_instances = identity.num_weapon_instances;
  std::vector<Motion> motions;
  if (!source.motion.empty()) {
    ZOE_TRY_ASSIGN(motions, motions_on_identity(source.motion, source.clips, source.actions, identity, warnings));
  } else {
    std::vector<std::string> words = source.clips;
    words.insert(words.end(), source.actions.begin(), source.actions.end());
    if (words.empty()) words = {"idle"};
    if (words.size() == 1 && words[0] == "all") words = id::action_words();
    for (const std::string& word : words) {
      const std::string known = lower_case(word) == "attack" ? "slash" : lower_case(word);
      std::optional<Motion> motion = id::make_action(identity, known);
      if (!motion) {
        std::string all;
        for (const std::string& name : id::action_words()) all += (all.empty() ? "" : ", ") + name;
        return Error{ErrorCode::kUsage,
                     fmt::format("identities have no action '{}'{}; they have: {}", word,
                                 did_you_mean(known, id::action_words()), all),
                     {}};
      }
      motion->name = word;
      motions.push_back(std::move(*motion));
    }
  }
  for (Motion& motion : motions) {
    if (motion.num_frames < 1) continue;
    const std::string name = unique_tag(motion.name, request.clips);
    request.clips.push_back({.name = name, .motion = std::make_shared<const Motion>(std::move(motion))});
  }
  if (request.clips.empty()) return Error{ErrorCode::kInvalid, "the clips have no frames", {.file = source.motion}};
  return {};
}

}  // namespace zoe::cli
