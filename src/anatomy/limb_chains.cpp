// SPDX-License-Identifier: MIT
#include "anatomy/limb_chains.h"

#include <algorithm>

#include "zoe/core/index.h"

namespace zoe::anatomy {

double length_below(const Body& body, int joint) { return body.bone_length[idx(joint)] + body.reach[idx(joint)]; }

std::vector<int> limb_bases(const Body& body, int top) {
  int joint = top;
  const double whole = body.reach[idx(top)];
  double way = 0;
  while (way <= 0.2 * whole) {  // Further out, branches are fingers of any length.
    const std::vector<int>& children = body.children_of(joint);
    std::vector<int> large;
    for (const int child : children) {
      if (length_below(body, child) >= 0.5 * whole) large.push_back(child);
    }
    if (large.size() >= 2) return large;
    if (large.empty()) return {top};
    joint = large.front();
    way += body.bone_length[idx(joint)];
  }
  return {top};
}

std::vector<int> longest_chain(const Body& body, int base) {
  std::vector<int> chain{base};
  while (!body.children_of(chain.back()).empty()) {
    const std::vector<int>& children = body.children_of(chain.back());
    const auto longer = [&](int a, int b) { return length_below(body, a) < length_below(body, b); };
    chain.push_back(*std::max_element(children.begin(), children.end(), longer));
  }
  return chain;
}

}  // namespace zoe::anatomy
