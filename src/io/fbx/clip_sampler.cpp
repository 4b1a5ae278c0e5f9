// SPDX-License-Identifier: MIT
#include "io/fbx/clip_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "io/fbx/layer_blend.h"

namespace zoe::io::fbx {
namespace {

// Takes start and stop on frames; a start this near to a frame (in frames) is meant to be on it.
constexpr double kFrameTolerance = 0.01;

// Which ticks a clip's frames are at.
struct FrameGrid {
  double start_s = 0;
  double fps = 30;
  std::int64_t num_frames = 1;

  std::int64_t tick(std::int64_t frame) const {
    return std::llround((start_s + static_cast<double>(frame) / fps) *
                        static_cast<double>(kTicksPerSecond));
  }
};

FrameGrid make_grid(std::int64_t start_tick, std::int64_t stop_tick, double fps) {
  FrameGrid grid{.fps = fps};
  const double start = static_cast<double>(start_tick) / static_cast<double>(kTicksPerSecond);
  const double stop = static_cast<double>(stop_tick) / static_cast<double>(kTicksPerSecond);
  const double start_frame = std::round(start * fps);
  grid.start_s = std::abs(start * fps - start_frame) < kFrameTolerance ? start_frame / fps : start;
  const double frames = std::floor((stop - grid.start_s) * fps + kFrameTolerance);
  grid.num_frames = frames > 0 ? static_cast<std::int64_t>(std::min(frames, 1e15)) + 1 : 1;
  return grid;
}

// A node's chain over time.
struct AnimatedNode {
  int node = kNoNode;
  std::vector<TrackSampler> tracks;  // Lower layers first.
};
struct AnimatedChannel {
  const ShapeChannel* channel = nullptr;
  std::size_t first_weight = 0;  // In the motion's row of morph weights.
  std::vector<TrackSampler> tracks;
};

class StackSampler {
 public:
  StackSampler(const SceneContext& context, const Animation& animation, const AnimStack& stack,
               const Character& character, const std::vector<InstanceChannels>& channels)
      : context_(context), animation_(animation), stack_(stack), character_(character) {
    gather_nodes();
    gather_channels(channels);
  }

  // First and last key of everything that moves; false when there are none.
  bool key_range(std::int64_t* first, std::int64_t* last) const {
    *first = std::numeric_limits<std::int64_t>::max();
    *last = std::numeric_limits<std::int64_t>::min();
    for (const AnimLayer& layer : stack_.layers) {
      for (const AnimTrack& track : layer.tracks) {
        for (const int curve : track.curves) {
          if (curve == kNoCurve) continue;
          *first =
              std::min(*first, animation_.curves[static_cast<std::size_t>(curve)].times.front());
          *last = std::max(*last, animation_.curves[static_cast<std::size_t>(curve)].times.back());
        }
      }
    }
    return *first <= *last;
  }

  std::size_t num_tracks() const {
    std::size_t count = 0;
    for (const AnimatedNode& node : nodes_) count += node.tracks.size();
    for (const AnimatedChannel& channel : channels_) count += channel.tracks.size();
    return count;
  }

  Motion run(const FrameGrid& grid, bool with_scales) {
    Motion motion = make_motion(character_.skeleton, std::string(stack_.name), grid.fps,
                                static_cast<int>(grid.num_frames), with_scales);
    motion.start_time_s = grid.start_s;
    start_morph_weights(&motion);
    LayerWeights weights(animation_, stack_);
    JointPlacer placer(context_.scene, context_.plan, context_.conversion);
    std::vector<Transformd> locals;
    locals.reserve(context_.scene.nodes.size());
    for (const SceneNode& node : context_.scene.nodes)
      locals.push_back(local_transform(node.chain));
    for (std::int64_t frame = 0; frame < grid.num_frames; ++frame) {
      const std::int64_t tick = grid.tick(frame);
      weights.update(tick);
      const auto emit = [&](int joint, const Transformd& local) {
        write_joint(frame, joint, local, &motion);
      };
      for (AnimatedNode& animated : nodes_) {
        Transformd& local = locals[static_cast<std::size_t>(animated.node)];
        local = sample_node(animated, tick, weights);
        if (!context_.plan.coupled()) placer.place(animated.node, local, emit);
      }
      if (context_.plan.coupled()) placer.place_all(locals, emit);
      for (AnimatedChannel& channel : channels_)
        sample_channel(channel, tick, weights, frame, &motion);
    }
    return motion;
  }

 private:
  void gather_nodes() {
    std::vector<int> slot(context_.scene.nodes.size(), -1);
    for (std::size_t layer = 0; layer < stack_.layers.size(); ++layer) {
      for (const AnimTrack& track : stack_.layers[layer].tracks) {
        const int node = context_.scene.node_of_object[track.object];
        if (track.chain == ChainPart::kCount || node == kNoNode) continue;
        int& at = slot[static_cast<std::size_t>(node)];
        if (at < 0) {
          at = static_cast<int>(nodes_.size());
          nodes_.push_back({.node = node});
        }
        nodes_[static_cast<std::size_t>(at)].tracks.emplace_back(animation_, track, layer);
      }
    }
  }

  void gather_channels(const std::vector<InstanceChannels>& instances) {
    std::unordered_map<std::uint32_t, std::vector<TrackSampler>> tracks_of;
    for (std::size_t layer = 0; layer < stack_.layers.size(); ++layer) {
      for (const AnimTrack& track : stack_.layers[layer].tracks) {
        if (track.chain == ChainPart::kCount)
          tracks_of[track.object].emplace_back(animation_, track, layer);
      }
    }
    if (tracks_of.empty()) return;
    for (const InstanceChannels& instance : instances) {
      const std::size_t first = character_.first_morph_weight(instance.instance);
      for (const ShapeChannel& channel : instance.channels) {
        const auto found = tracks_of.find(channel.object);
        if (found == tracks_of.end()) continue;
        channels_.push_back({.channel = &channel,
                             .first_weight = first + channel.first_target,
                             .tracks = found->second});
      }
    }
  }

  Transformd sample_node(AnimatedNode& animated, std::int64_t tick,
                         const LayerWeights& weights) const {
    NodeChain chain = context_.scene.nodes[static_cast<std::size_t>(animated.node)].chain;
    for (TrackSampler& track : animated.tracks) {
      Vec3d& part = chain.part(track.chain());
      const std::size_t layer = track.layer();
      const Vec3d value = track.value(tick, part);
      part = blend_layer(stack_.layers[layer], layer == 0, weights[layer], track.chain(),
                         chain.rotation_space ? chain.rotation_order : 0, part, value);
    }
    return local_transform(chain);
  }

  void sample_channel(AnimatedChannel& animated, std::int64_t tick, const LayerWeights& weights,
                      std::int64_t frame, Motion* motion) const {
    Vec3d percent{animated.channel->percent, 0, 0};
    for (TrackSampler& track : animated.tracks) {
      const std::size_t layer = track.layer();
      percent = blend_layer(stack_.layers[layer], layer == 0, weights[layer], ChainPart::kCount, 0,
                            percent, track.value(tick, percent));
    }
    const std::size_t row =
        static_cast<std::size_t>(frame) * static_cast<std::size_t>(motion->num_morph_weights);
    target_weights(
        animated.channel->full_weights, percent.x,
        std::span(motion->morph_weights)
            .subspan(row + animated.first_weight, animated.channel->full_weights.size()));
  }

  // Every frame starts from the instances' own weights.
  void start_morph_weights(Motion* motion) const {
    std::vector<float> row;
    for (const MeshInstance& instance : character_.instances) {
      row.insert(row.end(), instance.morph_weights.begin(), instance.morph_weights.end());
      const std::size_t targets =
          character_.meshes[static_cast<std::size_t>(instance.mesh)].morph_targets.size();
      row.resize(row.size() + targets - instance.morph_weights.size(), 0);
    }
    motion->num_morph_weights = static_cast<int>(row.size());
    motion->morph_weights.reserve(row.size() * static_cast<std::size_t>(motion->num_frames));
    for (int frame = 0; frame < motion->num_frames; ++frame) {
      motion->morph_weights.insert(motion->morph_weights.end(), row.begin(), row.end());
    }
  }

  static void write_joint(std::int64_t frame, int joint, const Transformd& local, Motion* motion) {
    const auto n = static_cast<std::size_t>(motion->num_joints());
    const std::size_t at = static_cast<std::size_t>(frame) * n + static_cast<std::size_t>(joint);
    const Quat rotation = to_float(local.rotation);
    motion->translations[at] = to_float(local.translation);
    motion->rotations[at] = frame > 0 ? nearest_to(motion->rotations[at - n], rotation) : rotation;
    if (!motion->scales.empty()) motion->scales[at] = to_float(local.scale);
  }

  const SceneContext& context_;
  const Animation& animation_;
  const AnimStack& stack_;
  const Character& character_;
  std::vector<AnimatedNode> nodes_;
  std::vector<AnimatedChannel> channels_;
};

}  // namespace

Result<std::vector<Motion>> sample_clips(const SceneContext& context, const Animation& animation,
                                         const Character& character,
                                         const std::vector<InstanceChannels>& channels,
                                         const FbxReadOptions& options) {
  std::vector<Motion> clips;
  const double fps = options.fps > 0 ? options.fps : context.settings.fps;
  const bool with_scales = context.plan.has_scales();
  const std::size_t frame_bytes =
      static_cast<std::size_t>(character.skeleton->num_joints()) *
          (sizeof(Vec3) + sizeof(Quat) + (with_scales ? sizeof(Vec3) : 0)) +
      character.num_morph_weights() * sizeof(float) + 1;
  for (const AnimStack& stack : animation.stacks) {
    StackSampler sampler(context, animation, stack, character, channels);
    std::int64_t start = stack.start_tick, stop = stack.stop_tick, first_key = 0, last_key = 0;
    const bool has_keys = sampler.key_range(&first_key, &last_key);
    // Many tracks on few joints cost time, not memory; they count as if they filled some.
    const double frame_cost =
        std::max(static_cast<double>(frame_bytes), static_cast<double>(sampler.num_tracks()) * 8);
    const auto fits = [&](const FrameGrid& grid) {
      return context.budget->fits(static_cast<double>(grid.num_frames) * frame_cost) &&
             grid.num_frames < std::numeric_limits<int>::max();
    };
    if (!stack.has_range && has_keys) {
      start = first_key;
      stop = last_key;
    }
    FrameGrid grid = make_grid(start, stop, fps);
    if (!fits(grid) && has_keys && (first_key > start || last_key < stop)) {
      context.warnings->push_back(
          {fmt::format("take '{}' claims {} frames; only those with keys are kept", stack.name,
                       grid.num_frames),
           {}});
      grid = make_grid(std::max(start, first_key),
                       std::max(std::min(stop, last_key), std::max(start, first_key)), fps);
    }
    if (!fits(grid)) {
      return Error{ErrorCode::kLimit,
                   fmt::format("take '{}' has {} frames at {} fps, far more than the file's size "
                               "allows; ask for a lower frame rate or raise "
                               "bytes_always_granted",
                               stack.name, grid.num_frames, fps),
                   {}};
    }
    context.budget->spend(static_cast<double>(grid.num_frames) * frame_cost);
    clips.push_back(sampler.run(grid, with_scales));
  }
  return clips;
}

}  // namespace zoe::io::fbx
