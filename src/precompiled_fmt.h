// SPDX-License-Identifier: MIT
// Part of Zoetrope. As precompiled.h, for modules that link fmt.
#pragma once

#include <fmt/format.h>

#include "precompiled.h"
