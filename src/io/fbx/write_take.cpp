// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "io/fbx/curve_data.h"
#include "io/fbx/node_transform.h"
#include "io/fbx/settings.h"
#include "io/fbx/write_parts.h"

namespace zoe::io::fbx {
namespace {

// The angles of a rotation nearest to the previous frame's: of both solutions, with any number of turns added.
Vec3d nearest_angles(Vec3d angles, Vec3d previous) {
  const auto turned = [&](Vec3d a) {
    for (std::size_t c = 0; c < 3; ++c) a[c] += 360 * std::round((previous[c] - a[c]) / 360);
    return a;
  };
  const Vec3d one = turned(angles), other = turned({angles.x + 180, 180 - angles.y, angles.z + 180});
  return distance(one, previous) <= distance(other, previous) ? one : other;
}

class TakeWriter {
 public:
  TakeWriter(const OutPlan& plan, const Motion& clip, ObjectWriter& objects)
      : plan_(plan), clip_(clip), objects_(objects), out_(objects.out), num_frames_(idx(clip.num_frames)) {
    // A start that is a rounding away from a frame is on it: other programs sample on frames.
    constexpr double kFrameRounding = 0.01;
    const double frame = std::round(clip.start_time_s * clip.fps);
    const bool snap = std::abs(clip.start_time_s * clip.fps - frame) < kFrameRounding;
    const double start_s = snap ? frame / clip.fps : clip.start_time_s;
    for (std::size_t f = 0; f < num_frames_; ++f)
      times_.push_back(tick_of(start_s + static_cast<double>(f) / clip.fps));
  }

  void run() {
    const std::int64_t stack = objects_.new_id();
    layer_ = objects_.new_id();
    objects_.begin("AnimationStack", stack, clip_.name, "AnimStack", "");
    out_.begin("Properties70");
    for (const char* name : {"LocalStart", "ReferenceStart"}) out_.property(name, "KTime", "Time", "", times_.front());
    for (const char* name : {"LocalStop", "ReferenceStop"}) out_.property(name, "KTime", "Time", "", times_.back());
    out_.end();
    out_.end(true);
    objects_.begin("AnimationLayer", layer_, "BaseLayer", "AnimLayer", "");
    out_.end(true);
    objects_.connect(layer_, stack);
    for (int joint = 0; joint < clip_.num_joints(); ++joint) write_joint(joint);
    if (clip_.num_morph_weights > 0) write_weights();
    // A take without curves is dropped by most programs.
    if (!any_ && clip_.num_joints() > 0) write_translation(0, true);
  }

 private:
  std::size_t at(std::size_t frame, int joint) const { return frame * idx(clip_.num_joints()) + idx(joint); }

  void write_joint(int joint) {
    const Transformd& rest = plan_.models[idx(joint)].local;
    write_translation(joint, false);
    std::vector<Vec3d> values(num_frames_);
    const Vec3d rest_angles = to_euler_deg(0, rest.rotation);
    Vec3d previous = rest_angles;
    for (std::size_t f = 0; f < num_frames_; ++f) {
      previous = nearest_angles(to_euler_deg(0, normalized(to_double(clip_.rotations[at(f, joint)]))), previous);
      values[f] = previous;
    }
    constexpr double kStillAngleDeg = 1e-5;
    write_vector(joint, "R", "Lcl Rotation", values, rest_angles, kStillAngleDeg, false);
    for (std::size_t f = 0; f < num_frames_; ++f)
      values[f] = clip_.scales.empty() ? Vec3d{1, 1, 1} : to_double(clip_.scales[at(f, joint)]);
    write_vector(joint, "S", "Lcl Scaling", values, rest.scale, 1e-7, false);
  }

  void write_translation(int joint, bool always) {
    std::vector<Vec3d> values(num_frames_);
    for (std::size_t f = 0; f < num_frames_; ++f)
      values[f] = to_double(clip_.translations[at(f, joint)]) * plan_.units_per_metre;
    constexpr double kStillMetres = 1e-8;
    write_vector(joint, "T", "Lcl Translation", values,
                 plan_.models[idx(joint)].local.translation * plan_.units_per_metre,
                 kStillMetres * plan_.units_per_metre, always);
  }

  // Omits a track that stays at the rest pose.
  void write_vector(int joint, const char* name, const char* property, const std::vector<Vec3d>& values, Vec3d rest,
                    double still, bool always) {
    if (!always && std::all_of(values.begin(), values.end(), [&](Vec3d v) { return distance(v, rest) <= still; }))
      return;
    const std::int64_t node = begin_node(name);
    for (const auto& [component, letter] : {std::pair(0, "d|X"), std::pair(1, "d|Y"), std::pair(2, "d|Z")})
      out_.property(letter, "Number", "", "A", rest[static_cast<std::size_t>(component)]);
    end_node(node, plan_.models[idx(joint)].id, property);
    std::vector<double> numbers(num_frames_);
    for (const auto& [component, letter] : {std::pair(0, "d|X"), std::pair(1, "d|Y"), std::pair(2, "d|Z")}) {
      for (std::size_t f = 0; f < num_frames_; ++f) numbers[f] = values[f][static_cast<std::size_t>(component)];
      write_curve(node, letter, numbers);
    }
  }

  void write_weights() {
    for (std::size_t i = 0; i < plan_.instances.size(); ++i) {
      const std::size_t first = plan_.character.first_morph_weight(i);
      const std::vector<float>& own = plan_.character.instances[i].morph_weights;
      for (std::size_t t = 0; t < plan_.instances[i].channel_ids.size(); ++t) {
        const double rest = t < own.size() ? 100.0 * own[t] : 0.0;
        std::vector<double> values;
        for (std::size_t f = 0; f < num_frames_; ++f)
          values.push_back(100.0 * clip_.frame_morph_weights(static_cast<int>(f))[first + t]);
        if (std::all_of(values.begin(), values.end(), [&](double v) { return v == rest; })) continue;
        const std::int64_t node = begin_node("DeformPercent");
        out_.property("d|DeformPercent", "Number", "", "A", rest);
        end_node(node, plan_.instances[i].channel_ids[t], "DeformPercent");
        write_curve(node, "d|DeformPercent", values);
      }
    }
  }

  std::int64_t begin_node(const char* name) {
    const std::int64_t node = objects_.new_id();
    objects_.begin("AnimationCurveNode", node, name, "AnimCurveNode", "");
    out_.begin("Properties70");
    return node;
  }
  void end_node(std::int64_t node, std::int64_t target, const char* property) {
    out_.end();
    out_.end();
    objects_.connect(node, layer_);
    objects_.connect(node, target, property);
  }

  // Linear keys on every frame; a constant curve has its first and last.
  void write_curve(std::int64_t node, const char* channel, const std::vector<double>& values) {
    any_ = true;
    std::vector<std::int64_t> times = times_;
    std::vector<float> keys(values.begin(), values.end());
    if (std::all_of(keys.begin(), keys.end(), [&](float v) { return v == keys[0]; }) && keys.size() > 2) {
      times = {times.front(), times.back()};
      keys.resize(2);
    }
    const std::int64_t id = objects_.new_id();
    objects_.begin("AnimationCurve", id, "", "AnimCurve", "");
    out_.record("Default", static_cast<double>(keys[0]));
    out_.record("KeyVer", 4008);
    out_.record("KeyTime", times);
    out_.record("KeyValueFloat", keys);
    out_.record("KeyAttrFlags", std::vector<std::int32_t>{kKeyLinear});
    out_.record("KeyAttrDataFloat", std::vector<float>{0, 0, 0, 0});
    out_.record("KeyAttrRefCount", std::vector<std::int32_t>{static_cast<std::int32_t>(times.size())});
    out_.end();
    objects_.connect(id, node, channel);
  }

  const OutPlan& plan_;
  const Motion& clip_;
  ObjectWriter& objects_;
  RecordWriter& out_;
  std::size_t num_frames_;
  std::vector<std::int64_t> times_;
  std::int64_t layer_ = 0;
  bool any_ = false;  // A curve was written.
};

}  // namespace

std::int64_t tick_of(double time_s) { return std::llround(time_s * static_cast<double>(kTicksPerSecond)); }

void write_take(const OutPlan& plan, const Motion& clip, ObjectWriter& objects) {
  TakeWriter(plan, clip, objects).run();
}

}  // namespace zoe::io::fbx
