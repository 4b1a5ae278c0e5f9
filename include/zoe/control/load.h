// SPDX-License-Identifier: MIT
// Part of Zoetrope. Loads a controller that `zoe train controller` made. This header is all that a game needs to begin:
//
//   const auto walker = zoe::control::load_controller("walker.zoe");
//   if (!walker) return report(walker.error().format());
//   const auto state = (*walker)->make_state();
//   (*walker)->tick(*state, zoe::control::Intent::move({0, 0, 1.4F}), frame_time_s);
//   draw(state->pose());
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "zoe/control/controller.h"

namespace zoe::control {

// From a .zoe file (`zoe export RUN walker.zoe` writes one) or a run folder. Errors name a part that is missing or does
// not fit.
Result<ControllerPtr> load_controller(const std::filesystem::path& path);
// From the bytes of a .zoe file, e.g. from a game's own archive. The bytes are not needed after the call. `name` is the
// file name in errors.
Result<ControllerPtr> load_controller(std::span<const std::byte> bytes, const std::string& name = {});

// Writes all parts of a run folder into one .zoe file. The folder is loaded first: a controller that does not load is
// not packed.
Result<void> pack_controller(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace zoe::control
