// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "zoe/control/match/clip_layout.h"
#include "zoe/control/match/database.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/core/lines.h"
#include "zoe/math/finite.h"
#include "zoe/store/safetensors.h"

namespace zoe::control {
namespace {

using features::BlockKind;

constexpr const char* kFormat = "zoe motion database";
constexpr const char* kVersion = "1";

Error damaged(std::string what) {
  return {ErrorCode::kInvalid, "not a motion database that can be read: " + std::move(what), {}};
}

}  // namespace

Result<void> MotionDatabase::save(const std::filesystem::path& path, const std::string& licence) const {
  const std::size_t frames = idx(num_frames()), joints = idx(skeleton_->num_joints());
  std::vector<float> roots, rotations, translations, features, numbers;
  std::vector<std::uint8_t> contacts;
  std::vector<std::int64_t> tags;
  std::vector<std::int32_t> lengths;
  std::string names;
  for (const auto& clip : clips_) {
    for (const char letter : clip->name) names += letter == '\n' ? ' ' : letter;
    names += '\n';
    lengths.push_back(clip->num_frames);
    for (const PlanarRoot& root : clip->roots)
      roots.insert(roots.end(), {root.position.x, root.position.y, root.position.z, root.facing_rad});
    for (const Quat& q : clip->rotations) rotations.insert(rotations.end(), {q.x, q.y, q.z, q.w});
    for (const Vec3& v : clip->translations) translations.insert(translations.end(), {v.x, v.y, v.z});
    features.insert(features.end(), clip->features.begin(), clip->features.end());
    contacts.insert(contacts.end(), clip->contacts.begin(), clip->contacts.end());
    for (const std::uint64_t bits : clip->tags) tags.push_back(static_cast<std::int64_t>(bits));
  }
  const std::vector<std::int32_t> skip{options_.skip_last_frames};
  std::vector<NamedArray> arrays{
      {"clip_lengths", view_of(lengths)},
      {"roots", view_of(roots, {frames, 4})},
      {"rotations", view_of(rotations, {frames, joints, 4})},
      {"translations", view_of(translations, {frames, moving_joints_.size(), 3})},
      {"features", view_of(features, {frames, idx(num_dims())})},
      {"contacts", view_of(contacts, {frames, contact_joints_.size()})},
      {"tags", view_of(tags)},
      {"weights", view_of(options_.weights)},
      {"skip_last_frames", view_of(skip)},
      {"normalisation.mean", view_of(normalisation_.means)},
      {"normalisation.spread", view_of(normalisation_.spreads)},
  };
  Metadata metadata{{"format", kFormat},
                    {"version", kVersion},
                    {"layout", layout_->to_toml()},
                    {"clip_names", names},
                    {"licence", licence}};
  metadata[kChecksumKey] = content_checksum(arrays, metadata);
  return write_safetensors(path, arrays, metadata);
}

// Parses a file. Every size and number is checked before use.
class DatabaseReader {
 public:
  DatabaseReader(const Safetensors& file, SkeletonPtr skeleton) : file_(file), skeleton_(std::move(skeleton)) {}

  Result<MotionDatabase> read() {
    if (text("format") != kFormat) return damaged("its format is another one");
    if (text("version") != kVersion)
      return damaged("its version is '" + std::string(text("version")) + "', this program reads " + kVersion +
                     "; build the database again");
    if (!matches_its_checksum(file_))
      return damaged("its content does not match its checksum; take another copy or build it again");
    ZOE_TRY_ASSIGN(features::Layout layout, features::Layout::from_toml(text("layout"), *skeleton_));
    ZOE_TRY_ASSIGN(const std::vector<std::int32_t> skip, integers("skip_last_frames", 1));
    DatabaseOptions options{.skip_last_frames = skip[0]};
    ZOE_TRY_ASSIGN(const ArrayView weights, file_.find("weights"));
    ZOE_TRY_ASSIGN(options.weights, to_doubles(weights));
    ZOE_TRY_ASSIGN(const ClipLayout joints, ClipLayout::create(layout, skeleton_));
    const std::size_t dims = idx(layout.width(BlockKind::kInput));
    ZOE_TRY_ASSIGN(auto clips, read_clips(joints, dims));
    features::BlockNormalisation normalisation;
    ZOE_TRY_ASSIGN(normalisation.means, numbers("normalisation.mean", dims));
    ZOE_TRY_ASSIGN(normalisation.spreads, numbers("normalisation.spread", dims));
    for (const float spread : normalisation.spreads)
      if (!(spread > 0)) return damaged("a spread is not above zero");
    return MotionDatabase::assemble(std::make_shared<const features::Layout>(std::move(layout)), skeleton_, options,
                                    std::move(clips), std::move(normalisation));
  }

 private:
  std::string_view text(const char* key) const {
    const auto found = file_.metadata().find(key);
    return found == file_.metadata().end() ? std::string_view() : std::string_view(found->second);
  }

  Result<std::vector<float>> numbers(const char* name, std::size_t count) const {
    ZOE_TRY_ASSIGN(const ArrayView view, file_.find(name));
    if (view.dtype != DType::kF32 || view.num_items() != count)
      return damaged("'" + std::string(name) + "' has another size or type");
    ZOE_TRY_ASSIGN(std::vector<float> values, to_floats(view));
    if (!all_finite(values)) return damaged("'" + std::string(name) + "' is not finite");
    return values;
  }

  Result<std::vector<std::int32_t>> integers(const char* name, std::size_t count) const {
    ZOE_TRY_ASSIGN(const ArrayView view, file_.find(name));
    if (view.num_items() != count) return damaged("'" + std::string(name) + "' has another size");
    return to_int32(view);
  }

  Result<std::vector<std::shared_ptr<const DatabaseClip>>> read_clips(const ClipLayout& clip_joints,
                                                                      std::size_t dims) const {
    std::vector<std::shared_ptr<const DatabaseClip>> clips;
    const std::vector<std::string> names = lines_of(text("clip_names"));
    ZOE_TRY_ASSIGN(const std::vector<std::int32_t> lengths, integers("clip_lengths", names.size()));
    std::size_t frames = 0;
    for (const std::int32_t length : lengths) {
      if (length < 1) return damaged("a clip has no frames");
      frames += idx(length);
    }
    const std::size_t joints = idx(skeleton_->num_joints()), moving = clip_joints.moving_joints.size(),
                      num_contacts = clip_joints.contact_joints.size();
    ZOE_TRY_ASSIGN(const std::vector<float> roots, numbers("roots", frames * 4));
    ZOE_TRY_ASSIGN(const std::vector<float> rotations, numbers("rotations", frames * joints * 4));
    ZOE_TRY_ASSIGN(const std::vector<float> places, numbers("translations", frames * moving * 3));
    ZOE_TRY_ASSIGN(const std::vector<float> features, numbers("features", frames * dims));
    ZOE_TRY_ASSIGN(const std::vector<std::int32_t> contacts, integers("contacts", frames * num_contacts));
    ZOE_TRY_ASSIGN(const ArrayView tag_view, file_.find("tags"));
    if (tag_view.num_items() != frames) return damaged("'tags' has another size");
    ZOE_TRY_ASSIGN(const std::vector<std::int64_t> tags, to_int64(tag_view));
    std::size_t begin = 0;
    for (std::size_t c = 0; c < names.size(); ++c) {
      DatabaseClip clip{.name = names[c], .num_frames = lengths[c]};
      for (std::size_t f = begin; f < begin + idx(lengths[c]); ++f) {
        clip.roots.push_back({{roots[4 * f], roots[4 * f + 1], roots[4 * f + 2]}, roots[4 * f + 3]});
        for (std::size_t j = f * joints; j < (f + 1) * joints; ++j)
          clip.rotations.push_back(
              {rotations[4 * j], rotations[4 * j + 1], rotations[4 * j + 2], rotations[4 * j + 3]});
        for (std::size_t i = f * moving; i < (f + 1) * moving; ++i)
          clip.translations.push_back({places[3 * i], places[3 * i + 1], places[3 * i + 2]});
        for (std::size_t i = f * num_contacts; i < (f + 1) * num_contacts; ++i)
          clip.contacts.push_back(contacts[i] != 0 ? 1 : 0);
        clip.features.insert(clip.features.end(), features.begin() + static_cast<std::ptrdiff_t>(f * dims),
                             features.begin() + static_cast<std::ptrdiff_t>((f + 1) * dims));
        clip.tags.push_back(static_cast<std::uint64_t>(tags[f]));
      }
      if (!all_unit(clip.rotations, 1e-3F)) return damaged("a rotation is not one");
      begin += idx(lengths[c]);
      clips.push_back(std::make_shared<const DatabaseClip>(std::move(clip)));
    }
    return clips;
  }

  const Safetensors& file_;
  SkeletonPtr skeleton_;
};

Result<MotionDatabase> MotionDatabase::read(const Safetensors& file, SkeletonPtr skeleton) {
  ZOE_CHECK(skeleton != nullptr, "a database needs its skeleton");
  Result<MotionDatabase> database = DatabaseReader(file, std::move(skeleton)).read();
  if (database) return database;
  Error error = std::move(database).error();
  error.where.file = file.file_name();
  return error;
}

Result<MotionDatabase> MotionDatabase::from_bytes(std::span<const std::byte> bytes, SkeletonPtr skeleton,
                                                  const std::string& name) {
  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::from_bytes(bytes, name));
  return read(file, std::move(skeleton));
}

Result<MotionDatabase> MotionDatabase::load(const std::filesystem::path& path, SkeletonPtr skeleton) {
  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::open(path));
  return read(file, std::move(skeleton));
}

}  // namespace zoe::control
