// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A style over what is streamed: `zoe stream --from A --to B --style tired`.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "zoe/author/live_style.h"
#include "zoe/stream/link.h"

namespace zoe::cli {

struct StreamStyle {
  std::string style, model;  // Empty style: none. Empty model: the included one.
  double strength = 1;
};

// The style of every character of a stream, each with its own state.
class StreamStyler {
 public:
  // Fails on unknown words and models.
  static Result<StreamStyler> create(const StreamStyle& request);
  // The pose as it is without a style, and for a body that the style does not fit; a warning names such a body once.
  // Valid until the next call for the same character.
  PoseView run(const stream::Subject& subject, double time_s, const PoseView& pose);

 private:
  StreamStyle request_;
  std::map<std::uint32_t, std::unique_ptr<author::LiveStyle>> characters_;
  std::set<std::uint32_t> refused_;
};

}  // namespace zoe::cli
