// SPDX-License-Identifier: MIT
#include "zoe/sprite/make_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "zoe/render/software/raster.h"
#include "zoe/sprite/events.h"
#include "zoe/sprite/palette.h"

#include "sprite/draw_maps.h"
#include "sprite/effects.h"
#include "sprite/framing.h"
#include "sprite/pixels.h"
#include "sprite/shade.h"
#include "sprite/slash.h"
#include "sprite/smooth.h"
#include "sprite/stage.h"

namespace zoe::sprite {
namespace {

constexpr float kLowestShadowPitch_deg = 14;  // The shadow of a side view is seen from a little above.
constexpr float kStands = 0.15F;              // Heights: lowest points nearer to the ground stand on it.
constexpr int kDark = 64;                     // Median brightness below which bodies get more light, sRGB.
constexpr float kLineDepth = 0.07F;           // Heights: how far in front a limb gets a line.
constexpr int kBodyColors = 3;                // Colours of a palette for each tone of its effects.
constexpr std::size_t kPaletteFrames = 64;    // Frames whose colours are counted.

// Memory of one thread.
struct Scratch {
  render::SurfaceBuffer surfaces, shadow;
  Samples samples;
};

// Hands out one Scratch per thread that works at the same time.
class ScratchPool {
 public:
  std::unique_ptr<Scratch> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return std::make_unique<Scratch>();
    std::unique_ptr<Scratch> scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }
  void give(std::unique_ptr<Scratch> scratch) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(scratch));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

class Maker {
 public:
  Maker(const Request& request, const render::SoftwareModel& model, Executor& executor)
      : request_(request),
        look_(request.look),
        model_(model),
        executor_(executor),
        directions_(directions_of(request)) {
    const Vec3 pivot = find_pivot(request, model);
    member_ = cast_of(request, model);
    for (const Clip& clip : request.clips) stages_.emplace_back(request, clip, pivot, member_);
    const float unit = static_cast<float>(request.body.metres_per_unit);
    height_ = static_cast<float>(request.body.height_m) / (unit > 0 ? unit : 1.0F);
  }

  Result<FrameSet> run() {
    ZOE_TRY_ASSIGN(framing_, fit(measure(), request_));
    if (!(height_ > 0)) height_ = static_cast<float>(request_.size_px) / framing_.pixels_per_unit;
    set_.width = framing_.width;
    set_.height = framing_.height;
    set_.pivot_x = framing_.pivot_x;
    set_.pivot_y = framing_.pivot_y;
    set_.pixels_per_metre = framing_.pixels_per_unit / request_.metres_per_unit;
    set_.has_shadow = request_.look.shadow;
    set_.has_effects = request_.effects;
    if (request_.effects) blades_ = find_blades(request_);
    for (std::size_t i = 0; i < stages_.size(); ++i)
      effects_.emplace_back(request_, request_.clips[i], stages_[i], height_);
    set_.maps = request_.maps;
    if (request_.maps.any()) map_maker_.emplace(model_, request_.body, request_.num_weapon_instances);
    choose_exposure();
    impact_look_ = look_;
    impact_look_.impact = true;
    if (request_.look.has_palette()) choose_palette();
    for (std::size_t i = 0; i < stages_.size(); ++i) draw_clip(i);
    return std::move(set_);
  }

 private:
  // Samples per pixel each way. Whole pixels need votes; smooth edges of larger pictures look the same with fewer.
  int scale() const {
    const int fine = request_.look.has_palette() ? 256 : 96;
    return request_.size_px <= fine ? 4 : request_.size_px <= 512 ? 3 : 2;
  }

  Affine view(std::size_t direction, float pitch_deg) const {
    return view_from_sprite(directions_[direction].yaw_deg, pitch_deg);
  }
  // Straight down on the ground, and a little from above: of a side view as well.
  Affine shadow_view(std::size_t direction) const {
    const Affine flat{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {}};
    return view(direction, std::max(request_.pitch_deg, kLowestShadowPitch_deg)) * flat;
  }

  // Also puts each clip on the ground: its lowest point touches it, unless the body flies.
  Extent measure() {
    struct Pose {
      std::size_t clip, exposure;
      float lowest = 0;
      Extent body, shadow;
    };
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < request_.clips.size(); ++i) {
      for (std::size_t k = 0; k < request_.clips[i].exposures.size(); ++k) poses.push_back({i, k});
    }
    executor_.parallel_for(poses.size(), 1, [&](std::size_t begin, std::size_t end) {
      render::PosedVertices vertices;
      for (std::size_t p = begin; p < end; ++p) {
        const ClipStage& stage = stages_[poses[p].clip];
        const double time_s = request_.clips[poses[p].clip].exposures[poses[p].exposure].time_s;
        stage.pose(model_, time_s, vertices);
        const Affine placed = stage.sprite_from_model(time_s);
        poses[p].lowest = 1e30F;
        for (const Vec3 point : vertices.positions)
          poses[p].lowest = std::min(poses[p].lowest, placed.apply_point(point).y);
        for (std::size_t d = 0; d < directions_.size(); ++d) {
          poses[p].body.add(vertices.positions, view(d, request_.pitch_deg) * placed);
          if (request_.look.shadow) poses[p].shadow.add(vertices.positions, shadow_view(d) * placed);
        }
      }
    });
    Extent all;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      float lowest = 1e30F;
      for (const Pose& pose : poses) {
        if (pose.clip == i) lowest = std::min(lowest, pose.lowest);
      }
      const float raised = std::abs(lowest) < kStands * height_ ? -lowest : 0.0F;
      stages_[i].raise(raised);
      const float raised_view = view_from_sprite(0, request_.pitch_deg).apply_vector({0, raised, 0}).y;
      for (Pose& pose : poses) {
        if (pose.clip != i) continue;
        pose.body.top += raised_view;
        pose.body.bottom += raised_view;
        all.add(pose.body);
        all.add(pose.shadow);
      }
    }
    return all;
  }

  render::SurfaceView surface_view(const Affine& view_from_model, int samples) const {
    const auto s = static_cast<float>(samples);
    return {.view_from_model = view_from_model,
            .samples_per_unit = framing_.pixels_per_unit * s,
            .origin_x = static_cast<float>(framing_.pivot_x) * s,
            .origin_y = static_cast<float>(framing_.pivot_y) * s,
            .width = framing_.width * samples,
            .height = framing_.height * samples};
  }

  void draw_samples(const ClipStage& stage, double time_s, const render::PosedVertices& vertices, std::size_t direction,
                    int samples, Scratch& scratch, bool impact = false) const {
    const Affine view_from_model = view(direction, request_.pitch_deg) * stage.sprite_from_model(time_s);
    render::rasterise(model_, vertices, surface_view(view_from_model, samples), scratch.surfaces);
    shade(scratch.surfaces, impact ? impact_look_ : look_, samples, height_ * kLineDepth, scratch.samples);
  }

  Cel draw_shadow(const ClipStage& stage, double time_s, const render::PosedVertices& vertices, std::size_t direction,
                  Scratch& scratch) const {
    constexpr int kSamples = 2;
    render::SurfaceView flat = surface_view(shadow_view(direction) * stage.sprite_from_model(time_s), kSamples);
    flat.surfaces = false;
    render::rasterise(model_, vertices, flat, scratch.shadow);
    return shadow_cel(scratch.shadow, kSamples, request_.look.has_palette());
  }

  // By the median brightness of the first pose from all directions.
  void choose_exposure() {
    if (look_.exposure > 0) return;
    std::array<int, 256> counts{};
    int total = 0, below = 0, median = 0;
    Scratch scratch;
    render::PosedVertices vertices;
    const double time_s = request_.clips[0].exposures[0].time_s;
    stages_[0].pose(model_, time_s, vertices);
    for (std::size_t d = 0; d < directions_.size(); ++d) {
      const Affine view_from_model = view(d, request_.pitch_deg) * stages_[0].sprite_from_model(time_s);
      render::rasterise(model_, vertices, surface_view(view_from_model, 1), scratch.surfaces);
      for (const render::Surfel& surfel : scratch.surfaces.surfels) {
        if (!surfel.is_drawn()) continue;
        ++counts[static_cast<std::size_t>((2 * surfel.albedo[0] + 5 * surfel.albedo[1] + surfel.albedo[2]) / 8)];
        ++total;
      }
    }
    while (median < 255 && 2 * (below += counts[static_cast<std::size_t>(median)]) < total) ++median;
    look_.exposure = std::clamp(static_cast<float>(kDark) / static_cast<float>(std::max(1, median)), 1.0F, 1.7F);
  }

  // Counts the colours of frames spread evenly over all clips and directions.
  void choose_palette() {
    set_.palette = request_.look.palette;
    const bool outlined = request_.look.style == Style::kPixel && request_.look.outline;
    if (set_.palette.empty()) {
      ColorCounts counts;
      Scratch scratch;
      render::PosedVertices vertices;
      std::size_t total = 0, next = 0;
      for (const Clip& clip : request_.clips) total += clip.exposures.size();
      const std::size_t step = std::max<std::size_t>(1, total * directions_.size() / kPaletteFrames);
      for (std::size_t c = 0; c < stages_.size(); ++c) {
        for (const Exposure& exposure : request_.clips[c].exposures) {
          bool posed = false;
          for (std::size_t d = 0; d < directions_.size(); ++d, ++next) {
            if (next % step != 0) continue;
            if (!posed) stages_[c].pose(model_, exposure.time_s, vertices);
            posed = true;
            draw_samples(stages_[c], exposure.time_s, vertices, d, 1, scratch);
            for (int y = scratch.samples.top; y < scratch.samples.bottom; ++y) {
              for (int x = scratch.samples.left; x < scratch.samples.right; ++x) {
                if (scratch.samples.at(x, y) != 0) counts.add(unpack(scratch.samples.at(x, y)));
              }
            }
          }
        }
      }
      const std::vector<Rgb> own = effect_colors();
      set_.palette = counts.choose(request_.look.num_colors - static_cast<int>(own.size()) - (outlined ? 1 : 0));
      for (const Rgb color : own) {
        if (std::find(set_.palette.begin(), set_.palette.end(), color) == set_.palette.end())
          set_.palette.push_back(color);
      }
      if (outlined) set_.palette.push_back(request_.look.outline_color);
    }
    outline_ = -1;
    if (outlined) {
      // The darkest of a given palette; else the last, which is the outline's own.
      outline_ = static_cast<int>(set_.palette.size()) - 1;
      for (std::size_t i = 0; !request_.look.palette.empty() && i < set_.palette.size(); ++i) {
        if (oklab_from(set_.palette[i]).x < oklab_from(set_.palette[static_cast<std::size_t>(outline_)]).x)
          outline_ = static_cast<int>(i);
      }
    }
    map_ = std::make_unique<PaletteMap>(set_.palette);
  }

  // Effects get entries of the palette where it is large enough.
  std::vector<Rgb> effect_colors() const {
    std::vector<Tone> tones;
    for (const ClipEffects& effects : effects_) {
      for (const Tone tone : effects.tones())
        if (std::find(tones.begin(), tones.end(), tone) == tones.end()) tones.push_back(tone);
    }
    std::vector<Rgb> colors;
    if (!request_.effects || static_cast<int>(tones.size()) * kBodyColors > request_.look.num_colors) return colors;
    for (const Tone tone : tones) colors.push_back(color_of(tone, request_.look));
    return colors;
  }

  // Slash arcs, and what the clip's events cause over them.
  Cel draw_effects(std::size_t index, std::size_t exposure, std::size_t direction) const {
    const Clip& clip = request_.clips[index];
    const bool whole = request_.look.has_palette();
    const SlashView from{view(direction, request_.pitch_deg), framing_, height_, whole};
    // Two tones have no room for arcs.
    const Cel arcs = clip.exposures[exposure].impact
                         ? Cel{}
                         : draw_slashes(stages_[index], clip, blades_, clip.exposures[exposure].time_s, from);
    EffectCanvas canvas(framing_.width, framing_.height);
    effects_[index].draw(exposure, from, canvas);
    if (canvas.empty() && (arcs.empty() || !whole)) return arcs;
    render::Picture picture = untrim(arcs, framing_.width, framing_.height);
    if (whole) {  // White of the arcs, as the palette has it.
      const Rgb white = set_.palette[map_->nearest(color_of(Tone::kWhite, request_.look))];
      for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        const std::uint8_t rgb[3] = {white.r, white.g, white.b};
        if (picture.rgba[i + 3] != 0) std::copy(rgb, rgb + 3, &picture.rgba[i]);
      }
    }
    canvas.paint_over(picture, request_.look, whole ? map_.get() : nullptr, set_.palette);
    return trim(picture);
  }

  // What maps need beside the vertices of a pose.
  struct MapPose {
    std::vector<Affine> joints;
    render::PosedVertices next;
    double next_time_s = 0;
  };
  // The pose after the last one is the first of a loop, else the last itself.
  void pose_for_maps(const ClipStage& stage, const Clip& clip, std::size_t index, MapPose& out) const {
    const std::size_t last = clip.exposures.size() - 1;
    const std::size_t next = index < last ? index + 1 : clip.loop ? 0 : last;
    stage.joints(clip.exposures[index].time_s, out.joints);
    out.next_time_s = clip.exposures[next].time_s;
    if (request_.maps.has(MapKind::kFlow)) stage.pose(model_, out.next_time_s, out.next);
  }

  void draw_clip(std::size_t index) {
    const Clip& clip = request_.clips[index];
    const ClipStage& stage = stages_[index];
    const std::size_t num_poses = clip.exposures.size(), num_directions = directions_.size();
    const std::size_t first = set_.frames.size();
    set_.frames.resize(first + num_poses * num_directions);
    std::vector<Votes> votes(request_.look.has_palette() ? num_poses * num_directions : 0);
    executor_.parallel_for(num_poses, 1, [&](std::size_t begin, std::size_t end) {
      std::unique_ptr<Scratch> scratch = scratches_.take();
      render::PosedVertices vertices;
      for (std::size_t p = begin; p < end; ++p) {
        const double time_s = clip.exposures[p].time_s;
        stage.pose(model_, time_s, vertices);  // Once for all directions.
        MapPose map_pose;
        if (map_maker_) pose_for_maps(stage, clip, p, map_pose);
        for (std::size_t d = 0; d < num_directions; ++d) {
          Frame& frame = set_.frames[first + d * num_poses + p];
          frame.duration_ms = clip.exposures[p].duration_ms;
          const Vec3 travel = view(d, request_.pitch_deg).apply_vector(stage.removed_travel(time_s));
          frame.root_x = travel.x * framing_.pixels_per_unit;
          frame.root_y = -travel.y * framing_.pixels_per_unit;
          draw_samples(stage, time_s, vertices, d, scale(), *scratch, clip.exposures[p].impact);
          if (map_maker_) {
            const Affine from = view(d, request_.pitch_deg);
            frame.maps = map_maker_->draw(
                request_.maps, scratch->surfaces, scale(), height_,
                {&vertices, map_pose.joints, surface_view(from * stage.sprite_from_model(time_s), scale())},
                {&map_pose.next, {}, surface_view(from * stage.sprite_from_model(map_pose.next_time_s), scale())});
            const Vec3 facing = from.apply_vector({0, 0, 1});
            const float flat = std::max(1e-6F, std::sqrt(facing.x * facing.x + facing.z * facing.z));
            frame.maps.facing_cos = facing.z / flat;
            frame.maps.facing_sin = facing.x / flat;
          }
          if (request_.look.has_palette()) {
            votes[d * num_poses + p] =
                count_votes(scratch->samples, scratch->surfaces, *map_, clip.exposures[p].impact ? impact_look_ : look_,
                            height_ * kLineDepth);
          } else {
            frame.body = average(scratch->samples);
          }
          if (request_.effects) frame.effect = draw_effects(index, p, d);
          if (request_.look.shadow) frame.shadow = draw_shadow(stage, time_s, vertices, d, *scratch);
        }
      }
      scratches_.give(std::move(scratch));
    });
    if (request_.look.has_palette()) {
      executor_.parallel_for(num_directions, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t d = begin; d < end; ++d)
          resolve_animation({&votes[d * num_poses], num_poses}, clip.loop,
                            {&set_.frames[first + d * num_poses], num_poses});
      });
    }
    std::vector<FrameEvent> events;
    for (const Event& event : effects_[index].events())
      events.push_back({to_string(event.type), static_cast<int>(exposure_at(clip.exposures, event.time_s))});
    for (std::size_t d = 0; d < num_directions; ++d) {
      set_.animations.push_back({.name = clip.name + "_" + directions_[d].name,
                                 .clip = clip.name,
                                 .direction = directions_[d].name,
                                 .first = static_cast<int>(first + d * num_poses),
                                 .count = static_cast<int>(num_poses),
                                 .loop = clip.loop,
                                 .events = events});
      const std::string other = mirrored_direction(directions_[d].name);
      if (!request_.mirror || request_.num_directions == 1 || other.empty()) continue;
      set_.mirrored.push_back(set_.animations.back());
      set_.mirrored.back().name = clip.name + "_" + other;
      set_.mirrored.back().direction = other;
    }
  }

  // The first frame of a loop follows its last: the loop is drawn twice, and the second round is kept.
  void resolve_animation(std::span<const Votes> votes, bool loop, std::span<Frame> frames) const {
    PixelResolver resolver(set_.palette, outline_);
    for (std::size_t i = 0; loop && i < votes.size(); ++i) resolver.resolve(votes[i]);
    for (std::size_t i = 0; i < votes.size(); ++i) frames[i].body = resolver.resolve(votes[i]);
  }

  const Request& request_;
  Look look_, impact_look_;
  const render::SoftwareModel& model_;
  Executor& executor_;
  std::vector<Direction> directions_;
  CastMember member_;
  std::vector<ClipStage> stages_;
  float height_ = 1;  // Model units.
  Framing framing_;
  FrameSet set_;
  std::unique_ptr<PaletteMap> map_;
  int outline_ = -1;
  ScratchPool scratches_;
  std::vector<Blade> blades_;
  std::vector<ClipEffects> effects_;  // [clips]
  std::optional<MapMaker> map_maker_;
};

Result<void> check(const Request& request) {
  constexpr std::array<int, 5> kDirections{1, 2, 4, 8, 16};
  const auto wrong = [](std::string message) { return Error{ErrorCode::kUsage, std::move(message), {}}; };
  if (request.character == nullptr || request.character->instances.empty() || request.character->meshes.empty()) {
    return Error{ErrorCode::kInvalid, "the character has no mesh to draw: give a file with a body (--character)", {}};
  }
  if (request.clips.empty()) return wrong("there is no clip to draw");
  if (std::find(kDirections.begin(), kDirections.end(), request.num_directions) == kDirections.end())
    return wrong(fmt::format("{} directions: 1, 2, 4, 8 or 16 are possible", request.num_directions));
  if (request.size_px < 8 || request.size_px > 2048)
    return wrong(fmt::format("a canvas of {} pixels: 8 to 2048 are possible", request.size_px));
  if (!(request.pitch_deg >= 0 && request.pitch_deg <= 90))
    return wrong(fmt::format("a pitch of {} degrees: 0 to 90 are possible", request.pitch_deg));
  const std::size_t colors = request.look.palette.empty()
                                 ? static_cast<std::size_t>(std::max(0, request.look.num_colors))
                                 : request.look.palette.size();
  if (request.look.has_palette() && (colors < 2 || colors > 255))
    return wrong(fmt::format("a palette of {} colours: 2 to 255 are possible", colors));
  for (const Clip& clip : request.clips) {
    if (clip.exposures.empty() || clip.motion == nullptr || clip.motion->num_frames < 1)
      return wrong(fmt::format("the clip '{}' has no frames", clip.name));
    if (clip.motion->num_joints() != request.character->skeleton->num_joints())
      return wrong(fmt::format("the clip '{}' is of another skeleton", clip.name));
  }
  return {};
}

}  // namespace

Result<FrameSet> make_frames(const Request& request, Executor& executor, Warnings& warnings) {
  ZOE_TRY(check(request));
  const render::SoftwareModel model = render::SoftwareModel::create(request.character, request.image_folder, warnings);
  if (model.triangles().empty())
    return Error{ErrorCode::kInvalid, "the character's meshes have no triangles to draw", {}};
  return Maker(request, model, executor).run();
}

}  // namespace zoe::sprite
