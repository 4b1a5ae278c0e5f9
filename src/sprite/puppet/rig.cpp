// SPDX-License-Identifier: MIT
#include "zoe/sprite/puppet/rig.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "zoe/core/suggest.h"
#include "zoe/store/json.h"

#include "sprite/json_pieces.h"

namespace zoe::sprite {

const char* to_string(PuppetBody body) {
  constexpr std::array<const char*, 4> kWords{"humanoid", "animal", "blob", "worm"};
  return kWords[static_cast<std::size_t>(body)];
}

std::optional<PuppetBody> puppet_body_from(std::string_view word) {
  for (int i = 0; i < 4; ++i) {
    if (word == to_string(static_cast<PuppetBody>(i))) return static_cast<PuppetBody>(i);
  }
  return std::nullopt;
}

const std::vector<JointName>& joint_names(PuppetBody body) {
  static const std::vector<JointName> kHumanoid{
      {"hips", ""},
      {"chest", "hips"},
      {"neck", "chest"},
      {"head", "neck"},
      {"right_shoulder", "chest"},
      {"right_elbow", "right_shoulder"},
      {"right_hand", "right_elbow"},
      {"left_shoulder", "chest"},
      {"left_elbow", "left_shoulder"},
      {"left_hand", "left_elbow"},
      {"right_hip", "hips"},
      {"right_knee", "right_hip"},
      {"right_foot", "right_knee"},
      {"left_hip", "hips"},
      {"left_knee", "left_hip"},
      {"left_foot", "left_knee"},
  };
  static const std::vector<JointName> kAnimal{
      {"hips", ""},
      {"chest", "hips"},
      {"neck", "chest"},
      {"head", "neck"},
      {"tail", "hips", true},
      {"hind_near_hip", "hips", true},
      {"hind_near_knee", "hind_near_hip", true},
      {"hind_near_foot", "hind_near_knee", true},
      {"hind_far_hip", "hips", true},
      {"hind_far_knee", "hind_far_hip", true},
      {"hind_far_foot", "hind_far_knee", true},
      {"front_near_hip", "chest", true},
      {"front_near_knee", "front_near_hip", true},
      {"front_near_foot", "front_near_knee", true},
      {"front_far_hip", "chest", true},
      {"front_far_knee", "front_far_hip", true},
      {"front_far_foot", "front_far_knee", true},
  };
  static const std::vector<JointName> kBlob{
      {"spine_0", ""}, {"spine_1", "spine_0"}, {"spine_2", "spine_1"}, {"spine_3", "spine_2"}, {"spine_4", "spine_3"}};
  static const std::vector<JointName> kWorm{{"spine_0", ""},        {"spine_1", "spine_0"}, {"spine_2", "spine_1"},
                                            {"spine_3", "spine_2"}, {"spine_4", "spine_3"}, {"spine_5", "spine_4"},
                                            {"spine_6", "spine_5"}};
  return body == PuppetBody::kHumanoid ? kHumanoid
         : body == PuppetBody::kAnimal ? kAnimal
         : body == PuppetBody::kBlob   ? kBlob
                                       : kWorm;
}

int PuppetRig::find(std::string_view name) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == name) return static_cast<int>(i);
  return -1;
}

double PuppetRig::confidence() const {
  double sum = 0;
  for (const PuppetJoint& joint : joints) sum += joint.confidence;
  return joints.empty() ? 0 : sum / static_cast<double>(joints.size());
}

std::string write_rig(const PuppetRig& rig, const CutOut& cut) {
  std::string out = fmt::format("{{\n  \"body\": {},\n  \"flipped\": {},\n  \"confidence\": {:.2f},\n  \"joints\": {{",
                                json_text(to_string(rig.body)), rig.flipped, rig.confidence());
  for (std::size_t i = 0; i < rig.joints.size(); ++i) {
    Point p = rig.joints[i].position;
    if (rig.flipped) p.x = cut.figure.width - p.x;
    out += fmt::format("{}\n    {}: {{\"x\": {:.2f}, \"y\": {:.2f}, \"confidence\": {:.2f}}}", i == 0 ? "" : ",",
                       json_text(rig.joints[i].name), cut.left + p.x * cut.scale, cut.top + p.y * cut.scale,
                       rig.joints[i].confidence);
  }
  return out + "\n  }\n}\n";
}

Result<PuppetRig> parse_rig(std::string_view json, const CutOut& cut, const std::string& name) {
  const auto wrong = [&](const std::string& what) { return Error{ErrorCode::kInvalid, what, {.file = name}}; };
  Result<JsonTape> tape = JsonTape::parse(json, 8);
  if (!tape) {
    Error error = tape.error();
    error.where.file = name;
    return error;
  }
  std::string storage;
  const auto body_word = tape->root().member("body");
  const auto word = body_word ? body_word->string(storage) : std::nullopt;
  const auto body = word ? puppet_body_from(*word) : std::nullopt;
  if (!body) return wrong("\"body\" is expected: humanoid, animal, blob or worm");
  const auto joints = tape->root().member("joints");
  if (!joints || !joints->is_object()) return wrong("\"joints\" is expected: names with \"x\" and \"y\"");
  PuppetRig rig{.body = *body};
  if (const auto flipped = tape->root().member("flipped")) rig.flipped = flipped->boolean().value_or(false);
  std::vector<std::string> known;
  for (const JointName& joint : joint_names(rig.body)) known.emplace_back(joint.name);
  std::string unknown;
  joints->each_member(storage, [&](std::string_view key, JsonValue) {
    if (std::find(known.begin(), known.end(), key) == known.end()) unknown = key;
    return unknown.empty();
  });
  if (!unknown.empty()) {
    return wrong(fmt::format("a {} has no joint \"{}\"{}", to_string(rig.body), unknown, did_you_mean(unknown, known)));
  }
  for (const JointName& joint : joint_names(rig.body)) {
    const auto value = joints->member(joint.name);
    if (!value) {
      if (joint.optional) continue;
      return wrong(fmt::format("the joint \"{}\" is missing", joint.name));
    }
    const auto x = value->member("x"), y = value->member("y");
    const std::optional<double> px = x ? x->number() : std::nullopt, py = y ? y->number() : std::nullopt;
    if (!px || !py || !(std::abs(*px) < 1e6) || !(std::abs(*py) < 1e6))
      return wrong(fmt::format("the joint \"{}\" has no \"x\" and \"y\"", joint.name));
    Point p{(*px - cut.left) / cut.scale, (*py - cut.top) / cut.scale};
    if (rig.flipped) p.x = cut.figure.width - p.x;
    if (p.x < -8 || p.y < -8 || p.x > cut.figure.width + 8 || p.y > cut.figure.height + 8)
      return wrong(fmt::format("the joint \"{}\" is outside of the figure", joint.name));
    const int parent = rig.find(joint.parent);
    if (*joint.parent != '\0' && parent < 0)
      return wrong(fmt::format("the joint \"{}\" needs \"{}\"", joint.name, joint.parent));
    rig.joints.push_back({joint.name, parent, p, 1});
  }
  return rig;
}

}  // namespace zoe::sprite
