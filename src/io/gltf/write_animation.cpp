// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include "io/gltf/keys.h"
#include "io/gltf/write_parts.h"

namespace zoe::io::gltf {
namespace {

// Below this a track is constant: some roundings of a float, for numbers around one.
constexpr double kStill = 2.4e-7;

class ClipWriter {
 public:
  ClipWriter(const Motion& motion, const Character& character, const OutScene& scene, const GltfWriteOptions& options,
             DataWriter& data)
      : motion_(motion),
        character_(character),
        scene_(scene),
        options_(options),
        data_(data),
        num_frames_(static_cast<std::size_t>(motion.num_frames)),
        nodes_of_joint_(static_cast<std::size_t>(motion.num_joints())) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
      if (scene.nodes[i].joint >= 0)
        nodes_of_joint_[static_cast<std::size_t>(scene.nodes[i].joint)].push_back(static_cast<int>(i));
    }
    make_times();
  }

  Json write() {
    data_.begin_view(ViewTarget::kNone);
    for (int joint = 0; joint < motion_.num_joints(); ++joint) write_joint(joint);
    if (motion_.num_morph_weights > 0) {
      for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
        if (scene_.nodes[i].instance >= 0)
          write_weights(static_cast<int>(i), static_cast<std::size_t>(scene_.nodes[i].instance));
      }
    }
    // A clip without motion still has a length.
    if (!has_full_length_) write_still_root();
    return {{"name", motion_.name},
            {"samplers", samplers_},
            {"channels", channels_},
            {"extras", {{"zoe_fps", motion_.fps}, {"zoe_frames", motion_.num_frames}}}};
  }

 private:
  // glTF's clock starts at 0, and key times must differ as floats.
  void make_times() {
    const auto fill = [&](double start_s) {
      times_.clear();
      for (std::size_t f = 0; f < num_frames_; ++f)
        times_.push_back(static_cast<float>(start_s + static_cast<double>(f) / motion_.fps));
      return std::adjacent_find(times_.begin(), times_.end(), [](float a, float b) { return a >= b; }) == times_.end();
    };
    if (!fill(std::max(motion_.start_time_s, 0.0))) fill(0.0);
  }

  std::size_t at(std::size_t frame, int joint) const {
    return frame * static_cast<std::size_t>(motion_.num_joints()) + static_cast<std::size_t>(joint);
  }

  int times_accessor(const std::vector<std::size_t>& frames) {
    const auto [found, is_new] = time_accessors_.try_emplace(frames, 0);
    if (is_new) {
      std::vector<float> times;
      for (const std::size_t f : frames) times.push_back(times_[f]);
      found->second = data_.append_floats(times, "SCALAR", true);
    }
    return found->second;
  }

  void add(const std::vector<int>& nodes, const char* path, const std::vector<std::size_t>& frames,
           const std::vector<float>& values, const char* type) {
    const int input = times_accessor(frames);
    const int output = data_.append_floats(values, type);
    const std::size_t sampler = samplers_.size();
    samplers_.push_back({{"input", input}, {"output", output}});
    for (const int node : nodes)
      channels_.push_back({{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}});
    has_full_length_ |= frames.back() + 1 == num_frames_ && (frames.size() > 1 || num_frames_ == 1);
  }

  // Frames with keys: all, a reduced set, one for a constant track, none for a constant track at rest.
  template <typename Error>
  std::vector<std::size_t> frames_needed(const Error& error, bool still, bool at_rest, double tolerance) const {
    if (still && at_rest) return {};
    if (still) return {0};
    if (options_.reduce_keys) return reduced_keys(num_frames_, tolerance, error);
    std::vector<std::size_t> all(num_frames_);
    for (std::size_t f = 0; f < num_frames_; ++f) all[f] = f;
    return all;
  }

  void write_vec3(int joint, const char* path, const std::vector<Vec3>& track, Vec3 rest) {
    const auto value = [&](std::size_t f) { return to_double(track[at(f, joint)]); };
    const auto off = [](Vec3d a, Vec3d b) {
      return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
    };
    const double noise = kStill * std::max(1.0, length(value(0)) * 0.25);
    bool still = true;
    for (std::size_t f = 1; f < num_frames_ && still; ++f) still = off(value(f), value(0)) <= noise;
    const auto error = [&](std::size_t first, std::size_t last, std::size_t f) {
      const double t = double(f - first) / double(last - first);
      return distance(lerp(value(first), value(last), t), value(f));
    };
    const auto frames =
        frames_needed(error, still, off(value(0), to_double(rest)) <= noise, options_.translation_tolerance);
    if (frames.empty()) return;
    std::vector<float> values;
    for (const std::size_t f : frames) {
      const Vec3 v = track[at(f, joint)];
      values.insert(values.end(), {v.x, v.y, v.z});
    }
    add(nodes_of_joint_[static_cast<std::size_t>(joint)], path, frames, values, "VEC3");
  }

  void write_rotation(int joint, Quat rest) {
    const auto value = [&](std::size_t f) { return normalized(to_double(motion_.rotations[at(f, joint)])); };
    bool still = true;
    for (std::size_t f = 1; f < num_frames_ && still; ++f) still = angle_between(value(f), value(0)) <= 2 * kStill;
    const auto error = [&](std::size_t first, std::size_t last, std::size_t f) {
      return angle_between(slerp(value(first), value(last), double(f - first) / double(last - first)), value(f));
    };
    const bool at_rest = angle_between(value(0), to_double(rest)) <= 2 * kStill;
    const auto frames = frames_needed(error, still, at_rest, options_.rotation_tolerance);
    if (!frames.empty()) add_rotation(joint, frames);
  }

  void add_rotation(int joint, const std::vector<std::size_t>& frames) {
    std::vector<float> values;
    for (const std::size_t f : frames) {
      const Quat q = to_float(normalized(to_double(motion_.rotations[at(f, joint)])));
      values.insert(values.end(), {q.x, q.y, q.z, q.w});
    }
    add(nodes_of_joint_[static_cast<std::size_t>(joint)], "rotation", frames, values, "VEC4");
  }

  void write_joint(int joint) {
    const Transform& rest = character_.skeleton->rest_local(joint);
    write_vec3(joint, "translation", motion_.translations, rest.translation);
    write_rotation(joint, rest.rotation);
    if (!motion_.scales.empty()) {
      write_vec3(joint, "scale", motion_.scales, rest.scale);
    } else if (!(rest.scale == Vec3{1, 1, 1})) {
      // No scales means all ones, independent of the rest pose.
      add(nodes_of_joint_[static_cast<std::size_t>(joint)], "scale", {0}, {1, 1, 1}, "VEC3");
    }
  }

  void write_weights(int node, std::size_t instance) {
    const std::size_t first = character_.first_morph_weight(instance);
    const std::size_t count =
        character_.meshes[static_cast<std::size_t>(character_.instances[instance].mesh)].morph_targets.size();
    if (count == 0) return;
    const auto value = [&](std::size_t f) {
      return motion_.frame_morph_weights(static_cast<int>(f)).subspan(first, count);
    };
    const auto same = [](std::span<const float> a, std::span<const float> b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    bool still = true;
    for (std::size_t f = 1; f < num_frames_ && still; ++f) still = same(value(f), value(0));
    std::vector<float> rest = character_.instances[instance].morph_weights;
    rest.resize(count, 0.0F);
    const auto error = [&](std::size_t a, std::size_t b, std::size_t f) {
      const double t = double(f - a) / double(b - a);
      double worst = 0;
      for (std::size_t i = 0; i < count; ++i)
        worst = std::max(worst, std::abs(value(a)[i] + (double(value(b)[i]) - value(a)[i]) * t - value(f)[i]));
      return worst;
    };
    const auto frames = frames_needed(error, still, same(value(0), rest), options_.translation_tolerance);
    if (frames.empty()) return;
    std::vector<float> values;
    for (const std::size_t f : frames) values.insert(values.end(), value(f).begin(), value(f).end());
    add({node}, "weights", frames, values, "SCALAR");
  }

  void write_still_root() {
    std::vector<std::size_t> frames{0};
    if (num_frames_ > 1) frames.push_back(num_frames_ - 1);
    // The root may have a single key for its rotation already; two channels for one target are not
    // allowed.
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const Json& target = channels_[c]["target"];
      if (target["node"] == 0 && target["path"] == "rotation") {
        channels_.erase(c);
        break;
      }
    }
    add_rotation(0, frames);
    drop_unused_samplers();
  }

  // The validator reports a sampler without a channel.
  void drop_unused_samplers() {
    Json kept = Json::array();
    std::map<std::size_t, std::size_t> new_index;
    for (Json& channel : channels_) {
      const auto old = channel["sampler"].get<std::size_t>();
      const auto [found, is_new] = new_index.try_emplace(old, kept.size());
      if (is_new) kept.push_back(samplers_[old]);
      channel["sampler"] = found->second;
    }
    samplers_ = std::move(kept);
  }

  const Motion& motion_;
  const Character& character_;
  const OutScene& scene_;
  const GltfWriteOptions& options_;
  DataWriter& data_;
  std::size_t num_frames_;
  std::vector<std::vector<int>> nodes_of_joint_;
  std::vector<float> times_;
  std::map<std::vector<std::size_t>, int> time_accessors_;  // Tracks with the same keys share their times.
  Json samplers_ = Json::array(), channels_ = Json::array();
  bool has_full_length_ = false;
};

}  // namespace

Json write_animation(const Motion& motion, const Character& character, const OutScene& scene,
                     const GltfWriteOptions& options, DataWriter& data) {
  return ClipWriter(motion, character, scene, options, data).write();
}

}  // namespace zoe::io::gltf
