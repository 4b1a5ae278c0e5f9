// SPDX-License-Identifier: MIT
#include "options.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace zoe::cli {
namespace {

CLI::Option* of(void* inside) { return static_cast<CLI::Option*>(inside); }

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
  of(inside_)->check(CLI::IsMember(std::move(words)));
  return this;
}
Option* Option::between(int low, int high) {
  of(inside_)->check(CLI::Range(low, high));
  return this;
}
Option* Option::between(double low, double high) {
  of(inside_)->check(CLI::Range(low, high));
  return this;
}
Option* Option::positive() {
  of(inside_)->check(CLI::PositiveNumber);
  return this;
}
Option* Option::not_negative() {
  of(inside_)->check(CLI::NonNegativeNumber);
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

struct Options::Inside {
  CLI::App app;
  std::deque<Option> options;  // A deque, so that addresses stay valid.
};

Options::Options() : inside_(std::make_unique<Inside>()) {}
Options::~Options() = default;

template <class T>
Option* Options::add_option(const std::string& names, T& value, const std::string& help) {
  return &inside_->options.emplace_back(Option(inside_->app.add_option(names, value, help)));
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
  // CLI11 pops words from the back.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    inside_->app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return {.help = true, .text = inside_->app.help()};
  } catch (const CLI::CallForAllHelp&) {
    return {.help = true, .text = inside_->app.help("", CLI::AppFormatMode::All)};
  } catch (const CLI::ParseError& error) {
    return {.wrong = true, .text = error.what()};
  }
  return {};
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
