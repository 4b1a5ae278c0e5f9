// SPDX-License-Identifier: MIT
// Part of Zoetrope. Limits memory that a small FBX file may request beyond its own size.
#pragma once

#include <cstddef>

namespace zoe::io::fbx {

// Guards data that can be larger than the file: frames between sparse keys, instances of one mesh.
class GrowthBudget {
 public:
  explicit GrowthBudget(std::size_t bytes) : left_(bytes) {}
  bool fits(double bytes) const { return bytes <= static_cast<double>(left_); }
  // Returns false, with nothing spent, when it does not fit.
  bool spend(double bytes) {
    if (!fits(bytes)) return false;
    left_ -= static_cast<std::size_t>(bytes);
    return true;
  }

 private:
  std::size_t left_;
};

}  // namespace zoe::io::fbx
