// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Headers that most verbs include, for builds with ZOE_PRECOMPILED_HEADERS. No file
// names this one, and every file still includes what it uses.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
