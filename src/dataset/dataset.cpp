// SPDX-License-Identifier: MIT
#include "zoe/dataset/dataset.h"

#include <algorithm>
#include <atomic>
#include <map>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"

#include "dataset/records.h"
#include "dataset/row_file.h"

namespace zoe::dataset {

class DatasetReader {
 public:
  DatasetReader(const std::filesystem::path& folder, MappedFile::Access access)
      : dataset_(new Dataset), access_(access) {
    dataset_->folder_ = folder;
  }

  Result<DatasetPtr> run() {
    ZOE_TRY_ASSIGN(Manifest manifest, read_manifest(dataset_->folder_));
    const std::string file = (dataset_->folder_ / "dataset.json").string();
    for (std::size_t g = 0; g < manifest.groups.size(); ++g) {
      GroupHead& head = manifest.head.groups[g];
      Manifest::GroupState& state = manifest.groups[g];
      ZOE_TRY_ASSIGN(features::Layout layout, features::Layout::from_toml(head.layout_toml, *head.skeleton, file));
      for (std::size_t k = 0; k < features::kNumBlocks; ++k) {
        const features::BlockNormalisation& block = state.normalisation.blocks[k];
        const std::size_t width = idx(layout.width(static_cast<features::BlockKind>(k)));
        if (block.means.size() != width || block.spreads.size() != width)
          return Error{ErrorCode::kInvalid, "normalisation of another width than the layout", {.file = file}};
      }
      dataset_->groups_.push_back({head.id,
                                   head.name,
                                   head.skeleton,
                                   std::move(layout),
                                   std::move(state.normalisation),
                                   state.samples,
                                   {},
                                   {}});
    }
    checksums_ = std::move(manifest.checksums);
    for (std::size_t i = 0; i < manifest.clips.size(); ++i) ZOE_TRY(add_clip(manifest.clips[i], static_cast<int>(i)));
    dataset_->clips_ = std::move(manifest.clips);
    dataset_->left_out_ = std::move(manifest.left_out);
    dataset_->licence_ = std::move(manifest.head.licence);
    dataset_->schema_toml_ = std::move(manifest.head.schema_toml);
    return DatasetPtr(std::move(dataset_));
  }

 private:
  Result<std::span<const float>> rows_of(const std::string& name, std::size_t width) {
    if (const auto found = known_.find(name); found != known_.end()) return found->second;
    const std::filesystem::path path = dataset_->folder_ / name;
    ZOE_TRY_ASSIGN(NpyFile file, NpyFile::open(path, access_));
    const auto values = file.array().as<float>();
    if (!values || file.array().shape.size() != 2 || file.array().shape[1] != width)
      return Error{
          ErrorCode::kInvalid, fmt::format("not an array of rows of {} float32", width), {.file = path.string()}};
    const auto checksum = checksums_.find(name);
    dataset_->files_.push_back({name, checksum == checksums_.end() ? "" : checksum->second, std::move(file)});
    return known_[name] = *values;
  }

  Result<void> add_clip(const ClipRecord& clip, int index) {
    Group& group = dataset_->groups_[idx(clip.group)];
    const std::size_t width = idx(group.layout.frame_width());
    if (clip.file.find("..") != std::string::npos || clip.file.starts_with('/'))
      return Error{ErrorCode::kInvalid,
                   "a clip's rows lie outside the dataset: " + clip.file,
                   {.file = (dataset_->folder_ / "dataset.json").string()}};
    ZOE_TRY_ASSIGN(const std::span<const float> rows, rows_of(clip.file, width));
    const auto available = static_cast<std::int64_t>(rows.size() / width);
    if (clip.num_rows < 1 || clip.first_row < 0 || clip.first_row > available - clip.num_rows)
      return Error{ErrorCode::kInvalid,
                   fmt::format("{} has fewer rows than {} needs", clip.file, clip.source),
                   {.file = (dataset_->folder_ / clip.file).string()}};
    group.rows.push_back({rows.data() + static_cast<std::size_t>(clip.first_row) * width, clip.num_rows});
    group.clips.push_back(index);
    return {};
  }

  std::shared_ptr<Dataset> dataset_;
  MappedFile::Access access_;
  std::map<std::string, std::span<const float>> known_;
  Checksums checksums_;
};

Result<DatasetPtr> Dataset::open(const std::filesystem::path& folder, MappedFile::Access access) {
  return DatasetReader(folder, access).run();
}

Result<void> Dataset::verify() const {
  std::vector<char> good(files_.size(), 1);
  ThreadPool::shared().parallel_for(files_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      good[i] = files_[i].checksum.empty() || files_[i].checksum == row_checksum(files_[i].file.array().bytes) ? 1 : 0;
    }
  });
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (good[i] == 0)
      return Error{ErrorCode::kInvalid,
                   "damaged: its rows do not match their checksum; build the dataset again",
                   {.file = (folder_ / files_[i].name).string()}};
  }
  return {};
}

Totals Dataset::totals(std::optional<Split> split) const {
  Totals out;
  for (const ClipRecord& clip : clips_) {
    if (split && clip.split != *split) continue;
    out.num_rows += clip.num_rows;
    out.hours += clip.num_rows / groups_[idx(clip.group)].layout.fps() / 3600;
  }
  return out;
}

bool Dataset::gather(int group, std::span<const features::Sample> samples, std::span<float> input,
                     std::span<float> output, std::span<float> condition) const noexcept {
  if (group < 0 || idx(group) >= groups_.size()) return false;
  const Group& of = groups_[idx(group)];
  return features::GatherJob{.layout = &of.layout,
                             .clips = of.rows,
                             .samples = samples,
                             .input = input,
                             .output = output,
                             .condition = condition}
      .run();
}

bool Dataset::gather(Executor& pool, int group, std::span<const features::Sample> samples, std::span<float> input,
                     std::span<float> output, std::span<float> condition) const noexcept {
  if (group < 0 || idx(group) >= groups_.size()) return false;
  const Group& of = groups_[idx(group)];
  const features::GatherJob whole{.layout = &of.layout,
                                  .clips = of.rows,
                                  .samples = samples,
                                  .input = input,
                                  .output = output,
                                  .condition = condition};
  if (whole.validate() != nullptr) return false;
  const auto piece = [&](std::span<float> array, features::BlockKind kind, std::size_t begin, std::size_t end) {
    const std::size_t size = of.layout.size(kind);
    return array.empty() ? array : array.subspan(begin * size, (end - begin) * size);
  };
  // Few pieces, because each reads all clips first. Results do not depend on their size.
  const std::size_t grain = std::max<std::size_t>(16, samples.size() / (2 * idx(pool.num_threads())));
  pool.parallel_for(samples.size(), grain, [&](std::size_t begin, std::size_t end) {
    features::GatherJob job = whole;
    job.samples = samples.subspan(begin, end - begin);
    job.input = piece(input, features::BlockKind::kInput, begin, end);
    job.output = piece(output, features::BlockKind::kOutput, begin, end);
    job.condition = piece(condition, features::BlockKind::kCondition, begin, end);
    job.run();
  });
  return true;
}

}  // namespace zoe::dataset
