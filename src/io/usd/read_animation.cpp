// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "io/gltf/time_grid.h"
#include "io/usd/read_parts.h"
#include "io/usd/values.h"

namespace zoe::io::usd {
namespace {

// An array attribute over time. Two samples are decoded at a time.
class Track {
 public:
  static Result<Track> open(const Document& document, int prim, const char* name, std::size_t count) {
    Track track;
    track.document_ = &document;
    track.count_ = count;
    if (const Attribute* samples = document.attribute(prim, name, AttributeKind::kSamples)) {
      ZOE_TRY_ASSIGN(track.samples_, read_samples(document, samples->value));
    }
    if (track.samples_.empty()) {
      if (const Attribute* fixed = document.attribute(prim, name)) track.samples_.push_back({0, fixed->value});
      track.fixed_ = true;
    }
    return track;
  }

  bool empty() const { return samples_.empty(); }
  std::vector<float> times_s(double codes_per_second) const {
    std::vector<float> times;
    for (const Sample& sample : samples_) {
      if (!fixed_) times.push_back(static_cast<float>(sample.time / codes_per_second));
    }
    return times;
  }

  // Decodes what a time needs: two neighbours and the share of the second. Outside of the samples the nearest holds.
  Result<void> seek(double code) {
    const auto after = std::upper_bound(samples_.begin(), samples_.end(), code,
                                        [](double time, const Sample& sample) { return time < sample.time; });
    const auto second = std::min<std::size_t>(static_cast<std::size_t>(after - samples_.begin()), samples_.size() - 1);
    const std::size_t first = after == samples_.begin() ? 0 : static_cast<std::size_t>(after - samples_.begin()) - 1;
    ZOE_TRY(decode(first, 0));
    ZOE_TRY(decode(second, 1));
    const double step = samples_[second].time - samples_[first].time;
    share_ = step > 0 ? std::clamp((code - samples_[first].time) / step, 0.0, 1.0) : 0.0;
    constexpr double kOnSample = 5e-3;  // Of a time code: frame times are rounded to floats.
    if (step > 0 && std::abs(code - samples_[first].time) < kOnSample) share_ = 0;
    if (step > 0 && std::abs(code - samples_[second].time) < kOnSample) share_ = 1;
    return {};
  }
  const float* before(std::size_t i, std::size_t width) const { return decoded_[0].data() + i * width; }
  const float* after(std::size_t i, std::size_t width) const { return decoded_[1].data() + i * width; }
  float share() const { return static_cast<float>(share_); }
  Vec3 vec3(std::size_t i) const {
    const float *a = before(i, 3), *b = after(i, 3);
    return lerp(Vec3{a[0], a[1], a[2]}, Vec3{b[0], b[1], b[2]}, share());
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  Result<void> decode(std::size_t sample, std::size_t slot) {
    if (held_[slot] == sample) return {};
    if (slot == 0 && held_[1] == sample) {
      std::swap(decoded_[0], decoded_[1]);
      std::swap(held_[0], held_[1]);
      return {};
    }
    ZOE_TRY_ASSIGN(decoded_[slot], read_numbers<float>(*document_, samples_[sample].value));
    held_[slot] = sample;
    if (decoded_[slot].size() != count_) {
      return document_->error(ErrorCode::kInvalid,
                              fmt::format("{} numbers where {} are needed", decoded_[slot].size(), count_),
                              samples_[sample].value);
    }
    return {};
  }

  const Document* document_ = nullptr;
  std::vector<Sample> samples_;
  std::size_t count_ = 0;
  bool fixed_ = false;
  std::vector<float> decoded_[2];
  std::size_t held_[2] = {kNone, kNone};
  double share_ = 0;
};

class AnimationReader {
 public:
  AnimationReader(ReadStage& stage, int prim) : stage_(stage), document_(stage.document), prim_(prim) {}

  // Nothing when no skeleton has its joints.
  Result<bool> run(Motion& motion) {
    const Attribute* list = document_.attribute(prim_, "joints");
    const std::vector<std::string_view> joints =
        list != nullptr ? read_tokens(list->value) : std::vector<std::string_view>();
    const ReadSkeleton* skeleton = skeleton_of(joints);
    if (skeleton == nullptr) return false;
    const Attribute* shape_list = document_.attribute(prim_, "blendShapes");
    shapes_ = shape_list != nullptr ? read_tokens(shape_list->value) : std::vector<std::string_view>();
    const std::size_t n = joints.size();
    ZOE_TRY_ASSIGN(translations_, Track::open(document_, prim_, "translations", n * 3));
    ZOE_TRY_ASSIGN(rotations_, Track::open(document_, prim_, "rotations", n * 4));
    ZOE_TRY_ASSIGN(scales_, Track::open(document_, prim_, "scales", n * 3));
    ZOE_TRY_ASSIGN(weights_, Track::open(document_, prim_, "blendShapeWeights", shapes_.size()));
    ZOE_TRY(make_grid(motion));
    const std::size_t first_frame_joint = idx(motion.num_joints());
    for (int f = 0; f < motion.num_frames; ++f) {
      const double code = (motion.start_time_s + f / motion.fps) * stage_.codes_per_second;
      for (Track* track : {&translations_, &rotations_, &scales_, &weights_}) {
        if (!track->empty()) ZOE_TRY(track->seek(code));
      }
      for (std::size_t i = 0; i < n; ++i) {
        const auto joint = skeleton->joint_of_path.find(joints[i]);
        if (joint != skeleton->joint_of_path.end())
          write_joint(motion, idx(f) * first_frame_joint, *skeleton, joint->second, i);
      }
      write_weights(motion, f);
    }
    make_continuous(motion);
    return true;
  }

 private:
  // The skeleton that binds the animation, else the first that has all its joints.
  const ReadSkeleton* skeleton_of(const std::vector<std::string_view>& joints) const {
    for (const ReadSkeleton& skeleton : stage_.skeletons) {
      if (skeleton.animation == prim_) return &skeleton;
    }
    for (const ReadSkeleton& skeleton : stage_.skeletons) {
      if (std::all_of(joints.begin(), joints.end(),
                      [&](std::string_view path) { return skeleton.joint_of_path.contains(path); }))
        return &skeleton;
    }
    return nullptr;
  }

  Result<void> make_grid(Motion& motion) {
    const std::string_view metadata = document_.prim(prim_).metadata;
    std::string_view custom = metadata_entry(metadata, "customData");
    if (custom.size() >= 2) custom = custom.substr(1, custom.size() - 2);
    std::vector<std::vector<float>> times;
    for (const Track* track : {&translations_, &rotations_, &scales_, &weights_}) {
      times.push_back(track->times_s(stage_.codes_per_second));
      if (times.back().empty()) times.pop_back();
    }
    const std::vector<std::span<const float>> lists(times.begin(), times.end());
    const double hint = metadata_number(custom, "zoe_fps", stage_.codes_per_second);
    gltf::TimeGrid grid{.fps = hint > 0 && hint < 1e5 ? hint : 30};
    if (!lists.empty()) grid = gltf::find_time_grid(lists, {stage_.options.fps, hint, 0});
    if (!grid.keys_on_frames) {
      stage_.warnings.push_back(
          {fmt::format("samples have no common rate; they are sampled at {} frames per second, at most {:.4f} s off",
                       grid.fps, grid.worst_offset_s),
           {.joint = document_.path(prim_)}});
    }
    const std::size_t n = idx(stage_.character->skeleton->num_joints());
    const std::size_t weights = stage_.character->num_morph_weights();
    ZOE_TRY(stage_.budget.take(grid.num_frames, n * (sizeof(Quat) + 2 * sizeof(Vec3)) + weights * sizeof(float) + 1,
                               "frames"));
    if (grid.num_frames > idx(std::numeric_limits<int>::max()))
      return Error{ErrorCode::kLimit, "too many frames", {.joint = document_.path(prim_)}};
    const bool scaled = !scales_.empty() || any_rest_scale();
    const std::string_view display = metadata_entry(metadata, "displayName");
    const std::vector<std::string_view> name = read_tokens(display);
    motion = make_motion(stage_.character->skeleton,
                         name.empty() ? std::string(document_.prim(prim_).name) : unescaped(name[0]), grid.fps,
                         static_cast<int>(grid.num_frames), scaled);
    motion.start_time_s = grid.start_s;
    if (weights > 0) {
      std::vector<float> row;
      for (const MeshInstance& instance : stage_.character->instances) {
        row.insert(row.end(), instance.morph_weights.begin(), instance.morph_weights.end());
        row.resize(row.size() + stage_.character->meshes[idx(instance.mesh)].morph_targets.size() -
                   instance.morph_weights.size());
      }
      motion.num_morph_weights = static_cast<int>(weights);
      for (int f = 0; f < motion.num_frames; ++f)
        motion.morph_weights.insert(motion.morph_weights.end(), row.begin(), row.end());
    }
    return {};
  }

  bool any_rest_scale() const {
    const auto joints = stage_.character->skeleton->joints();
    return std::any_of(joints.begin(), joints.end(), [](const JointDesc& joint) {
      return !(joint.rest_local.scale == Vec3{1, 1, 1});
    });
  }

  // What the animation does not state stays at rest.
  void write_joint(Motion& motion, std::size_t frame, const ReadSkeleton& skeleton, int joint, std::size_t i) {
    const int index = skeleton.first_joint + joint;
    const bool root = motion.skeleton->parent(index) == kNoJoint;
    Transformd local = to_double(motion.skeleton->rest_local(index));
    if (root) local = decompose(inverse(skeleton.model_from_skeleton) * to_affine(local));
    if (!translations_.empty()) local.translation = to_double(translations_.vec3(i)) * skeleton.length_scale;
    if (!rotations_.empty()) {
      const float *a = rotations_.before(i, 4), *b = rotations_.after(i, 4);
      local.rotation = slerp(normalized(Quatd{a[1], a[2], a[3], a[0]}), normalized(Quatd{b[1], b[2], b[3], b[0]}),
                             static_cast<double>(rotations_.share()));
    }
    if (!scales_.empty()) local.scale = to_double(scales_.vec3(i));
    if (root && !(skeleton.model_from_skeleton == Affined{}))
      local = decompose(skeleton.model_from_skeleton * to_affine(local));
    const std::size_t at = frame + idx(index);
    motion.translations[at] = to_float(local.translation);
    motion.rotations[at] = to_float(local.rotation);
    if (!motion.scales.empty()) motion.scales[at] = to_float(local.scale);
  }

  void write_weights(Motion& motion, int frame) {
    if (weights_.empty() || motion.num_morph_weights == 0) return;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const float a = *weights_.before(i, 1), b = *weights_.after(i, 1);
      const auto [first, last] = stage_.weight_of_shape.equal_range(std::string(shapes_[i]));
      for (auto weight = first; weight != last; ++weight)
        motion.morph_weights[idx(frame) * idx(motion.num_morph_weights) + weight->second] =
            a + (b - a) * weights_.share();
    }
  }

  ReadStage& stage_;
  const Document& document_;
  int prim_;
  std::vector<std::string_view> shapes_;
  Track translations_, rotations_, scales_, weights_;
};

}  // namespace

Result<std::vector<Motion>> read_animations(ReadStage& stage) {
  std::vector<Motion> clips;
  for (std::size_t i = 0; i < stage.document.prims().size(); ++i) {
    if (stage.document.prims()[i].type != "SkelAnimation") continue;
    Motion motion;
    ZOE_TRY_ASSIGN(const bool fits, AnimationReader(stage, static_cast<int>(i)).run(motion));
    if (!fits) {
      stage.warnings.push_back({"an animation has joints of no skeleton; it is skipped",
                                {.joint = stage.document.path(static_cast<int>(i))}});
      continue;
    }
    // Scales that are all one are not kept.
    if (std::all_of(motion.scales.begin(), motion.scales.end(), [](Vec3 s) { return s == Vec3{1, 1, 1}; }))
      motion.scales.clear();
    ZOE_TRY(validate(motion));
    clips.push_back(std::move(motion));
  }
  return clips;
}

}  // namespace zoe::io::usd
