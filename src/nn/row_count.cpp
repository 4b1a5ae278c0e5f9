// SPDX-License-Identifier: MIT
#include "zoe/nn/row_count.h"

#include <algorithm>
#include <charconv>

namespace zoe::nn {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_dim_name(std::string_view name) {
  if (name.empty() || name.size() > 32 || !is_letter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

RowCount::RowCount(int count) { add(count, 0); }

RowCount RowCount::dim(int index) {
  RowCount count;
  if (index < 0 || index >= kMaxDims) {
    count.valid_ = false;
  } else {
    count.add(1, static_cast<std::uint16_t>(1U << (4 * index)));
  }
  return count;
}

void RowCount::add(std::int64_t factor, std::uint16_t powers) {
  std::array<Term, kMaxTerms> all{};
  int n = 0;
  const auto push = [&](std::int64_t term_factor, std::uint16_t term_powers) {
    if (term_factor == 0) return;
    if (std::abs(term_factor) > kMaxFactor) valid_ = false, term_factor = 1;
    if (n == kMaxTerms) {
      valid_ = false;
    } else {
      all[static_cast<std::size_t>(n++)] = {static_cast<std::int32_t>(term_factor), term_powers};
    }
  };
  bool added = false;
  for (const Term& term : terms()) {
    if (!added && term.powers < powers) push(factor, powers), added = true;
    const bool same = !added && term.powers == powers;
    push(term.factor + (same ? factor : 0), term.powers);
    added = added || same;
  }
  if (!added) push(factor, powers);
  terms_ = all;
  num_terms_ = std::max(n, 1);  // Without terms: the number 0.
}

std::optional<int> RowCount::fixed() const {
  if (num_terms_ != 1 || terms_[0].powers != 0) return std::nullopt;
  return terms_[0].factor;
}

RowCount operator+(const RowCount& a, const RowCount& b) {
  RowCount sum = a;
  for (const RowCount::Term& term : b.terms()) sum.add(term.factor, term.powers);
  sum.valid_ = sum.valid_ && a.valid_ && b.valid_;
  return sum;
}
RowCount operator-(const RowCount& a, const RowCount& b) { return a + b * RowCount(-1); }
RowCount operator*(const RowCount& a, const RowCount& b) {
  RowCount product;
  for (const RowCount::Term& x : a.terms()) {
    for (const RowCount::Term& y : b.terms()) {
      std::uint16_t powers = 0;
      for (int dim = 0; dim < RowCount::kMaxDims; ++dim) {
        const int power = x.power(dim) + y.power(dim);
        if (power > RowCount::kMaxPower) product.valid_ = false;
        powers = static_cast<std::uint16_t>(powers | std::min(power, RowCount::kMaxPower) << (4 * dim));
      }
      product.add(static_cast<std::int64_t>(x.factor) * y.factor, powers);
    }
  }
  product.valid_ = product.valid_ && a.valid_ && b.valid_;
  return product;
}

std::optional<RowCount> RowCount::divided(const RowCount& by) const {
  if (!valid_ || !by.valid_ || by.empty() || empty()) return std::nullopt;
  if (*this == by && !is(0)) return RowCount(1);
  if (by.num_terms_ != 1 || by.terms_[0].factor == 0) return std::nullopt;
  const Term divisor = by.terms_[0];
  RowCount quotient;
  for (const Term& term : terms()) {
    if (term.factor % divisor.factor != 0) return std::nullopt;
    std::uint16_t powers = 0;
    for (int dim = 0; dim < kMaxDims; ++dim) {
      if (term.power(dim) < divisor.power(dim)) return std::nullopt;
      powers = static_cast<std::uint16_t>(powers | (term.power(dim) - divisor.power(dim)) << (4 * dim));
    }
    quotient.add(term.factor / divisor.factor, powers);
  }
  return quotient;
}

std::optional<RowCount> RowCount::floor_divided(int by) const {
  if (!valid_ || by < 1 || empty()) return std::nullopt;
  RowCount quotient(0);
  for (const Term& term : terms()) {
    const std::int32_t rest = ((term.factor % by) + by) % by;
    if (term.powers != 0 && rest != 0) return std::nullopt;
    quotient.add((term.factor - rest) / by, term.powers);
  }
  return quotient;
}

std::optional<int> RowCount::evaluate(std::span<const int> sizes) const {
  if (!valid_ || empty()) return std::nullopt;
  constexpr std::int64_t kMost = INT32_MAX;
  std::int64_t sum = 0;
  for (const Term& term : terms()) {
    std::int64_t product = term.factor;
    for (int dim = 0; dim < kMaxDims; ++dim) {
      for (int i = 0; i < term.power(dim); ++i) {
        if (static_cast<std::size_t>(dim) >= sizes.size()) return std::nullopt;
        product *= sizes[static_cast<std::size_t>(dim)];
        if (std::abs(product) > kMost) return std::nullopt;
      }
    }
    sum += product;
  }
  if (std::abs(sum) > kMost) return std::nullopt;
  return static_cast<int>(sum);
}

std::string RowCount::text(std::span<const std::string> dims) const {
  std::string out;
  for (const Term& term : terms()) {
    std::string part;
    for (int dim = 0; dim < kMaxDims; ++dim) {
      for (int i = 0; i < term.power(dim); ++i) {
        if (!part.empty()) part += '*';
        part += static_cast<std::size_t>(dim) < dims.size() ? dims[static_cast<std::size_t>(dim)] : "?";
      }
    }
    const std::int64_t size = std::abs(static_cast<std::int64_t>(term.factor));
    if (part.empty()) {
      part = std::to_string(size);
    } else if (size != 1) {
      part = std::to_string(size) + "*" + part;
    }
    if (term.factor < 0) {
      out += '-';
    } else if (!out.empty()) {
      out += '+';
    }
    out += part;
  }
  return out;
}

std::optional<RowCount> RowCount::parse(std::string_view text, std::span<const std::string> dims) {
  if (text.empty() || text.size() > 512) return std::nullopt;
  RowCount sum(0);
  std::size_t at = 0;
  while (at < text.size()) {
    RowCount product(1);
    if (text[at] == '-' || (text[at] == '+' && at > 0)) {
      if (text[at] == '-') product = RowCount(-1);
      ++at;
    } else if (at > 0) {
      return std::nullopt;
    }
    for (;;) {
      const std::size_t begin = at;
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
      const std::string_view word = text.substr(begin, at - begin);
      if (word.empty()) return std::nullopt;
      if (is_digit(word[0])) {
        int number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error != std::errc() || end != word.data() + word.size() || number > kMaxFactor) return std::nullopt;
        product = product * RowCount(number);
      } else {
        const auto found = std::find(dims.begin(), dims.end(), word);
        if (found == dims.end()) return std::nullopt;
        product = product * dim(static_cast<int>(found - dims.begin()));
      }
      if (at == text.size() || text[at] != '*') break;
      ++at;
    }
    sum = sum + product;
  }
  if (!sum.valid()) return std::nullopt;
  return sum;
}

}  // namespace zoe::nn
