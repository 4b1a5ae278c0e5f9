// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Files of networks that paint: those given, and the included ones.
#pragma once

#include <filesystem>
#include <string>

namespace zoe::cli {

// A run's network, where the path is a folder.
std::filesystem::path network_file(const std::string& given);
// given: may be empty. name: of the included one, under models/.
std::filesystem::path painter_file(const std::string& given, const std::string& name);

}  // namespace zoe::cli
