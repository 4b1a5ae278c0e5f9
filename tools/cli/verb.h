// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What a verb is, and what all verbs share: flags, errors, exit codes.
//
// A verb is one file. It declares its options on an Options, calls parse(), and works:
//
//   int run_info(const Arguments& arguments) {
//     Options app;
//     app.add_option("files", files, "Files to describe")->required();
//     if (const auto exit = parse(app, arguments)) return *exit;
//     …
//   }
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"

#include "options.h"

namespace zoe::cli {

// What the process returns; docs/cli.md promises these numbers to scripts.
enum ExitCode : int {
  kDone = 0,
  kFailed = 1,      // The work could not be done: missing file, full disk, a check that did not hold.
  kWrongUsage = 2,  // The command line makes no sense.
  kBadInput = 3,    // A file's content is damaged, contradictory or of an unsupported kind.
};

struct Verb;

// The words after the verb, and the verb itself for its help text.
struct Arguments {
  const Verb& verb;
  std::vector<std::string> words;
};

struct Verb {
  const char* name;
  const char* summary;  // One line for `zoe --help`.
  const char* example;  // A command line that works, for `zoe VERB --help`.
  int (*run)(const Arguments& arguments);
};

// All verbs, in the order of the flow (tools/cli/main.cpp).
std::span<const Verb> verbs();

// Adds what every verb has (--help with the example, --quiet, --trace FILE), then parses. Returns the exit code when the
// verb shall end here: help was asked for, or the words make no sense (already reported).
std::optional<int> parse(Options& app, const Arguments& arguments);

// Ends what parse() began: writes the trace that --trace asked for. Returns the exit code, made kFailed when that failed.
int finish(int exit_code);

// --quiet was given: no progress, no notes; results and errors only.
bool quiet();

// Another verb as a part of this one. `quietly`: as with --quiet; what the caller prints afterwards is not touched.
int run_part(const char* name, int (*run)(const Arguments& arguments), std::vector<std::string> words,
             bool quietly = false);

// A part of a verb, `quietly` as with --quiet; returns what it returns.
int run_quietly(bool quietly, const std::function<int()>& part);

// "zoe: walk.bvh:12 (joint LeftFoot): message" on stderr; returns the exit code that fits the error's kind.
int print_error(const Error& error);
// "zoe: message" on stderr.
void print_error(const std::string& message);
// "zoe: warning: place: message" on stderr, unless --quiet.
void print_warnings(const Warnings& warnings);

ExitCode exit_code(ErrorCode code);

}  // namespace zoe::cli
