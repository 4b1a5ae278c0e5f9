// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/pack.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "zoe/core/random.h"
#include "zoe/paint/caption.h"
#include "zoe/sprite/generate/answers.h"
#include "zoe/sprite/identity/captions.h"
#include "zoe/sprite/make_frames.h"
#include "zoe/sprite/palette.h"

#include "sprite/generate/guess.h"
#include "sprite/generate/paint_clip.h"
#include "sprite/generate/serial_executor.h"

namespace zoe::sprite {
namespace {

constexpr std::size_t kPackBatch = 64;

std::uint32_t number_of(const std::uint8_t* pixel) {
  return std::uint32_t{pixel[0]} << 16 | std::uint32_t{pixel[1]} << 8 | pixel[2];
}
Rgb color_of(std::uint32_t number) {
  return {static_cast<std::uint8_t>(number >> 16), static_cast<std::uint8_t>(number >> 8 & 255),
          static_cast<std::uint8_t>(number & 255)};
}

struct DrawnFrame {
  render::Picture picture;
  paint::Pose pose;
};

std::vector<DrawnFrame> drawn_frames(const FrameSet& set) {
  std::vector<DrawnFrame> out;
  for (const Frame& frame : set.frames)
    out.push_back({untrim(frame.body, set.width, set.height), pose_from(frame.maps, set.width)});
  return out;
}

// As a person would set joints, or an estimate would find them: a little off.
paint::Pose with_noise(paint::Pose pose, float deviation, Random& random) {
  for (paint::PosePoint& p : pose.points) {
    if (p.known < 0.5F) continue;
    p.x += deviation * static_cast<float>(random.normal());
    p.y += deviation * static_cast<float>(random.normal());
  }
  return pose;
}

// Puppets of the frames that the trainer paints from.
void add_guesses(const std::vector<DrawnFrame>& frames, std::span<const Rgb> palette, const PackClip& how,
                 paint::PaintClip& clip) {
  Random random = Random(how.seed).split(177);
  std::map<std::size_t, PosedPuppet> puppets;
  paint::Pose drawn = frames[0].pose;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    clip.soft.push_back(soft_picture(frames[f].picture, palette));
    if (f == 0) {
      clip.guesses.push_back(clip.soft[0]);
      continue;
    }
    const std::size_t from = how.video ? 0 : paint::training_reference(f, frames.size());
    const paint::Pose noisy = with_noise(frames[from].pose, how.joint_noise, random);
    const auto [puppet, is_new] = puppets.try_emplace(from, frames[from].picture, noisy);
    if (is_new) drawn = noisy;
    clip.guesses.push_back(soft_picture(puppet->second.draw(frames[f].pose), palette));
  }
  if (how.painter == nullptr || frames.size() < 2) return;
  std::vector<paint::Pose> poses;
  for (std::size_t f = 1; f < frames.size(); ++f) poses.push_back(frames[f].pose);
  SerialExecutor serial;
  paint_guesses(*how.painter,
                {&clip.soft[0], clip.palette, drawn, poses, how.loop, has_whole_pixels(frames[0].picture.rgba)}, serial,
                std::span(clip.guesses).subspan(1));
}

Result<paint::PaintClip> draw_paint_clip(const PackOptions& options, const ClipPlan& plan) {
  const identity::Identity person = identity::make_identity(plan.traits);
  const std::vector<std::string>& actions =
      options.dataset.actions.empty() ? identity::action_words() : options.dataset.actions;
  const std::string& word = actions[static_cast<std::size_t>(plan.action)];
  const auto motion = std::make_shared<const Motion>(identity::make_action(person, word).value());
  const auto stand = std::make_shared<const Motion>(identity::make_action(person, "idle").value());
  const bool loop = identity::action_loops(word);
  Request request{
      .character = person.character, .body = person.body, .num_directions = 1, .size_px = options.dataset.size_px};
  request.turn_deg = plan.yaw_deg <= 90 ? 90 - plan.yaw_deg : 450 - plan.yaw_deg;  // Below 0 means the default.
  request.pitch_deg = plan.pitch_deg;
  request.look.style = *style_from(plan.style);
  request.look.shadow = false;
  request.num_weapon_instances = person.num_weapon_instances;
  request.clips.push_back({"reference", stand, {{0, 100}}, false});
  request.clips.push_back({word, motion, even_exposures(*motion, 12, options.dataset.num_frames, loop), loop});
  Random random = Random(options.dataset.seed + 77).split(static_cast<std::uint64_t>(plan.id));
  const float other_turn_deg =
      random.uniform() < options.other_views ? 45 * static_cast<float>(1 + random.below(7)) : 0.0F;
  paint::ClipLabel label{std::to_string(plan.traits.seed), to_string(plan.traits.species), word, plan.style,
                         plan.direction};
  if (options.video) label.caption = identity::captions(plan.traits, word, plan.direction, plan.style)[0];
  Result<paint::PaintClip> clip = pack_clip(std::move(request), std::move(label),
                                            {.num_colors = options.num_colors,
                                             .content = options.content,
                                             .other_turn_deg = other_turn_deg,
                                             .joint_noise = random.uniform() < 0.5F ? options.joint_noise : 0,
                                             .seed = options.dataset.seed + static_cast<std::uint64_t>(plan.id),
                                             .video = options.video,
                                             .painter = options.painter,
                                             .loop = loop});
  if (clip) clip->answers = answers_of(plan.traits, word);
  return clip;
}

}  // namespace

std::string painter_words() {
  std::string all;
  for (const auto& [category, phrases] : identity::vocabulary())
    for (const std::string& phrase : phrases)
      for (const std::string& word : paint::split_words(phrase))
        if (word != "a" && word != "the") all += word + " ";
  return paint::Vocabulary(all).to_text();
}

Metadata video_metadata(bool painted) {
  Metadata words{{paint::kVideoKey, "1"}, {paint::kWordsKey, painter_words()}};
  if (painted) words[paint::kGuessKey] = paint::kGuessPainted;
  return words;
}

paint::Pose pose_from(const FrameMaps& maps, int size) {
  paint::Pose pose;
  const auto point = [&](std::size_t k) {
    const Keypoint& p = maps.keypoints[k];
    return paint::PosePoint{p.x / static_cast<float>(size), p.y / static_cast<float>(size), p.depth,
                            p.known ? 1.0F : 0.0F};
  };
  const auto middle = [](const paint::PosePoint& a, const paint::PosePoint& b) {
    return paint::PosePoint{(a.x + b.x) / 2, (a.y + b.y) / 2, (a.depth + b.depth) / 2, std::min(a.known, b.known)};
  };
  // OpenPose: 2 to 4 right arm, 5 to 7 left arm, 8 to 10 right leg, 11 to 13 left leg; ours in the same order.
  for (std::size_t k = 0; k < 12; ++k) pose.points[paint::kRightShoulder + k] = point(2 + k);
  pose.points[paint::kNeck] = point(1);
  pose.points[paint::kHips] = middle(point(8), point(11));
  pose.points[paint::kHead] = middle(point(16), point(17));
  // Depths from the trunk.
  const paint::PosePoint& hips = pose.points[paint::kHips];
  const paint::PosePoint& neck = pose.points[paint::kNeck];
  const float trunk = hips.known > 0.5F ? (hips.depth + neck.depth) / 2 : neck.depth;
  for (paint::PosePoint& p : pose.points) {
    if (p.known < 0.5F)
      p = {};
    else
      p.depth -= trunk;
  }
  pose.facing_cos = maps.facing_cos;
  pose.facing_sin = maps.facing_sin;
  return pose;
}

std::vector<Rgb> colors_of_picture(const render::Picture& picture, int num_colors) {
  std::set<std::uint32_t> distinct;
  ColorCounts counts;
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    const std::uint8_t* p = picture.rgba.data() + i;
    if (p[3] < 128) continue;
    distinct.insert(number_of(p));
    counts.add({p[0], p[1], p[2]});
  }
  if (distinct.size() > static_cast<std::size_t>(num_colors)) return counts.choose(num_colors);
  std::vector<Rgb> palette;
  for (const std::uint32_t color : distinct) palette.push_back(color_of(color));
  return palette;
}

std::vector<std::uint8_t> indices_of(const render::Picture& picture, std::span<const Rgb> palette) {
  paint::SoftPicture soft = soft_picture(picture, palette);
  harden(soft);
  return std::move(soft.pixels);
}

Result<paint::PaintClip> pack_clip(Request request, paint::ClipLabel label, const PackClip& how) {
  request.maps.add(MapKind::kPose);
  SerialExecutor serial;
  Warnings warnings;
  ZOE_TRY_ASSIGN(const FrameSet set, make_frames(request, serial, warnings));
  std::vector<DrawnFrame> frames = drawn_frames(set);
  if (how.other_turn_deg != 0) {
    request.turn_deg += how.other_turn_deg;
    request.pixels_per_metre = set.pixels_per_metre;
    request.clips.resize(1);
    // A body that does not fit from there keeps its own view.
    if (const Result<FrameSet> other = make_frames(request, serial, warnings)) frames[0] = drawn_frames(*other)[0];
  }
  paint::PaintClip clip;
  clip.label = std::move(label);
  const std::vector<Rgb> palette = colors_of_picture(frames[0].picture, how.num_colors);
  if (palette.empty())
    return Error{ErrorCode::kInvalid, fmt::format("the reference of '{}' is empty", clip.label.action), {}};
  for (const Rgb color : palette) clip.palette.push_back({color.r, color.g, color.b});
  for (DrawnFrame& frame : frames) {
    clip.pixels.push_back(indices_of(frame.picture, palette));
    clip.poses.push_back(frame.pose);
  }
  if (how.content == PackContent::kTruth) {
    for (DrawnFrame& frame : frames) clip.truth.push_back(std::move(frame.picture.rgba));
  } else if (how.content == PackContent::kGuesses) {
    add_guesses(frames, palette, how, clip);
  } else if (how.content == PackContent::kEmptyGuesses) {
    for (const DrawnFrame& frame : frames) {
      clip.soft.push_back(soft_picture(frame.picture, palette));
      const std::size_t pixels = clip.soft.back().pixels.size();
      clip.guesses.push_back({std::vector<std::uint8_t>(pixels), std::vector<std::uint8_t>(pixels)});
    }
  }
  return clip;
}

Result<PackReport> pack_clips(const PackOptions& options, Executor& executor) {
  const DatasetOptions& set = options.dataset;
  if (set.size_px % 8 != 0 || set.size_px < 16 || set.size_px > 256)
    return Error{ErrorCode::kUsage, "pictures of painters have a multiple of 8 pixels from 16 to 256", {}};
  PackReport report;
  std::vector<ClipPlan> plans;
  for (int id = set.part - 1; id < num_dataset_clips(set); id += set.num_parts) {
    ClipPlan plan = plan_clip(set, id);
    const auto has = [&](const std::vector<identity::Species>& list) {
      return std::find(list.begin(), list.end(), plan.traits.species) != list.end();
    };
    if ((!options.species.empty() && !has(options.species)) || has(options.no_species)) {
      ++report.num_skipped;
      continue;
    }
    plans.push_back(std::move(plan));
  }
  if (plans.empty()) return Error{ErrorCode::kUsage, "no clip is left with these species", {}};
  std::vector<paint::PaintClip> clips(plans.size());
  for (std::size_t first = 0; first < plans.size(); first += kPackBatch) {
    const std::size_t count = std::min(kPackBatch, plans.size() - first);
    std::vector<std::optional<Error>> errors(count);
    executor.parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Result<paint::PaintClip> clip = draw_paint_clip(options, plans[first + i]);
        if (clip)
          clips[first + i] = std::move(*clip);
        else
          errors[i] = clip.error();
      }
    });
    for (const std::optional<Error>& error : errors)
      if (error) return *error;
    if (set.on_progress && !set.on_progress(static_cast<int>(first + count), static_cast<int>(plans.size())))
      return Error{ErrorCode::kUsage, "interrupted; nothing was written", {}};
  }
  report.num_clips = static_cast<int>(clips.size());
  for (const paint::PaintClip& clip : clips) report.num_frames += static_cast<int>(clip.pixels.size());
  Metadata metadata{{"licence", "CC0-1.0"}};
  if (options.video) metadata.merge(video_metadata(options.painter != nullptr));
  ZOE_TRY(paint::write_clips(set.folder, set.size_px, clips, std::move(metadata)));
  return report;
}

}  // namespace zoe::sprite
