// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A synthetic body that walks, its rows for a type of controller, and networks that know
// nothing.
#pragma once

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/author/make_body.h"
#include "zoe/author/types.h"
#include "zoe/control/phase_signals.h"
#include "zoe/features/frame_rows.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/synth/clip.h"
#include "zoe/synth/draw.h"

namespace zoe::control::test {

struct Walker {
  Motion motion;
  features::Layout layout;
  std::vector<float> rows;
  features::ClipRows clip;
};

// Twice the rows' rate: velocities over a frame of the clip are not those over a row.
constexpr int kFramesARow = 2;
inline Motion walking(synth::Course course, double seconds) {
  const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(3));
  return synth::make_clip(body, {.course = course, .seconds = seconds, .fps = 30.0 * kFramesARow}, Random(1))
      .value()
      .motion;
}

// For layouts with phases: amplitude times (sin, cos), and amplitude with frequency, of a rhythm that every channel
// keeps for itself. Channel 1 falls silent half way.
struct Rhythms {
  std::vector<float> phase, rhythm;
};
inline Rhythms rhythms_of(const Motion& motion, int num_channels) {
  Rhythms out;
  for (int f = 0; f < motion.num_frames; ++f) {
    for (int c = 0; c < num_channels; ++c) {
      const float hz = 0.7F + 0.3F * static_cast<float>(c), t = static_cast<float>(f / motion.fps);
      const float amplitude =
          c == 1 && 2 * f > motion.num_frames ? 0.0F : 1.0F + 0.5F * std::sin(t + static_cast<float>(c));
      const float angle = 2 * std::numbers::pi_v<float> * hz * t;
      out.phase.insert(out.phase.end(), {amplitude * std::sin(angle), amplitude * std::cos(angle)});
      out.rhythm.insert(out.rhythm.end(), {amplitude, hz});
    }
  }
  return out;
}

inline Walker make_walker(const author::Type& type, synth::Course course = synth::Course::kWeave, double seconds = 6,
                          const author::Labels& labels = {}) {
  Motion motion = walking(course, seconds);
  // Each label holds for a third of a second in its turn, softly.
  std::vector<std::vector<float>> values;
  std::vector<features::LabelTrack> tracks;
  for (const auto* list : {&labels.styles, &labels.actions}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      std::vector<float>& track = values.emplace_back();
      for (int f = 0; f < motion.num_frames; ++f) {
        const double turns = f / motion.fps - static_cast<double>(values.size()) * 0.31;
        track.push_back(0.5F + 0.5F * static_cast<float>(std::sin(6.28 * turns)));
      }
    }
  }
  std::size_t next = 0;
  for (const auto* list : {&labels.styles, &labels.actions}) {
    for (const std::string& name : *list) tracks.push_back({name, 1, values[next++]});
  }
  const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
  features::Layout layout =
      features::Layout::compile(author::schema_of(type, labels).value(), *motion.skeleton, analysis).value();
  const Rhythms rhythms = rhythms_of(motion, 5);
  const features::SignalTrack signals[] = {{kPhaseSignal, rhythms.phase}, {kRhythmSignal, rhythms.rhythm}};
  std::vector<float> rows =
      features::build_frame_rows(layout, {.motion = &motion, .labels = tracks, .signals = signals}).value();
  Walker walker{std::move(motion), std::move(layout), std::move(rows), {}};
  walker.clip = {walker.rows.data(), features::num_rows(walker.layout, walker.motion)};
  return walker;
}

inline Walker make_walker(const char* type, synth::Course course = synth::Course::kWeave, double seconds = 6) {
  return make_walker(*author::find_type(type).value(), course, seconds);
}

// y = its mean over the clip plus `strength` times a random mix of x: stands, and wobbles.
inline nn::Graph random_graph(const Walker& walker, float strength, bool with_phase = false) {
  using features::BlockKind;
  const int in = walker.layout.width(BlockKind::kInput), steps = walker.layout.steps(BlockKind::kOutput);
  const int out = steps * walker.layout.width(BlockKind::kOutput);
  std::vector<float> mean(static_cast<std::size_t>(out)), one(mean.size());
  const int samples = walker.clip.num_rows - 1;
  for (int f = 0; f < samples; ++f) {
    const features::Sample sample{0, f, 0};
    features::GatherJob{.layout = &walker.layout, .clips = {&walker.clip, 1}, .samples = {&sample, 1}, .output = one}
        .run();
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / static_cast<float>(samples);
  }
  Random random(5);
  std::vector<float> weights(static_cast<std::size_t>(in * out));
  for (float& w : weights) w = strength * static_cast<float>(random.normal()) / static_cast<float>(in);
  nn::GraphBuilder b;
  const int x = b.input("x", in);
  if (with_phase) b.input("phase", 1);
  const int y = b.linear(x, "all", {static_cast<std::size_t>(out), static_cast<std::size_t>(in)}, weights, mean);
  b.output("y", steps > 1 ? b.reshape(y, steps, out / steps) : y);
  nn::Graph graph = std::move(b).build().value();
  graph.metadata["layout"] = walker.layout.to_toml();
  return graph;
}
inline nn::NetworkPtr random_network(const Walker& walker, float strength, bool with_phase = false) {
  return nn::Network::compile(random_graph(walker, strength, with_phase)).value();
}

inline Body walker_body(const Walker& walker) {
  return author::make_body(walker.layout, walker.motion.skeleton, {&walker.clip, 1}).value();
}

// As the type of this name makes one of a network: frame by frame, or by sequences.
inline Result<ControllerPtr> make_of(NeuralParts parts) {
  return parts.type == "cxm" ? make_cxm_controller(std::move(parts)) : make_neural_controller(std::move(parts));
}

}  // namespace zoe::control::test
