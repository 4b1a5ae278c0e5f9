// SPDX-License-Identifier: MIT
// Part of Zoetrope. The file of a gait plan, and the run folder of type `gait`.
#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/control/config.h"
#include "zoe/control/gait.h"
#include "zoe/core/index.h"
#include "zoe/store/safetensors.h"

namespace zoe::control {
namespace {

constexpr const char* kGaitVersion = "1";
constexpr const char* kLocomotions[kNumLocomotions] = {"legs", "crawl", "swim", "fly", "hop"};
constexpr std::size_t kLegIntegers = 5, kLegNumbers = 14, kPartIntegers = 2, kPartNumbers = 3, kLimitNumbers = 11;
// Bodies of 10 km are damaged numbers.
constexpr float kMostGait = 1e4F;

// The order in the file, with the range of each.
struct SettingRange {
  float GaitSettings::*member;
  float least, most;
};
constexpr SettingRange kSettings[] = {
    {&GaitSettings::leg_length_m, 1e-4F, kMostGait},
    {&GaitSettings::body_length_m, 1e-4F, kMostGait},
    {&GaitSettings::walk_mps, 1e-4F, 20},
    {&GaitSettings::run_mps, 1e-4F, 50},
    {&GaitSettings::turn_rad_s, 1e-3F, 30},
    {&GaitSettings::stride_hz, 1e-3F, 30},
    {&GaitSettings::walk_duty, 0.1F, 0.95F},
    {&GaitSettings::run_duty, 0.1F, 0.95F},
    {&GaitSettings::walk_step_m, 0, kMostGait},
    {&GaitSettings::run_step_m, 0, kMostGait},
    {&GaitSettings::crouch_m, -kMostGait, kMostGait},
    {&GaitSettings::bob_m, 0, kMostGait},
    {&GaitSettings::sway_m, 0, kMostGait},
    {&GaitSettings::yaw_rad, -1, 1},
    {&GaitSettings::roll_rad, -1, 1},
    {&GaitSettings::pitch_rad, -1, 1},
    {&GaitSettings::lean_rad, -1, 1},
    {&GaitSettings::curve_rad, 0, 2},
    {&GaitSettings::pivot_m, -kMostGait, kMostGait},
    {&GaitSettings::arm_swing_rad, -2, 2},
    {&GaitSettings::tail_rad, 0, 2},
    {&GaitSettings::wave_rad, 0, 2},
    {&GaitSettings::wave_m, 1e-4F, kMostGait},
    {&GaitSettings::wave_grow, 0, 1},
    {&GaitSettings::wave_up, 0, 1},
    {&GaitSettings::beat_hz, 0, 30},
    {&GaitSettings::beat_rad, 0, 2},
    {&GaitSettings::hover_m, 0, kMostGait},
};

bool is_near_gait(Vec3 v) { return length(v) < kMostGait; }
bool is_unit_gait(float square) { return std::abs(square - 1) < 1e-3F; }

const char* defect_of_leg(const GaitLeg& leg, const Skeleton& skeleton) {
  const auto is_joint = [&](int joint) { return joint >= 0 && joint < skeleton.num_joints(); };
  const auto is_below = [&](int joint, int above) {
    while (joint != above && joint != kNoJoint) joint = skeleton.parent(joint);
    return joint == above;
  };
  for (const int joint : {leg.knee, leg.ball, leg.loose})
    if (joint != kNoJoint && !is_joint(joint)) return "a leg's joint does not exist";
  if (!is_joint(leg.hip) || !is_joint(leg.end)) return "a leg's joint does not exist";
  const int above = leg.knee == kNoJoint ? leg.hip : leg.knee;
  if (!is_below(leg.end, above) || !is_below(above, leg.hip)) return "a leg's joints are not one below the other";
  if (leg.knee != kNoJoint && (leg.knee == leg.hip || leg.knee == leg.end)) return "a knee is no joint of its own";
  if (leg.ball != kNoJoint && (leg.ball == leg.end || !is_below(leg.ball, leg.end)))
    return "a ball is not below its ankle";
  if (leg.loose != kNoJoint && is_below(leg.loose, leg.hip)) return "a loose foot is part of its leg";
  if (!is_near_gait(leg.tip_m) || !is_near_gait(leg.home_m) || !is_unit_gait(dot(leg.pole, leg.pole)))
    return "a leg's numbers make no sense";
  const auto is_phase = [](float x) { return x >= 0 && x <= 1; };
  const auto is_angle = [](float x) { return std::abs(x) <= 2; };
  if (!is_phase(leg.phase) || !is_phase(leg.fast_phase) || !is_angle(leg.side) || !is_angle(leg.fold_rad) ||
      !is_angle(leg.roll_rad))
    return "a leg's numbers make no sense";
  return nullptr;
}

bool is_sound_limit(const JointLimit& limit) {
  const auto is_angle = [](float x) { return std::abs(x) <= 3.15F; };
  return is_unit_gait(dot(limit.rest, limit.rest)) && is_unit_gait(dot(limit.axis, limit.axis)) &&
         is_angle(limit.swing_rad) && is_angle(limit.min_rad) && is_angle(limit.max_rad) &&
         limit.min_rad <= limit.max_rad;
}

void put_gait(std::vector<float>& out, Vec3 v) { out.insert(out.end(), {v.x, v.y, v.z}); }
Vec3 gait_vector(const float* v) { return {v[0], v[1], v[2]}; }

}  // namespace

const char* to_string(Locomotion locomotion) { return kLocomotions[static_cast<std::size_t>(locomotion)]; }

const char* defect_of(const GaitPlan& plan, const Skeleton& skeleton) {
  const auto is_joint = [&](int joint) { return joint >= 0 && joint < skeleton.num_joints(); };
  if (!is_joint(plan.trunk)) return "the trunk's joint does not exist";
  if (plan.locomotion == Locomotion::kLegs && plan.legs.empty()) return "it walks, and has no legs";
  for (const GaitLeg& leg : plan.legs)
    if (const char* defect = defect_of_leg(leg, skeleton)) return defect;
  int last = -1;
  for (const GaitPart& part : plan.parts) {
    if (!is_joint(part.joint) || part.joint <= last) return "parts are joints in rising order";
    last = part.joint;
    if (!(std::abs(part.side) <= 1) || !(std::abs(part.along) < kMostGait) || !(std::abs(part.share) < kMostGait))
      return "a part's numbers make no sense";
  }
  if (!plan.limits.empty() && plan.limits.size() != idx(skeleton.num_joints()))
    return "there is a limit for each joint, or none";
  if (!std::all_of(plan.limits.begin(), plan.limits.end(), is_sound_limit)) return "a limit makes no sense";
  for (const SettingRange& range : kSettings) {
    const float value = plan.settings.*range.member;
    if (!(value >= range.least && value <= range.most)) return "a setting is out of its range";
  }
  return nullptr;
}

Result<void> save_gait_plan(const std::filesystem::path& path, const GaitPlan& plan) {
  std::vector<std::int32_t> legs, parts, kinds;
  std::vector<float> leg_numbers, part_numbers, limits, settings;
  for (const GaitLeg& leg : plan.legs) {
    legs.insert(legs.end(), {leg.hip, leg.knee, leg.end, leg.ball, leg.loose});
    for (const Vec3 v : {leg.tip_m, leg.home_m, leg.pole}) put_gait(leg_numbers, v);
    leg_numbers.insert(leg_numbers.end(), {leg.phase, leg.fast_phase, leg.side, leg.fold_rad, leg.roll_rad});
  }
  for (const GaitPart& part : plan.parts) {
    parts.insert(parts.end(), {part.joint, static_cast<std::int32_t>(part.role)});
    part_numbers.insert(part_numbers.end(), {part.side, part.along, part.share});
  }
  for (const JointLimit& limit : plan.limits) {
    kinds.push_back(static_cast<std::int32_t>(limit.kind));
    limits.insert(limits.end(), {limit.rest.x, limit.rest.y, limit.rest.z, limit.rest.w});
    put_gait(limits, limit.axis);
    limits.insert(limits.end(), {limit.swing_rad, limit.min_rad, limit.max_rad, 0});
  }
  for (const SettingRange& range : kSettings) settings.push_back(plan.settings.*range.member);
  const std::vector<std::int32_t> trunk{plan.trunk};
  std::vector<NamedArray> arrays{{"settings", view_of(settings)}, {"trunk", view_of(trunk)}};
  if (!legs.empty()) {
    arrays.push_back({"legs", view_of(legs, {plan.legs.size(), kLegIntegers})});
    arrays.push_back({"leg_numbers", view_of(leg_numbers, {plan.legs.size(), kLegNumbers})});
  }
  if (!parts.empty()) {
    arrays.push_back({"parts", view_of(parts, {plan.parts.size(), kPartIntegers})});
    arrays.push_back({"part_numbers", view_of(part_numbers, {plan.parts.size(), kPartNumbers})});
  }
  if (!limits.empty()) {
    arrays.push_back({"limit_kinds", view_of(kinds)});
    arrays.push_back({"limits", view_of(limits, {plan.limits.size(), kLimitNumbers})});
  }
  Metadata metadata{{"format", "zoe gait"}, {"version", kGaitVersion}, {"locomotion", to_string(plan.locomotion)}};
  metadata[kChecksumKey] = content_checksum(arrays, metadata);
  return write_safetensors(path, arrays, metadata);
}

Result<GaitPlan> load_gait_plan(const Safetensors& file, const Skeleton& skeleton) {
  const auto wrong = [&](std::string what) {
    return Error{ErrorCode::kInvalid,
                 "not a gait plan that this version can read: " + std::move(what),
                 {.file = file.file_name()}};
  };
  const auto text = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  if (text("format") != "zoe gait" || text("version") != kGaitVersion) return wrong("format or version differs");
  if (!matches_its_checksum(file)) return wrong("damaged, its content does not match its checksum");
  const auto integers = [&](const char* name) -> std::span<const std::int32_t> {
    for (const NamedArray& array : file.tensors())
      if (array.name == name) return array.view.as<std::int32_t>().value_or(std::span<const std::int32_t>{});
    return {};
  };
  const auto numbers = [&](const char* name) -> std::span<const float> {
    for (const NamedArray& array : file.tensors())
      if (array.name == name) return array.view.as<float>().value_or(std::span<const float>{});
    return {};
  };
  GaitPlan plan;
  const auto locomotion = std::find(std::begin(kLocomotions), std::end(kLocomotions), text("locomotion"));
  if (locomotion == std::end(kLocomotions)) return wrong("unknown locomotion '" + text("locomotion") + "'");
  plan.locomotion = static_cast<Locomotion>(locomotion - std::begin(kLocomotions));
  if (integers("trunk").size() != 1) return wrong("no trunk");
  plan.trunk = integers("trunk")[0];
  const auto settings = numbers("settings");
  if (settings.size() != std::size(kSettings)) return wrong("the number of settings differs");
  for (std::size_t i = 0; i < settings.size(); ++i) plan.settings.*kSettings[i].member = settings[i];
  const auto legs = integers("legs"), parts = integers("parts"), kinds = integers("limit_kinds");
  const auto leg_numbers = numbers("leg_numbers"), part_numbers = numbers("part_numbers"), limits = numbers("limits");
  if (legs.size() % kLegIntegers != 0 || leg_numbers.size() != legs.size() / kLegIntegers * kLegNumbers)
    return wrong("legs and leg_numbers disagree");
  if (parts.size() % kPartIntegers != 0 || part_numbers.size() != parts.size() / kPartIntegers * kPartNumbers)
    return wrong("parts and part_numbers disagree");
  if (limits.size() != kinds.size() * kLimitNumbers) return wrong("limits and limit_kinds disagree");
  for (std::size_t l = 0; l < legs.size() / kLegIntegers; ++l) {
    const std::int32_t* j = legs.data() + kLegIntegers * l;
    const float* v = leg_numbers.data() + kLegNumbers * l;
    plan.legs.push_back({j[0], j[1], j[2], j[3], j[4], gait_vector(v), gait_vector(v + 3), gait_vector(v + 6), v[9],
                         v[10], v[11], v[12], v[13]});
  }
  for (std::size_t p = 0; p < parts.size() / kPartIntegers; ++p) {
    const float* v = part_numbers.data() + kPartNumbers * p;
    if (parts[2 * p + 1] < 0 || parts[2 * p + 1] >= GaitPart::kNumRoles) return wrong("unknown role of a part");
    plan.parts.push_back({parts[2 * p], static_cast<GaitPart::Role>(parts[2 * p + 1]), v[0], v[1], v[2]});
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const float* v = limits.data() + kLimitNumbers * i;
    if (kinds[i] < 0 || kinds[i] > static_cast<int>(JointLimit::Kind::kCone)) return wrong("unknown type of limit");
    plan.limits.push_back(
        {static_cast<JointLimit::Kind>(kinds[i]), {v[0], v[1], v[2], v[3]}, gait_vector(v + 4), v[7], v[8], v[9]});
  }
  if (const char* defect = defect_of(plan, skeleton)) return wrong(defect);
  return plan;
}

Result<void> save_gait_run(const std::filesystem::path& folder, const Body& body, const GaitPlan& plan,
                           const std::string& licence) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{ErrorCode::kIo, "cannot be created: " + failed.message(), {.file = folder.string()}};
  ControllerConfig config;
  config.type = "gait";
  config.network = kGaitFile;
  config.licence = licence;
  ZOE_TRY(save_body(folder / config.body, body));
  ZOE_TRY(save_gait_plan(folder / config.network, plan));
  return save_controller_config(folder, config);
}

}  // namespace zoe::control
