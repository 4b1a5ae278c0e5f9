// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. What most test files include, for builds with ZOE_PRECOMPILED_HEADERS; no file names it,
// and every file includes what it uses all the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
