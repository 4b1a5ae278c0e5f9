// SPDX-License-Identifier: MIT
#include "train/fed_back_noise.h"

#include <cmath>

namespace zoe::train {
namespace {

struct Keys {
  const char *columns, *deviation;
};
constexpr Keys kSpeed{"model.fed_back_speed", "model.speed_noise"}, kPose{"model.fed_back_pose", "model.pose_noise"},
    kGoal{"model.fed_back_goal", "model.goal_noise"};

constexpr const char *kShrink = "model.shrink", *kBodyPose = "model.fed_back_body_pose",
                     *kBodySpeed = "model.fed_back_body_speed";

// [width] The value in the columns of the ranges, else 0. Not defined: no columns, or no value.
Result<at::Tensor> read(const ModelSetup& setup, const char* columns, double value) {
  const auto& ranges = setup.config.get<std::vector<std::int64_t>>(columns);
  const std::int64_t width = flat_size(setup.fields[0]);
  at::Tensor values = at::zeros({width});
  for (std::size_t i = 0; i < ranges.size(); i += 2) {
    if (i + 1 == ranges.size() || ranges[i] < 0 || ranges[i + 1] <= ranges[i] || ranges[i + 1] > width) {
      return Error{ErrorCode::kUsage, std::string(columns) +
                                          " must be pairs of numbers, first and one past the last of x's columns (x "
                                          "has " +
                                          std::to_string(width) + ")"};
    }
    values.slice(0, ranges[i], ranges[i + 1]).fill_(value);
  }
  return ranges.empty() || !(value > 0) ? at::Tensor() : values.to(setup.options);
}

Result<at::Tensor> read(const ModelSetup& setup, const Keys& keys) {
  return read(setup, keys.columns, setup.config.get<double>(keys.deviation) / std::sqrt(2.0));
}

}  // namespace

Result<FedBackNoise> FedBackNoise::create(const ModelSetup& setup) {
  FedBackNoise noise;
  ZOE_TRY_ASSIGN(noise.speed_, read(setup, kSpeed));
  ZOE_TRY_ASSIGN(noise.pose_, read(setup, kPose));
  ZOE_TRY_ASSIGN(noise.goal_, read(setup, kGoal));
  noise.shrink_ = setup.config.get<double>(kShrink);
  if (!(noise.shrink_ >= 0 && noise.shrink_ <= 1))
    return Error{ErrorCode::kUsage, std::string(kShrink) + " must be 0 to 1"};
  ZOE_TRY_ASSIGN(noise.shrunk_pose_, read(setup, kBodyPose, 1));
  ZOE_TRY_ASSIGN(noise.shrunk_speed_, read(setup, kBodySpeed, 1));
  return noise;
}

void FedBackNoise::add_keys(ConfigSchema& schema) {
  const std::vector<std::int64_t> none;
  schema.add(kSpeed.deviation, 0.0, "errors on the columns below in training, in deviations of the data")
      .add(kSpeed.columns, none, "speeds and past path that the model predicted itself: pairs of first, one past last")
      .add(kPose.deviation, 0.0, "the same on the columns below")
      .add(kPose.columns, none, "poses and phases that the model predicted itself")
      .add(kGoal.deviation, 0.0, "the same on the columns below")
      .add(kGoal.columns, none, "a goal, seen from a root that the model moved itself")
      .add(kShrink, 0.0, "fraction of samples whose pose, phases and joint velocities are brought nearer to the mean")
      .add(kBodyPose, none, "poses and phases that are then brought nearer: pairs of first, one past last")
      .add(kBodySpeed, none, "the same: velocities of joints");
}

at::Tensor FedBackNoise::apply(const at::Tensor& x, bool training) const {
  if (!training || x.size(0) < 3) return x;
  at::Tensor out = x;
  if (shrink_ > 0) {  // x is normalised: the mean is 0.
    const at::Tensor chosen = (at::rand({x.size(0), 1}, x.options()) < shrink_).to(x.scalar_type());
    for (const at::Tensor* columns : {&shrunk_pose_, &shrunk_speed_}) {
      if (columns->defined()) out = out * (1 - chosen * at::rand({x.size(0), 1}, x.options()) * *columns);
    }
  }
  if (!(speed_.defined() || pose_.defined() || goal_.defined())) return out;
  const at::Tensor apart = at::roll(x, 1, 0) - at::roll(x, 2, 0);
  for (const at::Tensor* deviations : {&speed_, &pose_, &goal_}) {
    if (deviations->defined()) out = out + at::randn({x.size(0), 1}, x.options()) * (apart * *deviations);
  }
  return out;
}

}  // namespace zoe::train
