// SPDX-License-Identifier: MIT
#include "stream/skeleton_text.h"

#include <cmath>

#include "zoe/core/json_text.h"
#include "zoe/store/json.h"

namespace zoe::stream {
namespace {

Error wrong_skeleton(std::string what) { return {ErrorCode::kInvalid, "skeleton packet: " + std::move(what), {}}; }

std::string text_of(const std::optional<JsonValue>& value) {
  std::string storage;
  const std::optional<std::string_view> text = value ? value->string(storage) : std::nullopt;
  return text ? std::string(*text) : std::string();
}

// Ten numbers: translation, rotation x y z w, scale.
bool read_rest(const JsonValue& value, Transform& rest) {
  double numbers[10] = {};
  std::size_t count = 0;
  value.each_element([&](const JsonValue& one) {
    const std::optional<double> number = one.number();
    if (!number || count == 10 || !(std::abs(*number) < 1e9)) return count = 11, false;
    numbers[count++] = *number;
    return true;
  });
  if (count != 10) return false;
  float f[10];
  for (std::size_t i = 0; i < 10; ++i) f[i] = static_cast<float>(numbers[i]);
  const float length = std::sqrt(f[3] * f[3] + f[4] * f[4] + f[5] * f[5] + f[6] * f[6]);
  if (!(length > 0.9F && length < 1.1F)) return false;
  rest = {{f[0], f[1], f[2]}, {f[3] / length, f[4] / length, f[5] / length, f[6] / length}, {f[7], f[8], f[9]}};
  return true;
}

}  // namespace

std::string skeleton_text(const Subject& subject) {
  std::string out = "{\"name\":";
  append_json_string(out, subject.name);
  out += ",\"fps\":";
  append_json_number(out, subject.fps);
  out += ",\"joints\":[";
  bool is_first = true;
  for (const JointDesc& joint : subject.skeleton->joints()) {
    if (!is_first) out += ',';
    is_first = false;
    out += "{\"name\":";
    append_json_string(out, joint.name);
    out += ",\"parent\":" + std::to_string(joint.parent) + ",\"kind\":";
    append_json_string(out, to_string(joint.kind));
    out += ",\"rest\":[";
    const Transform& r = joint.rest_local;
    const float numbers[] = {r.translation.x, r.translation.y, r.translation.z, r.rotation.x, r.rotation.y,
                             r.rotation.z,    r.rotation.w,    r.scale.x,       r.scale.y,    r.scale.z};
    for (std::size_t i = 0; i < 10; ++i) {
      if (i > 0) out += ',';
      append_json_number(out, static_cast<double>(numbers[i]));
    }
    out += "]}";
  }
  out += "]}";
  return out;
}

Result<Subject> read_skeleton_text(std::span<const std::byte> text, std::uint32_t id) {
  ZOE_TRY_ASSIGN(const JsonTape tape, JsonTape::parse({reinterpret_cast<const char*>(text.data()), text.size()}, 8));
  const JsonValue root = tape.root();
  const std::optional<JsonValue> list = root.member("joints"), rate = root.member("fps");
  const std::optional<double> fps = rate ? rate->number() : std::nullopt;
  if (!list || !list->is_array()) return wrong_skeleton("has no list of joints");
  if (!fps || !(*fps >= 0.1 && *fps <= 10'000)) return wrong_skeleton("fps is 0.1 to 10000");
  std::vector<JointDesc> joints;
  std::string problem;
  list->each_element([&](const JsonValue& value) {
    JointDesc joint;
    const std::optional<JsonValue> rest = value.member("rest"), parent = value.member("parent");
    const std::optional<std::int64_t> index = parent ? parent->integer() : std::nullopt;
    joint.name = text_of(value.member("name"));
    if (!index || *index < -1 || *index >= static_cast<std::int64_t>(joints.size())) problem = "a parent comes late";
    if (!rest || !rest->is_array() || !read_rest(*rest, joint.rest_local)) problem = "a rest pose is not ten numbers";
    if (joints.size() >= kMaxPacketJoints) problem = "too many joints";
    if (!problem.empty()) return false;
    joint.parent = static_cast<int>(*index);
    const std::string kind = text_of(value.member("kind"));
    joint.kind = kind == "end_site" ? JointKind::kEndSite : kind == "node" ? JointKind::kNode : JointKind::kBone;
    joints.push_back(std::move(joint));
    return true;
  });
  if (!problem.empty()) return wrong_skeleton(problem);
  if (joints.empty()) return wrong_skeleton("has no joints");
  Subject subject{.id = id, .name = text_of(root.member("name")), .fps = *fps, .skeleton = nullptr};
  ZOE_TRY_ASSIGN(subject.skeleton, Skeleton::create(std::move(joints)));
  return subject;
}

}  // namespace zoe::stream
