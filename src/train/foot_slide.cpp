// SPDX-License-Identifier: MIT
#include "train/foot_slide.h"

namespace zoe::train {

void FootSlide::add_keys(ConfigSchema& schema) {
  schema.add("model.slide", 0.0, "weight of the sliding of feet in contact, per squared centimetre in a step")
      .add("model.slide_feet", std::vector<std::int64_t>{},
           "the column of y with the root's step (x, turn, z per second), steps per second; then for each foot part: "
           "position in x, position in y, contact in y");
}

Result<FootSlide> FootSlide::create(const ModelSetup& setup) {
  FootSlide out;
  out.weight_ = setup.config.get<double>("model.slide");
  const auto& columns = setup.config.get<std::vector<std::int64_t>>("model.slide_feet");
  if (columns.empty()) return out;
  const std::int64_t x_width = flat_size(setup.fields[0]), y_width = flat_size(setup.fields[1]);
  const auto fits = [](std::int64_t column, std::int64_t count, std::int64_t width) {
    return column >= 0 && column + count <= width;
  };
  bool sound = columns.size() >= 5 && (columns.size() - 2) % 3 == 0 && fits(columns[0], 3, y_width) && columns[1] > 0;
  std::vector<std::int64_t> x, y, contact;
  for (std::size_t i = 2; sound && i < columns.size(); i += 3) {
    sound = fits(columns[i], 3, x_width) && fits(columns[i + 1], 3, y_width) && fits(columns[i + 2], 1, y_width);
    x.insert(x.end(), {columns[i], columns[i] + 2});
    y.insert(y.end(), {columns[i + 1], columns[i + 1] + 2});
    contact.push_back(columns[i + 2]);
  }
  if (!sound) return Error{ErrorCode::kUsage, "model.slide_feet must be columns of x and y; see its description"};
  const auto on_device = [&](const std::vector<std::int64_t>& list) {
    return at::tensor(list, at::kLong).to(setup.options.device());
  };
  out.step_column_ = columns[0];
  out.step_s_ = 1 / static_cast<double>(columns[1]);
  out.x_ = on_device(x);
  out.y_ = on_device(y);
  out.contact_ = on_device(contact);
  return out;
}

at::Tensor FootSlide::over_ground(const at::Tensor& y) const {
  const at::Tensor feet = y.index_select(1, y_).view({y.size(0), -1, 2});
  const at::Tensor x = feet.select(2, 0), z = feet.select(2, 1);
  const at::Tensor turn = (y.select(1, step_column_ + 1) * step_s_).unsqueeze(1);
  const at::Tensor cosine = at::cos(turn), sine = at::sin(turn);
  return at::stack({cosine * x + sine * z + (y.select(1, step_column_) * step_s_).unsqueeze(1),
                    cosine * z - sine * x + (y.select(1, step_column_ + 2) * step_s_).unsqueeze(1)},
                   2);
}

at::Tensor FootSlide::operator()(const at::Tensor& x_seen, const at::Tensor& x, const at::Tensor& y_predicted,
                                 const at::Tensor& y) const {
  const auto feet = [&](const at::Tensor& of) { return of.index_select(1, x_).view({of.size(0), -1, 2}); };
  const at::Tensor off = 100 * ((over_ground(y_predicted) - feet(x_seen)) - (over_ground(y) - feet(x)));
  const at::Tensor contact = y.index_select(1, contact_).clamp(0, 1);
  return weight_ * (contact * off.square().sum(2)).mean();
}

}  // namespace zoe::train
