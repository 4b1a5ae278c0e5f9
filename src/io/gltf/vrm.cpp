// SPDX-License-Identifier: MIT
#include "zoe/io/vrm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/io/gltf.h"
#include "zoe/store/json.h"

#include "io/gltf/container.h"
#include "io/gltf/rig.h"

namespace zoe::io {
namespace {

using namespace gltf;

constexpr std::array<std::string_view, 15> kRequired{"hips",          "spine",        "head",          "leftUpperLeg",
                                                     "rightUpperLeg", "leftLowerLeg", "rightLowerLeg", "leftFoot",
                                                     "rightFoot",     "leftUpperArm", "rightUpperArm", "leftLowerArm",
                                                     "rightLowerArm", "leftHand",     "rightHand"};
constexpr const char* kLicence = "https://vrm.dev/licenses/1.0/";
constexpr std::size_t kMaxBones = 256;  // VRM names 55.

std::string text_of(const JsonValue& object, std::string_view key) {
  std::string storage;
  const std::optional<JsonValue> value = object.member(key);
  const std::optional<std::string_view> text = value ? value->string(storage) : std::nullopt;
  return text ? std::string(*text) : std::string();
}

// 0.x counts the thumb's bones from another one.
std::string modern_name(std::string name) {
  for (const char* side : {"left", "right"}) {
    if (name == std::string(side) + "ThumbProximal") return std::string(side) + "ThumbMetacarpal";
    if (name == std::string(side) + "ThumbIntermediate") return std::string(side) + "ThumbProximal";
  }
  return name;
}

void add_bone(Vrm& vrm, std::string name, const JsonValue& bone, const Rig& rig) {
  const std::optional<JsonValue> node = bone.member("node");
  const std::optional<std::uint64_t> index = node && node->is_number() ? node->whole_number() : std::nullopt;
  if (!index || *index >= rig.joint_of_node.size() || name.empty() || vrm.bones.size() >= kMaxBones) return;
  const int joint = rig.joint_of_node[static_cast<std::size_t>(*index)];
  if (joint >= 0) vrm.bones.push_back({std::move(name), joint});
}

Vrm read_modern(const JsonValue& extension, const Rig& rig) {
  Vrm vrm;
  vrm.spec_version = text_of(extension, "specVersion");
  const auto humanoid = extension.member("humanoid");
  if (const auto bones = humanoid ? humanoid->member("humanBones") : std::nullopt; bones && bones->is_object()) {
    std::string storage;
    bones->each_member(storage, [&](std::string_view name, const JsonValue& bone) {
      add_bone(vrm, std::string(name), bone, rig);
      return true;
    });
  }
  if (const auto meta = extension.member("meta")) {
    vrm.meta = {text_of(*meta, "name"), text_of(*meta, "version"), {}, text_of(*meta, "licenseUrl")};
    if (const auto authors = meta->member("authors"); authors && authors->is_array()) {
      authors->each_element([&](const JsonValue& author) {
        std::string storage;
        if (const auto text = author.string(storage)) vrm.meta.authors.emplace_back(*text);
        return vrm.meta.authors.size() < kMaxBones;
      });
    }
  }
  return vrm;
}

Vrm read_old(const JsonValue& extension, const Rig& rig) {
  Vrm vrm;
  vrm.spec_version = "0.x";
  const auto humanoid = extension.member("humanoid");
  if (const auto bones = humanoid ? humanoid->member("humanBones") : std::nullopt; bones && bones->is_array()) {
    bones->each_element([&](const JsonValue& bone) {
      add_bone(vrm, modern_name(text_of(bone, "bone")), bone, rig);
      return true;
    });
  }
  if (const auto meta = extension.member("meta")) {
    vrm.meta = {text_of(*meta, "title"), text_of(*meta, "version"), {}, text_of(*meta, "licenseName")};
    if (std::string author = text_of(*meta, "author"); !author.empty()) vrm.meta.authors.push_back(std::move(author));
  }
  return vrm;
}

// Arms to the sides: other programs take the rest pose as the zero of every rotation.
bool is_t_pose(const Skeleton& skeleton, const Vrm& vrm) {
  const auto at = [&](std::string_view name) {
    const auto bone =
        std::find_if(vrm.bones.begin(), vrm.bones.end(), [&](const HumanBone& b) { return b.name == name; });
    return skeleton.rest_model()[idx(bone->joint)].t;
  };
  for (const auto& [upper, hand] : {std::pair("leftUpperArm", "leftHand"), std::pair("rightUpperArm", "rightHand")}) {
    const Vec3 arm = normalized(at(hand) - at(upper));
    if (std::abs(arm.x) < 0.9F) return false;
  }
  return true;
}

Result<void> check_bones(const Skeleton& skeleton, const Vrm& vrm) {
  std::vector<std::string_view> missing;
  for (const std::string_view name : kRequired) {
    if (std::none_of(vrm.bones.begin(), vrm.bones.end(), [&](const HumanBone& bone) { return bone.name == name; }))
      missing.push_back(name);
  }
  if (!missing.empty()) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("a VRM character is a person with all main bones; not found: {}", fmt::join(missing, " ")),
                 {}};
  }
  std::set<int> joints;
  for (const HumanBone& bone : vrm.bones) {
    if (bone.joint < 0 || bone.joint >= skeleton.num_joints())
      return Error{ErrorCode::kUsage, fmt::format("bone '{}' names no joint", bone.name), {}};
    if (!joints.insert(bone.joint).second)
      return Error{ErrorCode::kInvalid,
                   fmt::format("two bones are one joint, {}", bone.name),
                   {.joint = skeleton.name(bone.joint)}};
  }
  return {};
}

}  // namespace

std::span<const std::string_view> required_human_bones() { return kRequired; }

Result<std::optional<Vrm>> read_vrm(std::span<const std::byte> bytes) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(const Container container, split_container(bytes, warnings));
  constexpr std::size_t kMaxDepth = 256;
  ZOE_TRY_ASSIGN(const JsonTape tape, JsonTape::parse(container.json, kMaxDepth));
  const std::optional<JsonValue> extensions = tape.root().member("extensions");
  if (!extensions) return std::optional<Vrm>();
  const auto modern = extensions->member("VRMC_vrm"), old = extensions->member("VRM");
  if (!modern && !old) return std::optional<Vrm>();
  ZOE_TRY_ASSIGN(const Document document, parse_document(container.json, ReadLimits{}, warnings));
  ZOE_TRY_ASSIGN(const Rig rig, build_rig(document, {}, warnings));
  return std::optional(modern ? read_modern(*modern, rig) : read_old(*old, rig));
}

Result<std::optional<Vrm>> read_vrm(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  Result<std::optional<Vrm>> vrm = read_vrm(file.bytes());
  if (vrm) return vrm;
  Error error = std::move(vrm).error();
  error.where.file = path.string();
  return error;
}

Result<void> write_vrm(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                       const Vrm& vrm, Warnings* warnings) {
  ZOE_TRY(check_bones(*character.skeleton, vrm));
  if (warnings != nullptr && !is_t_pose(*character.skeleton, vrm)) {
    warnings->push_back({"the rest pose is no T-pose along x, which VRM requires; other programs turn the arms wrongly",
                         {.file = path.string()}});
  }
  nlohmann::ordered_json bones;
  for (const HumanBone& bone : vrm.bones) bones[bone.name]["node"] = bone.joint;  // Joint i is node i.
  std::vector<std::string> authors = vrm.meta.authors;
  if (authors.empty()) authors.emplace_back("unknown");
  nlohmann::ordered_json meta{{"name", vrm.meta.name.empty() ? character.name : vrm.meta.name},
                              {"authors", authors},
                              {"licenseUrl", vrm.meta.licence.starts_with("http") ? vrm.meta.licence : kLicence}};
  if (!vrm.meta.version.empty()) meta["version"] = vrm.meta.version;
  const nlohmann::ordered_json extension{
      {"VRMC_vrm", {{"specVersion", "1.0"}, {"meta", meta}, {"humanoid", {{"humanBones", bones}}}}}};
  return write_gltf(path, character, clips,
                    {.container = GltfContainer::kGlb,
                     .extensions = extension.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)},
                    warnings);
}

}  // namespace zoe::io
