// SPDX-License-Identifier: MIT
#include "store/toml_keys.h"

#include <fmt/format.h>

namespace zoe {

std::string join_key(std::span<const std::string> parts) { return fmt::format("{}", fmt::join(parts, ".")); }

std::optional<int> TomlKeys::find(int table, const std::string& name) const {
  const auto found = children_.find({table, name});
  return found == children_.end() ? std::nullopt : std::optional(found->second);
}

int TomlKeys::add(int table, const std::string& name, Type type) {
  const int id = static_cast<int>(nodes_.size());
  nodes_.push_back({type});
  if (type == Type::kValue) nodes_[static_cast<std::size_t>(table)].has_values = true;
  children_.emplace(std::pair(table, name), id);
  return id;
}

std::optional<std::string> TomlKeys::open_table(std::span<const std::string> parts) {
  int table = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const std::optional<int> found = find(table, parts[i]);
    if (!found) {
      table = add(table, parts[i], last ? Type::kTable : Type::kImplicitTable);
      continue;
    }
    table = *found;
    Node& node = nodes_[static_cast<std::size_t>(table)];
    if (node.type == Type::kValue)
      return fmt::format("[{}] would be a table, but '{}' has a value", join_key(parts), join_key(parts.first(i + 1)));
    if (!last) continue;
    if (node.type != Type::kImplicitTable || node.has_values)
      return fmt::format("the table [{}] appears twice: put its keys together", join_key(parts));
    node.type = Type::kTable;
  }
  current_ = table;
  return std::nullopt;
}

std::optional<std::string> TomlKeys::add_key(std::span<const std::string> parts) {
  int table = current_;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::optional<int> found = find(table, parts[i]);
    if (!found) {
      table = add(table, parts[i], Type::kDottedTable);
      continue;
    }
    table = *found;
    const Type type = nodes_[static_cast<std::size_t>(table)].type;
    if (type == Type::kValue)
      return fmt::format("'{}' has a value, so '{}' cannot be set", join_key(parts.first(i + 1)), join_key(parts));
    if (type == Type::kTable)
      return fmt::format("'{}' belongs to the table [{}], which has a header: put it there", join_key(parts),
                         join_key(parts.first(i + 1)));
  }
  if (find(table, parts.back())) return fmt::format("the key '{}' appears twice: remove one", join_key(parts));
  add(table, parts.back(), Type::kValue);
  return std::nullopt;
}

}  // namespace zoe
