// SPDX-License-Identifier: MIT
// Part of Zoetrope. A number of rows that may depend on named dimensions of a graph, so that one network serves any
// number of joints and frames: a sum of products, e.g. frames * joints + joints.
//
//   const RowCount frames = b.dim("frames"), joints = b.dim("joints");
//   const int x = b.input("x", 13, frames * joints);
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zoe::nn {

class RowCount {
 public:
  static constexpr int kMaxDims = 4, kMaxTerms = 4, kMaxPower = 3;
  static constexpr std::int64_t kMaxFactor = std::int64_t{1} << 30;

  constexpr RowCount() = default;  // Empty: unless stated. Not zero rows.
  RowCount(int count);             // NOLINT(google-explicit-constructor): a number is a row count.
  static RowCount dim(int index);

  bool empty() const { return num_terms_ == 0; }
  // The number, where it depends on no dimension.
  std::optional<int> fixed() const;
  bool is(int count) const { return fixed() == count; }
  // False after arithmetic with too many terms, powers or digits.
  bool valid() const { return valid_; }

  struct Term {
    std::int32_t factor = 0;
    std::uint16_t powers = 0;  // 4 bits for each dimension.
    int power(int dim) const { return (powers >> (4 * dim)) & 15; }
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::span<const Term> terms() const { return {terms_.data(), static_cast<std::size_t>(num_terms_)}; }

  friend RowCount operator+(const RowCount& a, const RowCount& b);
  friend RowCount operator-(const RowCount& a, const RowCount& b);
  friend RowCount operator*(const RowCount& a, const RowCount& b);
  friend bool operator==(const RowCount&, const RowCount&) = default;
  // Exact quotient. `by` has one term, or equals this.
  std::optional<RowCount> divided(const RowCount& by) const;
  // Rounded down. Every term that depends on a dimension must be a multiple.
  std::optional<RowCount> floor_divided(int by) const;

  // With sizes for the dimensions. Nothing where the number does not fit into 31 bits.
  std::optional<int> evaluate(std::span<const int> sizes) const;

  // "frames*joints+joints", and back. Nothing for a text that is none, or names other dimensions.
  std::string text(std::span<const std::string> dims) const;
  static std::optional<RowCount> parse(std::string_view text, std::span<const std::string> dims);

 private:
  void add(std::int64_t factor, std::uint16_t powers);

  std::array<Term, kMaxTerms> terms_{};  // By decreasing powers; no factor is 0, but that of the number 0.
  int num_terms_ = 0;
  bool valid_ = true;
};

// 1 to 32 of a-z, 0-9 and _, from a letter on.
bool is_dim_name(std::string_view name);

}  // namespace zoe::nn
