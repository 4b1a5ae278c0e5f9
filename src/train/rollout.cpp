// SPDX-License-Identifier: MIT
#include "train/rollout.h"

#include <map>

namespace zoe::train {
namespace {

constexpr double kSame = 1e-3;  // Mean difference of columns, in the data's units (m, m/s): the rest is rounding.

}  // namespace

void Rollout::add_keys(ConfigSchema& schema) {
  schema.add("model.rollout", 1, "steps of a rollout: inputs of further steps are the model's own outputs; 1: none")
      .add("model.feed", std::vector<std::int64_t>{},
           "columns of x that are outputs of earlier steps, in fours: first in x, first in y, number, steps further "
           "back")
      .add("model.feed_phase", -1, "column of y with the change of the phase in turns; -1: none");
}

Result<Rollout> Rollout::create(const ModelSetup& setup) {
  Rollout out;
  out.length_ = integer(setup, "model.rollout");
  if (out.length_ < 1 || out.length_ > 256) return Error{ErrorCode::kUsage, "model.rollout must be 1 to 256"};
  const auto& feed = setup.config.get<std::vector<std::int64_t>>("model.feed");
  out.phase_column_ = integer(setup, "model.feed_phase");
  const std::int64_t x_width = flat_size(setup.fields[0]), y_width = flat_size(setup.fields[1]);
  bool sound = feed.size() % 4 == 0 && out.phase_column_ >= -1 && out.phase_column_ < y_width;
  std::map<std::int64_t, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> by_lag;
  for (std::size_t i = 0; sound && i + 3 < feed.size(); i += 4) {
    const std::int64_t x = feed[i], y = feed[i + 1], count = feed[i + 2], lag = feed[i + 3];
    sound = x >= 0 && y >= 0 && count > 0 && lag >= 0 && x + count <= x_width && y + count <= y_width;
    for (std::int64_t c = 0; sound && c < count; ++c) {
      by_lag[lag].first.push_back(x + c);
      by_lag[lag].second.push_back(y + c);
    }
  }
  if (!sound) return Error{ErrorCode::kUsage, "model.feed must be columns of x and y; see its description"};
  if (out.length_ > 1 && by_lag.count(0) == 0)
    return Error{ErrorCode::kUsage, "model.rollout needs model.feed: columns of x that are the output before"};
  const auto on_device = [&](const std::vector<std::int64_t>& list) {
    return at::tensor(list, at::kLong).to(setup.options.device());
  };
  for (const auto& [lag, columns] : by_lag)
    out.columns_.push_back({lag, on_device(columns.first), on_device(columns.second)});
  return out;
}

at::Tensor Rollout::of_step(const at::Tensor& field, std::int64_t runs, std::int64_t k) const {
  return field.narrow(0, 0, runs * length_).reshape({runs, length_, -1}).narrow(1, k, 1);
}

at::Tensor Rollout::follows(const at::Tensor& y_before, const at::Tensor& x) const {
  const Columns& now = columns_.front();
  const at::Tensor apart = x.flatten(1).index_select(1, now.x) - y_before.flatten(1).index_select(1, now.y);
  return apart.abs().mean(1, true) < kSame;
}

at::Tensor Rollout::fed(const at::Tensor& x, const std::vector<at::Tensor>& made, const at::Tensor& alive) const {
  at::Tensor out = x.flatten(1);
  for (const Columns& columns : columns_) {
    const auto past = static_cast<std::int64_t>(made.size()) - 1 - columns.lag;
    if (past < 0) continue;
    const at::Tensor own = made[static_cast<std::size_t>(past)].index_select(1, columns.y);
    out = out.index_copy(1, columns.x, at::where(alive, own, out.index_select(1, columns.x)));
  }
  return out.view_as(x);
}

void Rollout::add(Losses& sum, const Losses& step) const {
  const auto share = [&](const at::Tensor& value) { return value / static_cast<double>(length_); };
  if (!sum.total.defined()) {
    sum.total = share(step.total);
    for (const auto& [name, value] : step.values) sum.values.emplace_back(name, share(value));
    return;
  }
  sum.total = sum.total + share(step.total);
  for (std::size_t i = 0; i < sum.values.size(); ++i)
    sum.values[i].second = sum.values[i].second + share(step.values[i].second);
}

}  // namespace zoe::train
