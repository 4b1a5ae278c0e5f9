// SPDX-License-Identifier: MIT
#include "zoe/author/evaluate_terrain.h"

#include <cmath>

#include "zoe/author/one_body.h"
#include "zoe/control/config.h"
#include "zoe/control/load.h"
#include "zoe/control/parts.h"
#include "zoe/core/index.h"
#include "zoe/dataset/read_clip_files.h"
#include "zoe/features/ground_signals.h"
#include "zoe/motion/contacts.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/phase.h"

#include "author/body_asset.h"
#include "author/network/schemas.h"
#include "author/terrain/terrain_clips.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

Result<eval::ClipOnGround> clip_on_ground(const TerrainBody& body, const Motion& clip, const fs::path& file,
                                          double rate_hz) {
  ZOE_TRY_ASSIGN(const Motion motion, resample(clip, rate_hz));
  ZOE_TRY_ASSIGN(const FootTracks feet, track_feet(body, motion));
  const FootMarks marks = foot_marks(body, feet);
  if (marks.stances.empty()) return Error{ErrorCode::kInvalid, "no foot is ever in contact", {}};
  ZOE_TRY_ASSIGN(const GroundPtr own, ground_beside(file));
  GroundPtr ground = own != nullptr ? ground_at_contacts(own, marks) : bend_to_marks(*Ground::flat(), marks).ground;
  if (ground == nullptr) return Error{ErrorCode::kInvalid, "the ground beside it does not fit its feet", {}};
  ZOE_TRY_ASSIGN(TerrainClip placed, put_on_ground(body, motion, feet, ground));
  eval::ClipOnGround out{.name = file.filename().string(),
                         .motion = motion,
                         .roots = placed.roots,
                         .contacts = placed.contacts,
                         .phases = {},
                         .ground = std::move(ground)};
  subtract_plane(placed, out.motion);
  Contacts contacts;
  contacts.num_frames = motion.num_frames;
  contacts.num_joints = static_cast<int>(body.contact_joints.size());
  for (const float contact : placed.contacts) contacts.touching.push_back(contact >= 0.5F ? 1 : 0);
  contacts.weights = placed.contacts;
  if (const auto phases = contact_phases(contacts, rate_hz)) {
    for (const PhaseSample& phase : *phases) {
      const Vec2 v = phase_vector(phase);
      out.phases.insert(out.phases.end(), {v.x, v.y});
    }
  }
  return out;
}

}  // namespace

Result<std::vector<eval::ClipOnGround>> clips_on_ground(const fs::path& folder, const control::Body& body,
                                                        double rate_hz, const Listener& listener) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(std::vector<dataset::ClipFile> files, dataset::read_clip_files({&folder, 1}, {}, warnings));
  std::erase_if(files, [](const dataset::ClipFile& file) {
    return is_ground_file(file.path) || file.problem || file.asset.clips.empty();
  });
  std::vector<dataset::ClipFile> own, others;
  for (dataset::ClipFile& file : files) {
    const Motion first = without_end_sites(file.asset.clips[0]);
    (control::check_same_skeleton(*body.skeleton, *first.skeleton) ? own : others).push_back(std::move(file));
  }
  if (!others.empty()) {
    ZOE_TRY_ASSIGN(OneBody one, put_on_body(std::move(others), body_asset(body), "the controller's body"));
    warnings.insert(warnings.end(), one.warnings.begin(), one.warnings.end());
    for (dataset::ClipFile& file : one.files) own.push_back(std::move(file));
  }
  ZOE_TRY_ASSIGN(const features::Schema schema, features::Schema::parse(kMannSchema));
  std::vector<eval::ClipOnGround> out;
  for (const dataset::ClipFile& file : own) {
    for (const Motion& clip : file.asset.clips) {
      const Motion plain = without_end_sites(clip);
      ZOE_TRY_ASSIGN(TerrainBody on, terrain_body(schema, plain));
      // In the order of the controller's contacts, with its standing heights.
      if (on.contact_joints != body.contact_joints) {
        warnings.push_back({"left out: its contact joints are not the controller's", {.file = file.path.string()}});
        continue;
      }
      Result<eval::ClipOnGround> one = clip_on_ground(on, plain, file.path, rate_hz);
      if (one) {
        out.push_back(std::move(*one));
      } else {
        warnings.push_back({"left out: " + one.error().message, {.file = file.path.string()}});
      }
    }
  }
  listener.warn(warnings);
  if (out.empty())
    return Error{ErrorCode::kInvalid, "no clip here can be put on the ground", {.file = folder.string()}};
  return out;
}

Result<TerrainEvaluation> EvaluateTerrain::run(const fs::path& folder, const Listener& listener) const {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(folder));
  ZOE_TRY_ASSIGN(const control::ControllerConfig config, control::load_controller_config(folder));
  ZOE_TRY_ASSIGN(const control::ControllerParts parts, control::ControllerParts::open(folder));
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(const control::Body body, control::load_body(body_file));
  std::vector<eval::ClipOnGround> clips;
  if (!held_out.empty()) {
    ZOE_TRY_ASSIGN(clips, clips_on_ground(held_out, body, controller->rate_hz(), listener));
  }
  TerrainEvaluation out;
  out.subject = folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
  out.type = controller->type();
  out.sees_ground = controller->sees_ground();
  for (TerrainEvaluation::Half* half : {&out.with_ik, &out.without_ik}) {
    eval::TerrainOptions on = courses;
    eval::RolloutOptions rolled = rollouts;
    on.place_feet = rolled.place_feet = half == &out.with_ik;
    half->courses = eval::evaluate_terrain(*controller, body, on, &half->recoveries);
    half->rollouts = eval::rollout_errors(*controller, body, clips, rolled);
  }
  return out;
}

}  // namespace zoe::author
