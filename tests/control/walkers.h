// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Synthetic walkers for databases of motions: one body, several clips.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zoe/author/database.h"
#include "zoe/features/frame_rows.h"
#include "zoe/synth/clip.h"

namespace zoe::test {

struct Walkers {
  SkeletonPtr skeleton;
  SkeletonAnalysis analysis;
  features::Layout layout;
  std::vector<Motion> clips;
  std::vector<std::vector<float>> rows;  // [clips]

  std::vector<author::DatabaseSource> sources() const {
    std::vector<author::DatabaseSource> out;
    for (std::size_t i = 0; i < clips.size(); ++i) {
      out.push_back({clips[i].name, {rows[i].data(), features::num_rows(layout, clips[i])}});
    }
    return out;
  }
  Result<control::MotionDatabase> try_database() const { return author::build_database(layout, skeleton, sources()); }
  control::MotionDatabase database() const { return std::move(try_database()).value(); }
  // labels: [clips].
  void label(std::span<const std::vector<features::LabelTrack>> labels) {
    for (std::size_t i = 0; i < clips.size(); ++i) {
      rows[i] = features::build_frame_rows(layout, {.motion = &clips[i], .labels = labels[i]}).value();
    }
  }
};

// Clips of 60 fps, "walk_0" and so on: walks, runs and stops along all courses. `extra`: lines for
// the end of the matching schema; `channels`: more of its input, each with a comma after it.
inline Walkers make_walkers(int num_clips, const std::string& extra = {}, const std::string& channels = {},
                            int num_frames = 180, BodyFamily family = BodyFamily::kBiped) {
  using synth::Course;
  using synth::Gait;
  const synth::Body body = synth::make_body(family, Random(5), {.mesh = false});
  std::vector<Motion> clips;
  for (int i = 0; i < num_clips; ++i) {
    const Gait gaits[] = {Gait::kWalk, Gait::kWalk, Gait::kIdle, Gait::kRun};
    const Gait gait = family == BodyFamily::kBiped ? gaits[i % 4] : Gait::kWalk;
    const auto courses = synth::courses_of(family, gait);
    auto clip = synth::make_clip(body,
                                 {.gait = gait,
                                  .course = courses[static_cast<std::size_t>(i) % courses.size()],
                                  .seconds = num_frames / 60.0,
                                  .fps = 60},
                                 Random(9).split(static_cast<std::uint64_t>(i)));
    clips.push_back(std::move(clip).value().motion);
    clips.back().name = "walk_" + std::to_string(i);
  }
  std::string schema = author::match_schema();
  const std::string input = "[input]\nchannels = [";
  schema.insert(schema.find(input) + input.size(), channels);
  schema += extra;
  SkeletonAnalysis analysis = analyse(*body.skeleton, clips);
  features::Layout layout =
      features::Layout::compile(features::Schema::parse(schema).value(), *body.skeleton, analysis).value();
  Walkers walkers{body.skeleton, std::move(analysis), std::move(layout), std::move(clips), {}};
  for (const Motion& clip : walkers.clips)
    walkers.rows.push_back(features::build_frame_rows(walkers.layout, {.motion = &clip}).value());
  return walkers;
}

}  // namespace zoe::test
