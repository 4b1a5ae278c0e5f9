// SPDX-License-Identifier: MIT
#include "retarget/map_option.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/suggest.h"
#include "zoe/generate/correspondence.h"

#include "metric_body.h"
#include "verb.h"

namespace zoe::cli {
namespace {

struct NamedPair {
  std::string source, target;
  double confidence = 1;
  int line = 0;
};

Result<std::vector<NamedPair>> read_json(std::string_view text, bool& exact) {
  const nlohmann::json all = nlohmann::json::parse(text, nullptr, false);
  if (!all.is_object())
    return Error{ErrorCode::kInvalid,
                 "is no JSON object: give {\"target joint\": \"source joint\"}, or what `zoe "
                 "correspond SOURCE TARGET --json` prints"};
  std::vector<NamedPair> pairs;
  if (const auto joints = all.find("joints"); joints != all.end() && joints->is_array()) {
    exact = false;
    for (const nlohmann::json& joint : *joints) {
      const bool whole = joint.is_object() && joint.contains("a") && joint["a"].is_string() && joint.contains("b") &&
                         joint["b"].is_string();
      if (!whole) return Error{ErrorCode::kInvalid, "an entry of \"joints\" lacks the names \"a\" and \"b\""};
      const auto sure = joint.find("confidence");
      pairs.push_back({joint["a"], joint["b"], sure != joint.end() && sure->is_number() ? sure->get<double>() : 1.0});
    }
    return pairs;
  }
  for (const auto& [target, source] : all.items()) {
    if (source.is_null()) continue;
    if (!source.is_string())
      return Error{ErrorCode::kInvalid, fmt::format("the entry of \"{}\" is no name of a joint", target)};
    pairs.push_back({source.get<std::string>(), target});
  }
  return pairs;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\"";
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? ""
                                         : std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

Result<std::vector<NamedPair>> read_csv(std::string_view text) {
  std::vector<NamedPair> pairs;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= line.size();) {
      const std::size_t comma = std::min(line.find(',', from), line.size());
      words.push_back(trimmed(std::string_view(line).substr(from, comma - from)));
      from = comma + 1;
    }
    if (words.size() < 2 || words.size() > 3 || words[0].empty() || words[1].empty())
      return Error{ErrorCode::kInvalid, "a line has source,target or source,target,confidence", {.line = number}};
    if (number == 1 && words[0] == "source" && words[1] == "target") continue;
    NamedPair pair{words[0], words[1], 1, number};
    if (words.size() == 3) {
      const auto [stop, failed] = std::from_chars(words[2].data(), words[2].data() + words[2].size(), pair.confidence);
      if (failed != std::errc() || stop != words[2].data() + words[2].size() ||
          !(pair.confidence >= 0 && pair.confidence <= 1))
        return Error{ErrorCode::kInvalid, "the confidence is no number from 0 to 1", {.line = number}};
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

Result<int> joint_named(const Skeleton& skeleton, const NamedPair& pair, bool source) {
  const std::string& name = source ? pair.source : pair.target;
  if (const int joint = skeleton.find(name); joint != kNoJoint) return joint;
  std::vector<std::string> names;
  for (int j = 0; j < skeleton.num_joints(); ++j) names.push_back(skeleton.name(j));
  return Error{ErrorCode::kInvalid,
               fmt::format("the {} has no joint '{}'{}", source ? "source" : "target", name, did_you_mean(name, names)),
               {.line = pair.line}};
}

int count_limbs(const SkeletonAnalysis& body, LimbKind kind) {
  return static_cast<int>(std::ranges::count(body.limbs, kind, &Limb::kind));
}

// Bodies that roles match well: nothing is left to estimate.
bool are_alike(const SkeletonAnalysis& a, const SkeletonAnalysis& b) {
  if (a.family != b.family) return false;
  return std::ranges::all_of(std::initializer_list<LimbKind>{LimbKind::kLeg, LimbKind::kArm, LimbKind::kWing},
                             [&](LimbKind kind) { return count_limbs(a, kind) == count_limbs(b, kind); });
}

struct ComparedBody {
  MetricBody body;
  generate::BodyLayout layout;
  generate::BodyParts parts;
};
Result<ComparedBody> load_compared(const std::string& file) {
  ZOE_TRY_ASSIGN(MetricBody body, load_metric_body(file));
  ZOE_TRY_ASSIGN(const features::Schema schema, features::Schema::preset("anytop"));
  ZOE_TRY_ASSIGN(generate::BodyLayout layout, generate::make_body_layout(schema, body.skeleton, body.analysis));
  generate::BodyParts parts = generate::find_body_parts(layout.tokens, *body.skeleton, body.analysis);
  return ComparedBody{std::move(body), std::move(layout), std::move(parts)};
}

Result<JointMap> computed_map(const std::string& input, const ComparedBody& target) {
  ZOE_TRY_ASSIGN(const ComparedBody source, load_compared(input));
  JointMap map;
  if (are_alike(source.body.analysis, target.body.analysis)) return map;  // By roles.
  for (const generate::JointMatch& match : generate::correspond_joints(
           source.layout.tokens, target.layout.tokens, {}, {}, {.parts_a = &source.parts, .parts_b = &target.parts}))
    map.joints.push_back({match.a, match.b, match.confidence});
  return map;
}

}  // namespace

Result<JointMap> parse_joint_map(std::string_view text, bool is_json, const Skeleton& source, const Skeleton& target) {
  JointMap map{{}, true};
  ZOE_TRY_ASSIGN(const std::vector<NamedPair> pairs, is_json ? read_json(text, map.exact) : read_csv(text));
  if (pairs.empty()) return Error{ErrorCode::kInvalid, "has no pair of joints"};
  for (const NamedPair& pair : pairs) {
    ZOE_TRY_ASSIGN(const int from, joint_named(source, pair, true));
    ZOE_TRY_ASSIGN(const int to, joint_named(target, pair, false));
    if (std::ranges::find(map.joints, to, &MappedJoint::target) != map.joints.end()) {
      if (!map.exact) continue;  // Names that the rig has twice.
      return Error{
          ErrorCode::kInvalid, fmt::format("the target's joint '{}' comes twice", pair.target), {.line = pair.line}};
    }
    map.joints.push_back({from, to, std::clamp(pair.confidence, 0.0, 1.0)});
  }
  return map;
}

Result<std::function<Result<JointMap>(const std::filesystem::path&, const Skeleton&)>> make_joint_map(
    const std::string& map, const std::string& character_file, const RetargetCharacter& character) {
  using Maker = std::function<Result<JointMap>(const std::filesystem::path&, const Skeleton&)>;
  if (map == "auto") {
    Result<ComparedBody> target = load_compared(character_file);
    if (!target) return Error{target.error().code, target.error().message, {.file = character_file}};
    return Maker(
        [target = std::make_shared<const ComparedBody>(std::move(*target))](
            const std::filesystem::path& input, const Skeleton&) { return computed_map(input.string(), *target); });
  }
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(map));
  return Maker([text = std::string(file.text()), map, skeleton = character.character->skeleton](
                   const std::filesystem::path&, const Skeleton& source) -> Result<JointMap> {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string::npos && text[first] == '{';
    Result<JointMap> read = parse_joint_map(text, is_json, source, *skeleton);
    if (!read) {
      Error error = read.error();
      error.where.file = map;
      return error;
    }
    return read;
  });
}

}  // namespace zoe::cli
