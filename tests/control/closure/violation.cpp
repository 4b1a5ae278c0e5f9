// SPDX-License-Identifier: MIT
// What the closure guard must refuse: a JSON library inside, and zlib on the link line.
#include <nlohmann/json.hpp>
#include <zlib.h>

int main(int argc, char** argv) {
  const auto json = nlohmann::json::parse(argc > 1 ? argv[1] : "{}", nullptr, false);
  z_stream stream{};
  return json.is_discarded() || inflateInit(&stream) != Z_OK ? 1 : 0;
}
