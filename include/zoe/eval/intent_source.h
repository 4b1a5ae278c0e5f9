// SPDX-License-Identifier: MIT
// Part of Zoetrope. Intents of a controller by name: a course, a path in a file, a script of commands, labels.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "zoe/control/controller.h"
#include "zoe/control/sources.h"

namespace zoe::eval {

struct SourceRequest {
  std::string path;              // A name of course_names(), or a path file; empty: none.
  std::filesystem::path script;  // File of timed commands, used instead of a path; empty: none.
  float speed_mps = 0;           // Along paths; 0: the pace of the controller's data.
  std::uint64_t seed = 1;        // Of the course "sticks".
  std::string style, action;     // Labels of the controller; empty: none. An action without a path stands.
};

// Null where neither a path nor a script nor an action is requested. Unknown names are refused with a suggestion.
Result<std::unique_ptr<control::IntentSource>> make_source(const SourceRequest& request,
                                                           const control::Controller& controller);

// Start of a character that follows the source: the start of its path, else the origin.
PlanarRoot start_of(const control::IntentSource& source);

}  // namespace zoe::eval
