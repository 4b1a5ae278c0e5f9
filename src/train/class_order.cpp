// SPDX-License-Identifier: MIT
#include "train/class_order.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/random.h"

namespace zoe::train {
namespace {

// Whole numbers in the ratio of the weights with the given sum: by the largest remainders.
std::vector<std::size_t> apportion(const std::vector<SampleClass>& classes, std::size_t sum) {
  double total = 0;
  for (const SampleClass& one : classes) total += one.weight;
  std::vector<std::size_t> counts;
  std::vector<std::pair<double, std::size_t>> remainders;
  std::size_t given = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const double exact = static_cast<double>(sum) * classes[i].weight / total, whole = std::floor(exact);
    counts.push_back(static_cast<std::size_t>(whole));
    remainders.emplace_back(whole - exact, i);  // The largest remainder first.
    given += counts.back();
  }
  std::ranges::sort(remainders);
  for (std::size_t k = 0; given < sum; ++given, ++k) ++counts[remainders[k % remainders.size()].second];
  return counts;
}

}  // namespace

Result<std::vector<SampleClass>> sample_classes(const BatchSource& source, const std::vector<std::string>& labels) {
  std::vector<SourcePart> parts = source.parts();
  if (parts.empty() && labels.empty()) return std::vector<SampleClass>{};
  if (parts.empty()) parts.push_back({0, source.num_samples(Split::kTraining), 1});
  if (!labels.empty() && labels.size() != 2)
    return Error{ErrorCode::kUsage,
                 fmt::format("data.balance = '{}': must be two labels, as in style,content", fmt::join(labels, ","))};
  std::vector<std::vector<int>> values;
  for (const std::string& label : labels) {
    ZOE_TRY_ASSIGN(SampleLabels of_label, source.labels(label));
    ZOE_CHECK(of_label.of_sample.size() == source.num_samples(Split::kTraining), "a label for each sample");
    values.push_back(std::move(of_label.of_sample));
  }
  std::vector<SampleClass> classes;
  for (const SourcePart& part : parts) {
    std::map<std::pair<int, int>, std::vector<std::size_t>> pairs;
    for (std::size_t i = part.first; i < part.first + part.count; ++i)
      pairs[values.empty() ? std::pair(0, 0) : std::pair(values[0][i], values[1][i])].push_back(i);
    for (auto& [pair, samples] : pairs)
      classes.push_back({part.weight / static_cast<double>(pairs.size()), std::move(samples)});
  }
  return classes;
}

ClassOrder::ClassOrder(std::vector<SampleClass> classes, std::size_t batch, std::uint64_t seed)
    : classes_(std::move(classes)), batch_(batch), seed_(seed) {
  std::size_t total = 0;
  for (const SampleClass& one : classes_) {
    ZOE_CHECK(!one.samples.empty() && one.weight > 0, "a class without samples or weight");
    total += one.samples.size();
  }
  ZOE_CHECK(total > 0 && batch > 0, "nothing to draw from");
  steps_per_epoch_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(total / batch));
  draws_ = apportion(classes_, static_cast<std::size_t>(steps_per_epoch_) * batch);
}

StepSamples ClassOrder::at(std::int64_t step, int rank, int num_ranks) {
  const std::int64_t epoch = step / steps_per_epoch_;
  if (epoch != epoch_) {
    order_.clear();
    const Random random(seed_);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      std::vector<std::size_t> shuffled;
      const std::size_t size = classes_[c].samples.size(), first = static_cast<std::size_t>(epoch) * draws_[c];
      for (std::size_t draw = first; draw < first + draws_[c]; ++draw) {
        if (shuffled.empty() || draw % size == 0) {  // A new round over the class.
          shuffled = classes_[c].samples;
          random.split(c).split(draw / size).shuffle(shuffled);
        }
        order_.push_back(shuffled[draw % size]);
      }
    }
    random.split(classes_.size()).split(static_cast<std::uint64_t>(epoch)).shuffle(order_);
    epoch_ = epoch;
  }
  const std::size_t share = batch_ / static_cast<std::size_t>(num_ranks);
  ZOE_CHECK(share * static_cast<std::size_t>(num_ranks) == batch_, "the batch does not divide evenly");
  const std::size_t first =
      static_cast<std::size_t>(step % steps_per_epoch_) * batch_ + static_cast<std::size_t>(rank) * share;
  share_.assign(order_.begin() + static_cast<std::ptrdiff_t>(first),
                order_.begin() + static_cast<std::ptrdiff_t>(first + share));
  return {0, share_};
}

}  // namespace zoe::train
