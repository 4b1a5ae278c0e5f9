// SPDX-License-Identifier: MIT
#include "zoe/io/convert.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "zoe/core/output_file.h"
#include "zoe/core/suggest.h"
#include "zoe/core/trace.h"
#include "zoe/io/write.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/remap.h"
#include "zoe/motion/sample.h"

#include "io/convert_internal.h"

namespace zoe::io {
namespace {

Result<void> choose_clip(Asset& asset, const std::string& wanted) {
  ZOE_TRY_ASSIGN(const std::size_t index, find_clip(asset.clips, wanted));
  Motion chosen = std::move(asset.clips[index]);
  asset.clips.clear();
  asset.clips.push_back(std::move(chosen));
  return {};
}

void change_space(Asset& asset, double scale, char up) {
  const SpaceChange change{.turn = up == 'z' ? SpaceChange::Turn::kYUpToZUp : SpaceChange::Turn::kNone, .scale = scale};
  auto character = std::make_shared<Character>(convert_space(*asset.character, change));
  for (Motion& clip : asset.clips) clip = convert_space(clip, change, character->skeleton);
  asset.character = std::move(character);
}

}  // namespace

void to_metres(Asset& asset, const std::filesystem::path& file) {
  if (asset.source.unit_known) return;
  asset.source.unit_known = true;
  if (asset.source.metres_per_unit == 1.0) return;
  change_space(asset, asset.source.metres_per_unit, 'y');
  asset.warnings.push_back({fmt::format("the file states no unit; lengths are multiplied by {:g}, estimated from the "
                                        "skeleton's size, to give metres (--scale sets another factor)",
                                        asset.source.metres_per_unit),
                            {.file = file.string()}});
}

bool states_metres(Format format) {
  return format == Format::kGlb || format == Format::kGltf || format == Format::kFbx || format == Format::kUsda ||
         format == Format::kUsdz;
}

namespace {

// Puts the clips on another file's rig.
Result<void> change_character(Asset& asset, const std::filesystem::path& input, const ConvertOptions& options) {
  ZOE_TRY_ASSIGN(Asset rig, read_asset(options.character, options.read));
  if (rig.source.unit_known && !options.scale) to_metres(asset, input);
  for (Motion& clip : asset.clips) {
    RemapReport report;
    clip = remap_by_name(clip, rig.character->skeleton, &report);
    if (report.num_matched == 0) {
      return Error{
          ErrorCode::kInvalid,
          fmt::format("no joint of clip \"{}\" has a joint of that name in the character; retarget it", clip.name),
          {.file = options.character.string()}};
    }
    if (!report.unmatched_source.empty()) {
      asset.warnings.push_back({fmt::format("clip \"{}\": {} joints have no namesake in the character and are skipped",
                                            clip.name, report.unmatched_source.size()),
                                {.file = options.character.string()}});
    }
  }
  asset.character = rig.character;
  asset.source.unit_known = rig.source.unit_known;
  asset.source.metres_per_unit = rig.source.metres_per_unit;
  return {};
}

// One frame: the pose at a time on the clip's own clock.
Motion freeze(const Motion& clip, double time_s) {
  Motion frame = make_motion(clip.skeleton, clip.name, clip.fps, 1, !clip.scales.empty());
  frame.start_time_s = time_s;
  frame.num_morph_weights = clip.num_morph_weights;
  frame.morph_weights.resize(static_cast<std::size_t>(clip.num_morph_weights));
  const SampleJob job{.motion = &clip,
                      .time_s = time_s,
                      .interpolation = Interpolation::kSlerp,
                      .translations = frame.translations,
                      .rotations = frame.rotations,
                      .scales = frame.scales,
                      .morph_weights = frame.morph_weights};
  ZOE_CHECK(job.run(), "a read clip can be sampled");
  return frame;
}

ConvertReport report_of(const Asset& asset) {
  ConvertReport report;
  report.warnings = asset.warnings;
  report.num_clips = static_cast<int>(asset.clips.size());
  for (const Motion& clip : asset.clips) report.num_frames += clip.num_frames;
  return report;
}

Result<void> write_and_note(const std::filesystem::path& input, const std::filesystem::path& output, const Asset& asset,
                            const ConvertOptions& options, ConvertReport& report) {
  for (const std::filesystem::path& source : {input, options.character}) {
    if (!same_file(source, output)) continue;
    return Error{ErrorCode::kUsage,
                 fmt::format("is the same file as the input {}, which is never overwritten; name another output",
                             source.string()),
                 {.file = output.string()}};
  }
  const double start_s = asset.clips.empty() ? 0.0 : asset.clips[0].start_time_s;
  ZOE_TRY_ASSIGN(const Warnings warnings, write_asset(output, asset, options.time_s.value_or(start_s)));
  report.written.push_back(output);
  report.warnings.insert(report.warnings.end(), warnings.begin(), warnings.end());
  return {};
}

std::optional<std::size_t> look_for_clip(const std::vector<Motion>& clips, const std::string& wanted) {
  const auto find_if = [&](auto accept, bool unique) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < clips.size(); ++i) {
      if (!accept(clips[i].name)) continue;
      if (!unique) return std::optional(i);
      if (found) return std::optional<std::size_t>();
      found = i;
    }
    return found;
  };
  if (const auto i = find_if([&](const std::string& name) { return name == wanted; }, false)) return i;
  if (const auto i = find_if([&](const std::string& name) { return name.ends_with("|" + wanted); }, false)) return i;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (error == std::errc() && end == wanted.data() + wanted.size()) {
    return index < clips.size() ? std::optional(index) : std::nullopt;
  }
  return find_if([&](const std::string& name) { return name.find(wanted) != std::string::npos; }, true);
}

}  // namespace

Result<std::size_t> find_clip(const std::vector<Motion>& clips, const std::string& wanted) {
  if (const std::optional<std::size_t> index = look_for_clip(clips, wanted)) return *index;
  if (clips.empty()) return Error{ErrorCode::kUsage, fmt::format("no clip \"{}\": the file has no clips", wanted), {}};
  std::vector<std::string> names, words;
  for (const Motion& clip : clips) {
    names.push_back(clip.name);
    words.push_back(clip.name.substr(clip.name.rfind('|') + 1));  // "Armature|Walk" is found by "Walk".
  }
  const std::optional<std::string> nearest = suggest(wanted, names);
  const std::string hint = nearest ? did_you_mean(wanted, names) : did_you_mean(wanted, words);
  const auto shown = static_cast<long>(std::min<std::size_t>(names.size(), 20));
  return Error{ErrorCode::kUsage,
               fmt::format("no clip \"{}\"{}; there are {}: {}{}", wanted, hint, names.size(),
                           fmt::join(names.begin(), names.begin() + shown, ", "),
                           static_cast<std::size_t>(shown) < names.size() ? ", …" : ""),
               {}};
}

Result<Asset> load_converted(const std::filesystem::path& input, const ConvertOptions& options) {
  const double scale = options.scale.value_or(1.0);
  if (!(scale > 0.0) || (options.up != 'y' && options.up != 'z') || !(options.fps >= 0.0)) {
    return Error{ErrorCode::kUsage, "scale must be above 0, up y or z, and fps not negative", {}};
  }
  ReadOptions read = options.read;
  read.fps = options.fps;
  ZOE_TRY_ASSIGN(Asset asset, read_asset(input, read));
  if (!options.clip.empty()) {
    if (Result<void> chosen = choose_clip(asset, options.clip); !chosen) {
      Error error = chosen.error();
      error.where.file = input.string();
      return error;
    }
  }
  if (options.fps > 0) {
    for (Motion& clip : asset.clips) {
      if (clip.fps == options.fps || clip.num_frames == 0) continue;
      ZOE_TRY_ASSIGN(clip, resample(clip, options.fps));
    }
  }
  if (options.edit) {
    if (Result<void> edited = options.edit(asset); !edited) {
      Error error = edited.error();
      if (error.where.file.empty()) error.where.file = input.string();
      return error;
    }
  }
  if (!options.character.empty()) ZOE_TRY(change_character(asset, input, options));
  if (scale != 1.0 || options.up != 'y') change_space(asset, scale, options.up);
  if (options.time_s) {
    for (Motion& clip : asset.clips) {
      if (clip.num_frames > 0) clip = freeze(clip, *options.time_s);
    }
  }
  return asset;
}

Result<ConvertReport> convert_file(const std::filesystem::path& input, const std::filesystem::path& output,
                                   const ConvertOptions& options) {
  ZOE_TRACE_SCOPE("io.convert_file");
  const std::optional<Format> format = format_of_extension(output);
  if (!format) {
    return Error{ErrorCode::kUsage,
                 "the extension names no format that we write (.glb .gltf .fbx .usda .usdz .bvh .npz .obj)",
                 {.file = output.string()}};
  }
  ZOE_TRY_ASSIGN(Asset asset, load_converted(input, options));
  if (states_metres(*format) && !options.scale) to_metres(asset, input);
  if (holds_one_clip(*format) && asset.clips.size() > 1) {
    asset.warnings.push_back({fmt::format("{} clips, but {} holds one: wrote \"{}\"; select another with --clip",
                                          asset.clips.size(), output.extension().string(), asset.clips[0].name),
                              {.file = input.string()}});
    asset.clips.resize(1);
  }
  ConvertReport report = report_of(asset);
  ZOE_TRY(write_and_note(input, output, asset, options, report));
  return report;
}

Result<ConvertReport> convert_file_all_clips(const std::filesystem::path& input, const std::filesystem::path& output,
                                             const ConvertOptions& options) {
  const std::optional<Format> format = format_of_extension(output);
  ZOE_TRY_ASSIGN(Asset asset, load_converted(input, options));
  if (states_metres(*format) && !options.scale) to_metres(asset, input);
  ConvertReport report = report_of(asset);
  if (!holds_one_clip(*format) || asset.clips.size() <= 1) {
    ZOE_TRY(write_and_note(input, output, asset, options, report));
    return report;
  }
  for (Motion& clip : asset.clips) {
    std::string name = clip.name;
    for (char& c : name) {
      if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 32) c = '_';
    }
    const std::filesystem::path one =
        output.parent_path() / fmt::format("{}_{}{}", output.stem().string(), name, output.extension().string());
    Asset single{asset.character, {}, asset.source, {}};
    single.clips.push_back(std::move(clip));
    ZOE_TRY(write_and_note(input, one, single, options, report));
  }
  return report;
}

}  // namespace zoe::io
