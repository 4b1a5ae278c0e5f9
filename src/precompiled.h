// SPDX-License-Identifier: MIT
// Part of Zoetrope. What most files of most modules include, for builds with ZOE_PRECOMPILED_HEADERS; no file names it, and
// every file includes what it uses all the same.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
