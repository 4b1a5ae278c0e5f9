// SPDX-License-Identifier: MIT
// Part of Zoetrope. Free text by key, as files carry it beside their arrays.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace zoe {

using Metadata = std::map<std::string, std::string, std::less<>>;

}  // namespace zoe
