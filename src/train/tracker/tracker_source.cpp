// SPDX-License-Identifier: MIT
#include "zoe/train/tracker_source.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/features/normalisation.h"
#include "zoe/features/tracks.h"
#include "zoe/motion/bone_rows.h"

#include "train/spread_floor.h"
#include "train/track_parts.h"

namespace zoe::train {
namespace {

constexpr std::size_t kMostWindows = 60'000, kMeasured = 10'000;

std::vector<Field> tracker_fields(int num_bones, int num_offsets, int steps) {
  const int world = std::min(kWorldSteps, steps - 1);
  return {{"body", world + 1, num_bones * kBoneRowWidth},
          {"target", steps, num_bones * kBoneRowWidth},
          {"offset", world, num_offsets},
          {"view", 1, bone_view_width(num_bones)},
          {"change", 1, 6 * num_bones}};
}

// The fields of a window whose first rows these are.
void write_window(std::span<const float> body, std::span<const float> target, std::span<const float> offset,
                  std::span<const std::span<float>> out) {
  std::ranges::copy(body.first(out[0].size()), out[0].begin());
  std::ranges::copy(target.first(out[1].size()), out[1].begin());
  std::ranges::copy(offset.first(out[2].size()), out[2].begin());
  const std::size_t width = out[4].size() / 6 * kBoneRowWidth;
  write_bone_view(body.first(width), target.first(width), out[3]);
  write_bone_change(body.first(width), body.subspan(width, width), out[4]);
}

class TrackerSource final : public BatchSource {
 public:
  TrackerSource(features::TrackFile file, std::vector<std::span<const float>> values, std::vector<Field> fields)
      : file_(std::move(file)), values_(std::move(values)), fields_(std::move(fields)) {
    const auto steps = idx(file_.steps);
    std::size_t all = 0, first = 0;
    for (const std::int64_t length : file_.track_lengths) all += length > file_.steps ? idx(length) - steps : 0;
    const std::size_t stride = 1 + all / kMostWindows;
    for (const std::int64_t length : file_.track_lengths) {
      for (std::size_t at = 0; at + steps < idx(length); at += stride) windows_.push_back(first + at);
      first += idx(length);
    }
  }
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return split == Split::kTraining ? windows_.size() : 0; }
  Result<void> read(Split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      ZOE_CHECK(samples[i] < windows_.size(), "no such sample");
      std::array<std::span<float>, 5> out;
      for (std::size_t f = 0; f < out.size(); ++f)
        out[f] = outputs[f].subspan(i * fields_[f].size(), fields_[f].size());
      const std::size_t row = windows_[samples[i]];
      const auto rows = [&](std::size_t f) { return values_[f].subspan(row * idx(fields_[f].width)); };
      write_window(rows(0), rows(1), rows(2), out);
    }
    return {};
  }
  // Only view and change are normalised; some thousand windows tell as much as all.
  std::vector<FieldStatistics> statistics() const override {
    std::vector<FieldStatistics> all;
    std::vector<features::ColumnStatistics> columns;
    std::vector<std::vector<float>> values;
    std::vector<std::span<float>> outputs;
    for (const Field& field : fields_) {
      const auto width = idx(field.width);
      all.push_back({std::vector<float>(width, 0.0F), std::vector<float>(width, 1.0F)});
      columns.emplace_back(field.width);
      values.emplace_back(field.size());
    }
    for (std::vector<float>& one : values) outputs.emplace_back(one);
    for (std::size_t i = 0; i < windows_.size(); i += 1 + windows_.size() / kMeasured) {
      const std::size_t sample[] = {i};
      if (!read(Split::kTraining, sample, outputs)) return {};
      for (const std::size_t f : {3, 4}) columns[f].add(values[f]);
    }
    for (const std::size_t f : {3, 4}) {
      const auto means = columns[f].means();
      const auto spreads = columns[f].deviations();
      for (std::size_t c = 0; c < means.size(); ++c) {
        all[f].mean[c] = static_cast<float>(means[c]);
        if (spreads[c] >= kSpreadFloor) all[f].spread[c] = static_cast<float>(spreads[c]);
      }
    }
    return all;
  }
  std::string identity() const override { return content_checksum(file_.file.tensors(), file_.file.metadata()); }
  Metadata metadata() const override { return words_of(file_); }

 private:
  features::TrackFile file_;
  std::vector<std::span<const float>> values_;  // Of body, target, offset.
  std::vector<Field> fields_;
  std::vector<std::size_t> windows_;  // Their first rows.
};

// A spring between two moving bones.
void follow(BoneMotion& body, const BoneMotion& target, Vec3d turn) {
  const double dt = kTrackerFrameS;
  const Vec3d velocity = body.velocity_m_s, spin = body.spin_rad_s;
  const Vec3d apart = to_rotation_vector(normalized(target.rotation * conjugate(body.rotation)));
  body.velocity_m_s += ((target.position_m - body.position_m) * 60 + (target.velocity_m_s - velocity) * 6) * dt;
  body.spin_rad_s += (apart * 60 + (target.spin_rad_s - spin) * 6 + turn * 200) * dt;
  body.position_m += (velocity + body.velocity_m_s) * (dt / 2);
  body.rotation = normalized(from_rotation_vector((spin + body.spin_rad_s) * (dt / 2)) * body.rotation);
}

class TrackerToy final : public BatchSource {
 public:
  TrackerToy(std::size_t num_training, std::size_t num_validation, int steps, std::uint64_t seed)
      : num_training_(num_training),
        num_validation_(num_validation),
        seed_(seed),
        fields_(tracker_fields(2, 3, steps)) {}

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override {
    return split == Split::kTraining ? num_training_ : num_validation_;
  }
  Metadata metadata() const override { return {{"licence", "CC0-1.0"}}; }
  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Random random = Random(seed_).split(static_cast<std::uint64_t>(split)).split(samples[i]);
      std::array<std::span<float>, 5> out;
      for (std::size_t f = 0; f < out.size(); ++f)
        out[f] = outputs[f].subspan(i * fields_[f].size(), fields_[f].size());
      one(random, out);
    }
    return {};
  }

 private:
  void one(Random& random, std::span<const std::span<float>> out) const {
    const auto steps = idx(fields_[1].steps), width = idx(fields_[0].width);
    std::vector<float> body(width * (steps + 1)), target(width * steps), offset(3 * steps);
    const double phase = 6 * random.uniform_double(), rate = 2 + 2 * random.uniform_double();
    const auto target_at = [&](double time) {
      std::vector<BoneMotion> bones(2);
      for (std::size_t b = 0; b < 2; ++b) {
        const double angle = rate * time + phase + static_cast<double>(b);
        bones[b].position_m = {0.5 * std::sin(angle), 1 + 0.4 * static_cast<double>(b), 0.5 * std::cos(angle)};
        bones[b].velocity_m_s = Vec3d{std::cos(angle), 0, -std::sin(angle)} * (0.5 * rate);
        bones[b].rotation = from_axis_angle(Vec3d{0, 1, 0}, angle);
        bones[b].spin_rad_s = {0, rate, 0};
      }
      return bones;
    };
    std::vector<BoneMotion> bones = target_at(0);
    for (BoneMotion& bone : bones) {
      bone.position_m += Vec3d{random.normal(), random.normal(), random.normal()} * 0.1;
      bone.spin_rad_s += Vec3d{random.normal(), random.normal(), random.normal()};
    }
    for (std::size_t step = 0; step <= steps; ++step) {
      write_bone_row(bones, std::span(body).subspan(step * width, width));
      if (step == steps) break;
      const std::vector<BoneMotion> goal = target_at(static_cast<double>(step + 1) * kTrackerFrameS);
      write_bone_row(goal, std::span(target).subspan(step * width, width));
      Vec3d turn;
      for (std::size_t k = 0; k < 3; ++k) {
        turn[k] = 0.2 * random.normal();
        offset[3 * step + k] = static_cast<float>(turn[k]);
      }
      follow(bones[0], goal[0], {});
      follow(bones[1], goal[1], turn);
    }
    write_window(body, target, offset, out);
  }

  std::size_t num_training_, num_validation_;
  std::uint64_t seed_;
  std::vector<Field> fields_;
};

}  // namespace

Result<std::unique_ptr<BatchSource>> open_tracker_source(const std::filesystem::path& folder) {
  ZOE_TRY_ASSIGN(features::TrackFile file, features::read_tracks(folder));
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kInvalid,
                 why + ": `zoe physics learn` writes such data",
                 {.file = (folder / features::kTrackFile).string()}};
  };
  std::vector<std::span<const float>> values;
  std::vector<int> widths;
  for (const char* name : {"body", "target", "offset"}) {
    const auto found = std::ranges::find(file.fields, name, &features::TrackField::name);
    if (found == file.fields.end()) return refuse(std::string("these tracks have no field '") + name + "'");
    values.push_back(found->values);
    widths.push_back(found->width);
  }
  if (widths[0] % kBoneRowWidth != 0 || widths[0] != widths[1] || widths[2] < 1 || file.steps < 2)
    return refuse("rows of body and target are not of the same bones");
  std::vector<Field> fields = tracker_fields(widths[0] / kBoneRowWidth, widths[2], file.steps);
  auto source = std::make_unique<TrackerSource>(std::move(file), std::move(values), std::move(fields));
  if (source->num_samples(Split::kTraining) == 0) return refuse("no rollout is as long as a window");
  return std::unique_ptr<BatchSource>(std::move(source));
}

std::unique_ptr<BatchSource> make_tracker_toy(std::size_t num_training, std::size_t num_validation, int steps,
                                              std::uint64_t seed) {
  return std::make_unique<TrackerToy>(num_training, num_validation, steps, seed);
}

}  // namespace zoe::train
