// SPDX-License-Identifier: MIT
// Part of Zoetrope. Memory that a small FBX file may ask for although it does not hold as much
// itself.
#pragma once

#include <cstddef>

namespace zoe::io::fbx {

// Guards what can outgrow the file: frames between sparse keys, instances of one mesh.
class GrowthBudget {
 public:
  explicit GrowthBudget(std::size_t bytes) : left_(bytes) {}
  bool fits(double bytes) const { return bytes <= static_cast<double>(left_); }
  // False, and nothing spent, when it does not fit.
  bool spend(double bytes) {
    if (!fits(bytes)) return false;
    left_ -= static_cast<std::size_t>(bytes);
    return true;
  }

 private:
  std::size_t left_;
};

}  // namespace zoe::io::fbx
