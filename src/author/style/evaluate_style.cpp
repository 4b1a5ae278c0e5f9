// SPDX-License-Identifier: MIT
#include "zoe/author/evaluate_style.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/frechet.h"
#include "zoe/style/adapt.h"
#include "zoe/style/style_layer.h"

namespace zoe::author {
namespace {

using Rows = std::vector<float>;

// One clip as a method made it.
struct Output {
  const LabelledClip* source = nullptr;
  int target = 0;  // Style.
  Verdict verdict;
  double skate = 0, jerk = 0;
};

// Every row is made motion with held feet, and read back: judges see what a user gets.
Output measured_output(const StyleJudges& judges, const LabelledClip& source, int target, const Rows* rows) {
  Output out{&source, target, {}, 0, 0};
  const double unit = source.analysis.metres_per_unit;
  style::StyleClip made;
  const Motion* motion = &source.motion;
  Motion moved;
  if (rows != nullptr) {
    Result<Motion> result = style::motion_of_rows(*rows, source.clip, source.motion, source.body, source.analysis, {});
    moved = result ? std::move(*result) : source.motion;
    motion = &moved;
    made = style::encode_clip(*motion, source.body, source.analysis).value();
  }
  const Rows thirty = style::every(rows != nullptr ? made : source.clip);
  out.verdict = judge(judges, thirty, source.body.offsets);
  out.skate = skate_fraction(*motion, source.body, unit);
  out.jerk = mean_jerk(thirty, source.body, unit);
  return out;
}

class Evaluation {
 public:
  Evaluation(const LabelledClips& all, const StyleJudges& judges) : all_(all), judges_(judges) {
    for (const LabelledClip& clip : all.clips)
      if (clip.held_out) (clip.by_rule ? by_rule_ : held_out_).push_back(&clip);
  }
  const std::vector<const LabelledClip*>& held_out() const { return held_out_; }

  StyleScores real() {
    std::vector<const LabelledClip*> clips = held_out_;
    clips.insert(clips.end(), by_rule_.begin(), by_rule_.end());
    std::vector<Output> outputs(clips.size());
    ThreadPool::shared().parallel_for(outputs.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        outputs[i] = measured_output(judges_, *clips[i], clips[i]->style, nullptr);
    });
    real_codes_.assign(all_.styles.size(), {});
    for (const Output& output : outputs) {
      std::vector<float>& codes = real_codes_[idx(output.target)];
      codes.insert(codes.end(), output.verdict.codes.begin(), output.verdict.codes.end());
    }
    return summary("real", outputs);
  }

  // make(clip, target): rows in the target's style. only: this target alone; -1: all but the clip's own.
  using Make = std::function<Rows(const LabelledClip& clip, int target)>;
  StyleScores method(const std::string& name, const Make& make, int only = -1) {
    std::vector<std::pair<const LabelledClip*, int>> jobs;
    for (const LabelledClip* clip : held_out_)
      for (int target = 0; target < static_cast<int>(all_.styles.size()); ++target)
        if (target != clip->style && (only < 0 || target == only)) jobs.emplace_back(clip, target);
    std::vector<Output> outputs(jobs.size());
    ThreadPool::shared().parallel_for(jobs.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Rows rows = make(*jobs[i].first, jobs[i].second);
        outputs[i] = measured_output(judges_, *jobs[i].first, jobs[i].second, &rows);
      }
    });
    return summary(name, outputs);
  }

 private:
  StyleScores summary(const std::string& name, const std::vector<Output>& outputs) const {
    StyleScores out;
    out.method = name;
    out.num_clips = outputs.size();
    out.by_content.resize(all_.contents.size());
    out.by_style.resize(all_.styles.size());
    const auto parts_of = [&](const Output& output) {
      return std::array{&out.by_content[idx(output.source->content)], &out.by_style[idx(output.target)]};
    };
    for (std::size_t r = 0; r < 3; ++r) {
      const std::size_t seeds = judges_.networks[r].size();
      std::vector<double> of_seed(seeds, 0);
      double windows = 0;
      for (const Output& output : outputs) {
        const int wanted = kJudgeRoles[r].label == 1 ? output.source->content : output.target;
        for (std::size_t s = 0; s < seeds; ++s) {
          const auto hits = static_cast<double>(std::ranges::count(output.verdict.classes[r][s], wanted));
          of_seed[s] += hits;
          for (StyleScores::Part* part : parts_of(output)) part->accuracy[r] += hits / static_cast<double>(seeds);
        }
        windows += static_cast<double>(output.verdict.num_windows);
      }
      for (double& value : of_seed) value /= std::max(windows, 1.0);
      for (const double value : of_seed) out.accuracy[r] += value / static_cast<double>(seeds);
      out.lowest[r] = *std::ranges::min_element(of_seed);
      out.highest[r] = *std::ranges::max_element(of_seed);
      out.num_windows = static_cast<std::size_t>(windows);
    }
    std::vector<double> clips_of_content(out.by_content.size(), 0), clips_of_style(out.by_style.size(), 0);
    for (const Output& output : outputs) {
      for (StyleScores::Part* part : parts_of(output)) {
        part->num_windows += output.verdict.num_windows;
        part->skate += output.skate;
        part->jerk += output.jerk;
      }
      clips_of_content[idx(output.source->content)] += 1;
      clips_of_style[idx(output.target)] += 1;
      out.skate += output.skate / static_cast<double>(outputs.size());
      out.jerk += output.jerk / static_cast<double>(outputs.size());
    }
    const auto divide = [](std::vector<StyleScores::Part>& parts, const std::vector<double>& clips) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (double& value : parts[i].accuracy) value /= std::max(1.0, static_cast<double>(parts[i].num_windows));
        parts[i].skate /= std::max(1.0, clips[i]);
        parts[i].jerk /= std::max(1.0, clips[i]);
      }
    };
    divide(out.by_content, clips_of_content);
    divide(out.by_style, clips_of_style);
    out.frechet = frechet_of(outputs);
    return out;
  }

  // From the real clips of each target, the mean.
  double frechet_of(const std::vector<Output>& outputs) const {
    const int width = judges_.networks[0][0]->outputs()[1].shape.width;
    double sum = 0, count = 0;
    for (std::size_t target = 0; target < all_.styles.size(); ++target) {
      std::vector<float> codes;
      for (const Output& output : outputs)
        if (output.target == static_cast<int>(target))
          codes.insert(codes.end(), output.verdict.codes.begin(), output.verdict.codes.end());
      if (codes.size() < 2 * idx(width) || real_codes_.empty() || real_codes_[target].size() < 2 * idx(width)) continue;
      sum += eval::frechet_distance(eval::fit_gaussian(codes, width), eval::fit_gaussian(real_codes_[target], width));
      count += 1;
    }
    return count > 0 ? sum / count : 0;
  }

  const LabelledClips& all_;
  const StyleJudges& judges_;
  std::vector<const LabelledClip*> held_out_, by_rule_;  // Recordings; procedural styles of them.
  std::vector<std::vector<float>> real_codes_;           // [styles]
};

// Mean and deviation of the columns of a style's training rows.
struct Moments {
  std::vector<double> mean, deviation;
};
Moments moments_of(const LabelledClips& all, int style) {
  Moments out{std::vector<double>(style::kNumColumns, 0), std::vector<double>(style::kNumColumns, 0)};
  double count = 0;
  for (const LabelledClip& clip : all.clips) {
    if (clip.style != style || clip.held_out) continue;
    for (std::size_t i = 0; i < clip.clip.rows.size(); ++i) {
      out.mean[i % style::kNumColumns] += clip.clip.rows[i];
      out.deviation[i % style::kNumColumns] += clip.clip.rows[i] * clip.clip.rows[i];
    }
    count += clip.clip.num_frames;
  }
  for (std::size_t i = 0; i < out.mean.size(); ++i) {
    out.mean[i] /= std::max(count, 1.0);
    out.deviation[i] = std::sqrt(std::max(0.0, out.deviation[i] / std::max(count, 1.0) - out.mean[i] * out.mean[i]));
  }
  return out;
}

// The columns but contacts, shifted (and scaled about the clip's own mean) from one style to another.
Rows matched(const LabelledClip& clip, const Moments& from, const Moments& to, bool scale) {
  Rows rows = clip.clip.rows;
  std::vector<double> own(style::kNumColumns, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) own[i % style::kNumColumns] += rows[i] / clip.clip.num_frames;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t c = i % style::kNumColumns;
    if (c >= style::kContacts) continue;
    const double factor = scale ? to.deviation[c] / std::max(from.deviation[c], 1e-4) : 1;
    rows[i] = static_cast<float>(own[c] + (rows[i] - own[c]) * factor + to.mean[c] - from.mean[c]);
  }
  return rows;
}

// A training clip of the style with another content, the same for every run.
const LabelledClip* other_content(const LabelledClips& all, int style, int content, std::size_t which,
                                  bool with_held_out = false) {
  std::vector<const LabelledClip*> found;
  for (const LabelledClip& clip : all.clips)
    if (clip.style == style && clip.content != content && (with_held_out || !clip.held_out)) found.push_back(&clip);
  if (found.empty())  // One content only.
    for (const LabelledClip& clip : all.clips)
      if (clip.style == style && (with_held_out || !clip.held_out)) found.push_back(&clip);
  return found.empty() ? nullptr : found[which % found.size()];
}

// For each content the style as adapted to about a minute of clips of the other contents, in turn.
std::vector<style::AdaptedStyle> adapted_without_content(const style::StyleModel& model, const LabelledClips& all,
                                                         int style) {
  constexpr std::size_t kMinute = 60 * static_cast<std::size_t>(style::kRowsPerSecond) * style::kNumColumns;
  std::vector<style::AdaptedStyle> out(all.contents.size());
  ThreadPool::shared().parallel_for(out.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t without = begin; without < end; ++without) {
      // By content, each the same time: folds of adapt_style() are contents then.
      std::vector<style::StyleExample> examples;
      for (int content = 0; content < static_cast<int>(all.contents.size()); ++content) {
        std::size_t numbers = 0;
        for (const LabelledClip& clip : all.clips) {
          if (clip.style != style || clip.content != content || content == static_cast<int>(without)) continue;
          if (numbers >= kMinute / std::max<std::size_t>(1, all.contents.size() - 1)) break;
          examples.push_back({style::every(clip.clip), clip.body.offsets});
          numbers += examples.back().rows.size();
        }
      }
      if (!examples.empty()) out[without] = style::adapt_style(model, examples);
      if (examples.empty()) out[without].code = model.neutral();
    }
  });
  return out;
}

double identity_error_cm(const style::StyleModel& model, std::span<const LabelledClip* const> clips) {
  double sum = 0, count = 0;
  std::array<Vec3, style::kNumRoles> a, b;
  for (const LabelledClip* clip : clips) {
    const Rows rows = style::stylize_rows(model, clip->clip, model.encode(style::every(clip->clip)));
    const double cm = 100 * clip->body.leg_length * clip->analysis.metres_per_unit;
    for (int f = 0; f < clip->clip.num_frames; ++f) {
      style::role_positions(clip->clip.row(f), clip->body.offsets, a);
      style::role_positions(std::span(rows).subspan(idx(f) * style::kNumColumns, style::kNumColumns),
                            clip->body.offsets, b);
      for (std::size_t r = 1; r < a.size(); ++r) sum += distance(a[r], b[r]) * cm;
      count += static_cast<double>(a.size() - 1);
    }
  }
  return count > 0 ? sum / count : 0;
}

// Probability of the second style along the line of codes between every two styles.
void measure_interpolation(const style::StyleModel& model, const LabelledClips& all, const StyleJudges& judges,
                           StyleReport& report) {
  constexpr int kPoints = 9;
  constexpr double kStepBack = 0.01;
  const auto styles = model.styles();
  for (const style::NamedStyle& from : styles) {
    for (const style::NamedStyle& to : styles) {
      if (!(from.name < to.name)) continue;
      const auto target = std::ranges::find(judges.styles, to.name) - judges.styles.begin();
      if (target == std::ssize(judges.styles)) continue;  // No judge can tell it.
      std::vector<const LabelledClip*> clips;             // One of each content, of the first style.
      for (std::size_t c = 0; c < all.contents.size(); ++c)
        for (const LabelledClip& clip : all.clips)
          if (clip.held_out && clip.content == static_cast<int>(c) && all.styles[idx(clip.style)] == from.name) {
            clips.push_back(&clip);
            break;
          }
      if (clips.empty()) continue;
      std::array<double, kPoints> probability{};
      ThreadPool::shared().parallel_for(kPoints, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
          const style::StyleCode z =
              style::between(from.mean, to.mean, static_cast<float>(p) / static_cast<float>(kPoints - 1));
          double sum = 0, count = 0;
          for (const LabelledClip* clip : clips) {
            style::StyleClip made = clip->clip;
            made.rows = style::stylize_rows(model, clip->clip, z);
            const Verdict verdict = judge(judges, style::every(made), clip->body.offsets);
            for (const auto& seed : verdict.probabilities[1]) {
              for (std::size_t w = 0; w < verdict.num_windows; ++w)
                sum += seed[w * judges.styles.size() + static_cast<std::size_t>(target)];
              count += static_cast<double>(verdict.num_windows);
            }
          }
          probability[p] = sum / std::max(count, 1.0);
        }
      });
      ++report.num_pairs;
      for (std::size_t p = 1; p < kPoints; ++p) {
        const double back = probability[p - 1] - probability[p];
        report.num_violations += back > kStepBack ? 1 : 0;
        report.worst_violation = std::max(report.worst_violation, back);
      }
    }
  }
}

double microseconds_a_row(const style::StyleModel& model) {
  style::RowStream stream(model, 1);
  std::vector<float> row(style::kNumColumns, 0.1F), out(style::kNumColumns), z(idx(model.code_width()), 0.1F);
  double best = 1e9;
  constexpr int kRows = 400;
  for (int round = 0; round < 8; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kRows; ++i) stream.step(row, z, out);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / kRows);
  }
  return best;
}

// Milliseconds of a tick of many characters that are styled at 60 Hz, on all threads: rows, network, pose and held
// feet, without what moves them.
double crowd_tick_ms(const style::StyleModelPtr& model, const LabelledClip& clip) {
  const std::vector<Leg> legs = style::legs_of(clip.body);
  std::vector<style::StyleLayer> crowd;
  for (int i = 0; i < StyleReport::kCrowd; ++i) {
    crowd.emplace_back(model, clip.body, legs, 60.0);
    crowd.back().set_style(model->styles()[idx(i) % model->styles().size()].mean);
  }
  double best = 1e9;
  constexpr int kTicks = 40;
  style::StyleCrowd together(model, crowd.size());
  std::vector<PoseView> poses(crowd.size());
  for (int tick = 0; tick < kTicks; ++tick) {
    for (std::size_t i = 0; i < crowd.size(); ++i)
      poses[i] = clip.motion.frame((tick + static_cast<int>(i)) % clip.motion.num_frames);
    const auto begin = std::chrono::steady_clock::now();
    together.run(crowd, poses, 1.0 / 60);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

}  // namespace

Result<StyleReport> EvaluateStyle::run(const Listener& listener) const {
  ZOE_TRY_ASSIGN(const StyleJudges loaded, StyleJudges::load(judges));
  style::StyleModelPtr styles;
  if (!model.empty()) {
    ZOE_TRY_ASSIGN(styles, style::StyleModel::load(model));
  }
  ZOE_TRY_ASSIGN(const LabelledClips all, read_style_clips(data, clips, listener));
  listener.warn(all.warnings);
  if (all.styles != loaded.styles || all.contents != loaded.contents)
    return Error{
        ErrorCode::kUsage, "the judges know other styles or contents than the data has", {.file = judges.string()}};
  StyleReport report;
  report.judges_hash = loaded.hash;
  report.styles = all.styles;
  report.contents = all.contents;
  for (const LabelledClip& clip : all.clips) (clip.held_out ? report.num_held_out : report.num_training) += 1;
  if (report.num_held_out == 0 || report.num_training == 0)
    return Error{
        ErrorCode::kUsage, "judging needs held-out clips and others: at least four takes of a content and style", {}};
  Evaluation evaluation(all, loaded);
  const auto done = [&](StyleScores scores) {
    listener.say(fmt::format("{}: content {:.3f}, style {:.3f}, dynamics {:.3f}", scores.method, scores.accuracy[0],
                             scores.accuracy[1], scores.accuracy[2]));
    return scores;
  };
  report.real = done(evaluation.real());
  std::vector<Moments> moments;
  for (int s = 0; s < static_cast<int>(all.styles.size()); ++s) moments.push_back(moments_of(all, s));
  const auto index_of = [&](const LabelledClip& clip) { return static_cast<std::size_t>(&clip - all.clips.data()); };
  const auto baseline = [&](const char* name, bool scale) {
    report.methods.push_back(done(evaluation.method(name, [&](const LabelledClip& clip, int target) {
      return matched(clip, moments[idx(clip.style)], moments[idx(target)], scale);
    })));
  };
  if (left_out.empty() && trivial) {
    report.methods.push_back(
        done(evaluation.method("identity", [](const LabelledClip& clip, int) { return clip.clip.rows; })));
    baseline("mean pose offset", false);
    baseline("mean and deviation", true);
  }
  if (!styles) return report;
  if (!left_out.empty()) {
    const auto target = std::ranges::find(all.styles, left_out);
    if (target == all.styles.end())
      return Error{ErrorCode::kUsage, "there is no style '" + left_out + "' in the data", {}};
    const int style = static_cast<int>(target - all.styles.begin());
    // One clip of the style, of another content, is all that is known of it.
    const StyleScores made = done(evaluation.method(
        "model, one clip",
        [&](const LabelledClip& clip, int to) {
          const LabelledClip* shown = other_content(all, to, clip.content, index_of(clip), true);
          return style::stylize_rows(*styles, clip.clip, styles->encode(style::every(shown->clip)));
        },
        style));
    const auto adapted = [&](const char* name, const style::AdaptOptions& options) {
      return done(evaluation.method(
          name,
          [&](const LabelledClip& clip, int to) {
            const LabelledClip* given = other_content(all, to, clip.content, index_of(clip), true);
            const style::StyleExample example{style::every(given->clip), given->body.offsets};
            const style::AdaptedStyle found = style::adapt_style(*styles, {&example, 1}, options);
            return style::stylize_rows(*styles, clip.clip, found.code, &found.correction);
          },
          style));
    };
    const StyleScores searched = adapted("model, one clip, searched code", {.correct = false});
    const StyleScores moved = adapted("model, one clip, encoder's code and offset", {.tries = 0});
    const StyleScores adapted_one = adapted("model, one clip, searched code and offset", {});
    const std::vector<style::AdaptedStyle> of_minute = adapted_without_content(*styles, all, style);
    const StyleScores minute = done(evaluation.method(
        "model, a minute",
        [&](const LabelledClip& clip, int) {
          const style::AdaptedStyle& found = of_minute[idx(clip.content)];
          return style::stylize_rows(*styles, clip.clip, found.code, &found.correction);
        },
        style));
    const StyleScores offset = done(evaluation.method(
        "mean pose of one clip",
        [&](const LabelledClip& clip, int to) {
          const LabelledClip* shown = other_content(all, to, clip.content, index_of(clip), true);
          LabelledClips one;
          one.clips.push_back(*shown);
          one.clips[0].held_out = false;
          return matched(clip, moments[idx(clip.style)], moments_of(one, to), false);
        },
        style));
    report.left_out_style = made.accuracy[1];
    report.left_out_dynamics = made.accuracy[2];
    report.left_out_offset = offset.accuracy[1];
    report.methods.push_back(made);
    for (const StyleScores& scores : {searched, moved, adapted_one, minute, offset}) report.methods.push_back(scores);
    return report;
  }
  report.methods.push_back(done(evaluation.method("model, by name", [&](const LabelledClip& clip, int target) {
    const Result<style::StyleCode> z = styles->parse(all.styles[idx(target)]);
    return style::stylize_rows(*styles, clip.clip, z ? *z : styles->neutral());
  })));
  report.methods.push_back(
      done(evaluation.method("model, clip of another content", [&](const LabelledClip& clip, int target) {
        const LabelledClip* shown = other_content(all, target, clip.content, index_of(clip));
        return style::stylize_rows(*styles, clip.clip, styles->encode(style::every(shown->clip)));
      })));
  if (trivial)
    report.methods.push_back(done(evaluation.method("model, change by name", [&](const LabelledClip& clip, int target) {
      const Result<style::StyleCode> z = styles->parse(all.styles[idx(target)]);
      return style::change_rows(*styles, clip.clip, z ? *z : styles->neutral(),
                                styles->encode(style::every(clip.clip)));
    })));
  report.identity_cm = identity_error_cm(*styles, evaluation.held_out());
  if (interpolation) measure_interpolation(*styles, all, loaded, report);
  report.us_a_frame = microseconds_a_row(*styles);
  report.crowd_tick_ms = crowd_tick_ms(styles, *evaluation.held_out()[0]);
  return report;
}

}  // namespace zoe::author
