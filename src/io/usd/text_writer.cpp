// SPDX-License-Identifier: MIT
#include "io/usd/text_writer.h"

namespace zoe::io::usd {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string Names::add(std::string_view wanted, std::string_view fallback) {
  std::string name;
  for (const char c : wanted) name += is_letter(c) || is_digit(c) ? c : '_';
  if (name.empty()) name = fallback;
  if (is_digit(name[0])) name.insert(name.begin(), '_');
  std::string unique = name;
  for (int i = 1; !used_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 32)
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  return out + '"';
}

void TextWriter::begin(std::string_view type, std::string_view name, const std::vector<std::string>& metadata) {
  if (metadata.empty()) {
    line("def {} \"{}\"", type, name);
  } else {
    line("def {} \"{}\" (", type, name);
    indent_ += 4;
    for (const std::string& entry : metadata) line("{}", entry);
    indent_ -= 4;
    line(")");
  }
  line("{{");
  indent_ += 4;
}

void TextWriter::end() {
  indent_ -= 4;
  line("}}");
}

// Row vectors: our four columns are the rows.
void TextWriter::put(const Affined& m) {
  put("( ");
  for (const Vec3d& row : {m.x, m.y, m.z}) put("({}, {}, {}, 0), ", row.x, row.y, row.z);
  put("({}, {}, {}, 1) )", m.t.x, m.t.y, m.t.z);
}

}  // namespace zoe::io::usd
