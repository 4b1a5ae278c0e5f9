// SPDX-License-Identifier: MIT
// Training data of the networks of learned motion matching, from a database of motion matching.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/control/match/database.h"
#include "zoe/dataset/dataset.h"
#include "zoe/nn/network.h"

namespace zoe::author {

// Numbers of all frames of a database, frame by frame.
struct Frames {
  int width = 0;
  std::vector<float> values;

  int count() const { return static_cast<int>(values.size()) / width; }
  std::span<const float> of(int frame) const {
    return std::span(values).subspan(static_cast<std::size_t>(frame) * static_cast<std::size_t>(width),
                                     static_cast<std::size_t>(width));
  }
};

// The layout's output for every row of the group.
Result<Frames> gather_poses(const dataset::Group& group);
// Normalised features of every frame.
Frames features_of(const control::MotionDatabase& database);

// For each joint, the index of the decoded joint above it, plus one. 0: its own numbers give its position. As in the
// Decoder: the hips and joints above them have positions, the others follow from their bones. "model.chain=0,1,2,…"
Result<std::string> chain_setting(const features::Layout& layout, const SkeletonPtr& skeleton);

// Features and codes of all frames: x, then z. encoder: maps two frames of y to a code.
Result<Frames> find_states(const nn::Network& encoder, const control::MotionDatabase& database, const Frames& x,
                           const Frames& y);

// Queries around frames, and the state of the nearest frame to each. Half are as published: a frame's features with
// noise of any strength. The others resemble the queries of a running character: the pose of one frame with the path of
// another, and less noise. With style vectors at the end of x, a query has the vector of its frame, of another one, or
// one between two; the nearest frame is one of the nearer style, and its state gets the query's vector.
struct Queries {
  Frames x, states;
};
Queries make_queries(const control::MotionDatabase& database, const Frames& x, const Frames& states);

// Settings such as "stepper:train.steps=9" apply to that network only.
Result<void> check_parts(const std::vector<std::string>& settings);
std::vector<std::string> settings_for(const std::vector<std::string>& all, const std::string& network);

}  // namespace zoe::author
