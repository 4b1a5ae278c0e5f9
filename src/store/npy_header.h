// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python dict literal in an .npy header: {'descr': '<f4', 'fortran_order': False, 'shape': (3,
// 4), }.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

namespace zoe {

struct NpyDict {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
};

// Byte offsets in errors count from the start of `text`.
Result<NpyDict> parse_npy_dict(std::string_view text);

}  // namespace zoe
