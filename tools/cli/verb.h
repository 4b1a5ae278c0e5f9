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

// Exit codes of the process. docs/cli.md promises these numbers to scripts.
enum ExitCode : int {
  kDone = 0,
  kFailed = 1,      // The work could not be done: missing file, full disk, a check that did not hold.
  kWrongUsage = 2,  // The command line is wrong.
  kBadInput = 3,    // A file's content is damaged, contradictory or of an unsupported type.
};

struct Verb;

// The arguments after the verb, and the verb itself for its help text.
struct Arguments {
  const Verb& verb;
  std::vector<std::string> words;
};

struct Verb {
  const char* name;
  const char* summary;  // One line for `zoe --help`.
  const char* example;  // A valid command line, for `zoe VERB --help`.
  int (*run)(const Arguments& arguments);
};

// The command line again, for files that state how they were made.
std::string command_line_of(const Arguments& arguments);

// All verbs, in the order of the flow (tools/cli/main.cpp).
std::span<const Verb> verbs();

// Adds the common options (--help with the example, --quiet, --trace FILE, --no-overwrite), parses, and compares
// outputs with inputs. Returns the exit code when the
// verb should end here: help was requested, or the words are wrong (already reported).
std::optional<int> parse(Options& app, const Arguments& arguments);

// Finishes what parse() began: writes the rest of the output and the requested trace. Returns the exit code, or kFailed
// when that failed.
int finish(int exit_code);

// --quiet was given: no progress, no notes; results and errors only.
bool quiet();

// Runs another verb as a part of this one. `quietly`: as with --quiet. Later output of the caller is not affected.
int run_part(const char* name, int (*run)(const Arguments& arguments), std::vector<std::string> words,
             bool quietly = false);

// A part of a verb, `quietly` as with --quiet. Returns its result.
int run_quietly(bool quietly, const std::function<int()>& part);

// "zoe: walk.bvh:12 (joint LeftFoot): message" on stderr; returns the exit code of the error's type.
int print_error(const Error& error);
// "zoe: message" on stderr.
void print_error(const std::string& message);
// "zoe: warning: place: message" on stderr, unless --quiet.
void print_warnings(const Warnings& warnings);

ExitCode exit_code(ErrorCode code);

}  // namespace zoe::cli
