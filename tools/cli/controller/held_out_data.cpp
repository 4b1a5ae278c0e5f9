// SPDX-License-Identifier: MIT
#include "controller/held_out_data.h"

#include <algorithm>

#include "zoe/dataset/build.h"

#include "controller/one_body.h"
#include "film.h"
#include "verb.h"

namespace zoe::cli {

namespace fs = std::filesystem;

Result<dataset::DatasetPtr> build_held_out(const std::string& clips, const control::Body& body,
                                           const fs::path& folder) {
  // The body as a file: retargeting takes it from there.
  Motion stand = make_motion(body.skeleton, "stand", 30, 2, false);
  const auto joints = static_cast<std::ptrdiff_t>(body.skeleton->num_joints());
  for (const std::ptrdiff_t at : {std::ptrdiff_t{0}, joints}) {
    std::copy(body.start.translations.begin(), body.start.translations.end(), stand.translations.begin() + at);
    std::copy(body.start.rotations.begin(), body.start.rotations.end(), stand.rotations.begin() + at);
  }
  ZOE_TRY(write_motion(stand, folder / "body.glb"));
  ZOE_TRY_ASSIGN(const OneBody one, put_on_one_body({clips}, (folder / "body.glb").string(), folder / "clips"));
  print_warnings(one.warnings);
  dataset::BuildOptions options;
  options.inputs = {folder / "clips"};
  options.output = folder / "dataset";
  ZOE_TRY_ASSIGN(const control::Kind* kind, control::find_kind("mann"));
  ZOE_TRY_ASSIGN(options.schema, features::Schema::parse(kind->schema));
  ZOE_TRY_ASSIGN(const dataset::BuildReport report, dataset::build(options));
  print_warnings(report.warnings);
  return dataset::Dataset::open(folder / "dataset");
}

}  // namespace zoe::cli
