// SPDX-License-Identifier: MIT
// libFuzzer target for the list of finished clips of a sprite dataset: kept lines are a whole beginning of the file,
// and reading them again gives the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sprite/dataset_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const zoe::sprite::FinishedClips found = zoe::sprite::read_finished(text);
  std::size_t lines = 0;
  for (const char c : found.text) lines += c == '\n' ? 1 : 0;
  if (!text.starts_with(found.text) || lines != found.ids.size()) std::abort();
  if (!found.ids.empty() && *found.ids.begin() < 0) std::abort();
  const zoe::sprite::FinishedClips again = zoe::sprite::read_finished(found.text);
  if (again.text != found.text || again.ids != found.ids) std::abort();
  return 0;
}
