// SPDX-License-Identifier: MIT
// Part of Zoetrope. The rows of a network's value as [outer, over, inner]: see zoe/nn/graph.h.
#pragma once

#include "zoe/nn/graph.h"

namespace zoe::train {

struct RowGroups {
  nn::RowCount outer, over, inner;
};

// Of a valid node whose first input has `rows`.
RowGroups groups_of(const nn::RowCount& rows, const nn::Attributes& attributes);
// Keys of one group of an attention with `key_rows`.
nn::RowCount keys_of(const RowGroups& groups, const nn::RowCount& rows, const nn::RowCount& key_rows, bool shared);

}  // namespace zoe::train
