// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/npz.h"
#include "zoe/io/npz_file.h"

#include "io/frame_rate.h"
#include "io/npz/locals.h"

namespace zoe::io {
namespace {

// Frame times that a BVH file rounded to six decimals appear as 30.0003 or 59.99988 frames per second.
constexpr double kFrameTimeTolerance = 2e-5;
constexpr double kDefaultFps = 30.0;

// Floats of an array, without a copy where the archive's bytes allow it.
class FloatArray {
 public:
  static Result<FloatArray> read(const Npz& archive, std::string_view key) {
    FloatArray result;
    ZOE_TRY_ASSIGN(result.array_, archive.read(key));
    if (const auto direct = result.array_.view().as<float>()) {
      result.values_ = *direct;
    } else {
      ZOE_TRY_ASSIGN(result.copy_, to_floats(result.array_.view()));
      result.values_ = result.copy_;
    }
    return result;
  }

  const std::vector<std::size_t>& shape() const { return array_.view().shape; }
  std::span<const float> values() const { return values_; }

 private:
  Array array_;
  std::vector<float> copy_;
  std::span<const float> values_;
};

class Reader {
 public:
  Reader(const Npz& archive, std::string_view file, const MotionNpzReadOptions& options)
      : archive_(archive), file_(file), options_(options) {}

  Result<Asset> read() {
    ZOE_TRY_ASSIGN(const FloatArray positions, FloatArray::read(archive_, "positions"));
    const std::vector<std::size_t>& shape = positions.shape();
    if (shape.size() != 3 || shape[2] != 3) return error("positions must have the shape [frames, joints, 3]");
    const std::size_t num_frames = shape[0], num_joints = shape[1];
    ZOE_TRY(check_size(num_frames, num_joints));
    ZOE_TRY_ASSIGN(const FloatArray quaternions, FloatArray::read(archive_, "quaternions"));
    if (quaternions.shape() != std::vector<std::size_t>{num_frames, num_joints, 4}) {
      return error("quaternions must have the shape [frames, joints, 4]");
    }
    FloatArray scales;
    if (archive_.contains("scales")) {
      ZOE_TRY_ASSIGN(scales, FloatArray::read(archive_, "scales"));
      if (scales.shape() != shape) return error("scales must have the shape of positions");
    }
    npz::GlobalMotion globals{.num_frames = num_frames,
                              .positions = positions.values(),
                              .quaternions = quaternions.values(),
                              .scales = scales.values()};
    ZOE_TRY_ASSIGN(globals.names, read_names(num_joints));
    ZOE_TRY_ASSIGN(globals.parents, read_parents(globals.names));
    ZOE_TRY_ASSIGN(Motion motion, npz::make_local_motion(globals, options_.metres_per_unit));
    motion.name = read_name();
    ZOE_TRY_ASSIGN(motion.fps, read_fps());
    return make_asset(std::move(motion));
  }

 private:
  Error error(std::string message) const {
    return {ErrorCode::kInvalid, std::move(message), {.file = std::string(file_)}};
  }

  Result<void> check_size(std::size_t num_frames, std::size_t num_joints) const {
    if (num_joints == 0 || num_frames == 0) return error("positions are empty");
    if (num_joints > options_.limits.max_joints || num_frames > std::size_t{std::numeric_limits<int>::max()}) {
      return Error{ErrorCode::kLimit,
                   fmt::format("{} frames of {} joints are more than is allowed", num_frames, num_joints),
                   {.file = std::string(file_)}};
    }
    return {};
  }

  Result<std::vector<std::string>> read_names(std::size_t num_joints) const {
    ZOE_TRY_ASSIGN(const Array array, archive_.read("bone_names"));
    if (const std::size_t count = array.view().num_items(); count != num_joints) {
      return error(fmt::format("{} bone_names for {} joints", count, num_joints));
    }
    return to_strings(array.view(), num_joints);
  }

  Result<std::vector<int>> read_parents(const std::vector<std::string>& names) {
    if (!archive_.contains("parent_indices")) return read_parent_names(names);
    ZOE_TRY_ASSIGN(const Array array, archive_.read("parent_indices"));
    ZOE_TRY_ASSIGN(const std::vector<std::int32_t> indices, to_int32(array.view()));
    if (indices.size() != names.size()) {
      return error(fmt::format("{} parent_indices for {} joints", indices.size(), names.size()));
    }
    std::vector<int> parents;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < kNoJoint || indices[i] >= static_cast<std::int64_t>(names.size())) {
        Error failure = error(fmt::format("parent index {} is out of range", indices[i]));
        failure.where.joint = names[i];
        return failure;
      }
      parents.push_back(indices[i]);
    }
    return parents;
  }

  // Only texts. AI4AnimationPy's own object array is a pickle, which is refused.
  Result<std::vector<int>> read_parent_names(const std::vector<std::string>& names) {
    ZOE_TRY_ASSIGN(const Array array, archive_.read("parent_names"));
    ZOE_TRY_ASSIGN(const std::vector<std::string> parent_names, to_strings(array.view(), names.size()));
    if (parent_names.size() != names.size()) return error("parent_names must name a parent for each joint");
    std::unordered_map<std::string_view, int> index;
    for (std::size_t i = 0; i < names.size(); ++i) index.try_emplace(names[i], static_cast<int>(i));
    std::vector<int> parents;
    for (const std::string& name : parent_names) {
      const auto found = index.find(name);
      parents.push_back(found == index.end() || name.empty() ? kNoJoint : found->second);
    }
    return parents;
  }

  std::string read_name() const {
    if (archive_.contains("name")) {
      if (const auto array = archive_.read("name")) {
        if (const auto texts = to_strings(array->view(), 1); texts && texts->size() == 1 && !(*texts)[0].empty())
          return (*texts)[0];
      }
    }
    return std::filesystem::path(file_).stem().string();
  }

  Result<double> read_fps() {
    if (!archive_.contains("framerate")) {
      warnings_.push_back(
          {fmt::format("no framerate; took {} frames per second", kDefaultFps), {.file = std::string(file_)}});
      return kDefaultFps;
    }
    ZOE_TRY_ASSIGN(const Array array, archive_.read("framerate"));
    ZOE_TRY_ASSIGN(const std::vector<double> values, to_doubles(array.view()));
    if (values.size() != 1 || !(values[0] > 1e-6) || !(values[0] < 1e6))
      return error("framerate must be one number above 0");
    return usual_fps(1.0 / values[0], kFrameTimeTolerance / values[0]);
  }

  Asset make_asset(Motion motion) {
    Asset asset;
    auto character = std::make_shared<Character>();
    character->name = motion.name;
    character->skeleton = motion.skeleton;
    asset.character = std::move(character);
    asset.clips.push_back(std::move(motion));
    asset.source = {.format = "npz", .metres_per_unit = options_.metres_per_unit};
    asset.warnings = std::move(warnings_);
    return asset;
  }

  const Npz& archive_;
  std::string_view file_;
  const MotionNpzReadOptions& options_;
  Warnings warnings_;
};

}  // namespace

Result<Asset> read_motion_npz(std::span<const std::byte> bytes, std::string_view name,
                              const MotionNpzReadOptions& options) {
  if (!(options.metres_per_unit > 0) || !(options.metres_per_unit < 1e6)) {
    return Error{ErrorCode::kUsage, fmt::format("{} metres per unit; must be above 0", options.metres_per_unit), {}};
  }
  ZOE_TRY_ASSIGN(const Npz archive,
                 Npz::from_bytes(bytes, {.max_decoded_bytes = options.limits.max_decoded_bytes}, std::string(name)));
  Result<Asset> asset = Reader(archive, name, options).read();
  if (asset) return asset;
  Error error = std::move(asset).error();
  error.where.file = name;
  return error;
}

Result<Asset> read_motion_npz(const std::filesystem::path& path, const MotionNpzReadOptions& options) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  return read_motion_npz(file.bytes(), path.string(), options);
}

}  // namespace zoe::io
