// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A file's body and all its clips in metres, for models of any skeleton.
#pragma once

#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/author/planned_instead.h"
#include "zoe/io/asset.h"
#include "zoe/scene/displayed_body.h"

namespace zoe::cli {

struct MetricBody {
  std::string file;
  SkeletonPtr skeleton;            // In metres. At rest it stands, also where the file's rest pose is no pose.
  SkeletonAnalysis analysis;       // Of it.
  std::vector<Motion> clips;       // In metres; perhaps none.
  scene::DisplayedBody displayed;  // The file's own character.
};

// overrides: of the body's analysis; may be empty. file: the asset's name, for errors and textures.
Result<MetricBody> metric_body(io::Asset asset, const std::string& file, const std::string& overrides = {});
Result<MetricBody> load_metric_body(const std::string& file, const std::string& overrides = {});

// For plans of its motions. The body outlives them.
author::GeneratedBody planned_body(const MetricBody& body, const std::string& overrides = {});

// A motion of `skeleton` on the file's own character, in its unit: as displayed_motion() and files take it.
Motion in_file_unit(const Motion& motion, const MetricBody& body);

// All motion files of files and folders. Files that cannot be read become warnings.
Result<std::vector<MetricBody>> load_metric_bodies(const std::vector<std::string>& inputs, Warnings& warnings);

}  // namespace zoe::cli
