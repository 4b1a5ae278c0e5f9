// SPDX-License-Identifier: MIT
#include "io/usd/document.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace zoe::io::usd {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxPrims = std::size_t{1} << 18;

bool is_list_edit(std::string_view word) {
  constexpr std::array kEdits{"prepend", "append", "add", "delete", "reorder"};
  return std::find(kEdits.begin(), kEdits.end(), word) != kEdits.end();
}

}  // namespace

std::string_view metadata_entry(std::string_view metadata, std::string_view key) {
  Cursor cursor(metadata);
  std::string_view last, value;
  while (!cursor.done()) {
    if (cursor.accept('=')) {
      if (!cursor.value(value)) return {};
      if (last == key) return value;
      continue;
    }
    if (const std::string_view word = cursor.word(); !word.empty()) {
      last = word;
    } else if (!cursor.value(value) && !cursor.accept(';') && !cursor.accept(',') && !cursor.accept('(') &&
               !cursor.accept(')') && !cursor.accept('{') && !cursor.accept('}')) {
      return {};
    }
  }
  return {};
}

class DocumentParser {
 public:
  DocumentParser(std::string_view text, Warnings* warnings) : cursor_(text), warnings_(warnings) { out_.text_ = text; }

  Result<Document> run() {
    if (out_.text_.starts_with("PXR-USDC")) {
      return Error{ErrorCode::kUnsupported,
                   "binary USD (crate) is not read; convert it to text first, for example with "
                   "\"usdcat in.usdc -o out.usda\", or export .usda or .glb",
                   {}};
    }
    if (!out_.text_.starts_with("#usda ")) {
      return Error{ErrorCode::kSyntax, "not a .usda text: the first line must be \"#usda 1.0\"", {.line = 1}};
    }
    if (cursor_.peek() == '(') ZOE_TRY(read_metadata(out_.layer_metadata_));
    while (!cursor_.done()) {
      if (cursor_.accept(';')) continue;
      ZOE_TRY_ASSIGN(const bool found, statement(-1, 0));
      if (!found) return syntax("expected \"def\", \"over\" or \"class\"");
    }
    finish();
    return std::move(out_);
  }

 private:
  Error syntax(std::string message) {
    cursor_.skip();
    return {ErrorCode::kSyntax, std::move(message), {.line = line_at(out_.text_, cursor_.position())}};
  }

  // What another file would contribute cannot be read here.
  Result<void> check_composition(std::string_view metadata) {
    for (const char* key : {"references", "payload", "subLayers", "inherits", "specializes"}) {
      const std::string_view value = metadata_entry(metadata, key);
      if (value.empty() || value == "None" || value == "[]") continue;
      return out_.error(ErrorCode::kUnsupported,
                        fmt::format("the file composes others ({}), which is not read; flatten it first, for example "
                                    "with \"usdcat --flatten in.usda -o out.usda\"",
                                    key),
                        value);
    }
    return {};
  }

  Result<void> read_metadata(std::string_view& metadata) {
    std::string_view whole;
    if (!cursor_.value(whole)) return syntax("metadata in parentheses is not closed");
    metadata = whole.substr(1, whole.size() - 2);
    return check_composition(metadata);
  }

  // A prim or an attribute. False when neither starts here.
  Result<bool> statement(int parent, int depth) {
    std::string_view word = cursor_.word();
    if (word == "def" || word == "over" || word == "class") {
      ZOE_TRY(read_prim(parent, depth, word));
      return true;
    }
    if (word.empty() || parent < 0) return false;
    if (word == "variantSet") {
      std::string_view ignored;
      if (!cursor_.string(ignored) || !cursor_.accept('=') || !cursor_.value(ignored))
        return syntax("a variant set is not closed");
      if (!warned_variants_)
        warnings_->push_back(
            {"variant sets are not read; what they change is missing", {.line = line_at(out_.text_, word.data())}});
      warned_variants_ = true;
      return true;
    }
    ZOE_TRY(read_attribute(parent, word));
    return true;
  }

  Result<void> read_prim(int parent, int depth, std::string_view specifier) {
    if (depth >= kMaxDepth)
      return Error{ErrorCode::kLimit,
                   fmt::format("prims are nested deeper than {}", kMaxDepth),
                   {.line = line_at(out_.text_, specifier.data())}};
    if (out_.prims_.size() >= kMaxPrims)
      return Error{ErrorCode::kLimit, fmt::format("more than {} prims", kMaxPrims), {}};
    Prim prim;
    prim.parent = parent;
    prim.type = cursor_.word();
    if (!cursor_.string(prim.name)) return syntax("expected the name of a prim in quotes");
    if (cursor_.peek() == '(') ZOE_TRY(read_metadata(prim.metadata));
    if (!cursor_.accept('{')) return syntax("expected { after the name of a prim");
    // A class is never part of the scene itself, and an "over" has nothing to change here.
    if (specifier != "def" || (parent >= 0 && out_.prim(parent).type == "class")) prim.type = "class";
    const auto index = static_cast<std::int32_t>(out_.prims_.size());
    out_.prims_.push_back(prim);
    while (!cursor_.accept('}')) {
      if (cursor_.accept(';')) continue;
      if (cursor_.done()) return syntax(fmt::format("prim \"{}\" is not closed", prim.name));
      ZOE_TRY_ASSIGN(const bool found, statement(index, depth + 1));
      if (!found) return syntax("expected an attribute, a prim or }");
    }
    return {};
  }

  // [custom] [uniform] [prepend] TYPE NAME[.timeSamples|.connect] [= VALUE] [(METADATA)]
  Result<void> read_attribute(int prim, std::string_view word) {
    while (word == "custom" || word == "uniform" || word == "varying" || word == "config" || is_list_edit(word))
      word = cursor_.word();
    Attribute attribute;
    attribute.prim = prim;
    const bool relation = word == "rel";
    attribute.name = cursor_.word();
    if (word.empty() || attribute.name.empty()) return syntax("expected a type and a name");
    if (relation) attribute.kind = AttributeKind::kTargets;
    for (const auto& [suffix, kind] : {std::pair(std::string_view(".timeSamples"), AttributeKind::kSamples),
                                       std::pair(std::string_view(".connect"), AttributeKind::kTargets)}) {
      if (!attribute.name.ends_with(suffix)) continue;
      attribute.name.remove_suffix(suffix.size());
      attribute.kind = kind;
    }
    if (cursor_.accept('=') && !cursor_.value(attribute.value))
      return syntax(fmt::format("the value of {} is not closed", attribute.name));
    if (cursor_.peek() == '(') {
      if (!cursor_.value(attribute.metadata)) return syntax("metadata in parentheses is not closed");
      attribute.metadata = attribute.metadata.substr(1, attribute.metadata.size() - 2);
    }
    if (!attribute.value.empty()) out_.attributes_.push_back(attribute);
    return {};
  }

  void finish() {
    std::stable_sort(out_.attributes_.begin(), out_.attributes_.end(),
                     [](const Attribute& a, const Attribute& b) { return a.prim < b.prim; });
    for (std::size_t i = 0; i < out_.attributes_.size(); ++i) {
      Prim& prim = out_.prims_[static_cast<std::size_t>(out_.attributes_[i].prim)];
      if (prim.num_attributes++ == 0) prim.first_attribute = static_cast<std::uint32_t>(i);
    }
    std::vector<Prim>& prims = out_.prims_;
    for (std::size_t i = prims.size(); i-- > 0;) {
      out_.by_parent_.push_back(static_cast<std::int32_t>(i));
      if (prims[i].parent < 0) continue;
      Prim& parent = prims[static_cast<std::size_t>(prims[i].parent)];
      prims[i].next_sibling = parent.first_child;
      parent.first_child = static_cast<std::int32_t>(i);
    }
    std::stable_sort(out_.by_parent_.begin(), out_.by_parent_.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair(out_.prim(a).parent, out_.prim(a).name) < std::pair(out_.prim(b).parent, out_.prim(b).name);
    });
  }

  Cursor cursor_;
  Warnings* warnings_;
  Document out_;
  bool warned_variants_ = false;
};

Result<Document> Document::parse(std::string_view text, Warnings* warnings) {
  return DocumentParser(text, warnings).run();
}

std::string Document::path(int prim) const {
  if (prim < 0) return {};
  return path(prims_[static_cast<std::size_t>(prim)].parent) + "/" +
         std::string(prims_[static_cast<std::size_t>(prim)].name);
}

int Document::find(std::string_view path) const {
  int at = -1;
  while (!path.empty()) {
    if (!path.starts_with('/')) return -1;
    path.remove_prefix(1);
    const std::pair key(at, path.substr(0, path.find('/')));
    path.remove_prefix(key.second.size());
    const auto found = std::lower_bound(by_parent_.begin(), by_parent_.end(), key, [&](std::int32_t i, const auto& k) {
      return std::pair(prim(i).parent, prim(i).name) < k;
    });
    if (found == by_parent_.end() || std::pair(prim(*found).parent, prim(*found).name) != key) return -1;
    at = *found;
  }
  return at;
}

std::vector<int> Document::children(int prim_index) const {
  std::vector<int> found;
  for (int child = prim(prim_index).first_child; child >= 0; child = prim(child).next_sibling) found.push_back(child);
  return found;
}

const Attribute* Document::attribute(int prim, std::string_view name, AttributeKind kind) const {
  for (const Attribute& attribute : attributes(prim)) {
    if (attribute.kind == kind && attribute.name == name) return &attribute;
  }
  return nullptr;
}

std::string_view Document::layer_entry(std::string_view key) const { return metadata_entry(layer_metadata_, key); }

}  // namespace zoe::io::usd
