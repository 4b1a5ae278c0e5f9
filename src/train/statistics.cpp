// SPDX-License-Identifier: MIT
#include <numeric>

#include "zoe/features/normalisation.h"
#include "zoe/train/batch_source.h"

#include "train/finite.h"
#include "train/spread_floor.h"

namespace zoe::train {
namespace {

constexpr std::size_t kChunk = 1024;

}  // namespace

const char* to_string(Split split) { return split == Split::kTraining ? "training" : "validation"; }

std::int64_t Field::num_rows(Extent padded) const {
  switch (rows) {
    case Rows::kSteps:
      break;
    case Rows::kFrames:
      return padded.frames;
    case Rows::kJoints:
      return padded.joints;
    case Rows::kTokens:
      return padded.tokens();
  }
  return steps;
}

Result<void> BatchSource::read_padded(Split split, std::span<const std::size_t> samples, Extent,
                                      std::span<const std::span<float>> outputs) const {
  return read(split, samples, outputs);
}

Result<SampleLabels> BatchSource::labels(const std::string& name) const {
  return Error{ErrorCode::kUsage, "data.balance: this data has no label '" + name + "'"};
}

Result<std::vector<FieldStatistics>> measure_statistics(const BatchSource& source) {
  if (std::vector<FieldStatistics> known = source.statistics(); !known.empty()) return known;
  const std::span<const Field> fields = source.fields();
  const std::size_t total = source.num_samples(Split::kTraining);
  std::vector<features::ColumnStatistics> columns;
  std::vector<std::vector<float>> buffers;
  for (const Field& field : fields) {
    columns.emplace_back(field.width);
    buffers.emplace_back(field.size() * std::min(total, kChunk));
  }
  std::vector<std::size_t> samples;
  // Ragged samples one by one, without padding, which would be counted.
  const std::size_t chunk = source.ragged() ? 1 : kChunk;
  for (std::size_t first = 0; first < total; first += chunk) {
    samples.resize(std::min(chunk, total - first));
    std::iota(samples.begin(), samples.end(), first);
    std::vector<std::span<float>> outputs;
    const Extent extent = source.ragged() ? source.extent(Split::kTraining, first) : Extent{};
    for (std::size_t i = 0; i < fields.size(); ++i)
      outputs.emplace_back(buffers[i].data(),
                           static_cast<std::size_t>(fields[i].num_rows(extent) * fields[i].width) * samples.size());
    ZOE_TRY(source.read_padded(Split::kTraining, samples, extent, outputs));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      ZOE_TRY(check_finite(fields[i], Split::kTraining, samples, outputs[i]));
      columns[i].add(outputs[i]);
    }
  }
  std::vector<FieldStatistics> statistics;
  for (const features::ColumnStatistics& column : columns) {
    FieldStatistics field;
    for (const double mean : column.means()) field.mean.push_back(static_cast<float>(mean));
    for (const double spread : column.deviations())
      field.spread.push_back(spread < kSpreadFloor ? 1.0F : static_cast<float>(spread));
    statistics.push_back(std::move(field));
  }
  return statistics;
}

}  // namespace zoe::train
