// SPDX-License-Identifier: MIT
// The renderer on the CPU alone.
#pragma once

#include <memory>

#include "render/backend.h"

namespace zoe::render {

std::unique_ptr<Backend> make_software_backend();

}  // namespace zoe::render
