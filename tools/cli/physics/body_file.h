// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A file as a simulated body and its clip.
#pragma once

#include "zoe/physics/body_model.h"

#include "clip.h"
#include "verb.h"

namespace zoe::cli {

struct BodyFile {
  LoadedClip clip;  // Without calibration frames.
  SkeletonAnalysis analysis;
  physics::BodyPlan plan;

  physics::BodySource source() const {
    return {*clip.motion.skeleton, analysis, clip.asset->clips, clip.asset->character.get()};
  }
};

Result<BodyFile> load_body_file(const std::string& file, const ClipOptions& options, Warnings& warnings);

int run_physics_build(const Arguments& arguments);
int run_physics_check(const Arguments& arguments);
int run_physics_track(const Arguments& arguments);

}  // namespace zoe::cli
