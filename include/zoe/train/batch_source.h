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

// A field of every sample: `steps` rows of `width` columns.
struct Field {
  std::string name;
  int steps = 1;
  int width = 0;

  std::size_t size() const { return static_cast<std::size_t>(steps) * static_cast<std::size_t>(width); }
  friend bool operator==(const Field&, const Field&) = default;
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
