// SPDX-License-Identifier: MIT
#include "sprite/puppet/paper.h"

#include <algorithm>
#include <array>

namespace zoe::sprite {
namespace {

constexpr double kRing = 0.05;         // Width of the border that is taken for background, of the picture's size.
constexpr double kLeastContrast = 16;  // Of 255, the strongest channel.
constexpr double kNoises = 5;          // Contrast in deviations of the background.
constexpr double kPhotoNoise = 20;     // Deviation of the border from which on there is no plain background.
constexpr double kClosing = 0.011;     // Gaps in lines that are closed, of the picture's size.
constexpr double kPlainNoise = 1.5;    // Deviation of a background of one colour.
constexpr std::size_t kTerms = 6;      // 1, x, y, x², xy, y².
using Field = std::array<double, kTerms>;

Field terms_at(double u, double v) { return {1, u, v, u * u, u * v, v * v}; }

// Least squares by elimination; the normal matrix is positive definite where the samples are spread.
Field solve_field(std::array<std::array<double, kTerms + 1>, kTerms> m) {
  for (std::size_t i = 0; i < kTerms; ++i) m[i][i] += 1e-6;
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (std::size_t k = 0; k < kTerms; ++k) {
      if (k == i) continue;
      const double factor = m[k][i] / m[i][i];
      for (std::size_t j = i; j <= kTerms; ++j) m[k][j] -= factor * m[i][j];
    }
  }
  Field field{};
  for (std::size_t i = 0; i < kTerms; ++i) field[i] = m[i][kTerms] / m[i][i];
  return field;
}

class Backdrop {
 public:
  explicit Backdrop(const render::Picture& picture) : picture_(picture) {
    const int ring = std::max(1, static_cast<int>(kRing * std::min(picture.width, picture.height)));
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) {
        if (x < ring || y < ring || x >= picture.width - ring || y >= picture.height - ring) border_.push_back({x, y});
      }
    }
    // The median first, then fields over what is near: parts of the figure at the border do not pull.
    std::vector<std::uint8_t> values;
    for (std::size_t c = 0; c < 3; ++c) {
      values.clear();
      for (const auto& [x, y] : border_) values.push_back(picture.pixel(x, y)[c]);
      std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
      fields_[c] = {static_cast<double>(values[values.size() / 2]), 0, 0, 0, 0, 0};
    }
    for (const double limit : {60.0, 30.0, 20.0}) fit(limit);
    std::vector<double> apart;
    for (const auto& [x, y] : border_) apart.push_back(difference(x, y));
    std::nth_element(apart.begin(), apart.begin() + static_cast<std::ptrdiff_t>(apart.size() * 6 / 10), apart.end());
    noise_ = apart[apart.size() * 6 / 10];
  }

  double noise() const { return noise_; }

  double difference(int x, int y) const {
    const Field terms = terms_at(u(x), v(y));
    const std::uint8_t* p = picture_.pixel(x, y);
    double most = 0;
    for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(p[c] - value(c, terms)));
    return most;
  }

 private:
  double u(int x) const { return (x + 0.5) / picture_.width - 0.5; }
  double v(int y) const { return (y + 0.5) / picture_.height - 0.5; }
  double value(std::size_t channel, const Field& terms) const {
    double sum = 0;
    for (std::size_t i = 0; i < kTerms; ++i) sum += fields_[channel][i] * terms[i];
    return sum;
  }
  void fit(double limit) {
    std::array<std::array<std::array<double, kTerms + 1>, kTerms>, 3> normal{};
    int count = 0;
    for (const auto& [x, y] : border_) {
      if (difference(x, y) > limit) continue;
      ++count;
      const Field terms = terms_at(u(x), v(y));
      for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < kTerms; ++i) {
          for (std::size_t j = 0; j < kTerms; ++j) normal[c][i][j] += terms[i] * terms[j];
          normal[c][i][kTerms] += terms[i] * picture_.pixel(x, y)[c];
        }
      }
    }
    if (count < static_cast<int>(border_.size()) / 4) return;
    for (std::size_t c = 0; c < 3; ++c) fields_[c] = solve_field(normal[c]);
  }

  const render::Picture& picture_;
  std::vector<std::pair<int, int>> border_;
  std::array<Field, 3> fields_{};
  double noise_ = 0;
};

}  // namespace

Result<PaperMask> figure_on_paper(const render::Picture& picture) {
  const Backdrop backdrop(picture);
  const Error none{ErrorCode::kInvalid,
                   "has no plain background around a figure: give a drawing with transparency, on one colour or on "
                   "paper",
                   {}};
  if (backdrop.noise() > kPhotoNoise) return none;
  const double contrast = std::max(kLeastContrast, kNoises * backdrop.noise());
  Mask ink(picture.width, picture.height);
  int at_border = 0, border = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      ink.at(x, y) = backdrop.difference(x, y) > contrast ? 1 : 0;
      if (x == 0 || y == 0 || x == picture.width - 1 || y == picture.height - 1) {
        ++border;
        at_border += ink.at(x, y);
      }
    }
  }
  if (at_border > border * 4 / 10) return none;
  // Gaps between lines are closed, what lines enclose belongs to the figure.
  const double radius = std::max(1.0, kClosing * std::max(picture.width, picture.height));
  const int margin = static_cast<int>(radius) + 2;
  Mask wide(ink.width + 2 * margin, ink.height + 2 * margin);
  for (int y = 0; y < ink.height; ++y) {
    for (int x = 0; x < ink.width; ++x) wide.at(x + margin, y + margin) = ink.at(x, y);
  }
  const Mask closed = eroded(without_holes(dilated(wide, radius)), radius);
  PaperMask out{ink, backdrop.noise() < kPlainNoise};
  for (int y = 0; y < ink.height; ++y) {
    for (int x = 0; x < ink.width; ++x) {
      if (closed.at(x + margin, y + margin) != 0) out.mask.at(x, y) = 1;
    }
  }
  const double share = static_cast<double>(area_of(out.mask)) / (picture.width * picture.height);
  if (share < 0.002 || share > 0.97) return none;
  return out;
}

}  // namespace zoe::sprite
