// SPDX-License-Identifier: MIT
// A user's program that links the readers as well, and with them every parser library they use.
#include <cstdio>

#include <zoe/io/read.h>

int main() {
  const auto asset = zoe::io::read_asset("no_such_file.glb");
  if (asset) return 1;
  std::printf("%s\n", asset.error().format().c_str());
  return asset.error().code == zoe::ErrorCode::kIo ? 0 : 1;
}
