// SPDX-License-Identifier: MIT
// Part of Zoetrope. Measured values by name, and their means.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "zoe/eval/metrics.h"
#include "zoe/eval/summary.h"

namespace zoe::eval {

// Values by name, in the order of first use.
class Table {
 public:
  void add(const std::string& name, double value) {
    for (auto& [known, values] : rows_) {
      if (known == name) return values.push_back(value);
    }
    rows_.emplace_back(name, std::vector<double>{value});
  }
  void add(const MotionMetrics& m) {
    add("foot_skate_cm_s", m.foot_skate_cm_s);
    add("foot_skate_mann_cm_s", m.foot_skate_mann_cm_s);
    add("penetration_cm", m.penetration_cm);
    add("jerk_m_s3", m.jerk_m_s3);
    add("jitter_mm", m.jitter_mm);
    add("variety_cm", m.variety_cm);
  }
  static double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  static double deviation(const std::vector<double>& values) {
    const double middle = mean(values);
    double sum = 0;
    for (const double value : values) sum += (value - middle) * (value - middle);
    return values.size() > 1 ? std::sqrt(sum / static_cast<double>(values.size() - 1)) : 0;
  }
  const std::vector<std::pair<std::string, std::vector<double>>>& rows() const { return rows_; }
  // weights: one per value of a row, e.g. the length of a clip.
  std::map<std::string, double> weighted_means(const std::vector<double>& weights) const {
    std::map<std::string, double> means;
    double total = 0;
    for (const double weight : weights) total += weight;
    for (const auto& [name, values] : rows_) {
      double sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * weights[i];
      means[name] = sum / total;
    }
    return means;
  }
  std::vector<std::pair<std::string, Summary>> summaries(const std::map<std::string, double>& references) const {
    std::vector<std::pair<std::string, Summary>> out;
    for (const auto& [name, values] : rows_) {
      Summary summary{mean(values), deviation(values), {}, *std::max_element(values.begin(), values.end())};
      if (const auto found = references.find(name); found != references.end()) summary.reference = found->second;
      out.emplace_back(name, summary);
    }
    return out;
  }

 private:
  std::vector<std::pair<std::string, std::vector<double>>> rows_;
};

}  // namespace zoe::eval
