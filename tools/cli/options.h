// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The options of a verb. CLI11 is hidden behind this header, because it would cost
// every verb five seconds of compilation.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace zoe::cli {

// One option, to be refined: app.add_option(…)->required()->between(1, 100).
class Option {
 public:
  Option* required();
  Option* capture_default_str();  // The help prints the present value of the variable.
  Option* type_name(std::string name);
  Option* one_of(std::vector<std::string> words);
  Option* between(int low, int high);
  Option* between(double low, double high);
  Option* positive();
  Option* not_negative();
  Option* delimiter(char separator);
  Option* one_value_each();  // `--set a --set b`: words after the value do not belong to it.
  Option* needs(Option* other);
  Option* excludes(Option* other);

 private:
  friend class Options;
  explicit Option(void* inside) : inside_(inside) {}
  void* inside_;  // CLI::Option.
};

class Options {
 public:
  Options();
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // "--name", "-n,--name", or "name" for a positional word. T: those of options.cpp's last lines. The variable must
  // outlive the parsing.
  template <class T>
  Option* add_option(const std::string& names, T& value, const std::string& help);
  Option* add_flag(const std::string& names, bool& value, const std::string& help);

  void describe(const std::string& name, const std::string& summary, const std::string& footer);
  struct Outcome {
    bool help = false;   // Help was requested: `text` is it.
    bool wrong = false;  // `text` has the reason.
    std::string text;
  };
  Outcome parse(const std::vector<std::string>& words);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// "a,b,,c" as a, b, c.
std::vector<std::string> split_list(const std::string& text);

}  // namespace zoe::cli
