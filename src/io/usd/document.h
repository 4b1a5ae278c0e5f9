// SPDX-License-Identifier: MIT
// Part of Zoetrope. A .usda text as a list of prims with their attributes. Values stay text until they are needed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

#include "io/usd/cursor.h"

namespace zoe::io::usd {

enum class AttributeKind : std::uint8_t { kValue, kSamples, kTargets };

struct Attribute {
  std::string_view name;      // Without ".timeSamples" or ".connect".
  std::string_view value;     // Text of the value, of the samples' dictionary, or of the targets.
  std::string_view metadata;  // Text in parentheses behind it.
  std::int32_t prim = 0;
  AttributeKind kind = AttributeKind::kValue;
};

struct Prim {
  std::string_view type, name;
  std::string_view metadata;  // Text in parentheses.
  std::int32_t parent = -1;   // Smaller than the prim's own index.
  std::int32_t first_child = -1, next_sibling = -1;
  std::uint32_t first_attribute = 0, num_attributes = 0;
};

class Document {
 public:
  // `text` must outlive the document. References, payloads and sublayers are refused: the file needs others.
  static Result<Document> parse(std::string_view text, Warnings* warnings);

  std::span<const Prim> prims() const { return prims_; }
  const Prim& prim(int index) const { return prims_[static_cast<std::size_t>(index)]; }
  std::string path(int prim) const;
  // Index of the prim at an absolute path, or -1.
  int find(std::string_view path) const;
  std::vector<int> children(int prim) const;

  // The attribute with that name and kind, or null.
  const Attribute* attribute(int prim, std::string_view name, AttributeKind kind = AttributeKind::kValue) const;
  std::span<const Attribute> attributes(int prim) const {
    return std::span(attributes_)
        .subspan(prims_[static_cast<std::size_t>(prim)].first_attribute,
                 prims_[static_cast<std::size_t>(prim)].num_attributes);
  }
  // Value text of an entry of the layer's metadata, or empty.
  std::string_view layer_entry(std::string_view key) const;

  Error error(ErrorCode code, std::string message, std::string_view at) const {
    return {code, std::move(message), {.line = line_at(text_, at.data())}};
  }

 private:
  friend class DocumentParser;
  std::string_view text_, layer_metadata_;
  std::vector<Prim> prims_;
  std::vector<Attribute> attributes_;    // Grouped by prim.
  std::vector<std::int32_t> by_parent_;  // Prims sorted by parent, then name.
};

// Value text of an entry in metadata, or empty. An entry may have a type: "double zoe_fps = 30".
std::string_view metadata_entry(std::string_view metadata, std::string_view key);

}  // namespace zoe::io::usd
