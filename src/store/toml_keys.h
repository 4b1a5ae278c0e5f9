// SPDX-License-Identifier: MIT
// Part of Zoetrope. The tables and keys that a TOML text has defined so far. Each may be defined once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace zoe {

class TomlKeys {
 public:
  // A [header]: makes its table the current one. Returns the error, or nullopt.
  std::optional<std::string> open_table(std::span<const std::string> parts);
  // A key with a value in the current table, possibly dotted.
  std::optional<std::string> add_key(std::span<const std::string> parts);

 private:
  enum class Type : std::uint8_t {
    kValue,
    kTable,          // By its own header.
    kImplicitTable,  // By the header of a table inside it. May get a header later.
    kDottedTable,    // By dotted keys. Cannot get a header.
  };
  struct Node {
    Type type = Type::kTable;
    bool has_values = false;
  };

  std::optional<int> find(int table, const std::string& name) const;
  int add(int table, const std::string& name, Type type);

  std::vector<Node> nodes_{Node{}};  // The first is the root.
  std::map<std::pair<int, std::string>, int> children_;
  int current_ = 0;
};

// "a.b"; for messages and flat keys.
std::string join_key(std::span<const std::string> parts);

}  // namespace zoe
