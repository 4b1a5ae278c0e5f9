// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What most verbs include, for builds with ZOE_PRECOMPILED_HEADERS; no file names it,
// and every file includes what it uses all the same.
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
