// SPDX-License-Identifier: MIT
#include "zoe/eval/evaluate.h"

#include <algorithm>
#include <cmath>

#include "zoe/features/decode.h"

namespace zoe::eval {
namespace {

using features::BlockKind;

// Values by name, in the order in which they first came.
class Table {
 public:
  void add(const std::string& name, double value) {
    for (auto& [known, values] : rows_) {
      if (known == name) return values.push_back(value);
    }
    rows_.emplace_back(name, std::vector<double>{value});
  }
  void add(const MotionMetrics& m) {
    add("foot_skate_cm_s", m.foot_skate_cm_s);
    add("foot_skate_mann_cm_s", m.foot_skate_mann_cm_s);
    add("penetration_cm", m.penetration_cm);
    add("jerk_m_s3", m.jerk_m_s3);
    add("jitter_mm", m.jitter_mm);
    add("variety_cm", m.variety_cm);
  }
  static double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  static double deviation(const std::vector<double>& values) {
    const double middle = mean(values);
    double sum = 0;
    for (const double value : values) sum += (value - middle) * (value - middle);
    return values.size() > 1 ? std::sqrt(sum / static_cast<double>(values.size() - 1)) : 0;
  }
  const std::vector<std::pair<std::string, std::vector<double>>>& rows() const { return rows_; }

 private:
  std::vector<std::pair<std::string, std::vector<double>>> rows_;
};

struct Source {
  std::map<std::string, double> reference;
  PoseSet poses;
};

// The source's clips as motions on the controller's body, and what they measure. Values of clips count by their length.
Result<Source> measure_source(const dataset::Dataset& data, const control::Body& body) {
  Source out;
  const auto group = std::find_if(data.groups().begin(), data.groups().end(), [&](const dataset::Group& g) {
    return control::check_same_skeleton(*body.skeleton, *g.skeleton).has_value();
  });
  if (group == data.groups().end()) {
    return Error{ErrorCode::kInvalid, "the data has no clips of the controller's body", {.file = data.folder().string()}};
  }
  ZOE_TRY_ASSIGN(const features::Decoder decoder, features::Decoder::create(group->layout, group->skeleton));
  const auto width = static_cast<std::size_t>(decoder.width());
  Table table;
  std::vector<double> weights;
  for (std::size_t c = 0; c < group->rows.size(); ++c) {
    const dataset::ClipRecord& record = data.clips()[static_cast<std::size_t>(group->clips[c])];
    const int frames = group->rows[c].num_rows - 1;
    if (record.mirrored || frames < 30) continue;
    std::vector<features::Sample> samples;
    for (int f = 0; f < frames; ++f) samples.push_back({static_cast<std::int32_t>(c), f, 0});
    const std::size_t size = group->layout.size(BlockKind::kOutput);
    std::vector<float> values(samples.size() * size);
    if (!(features::GatherJob{.layout = &group->layout, .clips = group->rows, .samples = samples, .output = values}.run())) continue;
    // Of sequences the first frame.
    for (std::size_t f = 1; f < samples.size() && size > width; ++f) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(f * size), width,
                  values.begin() + static_cast<std::ptrdiff_t>(f * width));
    }
    values.resize(samples.size() * width);
    const Motion motion = features::decode_motion(decoder, values, {}, {.fps = group->layout.fps(), .use_positions = false});
    std::vector<PlanarRoot> roots;
    PlanarRoot root;
    for (int f = 0; f < frames; ++f) {
      root = moved_by(root, decoder.root_step(std::span<const float>(values).subspan(static_cast<std::size_t>(f) * width, width)));
      roots.push_back(root);
    }
    table.add(measure_motion(motion, roots, body.legs));
    weights.push_back(frames);
    add_poses(motion, roots, 3, out.poses);
  }
  double total = 0;
  for (const double weight : weights) total += weight;
  for (const auto& [name, values] : table.rows()) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * weights[i];
    out.reference[name] = sum / total;
  }
  return out;
}

}  // namespace

Result<Evaluation> evaluate(const control::Controller& controller, const control::Body& body,
                            const dataset::Dataset* source, const EvaluateOptions& options) {
  Source real;
  if (source != nullptr) {
    ZOE_TRY_ASSIGN(real, measure_source(*source, body));
  }
  std::vector<std::string> courses = options.courses;
  if (courses.empty()) courses.assign(control::course_names().begin(), control::course_names().end());

  const float speed_mps = options.speed_mps > 0 ? options.speed_mps : body.pace_mps;
  Table all;
  std::map<std::string, Table> by_course;
  PoseSet made;
  for (const std::string& course : courses) {
    for (int seed = 0; seed < options.num_seeds; ++seed) {
      Random random(static_cast<std::uint64_t>(seed) + 1);
      // Seeds differ in how they begin and in their pace.
      const float pace = speed_mps * random.uniform(0.9F, 1.1F);
      const PlanarRoot place{{random.uniform(-0.1F, 0.1F), 0, random.uniform(-0.1F, 0.1F)}, random.uniform(-0.5F, 0.5F)};
      ZOE_TRY_ASSIGN(const auto intents, control::make_course(course, pace, static_cast<std::uint64_t>(seed) + 1));
      const Recording run = record(controller, *intents, {.seconds = options.seconds, .fps = controller.rate_hz(), .place = place});
      const MotionMetrics moved = measure_motion(run.motion, run.roots, body.legs);
      const ObedienceMetrics obeyed = measure_obedience(run, intents->path());
      std::vector<float> us = run.tick_us;
      std::nth_element(us.begin(), us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2), us.end());
      for (Table* table : {&all, &by_course[course]}) {
        table->add(moved);
        if (intents->path() != nullptr) table->add("path_error_cm", obeyed.path_error_cm);
        table->add("facing_error_deg", obeyed.facing_error_deg);
        table->add("speed_error_cm_s", obeyed.speed_error_cm_s);
        table->add("stuck_s", run.stuck_s);
        table->add("recoveries", run.num_recoveries);
        table->add("tick_us", us[us.size() / 2]);
      }
      add_poses(run.motion, run.roots, 15, made);
      if (options.on_run) options.on_run();
    }
  }
  for (const double seconds : response_times_s(controller, speed_mps)) all.add("response_s", seconds);
  if (real.poses.size() > 0) all.add("nearest_pose_cm", nearest_pose_cm(made, real.poses));
  all.add("model_mb", static_cast<double>(controller.model_bytes()) / 1e6);

  Evaluation out;
  out.kind = controller.kind();
  out.num_seeds = options.num_seeds;
  for (const auto& [name, values] : all.rows()) {
    Summary summary{Table::mean(values), Table::deviation(values), {}};
    if (const auto found = real.reference.find(name); found != real.reference.end()) summary.reference = found->second;
    out.metrics.emplace_back(name, summary);
  }
  for (const auto& [course, table] : by_course) {
    for (const auto& [name, values] : table.rows()) out.courses[course][name] = Table::mean(values);
  }
  return out;
}

}  // namespace zoe::eval
