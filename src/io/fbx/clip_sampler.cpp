// SPDX-License-Identifier: MIT
#include "io/fbx/clip_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "io/fbx/curve_reader.h"
#include "io/fbx/layer_blend.h"

namespace zoe::io::fbx {
namespace {

// Takes start and stop on frames. A start within this distance of a frame (in frames) is on it.
constexpr double kFrameTolerance = 0.01;

// The ticks of a clip's frames.
struct FrameGrid {
  double start_s = 0;
  double fps = 30;
  std::int64_t num_frames = 1;

  std::int64_t tick(std::int64_t frame) const {
    return std::llround((start_s + static_cast<double>(frame) / fps) * static_cast<double>(kTicksPerSecond));
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

// A track of a take, and its target: a scene node, or the object of a shape channel.
struct TrackPlace {
  std::uint32_t owner = 0;
  std::uint32_t layer = 0;
  const AnimTrack* track = nullptr;
};
using Tracks = std::vector<TrackPlace>;

bool by_owner(const TrackPlace& a, const TrackPlace& b) { return a.owner < b.owner; }

std::span<const TrackPlace> tracks_of(const Tracks& sorted, std::uint32_t owner) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), TrackPlace{.owner = owner}, by_owner);
  return {first, last};
}

// Curves are decoded for one node at a time, sampled over the whole clip, and dropped.
class StackSampler {
 public:
  StackSampler(const SceneContext& context, const AnimStack& stack, const Character& character,
               const std::vector<InstanceChannels>& instances)
      : context_(context), stack_(stack), character_(character), instances_(instances) {
    for (std::uint32_t layer = 0; layer < stack_.layers.size(); ++layer) {
      for (const AnimTrack& track : stack_.layers[layer].tracks) {
        const int node = context_.scene.node_of_object[track.object];
        if (track.chain == ChainPart::kCount) {
          channel_tracks_.push_back({track.object, layer, &track});
        } else if (node != kNoNode) {
          node_tracks_.push_back({static_cast<std::uint32_t>(node), layer, &track});
        }
      }
    }
    // Stable: lower layers stay first.
    std::stable_sort(node_tracks_.begin(), node_tracks_.end(), by_owner);
    std::stable_sort(channel_tracks_.begin(), channel_tracks_.end(), by_owner);
  }

  // First and last key of everything that moves; false when there are none.
  Result<bool> key_range(std::int64_t* first, std::int64_t* last) const {
    *first = std::numeric_limits<std::int64_t>::max();
    *last = std::numeric_limits<std::int64_t>::min();
    for (const AnimLayer& layer : stack_.layers) {
      for (const AnimTrack& track : layer.tracks) {
        for (const CurveRecord curve : track.curves) {
          if (curve == kNoCurve) continue;
          ZOE_TRY_ASSIGN(const auto times, context_.curves->times(curve));
          if (times.empty()) continue;
          *first = std::min(*first, clamped_tick(times.front()));
          *last = std::max(*last, clamped_tick(times.back()));
        }
      }
    }
    return *first <= *last;
  }

  std::size_t num_tracks() const { return node_tracks_.size() + channel_tracks_.size(); }

  Result<Motion> run(const FrameGrid& grid, bool with_scales) {
    grid_ = grid;
    motion_ = make_motion(character_.skeleton, std::string(stack_.name), grid.fps, static_cast<int>(grid.num_frames),
                          with_scales);
    motion_.start_time_s = grid.start_s;
    start_morph_weights();
    ZOE_TRY_ASSIGN(LayerWeights weights, LayerWeights::open(*context_.curves, stack_));
    JointPlacer placer(context_.scene, context_.plan, context_.conversion);
    for (auto first = node_tracks_.begin(); first != node_tracks_.end();) {
      const std::span<const TrackPlace> tracks = tracks_of(node_tracks_, first->owner);
      ZOE_TRY(sample_node(tracks, weights, placer));
      first += static_cast<std::ptrdiff_t>(tracks.size());
    }
    if (context_.plan.coupled()) place_coupled(placer);
    for (const InstanceChannels& instance : instances_) {
      for (const ShapeChannel& channel : instance.channels)
        ZOE_TRY(sample_channel(channel, character_.first_morph_weight(instance.instance), weights));
    }
    return std::move(motion_);
  }

 private:
  Result<std::vector<TrackSampler>> open(std::span<const TrackPlace> tracks) const {
    std::vector<TrackSampler> samplers;
    samplers.reserve(tracks.size());
    for (const TrackPlace& place : tracks) {
      ZOE_TRY_ASSIGN(TrackSampler sampler, TrackSampler::open(*context_.curves, *place.track, place.layer));
      samplers.push_back(std::move(sampler));
    }
    return samplers;
  }

  // One node in all frames. Where joints depend on other nodes, the node's own transform is stored in the clip until
  // place_coupled().
  Result<void> sample_node(std::span<const TrackPlace> tracks, LayerWeights& weights, JointPlacer& placer) {
    ZOE_TRY_ASSIGN(std::vector<TrackSampler> samplers, open(tracks));
    const auto node = static_cast<int>(tracks[0].owner);
    const NodeChain& rest = context_.scene.nodes[tracks[0].owner].chain;
    const bool coupled = context_.plan.coupled();
    for (std::int64_t frame = 0; frame < grid_.num_frames; ++frame) {
      const std::int64_t tick = grid_.tick(frame);
      weights.update(tick);
      NodeChain chain = rest;
      for (TrackSampler& track : samplers) {
        Vec3d& part = chain.part(track.chain());
        const std::size_t layer = track.layer();
        const Vec3d value = track.value(tick, part);
        part = blend_layer(stack_.layers[layer], layer == 0, weights[layer], track.chain(),
                           chain.rotation_space ? chain.rotation_order : 0, part, value);
      }
      const Transformd local = local_transform(chain);
      if (coupled) {
        set(slot(frame, context_.plan.nodes()[tracks[0].owner].joint), local);
      } else {
        placer.place(node, local, [&](int joint, const Transformd& placed) { write_joint(frame, joint, placed); });
      }
    }
    return {};
  }

  // Converts the nodes' own transforms to joints, frame by frame.
  void place_coupled(JointPlacer& placer) {
    std::vector<Transformd> locals;
    locals.reserve(context_.scene.nodes.size());
    for (const SceneNode& node : context_.scene.nodes) locals.push_back(local_transform(node.chain));
    for (std::int64_t frame = 0; frame < grid_.num_frames; ++frame) {
      for (const TrackPlace& place : node_tracks_) {
        const std::size_t at = slot(frame, context_.plan.nodes()[place.owner].joint);
        locals[place.owner] = {to_double(motion_.translations[at]), to_double(motion_.rotations[at]),
                               to_double(motion_.scales[at])};
      }
      placer.place_all(locals, [&](int joint, const Transformd& local) { write_joint(frame, joint, local); });
    }
  }

  Result<void> sample_channel(const ShapeChannel& channel, std::size_t first_weight, LayerWeights& weights) {
    const std::span<const TrackPlace> tracks = tracks_of(channel_tracks_, channel.object);
    if (tracks.empty()) return {};
    ZOE_TRY_ASSIGN(std::vector<TrackSampler> samplers, open(tracks));
    const auto width = static_cast<std::size_t>(motion_.num_morph_weights);
    for (std::int64_t frame = 0; frame < grid_.num_frames; ++frame) {
      const std::int64_t tick = grid_.tick(frame);
      weights.update(tick);
      Vec3d percent{channel.percent, 0, 0};
      for (TrackSampler& track : samplers) {
        const std::size_t layer = track.layer();
        percent = blend_layer(stack_.layers[layer], layer == 0, weights[layer], ChainPart::kCount, 0, percent,
                              track.value(tick, percent));
      }
      target_weights(channel.full_weights, percent.x,
                     std::span(motion_.morph_weights)
                         .subspan(static_cast<std::size_t>(frame) * width + first_weight + channel.first_target,
                                  channel.full_weights.size()));
    }
    return {};
  }

  // Every frame starts from the instances' own weights.
  void start_morph_weights() {
    std::vector<float> row;
    for (const MeshInstance& instance : character_.instances) {
      row.insert(row.end(), instance.morph_weights.begin(), instance.morph_weights.end());
      const std::size_t targets = character_.meshes[static_cast<std::size_t>(instance.mesh)].morph_targets.size();
      row.resize(row.size() + targets - instance.morph_weights.size(), 0);
    }
    motion_.num_morph_weights = static_cast<int>(row.size());
    motion_.morph_weights.reserve(row.size() * static_cast<std::size_t>(motion_.num_frames));
    for (int frame = 0; frame < motion_.num_frames; ++frame) {
      motion_.morph_weights.insert(motion_.morph_weights.end(), row.begin(), row.end());
    }
  }

  std::size_t slot(std::int64_t frame, int joint) const {
    return static_cast<std::size_t>(frame) * static_cast<std::size_t>(motion_.num_joints()) +
           static_cast<std::size_t>(joint);
  }

  void set(std::size_t at, const Transformd& local) {
    motion_.translations[at] = to_float(local.translation);
    motion_.rotations[at] = to_float(local.rotation);
    if (!motion_.scales.empty()) motion_.scales[at] = to_float(local.scale);
  }

  void write_joint(std::int64_t frame, int joint, const Transformd& local) {
    const std::size_t at = slot(frame, joint);
    set(at, local);
    if (frame == 0) return;
    const Quat previous = motion_.rotations[slot(frame - 1, joint)];
    motion_.rotations[at] = nearest_to(previous, motion_.rotations[at]);
  }

  const SceneContext& context_;
  const AnimStack& stack_;
  const Character& character_;
  const std::vector<InstanceChannels>& instances_;
  Tracks node_tracks_, channel_tracks_;  // Sorted by owner.
  FrameGrid grid_;
  Motion motion_;
};

}  // namespace

Result<std::vector<Motion>> sample_clips(const SceneContext& context, const Animation& animation,
                                         const Character& character, const std::vector<InstanceChannels>& channels,
                                         const FbxReadOptions& options) {
  std::vector<Motion> clips;
  const double fps = options.fps > 0 ? options.fps : context.settings.fps;
  const bool with_scales = context.plan.has_scales();
  const std::size_t frame_bytes = static_cast<std::size_t>(character.skeleton->num_joints()) *
                                      (sizeof(Vec3) + sizeof(Quat) + (with_scales ? sizeof(Vec3) : 0)) +
                                  character.num_morph_weights() * sizeof(float) + 1;
  for (const AnimStack& stack : animation.stacks) {
    StackSampler sampler(context, stack, character, channels);
    std::int64_t start = stack.start_tick, stop = stack.stop_tick, first_key = 0, last_key = 0;
    // Many tracks on few joints cost time, not memory. They count as if they used some.
    const double frame_cost = std::max(static_cast<double>(frame_bytes), static_cast<double>(sampler.num_tracks()) * 8);
    const auto fits = [&](const FrameGrid& grid) {
      return context.budget->fits(static_cast<double>(grid.num_frames) * frame_cost) &&
             grid.num_frames < std::numeric_limits<int>::max();
    };
    FrameGrid grid = make_grid(start, stop, fps);
    // Only in this case, because it reads all keys.
    bool has_keys = false;
    if (!stack.has_range || !fits(grid)) {
      ZOE_TRY_ASSIGN(has_keys, sampler.key_range(&first_key, &last_key));
    }
    if (!stack.has_range && has_keys) {
      start = first_key;
      stop = last_key;
      grid = make_grid(start, stop, fps);
    }
    if (!fits(grid) && has_keys && (first_key > start || last_key < stop)) {
      context.warnings->push_back(
          {fmt::format("take '{}' states {} frames; only those with keys are kept", stack.name, grid.num_frames), {}});
      grid = make_grid(std::max(start, first_key), std::max(std::min(stop, last_key), std::max(start, first_key)), fps);
    }
    if (!fits(grid)) {
      return Error{ErrorCode::kLimit,
                   fmt::format("take '{}' has {} frames at {} fps, far more than the file's size "
                               "allows; read it at a lower frame rate (zoe convert --fps, "
                               "FbxReadOptions::fps) or raise bytes_always_granted",
                               stack.name, grid.num_frames, fps),
                   {}};
    }
    context.budget->spend(static_cast<double>(grid.num_frames) * frame_cost);
    ZOE_TRY_ASSIGN(Motion clip, sampler.run(grid, with_scales));
    clips.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace zoe::io::fbx
