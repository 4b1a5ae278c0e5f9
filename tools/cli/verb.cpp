// SPDX-License-Identifier: MIT
#include "verb.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "zoe/core/log.h"
#include "zoe/core/trace.h"

#include "output_check.h"

namespace zoe::cli {
namespace {

bool g_quiet = false, g_no_overwrite = false;
std::string g_trace_file;

}  // namespace

std::optional<int> parse(Options& app, const Arguments& arguments) {
  app.describe(fmt::format("zoe {}", arguments.verb.name), arguments.verb.summary,
               fmt::format("Example:\n  {}", arguments.verb.example));
  app.add_flag("-q,--quiet", g_quiet, "Print results and errors only");
  app.add_option("--trace", g_trace_file, "Write a Chrome trace of the time spent (ui.perfetto.dev opens it)")
      ->type_name("FILE")
      ->writes();
  app.add_flag("--no-overwrite", g_no_overwrite, "Refuse to replace existing files; else outputs replace them");
  const Options::Outcome outcome = app.parse(arguments.words);
  if (outcome.help) {
    fmt::print("{}", outcome.text);
    return finish(kDone);
  }
  if (outcome.wrong) {
    print_error(fmt::format("{}: {} (see `zoe {} --help`)", arguments.verb.name, outcome.text, arguments.verb.name));
    return kWrongUsage;
  }
  if (const Result<void> allowed = check_outputs(app.paths(), g_no_overwrite); !allowed)
    return print_error(allowed.error());
  if (g_quiet) set_log_level(LogLevel::kError);
  if (!g_trace_file.empty()) start_trace();
  return std::nullopt;
}

int finish(int exit_code) {
  // A full disk or a closed descriptor: the last of the printed text is written only now.
  if (std::fflush(stdout) != 0) {
    print_error(fmt::format("standard output: cannot write: {}", std::strerror(errno)));
    exit_code = exit_code == kDone ? kFailed : exit_code;
  }
  if (g_trace_file.empty() || !tracing()) return exit_code;
  const Result<void> written = stop_trace(g_trace_file);
  if (written) return exit_code;
  print_error(written.error());
  return exit_code == kDone ? kFailed : exit_code;
}

bool quiet() { return g_quiet; }

int run_quietly(bool quietly, const std::function<int()>& part) {
  const bool before = std::exchange(g_quiet, g_quiet || quietly);
  std::fflush(stdout);  // Lines and progress in the order in which they were printed.
  const int exit = part();
  std::fflush(stdout);
  g_quiet = before;
  return exit;
}

int run_part(const char* name, int (*run)(const Arguments&), std::vector<std::string> words, bool quietly) {
  const Verb verb{name, "", "", run};
  return run_quietly(quietly, [&] { return run({verb, std::move(words)}); });
}

ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kIo:
      return kFailed;
    case ErrorCode::kUsage:
      return kWrongUsage;
    case ErrorCode::kSyntax:
    case ErrorCode::kInvalid:
    case ErrorCode::kUnsupported:
    case ErrorCode::kLimit:
      return kBadInput;
  }
  return kFailed;
}

int print_error(const Error& error) {
  print_error(error.format());
  return exit_code(error.code);
}

void print_error(const std::string& message) {
  // Scripts read one line per error. The message of a parser library may have several.
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  fmt::print(stderr, "zoe: {}\n", line);
}

void print_warnings(const Warnings& warnings) {
  if (quiet()) return;
  for (const Warning& warning : warnings) fmt::print(stderr, "zoe: warning: {}\n", warning.format());
}

std::string command_line_of(const Arguments& arguments) {
  std::string line = fmt::format("zoe {}", arguments.verb.name);
  for (const std::string& word : arguments.words) line += " " + word;
  return line;
}

}  // namespace zoe::cli
