// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/bvh.h"

#include "io/bvh/decode.h"
#include "io/bvh/frame_time.h"
#include "io/bvh/hierarchy.h"
#include "io/bvh/number.h"
#include "io/bvh/rows.h"
#include "io/bvh/up_axis.h"

namespace zoe::io {
namespace bvh {
namespace {

constexpr double kDefaultFps = 30.0;

// Ratio of a clip's bytes and the file's; see BvhReadOptions::expansion_allowance.
constexpr std::size_t kMaxExpansion = 16;

// The lines between MOTION and the rows.
struct MotionHeader {
  std::int64_t stated_frames = -1;
  double fps = kDefaultFps;
};

// The value after a key: "key: 5", "key:5", "key 5", "key : 5". `attached` is the text after the key's letters.
std::string_view value_of_key(Cursor& cursor, std::string_view attached) {
  if (attached.starts_with(':')) attached.remove_prefix(1);
  if (!attached.empty()) return attached;
  std::string_view word = cursor.next_word_on_line();
  if (word == ":") return cursor.next_word_on_line();
  if (word.starts_with(':')) word.remove_prefix(1);
  return word;
}

bool has_key(std::string_view word, std::string_view key) {
  return word.size() >= key.size() && equals_word(word.substr(0, key.size()), key);
}

MotionHeader parse_motion_header(Cursor& cursor, WarningLog& log) {
  MotionHeader header;
  bool has_time = false;
  for (;;) {
    const std::size_t before = cursor.position();
    std::string_view word = cursor.next_word();
    if (has_key(word, "frames")) {
      const std::string_view value = value_of_key(cursor, word.substr(6));
      double count = -1;
      if (parse_number(value, count) == NumberKind::kNumber && count >= 0 && count < 1e15) {
        header.stated_frames = static_cast<std::int64_t>(count);
      } else {
        log.add(fmt::format("'{}' is no frame count; counted the rows", value.substr(0, 40)), cursor.where());
      }
    } else if (has_key(word, "frame")) {
      word.remove_prefix(5);
      if (word.empty()) word = cursor.next_word_on_line();
      const std::string_view value = value_of_key(cursor, has_key(word, "time") ? word.substr(4) : word);
      const double fps = fps_of_frame_time(value);
      if (fps > 0) {
        header.fps = fps;
      } else {
        log.add(fmt::format("'{}' is no frame time; took {} frames per second", value.substr(0, 40), kDefaultFps),
                cursor.where());
      }
      has_time = true;
    } else {
      cursor.set_position(before);
      break;
    }
  }
  if (!has_time) log.add(fmt::format("no frame time; took {} frames per second", kDefaultFps), cursor.where());
  return header;
}

// A quarter turn: maps z up onto y up, and -y forward onto +z.
const Quat kYUpFromZUp{-std::sqrt(0.5F), 0, 0, std::sqrt(0.5F)};

constexpr Vec3 y_up_from_z_up(Vec3 v) { return {v.x, v.z, -v.y}; }

void turn_roots(std::span<const int> roots, std::span<Vec3> translations, std::span<Quat> rotations) {
  for (const int root : roots) {
    const auto i = static_cast<std::size_t>(root);
    translations[i] = y_up_from_z_up(translations[i]);
    rotations[i] = kYUpFromZUp * rotations[i];
  }
}

// An estimate for people, from the size of the rest pose: 1 for metres, 0.01 for centimetres and so on.
double guess_metres_per_unit(const Skeleton& skeleton) {
  Vec3 low{}, high{};
  bool first = true;
  for (const Affine& joint : skeleton.rest_model()) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = first ? joint.t[axis] : std::min(low[axis], joint.t[axis]);
      high[axis] = first ? joint.t[axis] : std::max(high[axis], joint.t[axis]);
    }
    first = false;
  }
  const Vec3 size = high - low;
  const float span = std::max({size.x, size.y, size.z});
  if (span < 4) return 1.0;
  if (span < 45) return 0.0564444;  // Acclaim units of the CMU library at its usual 0.45 scale: inches / 0.45.
  return span < 450 ? 0.01 : 0.001;
}

// Appends rows to the motion, within the memory limit of the file.
class MotionBuilder {
 public:
  MotionBuilder(Motion& motion, std::size_t budget_bytes) : motion_(motion), budget_bytes_(budget_bytes) {}

  // Reserves memory for about `num_frames` in total, within the limit.
  void reserve(std::size_t num_frames, const Decoder& pose) {
    const std::size_t joints = pose.rotations().size();
    const std::size_t frames = std::min(num_frames, budget_bytes_ / bytes_per_frame(pose));
    motion_.translations.reserve(frames * joints);
    motion_.rotations.reserve(frames * joints);
    if (!pose.scales().empty()) motion_.scales.reserve(frames * joints);
  }
  bool has_room() const { return motion_.rotations.size() + joints_of_motion() <= motion_.rotations.capacity(); }

  Result<void> append(const Decoder& pose, std::span<const int> roots_to_turn) {
    const auto frames = static_cast<std::size_t>(motion_.num_frames) + 1;
    if (frames > budget_bytes_ / bytes_per_frame(pose) || frames > std::size_t{std::numeric_limits<int>::max()}) {
      return Error{ErrorCode::kLimit,
                   fmt::format("frames × joints need more than {} bytes; raise the limits, or remove "
                               "joints without channels",
                               budget_bytes_),
                   {}};
    }
    const std::size_t first = motion_.rotations.size();
    motion_.translations.insert(motion_.translations.end(), pose.translations().begin(), pose.translations().end());
    motion_.rotations.insert(motion_.rotations.end(), pose.rotations().begin(), pose.rotations().end());
    motion_.scales.insert(motion_.scales.end(), pose.scales().begin(), pose.scales().end());
    turn_roots(roots_to_turn, std::span(motion_.translations).subspan(first),
               std::span(motion_.rotations).subspan(first));
    ++motion_.num_frames;
    return {};
  }

  void finish() {
    // Only worth a copy when the estimate was far off.
    if (motion_.rotations.capacity() > motion_.rotations.size() / 2 * 3) {
      motion_.translations.shrink_to_fit();
      motion_.rotations.shrink_to_fit();
      motion_.scales.shrink_to_fit();
    }
  }

 private:
  std::size_t joints_of_motion() const { return static_cast<std::size_t>(motion_.num_joints()); }
  static std::size_t bytes_per_frame(const Decoder& pose) {
    return pose.translations().size_bytes() + pose.rotations().size_bytes() + pose.scales().size_bytes();
  }

  Motion& motion_;
  std::size_t budget_bytes_;
};

struct Input {
  std::string_view text, name;
  const BvhReadOptions& options;
};

Result<Motion> read_motion(const Input& input, Cursor& cursor, const Hierarchy& hierarchy, SkeletonPtr skeleton,
                           std::span<const int> roots_to_turn, WarningLog& log) {
  const MotionHeader header = parse_motion_header(cursor, log);
  Motion motion;
  motion.name = std::filesystem::path(input.name).stem().string();
  motion.fps = header.fps;
  motion.skeleton = std::move(skeleton);
  if (header.stated_frames < 0) log.add("no frame count; counted the rows", cursor.where());
  if (hierarchy.channels.empty()) {
    if (header.stated_frames > 0)
      log.add("no joint has channels: nothing moves, and frames are not read", cursor.where());
    return motion;
  }

  Decoder decoder(hierarchy, input.options.metres_per_unit);
  std::vector<double> values = decoder.rest_values(hierarchy);
  RowReader rows(cursor, header.stated_frames, log);
  const std::size_t expansion = input.text.size() > SIZE_MAX / (2 * kMaxExpansion)
                                    ? SIZE_MAX
                                    : input.text.size() * kMaxExpansion + input.options.expansion_allowance;
  MotionBuilder builder(motion, std::min(expansion, input.options.limits.max_decoded_bytes));
  const std::size_t start_bytes = rows.remaining_bytes();
  for (;;) {
    ZOE_TRY_ASSIGN(const bool more, rows.next(values));
    if (!more) break;
    decoder.decode(values);
    if (!builder.has_room()) {
      // The stated count where the remaining bytes can hold it. Else the number that they hold at the mean length of
      // the rows so far.
      const auto done = static_cast<std::size_t>(rows.num_rows());
      const std::size_t row_bytes = std::max<std::size_t>((start_bytes - rows.remaining_bytes()) / done, 1);
      const std::size_t fitting = done + rows.remaining_bytes() / row_bytes + 1;
      const auto stated = static_cast<std::size_t>(std::max<std::int64_t>(header.stated_frames, 0));
      builder.reserve(stated >= done && stated <= fitting * 2 ? stated : fitting, decoder);
    }
    if (Result<void> appended = builder.append(decoder, roots_to_turn); !appended) {
      Error error = std::move(appended).error();
      error.where.file = input.name;
      return error;
    }
  }
  rows.finish();
  builder.finish();
  return motion;
}

Result<Asset> read(const Input& input) {
  Cursor cursor(input.text, input.name);
  if (input.text.starts_with("\xef\xbb\xbf")) cursor.set_position(3);  // UTF-8 byte order mark.
  if (input.text.starts_with("\xff\xfe") || input.text.starts_with("\xfe\xff")) {
    return Error{ErrorCode::kUnsupported, "UTF-16 text; save the file as UTF-8 or ASCII", cursor.where()};
  }
  Asset asset;
  WarningLog log(asset.warnings);
  ZOE_TRY_ASSIGN(Hierarchy hierarchy, parse_hierarchy(cursor, input.options.limits, log));

  const bool z_up = input.options.up == 'z';
  std::vector<int> roots_to_turn;
  std::vector<JointDesc> joints = hierarchy.joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Transform& rest = joints[i].rest_local;
    rest.translation = to_float(to_double(rest.translation) * input.options.metres_per_unit);
    if (!z_up || joints[i].parent != kNoJoint) continue;
    roots_to_turn.push_back(static_cast<int>(i));
    rest.translation = y_up_from_z_up(rest.translation);
    rest.rotation = kYUpFromZUp;
  }
  Result<SkeletonPtr> skeleton = Skeleton::create(std::move(joints));
  if (!skeleton) {
    Error error = std::move(skeleton).error();
    error.where.file = input.name;
    return error;
  }

  if (hierarchy.has_motion) {
    ZOE_TRY_ASSIGN(Motion motion, read_motion(input, cursor, hierarchy, *skeleton, roots_to_turn, log));
    if (motion.num_frames > 0) asset.clips.push_back(std::move(motion));
  } else {
    log.add("no MOTION part: the file holds a rest pose only", cursor.where());
  }

  const bool unit_given = input.options.metres_per_unit != 1.0;
  asset.source = {.format = "bvh",
                  .metres_per_unit = unit_given ? input.options.metres_per_unit : guess_metres_per_unit(**skeleton),
                  .unit_known = unit_given,
                  .up_axis = input.options.up,
                  .up_known = false};
  // The data are Y up by now. A body that stands along z was read with the wrong axis.
  if (likely_up_axis(**skeleton, asset.clips.empty() ? nullptr : &asset.clips[0]) == 'z') {
    const char other = input.options.up == 'y' ? 'z' : 'y';
    log.add(fmt::format("the body stands along another axis than {0}; read it with {1} up (--bvh-up {1})",
                        input.options.up, other),
            cursor.file_only());
  }
  auto character = std::make_shared<Character>();
  character->name = std::filesystem::path(input.name).stem().string();
  character->skeleton = *skeleton;
  asset.character = std::move(character);
  return asset;
}

}  // namespace
}  // namespace bvh

Result<Asset> read_bvh(std::span<const std::byte> bytes, std::string_view name, const BvhReadOptions& options) {
  if (options.up != 'y' && options.up != 'z') {
    return Error{ErrorCode::kUsage, fmt::format("up axis '{}'; BVH files are read with y or z", options.up), {}};
  }
  if (!(options.metres_per_unit > 0) || !std::isfinite(options.metres_per_unit)) {
    return Error{ErrorCode::kUsage, fmt::format("{} metres per unit; must be above 0", options.metres_per_unit), {}};
  }
  return bvh::read({as_text(bytes), name, options});
}

Result<Asset> read_bvh(const std::filesystem::path& path, const BvhReadOptions& options) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  return read_bvh(file.bytes(), path.string(), options);
}

}  // namespace zoe::io
