// SPDX-License-Identifier: MIT
// Part of Zoetrope. Values of .usda attributes: numbers, tokens, paths, time samples.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "zoe/math/affine.h"

#include "io/usd/document.h"

namespace zoe::io::usd {

// All numbers of a value, whatever its brackets; their count must be a multiple. "None" gives none.
template <typename T>
Result<std::vector<T>> read_numbers(const Document& document, std::string_view value, std::size_t multiple = 1);

// Strings or tokens of a list, or the only one. Views into the text, escapes left in.
std::vector<std::string_view> read_tokens(std::string_view value);
// Absolute paths between < and >.
std::vector<std::string_view> read_paths(std::string_view value);

struct Sample {
  double time = 0;
  std::string_view value;
};
// Ascending times.
Result<std::vector<Sample>> read_samples(const Document& document, std::string_view value);

// 16 numbers of a row-vector matrix: its four rows are our columns.
Affined to_affine(const double* m);

// The value of an attribute, or its first sample: what a reader of the rest pose needs. Empty when absent.
Result<std::string_view> value_or_first_sample(const Document& document, int prim, std::string_view name,
                                               bool* sampled = nullptr);

// One number or token of an attribute, or the fallback where it is absent.
Result<double> read_number(const Document& document, int prim, std::string_view name, double fallback);
std::string_view read_token(const Document& document, int prim, std::string_view name, std::string_view fallback);
// A plain number in metadata, or the fallback.
double metadata_number(std::string_view metadata, std::string_view key, double fallback);

}  // namespace zoe::io::usd
