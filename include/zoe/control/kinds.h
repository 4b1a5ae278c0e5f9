// SPDX-License-Identifier: MIT
// Part of Zoetrope. The kinds of controllers there are: one table for training, loading and `zoe play`. A new kind is one
// more row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/control/config.h"
#include "zoe/control/parts.h"

namespace zoe::control {

struct Kind {
  const char* name;
  const char* summary;
  const char* schema;                 // TOML: what its dataset holds.
  const char* model;                  // What zoe-train trains; null: nothing.
  int gate_channels;                  // So many first channels of the input choose among experts; 0: none do.
  std::vector<const char*> settings;  // For zoe-train.
  Result<ControllerPtr> (*load)(const ControllerParts& parts, const ControllerConfig& config);
  // Files of a run folder that load() reads.
  std::vector<std::string> (*parts)(const ControllerConfig& config);
  bool takes_labels = false;  // Styles and actions may be among its inputs.
};
std::span<const Kind> kinds();
// Refuses an unknown name with a suggestion.
Result<const Kind*> find_kind(const std::string& name);

// Names of the styles and actions that a model tells apart.
struct Labels {
  std::vector<std::string> styles, actions;

  bool empty() const { return styles.empty() && actions.empty(); }
};
// What the kind's dataset holds. Labels are columns at the times of the root's way, before all others, so that a gate sees
// them too; without labels it is the schema of the table. Fails on kinds that take none, and on more than kMaxLabels.
Result<features::Schema> schema_of(const Kind& kind, const Labels& labels = {});
// Channels of that schema that choose among experts; they come first.
int num_gate_channels(const Kind& kind, const features::Schema& schema);

}  // namespace zoe::control
