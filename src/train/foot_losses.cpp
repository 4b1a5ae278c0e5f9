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
  if (out.exists()) out.gather_columns(setup.options);
  return out;
}

void FootLosses::gather_columns(const at::TensorOptions& options) {
  std::size_t most = 0;
  for (const Foot& foot : feet_) most = std::max(most, foot.axes.size());
  std::vector<std::int64_t> hips, z_axes, y_axes, grounded, contacts, underfoot;
  std::vector<double> bones, standing_m;
  const auto add_three = [](std::vector<std::int64_t>& to, std::int64_t column) {
    to.insert(to.end(), {column, column + 1, column + 2});
  };
  for (std::size_t f = 0; f < feet_.size(); ++f) {
    const Foot& foot = feet_[f];
    add_three(hips, foot.hips);
    for (std::size_t i = 0; i < most; ++i) {
      const bool is_there = i < foot.axes.size();
      const std::int64_t axes = foot.axes[is_there ? i : 0];
      add_three(z_axes, axes);
      add_three(y_axes, axes + 3);
      for (std::size_t k = 0; k < 3; ++k) bones.push_back(is_there ? foot.bones[3 * i + k] : 0.0);
    }
    if (foot.underfoot < 0) continue;
    grounded.push_back(static_cast<std::int64_t>(f));
    contacts.push_back(foot.contact);
    underfoot.push_back(foot.underfoot);
    standing_m.push_back(foot.standing_m);
  }
  const auto columns = [&](const std::vector<std::int64_t>& of) {
    return at::tensor(of, at::kLong).to(options.device());
  };
  hips_ = columns(hips);
  z_axes_ = columns(z_axes);
  y_axes_ = columns(y_axes);
  bones_ = at::tensor(bones, at::kDouble)
               .to(options)
               .view({static_cast<std::int64_t>(feet_.size()), static_cast<std::int64_t>(most), 3});
  if (grounded.empty()) return;
  grounded_ = columns(grounded);
  contacts_ = columns(contacts);
  underfoot_ = columns(underfoot);
  standing_m_ = at::tensor(standing_m, at::kDouble).to(options);
}

at::Tensor FootLosses::places(const at::Tensor& y) const {
  const std::int64_t feet = bones_.size(0), bones = bones_.size(1);
  const auto vectors = [&](const at::Tensor& columns) { return y.index_select(1, columns).view({-1, feet, bones, 3}); };
  // As the run time does: z is kept, y is in the plane of both.
  const at::Tensor z = unit_length(vectors(z_axes_)), x = unit_length(at::linalg_cross(vectors(y_axes_), z));
  const at::Tensor up = at::linalg_cross(z, x);
  const at::Tensor along = x * bones_.slice(2, 0, 1) + up * bones_.slice(2, 1, 2) + z * bones_.slice(2, 2, 3);
  return y.index_select(1, hips_).view({-1, feet, 3}) + along.sum(2);
}

std::vector<LossTerm> FootLosses::terms(const at::Tensor& made, const at::Tensor& real) const {
  const at::Tensor places = this->places(made);
  const at::Tensor off = (places - this->places(real)) / kUnit_m;
  std::vector<LossTerm> terms{{"foot_place", off.square().mean()}};
  if (!grounded_.defined()) return terms;
  const at::Tensor heights = places.select(2, 1).index_select(1, grounded_);
  const at::Tensor above = (heights - real.index_select(1, underfoot_) - standing_m_) / kUnit_m;
  terms.push_back({"foot_height", (real.index_select(1, contacts_) * above.square()).mean()});
  terms.push_back({"penetration", at::relu(-above).square().mean()});
  return terms;
}

}  // namespace zoe::train
