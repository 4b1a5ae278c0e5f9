// SPDX-License-Identifier: MIT
#include "zoe/paint/clip_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace zoe::paint {
namespace {

namespace fs = std::filesystem;

constexpr int kLargestSize = 256;

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t tab = line.find('\t');
    words.emplace_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return words;
    line.remove_prefix(tab + 1);
  }
}

// Index and coverage of each pixel in turn.
void append(const SoftPicture& picture, std::vector<std::uint8_t>& to) {
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    to.push_back(picture.pixels[i]);
    to.push_back(picture.coverage[i]);
  }
}

}  // namespace

std::size_t training_reference(std::size_t number, std::size_t num_frames) {
  const std::size_t pair = (number - 1) / 2;
  if (num_frames < 4 || pair % 2 == 0) return 0;
  // Half a clip away from the pair, and never within it.
  return 1 + (2 * pair + num_frames / 2) % (num_frames - 1);
}

std::size_t training_partner(std::size_t number, std::size_t num_frames) {
  const std::size_t partner = number % 2 == 1 ? number + 1 : number - 1;
  return partner < num_frames ? partner : number;
}

Result<void> write_clips(const fs::path& folder, int size, std::span<const PaintClip> clips, Metadata metadata) {
  const std::size_t area = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  std::vector<std::uint8_t> pixels, palettes, num_colors, truth, soft, guesses;
  std::vector<float> poses;
  std::vector<std::int32_t> first_frame{0}, answers;
  std::string labels;
  for (const PaintClip& clip : clips) {
    ZOE_CHECK(clip.pixels.size() == clip.poses.size() && clip.palette.size() <= kMaxColors, "write_clips: sizes");
    ZOE_CHECK(clip.truth.empty() || clip.truth.size() == clip.pixels.size(), "write_clips: sizes of the truth");
    for (const auto& frame : clip.pixels) pixels.insert(pixels.end(), frame.begin(), frame.end());
    for (const auto& frame : clip.truth) truth.insert(truth.end(), frame.begin(), frame.end());
    ZOE_CHECK(clip.guesses.size() == clip.soft.size() && (clip.soft.empty() || clip.soft.size() == clip.pixels.size()),
              "write_clips: numbers of guesses");
    for (const SoftPicture& frame : clip.soft) append(frame, soft);
    for (const SoftPicture& frame : clip.guesses) append(frame, guesses);
    for (const Pose& pose : clip.poses) {
      poses.resize(poses.size() + kPoseSize);
      write_pose(pose, std::span(poses).last<kPoseSize>());
    }
    palettes.resize(palettes.size() + 3 * kMaxColors);
    for (std::size_t c = 0; c < clip.palette.size(); ++c)
      std::copy(clip.palette[c].begin(), clip.palette[c].end(),
                palettes.end() - static_cast<std::ptrdiff_t>(3 * (kMaxColors - c)));
    num_colors.push_back(static_cast<std::uint8_t>(clip.palette.size()));
    first_frame.push_back(first_frame.back() + static_cast<std::int32_t>(clip.pixels.size()));
    answers.insert(answers.end(), clip.answers.begin(), clip.answers.end());
    const ClipLabel& l = clip.label;
    labels += fmt::format("{}\t{}\t{}\t{}\t{}", l.identity, l.species, l.action, l.style, l.direction);
    labels += (l.caption.empty() ? "" : "\t" + l.caption) + "\n";
  }
  const auto frames = static_cast<std::size_t>(first_frame.back());
  ZOE_CHECK(pixels.size() == frames * area, "write_clips: every frame has size × size pixels");
  const std::vector<std::uint8_t> text(labels.begin(), labels.end());
  std::vector<NamedArray> arrays{{"pixels", view_of(pixels, {frames, area})},
                                 {"poses", view_of(poses, {frames, kPoseSize})},
                                 {"first_frame", view_of(first_frame)},
                                 {"palettes", view_of(palettes, {clips.size(), kMaxColors, 3})},
                                 {"num_colors", view_of(num_colors)},
                                 {"labels", view_of(text)},
                                 {"answers", view_of(answers, {clips.size(), kNumQuestions})}};
  if (!truth.empty()) arrays.push_back({"truth", view_of(truth, {frames, area, 4})});
  if (!soft.empty()) {
    arrays.push_back({"soft", view_of(soft, {frames, area, 2})});
    arrays.push_back({"guesses", view_of(guesses, {frames, area, 2})});
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = folder.string()}};
  metadata["size"] = std::to_string(size);
  return write_safetensors(folder / kClipFile, arrays, metadata);
}

Result<ClipFile> ClipFile::open(const fs::path& folder) {
  const fs::path path = folder / kClipFile;
  const auto wrong = [&](const std::string& what) { return Error{ErrorCode::kInvalid, what, {.file = path.string()}}; };
  ZOE_TRY_ASSIGN(Safetensors file, Safetensors::open(path));
  ClipFile out;
  out.file_ = std::move(file);
  if (const auto word = out.file_.metadata().find("size"); word != out.file_.metadata().end())
    std::from_chars(word->second.data(), word->second.data() + word->second.size(), out.size_);
  if (out.size_ < 8 || out.size_ > kLargestSize || out.size_ % 8 != 0)
    return wrong("'size' must be a multiple of 8 from 8 to 256 pixels");
  const std::size_t area = static_cast<std::size_t>(out.size_) * static_cast<std::size_t>(out.size_);
  out.num_pixels_ = area;
  ZOE_TRY_ASSIGN(const ArrayView firsts, out.file_.find("first_frame"));
  ZOE_TRY_ASSIGN(out.first_frame_, to_int64(firsts));
  if (out.first_frame_.size() < 2 || out.first_frame_[0] != 0) return wrong("it has no clips");
  const std::size_t clips = out.first_frame_.size() - 1;
  for (std::size_t i = 0; i < clips; ++i) {
    if (out.first_frame_[i + 1] < out.first_frame_[i] + 2 || out.first_frame_[i + 1] > (std::int64_t{1} << 31))
      return wrong(fmt::format("clip {} needs a reference and a frame at least", i));
  }
  const std::size_t frames = out.num_frames();
  const auto bytes = [&](const char* name, std::vector<std::size_t> shape,
                         std::span<const std::uint8_t>& to) -> Result<void> {
    ZOE_TRY_ASSIGN(const ArrayView view, out.file_.find(name));
    const auto values = view.as<std::uint8_t>();
    if (!values || (!shape.empty() && view.shape != shape)) return wrong(fmt::format("'{}' has another shape", name));
    to = *values;
    return {};
  };
  std::span<const std::uint8_t> text;
  bool has_answers = false;
  ZOE_TRY(bytes("pixels", {frames, area}, out.pixels_));
  ZOE_TRY(bytes("palettes", {clips, kMaxColors, 3}, out.palettes_));
  ZOE_TRY(bytes("num_colors", {clips}, out.num_colors_));
  ZOE_TRY(bytes("labels", {}, text));
  for (const NamedArray& array : out.file_.tensors()) {
    if (array.name == "truth") ZOE_TRY(bytes("truth", {frames, area, 4}, out.truth_));
    if (array.name == "guesses") {
      ZOE_TRY(bytes("soft", {frames, area, 2}, out.soft_));
      ZOE_TRY(bytes("guesses", {frames, area, 2}, out.guesses_));
    }
    if (array.name == "answers") has_answers = true;
  }
  ZOE_TRY_ASSIGN(const ArrayView poses, out.file_.find("poses"));
  const auto numbers = poses.as<float>();
  if (!numbers || poses.shape != std::vector<std::size_t>{frames, kPoseSize}) return wrong("'poses' has another shape");
  out.poses_ = *numbers;
  if (!std::all_of(out.poses_.begin(), out.poses_.end(), [](float v) { return std::abs(v) < 1e4F; }))
    return wrong("'poses' has numbers out of range");
  for (std::size_t clip = 0; clip < clips; ++clip) {
    const std::size_t colors = out.num_colors_[clip];
    if (colors < 1 || colors > kMaxColors) return wrong(fmt::format("clip {} has {} colours", clip, colors));
    const auto part =
        out.pixels_.subspan(out.first_frame(clip) * area, (out.first_frame(clip + 1) - out.first_frame(clip)) * area);
    if (*std::max_element(part.begin(), part.end()) > colors)
      return wrong(fmt::format("clip {} has an index beyond its palette", clip));
    for (const std::span<const std::uint8_t> pairs : {out.soft_, out.guesses_}) {
      for (std::size_t i = 2 * out.first_frame(clip) * area; !pairs.empty() && i < 2 * out.first_frame(clip + 1) * area;
           i += 2) {
        if (pairs[i] > colors || pairs[i + 1] > kFullCoverage || (pairs[i] == 0 && pairs[i + 1] != 0))
          return wrong(fmt::format("clip {} has a soft pixel beyond its palette", clip));
      }
    }
  }
  std::string_view lines(reinterpret_cast<const char*>(text.data()), text.size());
  while (!lines.empty() && out.labels_.size() < clips) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::vector<std::string> words = words_of(lines.substr(0, end));
    if (words.size() != 5 && words.size() != 6)
      return wrong(fmt::format("the label of clip {} needs five words, and at most a caption", out.labels_.size()));
    words.resize(6);
    out.labels_.push_back({words[0], words[1], words[2], words[3], words[4], words[5]});
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  if (out.labels_.size() != clips) return wrong("a clip has no label");
  out.answers_.assign(clips, kNoAnswers);
  if (has_answers) ZOE_TRY(out.read_answers(path.string()));
  return out;
}

Result<void> ClipFile::read_answers(const std::string& name) {
  ZOE_TRY_ASSIGN(const ArrayView view, file_.find("answers"));
  ZOE_TRY_ASSIGN(const std::vector<std::int64_t> numbers, to_int64(view));
  if (view.shape != std::vector<std::size_t>{num_clips(), kNumQuestions})
    return Error{ErrorCode::kInvalid, "'answers' has another shape", {.file = name}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t clip = i / kNumQuestions, question = i % kNumQuestions;
    if (numbers[i] < -1 || numbers[i] >= kQuestions[question].num_answers)
      return Error{ErrorCode::kInvalid,
                   fmt::format("clip {} has no such {}: {}", clip, kQuestions[question].name, numbers[i]),
                   {.file = name}};
    answers_[clip][question] = static_cast<std::int32_t>(numbers[i]);
  }
  return {};
}

std::size_t ClipFile::clip_of(std::size_t frame) const {
  const auto after = std::upper_bound(first_frame_.begin(), first_frame_.end(), static_cast<std::int64_t>(frame));
  return static_cast<std::size_t>(after - first_frame_.begin()) - 1;
}

std::vector<Color> ClipFile::palette(std::size_t clip) const {
  std::vector<Color> colors(num_colors_[clip]);
  for (std::size_t c = 0; c < colors.size(); ++c)
    std::copy_n(palettes_.begin() + static_cast<std::ptrdiff_t>(3 * (clip * kMaxColors + c)), 3, colors[c].begin());
  return colors;
}

std::span<const std::uint8_t> ClipFile::pixels(std::size_t frame) const {
  return pixels_.subspan(frame * num_pixels_, num_pixels_);
}

std::span<const float, kPoseSize> ClipFile::pose(std::size_t frame) const {
  return poses_.subspan(frame * kPoseSize).first<kPoseSize>();
}

std::span<const std::uint8_t> ClipFile::soft(std::size_t frame) const {
  return soft_.subspan(frame * num_pixels_ * 2, num_pixels_ * 2);
}

std::span<const std::uint8_t> ClipFile::guess(std::size_t frame) const {
  return guesses_.subspan(frame * num_pixels_ * 2, num_pixels_ * 2);
}

std::span<const std::uint8_t> ClipFile::truth(std::size_t frame) const {
  return truth_.subspan(frame * num_pixels_ * 4, num_pixels_ * 4);
}

}  // namespace zoe::paint
