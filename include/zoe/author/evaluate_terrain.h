// SPDX-License-Identifier: MIT
// Part of Zoetrope. Evaluates a run folder on uneven ground: courses by unseen seeds, and held-out clips on their own
// ground, each with foot IK on and off.
#pragma once

#include <filesystem>

#include "zoe/author/listener.h"
#include "zoe/eval/terrain.h"

namespace zoe::author {

struct TerrainEvaluation {
  std::string subject, type;
  bool sees_ground = false;
  struct Half {
    std::map<std::string, eval::SurfaceMetrics> courses;
    eval::RolloutErrors rollouts;
    int recoveries = 0;
  };
  Half with_ik, without_ik;
};

struct EvaluateTerrain {
  std::filesystem::path held_out;  // Folder of clips, each with its ground (walk.terrain.glb) or fitted. Empty: none.
  eval::TerrainOptions courses;    // `place_feet` is set here.
  eval::RolloutOptions rollouts;   // The same.

  Result<TerrainEvaluation> run(const std::filesystem::path& folder, const Listener& listener = {}) const;
};

// Clips below `folder` on the controller's body and at its rate, lowered onto the plane of their ground. Clips of
// another body are retargeted.
Result<std::vector<eval::ClipOnGround>> clips_on_ground(const std::filesystem::path& folder, const control::Body& body,
                                                        double rate_hz, const Listener& listener = {});

}  // namespace zoe::author
