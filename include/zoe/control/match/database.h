// SPDX-License-Identifier: MIT
// Part of Zoetrope. The motions of motion matching: poses, roots and contacts frame by frame, and the features of each
// frame for the search.
//
//   auto database = MotionDatabase::load("database.safetensors", skeleton);  // Made by author::build_database().
//   const Match match = database->index().find({.features = query});
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoe/control/match/search_index.h"
#include "zoe/features/gather_job.h"
#include "zoe/features/normalisation.h"
#include "zoe/motion/motion.h"

namespace zoe {
class Safetensors;
}

namespace zoe::control {

// One clip. Immutable, shared by the databases that contain it.
struct DatabaseClip {
  std::string name;
  int num_frames = 0;
  std::vector<PlanarRoot> roots;  // [frames] In the clip's own space.
  // [frames × joints] Parent-relative. Joints without a decoded parent: in the root's space.
  std::vector<Quat> rotations;
  std::vector<Vec3> translations;      // [frames × moving_joints()]
  std::vector<std::uint8_t> contacts;  // [frames × contact_joints()], 0 or 1.
  std::vector<float> features;         // [frames × dims], not normalised.
  std::vector<std::uint64_t> tags;     // [frames] Bits in the order of tag_names().
};

struct DatabaseOptions {
  // Weight of a deviation, one per channel of the layout's input. Empty: 0.75 for the first of five (positions of feet)
  // and 1.5 for the last (directions), as published; else ones.
  std::vector<double> weights;
  int skip_last_frames = 20;  // Of each clip. No motion follows them.
};

// With the published weights where there are none. Fails where they do not fit the input of the layout.
Result<DatabaseOptions> complete_options(DatabaseOptions options, const features::Layout& layout);

// Immutable. Clips follow each other in one sequence of frames.
class MotionDatabase {
 public:
  static constexpr int kMaxTags = 64;

  // From clips that were decoded from rows of the layout, as in author::build_database(). Empty weights become the
  // published ones. Fails where options, clips or normalisation do not fit the layout, and where no frame is left to
  // match.
  static Result<MotionDatabase> assemble(std::shared_ptr<const features::Layout> layout, SkeletonPtr skeleton,
                                         const DatabaseOptions& options,
                                         std::vector<std::shared_ptr<const DatabaseClip>> clips,
                                         features::BlockNormalisation normalisation);

  const features::Layout& layout() const { return *layout_; }
  const std::shared_ptr<const features::Layout>& shared_layout() const { return layout_; }
  const SkeletonPtr& skeleton() const { return skeleton_; }
  double fps() const { return layout_->fps(); }
  const DatabaseOptions& options() const { return options_; }
  const features::BlockNormalisation& normalisation() const { return normalisation_; }
  int num_dims() const { return index_.num_dims(); }
  int num_frames() const { return static_cast<int>(clip_of_.size()); }
  std::span<const std::shared_ptr<const DatabaseClip>> clips() const { return clips_; }
  std::span<const int> moving_joints() const { return moving_joints_; }
  std::span<const int> contact_joints() const { return contact_joints_; }
  // Styles, then actions of the schema.
  std::span<const std::string> tag_names() const { return tag_names_; }
  const SearchIndex& index() const { return index_; }
  std::size_t bytes() const;

  // For a frame of the whole sequence.
  int clip_of(int frame) const { return clip_of_[static_cast<std::size_t>(frame)]; }
  int begin_of(int clip) const { return begins_[static_cast<std::size_t>(clip)]; }
  int end_of(int clip) const { return begins_[static_cast<std::size_t>(clip) + 1]; }
  const PlanarRoot& root(int frame) const;
  // Normalised, [dims].
  void features(int frame, std::span<float> out) const noexcept;
  std::span<const std::uint8_t> contacts(int frame) const;
  std::uint64_t tags(int frame) const;
  // In the root's space. Other translations and scales are not changed. Never allocates.
  void pose(int frame, Pose& out) const noexcept;

  // A safetensors file; see docs/control.md. Reading checks everything and refuses damaged files.
  Result<void> save(const std::filesystem::path& path, const std::string& licence) const;
  static Result<MotionDatabase> load(const std::filesystem::path& path, SkeletonPtr skeleton);
  static Result<MotionDatabase> read(const Safetensors& file, SkeletonPtr skeleton);
  static Result<MotionDatabase> from_bytes(std::span<const std::byte> bytes, SkeletonPtr skeleton,
                                           const std::string& name = {});

 private:
  MotionDatabase() = default;
  Result<void> finish();  // Computes everything that follows from the clips and the normalisation.

  std::shared_ptr<const features::Layout> layout_;
  SkeletonPtr skeleton_;
  DatabaseOptions options_;
  std::vector<int> moving_joints_;  // Joints whose translation is not that of the rest pose.
  std::vector<int> contact_joints_;
  std::vector<std::string> tag_names_;
  std::vector<std::shared_ptr<const DatabaseClip>> clips_;
  features::BlockNormalisation normalisation_;
  std::vector<int> begins_;            // [clips + 1] First frame of each.
  std::vector<std::int32_t> clip_of_;  // [frames]
  SearchIndex index_;
};
using MotionDatabasePtr = std::shared_ptr<const MotionDatabase>;

}  // namespace zoe::control
