// SPDX-License-Identifier: MIT
#include "train/row_groups.h"

#include "zoe/core/check.h"

namespace zoe::train {
namespace {

nn::RowCount quotient(const nn::RowCount& rows, const nn::RowCount& by) {
  const std::optional<nn::RowCount> found = rows.divided(by);
  ZOE_CHECK(found.has_value(), "the graph was not validated");
  return *found;
}

}  // namespace

RowGroups groups_of(const nn::RowCount& rows, const nn::Attributes& attributes) {
  const nn::RowCount inner = attributes.inner.empty() ? nn::RowCount(1) : attributes.inner;
  const nn::RowCount rest = quotient(rows, inner);
  if (attributes.over.empty()) return {1, rest, inner};
  return {quotient(rest, attributes.over), attributes.over, inner};
}

nn::RowCount keys_of(const RowGroups& groups, const nn::RowCount& rows, const nn::RowCount& key_rows, bool shared) {
  if (shared) return key_rows;
  if (key_rows == rows) return groups.over;
  return quotient(quotient(key_rows, groups.inner), groups.outer);
}

}  // namespace zoe::train
