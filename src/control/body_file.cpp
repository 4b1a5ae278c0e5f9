// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/control/body.h"
#include "zoe/core/index.h"
#include "zoe/core/lines.h"
#include "zoe/math/finite.h"
#include "zoe/store/safetensors.h"

namespace zoe::control {
namespace {

constexpr const char* kVersion = "1";

void put(std::vector<float>& out, Vec3 v) { out.insert(out.end(), {v.x, v.y, v.z}); }
void put(std::vector<float>& out, Quat q) { out.insert(out.end(), {q.x, q.y, q.z, q.w}); }

// Reads the output of put(), in order. False where it is too short.
struct Reader {
  std::span<const float> values;
  std::size_t at = 0;
  float number() { return at < values.size() ? values[at++] : NAN; }
  Vec3 vector() {
    const float x = number(), y = number();
    return {x, y, number()};
  }
  Quat rotation() {
    const float x = number(), y = number(), z = number();
    return {x, y, z, number()};
  }
};

std::string names_of(const Skeleton& skeleton) {
  std::string names;
  for (int j = 0; j < skeleton.num_joints(); ++j) names += skeleton.name(j) + "\n";
  return names;
}

constexpr const char* kStandSources[] = {"start", "frame", "mean"};

void put(std::vector<float>& out, const Pose& pose) {
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    put(out, pose.translations[j]);
    put(out, pose.rotations[j]);
  }
}
// Bodies of 10 km are damaged numbers. False for NaN.
constexpr float kMaxLength_m = 1e4F;
bool is_small(std::span<const Vec3> vectors) {
  return std::all_of(vectors.begin(), vectors.end(), [](Vec3 v) { return length(v) < kMaxLength_m; });
}

bool read_pose(std::span<const float> values, Pose& pose) {
  Reader reader{values};
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    pose.translations[j] = reader.vector();
    pose.rotations[j] = reader.rotation();
  }
  return is_small(pose.translations) && all_unit(pose.rotations, 1e-3F);
}

bool has_own_scales(const Skeleton& skeleton, const Pose& pose) {
  for (std::size_t j = 0; j < pose.scales.size(); ++j)
    if (pose.scales[j] != skeleton.rest_local(static_cast<int>(j)).scale) return true;
  return false;
}

// Files of earlier versions have only a pace, or neither. Returns false where the numbers are invalid.
bool read_motion_range(std::span<const float> pace, std::span<const float> speeds, MotionRange& range) {
  const auto is_within = [](float value, float most) { return value > 0 && value < most; };
  if (!pace.empty() && !is_within(pace[0], 20)) return false;
  if (pace.empty()) return true;
  range = MotionRange::measured(pace[0]);
  if (speeds.empty()) return true;
  if (speeds.size() != 5) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!is_within(speeds[i], 50)) return false;
  }
  range = {pace[0], speeds[0], speeds[1], speeds[2], speeds[3], speeds[4]};
  return is_within(range.turn_speed_rad_s, 100);
}

}  // namespace

const char* to_string(StandSource source) { return kStandSources[static_cast<std::size_t>(source)]; }

Result<void> save_body(const std::filesystem::path& path, const Body& body) {
  const Skeleton& skeleton = *body.skeleton;
  std::vector<std::int32_t> joints, legs, contacts(body.contact_joints.begin(), body.contact_joints.end());
  std::vector<float> rest, start, stand, scales, leg_numbers;
  put(start, body.start);
  put(stand, body.stand);
  if (has_own_scales(skeleton, body.start))
    for (const Vec3 scale : body.start.scales) put(scales, scale);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    joints.push_back(skeleton.parent(j));
    joints.push_back(static_cast<std::int32_t>(skeleton.kind(j)));
    const Transform& local = skeleton.rest_local(j);
    put(rest, local.translation);
    put(rest, local.rotation);
    put(rest, local.scale);
  }
  for (const BodyLeg& leg : body.legs) {
    for (const int value :
         {leg.leg.hip, leg.leg.knee, leg.leg.ankle, leg.leg.ball, leg.ankle_contact, leg.ball_contact}) {
      legs.push_back(value);
    }
    put(leg_numbers, leg.leg.knee_axis);
    leg_numbers.push_back(leg.leg.ankle_height_m);
    leg_numbers.push_back(leg.leg.ball_height_m);
  }
  const std::size_t n = idx(skeleton.num_joints());
  std::vector<NamedArray> arrays{
      {"joints", view_of(joints, {n, 2})}, {"rest", view_of(rest, {n, 10})}, {"start", view_of(start, {n, 7})}};
  const MotionRange& range = body.motion_range;
  const std::vector<float> pace{range.pace_mps};
  const std::vector<float> speeds{range.walk_mps, range.jog_mps, range.run_mps, range.crouch_mps,
                                  range.turn_speed_rad_s};
  arrays.push_back({"pace", view_of(pace)});
  arrays.push_back({"speeds", view_of(speeds)});
  if (!stand.empty()) arrays.push_back({"stand", view_of(stand, {n, 7})});
  // Of rigs whose skin was bound with other scales than their nodes have.
  if (!scales.empty()) arrays.push_back({"start_scales", view_of(scales, {n, 3})});
  if (!contacts.empty()) arrays.push_back({"contacts", view_of(contacts)});
  if (!legs.empty()) {
    arrays.push_back({"legs", view_of(legs, {body.legs.size(), 6})});
    arrays.push_back({"leg_numbers", view_of(leg_numbers, {body.legs.size(), 5})});
  }
  Metadata metadata{{"format", "zoe body"},
                    {"version", kVersion},
                    {"joint_names", names_of(skeleton)},
                    {"stand", to_string(body.stand_source)}};
  metadata[kChecksumKey] = content_checksum(arrays, metadata);
  return write_safetensors(path, arrays, metadata);
}

Result<Body> load_body(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::open(path));
  return load_body(file);
}

Result<Body> load_body(const Safetensors& file) {
  const auto wrong = [&](std::string what) {
    return Error{
        ErrorCode::kInvalid, "not a body that this version can read: " + std::move(what), {.file = file.file_name()}};
  };
  const auto text = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  if (text("format") != "zoe body" || text("version") != kVersion) return wrong("format or version differs");
  // Files of earlier versions have no checksum.
  if (!matches_its_checksum(file)) return wrong("damaged, its content does not match its checksum");
  const std::vector<std::string> names = lines_of(text("joint_names"));
  const std::size_t n = names.size();

  const auto integers = [&](const char* name) -> std::span<const std::int32_t> {
    for (const NamedArray& array : file.tensors()) {
      if (array.name == name) return array.view.as<std::int32_t>().value_or(std::span<const std::int32_t>{});
    }
    return {};
  };
  const auto numbers = [&](const char* name) -> std::span<const float> {
    for (const NamedArray& array : file.tensors()) {
      if (array.name == name) return array.view.as<float>().value_or(std::span<const float>{});
    }
    return {};
  };
  const auto joints = integers("joints"), contacts = integers("contacts"), legs = integers("legs");
  if (joints.size() != 2 * n || numbers("rest").size() != 10 * n || numbers("start").size() != 7 * n) {
    return wrong("joints, rest and start must have a row for each of the names");
  }
  Reader rest{numbers("rest")}, leg_numbers{numbers("leg_numbers")};
  std::vector<JointDesc> descs;
  for (std::size_t j = 0; j < n; ++j) {
    const std::int32_t kind = joints[2 * j + 1];
    if (kind < 0 || kind > static_cast<int>(JointKind::kNode)) return wrong("unknown type of joint");
    Transform local;
    local.translation = rest.vector();
    local.rotation = rest.rotation();
    local.scale = rest.vector();
    const Vec3 lengths[] = {local.translation, local.scale};
    if (!is_small(lengths)) return wrong("a joint's offset or scale makes no sense");
    descs.push_back({names[j], joints[2 * j], local, static_cast<JointKind>(kind)});
  }
  Body body;
  auto skeleton = Skeleton::create(std::move(descs));
  if (!skeleton) return wrong(skeleton.error().message);
  body.skeleton = std::move(*skeleton);
  body.start = make_pose(*body.skeleton);
  if (!read_pose(numbers("start"), body.start)) return wrong("its start is no pose");
  if (const auto scales = numbers("start_scales"); !scales.empty()) {
    if (scales.size() != 3 * n) return wrong("start_scales must have a row for each of the names");
    Reader reader{scales};
    for (Vec3& scale : body.start.scales) scale = reader.vector();
    if (!is_small(body.start.scales)) return wrong("a scale of its start makes no sense");
  }
  // Older files do not have it.
  if (const auto stand = numbers("stand"); !stand.empty()) {
    body.stand = make_pose(*body.skeleton);
    if (stand.size() != 7 * n || !read_pose(stand, body.stand)) return wrong("its stand is no pose");
    for (std::size_t i = 0; i < std::size(kStandSources); ++i) {
      if (text("stand") == kStandSources[i]) body.stand_source = static_cast<StandSource>(i);
    }
  }

  const auto is_joint = [&](int joint) { return joint >= 0 && idx(joint) < n; };
  for (const std::int32_t joint : contacts) {
    if (!is_joint(joint)) return wrong("a contact joint does not exist");
    body.contact_joints.push_back(joint);
  }
  if (legs.size() % 6 != 0 || leg_numbers.values.size() != legs.size() / 6 * 5)
    return wrong("legs and leg_numbers disagree");
  for (std::size_t l = 0; l < legs.size() / 6; ++l) {
    const std::int32_t* v = legs.data() + 6 * l;
    const auto is_contact = [&](int place) { return place >= -1 && place < static_cast<int>(contacts.size()); };
    if (!is_joint(v[0]) || !is_joint(v[1]) || !is_joint(v[2]) || (v[3] != kNoJoint && !is_joint(v[3])) ||
        !is_contact(v[4]) || !is_contact(v[5])) {
      return wrong("a leg's joint does not exist");
    }
    BodyLeg leg;
    leg.leg.hip = v[0];
    leg.leg.knee = v[1];
    leg.leg.ankle = v[2];
    leg.leg.ball = v[3];
    leg.ankle_contact = v[4];
    leg.ball_contact = v[5];
    leg.leg.knee_axis = leg_numbers.vector();
    leg.leg.ankle_height_m = leg_numbers.number();
    leg.leg.ball_height_m = leg_numbers.number();
    if (!(std::abs(length(leg.leg.knee_axis) - 1) < 1e-3F) || !(std::abs(leg.leg.ankle_height_m) < kMaxLength_m) ||
        !(std::abs(leg.leg.ball_height_m) < kMaxLength_m)) {
      return wrong("a leg's numbers make no sense");
    }
    body.legs.push_back(leg);
  }
  // Older files do not have it.
  if (!read_motion_range(numbers("pace"), numbers("speeds"), body.motion_range))
    return wrong("its speeds make no sense");
  return body;
}

}  // namespace zoe::control
