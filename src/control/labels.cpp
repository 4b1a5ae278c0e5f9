// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/control/sources.h"
#include "zoe/core/suggest.h"

namespace zoe::control {
namespace {

class LabelledSource final : public IntentSource {
 public:
  LabelledSource(std::unique_ptr<IntentSource> source, int style, int action)
      : source_(std::move(source)), style_(style), action_(action) {}

  Intent next(const PlanarRoot& root, double dt_s) override {
    Intent intent = source_->next(root, dt_s);
    request(style_, intent.styles);
    request(action_, intent.actions);
    return intent;
  }
  const Path* path() const override { return source_->path(); }
  bool done() const override { return source_->done(); }

 private:
  static void request(int label, std::array<float, kMaxLabels>& labels) {
    const bool any = std::any_of(labels.begin(), labels.end(), [](float weight) { return weight != 0; });
    if (label >= 0 && label < kMaxLabels && !any) labels[static_cast<std::size_t>(label)] = 1;
  }
  std::unique_ptr<IntentSource> source_;
  int style_, action_;
};

}  // namespace

Result<int> find_label(std::span<const std::string> labels, std::string_view name, const char* what) {
  if (name == "none") return -1;
  std::string list;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == name) return static_cast<int>(i);
    list += (list.empty() ? "" : ", ") + labels[i];
  }
  if (labels.empty()) {
    return Error{
        ErrorCode::kUsage,
        std::string("this model has no ") + what + "s: `zoe train controller --" + what + "s LIST` makes one that has",
        {}};
  }
  return Error{
      ErrorCode::kUsage,
      std::string("no ") + what + " '" + std::string(name) + "'" + did_you_mean(name, labels) + "; there are: " + list,
      {}};
}

Result<void> set_label(std::span<const std::string> labels, std::string_view name, const char* what, float weight,
                       std::array<float, kMaxLabels>& weights) {
  ZOE_TRY_ASSIGN(const int label, find_label(labels, name, what));
  if (label < 0) weights.fill(0);
  if (label >= 0 && label < kMaxLabels) weights[static_cast<std::size_t>(label)] = weight;
  return {};
}

std::unique_ptr<IntentSource> with_labels(std::unique_ptr<IntentSource> source, int style, int action) {
  return std::make_unique<LabelledSource>(std::move(source), style, action);
}

}  // namespace zoe::control
