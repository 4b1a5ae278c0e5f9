// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arguments of `zoe play RUN --crowd N`: read by zoe, which has no window system,
// and again by zoe-view.
#pragma once

#include <optional>
#include <string>

#include "zoe/eval/crowd_setup.h"

#include "verb.h"
#include "view_options.h"

namespace zoe::cli {

struct CrowdRequest : WindowFlags {
  std::string run, output, style = "studio";
  eval::CrowdSetup crowd;
  std::string character;  // As load_displayed_body().
  double seconds = 0;     // 0: not given.
  double fps = 60;

  // A window opens where nothing is written.
  bool wants_window() const { return output.empty() && !headless; }
};

// True if the words request a crowd, which has its own options.
bool wants_crowd(const Arguments& arguments);
// An exit code where nothing is left to do.
std::optional<int> parse_crowd(const Arguments& arguments, CrowdRequest& request);

}  // namespace zoe::cli
