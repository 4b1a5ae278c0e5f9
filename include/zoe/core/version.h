// SPDX-License-Identifier: MIT
// Part of Zoetrope. The one definition of the version; CMake reads it from here.
#pragma once

#define ZOE_VERSION_MAJOR 0
#define ZOE_VERSION_MINOR 1
#define ZOE_VERSION_PATCH 0
#define ZOE_VERSION_STRING "0.1.0"
