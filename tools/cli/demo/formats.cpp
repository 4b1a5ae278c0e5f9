// SPDX-License-Identifier: MIT
// `zoe demo formats`: one clip through every written format and back.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "zoe/io/read.h"
#include "zoe/io/write.h"
#include "zoe/motion/compress.h"

#include "demo/figure.h"
#include "demo/parts.h"
#include "temporary_folder.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxErrorMm = 0.1;  // The promised error of a round trip, 1e-4 m.

// Largest distance in millimetres between joints of the same name over all frames.
Result<double> worst_error_mm(const Motion& expected, const Motion& actual) {
  if (actual.num_frames != expected.num_frames) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("{} frames came back instead of {}", actual.num_frames, expected.num_frames)};
  }
  std::vector<Affine> expected_model(static_cast<std::size_t>(expected.num_joints()));
  std::vector<Affine> actual_model(static_cast<std::size_t>(actual.num_joints()));
  double worst_m = 0;
  for (int frame = 0; frame < expected.num_frames; ++frame) {
    compute_model_from_joint(*expected.skeleton, expected.frame(frame), expected_model);
    compute_model_from_joint(*actual.skeleton, actual.frame(frame), actual_model);
    for (int joint = 0; joint < expected.num_joints(); ++joint) {
      const int other = actual.skeleton->find(expected.skeleton->name(joint));
      if (other == kNoJoint)
        return Error{ErrorCode::kInvalid, "a joint is lost", {.joint = expected.skeleton->name(joint)}};
      worst_m = std::max(worst_m, double(distance(expected_model[static_cast<std::size_t>(joint)].t,
                                                  actual_model[static_cast<std::size_t>(other)].t)));
    }
  }
  return worst_m * 1000;
}

Result<double> write_and_read_back(const fs::path& file, const io::Asset& asset) {
  ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(file, asset));
  print_warnings(warnings);
  ZOE_TRY_ASSIGN(const io::Asset again, io::read_asset(file));
  if (again.clips.empty()) return Error{ErrorCode::kInvalid, "the clip is lost", {.file = file.string()}};
  return worst_error_mm(asset.clips[0], again.clips[0]);
}

void print_row(const std::string& what, std::uintmax_t bytes, double error_mm) {
  fmt::print("  {:<14} {:>9} bytes   worst joint error {:.5f} mm\n", what, bytes, error_mm);
}

Result<void> run_in(const fs::path& folder) {
  ZOE_TRY_ASSIGN(const io::Asset asset, make_walking_figure());
  const Motion& walk = asset.clips[0];
  if (!quiet()) {
    fmt::print("A figure of {} joints and {} triangles walks for {:.1f} s: {} frames. Written and read back:\n\n",
               walk.num_joints(), asset.character->meshes[0].indices.size() / 3, walk.duration_s(), walk.num_frames);
  }
  double worst_mm = 0;
  for (const char* name : {"walk.bvh", "walk.glb", "walk.npz"}) {
    const fs::path file = folder / name;
    ZOE_TRY_ASSIGN(const double error_mm, write_and_read_back(file, asset));
    print_row(name, fs::file_size(file), error_mm);
    worst_mm = std::max(worst_mm, error_mm);
  }
  CompressionReport report;
  ZOE_TRY_ASSIGN(const CompressedMotion small, CompressedMotion::compress(walk, {}, &report));
  ZOE_TRY_ASSIGN(const double small_error_mm, worst_error_mm(walk, small.decompress()));
  print_row("compressed", small.bytes().size(), small_error_mm);

  ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(folder / "walk.obj", asset, 0.5));
  print_warnings(warnings);
  fmt::print("  {:<14} {:>9} bytes   the skinned mesh at 0.5 s\n", "walk.obj", fs::file_size(folder / "walk.obj"));
  fmt::print("\nCompression: {:.1f} times smaller than 40 bytes per joint and frame.\n", report.ratio);
  if (worst_mm > kMaxErrorMm) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("a joint moved by {:.4f} mm, more than {} mm", worst_mm, kMaxErrorMm)};
  }
  return {};
}

void print_what_next(const fs::path& folder) {
  const std::string bvh = (folder / "walk.bvh").string();
  fmt::print(
      "\nTry next:\n"
      "  zoe info {0}\n"
      "  zoe convert {0} walk.glb\n"
      "  zoe info YOUR_FILE.fbx\n"
      "  zoe doctor\n",
      bvh);
}

}  // namespace

int demo_formats(const std::string& out) {
  if (!out.empty()) {
    if (const auto done = run_in(out); !done) return print_error(done.error());
    if (!quiet()) print_what_next(out);
    return kDone;
  }
  const auto folder = TemporaryFolder::make();
  if (!folder) return print_error(folder.error());
  if (const auto done = run_in(folder->path()); !done) return print_error(done.error());
  if (!quiet())
    fmt::print("\nTry next: zoe demo formats --out clips (keeps the files), then zoe info clips/walk.bvh\n");
  return kDone;
}

}  // namespace zoe::cli
