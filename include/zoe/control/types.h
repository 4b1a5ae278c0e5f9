// SPDX-License-Identifier: MIT
// Part of Zoetrope. The types of controllers: one table for loading and playing. A new type is one row more, here and in
// author/types.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/control/config.h"
#include "zoe/control/controller.h"
#include "zoe/control/parts.h"

namespace zoe::control {

// One type of controller, as far as running one goes. author::Type adds how it is made.
struct ControllerType {
  const char* name;  // As controller.toml and the command line have it.
  const char* summary;
  Result<ControllerPtr> (*load)(const ControllerParts& parts, const ControllerConfig& config);
  // Files of a run folder that load() reads.
  std::vector<std::string> (*parts)(const ControllerConfig& config);
};
std::span<const ControllerType> controller_types();
// Refuses an unknown name with a suggestion.
Result<const ControllerType*> find_controller_type(const std::string& name,
                                                   std::span<const ControllerType> types = controller_types());

// As load.h does, with a table that may hold types of your own.
Result<ControllerPtr> load_controller(const ControllerParts& parts, std::span<const ControllerType> types);

}  // namespace zoe::control
