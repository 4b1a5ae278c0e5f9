// SPDX-License-Identifier: MIT
#include "controller/path_file.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "zoe/core/file.h"

namespace zoe::cli {
namespace {

std::optional<std::pair<float, float>> read_line(std::string_view line) {
  float values[2];
  const char* at = line.data();
  const char* const end = at + line.size();
  for (int i = 0; i < 2; ++i) {
    while (at < end && (*at == ' ' || *at == '\t' || (i > 0 && (*at == ',' || *at == ';')))) ++at;
    const auto [next, error] = std::from_chars(at, end, values[i]);
    if (error != std::errc{} || !std::isfinite(values[i])) return {};
    at = next;
  }
  return std::pair{values[0], values[1]};
}

}  // namespace

bool is_path_file(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".csv" || ending == ".txt" || ending == ".glb" || ending == ".gltf";
}

Result<control::Path> read_path(const std::filesystem::path& file) {
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(file));
  const std::string_view text = mapped.text();
  std::vector<Vec3> places;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto place = read_line(line);
    if (place) {
      places.push_back({place->first, 0, place->second});
    } else if (number > 1 || !places.empty()) {  // The first line may be a heading.
      return Error{ErrorCode::kSyntax, "a line of a path is x,z in metres", {.file = file.string(), .line = number}};
    }
  }
  const bool closed = places.size() > 2 && distance(places.front(), places.back()) < 1e-3F;
  auto path = control::Path::create(std::move(places), closed);
  if (!path) return Error{path.error().code, path.error().message, {.file = file.string()}};
  return path;
}

}  // namespace zoe::cli
