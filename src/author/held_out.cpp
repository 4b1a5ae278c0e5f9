// SPDX-License-Identifier: MIT
#include "zoe/author/held_out.h"

#include "zoe/author/one_body.h"
#include "zoe/author/types.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/read_clip_files.h"
#include "zoe/motion/frame_span.h"

#include "author/body_asset.h"
#include "author/network/schemas.h"

namespace zoe::author {
namespace fs = std::filesystem;

io::Asset body_asset(const control::Body& body) {
  io::Asset asset;
  auto character = std::make_shared<Character>();
  character->skeleton = body.skeleton;
  asset.character = std::move(character);
  asset.source.format = "body";
  Motion stand = make_motion(body.skeleton, "stand", 30, 2, false);
  for (int f = 0; f < stand.num_frames; ++f) copy_pose(body.start.view(), frame_span(stand, f));
  asset.clips.push_back(std::move(stand));
  return asset;
}

bool knows_all_clips(std::string_view type) {
  const auto found = find_type(std::string(type));
  return found && (*found)->knows_all_clips;
}

Result<dataset::DatasetPtr> build_held_out(const fs::path& clips, const control::Body& body, const fs::path& folder,
                                           const Listener& listener) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(std::vector<dataset::ClipFile> files, dataset::read_clip_files({&clips, 1}, {}, warnings));
  if (files.empty()) return Error{ErrorCode::kUsage, "no motion files here", {.file = clips.string()}};
  ZOE_TRY_ASSIGN(const OneBody one, put_on_body(std::move(files), body_asset(body), "the controller's body"));
  listener.warn(warnings);
  listener.warn(one.warnings);
  dataset::BuildOptions options;
  options.files = one.files;
  options.output = folder / "dataset";
  ZOE_TRY_ASSIGN(options.schema, features::Schema::parse(kMannSchema));
  ZOE_TRY_ASSIGN(const dataset::BuildReport report, dataset::build(options));
  listener.warn(report.warnings);
  return dataset::Dataset::open(options.output);
}

}  // namespace zoe::author
