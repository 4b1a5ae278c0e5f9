// SPDX-License-Identifier: MIT
#include "controller/playable.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "zoe/control/load.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"

#include "character_option.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;
// The rig's own skin, in the run folder of a rig.
constexpr const char* kOwnCharacter = "character.glb";

double clock_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Error named(Error error, const std::string& file) {
  if (error.where.file.empty()) error.where.file = file;
  return error;
}

scene::DisplayedBody own_body(const author::Alive& alive, const fs::path& file) {
  scene::DisplayedBody body{.character = alive.character};
  body.image_folder = file.parent_path();
  body.height_m = static_cast<float>(alive.analysis.height_m);
  return body;
}

// A body that has the controller's skeleton needs no retargeting.
std::optional<scene::DisplayedBody> body_of_same_rig(const control::Controller& controller, const std::string& file) {
  if (std::string(controller.type()) != "gait" || !is_rig_file(file)) return std::nullopt;
  const auto rig = load_alive(file);
  if (!rig || !control::check_same_skeleton(*controller.skeleton(), *rig->alive.character->skeleton))
    return std::nullopt;
  return own_body(rig->alive, file);
}

std::string summary_of(const AliveRig& rig, const std::string& file) {
  const control::GaitPlan& plan = rig.alive.plan;
  const std::string moves = plan.legs.empty() ? std::string("moves by: ") + to_string(plan.locomotion)
                                              : fmt::format("walks on {} legs", plan.legs.size());
  return fmt::format("{}: {}, {}, {:.2g} m/s, at most {:.2g} m/s; planned in {:.2f} s", file,
                     to_string(rig.alive.analysis.family), moves, static_cast<double>(plan.settings.walk_mps),
                     static_cast<double>(plan.settings.run_mps), rig.seconds);
}

}  // namespace

bool is_rig_file(const std::string& run) {
  std::error_code ignored;
  return !fs::is_directory(run, ignored) && io::format_of_extension(run).has_value();
}

Result<AliveRig> load_alive(const std::string& file, const std::string& overrides) {
  const double begin_s = clock_s();
  AliveRig rig;
  ZOE_TRY_ASSIGN(rig.asset, io::read_asset(file));
  Result<author::Alive> alive = author::make_alive(rig.asset, overrides);
  if (!alive) return named(alive.error(), file);
  rig.alive = std::move(*alive);
  rig.seconds = clock_s() - begin_s;
  return rig;
}

Result<void> save_alive(const AliveRig& rig, const std::string& folder) {
  ZOE_TRY(control::save_gait_run(folder, rig.alive.body, rig.alive.plan, "that of the rig; no motions were used"));
  io::Asset own{rig.alive.character, {}, rig.asset.source, {}};
  ZOE_TRY(io::write_asset(fs::path(folder) / kOwnCharacter, own));
  return {};
}

Result<Playable> load_playable(const PlayableRequest& request) {
  Playable out;
  const bool is_rig = is_rig_file(request.run);
  if (is_rig) {
    ZOE_TRY_ASSIGN(const AliveRig rig, load_alive(request.run, request.overrides));
    auto controller = control::make_gait_controller(rig.alive.body, rig.alive.plan);
    if (!controller) return named(controller.error(), request.run);
    out.controller = std::move(*controller);
    out.summary = summary_of(rig, request.run);
    out.notes = rig.alive.notes;
    out.body_length_m = rig.alive.plan.settings.body_length_m;
    if (request.with_body && request.character.empty()) out.body = own_body(rig.alive, request.run);
  } else {
    ZOE_TRY_ASSIGN(out.controller, control::load_controller(fs::path(request.run)));
  }
  if (!request.with_body || (is_rig && request.character.empty())) return out;
  std::string file = request.character;
  std::error_code ignored;
  const bool is_gait = std::string(out.controller->type()) == "gait";
  if (const fs::path own = fs::path(request.run) / kOwnCharacter; is_gait && file.empty())
    file = fs::exists(own, ignored) ? own.string() : std::string(kBones);
  if (auto same = body_of_same_rig(*out.controller, file)) {
    out.body = std::move(*same);
    return out;
  }
  ZOE_TRY_ASSIGN(out.body, load_displayed_body(file, *out.controller));
  return out;
}

}  // namespace zoe::cli
