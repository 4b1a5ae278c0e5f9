// SPDX-License-Identifier: MIT
#include "author/engine/steps.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/body.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"

namespace zoe::author {

namespace fs = std::filesystem;
using control::Intent;
using features::BlockKind;

Error cannot_export(std::string message, const fs::path& run) {
  return {ErrorCode::kUnsupported, std::move(message), {.file = run.string()}};
}

std::vector<Intent> test_intents(const control::MotionRange& range, const features::Schema& schema) {
  std::vector<Intent> intents;
  for (int i = 0; i < kEngineSteps; ++i) {
    const float pace = range.pace_mps, angle = 0.03F * static_cast<float>(i - 15);
    Intent intent = Intent::move({0, 0, pace});
    if (i >= 15) intent = Intent::move({pace * std::sin(angle), 0, pace * std::cos(angle)});
    if (i >= 35) {
      intent.num_wanted = 2;
      intent.wanted[1] = {0.4F, {0.7F * pace, 0, 0.4F * pace}, 1.2F};
    }
    if (i >= 48) intent = Intent::move({0.9F * pace, 0, -0.2F * pace}, 1.5F);
    if (i >= 10 && i < 40 && !schema.styles.empty()) intent.styles[0] = 1;
    if (i >= 25 && i < 32 && !schema.actions.empty()) intent.actions[schema.actions.size() - 1] = 0.5F;
    intents.push_back(intent);
  }
  return intents;
}

Json describe_intent(const Intent& intent, const features::Schema& schema) {
  Json wanted = Json::array();
  for (int i = 0; i < intent.num_wanted; ++i) {
    const control::WantedMotion& moment = intent.wanted[idx(i)];
    wanted.push_back({{"time_s", number(moment.time_s)},
                      {"velocity_mps", {number(moment.velocity_mps.x), number(moment.velocity_mps.z)}},
                      {"facing_rad", moment.facing_rad ? Json(number(*moment.facing_rad)) : Json()}});
  }
  return {{"wanted", wanted},
          {"styles", numbers(std::span(intent.styles).first(schema.styles.size()))},
          {"actions", numbers(std::span(intent.actions).first(schema.actions.size()))}};
}

Json describe_pose(const Pose& pose) {
  Json translations = Json::array(), rotations = Json::array();
  for (const Vec3& translation : pose.translations) translations.push_back(vector(translation));
  for (const Quat& rotation : pose.rotations) rotations.push_back(quaternion(rotation));
  return {{"translations", translations}, {"rotations", rotations}};
}

Result<void> check_outputs(const features::Layout& layout) {
  int poses = 0, roots = 0, contacts = 0;
  for (const features::Channel& channel : layout.schema().block(BlockKind::kOutput).channels) {
    const auto has = [&](features::Part part) {
      return std::find(channel.parts.begin(), channel.parts.end(), part) != channel.parts.end();
    };
    if (channel.group == features::Group::kJoint) {
      using features::Part;
      poses += has(Part::kPosition) && has(Part::kYAxis) && has(Part::kZAxis) ? 1 : 2;
    }
    roots += channel.group == features::Group::kRootDelta ? 1 : 0;
    contacts += channel.group == features::Group::kContact ? 1 : 0;
  }
  if (poses == 1 && roots == 1 && contacts == 1) return {};
  return Error{ErrorCode::kUnsupported,
               "its outputs are not one pose (position, y_axis, z_axis), one root.delta and one contact channel",
               {}};
}

Result<void> check_scales(const control::Body& body) {
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    if (distance(body.start.scales.empty() ? Vec3{1, 1, 1} : body.start.scales[idx(j)], Vec3{1, 1, 1}) > 1e-5F) {
      return Error{ErrorCode::kUnsupported,
                   "a joint of the body is scaled, which the export does not describe",
                   {.joint = body.skeleton->name(j)}};
    }
  }
  return {};
}

Result<void> create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = folder.string()}};
  return {};
}

Result<void> write_texts(const fs::path& folder, std::span<const std::pair<const char*, std::string>> texts,
                         EngineExport& out) {
  for (const auto& [name, text] : texts) {
    ZOE_TRY(write_file_atomic(folder / name, text));
    out.files.emplace_back(name);
  }
  return {};
}

}  // namespace zoe::author
