// SPDX-License-Identifier: MIT
// GLSL sources: built in, or replaced by name from a folder. Joined, compiled and linked into programs.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

#include "render/gl/objects.h"

namespace zoe::render {

// One file of src/render/shaders, embedded into the binary by the build (generated embedded_shaders.cpp).
struct EmbeddedShader {
  std::string_view name;  // "lighting.frag.glsl"
  std::string_view text;
};
std::vector<EmbeddedShader> embedded_shaders();

class ShaderLibrary {
 public:
  // Origin of a line of a joined source. #line would tell the driver, but Mesa 22 sometimes loses its file number.
  struct Origin {
    std::size_t file = 0;
    std::int64_t line = 0;
  };
  struct Joined {
    std::string text;
    std::vector<Origin> origins;     // [lines of text]
    std::vector<std::string> files;  // The requested file first.
  };

  // Fails where the folder is missing or holds a .glsl file that replaces nothing, because its name is probably
  // misspelt.
  static Result<ShaderLibrary> create(const std::filesystem::path& override_folder);

  // Vertex and fragment shader by file name. `defines` ("SKINNED", "NUM_SAMPLES 8") come first in both. Errors contain
  // the file, the line and the driver's message.
  Result<gl::Program> link(std::string_view vertex, std::string_view fragment,
                           const std::vector<std::string>& defines = {}) const;

 private:
  Result<std::string> source_of(std::string_view name) const;
  Result<void> expand(std::string_view name, Joined& joined) const;
  std::filesystem::path folder_;
};

}  // namespace zoe::render
