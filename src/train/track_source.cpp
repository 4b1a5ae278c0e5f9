// SPDX-License-Identifier: MIT
#include "zoe/train/track_source.h"

#include <algorithm>

#include "zoe/features/normalisation.h"
#include "zoe/features/tracks.h"

#include "train/spread_floor.h"
#include "train/track_parts.h"

namespace zoe::train {
namespace {

class TrackSource final : public BatchSource {
 public:
  explicit TrackSource(features::TrackFile file) : file_(std::move(file)) {
    std::size_t frames = 0;
    for (const std::int64_t length : file_.track_lengths) {
      if (length >= file_.steps) {
        tracks_.push_back({num_samples_, frames});
        num_samples_ += static_cast<std::size_t>(length - file_.steps + 1);
      }
      frames += static_cast<std::size_t>(length);
    }
    for (const features::TrackField& field : file_.fields) fields_.push_back({field.name, file_.steps, field.width});
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
        std::copy_n(file_.fields[f].values.begin() + static_cast<std::ptrdiff_t>(frame * width), size,
                    outputs[f].begin() + static_cast<std::ptrdiff_t>(i * size));
      }
    }
    return {};
  }
  std::vector<FieldStatistics> statistics() const override {
    std::vector<FieldStatistics> all;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      features::ColumnStatistics columns(fields_[f].width);
      columns.add(file_.fields[f].values);
      FieldStatistics field;
      for (const double mean : columns.means()) field.mean.push_back(static_cast<float>(mean));
      for (const double spread : columns.deviations())
        field.spread.push_back(spread < kSpreadFloor ? 1.0F : static_cast<float>(spread));
      all.push_back(std::move(field));
    }
    return all;
  }
  std::string identity() const override { return content_checksum(file_.file.tensors(), file_.file.metadata()); }
  Metadata metadata() const override { return words_of(file_); }

 private:
  struct Track {
    std::size_t first_sample, first_frame;
  };

  features::TrackFile file_;
  std::vector<Field> fields_;
  std::vector<Track> tracks_;  // Tracks that have a window.
  std::size_t num_samples_ = 0;
};

}  // namespace

Result<std::unique_ptr<BatchSource>> open_track_source(const std::filesystem::path& folder) {
  ZOE_TRY_ASSIGN(features::TrackFile file, features::read_tracks(folder));
  return std::unique_ptr<BatchSource>(std::make_unique<TrackSource>(std::move(file)));
}

}  // namespace zoe::train
