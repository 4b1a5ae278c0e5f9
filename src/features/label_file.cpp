// SPDX-License-Identifier: MIT
#include "zoe/features/label_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "zoe/anatomy/segments.h"
#include "zoe/core/suggest.h"

namespace zoe::features {
namespace {

constexpr std::size_t kMaxSpans = 10'000;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The type of which two labels cannot hold at the same time. Empty where they can.
std::string_view conflict(const LabelWords& words, const std::string& a, const std::string& b) {
  if (a == b) return "the same label";
  if (has(words.actions, a) && has(words.actions, b)) return "both actions";
  if (has(words.styles, a) && has(words.styles, b)) return "both styles";
  return {};
}

class Parser {
 public:
  Parser(const std::string& file, const LabelWords& words, double duration_s, double frame_s)
      : file_(file), words_(words), duration_s_(duration_s), frame_s_(frame_s) {
    for (const auto* list : {&words.styles, &words.actions, &words.others})
      known_.insert(known_.end(), list->begin(), list->end());
  }

  Result<std::vector<LabelSpan>> run(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // A byte order mark.
    bool is_first = true;
    for (line_ = 1; !text.empty(); ++line_) {
      const std::size_t end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (line.empty() || line.front() == '#') continue;
      const bool is_heading = is_first && (std::isalpha(static_cast<unsigned char>(line[0])) != 0) &&
                              !number(trimmed(line.substr(0, line.find(','))));
      is_first = false;
      if (is_heading) continue;
      if (spans_.size() >= kMaxSpans) return wrong(fmt::format("more than {} labels", kMaxSpans));
      ZOE_TRY(read(line));
    }
    return std::move(spans_);
  }

 private:
  Error wrong(std::string message) const {
    return {ErrorCode::kInvalid, std::move(message), {.file = file_, .line = line_}};
  }

  Result<void> read(std::string_view line) {
    const std::size_t first = line.find(','), second = first == line.npos ? line.npos : line.find(',', first + 1);
    if (second == line.npos) return wrong(fmt::format("'{}' is not start_s,end_s,label", line.substr(0, 60)));
    const auto start = number(trimmed(line.substr(0, first))),
               end = number(trimmed(line.substr(first + 1, second - first - 1)));
    std::string_view label = trimmed(line.substr(second + 1));
    if (label.size() >= 2 && label.front() == '"' && label.back() == '"') label = label.substr(1, label.size() - 2);
    if (!start || !end)
      return wrong(fmt::format("'{}' is no time in seconds",
                               trimmed(!start ? line.substr(0, first) : line.substr(first + 1, second - first - 1))));
    LabelSpan span{*start, *end, std::string(label), line_};
    ZOE_TRY(check(span));
    // A clip lasts to its last frame. A label that lasts to the end includes that frame.
    if (span.end_s > duration_s_ - 0.5 * frame_s_) span.end_s = duration_s_ + frame_s_;
    spans_.push_back(std::move(span));
    return {};
  }

  Result<void> check(const LabelSpan& span) const {
    if (span.label.empty()) return wrong("a label is missing after the second comma");
    if (span.label.find(',') != std::string::npos)
      return wrong(fmt::format("'{}' has a comma: one label a line", span.label));
    if (!known_.empty() && !has(known_, span.label))
      return wrong(
          fmt::format("unknown label '{}'{}; name it in the schema's [labels] (`zoe dataset "
                      "build` also takes --labels)",
                      span.label, did_you_mean(span.label, known_)));
    if (!(span.start_s < span.end_s))
      return wrong(
          fmt::format("'{}' ends at {:g} s, not after its start at {:g} s", span.label, span.end_s, span.start_s));
    if (span.start_s < 0 || span.start_s > duration_s_ + 1e-6 || span.end_s > duration_s_ + 1.5 * frame_s_)
      return wrong(fmt::format("'{}' is {:g} to {:g} s, but the clip lasts from 0 to {:g} s", span.label, span.start_s,
                               span.end_s, duration_s_));
    if (!spans_.empty() && span.start_s < spans_.back().start_s)
      return wrong(fmt::format("starts at {:g} s, before line {} ({:g} s): sort lines by start", span.start_s,
                               spans_.back().line, spans_.back().start_s));
    for (const LabelSpan& other : spans_) {
      if (other.end_s <= span.start_s + 1e-9) continue;
      if (const auto why = conflict(words_, other.label, span.label); !why.empty())
        return wrong(
            fmt::format("'{}' from {:g} s overlaps '{}' of line {}, which lasts to {:g} s "
                        "({})",
                        span.label, span.start_s, other.label, other.line, other.end_s, why));
    }
    return {};
  }

  const std::string& file_;
  const LabelWords& words_;
  double duration_s_ = 0, frame_s_ = 0;
  std::vector<std::string> known_;
  std::vector<LabelSpan> spans_;
  int line_ = 0;
};

}  // namespace

std::filesystem::path label_file_of(const std::filesystem::path& motion_file, std::string_view clip) {
  std::filesystem::path out = motion_file;
  out.replace_extension();
  out += (clip.empty() ? "" : "." + std::string(clip)) + ".labels.csv";
  return out;
}

Result<std::vector<LabelSpan>> parse_labels(std::string_view text, const std::string& file, const LabelWords& words,
                                            double duration_s, double fps) {
  return Parser(file, words, duration_s, 1 / fps).run(text);
}

Result<std::vector<LabelSpan>> find_action_labels(const Motion& clip, const SkeletonAnalysis& analysis) {
  ZOE_TRY_ASSIGN(const std::vector<ActionSegment> segments, segment_actions(clip, analysis));
  std::vector<LabelSpan> out;
  for (const ActionSegment& segment : segments)
    out.push_back({segment.first_frame / clip.fps, (segment.last_frame + 1) / clip.fps, to_string(segment.action), 0});
  return out;
}

std::string mirrored_label(std::string_view label) {
  constexpr std::pair<std::string_view, std::string_view> kSides[] = {
      {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}};
  std::string out;
  for (std::size_t i = 0; i < label.size();) {
    std::size_t end = i;
    while (end < label.size() && std::isalpha(static_cast<unsigned char>(label[end])) != 0) ++end;
    std::string_view word = label.substr(i, std::max<std::size_t>(end - i, 1));
    i += word.size();
    for (const auto& [left, right] : kSides)
      if (word == left || word == right) {
        word = word == left ? right : left;
        break;
      }
    out += word;
  }
  return out;
}

LabelFrames::LabelFrames(const std::vector<LabelSpan>& spans, const Motion& piece, double first_s, bool mirrored) {
  // A thousandth of a frame: times in files are rounded.
  const double slack = 1e-3 / piece.fps;
  for (const LabelSpan& span : spans) {
    const double from = (span.start_s - first_s - slack) * piece.fps, to = (span.end_s - first_s - slack) * piece.fps;
    const int begin = static_cast<int>(std::ceil(std::clamp(from, 0.0, double(piece.num_frames)))),
              end = static_cast<int>(std::ceil(std::clamp(to, 0.0, double(piece.num_frames))));
    if (begin >= end) continue;
    const std::string name = mirrored ? mirrored_label(span.label) : span.label;
    auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) {
      names_.push_back(name);
      values_.emplace_back(static_cast<std::size_t>(piece.num_frames), 0.0F);
      at = names_.end() - 1;
    }
    std::vector<float>& values = values_[static_cast<std::size_t>(at - names_.begin())];
    std::fill(values.begin() + begin, values.begin() + end, 1.0F);
  }
}

float LabelFrames::share(std::size_t label) const {
  const std::vector<float>& values = values_[label];
  const auto held = std::count(values.begin(), values.end(), 1.0F);
  return static_cast<float>(held) / static_cast<float>(values.size());
}

std::vector<LabelTrack> LabelFrames::tracks() const {
  std::vector<LabelTrack> out;
  for (std::size_t i = 0; i < names_.size(); ++i) out.push_back({.name = names_[i], .value = 1, .frames = values_[i]});
  return out;
}

}  // namespace zoe::features
