// SPDX-License-Identifier: MIT
#include "dataset/bucket.h"

#include <fmt/format.h>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/mirror.h"
#include "zoe/core/index.h"
#include "zoe/features/frame_rows.h"
#include "zoe/math/aligned_vector.h"
#include "zoe/math/finite.h"
#include "zoe/motion/edit.h"

#include "dataset/clip_checks.h"
#include "dataset/clip_labels.h"
#include "dataset/names.h"
#include "dataset/row_file.h"

namespace zoe::dataset {
namespace {

// Rows in which a label holds, as in ClipRecord::label_rows.
std::vector<int> rows_of(const features::LabelTrack& label, int num_rows, double frames_a_row) {
  std::vector<int> rows;
  if (label.frames.empty()) return rows;
  bool held = false;
  for (int row = 0; row < num_rows; ++row) {
    const auto frame = std::min(label.frames.size() - 1, static_cast<std::size_t>(std::lround(row * frames_a_row)));
    const bool holds = label.frames[frame] >= 0.5F;
    if (holds != held) rows.push_back(row);
    held = holds;
  }
  if (held) rows.push_back(num_rows);
  if (rows == std::vector<int>{0, num_rows}) rows.clear();
  return rows;
}

// Bodies of one size have one name: bone lengths rounded to millimetres.
std::string body_id(const Skeleton& skeleton) {
  HashBuilder hash;
  for (const JointDesc& joint : skeleton.joints())
    hash.add(std::int64_t{joint.parent == kNoJoint ? 0 : std::lround(1000 * length(joint.rest_local.translation))});
  return hash.finish().hex().substr(0, 16);
}

float contact_ratio(const Motion& motion, const SkeletonAnalysis& analysis) {
  if (analysis.feet.empty()) return -1;
  const auto contacts = find_foot_contacts(motion, analysis);
  if (!contacts || contacts->touching.empty()) return -1;
  std::size_t touching = 0;
  for (const auto on : contacts->touching) touching += on != 0;
  return static_cast<float>(touching) / static_cast<float>(contacts->touching.size());
}

// Warnings of a reader about damage, as repairs. In formats other than BVH and NPZ most are about content that we do
// not use.
std::vector<Note> repairs_of_reading(const io::Asset& asset) {
  std::vector<Note> notes;
  int counts[2] = {0, 0};  // Damaged, not finite: the first of each is reported. Readers stop counting.
  const bool plain = asset.source.format == "bvh" || asset.source.format == "npz";
  for (const Warning& warning : asset.warnings) {
    const bool not_finite = warning.message.find("finite") != std::string::npos;
    if (!plain && !not_finite) continue;
    int& count = counts[not_finite ? 1 : 0];
    if (++count == 1) notes.push_back({not_finite ? "not_finite" : "damaged_file", warning.message});
  }
  for (Note& note : notes)
    if (counts[note.code == "not_finite" ? 1 : 0] > 1) note.text += " (the first of several)";
  return notes;
}

// Missing numbers explain why nothing moves.
Note because_of_reading(Note reason, const std::vector<Note>& notes) {
  for (const Note& note : notes)
    if (reason.code == "frozen" && note.code == "not_finite")
      return {note.code, fmt::format("{}; {}", note.text, reason.text)};
  return reason;
}

class Builder {
 public:
  Builder(const BucketJob& job) : job_(job), record_{.bucket = job.bucket, .key = job.key} {}

  Result<BucketRecord> run() {
    for (const std::size_t i : job_.files) {
      const PlannedFile& file = job_.plan->files[i];
      bool reused = false;
      if (file.group < 0)
        leave_out(file, "", -1, 0, *file.file.problem);
      else {
        ZOE_TRY_ASSIGN(reused, take_old(file));
        if (!reused) ZOE_TRY(build_file(file));
      }
      if (job_.on_file) job_.on_file(reused);
    }
    for (auto& [group, output] : outputs_) {
      ZOE_TRY(output.file.finish());
      record_.checksums.emplace(output.name, output.file.checksum());
      record_.summaries.emplace(group, output.meter.summary());
    }
    ZOE_TRY(write_bucket(job_.options->output, record_, *job_.head));
    return std::move(record_);
  }

 private:
  struct Output {
    std::string name;
    RowFile file;
    RowMeter meter;
  };

  void leave_out(const PlannedFile& file, const std::string& name, int clip, int part, Note reason) {
    record_.left_out.push_back({file.file.source, name, clip, part, file.key.hex(), std::move(reason)});
  }

  Result<Output*> output_of(int group) {
    if (const auto found = outputs_.find(group); found != outputs_.end()) return &found->second;
    const PlannedGroup& planned = job_.plan->groups[idx(group)];
    const std::string name = fmt::format("rows/{:02x}-{}-{}.npy", job_.bucket, job_.key.substr(0, 16), planned.id);
    ZOE_TRY_ASSIGN(RowFile file, RowFile::create(job_.options->output / name, planned.layout.frame_width()));
    return &outputs_.emplace(group, Output{name, std::move(file), RowMeter(planned.layout)}).first->second;
  }

  // Writes rows and completes the record.
  Result<void> add(ClipRecord record, std::span<const float> rows) {
    ZOE_TRY_ASSIGN(Output * output, output_of(record.group));
    record.file = output->name;
    record.first_row = output->file.num_rows();
    record.num_rows = static_cast<int>(rows.size() / idx(job_.plan->groups[idx(record.group)].layout.frame_width()));
    ZOE_TRY(output->file.append(rows));
    record.mean_speed_m_s = output->meter.add(rows, record.split == Split::kTrain);
    record_.clips.push_back(std::move(record));
    return {};
  }

  // Rows of a file that has not changed. False: there are none.
  Result<bool> take_old(const PlannedFile& file) {
    const std::string key = file.key.hex();
    bool found = false;
    if (const auto old = job_.old->left_out.find(key); old != job_.old->left_out.end()) {
      for (const LeftOut* left_out : old->second) record_.left_out.push_back(*left_out);
      found = true;
    }
    const auto old = job_.old->clips.find(key);
    if (old == job_.old->clips.end()) return found;
    for (const OldRows::Place& place : old->second) {
      const Group& group = job_.old->dataset->groups()[place.group];
      ClipRecord record = job_.old->dataset->clips()[idx(group.clips[place.clip])];
      record.group = file.group;
      const features::ClipRows& rows = group.rows[place.clip];
      ZOE_TRY(add(std::move(record), {rows.rows, idx(rows.num_rows) * idx(group.layout.frame_width())}));
      found = true;
    }
    return found;
  }

  Result<void> build_file(const PlannedFile& file) {
    auto asset = read_whole(file.file, read_options(*job_.options));
    if (!asset) return leave_out(file, "", -1, 0, unreadable(asset.error())), Result<void>();
    if (asset->clips.empty())
      return leave_out(file, "", -1, 0, {"no_motion", "the file holds no clip"}), Result<void>();
    const std::vector<Note> notes = repairs_of_reading(*asset);
    const bool end_sites = needs_end_sites(job_.options->schema);
    for (std::size_t i = 0; i < asset->clips.size(); ++i) {
      Motion clip = std::move(asset->clips[i]);
      if (!end_sites) clip = without_end_sites(clip);
      ZOE_TRY(build_clip(file, std::move(clip), static_cast<int>(i), asset->clips.size() > 1, notes));
    }
    return {};
  }

  Result<void> build_clip(const PlannedFile& file, Motion motion, int index, bool is_one_of_several,
                          const std::vector<Note>& notes) {
    const PlannedGroup& group = job_.plan->groups[idx(file.group)];
    // What is said about the clip; its frames are the checked one's.
    Motion clip;
    clip.skeleton = motion.skeleton;
    clip.name = motion.name;
    clip.fps = motion.fps;
    clip.num_frames = motion.num_frames;
    clip.start_time_s = motion.start_time_s;
    CheckedClip checked = check_clip(std::move(motion), file, group, job_.options->min_seconds);
    if (checked.rejection) leave_out(file, clip.name, index, 0, because_of_reading(*checked.rejection, notes));
    ClipRecord record{.source = file.file.source,
                      .name = clip.name,
                      .clip_index = index,
                      .key = file.key.hex(),
                      .content = file.file.content.hex(),
                      .group = file.group,
                      .actor = actor_of(file.file.relative),
                      .source_fps = clip.fps,
                      .metres_per_unit = file.metres_per_unit,
                      .repairs = notes};
    record.repairs.insert(record.repairs.end(), checked.repairs.begin(), checked.repairs.end());
    const std::string path = is_one_of_several ? file.file.relative + "/" + clip.name : file.file.relative;
    auto labels = read_clip_labels(*job_.options, file, path, clip, is_one_of_several);
    if (!labels) return leave_out(file, clip.name, index, 0, {"labels", labels.error().format()}), Result<void>();
    const auto by = job_.options->split.by;
    const std::string together = file.file.held != nullptr ? file.file.held->split_with : "";
    record.split = split_of(job_.options->split,
                            by == SplitOptions::By::kClip    ? together.empty() ? path : together
                            : by == SplitOptions::By::kActor ? record.actor
                            : by == SplitOptions::By::kSpecies
                                ? species_of(file.file.relative, is_one_of_several, to_string(group.analysis.family))
                                : group.id);
    for (CheckedPart& part : checked.parts) {
      record.part = part.part;
      record.body = body_id(*part.motion.skeleton);
      record.source_frames = part.motion.num_frames;
      record.contact_ratio = contact_ratio(part.motion, group.analysis);
      record.mirrored = false;
      const double first_s = part.motion.start_time_s - clip.start_time_s;
      const auto spans = label_spans(*job_.options, *labels, part.motion, first_s, group.analysis);
      if (!spans) {
        leave_out(file, clip.name, index, part.part,
                  {"labels", "its actions cannot be detected: " + spans.error().message});
        continue;
      }
      ZOE_TRY(build_rows(file, record, part.motion, {*spans, part.motion, first_s}));
      if (!job_.options->mirror) continue;
      auto mirrored = zoe::mirror(part.motion, group.analysis);
      record.mirrored = true;
      if (!mirrored)
        leave_out(file, clip.name + " (mirrored)", index, part.part, {"mirror", mirrored.error().message});
      else
        ZOE_TRY(build_rows(file, record, *mirrored, {*spans, *mirrored, first_s, true}));
    }
    return {};
  }

  Result<void> build_rows(const PlannedFile& file, ClipRecord record, const Motion& motion,
                          const features::LabelFrames& frames) {
    const features::Layout& layout = job_.plan->groups[idx(file.group)].layout;
    const std::vector<features::LabelTrack> labels = frames.tracks();
    record.labels = frames.names();
    record.label_shares.clear();
    record.label_rows.clear();
    const int num_rows = features::num_rows(layout, motion);
    for (std::size_t i = 0; i < record.labels.size(); ++i) {
      record.label_shares.push_back(frames.share(i));
      record.label_rows.push_back(rows_of(labels[i], num_rows, motion.fps / layout.fps()));
    }
    rows_.resize(idx(num_rows) * idx(layout.frame_width()));
    std::vector<ClipSignal> supplied;
    const SignalMaker& maker = job_.options->signals;
    if (maker.make || maker.make_for) {
      auto made = maker.make_for ? maker.make_for(motion, {record.source, record.clip_index, record.mirrored})
                                 : maker.make(motion);
      if (!made)
        return leave_out(file, record.name, record.clip_index, record.part, {"signals", made.error().message}),
               Result<void>();
      supplied = std::move(*made);
    }
    std::vector<features::SignalTrack> signals;
    for (const ClipSignal& signal : supplied) signals.push_back({signal.name, signal.values});
    const auto built =
        features::build_frame_rows(layout, {.motion = &motion, .labels = labels, .signals = signals}, rows_, scratch_);
    if (!built)
      return leave_out(file, record.name, record.clip_index, record.part, {"features", built.error().message}),
             Result<void>();
    if (!all_finite(rows_))
      return leave_out(file, record.name, record.clip_index, record.part,
                       {"not_finite", "its features are not finite"}),
             Result<void>();
    return add(std::move(record), rows_);
  }

  const BucketJob& job_;
  BucketRecord record_;
  std::map<int, Output> outputs_;
  AlignedVector<float> rows_;
  features::RowScratch scratch_;
};

}  // namespace

OldRows::OldRows(DatasetPtr old) : dataset(std::move(old)) {
  if (dataset == nullptr) return;
  for (std::size_t g = 0; g < dataset->groups().size(); ++g) {
    const Group& group = dataset->groups()[g];
    for (std::size_t c = 0; c < group.clips.size(); ++c)
      clips[dataset->clips()[idx(group.clips[c])].key].push_back({g, c});
  }
  for (const LeftOut& item : dataset->left_out()) left_out[item.key].push_back(&item);
}

Result<BucketRecord> BucketJob::run() const { return Builder(*this).run(); }

}  // namespace zoe::dataset
