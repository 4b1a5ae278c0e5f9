// SPDX-License-Identifier: MIT
// A user's program that links the readers as well.
#include <cstdio>
#include <zoe/io/asset.h>

int main() {
  const zoe::io::Asset asset;
  std::printf("%zu clips, at most %zu joints\n", asset.clips.size(), zoe::io::ReadLimits{}.max_joints);
  return asset.clips.empty() ? 0 : 1;
}
