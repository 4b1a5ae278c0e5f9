// SPDX-License-Identifier: MIT
#include "train/foot_losses.h"

namespace zoe::train {
namespace {

constexpr double kUnit_m = 0.05;

at::Tensor unit_length(const at::Tensor& v) { return v / (v.square().sum(-1, true) + 1e-12).sqrt(); }

}  // namespace

void FootLosses::add_keys(ConfigSchema& schema) {
  schema
      .add("model.feet", std::vector<std::int64_t>{},
           "columns of y of each foot part: hips, contact, ground below (-1: flat), bones, a joint above each; "
           "empty: no losses")
      .add("model.foot_bones", std::vector<double>{}, "of each foot part: height in a stand, then its bones at rest");
  add_loss_keys(schema, {"data", "foot_place", "foot_height", "penetration"});
}

Result<FootLosses> FootLosses::create(const ModelSetup& setup) {
  const auto& columns = setup.config.get<std::vector<std::int64_t>>("model.feet");
  const auto& numbers = setup.config.get<std::vector<double>>("model.foot_bones");
  const std::int64_t width = flat_size(setup.fields[1]);
  const Error wrong{ErrorCode::kUsage, "model.feet and model.foot_bones do not fit each other or the columns of y"};
  FootLosses out;
  std::size_t number = 0;
  for (std::size_t i = 0; i < columns.size();) {
    if (i + 4 > columns.size()) return wrong;
    Foot foot{columns[i], columns[i + 1], columns[i + 2], {}, {}, 0};
    const std::int64_t bones = columns[i + 3];
    i += 4;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(bones, 0));
    if (bones < 1 || bones > 64 || i + count > columns.size() || number + 1 + 3 * count > numbers.size()) return wrong;
    foot.axes.assign(columns.begin() + static_cast<std::ptrdiff_t>(i),
                     columns.begin() + static_cast<std::ptrdiff_t>(i + count));
    i += count;
    foot.standing_m = numbers[number++];
    foot.bones.assign(numbers.begin() + static_cast<std::ptrdiff_t>(number),
                      numbers.begin() + static_cast<std::ptrdiff_t>(number + 3 * count));
    number += 3 * count;
    const auto fits = [&](std::int64_t column, std::int64_t size) { return column >= 0 && column + size <= width; };
    bool good = fits(foot.hips, 3) && fits(foot.contact, 1) && (foot.underfoot == -1 || fits(foot.underfoot, 1));
    for (const std::int64_t axes : foot.axes) good = good && fits(axes, 6);
    if (!good) return wrong;
    out.feet_.push_back(std::move(foot));
  }
  if (number != numbers.size()) return wrong;
  return out;
}

at::Tensor FootLosses::places(const at::Tensor& y) const {
  std::vector<at::Tensor> feet;
  for (const Foot& foot : feet_) {
    at::Tensor place = y.narrow(1, foot.hips, 3);
    for (std::size_t i = 0; i < foot.axes.size(); ++i) {
      // As the run time does: z is kept, y is in the plane of both.
      const at::Tensor z = unit_length(y.narrow(1, foot.axes[i], 3));
      const at::Tensor x = unit_length(at::linalg_cross(y.narrow(1, foot.axes[i] + 3, 3), z));
      const at::Tensor up = at::linalg_cross(z, x);
      place = place + x * foot.bones[3 * i] + up * foot.bones[3 * i + 1] + z * foot.bones[3 * i + 2];
    }
    feet.push_back(place);
  }
  return at::stack(feet, 1);
}

std::vector<LossTerm> FootLosses::terms(const at::Tensor& made, const at::Tensor& real) const {
  const at::Tensor places = this->places(made);
  const at::Tensor off = (places - this->places(real)) / kUnit_m;
  std::vector<at::Tensor> in_contact, below;
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const Foot& foot = feet_[i];
    if (foot.underfoot < 0) continue;
    const at::Tensor above = (places.select(1, static_cast<std::int64_t>(i)).select(1, 1) -
                              real.select(1, foot.underfoot) - foot.standing_m) /
                             kUnit_m;
    in_contact.push_back(real.select(1, foot.contact) * above.square());
    below.push_back(at::relu(-above).square());
  }
  std::vector<LossTerm> terms{{"foot_place", off.square().mean()}};
  if (below.empty()) return terms;
  terms.push_back({"foot_height", at::stack(in_contact, 1).mean()});
  terms.push_back({"penetration", at::stack(below, 1).mean()});
  return terms;
}

}  // namespace zoe::train
