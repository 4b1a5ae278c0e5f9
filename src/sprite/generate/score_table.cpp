// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/score_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace zoe::sprite {
namespace {

struct PlainMeasure {
  const char *name, *key, *meaning;
  int digits;
  double PaintScores::*member;
};
// The members that every evaluation has, then those of a judge of joints.
constexpr PlainMeasure kPlain[] = {
    {"PSNR", "psnr_db", "peak signal-to-noise ratio, dB", 2, &PaintScores::psnr_db},
    {"figure", "figure_psnr_db", "the same where one of the two has a figure", 2, &PaintScores::figure_psnr_db},
    {"SSIM", "ssim", "structural similarity of brightness", 3, &PaintScores::ssim},
    {"alpha", "alpha_overlap", "intersection over union of the figures", 3, &PaintScores::alpha_overlap},
    {"exact", "exact_pixels", "true figure pixels in the very colour", 3, &PaintScores::exact_pixels},
    {"stray", "stray_colors", "painted pixels in a colour that the reference lacks", 3, &PaintScores::stray_colors},
    {"color", "color_distance", "distance of the colours' shares, 0 to 1", 3, &PaintScores::color_distance},
    {"flicker", "flicker", "pixels that change where the true ones do not", 4, &PaintScores::flicker},
    {"motion", "motion_ratio", "changed pixels over truly changed ones", 2, &PaintScores::motion_ratio},
    {"loop", "loop_gap", "change from last to first frame over the mean change", 2, &PaintScores::loop_gap},
    {"joints", "joint_error_px", "error of the judge's joints, pixels", 2, &PaintScores::joint_error_px},
    {"right", "joints_right", "joints within 5 % of the figure's height", 3, &PaintScores::joints_right},
    {"nearest", "nearest_action", "nearest true clip by the judge's joints has the action", 3,
     &PaintScores::nearest_action},
};
constexpr std::size_t kFirstOfJoints = 10;

template <std::size_t Number>
double plain_value(const PaintScores& scores, std::size_t) {
  return scores.*kPlain[Number].member;
}
double drawn_value(const PaintScores& scores, std::size_t) { return scores.looks_drawn; }
double leakage_value(const PaintScores& scores, std::size_t) { return scores.leakage; }
double answer_value(const PaintScores& scores, std::size_t question) { return scores.answers_right[question]; }

template <std::size_t... Numbers>
std::vector<PaintMeasure> plain_measures(std::index_sequence<Numbers...>) {
  return {PaintMeasure{kPlain[Numbers].name, kPlain[Numbers].key, kPlain[Numbers].meaning, kPlain[Numbers].digits,
                       &plain_value<Numbers>}...};
}

// combine: of the values of all rows.
template <typename Combine>
PaintScores combined(std::span<const PaintScores> rows, std::string name, const Combine& combine) {
  PaintScores out = rows.empty() ? PaintScores{} : rows[0];
  out.method = std::move(name);
  std::vector<double> values(rows.size());
  const auto fill = [&](double& to, const auto& value) {
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = value(rows[i]);
    to = combine(values);
  };
  for (const PlainMeasure& measure : kPlain)
    fill(out.*measure.member, [&](const PaintScores& row) { return row.*measure.member; });
  fill(out.looks_drawn, [](const PaintScores& row) { return row.looks_drawn; });
  fill(out.leakage, [](const PaintScores& row) { return row.leakage; });
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q)
    fill(out.answers_right[q], [&](const PaintScores& row) { return row.answers_right[q]; });
  return out;
}

}  // namespace

std::vector<PaintMeasure> measures_of(std::span<const PaintScores> rows) {
  std::vector<PaintMeasure> measures = plain_measures(std::make_index_sequence<std::size(kPlain)>());
  const bool joints =
      std::any_of(rows.begin(), rows.end(), [](const PaintScores& row) { return row.joint_error_px > 0; });
  if (!joints) measures.resize(kFirstOfJoints);
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q) {
    if (!std::any_of(rows.begin(), rows.end(), [&](const PaintScores& row) { return row.num_answers[q] > 0; }))
      continue;
    const std::string name = paint::kQuestions[q].name;
    measures.push_back({name, name + "_right", "clips whose judged " + name + " is the true one", 3, &answer_value, q});
  }
  if (!rows.empty() && rows[0].looks_drawn >= 0) {
    measures.push_back({"hand", "looks_drawn", "frames that look drawn by hand", 3, &drawn_value});
    measures.push_back(
        {"leak", "leakage", "shift from the true frames to the look of renders; 1: all of it", 3, &leakage_value});
  }
  return measures;
}

PaintScores mean_scores(std::span<const PaintScores> rows, std::string name) {
  return combined(rows, std::move(name), [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  });
}

PaintScores spread_scores(std::span<const PaintScores> rows, std::string name) {
  return combined(rows, std::move(name), [](const std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *most - *least;
  });
}

std::vector<std::string> table_head(std::span<const PaintMeasure> measures) {
  std::vector<std::string> cells{"method"};
  for (const PaintMeasure& measure : measures) cells.push_back(measure.name);
  return cells;
}

std::vector<std::string> table_row(const PaintScores& scores, std::span<const PaintMeasure> measures) {
  std::vector<std::string> cells{scores.method};
  for (const PaintMeasure& measure : measures)
    cells.push_back(fmt::format("{:.{}f}", measure.of(scores), measure.digits));
  return cells;
}

}  // namespace zoe::sprite
