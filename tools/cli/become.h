// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Verbs that need heavy libraries are separate programs beside zoe.
#pragma once

#include <filesystem>
#include <string>

#include "verb.h"

namespace zoe::cli {

// Path of such a program. The file need not exist.
std::filesystem::path beside_zoe(const std::string& program);

// Replaces the process by `program`, with the verb's arguments. Returns only on failure, with an exit code, after
// printing the reason.
int become(const std::filesystem::path& program, const Arguments& arguments);

}  // namespace zoe::cli
