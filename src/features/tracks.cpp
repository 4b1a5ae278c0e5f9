// SPDX-License-Identifier: MIT
#include "zoe/features/tracks.h"

#include <charconv>

namespace zoe::features {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxSteps = 4096, kMaxWidth = 1 << 16;
constexpr const char* kLengths = "track_lengths";
constexpr const char* kSteps = "steps";

}  // namespace

Result<void> write_tracks(const fs::path& folder, std::span<const TrackField> fields,
                          std::span<const std::int32_t> track_lengths, int steps, Metadata metadata) {
  std::size_t frames = 0;
  for (const std::int32_t length : track_lengths) frames += static_cast<std::size_t>(length);
  const std::vector<std::int32_t> lengths(track_lengths.begin(), track_lengths.end());
  std::vector<std::vector<float>> values;
  values.reserve(fields.size());
  std::vector<NamedArray> arrays{{kLengths, view_of(lengths)}};
  for (const TrackField& field : fields) {
    const auto width = static_cast<std::size_t>(field.width);
    ZOE_CHECK(field.width > 0 && field.values.size() == frames * width, "write_tracks: a field has another size");
    values.emplace_back(field.values.begin(), field.values.end());
    arrays.push_back({field.name, view_of(values.back(), {frames, width})});
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = folder.string()}};
  metadata[kSteps] = std::to_string(steps);
  return write_safetensors(folder / kTrackFile, arrays, metadata);
}

Result<TrackFile> read_tracks(const fs::path& folder) {
  const fs::path path = folder / kTrackFile;
  const auto wrong = [&](const std::string& what) {
    return Error{ErrorCode::kInvalid, std::string(kTrackFile) + ": " + what, {.file = path.string()}};
  };
  ZOE_TRY_ASSIGN(Safetensors file, Safetensors::open(path));
  TrackFile out{std::move(file), 0, {}, {}};
  if (const auto word = out.file.metadata().find(kSteps); word != out.file.metadata().end())
    std::from_chars(word->second.data(), word->second.data() + word->second.size(), out.steps);
  if (out.steps < 1 || out.steps > kMaxSteps) return wrong("'steps' must be 1 to 4096");
  const auto lengths = out.file.find(kLengths);
  if (!lengths) return wrong(lengths.error().message);
  ZOE_TRY_ASSIGN(out.track_lengths, to_int64(*lengths));
  std::size_t frames = 0;
  for (const std::int64_t length : out.track_lengths) {
    if (length < 0 || length > (std::int64_t{1} << 40)) return wrong("a track's length is absurd");
    frames += static_cast<std::size_t>(length);
  }
  for (const NamedArray& array : out.file.tensors()) {
    if (array.name == kLengths) continue;
    const auto values = array.view.as<float>();
    const std::vector<std::size_t>& shape = array.view.shape;
    if (!values || shape.size() != 2 || shape[0] != frames || shape[1] < 1 || shape[1] > std::size_t{kMaxWidth})
      return wrong("'" + array.name + "' is not float32 of [frames of all tracks, width]");
    out.fields.push_back({array.name, static_cast<int>(shape[1]), *values});
  }
  if (out.fields.empty()) return wrong("it has no fields");
  return out;
}

}  // namespace zoe::features
