// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The options of a verb. CLI11 is hidden behind this header, because it would cost
// every verb five seconds of compilation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "output_check.h"

namespace zoe::cli {

// One option, to be refined: app.add_option(…)->required()->between(1, 100).
class Option {
 public:
  Option* required();
  Option* capture_default_str();  // The help prints the present value of the variable.
  Option* type_name(std::string name);
  Option* one_of(std::vector<std::string> words);
  // Both ends included. The unit appears in the help and in messages. Every number has a range.
  Option* between(double low, double high, const std::string& unit = "");
  Option* at_least_zero();  // Seeds: any whole number that fits.
  Option* delimiter(char separator);
  Option* one_value_each();  // `--set a --set b`: words after the value do not belong to it.
  Option* needs(Option* other);
  Option* excludes(Option* other);
  // The value is a path. parse() of verb.h compares outputs with inputs.
  Option* reads();
  Option* writes();         // A file, or a folder where the verb takes both.
  Option* writes_folder();  // Always a folder.

 private:
  friend class Options;
  explicit Option(void* inside) : inside_(inside) {}
  void* inside_;  // CLI::Option.
  enum class Path : char { kNone, kRead, kWritten, kWrittenFolder } path_ = Path::kNone;
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
  // After parse(): what was given to options that read and to options that write.
  CommandPaths paths() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// "a,b,,c" as a, b, c.
std::vector<std::string> split_list(const std::string& text);

}  // namespace zoe::cli
