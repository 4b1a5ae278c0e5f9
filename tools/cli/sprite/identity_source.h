// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `--character identity:SEED`: a procedural character and its motions.
#pragma once

#include <cstdint>
#include <optional>

#include "zoe/sprite/identity/identity.h"

#include "sprite/make.h"

namespace zoe::cli {

// Of "identity:17". Empty: a file's name.
std::optional<std::uint64_t> identity_seed(const std::string& character);

// The motions of a file on an identity: retargeted.
Result<std::vector<Motion>> motions_on_identity(const std::string& file, const std::vector<std::string>& clips,
                                                const std::vector<std::string>& actions,
                                                const sprite::identity::Identity& identity, Warnings& warnings);

// As load_sprite_source().
Result<void> load_identity_source(std::uint64_t seed, const SpriteSource& source, sprite::Request& request,
                                  Warnings& warnings);

}  // namespace zoe::cli
