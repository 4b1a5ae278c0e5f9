// SPDX-License-Identifier: MIT
#include "train/fed_back_noise.h"

#include <cmath>

namespace zoe::train {
namespace {

struct Keys {
  const char *columns, *deviation;
};
constexpr Keys kSpeed{"model.fed_back_speed", "model.speed_noise"}, kPose{"model.fed_back_pose", "model.pose_noise"};

// [width] The deviation in the columns of the ranges, else 0. Not defined: no errors.
Result<at::Tensor> read(const ModelSetup& setup, const Keys& keys) {
  const auto& ranges = setup.config.get<std::vector<std::int64_t>>(keys.columns);
  const auto deviation = setup.config.get<double>(keys.deviation);
  const std::int64_t width = flat_size(setup.fields[0]);
  at::Tensor values = at::zeros({width});
  for (std::size_t i = 0; i < ranges.size(); i += 2) {
    if (i + 1 == ranges.size() || ranges[i] < 0 || ranges[i + 1] <= ranges[i] || ranges[i + 1] > width) {
      return Error{ErrorCode::kUsage, std::string(keys.columns) +
                                          " must be pairs of numbers, first and one past the last of x's columns (x "
                                          "has " +
                                          std::to_string(width) + ")"};
    }
    values.slice(0, ranges[i], ranges[i + 1]).fill_(deviation / std::sqrt(2.0));
  }
  return ranges.empty() || !(deviation > 0) ? at::Tensor() : values.to(setup.options);
}

}  // namespace

Result<FedBackNoise> FedBackNoise::create(const ModelSetup& setup) {
  FedBackNoise noise;
  ZOE_TRY_ASSIGN(noise.speed_, read(setup, kSpeed));
  ZOE_TRY_ASSIGN(noise.pose_, read(setup, kPose));
  return noise;
}

void FedBackNoise::add_keys(ConfigSchema& schema) {
  const std::vector<std::int64_t> none;
  schema.add(kSpeed.deviation, 0.0, "errors on the columns below in training, in deviations of the data")
      .add(kSpeed.columns, none, "speeds and past path that the model predicted itself: pairs of first, one past last")
      .add(kPose.deviation, 0.0, "the same on the columns below")
      .add(kPose.columns, none, "poses and phases that the model predicted itself");
}

at::Tensor FedBackNoise::apply(const at::Tensor& x, bool training) const {
  if (!training || x.size(0) < 3 || !(speed_.defined() || pose_.defined())) return x;
  const at::Tensor apart = at::roll(x, 1, 0) - at::roll(x, 2, 0);
  at::Tensor out = x;
  for (const at::Tensor* deviations : {&speed_, &pose_}) {
    if (deviations->defined()) out = out + at::randn({x.size(0), 1}, x.options()) * (apart * *deviations);
  }
  return out;
}

}  // namespace zoe::train
