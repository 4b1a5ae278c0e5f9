// SPDX-License-Identifier: MIT
#include "zoe/train/track_source.h"

#include <algorithm>
#include <charconv>

#include "zoe/features/normalisation.h"

namespace zoe::train {
namespace {

constexpr int kMaxSteps = 4096, kMaxWidth = 1 << 16;
constexpr const char* kLengths = "track_lengths";
constexpr double kSpreadFloor = 1e-3;  // As measure_statistics().

class TrackSource final : public BatchSource {
 public:
  explicit TrackSource(Safetensors file) : file_(std::move(file)) {}

  Result<void> read_header() {
    int steps = 0;
    if (const auto word = file_.metadata().find("steps"); word != file_.metadata().end())
      std::from_chars(word->second.data(), word->second.data() + word->second.size(), steps);
    if (steps < 1 || steps > kMaxSteps) return wrong("'steps' must be 1 to 4096");
    ZOE_TRY_ASSIGN(const ArrayView lengths_array, file_.find(kLengths));
    ZOE_TRY_ASSIGN(const std::vector<std::int64_t> lengths, to_int64(lengths_array));
    std::size_t frames = 0;
    for (const std::int64_t length : lengths) {
      if (length < 0 || length > (std::int64_t{1} << 40)) return wrong("a track's length is absurd");
      if (length >= steps) {
        tracks_.push_back({num_samples_, frames});
        num_samples_ += static_cast<std::size_t>(length - steps + 1);
      }
      frames += static_cast<std::size_t>(length);
    }
    for (const NamedArray& array : file_.tensors()) {
      if (array.name == kLengths) continue;
      const auto values = array.view.as<float>();
      const std::vector<std::size_t>& shape = array.view.shape;
      if (!values || shape.size() != 2 || shape[0] != frames || shape[1] < 1 || shape[1] > std::size_t{kMaxWidth})
        return wrong("'" + array.name + "' is not float32 of [frames of all tracks, width]");
      fields_.push_back({array.name, steps, static_cast<int>(shape[1])});
      values_.push_back(*values);
    }
    if (fields_.empty()) return wrong("it has no fields");
    return {};
  }

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return split == Split::kTraining ? num_samples_ : 0; }
  Result<void> read(Split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    ZOE_CHECK(outputs.size() == fields_.size(), "one output for each field");
    for (std::size_t i = 0; i < samples.size(); ++i) {
      ZOE_CHECK(samples[i] < num_samples_, "no such sample");
      const auto track =
          std::prev(std::upper_bound(tracks_.begin(), tracks_.end(), samples[i],
                                     [](std::size_t sample, const Track& t) { return sample < t.first_sample; }));
      const std::size_t frame = track->first_frame + (samples[i] - track->first_sample);
      for (std::size_t f = 0; f < fields_.size(); ++f) {
        const std::size_t size = fields_[f].size(), width = static_cast<std::size_t>(fields_[f].width);
        std::copy_n(values_[f].begin() + static_cast<std::ptrdiff_t>(frame * width), size,
                    outputs[f].begin() + static_cast<std::ptrdiff_t>(i * size));
      }
    }
    return {};
  }
  std::vector<FieldStatistics> statistics() const override {
    std::vector<FieldStatistics> all;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      features::ColumnStatistics columns(fields_[f].width);
      columns.add(values_[f]);
      FieldStatistics field;
      for (const double mean : columns.means()) field.mean.push_back(static_cast<float>(mean));
      for (const double spread : columns.deviations())
        field.spread.push_back(spread < kSpreadFloor ? 1.0F : static_cast<float>(spread));
      all.push_back(std::move(field));
    }
    return all;
  }
  Metadata metadata() const override {
    Metadata words = file_.metadata();
    words.erase("steps");
    return words;
  }

 private:
  struct Track {
    std::size_t first_sample, first_frame;
  };
  static Error wrong(const std::string& what) {
    return {ErrorCode::kInvalid, std::string(kTrackFile) + ": " + what, {}};
  }

  Safetensors file_;
  std::vector<Field> fields_;
  std::vector<std::span<const float>> values_;  // Of each field, in the mapped file.
  std::vector<Track> tracks_;                   // Those that have a window.
  std::size_t num_samples_ = 0;
};

}  // namespace

Result<std::unique_ptr<BatchSource>> open_track_source(const std::filesystem::path& folder) {
  ZOE_TRY_ASSIGN(Safetensors file, Safetensors::open(folder / kTrackFile));
  auto source = std::make_unique<TrackSource>(std::move(file));
  if (const auto read = source->read_header(); !read)
    return Error{read.error().code, read.error().message, {.file = (folder / kTrackFile).string()}};
  return std::unique_ptr<BatchSource>(std::move(source));
}

}  // namespace zoe::train
