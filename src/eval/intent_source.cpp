// SPDX-License-Identifier: MIT
#include "zoe/eval/intent_source.h"

#include "zoe/control/style_mix.h"
#include "zoe/core/file.h"
#include "zoe/eval/courses.h"
#include "zoe/eval/path_file.h"

namespace zoe::eval {
namespace {

using SourcePtr = std::unique_ptr<control::IntentSource>;

Result<SourcePtr> without_labels(const SourceRequest& request, const control::Controller& controller) {
  if (!request.script.empty()) {
    ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(request.script));
    return control::parse_script(file.text(), request.script.string(), {controller.styles(), controller.actions()});
  }
  if (request.path.empty()) {
    if (request.action.empty()) return SourcePtr();
    return control::parse_script("0 stand");
  }
  const float speed_mps = request.speed_mps > 0 ? request.speed_mps : controller.motion_range().pace_mps;
  if (!is_path_file(request.path)) return make_course(request.path, speed_mps, request.seed);
  ZOE_TRY_ASSIGN(control::Path path, read_path(request.path));
  return control::follow(std::move(path), {.speed_mps = speed_mps});
}

Result<int> label_index(std::span<const std::string> labels, const std::string& name, const char* what) {
  if (name.empty()) return -1;
  return control::find_label(labels, name, what);
}

}  // namespace

Result<SourcePtr> make_source(const SourceRequest& request, const control::Controller& controller) {
  ZOE_TRY_ASSIGN(SourcePtr source, without_labels(request, controller));
  control::StyleMix styles{};
  if (!request.style.empty()) {
    ZOE_TRY_ASSIGN(styles, control::parse_style_mix(request.style, controller.styles()));
  }
  ZOE_TRY_ASSIGN(const int action, label_index(controller.actions(), request.action, "action"));
  if (source == nullptr) return source;
  if (!request.style.empty()) source = control::with_style_mix(std::move(source), styles);
  return action < 0 ? std::move(source) : control::with_labels(std::move(source), -1, action);
}

PlanarRoot start_of(const control::IntentSource& source) {
  return source.path() != nullptr ? control::start_of(*source.path()) : PlanarRoot{};
}

}  // namespace zoe::eval
