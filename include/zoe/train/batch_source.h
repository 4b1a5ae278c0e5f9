// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sources of training samples: named arrays of numbers, read by sample number. A dataset folder, the
// toy data and any other data is a BatchSource. The trainer uses nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/store/safetensors.h"

namespace zoe::train {

// Size of one sample of ragged data: windows of `frames` of a skeleton of `joints`. A token is one joint at one frame.
struct Extent {
  int frames = 1, joints = 1;

  std::int64_t tokens() const { return std::int64_t{frames} * joints; }
  friend bool operator==(const Extent&, const Extent&) = default;
};

// The rows of a field: the same number in all samples, or one for each frame, joint or token of a sample.
enum class Rows : std::uint8_t { kSteps, kFrames, kJoints, kTokens };

// A field of every sample: `steps` rows of `width` columns. Of ragged rows `steps` is the largest number.
struct Field {
  std::string name;
  int steps = 1;
  int width = 0;
  Rows rows = Rows::kSteps;

  // In samples padded to `padded`.
  std::int64_t num_rows(Extent padded) const;

  std::size_t size() const { return static_cast<std::size_t>(steps) * static_cast<std::size_t>(width); }
  friend bool operator==(const Field&, const Field&) = default;
};

// Training samples [first, first + count) that are drawn with a weight of their own.
struct SourcePart {
  std::size_t first = 0, count = 0;
  double weight = 1;
};

// A label of every sample, such as its style.
struct SampleLabels {
  std::vector<std::string> names;  // Its values.
  std::vector<int> of_sample;      // [samples] index among them.
};

enum class Split : std::uint8_t { kTraining, kValidation };
const char* to_string(Split split);

// Mean and spread of the columns of one field, over all steps of all training samples.
struct FieldStatistics {
  std::vector<float> mean, spread;  // [width]; a column with a spread below 1e-3 has spread 1.
};

class BatchSource {
 public:
  virtual ~BatchSource() = default;

  // The same for all samples, and for the lifetime of the source.
  virtual std::span<const Field> fields() const = 0;
  virtual std::size_t num_samples(Split split) const = 0;

  // outputs[i]: [samples.size(), steps, width] of fields()[i]. Any number of threads may read at
  // once.
  virtual Result<void> read(Split split, std::span<const std::size_t> samples,
                            std::span<const std::span<float>> outputs) const = 0;

  // Ragged data: samples of different extents. read() then pads to the largest, as read_padded() does.
  virtual bool ragged() const { return false; }
  virtual Extent extent(Split, std::size_t) const { return {}; }
  // The same with rows of zeros up to `padded`, which no sample exceeds. Tokens are [frames, joints]. A field `mask`,
  // [1] for each token, is 1 where there is one.
  virtual Result<void> read_padded(Split split, std::span<const std::size_t> samples, Extent padded,
                                   std::span<const std::span<float>> outputs) const;

  // Parts of the training samples with weights; empty: all samples are alike.
  virtual std::vector<SourcePart> parts() const { return {}; }
  // Of the training samples. Refuses a label that is unknown.
  virtual Result<SampleLabels> labels(const std::string& name) const;

  // One per field, where the source has them; empty: they are measured.
  virtual std::vector<FieldStatistics> statistics() const { return {}; }

  // Identifies the samples: a resumed run compares. Empty: unknown.
  virtual std::string identity() const { return {}; }

  // Stored in the model's file: "layout", "skeleton", "licence".
  virtual Metadata metadata() const { return {}; }
};

// The source's own, else measured. Measuring refuses numbers that are not finite, with field, sample and column.
Result<std::vector<FieldStatistics>> measure_statistics(const BatchSource& source);

}  // namespace zoe::train
