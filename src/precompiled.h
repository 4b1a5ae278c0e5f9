// SPDX-License-Identifier: MIT
// Part of Zoetrope. Headers that most files of most modules include, for builds with ZOE_PRECOMPILED_HEADERS. No file
// names this one, and every file still includes what it uses.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
