// SPDX-License-Identifier: MIT
#include "eval_generate/measure.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/eval/frechet.h"
#include "zoe/io/npz_file.h"

#include "verb.h"

namespace zoe::cli {
namespace {

class FigureSet {
 public:
  void add(const char* name, double value) {
    for (SeedFigures& figure : figures) {
      if (figure.name == name) return figure.values.push_back(value);
    }
    figures.push_back({name, {value}});
  }
  std::vector<SeedFigures> figures;
};

void add_windows(FigureSet& out, const generate::WindowMetrics& m) {
  out.add("coverage", m.coverage[0]);
  out.add("coverage_0.1", m.coverage[1]);
  out.add("local_diversity", m.local_diversity);
  out.add("global_diversity", m.global_diversity);
  out.add("inter_diversity", m.inter_diversity);
  out.add("intra_diversity", m.intra_diversity);
  out.add("intra_difference", m.intra_difference);
}

void add_accuracy(FigureSet& out, const std::vector<EvalClip>& clips, const eval::ActionJudge& judge) {
  double count = 0, hits = 0, near = 0;
  for (const EvalClip& clip : clips) {
    if (clip.windows.empty() || !judge.knows(clip.actions)) continue;
    ++count;
    hits += judge.agrees(clip.windows, clip.actions) ? 1 : 0;
    near += judge.agrees(clip.windows, clip.actions, 3) ? 1 : 0;
  }
  if (count == 0) return;
  out.add("action_accuracy", hits / count);
  out.add("action_top3", near / count);
}

void add_quality(FigureSet& out, const std::vector<EvalClip>& clips) {
  double seconds = 0, skate = 0, depth = 0, jerk = 0, bones = 0;
  for (const EvalClip& clip : clips) {
    seconds += clip.motion.duration_s();
    skate += clip.quality.foot_skate_m_s;
    depth += clip.quality.penetration_m;
    jerk += clip.quality.jerk_m_s3;
    bones += clip.quality.bone_error;
  }
  const double count = static_cast<double>(clips.size());
  out.add("seconds", seconds / count);
  out.add("foot_skate_m_s", skate / count);
  out.add("penetration_m", depth / count);
  out.add("jerk_m_s3", jerk / count);
  out.add("bone_error", bones / count);
}

std::vector<generate::PoseFrames> poses_of(const std::vector<EvalClip>& clips) {
  std::vector<generate::PoseFrames> out;
  for (const EvalClip& clip : clips) out.push_back(clip.poses);
  return out;
}

// Codes of the clips of one seed of a method, over all bodies of a split; empty: of all splits.
eval::CodeSet codes_of(const std::vector<EvalSubject>& subjects, const std::string& split, const std::string& method,
                       std::size_t seed, const eval::MotionEncoder& encoder) {
  eval::CodeSet out{encoder.width(), {}, {}};
  int number = 0;
  for (const EvalSubject& subject : subjects) {
    if (!split.empty() && subject.split != split) continue;
    for (const MadeClips& made : subject.made) {
      if (made.method != method || made.by_seed.empty()) continue;
      for (const EvalClip& clip : made.by_seed[std::min(seed, made.by_seed.size() - 1)]) {
        if (clip.windows.empty()) continue;
        eval::MotionWindows windows{clip.windows, {}, 0};
        windows.start_s.resize(clip.windows.size() / idx(eval::description_width()));
        const std::vector<float> codes = encoder.encode(windows);
        out.codes.insert(out.codes.end(), codes.begin(), codes.end());
        out.clips.insert(out.clips.end(), windows.size(), number);
        ++number;
      }
    }
  }
  return out;
}

}  // namespace

double SeedFigures::mean() const {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? std::nan("") : sum / static_cast<double>(values.size());
}

double SeedFigures::deviation() const {
  if (values.size() < 2) return 0;
  double sum = 0;
  for (const double value : values) sum += (value - mean()) * (value - mean());
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

std::vector<EvalRow> measure_subject(const EvalSubject& subject, const std::optional<eval::ActionJudge>& judge,
                                     const generate::WindowMetricOptions& options) {
  std::vector<EvalRow> rows;
  const std::vector<generate::PoseFrames> real = poses_of(subject.real->clips);
  for (const MadeClips& made : subject.made) {
    FigureSet figures;
    for (const std::vector<EvalClip>& clips : made.by_seed) {
      if (clips.empty()) continue;
      const Result<generate::WindowMetrics> windows = generate::window_metrics(poses_of(clips), real, options);
      if (!windows) {
        print_warnings({{made.method + ": " + windows.error().message, {.file = subject.real->name}}});
        continue;
      }
      add_windows(figures, *windows);
      if (judge) add_accuracy(figures, clips, *judge);
      add_quality(figures, clips);
    }
    if (figures.figures.empty()) continue;
    rows.push_back({subject.split, subject.real->name, made.method, made.by_seed.front().size(), real.size(),
                    std::move(figures.figures)});
  }
  return rows;
}

std::vector<EvalRow> rows_by_split(const std::vector<EvalRow>& rows) {
  std::vector<EvalRow> out;
  for (const EvalRow& row : rows) {
    auto sum = std::find_if(out.begin(), out.end(),
                            [&](const EvalRow& one) { return one.split == row.split && one.method == row.method; });
    if (sum == out.end()) {
      out.push_back({row.split, {}, row.method, 0, 0, {}});
      sum = out.end() - 1;
    }
    sum->clips += row.clips;
    sum->against += row.against;
  }
  for (EvalRow& sum : out) {
    int skeletons = 0;
    std::vector<std::pair<std::string, std::vector<std::vector<double>>>> all;  // Figure → seed → bodies.
    for (const EvalRow& row : rows) {
      if (row.split != sum.split || row.method != sum.method) continue;
      ++skeletons;
      for (const SeedFigures& figure : row.figures) {
        auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == figure.name; });
        if (found == all.end()) found = all.insert(all.end(), {figure.name, {}});
        found->second.resize(std::max(found->second.size(), figure.values.size()));
        for (std::size_t seed = 0; seed < figure.values.size(); ++seed)
          found->second[seed].push_back(figure.values[seed]);
      }
    }
    sum.skeleton = std::to_string(skeletons) + (skeletons == 1 ? " skeleton" : " skeletons");
    for (const auto& [name, seeds] : all) {
      SeedFigures figure{name, {}};
      for (const std::vector<double>& bodies : seeds) figure.values.push_back(SeedFigures{"", bodies}.mean());
      sum.figures.push_back(std::move(figure));
    }
  }
  return out;
}

Result<void> add_frechet(std::vector<EvalRow>& by_split, const std::vector<EvalSubject>& subjects,
                         const eval::MotionEncoder& encoder) {
  for (EvalRow& row : by_split) {
    const eval::CodeSet real = codes_of(subjects, row.split, "real", 0, encoder);
    FigureSet figures;
    bool few = false;
    for (std::size_t seed = 0; seed < row.figures.front().values.size(); ++seed) {
      const auto report = eval::compare_sets(codes_of(subjects, row.split, row.method, seed, encoder), real, {});
      if (!report) {
        print_warnings({{"no Fréchet distance of " + row.method + ": " + report.error().message, {}}});
        break;
      }
      figures.add("frechet", report->distance);
      figures.add("frechet_at_floor_size", report->at_floor_size.mean);
      figures.add("frechet_floor", report->floor.mean);
      few |= report->too_few();
    }
    if (few && !figures.figures.empty())
      print_warnings({{"Fréchet distance of " + row.method + ", split " + row.split +
                           ": too few windows, the covariances are guesses",
                       {}}});
    row.figures.insert(row.figures.end(), figures.figures.begin(), figures.figures.end());
  }
  return {};
}

Result<void> write_codes(const std::filesystem::path& path, const std::vector<EvalSubject>& subjects,
                         const eval::MotionEncoder& encoder) {
  const eval::CodeSet made = codes_of(subjects, {}, subjects.front().made.front().method, 0, encoder);
  const eval::CodeSet real = codes_of(subjects, {}, "real", 0, encoder);
  const std::size_t width = idx(encoder.width());
  const std::vector<NamedArray> arrays{{"made", view_of(made.codes, {made.size(), width})},
                                       {"real", view_of(real.codes, {real.size(), width})}};
  return io::write_npz(path, arrays, {.compression = 1});
}

std::vector<eval::JudgedClip> judged_clips(const EvalBodies& bodies) {
  std::vector<eval::JudgedClip> out;
  for (const auto& [key, body] : bodies)
    for (const EvalClip& clip : body.clips)
      if (!clip.windows.empty() && !clip.actions.empty()) out.push_back({clip.windows, clip.actions, key});
  return out;
}

}  // namespace zoe::cli
