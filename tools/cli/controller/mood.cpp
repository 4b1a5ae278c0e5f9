// SPDX-License-Identifier: MIT
#include "controller/mood.h"

#include "zoe/character/copy_pose.h"
#include "zoe/retarget/reference_pose.h"
#include "zoe/style/style_layer.h"

#include "become.h"

namespace zoe::cli {

std::filesystem::path style_model_folder(const std::string& folder) {
  if (!folder.empty()) return folder;
  std::error_code ignored;
  const std::filesystem::path installed = beside_zoe("../share/zoe/models/style");
  return std::filesystem::exists(installed, ignored) ? installed : std::filesystem::path(ZOE_MODELS_DIR) / "style";
}

Result<Mood> make_mood(const control::Controller& controller, const std::string& model_folder, const std::string& mood,
                       double rate_hz) {
  ZOE_TRY_ASSIGN(const style::StyleModelPtr model, style::StyleModel::load(style_model_folder(model_folder)));
  ZOE_TRY_ASSIGN(const style::StyleCode code, model->parse(mood));
  // The standing character is a clip of its body: rest poses of captures need not stand.
  const auto state = controller.make_state();
  Motion standing = make_motion(controller.skeleton(), "standing", 30, 2, false);
  for (std::size_t frame = 0; frame < 2; ++frame) {
    const PoseView pose = state->pose();
    const std::size_t joints = pose.rotations.size();
    std::copy(pose.translations.begin(), pose.translations.end(),
              standing.translations.begin() + static_cast<std::ptrdiff_t>(frame * joints));
    std::copy(pose.rotations.begin(), pose.rotations.end(),
              standing.rotations.begin() + static_cast<std::ptrdiff_t>(frame * joints));
  }
  const std::span<const Motion> clips(&standing, 1);
  AnalysisOptions options;
  options.stated_metres_per_unit = 1.0;
  const SkeletonAnalysis analysis = analyse(*controller.skeleton(), clips, nullptr, options);
  ZOE_TRY_ASSIGN(style::RoleBody body, model->body_of(controller.skeleton(), analysis,
                                                      reference_pose(*controller.skeleton(), analysis, clips)));
  auto layer = std::make_unique<style::StyleLayer>(model, std::move(body), controller.legs(), rate_hz,
                                                   !model->knows(*controller.skeleton()));
  layer->set_style(code);
  return Mood{model, std::move(layer)};
}

}  // namespace zoe::cli
