// SPDX-License-Identifier: MIT
#include "source.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "zoe/anatomy/human_bones.h"
#include "zoe/anatomy/model_pose.h"
#include "zoe/certify/t_pose.h"
#include "zoe/control/command.h"
#include "zoe/control/load.h"
#include "zoe/io/convert.h"
#include "zoe/motion/sample.h"

#include "verbs.h"

namespace zoe::cli {

// Turns a body into a T-pose to know which rotations its joints have there. A clip without rotations shows them: its
// joints turn backwards by that much.
Result<std::shared_ptr<const stream::Humanoid>> humanoid_of(const SkeletonPtr& skeleton, std::vector<Motion> clips,
                                                            const std::string& path) {
  const SkeletonAnalysis analysis = analyse(*skeleton, clips);
  auto humanoid = std::make_shared<stream::Humanoid>();
  humanoid->bones = anatomy::human_bones(*skeleton, analysis);
  Character character;
  character.skeleton = skeleton;
  Motion probe = make_motion(skeleton, "probe", 30, 1, false);
  for (Quat& rotation : probe.rotations) rotation = {};
  clips.push_back(std::move(probe));
  Result<certify::TPosed> posed = certify::with_t_pose(character, clips, analysis);
  if (!posed || humanoid->bones.empty()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("vmc:// carries people; this body is a {}{}", to_string(analysis.family),
                             posed ? "" : ": " + posed.error().message),
                 {.file = path}};
  }
  anatomy::ModelPose model;
  anatomy::compute_model_pose(*posed->character->skeleton, posed->clips.back().frame(0), model);
  for (const Quat& rotation : model.rotations) humanoid->t_pose.push_back(conjugate(rotation));
  return std::shared_ptr<const stream::Humanoid>(std::move(humanoid));
}

namespace {

Result<StreamSource> clip_source(const std::string& path, const StreamRequest& request, bool needs_humanoid) {
  ZOE_TRY_ASSIGN(io::Asset asset, io::load_converted(path, {.clip = request.clip}));
  if (asset.clips.empty()) return Error{ErrorCode::kUsage, "contains no clip to stream", {.file = path}};
  io::to_metres(asset, path);
  print_warnings(asset.warnings);
  const auto clip = std::make_shared<Motion>(std::move(asset.clips[0]));
  const auto pose = std::make_shared<Pose>(make_pose(*clip->skeleton));
  const bool loops = request.loop;
  StreamSource source{.subject = {.name = clip->name, .fps = request.fps, .skeleton = clip->skeleton},
                      .seconds = loops ? 0 : clip->duration_s(),
                      .pose_at = [clip, pose, loops](double time_s) {
                        sample(*clip, clip->start_time_s + time_s, loops ? Wrap::kLoopClosed : Wrap::kClamp, *pose);
                        return pose->view();
                      }};
  if (needs_humanoid) {
    ZOE_TRY_ASSIGN(source.subject.humanoid, humanoid_of(clip->skeleton, {*clip}, path));
  }
  return source;
}

Result<StreamSource> controller_source(const std::string& path, const StreamRequest& request, bool needs_humanoid) {
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(path));
  const control::CommandWords words = control::split_command(request.command);
  control::Intent intent;
  const std::string problem =
      words.count == 0 || words.too_many
          ? "no command"
          : control::apply_command({words.words, words.count}, {controller->styles(), controller->actions()}, intent);
  if (!problem.empty()) return Error{ErrorCode::kUsage, fmt::format("--command: {}", problem), {}};
  const std::shared_ptr<control::ControllerState> state = controller->make_state();
  const double step_s = 1 / request.fps;
  StreamSource source{.subject = {.name = controller->type(), .fps = request.fps, .skeleton = controller->skeleton()},
                      .seconds = 0,
                      .pose_at = [controller, state, intent, step_s](double) {
                        controller->tick(*state, intent, step_s);
                        return state->pose();
                      }};
  if (needs_humanoid) {
    ZOE_TRY_ASSIGN(source.subject.humanoid, humanoid_of(controller->skeleton(), {}, path));
  }
  return source;
}

}  // namespace

bool is_recording(const std::string& path) { return path.ends_with(".zoep"); }

Result<StreamSource> open_source(const std::string& path, const StreamRequest& request, std::uint32_t id,
                                 bool needs_humanoid) {
  const bool is_controller = std::filesystem::is_directory(path) || path.ends_with(".zoe");
  ZOE_TRY_ASSIGN(StreamSource source, is_controller ? controller_source(path, request, needs_humanoid)
                                                    : clip_source(path, request, needs_humanoid));
  source.subject.id = id;
  return source;
}

}  // namespace zoe::cli
