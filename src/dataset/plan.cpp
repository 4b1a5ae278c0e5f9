// SPDX-License-Identifier: MIT
#include "dataset/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "zoe/dataset/read_clip_files.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/edit.h"

#include "dataset/names.h"
#include "dataset/skeleton_choice.h"
#include "dataset/units.h"

namespace zoe::dataset {
namespace {

void drop_duplicates(std::vector<PlannedFile>& files) {
  std::map<std::string, const std::string*> first;
  for (PlannedFile& file : files) {
    if (file.file.problem) continue;
    const auto [known, is_new] = first.try_emplace(file.file.content.hex(), &file.file.source);
    if (!is_new)
      leave_out(file, "duplicate", fmt::format("the same bytes as {}; --keep-duplicates takes both", *known->second));
  }
}

// Candidates to represent a group, best first: files of usual size (so that one in a wrong unit does not), and of those
// the one whose path has the smallest hash. A new file seldom replaces it, which would mean rebuilding all clips.
Members by_fitness(Members members, const std::vector<PlannedFile>& files) {
  std::vector<double> spans;
  for (const std::size_t i : members) spans.push_back(files[i].file.span);
  std::nth_element(spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>((spans.size() - 1) / 2), spans.end());
  const double median = spans[(spans.size() - 1) / 2];
  const auto rank = [&](std::size_t i) {
    const SurveyedFile& file = files[i].file;
    return std::pair(file.span < median / 1.6 || file.span > median * 1.6, hash_text(file.source).low);
  };
  std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return members;
}

struct Reference {
  SkeletonPtr skeleton;
  SkeletonAnalysis analysis;
  double metres_per_unit = 1, span = 0;
  bool unit_stated = false, up_stated = false;
  Hash128 content;            // Of its file.
  float head_above_feet = 1;  // Mean sine of the angle of the head above the feet; 1: no such body.
};

// Uprightness of a two-legged body in its clips: some frames of each, feet to head relative to y.
float head_above_feet(std::span<const Motion> clips, const SkeletonAnalysis& analysis) {
  if (analysis.head == kNoJoint || analysis.feet.size() != 2) return 1;
  float sum = 0;
  int count = 0;
  for (const Motion& clip : clips) {
    std::vector<Affine> models(static_cast<std::size_t>(clip.num_joints()));
    for (int f = 0; f < clip.num_frames; f += std::max(1, clip.num_frames / 20)) {
      compute_model_from_joint(*clip.skeleton, clip.frame(f), models);
      const auto place = [&](int joint) { return models[static_cast<std::size_t>(joint)].t; };
      const Vec3 way = place(analysis.head) - (place(analysis.feet[0]) + place(analysis.feet[1])) * 0.5F;
      const float far = length(way);
      sum += far > 0 ? way.y / far : 0;
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<float>(count) : 1;
}

// Reads one whole file and analyses its body, in metres.
Result<Reference> read_reference(const PlannedFile& file, const io::ReadOptions& read, bool end_sites) {
  ZOE_TRY_ASSIGN(io::Asset asset, read_whole(file.file, read));
  std::vector<Motion> clips = std::move(asset.clips);
  const SkeletonPtr whole = asset.character->skeleton;
  SkeletonPtr skeleton = file.file.skeleton;
  for (Motion& clip : clips) {
    if (!end_sites) clip = without_end_sites(clip);
    if (clip.num_frames > 0) skeleton = clip.skeleton;
  }
  const Character* character = skeleton->num_joints() == whole->num_joints() ? asset.character.get() : nullptr;
  AnalysisOptions options;
  if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;
  options.up_is_known = asset.source.up_known;
  Reference out{skeleton,
                analyse(*skeleton, clips, character, options),
                1,
                bone_span(*skeleton),
                asset.source.unit_known,
                asset.source.up_known,
                {},
                1};
  out.metres_per_unit = out.analysis.metres_per_unit;
  if (out.metres_per_unit != 1) {
    const SpaceChange change{.scale = out.metres_per_unit};
    out.skeleton = convert_space(*skeleton, change);
    for (Motion& clip : clips) clip = convert_space(clip, change, out.skeleton);
    options.stated_metres_per_unit = 1.0;
    out.analysis = analyse(*out.skeleton, clips, nullptr, options);
  }
  out.head_above_feet = head_above_feet(clips, out.analysis);
  return out;
}

class Planner {
 public:
  Planner(const BuildOptions& options, Plan& plan) : options_(options), plan_(plan), read_(read_options(options)) {}

  void run() {
    for (const auto& [id, list] : choose_skeletons(options_.skeletons, plan_.files)) add_group(id, list);
    if (options_.skeletons == Skeletons::kAuto && plan_.groups.size() > 1)
      plan_.warnings.push_back(
          {fmt::format("{} skeletons, each a group of its own; a model learns one of them. "
                       "`zoe retarget` puts all motions onto one body; --skeletons main keeps only "
                       "the body of most files",
                       plan_.groups.size()),
           {}});
  }

 private:
  void add_group(const std::string& id, const Members& members) {
    Members own;  // Files with exactly the group's joints.
    for (const std::size_t i : members)
      if (!plan_.files[i].by_name) own.push_back(i);
    std::optional<Reference> reference;
    std::optional<std::size_t> chosen;
    for (const std::size_t i : by_fitness(own, plan_.files)) {
      auto read = read_reference(plan_.files[i], read_, needs_end_sites(options_.schema));
      if (!read) {
        plan_.files[i].file.problem = unreadable(read.error());
        continue;
      }
      reference = std::move(*read);
      reference->content = plan_.files[i].file.content;
      chosen = i;
      break;
    }
    if (!reference) return;
    if (reference->head_above_feet < 0.3F && !reference->up_stated) {
      plan_.warnings.push_back(
          {"the head is not above the feet in the clip that stands for its skeleton; BVH files "
           "whose up "
           "axis is z need --up z",
           {.file = plan_.files[*chosen].file.source}});
    }
    auto layout = features::Layout::compile(options_.schema, *reference->skeleton, reference->analysis);
    if (!layout) {
      for (const std::size_t i : members)
        if (!plan_.files[i].file.problem)
          leave_out(plan_.files[i], "schema",
                    fmt::format("the schema does not fit this {} of {} joints: {}; --schema anytop "
                                "fits any body",
                                to_string(reference->analysis.family), reference->skeleton->num_joints(),
                                layout.error().message));
      return;
    }
    const auto group = static_cast<int>(plan_.groups.size());
    std::string toml = layout->to_toml();
    plan_.groups.push_back(
        {id, fmt::format("{}, {} joints", to_string(reference->analysis.family), layout->num_joints()),
         reference->skeleton, reference->analysis, std::move(*layout), std::move(toml), reference->content});
    for (const std::size_t i : members) {
      PlannedFile& file = plan_.files[i];
      if (file.file.problem) continue;
      file.group = group;
      decide_unit(file, *reference);
    }
  }

  static void decide_unit(PlannedFile& file, const Reference& reference) {
    if (!(file.file.span > 0) && reference.span > 0)
      return leave_out(file, "zero_length_bones", "no bone of its skeleton has a length");
    const UnitChoice choice = choose_unit(file.file.span, reference.span, reference.metres_per_unit);
    if (choice.metres_per_unit <= 0) {
      leave_out(file, "wrong_scale",
                fmt::format("its bones are {:.3g} times as long as those of a usual clip, which no unit explains",
                            choice.ratio));
      return;
    }
    file.metres_per_unit = choice.metres_per_unit;
    // Beside a file that states its unit, one without may be in another unit: that is no damage.
    const bool wrong =
        file.file.unit_stated ? std::abs(choice.metres_per_unit - 1) > 1e-6 : choice.differs && !reference.unit_stated;
    if (wrong) {
      file.repair = Note{
          "wrong_scale",
          choice.differs ? fmt::format("lengths were {:.4g} times those of a usual clip; taken as units of {:g} m",
                                       choice.ratio, choice.metres_per_unit)
                         : fmt::format("the unit it states makes an impossible body; lengths were multiplied by {:g}",
                                       choice.metres_per_unit)};
    }
    if (file.by_name)
      file.repair = Note{"extra_joints", "has more joints than the main skeleton; those were taken by name"};
  }

  const BuildOptions& options_;
  Plan& plan_;
  io::ReadOptions read_;
};

Hash128 hash_settings(const BuildOptions& options) {
  HashBuilder hash;
  hash.add(std::int64_t{kBuildVersion}).add(options.schema.to_toml()).add(std::int64_t{options.mirror});
  hash.add(std::int64_t{static_cast<int>(options.split.by)}).add(options.split.validation).add(options.split.test);
  hash.add(std::int64_t{static_cast<int>(options.skeletons)})
      .add(options.min_seconds)
      .add(std::int64_t{options.keep_duplicates});
  hash.add(std::int64_t{options.bvh_up}).add(std::int64_t{options.find_actions});
  for (const std::string& label : all_labels(options)) hash.add(label);
  if (options.signals.make || options.signals.make_for) hash.add(options.signals.key);
  return hash.finish();
}

}  // namespace

std::vector<std::string> all_labels(const BuildOptions& options) {
  std::vector<std::string> labels = options.schema.styles;
  for (const auto* more : {&options.schema.actions, &options.labels})
    for (const std::string& label : *more)
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  return labels;
}

bool needs_end_sites(const features::Schema& schema) {
  return schema.to_toml().find("all_with_ends") != std::string::npos;
}

io::ReadOptions read_options(const BuildOptions& options) { return {.bvh_up = options.bvh_up}; }

Result<Plan> make_plan(const BuildOptions& options, Executor& pool) {
  Plan plan;
  plan.settings = hash_settings(options);
  plan.licence = options.licence.empty() ? find_licence(options.inputs) : options.licence;
  ZOE_TRY_ASSIGN(std::vector<SurveyedFile> files, list_files(options.inputs, options.files, plan.warnings));
  const io::ReadOptions read = read_options(options);
  const bool end_sites = needs_end_sites(options.schema);
  pool.parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) survey_file(files[i], read, end_sites);
  });
  for (SurveyedFile& file : files) plan.files.push_back({.file = std::move(file)});
  if (!options.keep_duplicates) drop_duplicates(plan.files);
  Planner(options, plan).run();
  for (PlannedFile& file : plan.files) {
    file.bucket = bucket_of(file.file.source);
    HashBuilder key;
    key.add(plan.settings).add(file.file.source).add(file.file.content).add(file.file.labels);
    if (file.group >= 0) {
      const PlannedGroup& group = plan.groups[static_cast<std::size_t>(file.group)];
      key.add(group.layout_toml).add(group.reference).add(file.metres_per_unit).add(std::int64_t{file.by_name});
      if (file.repair) key.add(file.repair->text);
    } else {
      key.add(file.file.problem->code).add(file.file.problem->text);
    }
    file.key = key.finish();
    file.file.skeleton = nullptr;  // Not needed any more. Thousands of them need much memory.
  }
  return plan;
}

}  // namespace zoe::dataset
