// SPDX-License-Identifier: MIT
#include "sprite/dataset_lines.h"

#include <charconv>

namespace zoe::sprite {

FinishedClips read_finished(std::string_view text) {
  constexpr std::string_view kStart = "{\"id\": ";
  FinishedClips found;
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return found;  // The last line was being written.
    const std::string_view line = text.substr(0, end);
    if (!line.starts_with(kStart) || !line.ends_with("]}")) return found;
    int id = -1;
    const char* stop = line.data() + line.size();
    const auto [after, error] = std::from_chars(line.data() + kStart.size(), stop, id);
    if (error != std::errc() || id < 0 || after == stop || *after != ',' || !found.ids.insert(id).second) return found;
    found.text.append(line);
    found.text += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace zoe::sprite
