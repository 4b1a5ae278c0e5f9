// SPDX-License-Identifier: MIT
// Settings: what is accepted can be written, and reads back as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "store/toml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto items = zoe::parse_toml(text, "fuzz");
  if (!items) return 0;
  for (const zoe::TomlItem& item : *items) {
    const std::string written = zoe::format_toml_value(item.value);
    const auto again = zoe::parse_toml("a = " + written, "fuzz");
    if (!again || again->size() != 1 || zoe::format_toml_value(again->front().value) != written) std::abort();
  }
  return 0;
}
