// SPDX-License-Identifier: MIT
#include <algorithm>
#include <climits>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "zoe/math/finite.h"

#include "io/gltf/read_parts.h"
#include "io/gltf/time_grid.h"
#include "io/gltf/track.h"

namespace zoe::io::gltf {
namespace {

// Curves between keys are bent. This frame rate follows them closely.
constexpr double kMinCurveFps = 24.0;
// A scale this near to one is a float's rounding.
constexpr float kScaleNoise = 2.5e-7F;

bool is_one(Vec3 s) {
  return std::abs(s.x - 1) <= kScaleNoise && std::abs(s.y - 1) <= kScaleNoise && std::abs(s.z - 1) <= kScaleNoise;
}

struct Keys {
  std::span<const float> times_s;
  std::vector<float> storage;  // Holds times that are not floats in the file.
  std::vector<double> frames;
  bool one_a_frame = false;  // Key i is frame i: nothing to interpolate.
};

class ClipReader {
 public:
  ClipReader(const ReadContext& context, const Rig& rig, const Character& character,
             const std::vector<int>& instance_of_node, std::size_t index)
      : context_(context),
        rig_(rig),
        character_(character),
        instance_of_node_(instance_of_node),
        def_(context.document.animations[index]),
        element_(fmt::format("animations[{}]", index)) {}

  Result<Motion> read() {
    ZOE_TRY(read_keys());
    ZOE_TRY(choose_grid());
    ZOE_TRY(allocate());
    for (const ChannelDef& channel : def_.channels) ZOE_TRY(read_channel(channel));
    report_keys();
    return std::move(motion_);
  }

 private:
  Error invalid(const std::string& message) const {
    return {ErrorCode::kInvalid, fmt::format("{} ('{}') {}", element_, def_.name, message), {}};
  }

  const SamplerDef& sampler_of(const ChannelDef& channel) const {
    return def_.samplers[static_cast<std::size_t>(channel.sampler)];
  }

  Result<void> read_keys() {
    for (const ChannelDef& channel : def_.channels) {
      const int input = sampler_of(channel).input;
      if (keys_.contains(input)) continue;
      Keys& keys = keys_[input];
      ZOE_TRY_ASSIGN(const std::span<const float> times,
                     context_.accessors.floats_in_place(input, 1, keys.storage, NonFinite::kKeep));
      if (times.empty()) return invalid("has a sampler without keys");
      keys.times_s = times;
      if (!all_finite(times)) ZOE_TRY(repair(keys));
      for (std::size_t i = 1; i < times.size(); ++i) {
        if (keys.times_s[i] < keys.times_s[i - 1])
          return invalid(fmt::format("has key times that go back, at key {}", i));
      }
    }
    return {};
  }

  // Times that are infinite or NaN are set between their neighbours.
  Result<void> repair(Keys& keys) {
    if (keys.storage.empty()) keys.storage.assign(keys.times_s.begin(), keys.times_s.end());
    const std::optional<std::size_t> bad = repair_keys(keys.storage, {.width = 1});
    if (!bad) return invalid("has a sampler without a finite key time");
    keys.times_s = keys.storage;
    bad_keys_ += *bad;
    return {};
  }

  Result<void> choose_grid() {
    std::vector<std::span<const float>> lists;
    for (const auto& [input, keys] : keys_) lists.emplace_back(keys.times_s);
    const bool curved = std::any_of(def_.channels.begin(), def_.channels.end(), [&](const ChannelDef& channel) {
      return sampler_of(channel).interpolation == Interpolation::kCubicSpline;
    });
    grid_ = find_time_grid(lists, {context_.options.fps, def_.fps, curved ? kMinCurveFps : 0.0});
    if (def_.fps == grid_.fps && def_.num_frames > grid_.num_frames) grid_.num_frames = def_.num_frames;
    if (!grid_.keys_on_frames && context_.options.fps <= 0) {
      context_.warnings.push_back({fmt::format("clip '{}': the keys follow no frame rate; sampled "
                                               "at {} fps, up to {:.2f} ms from a key",
                                               def_.name, grid_.fps, grid_.worst_offset_s * 1e3),
                                   {}});
    }
    for (auto& [input, keys] : keys_) {
      ZOE_TRY(context_.budget.take(keys.times_s.size(), sizeof(double), "key times"));
      keys.frames.reserve(keys.times_s.size());
      for (const float time : keys.times_s) {
        const double frame = (double(time) - grid_.start_s) * grid_.fps;
        keys.frames.push_back(grid_.keys_on_frames ? std::floor(frame + 0.5) : frame);
      }
      keys.one_a_frame = keys.frames.size() == grid_.num_frames;
      for (std::size_t i = 0; i < keys.frames.size() && keys.one_a_frame; ++i)
        keys.one_a_frame = keys.frames[i] == static_cast<double>(i);
    }
    return {};
  }

  // Values of a channel's sampler, valid until the next call. Fails unless they fit its keys. Bad keys are
  // repaired; the result is empty when no key is good.
  Result<std::span<const float>> read_values(const SamplerDef& sampler, TargetPath path, int components,
                                             std::size_t elements_per_key) {
    storage_.clear();
    ZOE_TRY_ASSIGN(const std::span<const float> values,
                   context_.accessors.floats_in_place(sampler.output, components, storage_, NonFinite::kKeep));
    const std::size_t per_key = elements_per_key * static_cast<std::size_t>(components) *
                                (sampler.interpolation == Interpolation::kCubicSpline ? 3 : 1);
    const std::size_t num_keys = keys_.at(sampler.input).times_s.size();
    if (per_key == 0 || values.size() / per_key != num_keys || values.size() % per_key != 0) {
      return invalid(fmt::format("has {} keys but {} values in accessors[{}]", num_keys,
                                 context_.accessors.def(sampler.output).count, sampler.output));
    }
    const KeyShape shape{elements_per_key * static_cast<std::size_t>(components),
                         sampler.interpolation == Interpolation::kCubicSpline, path == TargetPath::kRotation};
    if (!has_bad_keys(values, shape)) return values;
    if (storage_.empty()) storage_.assign(values.begin(), values.end());
    const std::optional<std::size_t> bad = repair_keys(storage_, shape);
    bad_keys_ += bad.value_or(num_keys);
    if (bad) return std::span<const float>(storage_);
    ++bad_tracks_;
    return std::span<const float>();
  }

  void report_keys() {
    if (bad_keys_ == 0) return;
    std::string message =
        fmt::format("clip '{}': {} key{} no finite number{}; interpolated between the neighbours", def_.name, bad_keys_,
                    bad_keys_ == 1 ? " is" : "s are", bad_keys_ == 1 ? "" : "s");
    if (bad_tracks_ > 0) message += fmt::format("; {} tracks have no good key and keep the rest pose", bad_tracks_);
    context_.warnings.push_back({std::move(message), {}});
  }

  // Scales are kept only when one is not 1.
  Result<bool> needs_scales() {
    for (const JointDesc& joint : rig_.skeleton->joints()) {
      if (!is_one(joint.rest_local.scale)) return true;
    }
    for (const ChannelDef& channel : def_.channels) {
      if (channel.path != TargetPath::kScale) continue;
      const SamplerDef& sampler = sampler_of(channel);
      if (sampler.interpolation == Interpolation::kCubicSpline) return true;
      ZOE_TRY_ASSIGN(const std::span<const float> values,
                     context_.accessors.floats_in_place(sampler.output, 3, storage_, NonFinite::kKeep));
      for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
        if (!is_one({values[i], values[i + 1], values[i + 2]})) return true;
      }
    }
    return false;
  }

  Result<void> allocate() {
    const auto num_joints = static_cast<std::size_t>(rig_.skeleton->num_joints());
    const bool has_weights = std::any_of(def_.channels.begin(), def_.channels.end(), [](const ChannelDef& channel) {
      return channel.path == TargetPath::kWeights;
    });
    const std::size_t num_weights = has_weights ? character_.num_morph_weights() : 0;
    ZOE_TRY_ASSIGN(const bool with_scales, needs_scales());
    if (grid_.num_frames > INT_MAX || num_weights > INT_MAX) return invalid("has more frames than can be counted");
    const std::size_t frame_size =
        num_joints * (sizeof(Vec3) * (with_scales ? 2 : 1) + sizeof(Quat)) + num_weights * sizeof(float);
    ZOE_TRY(context_.budget.take(grid_.num_frames, frame_size, "frames"));
    motion_ = make_motion(rig_.skeleton, def_.name, grid_.fps, static_cast<int>(grid_.num_frames), with_scales);
    motion_.start_time_s = grid_.start_s;
    if (num_weights == 0) return {};
    motion_.num_morph_weights = static_cast<int>(num_weights);
    std::vector<float> rest(num_weights, 0.0F);
    for (std::size_t i = 0; i < character_.instances.size(); ++i) {
      const std::vector<float>& weights = character_.instances[i].morph_weights;
      std::copy(weights.begin(), weights.end(),
                rest.begin() + static_cast<std::ptrdiff_t>(character_.first_morph_weight(i)));
    }
    motion_.morph_weights.reserve(num_weights * grid_.num_frames);
    for (std::size_t f = 0; f < grid_.num_frames; ++f)
      motion_.morph_weights.insert(motion_.morph_weights.end(), rest.begin(), rest.end());
    return {};
  }

  Result<void> read_channel(const ChannelDef& channel) {
    if (channel.path == TargetPath::kWeights) return read_weights(channel);
    const int joint = rig_.joint_of_node[static_cast<std::size_t>(channel.node)];
    if (joint < 0) return {};
    if (channel.path == TargetPath::kScale && motion_.scales.empty()) return {};
    const SamplerDef& sampler = sampler_of(channel);
    const Keys& keys = keys_.at(sampler.input);
    const int width = channel.path == TargetPath::kRotation ? 4 : 3;
    ZOE_TRY_ASSIGN(const std::span<const float> values, read_values(sampler, channel.path, width, 1));
    if (values.empty()) return {};
    const Track track{keys.frames, keys.times_s, values, static_cast<std::size_t>(width), sampler.interpolation};
    if (keys.one_a_frame) {
      copy_keys(track, channel.path, joint);
      return {};
    }
    TrackCursor cursor(track);
    const auto num_joints = static_cast<std::size_t>(motion_.num_joints());
    auto at = static_cast<std::size_t>(joint);
    if (channel.path == TargetPath::kRotation) {
      Quatd previous{};
      for (std::size_t f = 0; f < grid_.num_frames; ++f, at += num_joints) {
        const Quatd sampled = cursor.sample_rotation(static_cast<double>(f));
        previous = f == 0 ? sampled : nearest_to(previous, sampled);
        motion_.rotations[at] = to_float(previous);
      }
      return {};
    }
    std::vector<Vec3>& out = channel.path == TargetPath::kTranslation ? motion_.translations : motion_.scales;
    std::array<double, 3> v{};
    for (std::size_t f = 0; f < grid_.num_frames; ++f, at += num_joints) {
      cursor.sample(static_cast<double>(f), v);
      out[at] = to_float(Vec3d{v[0], v[1], v[2]});
    }
    return {};
  }

  // The usual case of baked clips: every frame is a key.
  void copy_keys(const Track& track, TargetPath path, int joint) {
    const auto num_joints = static_cast<std::size_t>(motion_.num_joints());
    auto at = static_cast<std::size_t>(joint);
    if (path == TargetPath::kRotation) {
      Quat previous{};
      for (std::size_t f = 0; f < grid_.num_frames; ++f, at += num_joints) {
        const float* v = track.key(f);
        Quat q{v[0], v[1], v[2], v[3]};
        if (std::abs(dot(q, q) - 1.0F) > 1e-6F) q = to_float(normalized(to_double(q)));
        previous = f == 0 ? q : nearest_to(previous, q);
        motion_.rotations[at] = previous;
      }
      return;
    }
    std::vector<Vec3>& out = path == TargetPath::kTranslation ? motion_.translations : motion_.scales;
    for (std::size_t f = 0; f < grid_.num_frames; ++f, at += num_joints) {
      const float* v = track.key(f);
      out[at] = {v[0], v[1], v[2]};
    }
  }

  Result<void> read_weights(const ChannelDef& channel) {
    const int instance = instance_of_node_[static_cast<std::size_t>(channel.node)];
    if (instance < 0) return {};
    const auto i = static_cast<std::size_t>(instance);
    const std::size_t num_targets =
        character_.meshes[static_cast<std::size_t>(character_.instances[i].mesh)].morph_targets.size();
    const SamplerDef& sampler = sampler_of(channel);
    const Keys& keys = keys_.at(sampler.input);
    ZOE_TRY_ASSIGN(const std::span<const float> values, read_values(sampler, channel.path, 1, num_targets));
    if (values.empty()) return {};
    const Track track{keys.frames, keys.times_s, values, num_targets, sampler.interpolation};
    TrackCursor cursor(track);
    std::vector<double> weights(num_targets);
    float* out = motion_.morph_weights.data() + character_.first_morph_weight(i);
    for (std::size_t f = 0; f < grid_.num_frames; ++f, out += motion_.num_morph_weights) {
      cursor.sample(static_cast<double>(f), weights);
      std::transform(weights.begin(), weights.end(), out, [](double w) { return static_cast<float>(w); });
    }
    return {};
  }

  const ReadContext& context_;
  const Rig& rig_;
  const Character& character_;
  const std::vector<int>& instance_of_node_;
  const AnimationDef& def_;
  std::string element_;
  std::map<int, Keys> keys_;  // By input accessor; exporters share them among channels.
  TimeGrid grid_;
  std::vector<float> storage_;  // Holds values that are not floats in the file, and repaired ones.
  std::size_t bad_keys_ = 0, bad_tracks_ = 0;
  Motion motion_;
};

}  // namespace

Result<std::vector<Motion>> read_clips(const ReadContext& context, const Rig& rig, const Character& character,
                                       const std::vector<int>& instance_of_node) {
  std::vector<Motion> clips;
  clips.reserve(context.document.animations.size());
  for (std::size_t i = 0; i < context.document.animations.size(); ++i) {
    if (context.document.animations[i].channels.empty()) {
      context.warnings.push_back(
          {fmt::format("clip '{}' animates nothing that is read; skipped", context.document.animations[i].name), {}});
      continue;
    }
    ZOE_TRY_ASSIGN(Motion motion, ClipReader(context, rig, character, instance_of_node, i).read());
    ZOE_TRY(validate(motion));  // Here, while the data is still in the cache.
    clips.push_back(std::move(motion));
  }
  return clips;
}

}  // namespace zoe::io::gltf
