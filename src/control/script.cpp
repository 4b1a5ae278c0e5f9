// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/control/sources.h"

namespace zoe::control {
namespace {

struct Command {
  double time_s = 0;
  Intent intent;
};

class ScriptSource final : public IntentSource {
 public:
  explicit ScriptSource(std::vector<Command> commands) : commands_(std::move(commands)) {}
  Intent next(const PlanarRoot& /*root*/, double dt_s) override {
    while (next_ < commands_.size() && commands_[next_].time_s <= time_s_ + 1e-9) intent_ = commands_[next_++].intent;
    time_s_ += dt_s;
    return intent_;
  }
  bool done() const override { return next_ == commands_.size(); }

 private:
  std::vector<Command> commands_;
  std::size_t next_ = 0;
  double time_s_ = 0;
  Intent intent_;
};

}  // namespace

Result<std::unique_ptr<IntentSource>> parse_script(std::string_view text, const std::string& file,
                                                   const LabelNames& labels) {
  std::vector<Command> commands;
  Intent intent;
  int line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const CommandWords line = split_command(text.substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    if (line.count == 0) continue;
    const auto wrong = [&](const std::string& what) {
      return Error{ErrorCode::kSyntax, what, {.file = file, .line = line_number}};
    };
    const auto time_s = command_number(line.words[0]);
    if (!time_s || line.count < 2 || line.too_many) {
      return wrong("a line is a time in seconds and a command, as in '2.5 move 0 1.4'");
    }
    if (!commands.empty() && *time_s < commands.back().time_s) return wrong("times must rise");
    const std::span words(line.words, line.count);
    const std::string what = apply_command(words.subspan(1), labels, intent);
    if (!what.empty()) return wrong(what);
    commands.push_back({*time_s, intent});
  }
  if (commands.empty()) return Error{ErrorCode::kInvalid, "the script has no commands", {.file = file}};
  return std::unique_ptr<IntentSource>(std::make_unique<ScriptSource>(std::move(commands)));
}

}  // namespace zoe::control
