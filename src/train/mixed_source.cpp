// SPDX-License-Identifier: MIT
#include "train/mixed_source.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "zoe/core/check.h"

namespace zoe::train {
namespace {

class MixedSource final : public BatchSource {
 public:
  explicit MixedSource(std::vector<MixedPart> parts)
      : parts_(std::move(parts)), fields_(parts_[0].source->fields().begin(), parts_[0].source->fields().end()) {
    // Of ragged rows the largest number.
    for (const MixedPart& part : parts_) {
      for (std::size_t i = 0; i < fields_.size(); ++i)
        fields_[i].steps = std::max(fields_[i].steps, part.source->fields()[i].steps);
    }
    for (const Split split : {Split::kTraining, Split::kValidation}) {
      std::size_t first = 0;
      for (const MixedPart& part : parts_) {
        firsts_[static_cast<std::size_t>(split)].push_back(first);
        first += part.source->num_samples(split);
      }
      firsts_[static_cast<std::size_t>(split)].push_back(first);
    }
  }

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return firsts_[static_cast<std::size_t>(split)].back(); }
  bool ragged() const override { return parts_[0].source->ragged(); }
  Extent extent(Split split, std::size_t sample) const override {
    const std::size_t part = part_of(split, sample);
    return parts_[part].source->extent(split, sample - first(split, part));
  }

  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    ZOE_CHECK(!ragged(), "samples of a ragged mixture have no common size: read_padded() is given one");
    return each_part(split, samples, outputs, [&](const BatchSource& source, auto numbers, auto into) {
      return source.read(split, numbers, into);
    });
  }
  Result<void> read_padded(Split split, std::span<const std::size_t> samples, Extent padded,
                           std::span<const std::span<float>> outputs) const override {
    return each_part(split, samples, outputs, [&](const BatchSource& source, auto numbers, auto into) {
      return source.read_padded(split, numbers, padded, into);
    });
  }

  std::vector<SourcePart> parts() const override {
    std::vector<SourcePart> all;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      all.push_back({first(Split::kTraining, i), parts_[i].source->num_samples(Split::kTraining), parts_[i].weight});
    }
    return all;
  }

  Result<SampleLabels> labels(const std::string& name) const override {
    SampleLabels all;
    for (const MixedPart& part : parts_) {
      ZOE_TRY_ASSIGN(const SampleLabels labels, part.source->labels(name));
      for (const int label : labels.of_sample) {
        const std::string& text = labels.names[static_cast<std::size_t>(label)];
        auto found = std::ranges::find(all.names, text);
        if (found == all.names.end()) found = all.names.insert(found, text);
        all.of_sample.push_back(static_cast<int>(found - all.names.begin()));
      }
    }
    return all;
  }

  // Of the mixture: mean and deviation of draws by weight.
  std::vector<FieldStatistics> statistics() const override {
    double total = 0;
    std::vector<std::vector<FieldStatistics>> all;
    for (const MixedPart& part : parts_) {
      Result<std::vector<FieldStatistics>> one = measure_statistics(*part.source);
      if (!one) return {};  // Measuring the whole names the number at fault.
      all.push_back(std::move(*one));
      total += part.weight;
    }
    std::vector<FieldStatistics> mixed = all[0];
    for (std::size_t f = 0; f < mixed.size(); ++f) {
      for (std::size_t c = 0; c < mixed[f].mean.size(); ++c) {
        double mean = 0, square = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
          const double m = all[i][f].mean[c], s = all[i][f].spread[c], weight = parts_[i].weight / total;
          mean += weight * m;
          square += weight * (s * s + m * m);
        }
        mixed[f].mean[c] = static_cast<float>(mean);
        mixed[f].spread[c] = static_cast<float>(std::sqrt(std::max(square - mean * mean, 1e-12)));
      }
    }
    return mixed;
  }

  std::string identity() const override {
    std::string all;
    for (const MixedPart& part : parts_) all += fmt::format("{}*{};", part.source->identity(), part.weight);
    return all;
  }

  Metadata metadata() const override {
    Metadata all = parts_[0].source->metadata();
    std::set<std::string> licences;
    for (const MixedPart& part : parts_) {
      const Metadata one = part.source->metadata();
      if (const auto found = one.find("licence"); found != one.end()) licences.insert(found->second);
    }
    if (!licences.empty()) all["licence"] = fmt::format("{}", fmt::join(licences, "; "));
    return all;
  }

 private:
  std::size_t first(Split split, std::size_t part) const { return firsts_[static_cast<std::size_t>(split)][part]; }
  std::size_t part_of(Split split, std::size_t sample) const {
    const std::vector<std::size_t>& firsts = firsts_[static_cast<std::size_t>(split)];
    ZOE_CHECK(sample < firsts.back(), "no such sample");
    return static_cast<std::size_t>(std::ranges::upper_bound(firsts, sample) - firsts.begin()) - 1;
  }

  // Runs of samples of one part, in their order.
  template <typename Read>
  Result<void> each_part(Split split, std::span<const std::size_t> samples, std::span<const std::span<float>> outputs,
                         const Read& read) const {
    std::vector<std::size_t> numbers;
    std::vector<std::span<float>> into(outputs.size());
    for (std::size_t begin = 0, end = 0; begin < samples.size(); begin = end) {
      const std::size_t part = part_of(split, samples[begin]);
      numbers.clear();
      for (end = begin; end < samples.size() && part_of(split, samples[end]) == part; ++end)
        numbers.push_back(samples[end] - first(split, part));
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::size_t size = outputs[i].size() / samples.size();
        into[i] = outputs[i].subspan(begin * size, numbers.size() * size);
      }
      ZOE_TRY(
          read(*parts_[part].source, std::span<const std::size_t>(numbers), std::span<const std::span<float>>(into)));
    }
    return {};
  }

  std::vector<MixedPart> parts_;
  std::vector<Field> fields_;
  std::vector<std::size_t> firsts_[2];  // By split: [parts + 1].
};

}  // namespace

Result<std::unique_ptr<BatchSource>> make_mixed_source(std::vector<MixedPart> parts) {
  ZOE_CHECK(!parts.empty(), "a mixture of nothing");
  const MixedPart& one = parts[0];
  const auto layout = [](const MixedPart& part) {
    const Metadata metadata = part.source->metadata();
    const auto found = metadata.find("layout");
    return found == metadata.end() ? std::string() : found->second;
  };
  for (const MixedPart& part : parts) {
    if (!(part.weight > 0) || !std::isfinite(part.weight))
      return Error{ErrorCode::kUsage, fmt::format("weight {}: must be above 0", part.weight), {.file = part.name}};
    if (part.source->num_samples(Split::kTraining) == 0)
      return Error{ErrorCode::kInvalid, "has no training samples", {.file = part.name}};
    const bool same = part.source->ragged() == one.source->ragged() &&
                      std::ranges::equal(part.source->fields(), one.source->fields(),
                                         [&](const Field& a, const Field& b) {
                                           return a.name == b.name && a.width == b.width && a.rows == b.rows &&
                                                  (a.steps == b.steps || a.rows != Rows::kSteps);
                                         }) &&
                      layout(part) == layout(one);
    if (!same)
      return Error{
          ErrorCode::kInvalid,
          fmt::format("has other fields or another layout than {}: build both with one schema and skeleton", one.name),
          {.file = part.name}};
  }
  return std::unique_ptr<BatchSource>(std::make_unique<MixedSource>(std::move(parts)));
}

}  // namespace zoe::train
