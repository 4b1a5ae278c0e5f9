// SPDX-License-Identifier: MIT
#include "stream/style.h"

#include <fmt/format.h>

#include "controller/mood.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

Result<std::unique_ptr<author::LiveStyle>> make_live_style(const StreamStyle& request) {
  ZOE_TRY_ASSIGN(const style::StyleModelPtr model, style::StyleModel::load(style_model_folder(request.model)));
  ZOE_TRY_ASSIGN(const style::StyleCode code, model->parse(request.style));
  return std::make_unique<author::LiveStyle>(
      model, style::between(model->neutral(), code, static_cast<float>(request.strength)));
}

}  // namespace

Result<StreamStyler> StreamStyler::create(const StreamStyle& request) {
  StreamStyler styler;
  styler.request_ = request;
  if (!request.style.empty()) ZOE_TRY(make_live_style(request));
  return styler;
}

PoseView StreamStyler::run(const stream::Subject& subject, double time_s, const PoseView& pose) {
  if (request_.style.empty() || refused_.contains(subject.id)) return pose;
  auto& character = characters_[subject.id];
  if (!character) character = std::move(make_live_style(request_).value());
  const Result<PoseView> styled = character->run(subject.skeleton, subject.fps, pose, time_s);
  if (styled) return *styled;
  // The stream goes on: others may be persons.
  refused_.insert(subject.id);
  print_warnings({{fmt::format("'{}' passes unchanged: {}", subject.name, styled.error().message), {}}});
  return pose;
}

}  // namespace zoe::cli
