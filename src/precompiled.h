// SPDX-License-Identifier: MIT
// Part of Zoetrope. What most files of most modules include, for builds with ZOE_PRECOMPILED_HEADERS; no file names it,
// and every file includes what it uses all the same.
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
