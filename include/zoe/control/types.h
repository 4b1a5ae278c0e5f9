// SPDX-License-Identifier: MIT
// Part of Zoetrope. The types of controllers: one table for loading and playing. A new type is one more row, here and
// in author/types.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/control/config.h"
#include "zoe/control/controller.h"
#include "zoe/control/parts.h"

namespace zoe::control {

// The run-time part of a controller type. author::Type adds the training.
struct ControllerType {
  const char* name;  // As in controller.toml and on the command line.
  const char* summary;
  Result<ControllerPtr> (*load)(const ControllerParts& parts, const ControllerConfig& config);
  // Files of a run folder that load() reads.
  std::vector<std::string> (*parts)(const ControllerConfig& config);
};
std::span<const ControllerType> controller_types();
// Refuses an unknown name with a suggestion.
Result<const ControllerType*> find_controller_type(const std::string& name,
                                                   std::span<const ControllerType> types = controller_types());

// As in load.h, with a table that may contain other types.
Result<ControllerPtr> load_controller(const ControllerParts& parts, std::span<const ControllerType> types);

}  // namespace zoe::control
