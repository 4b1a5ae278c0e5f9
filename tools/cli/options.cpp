// SPDX-License-Identifier: MIT
#include "options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <type_traits>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/suggest.h"

namespace zoe::cli {
namespace {

CLI::Option* of(void* inside) { return static_cast<CLI::Option*>(inside); }

std::optional<double> to_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc() && stop == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

template <class T>
bool is_whole_number(const std::string& text) {
  T value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

CLI::Validator check_number() {
  return {[](const std::string& text) {
            return to_number(text) ? std::string() : fmt::format("'{}' is not a number", text);
          },
          ""};
}

template <class T>
CLI::Validator check_whole_number() {
  return {[](const std::string& text) {
            return is_whole_number<T>(text)
                       ? std::string()
                       : fmt::format("'{}' is not a whole number{}", text, std::is_unsigned_v<T> ? " from 0 up" : "");
          },
          ""};
}

// Numbers are checked before their range is.
template <class T>
void check_type(CLI::Option* option) {
  if constexpr (std::is_integral_v<T>) {
    option->check(check_whole_number<T>());
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::optional<double>>) {
    option->check(check_number());
  }
}

// Words that begin with a dash and are no number: "--fps", "--fps=30", "-o", "-ofile".
bool is_option_word(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

// The reason why `word` is no option of `app`; empty where it is one.
std::string unknown_option(const CLI::App& app, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const bool is_long = name.starts_with("--");
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& short_name : option->get_snames())
      if (!is_long && short_name[0] == name[1]) return "";
    for (const std::string& long_name : option->get_lnames()) {
      if (is_long && long_name == name.substr(2)) return "";
      known.push_back(long_name);
    }
  }
  const std::optional<std::string> nearest = suggest(name.substr(is_long ? 2 : 1), known);
  return fmt::format("there is no option '{}'{}", name, nearest ? fmt::format("; did you mean '--{}'?", *nearest) : "");
}

}  // namespace

Option* Option::required() {
  of(inside_)->required();
  return this;
}
Option* Option::capture_default_str() {
  of(inside_)->capture_default_str();
  return this;
}
Option* Option::type_name(std::string name) {
  of(inside_)->type_name(std::move(name));
  return this;
}
Option* Option::one_of(std::vector<std::string> words) {
  const std::string list = fmt::format("{}", fmt::join(words, ", "));
  of(inside_)->check(CLI::Validator(
      [words = std::move(words), list](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        return fmt::format("there is no '{}'{}; there are: {}", text, did_you_mean(text, words), list);
      },
      "{" + list + "}"));
  return this;
}
Option* Option::between(double low, double high, const std::string& unit) {
  const std::string range = fmt::format("{} to {}{}{}", low, high, unit.empty() ? "" : " ", unit);
  of(inside_)->check(CLI::Validator(
      [low, high, range](const std::string& text) {
        const std::optional<double> value = to_number(text);
        return value && *value >= low && *value <= high ? std::string()
                                                        : fmt::format("{} is outside the range {}", text, range);
      },
      range));
  return this;
}
Option* Option::at_least_zero() {
  of(inside_)->check(CLI::Validator([](const std::string&) { return std::string(); }, "0 or more"));
  return this;
}
Option* Option::delimiter(char separator) {
  of(inside_)->delimiter(separator);
  return this;
}
Option* Option::one_value_each() {
  of(inside_)->allow_extra_args(false);
  return this;
}
Option* Option::needs(Option* other) {
  of(inside_)->needs(of(other->inside_));
  return this;
}
Option* Option::excludes(Option* other) {
  of(inside_)->excludes(of(other->inside_));
  return this;
}

Option* Option::reads() {
  path_ = Path::kRead;
  return this;
}
Option* Option::writes() {
  path_ = Path::kWritten;
  return this;
}
Option* Option::writes_folder() {
  path_ = Path::kWrittenFolder;
  return this;
}

struct Options::Inside {
  CLI::App app;
  std::deque<Option> options;  // A deque, so that addresses stay valid.

  std::vector<std::string> paths(Option::Path role) const {
    std::vector<std::string> found;
    for (const Option& option : options) {
      if (option.path_ != role) continue;
      for (const std::string& path : of(option.inside_)->results())
        if (!path.empty()) found.push_back(path);
    }
    return found;
  }
};

Options::Options() : inside_(std::make_unique<Inside>()) {}
Options::~Options() = default;

template <class T>
Option* Options::add_option(const std::string& names, T& value, const std::string& help) {
  CLI::Option* option = inside_->app.add_option(names, value, help);
  check_type<T>(option);
  return &inside_->options.emplace_back(Option(option));
}

Option* Options::add_flag(const std::string& names, bool& value, const std::string& help) {
  return &inside_->options.emplace_back(Option(inside_->app.add_flag(names, value, help)));
}

void Options::describe(const std::string& name, const std::string& summary, const std::string& footer) {
  inside_->app.name(name);
  inside_->app.description(summary);
  inside_->app.footer(footer);
}

Options::Outcome Options::parse(const std::vector<std::string>& words) {
  // First, because what follows an unknown option is read as something else.
  for (const std::string& word : words) {
    if (word == "--") break;
    if (!is_option_word(word)) continue;
    if (std::string reason = unknown_option(inside_->app, word); !reason.empty())
      return {.wrong = true, .text = std::move(reason)};
  }
  // CLI11 pops words from the back.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    inside_->app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return {.help = true, .text = inside_->app.help()};
  } catch (const CLI::CallForAllHelp&) {
    return {.help = true, .text = inside_->app.help("", CLI::AppFormatMode::All)};
  } catch (const CLI::ExtrasError&) {
    return {.wrong = true, .text = fmt::format("unexpected '{}'", fmt::join(inside_->app.remaining(), "' '"))};
  } catch (const CLI::ParseError& error) {
    return {.wrong = true, .text = error.what()};
  }
  return {};
}

CommandPaths Options::paths() const {
  return {.inputs = inside_->paths(Option::Path::kRead),
          .outputs = inside_->paths(Option::Path::kWritten),
          .output_folders = inside_->paths(Option::Path::kWrittenFolder)};
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words;
  for (std::string& word : CLI::detail::split(text, ',')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

template Option* Options::add_option(const std::string&, std::string&, const std::string&);
template Option* Options::add_option(const std::string&, std::filesystem::path&, const std::string&);
template Option* Options::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option* Options::add_option(const std::string&, std::optional<std::string>&, const std::string&);
template Option* Options::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option* Options::add_option(const std::string&, double&, const std::string&);
template Option* Options::add_option(const std::string&, float&, const std::string&);
template Option* Options::add_option(const std::string&, int&, const std::string&);
template Option* Options::add_option(const std::string&, long&, const std::string&);
template Option* Options::add_option(const std::string&, std::uint64_t&, const std::string&);

}  // namespace zoe::cli
