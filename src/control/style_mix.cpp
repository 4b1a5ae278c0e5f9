// SPDX-License-Identifier: MIT
#include "zoe/control/style_mix.h"

#include <algorithm>

#include <fmt/format.h>

namespace zoe::control {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The end of the style that the term beginning here names, as names may have signs themselves ("walk-back"); else
// `begin`.
std::size_t end_of_name(std::string_view text, std::size_t begin, std::span<const std::string> styles) {
  const std::size_t star = text.find('*', begin);
  const std::size_t sign = text.find_first_of("+-", begin + 1);
  std::size_t name = star != std::string_view::npos && star < sign ? star + 1 : begin;
  if (name == begin && name < text.size() && (text[name] == '+' || text[name] == '-')) ++name;
  name = std::min(text.find_first_not_of(' ', name), text.size());
  std::size_t end = begin;
  for (const std::string& style : styles) {
    const std::size_t after = name + style.size();
    const bool whole = after >= text.size() || text.find_first_of("+- ", after) == after;
    if (text.substr(name).starts_with(style) && whole) end = std::max(end, after);
  }
  return end;
}

class MixedSource final : public IntentSource {
 public:
  MixedSource(std::unique_ptr<IntentSource> source, const StyleMix& mix) : source_(std::move(source)), mix_(mix) {}

  Intent next(const PlanarRoot& root, double dt_s) override {
    Intent intent = source_->next(root, dt_s);
    const bool any = std::any_of(intent.styles.begin(), intent.styles.end(), [](float w) { return w != 0; });
    if (!any) intent.styles = mix_;
    return intent;
  }
  const Path* path() const override { return source_->path(); }
  bool done() const override { return source_->done(); }

 private:
  std::unique_ptr<IntentSource> source_;
  StyleMix mix_;
};

}  // namespace

Result<StyleMix> parse_style_mix(std::string_view text, std::span<const std::string> styles) {
  StyleMix mix{}, seen{};
  const auto wrong = [&](std::string what) {
    return Error{ErrorCode::kUsage, fmt::format("style '{}': {}", text, what), {}};
  };
  if (trimmed(text) == "none") return mix;
  for (std::size_t begin = 0; begin <= text.size();) {
    // A sign joins two terms unless it is that of a number: "-0.2*old", "0.5*-old" is none.
    std::size_t end = std::max(begin + 1, end_of_name(text, begin, styles));
    while (end < text.size() && text[end] != '+' && text[end] != '-') ++end;
    end = std::min(end, text.size());
    std::string_view term = trimmed(text.substr(begin, end - begin));
    float sign = 1;
    if (!term.empty() && (term[0] == '+' || term[0] == '-')) {
      sign = term[0] == '-' ? -1.0F : 1.0F;
      term = trimmed(term.substr(1));
    }
    double weight = 1;
    if (const std::size_t star = term.find('*'); star != std::string_view::npos) {
      const auto number = command_number(trimmed(term.substr(0, star)));
      if (!number) return wrong("a term is NAME or NUMBER*NAME, terms are joined by + or -");
      weight = *number;
      term = trimmed(term.substr(star + 1));
    }
    if (term.empty()) return wrong("a term is NAME or NUMBER*NAME, terms are joined by + or -");
    ZOE_TRY_ASSIGN(const int label, find_label(styles, term, "style"));
    if (label < 0 || label >= kMaxLabels) return wrong("'none' cannot be mixed");
    const auto i = static_cast<std::size_t>(label);
    if (seen[i] != 0) return wrong(fmt::format("'{}' occurs twice", term));
    seen[i] = 1;
    mix[i] = sign * static_cast<float>(weight);
    if (!(mix[i] >= kLeastStyle && mix[i] <= kMostStyle))
      return wrong(fmt::format("weights are {:g} to {:g}", kLeastStyle, kMostStyle));
    if (end >= text.size()) break;
    begin = end;
  }
  return mix;
}

std::unique_ptr<IntentSource> with_style_mix(std::unique_ptr<IntentSource> source, const StyleMix& mix) {
  return std::make_unique<MixedSource>(std::move(source), mix);
}

}  // namespace zoe::control
