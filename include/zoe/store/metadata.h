// SPDX-License-Identifier: MIT
// Part of Zoetrope. Text by key that a file has beside its arrays.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace zoe {

using Metadata = std::map<std::string, std::string, std::less<>>;

}  // namespace zoe
