// SPDX-License-Identifier: MIT
#include "render/shader_library.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/suggest.h"

namespace zoe::render {
namespace {

struct Complaint {
  std::size_t line = 0;  // Line of the joined source, from 1. 0: unknown.
  std::string text;
};

// Mesa writes "0:12(5): error: …", NVIDIA "0(12) : error …".
Complaint first_complaint(const std::string& log) {
  Complaint complaint{.text = log.substr(0, log.find('\n'))};
  std::size_t at = log.find_first_of(":(");
  if (at == std::string::npos || at > 3) return complaint;
  while (++at < log.size() && std::isdigit(static_cast<unsigned char>(log[at])) != 0)
    complaint.line = complaint.line * 10 + static_cast<std::size_t>(log[at] - '0');
  const std::size_t message = complaint.text.find("error");
  if (message != std::string::npos) complaint.text = complaint.text.substr(message);
  return complaint;
}

void delete_shader(GLuint name) { glDeleteShader(name); }
using ShaderObject = gl::Object<delete_shader>;

Result<ShaderObject> compile(GLenum stage, const std::string& source, const ShaderLibrary::Joined& joined,
                             std::size_t num_head_lines) {
  ShaderObject shader(glCreateShader(stage));
  const char* text = source.c_str();
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  GLint ok = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &ok);
  if (ok == GL_TRUE) return shader;
  char log[4096] = {};
  glGetShaderInfoLog(shader.name(), sizeof log - 1, nullptr, log);
  const Complaint complaint = first_complaint(log);
  Error error{ErrorCode::kInvalid,
              fmt::format("the shader does not compile: {}", complaint.text),
              {.file = joined.files.front()}};
  if (complaint.line > num_head_lines && complaint.line - num_head_lines <= joined.origins.size()) {
    const ShaderLibrary::Origin& origin = joined.origins[complaint.line - num_head_lines - 1];
    error.where = {.file = joined.files[origin.file], .line = origin.line};
  }
  return error;
}

}  // namespace

Result<ShaderLibrary> ShaderLibrary::create(const std::filesystem::path& override_folder) {
  ShaderLibrary library;
  library.folder_ = override_folder;
  if (override_folder.empty()) return library;
  std::error_code failed;
  std::vector<std::string> names;
  for (const EmbeddedShader& shader : embedded_shaders()) names.emplace_back(shader.name);
  for (const auto& entry : std::filesystem::directory_iterator(override_folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".glsl") || std::find(names.begin(), names.end(), name) != names.end()) continue;
    return Error{ErrorCode::kUsage,
                 fmt::format("no shader of this name to replace{}", did_you_mean(name, names)),
                 {.file = entry.path().string()}};
  }
  if (failed)
    return Error{ErrorCode::kIo,
                 fmt::format("cannot list the shader folder: {}", failed.message()),
                 {.file = override_folder.string()}};
  return library;
}

Result<std::string> ShaderLibrary::source_of(std::string_view name) const {
  if (!folder_.empty() && std::filesystem::exists(folder_ / name)) {
    ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(folder_ / name));
    return std::string(file.text());
  }
  for (const EmbeddedShader& shader : embedded_shaders()) {
    if (shader.name == name) return std::string(shader.text);
  }
  return Error{ErrorCode::kUsage, "there is no such shader file", {.file = std::string(name)}};
}

// Replaces `#include "name"` lines by the files; each file once.
Result<void> ShaderLibrary::expand(std::string_view name, Joined& joined) const {
  ZOE_TRY_ASSIGN(const std::string source, source_of(name));
  const std::size_t own = joined.files.size();
  const bool replaced = !folder_.empty() && std::filesystem::exists(folder_ / name);
  joined.files.push_back(replaced ? (folder_ / name).string() : std::string(name));
  std::int64_t line = 0;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view text(source.data() + begin, end - begin);
    begin = end + 1;
    ++line;
    constexpr std::string_view kInclude = "#include \"";
    if (!text.starts_with(kInclude)) {
      joined.text.append(text).push_back('\n');
      joined.origins.push_back({own, line});
      continue;
    }
    const std::string_view wanted = text.substr(kInclude.size(), text.rfind('"') - kInclude.size());
    const auto is_wanted = [&](const std::string& file) { return std::filesystem::path(file).filename() == wanted; };
    if (std::any_of(joined.files.begin(), joined.files.end(), is_wanted)) continue;
    Result<void> inner = expand(wanted, joined);
    if (inner) continue;
    Error error = std::move(inner).error();
    if (error.where.line < 0)
      error = {
          error.code, fmt::format("includes {}: {}", wanted, error.message), {.file = joined.files[own], .line = line}};
    return error;
  }
  return {};
}

Result<gl::Program> ShaderLibrary::link(std::string_view vertex, std::string_view fragment,
                                        const std::vector<std::string>& defines) const {
  gl::Program program(glCreateProgram());
  std::string head = "#version 450 core\n";
  for (const std::string& define : defines) head += fmt::format("#define {}\n", define);
  for (const auto& [stage, name] : {std::pair{GL_VERTEX_SHADER, vertex}, std::pair{GL_FRAGMENT_SHADER, fragment}}) {
    Joined joined;
    ZOE_TRY(expand(name, joined));
    ZOE_TRY_ASSIGN(const ShaderObject shader, compile(stage, head + joined.text, joined, defines.size() + 1));
    glAttachShader(program.name(), shader.name());
  }
  glLinkProgram(program.name());
  GLint ok = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &ok);
  if (ok == GL_TRUE) return program;
  char log[4096] = {};
  glGetProgramInfoLog(program.name(), sizeof log - 1, nullptr, log);
  return Error{ErrorCode::kInvalid,
               fmt::format("the shaders do not link: {}", first_complaint(log).text),
               {.file = fmt::format("{} + {}", vertex, fragment)}};
}

}  // namespace zoe::render
