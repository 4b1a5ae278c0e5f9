// SPDX-License-Identifier: MIT
// Part of Zoetrope. One list of fields for saving, restoring and hashing, so that the three cannot disagree.
//
//   void Spring::describe(StateArchive& archive) {
//     archive.finite(value_);
//     archive.integer(age_, 0, 100);
//   }
//
// An archive is in one of five modes: it measures, writes, hashes, checks or reads. describe() is the same in all of
// them. Bytes have no padding: numbers follow each other, little-endian, floats by their bits. The number of bytes
// never depends on values, so the owner knows it beforehand. Unused parts are written as zeros.
//
// Bytes may come from a network. Check them before reading: a check changes nothing, and a read of checked bytes cannot
// fail. Nothing here allocates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <type_traits>

#include "zoe/core/bytes.h"
#include "zoe/core/check.h"
#include "zoe/core/hash64.h"

namespace zoe {

class StateArchive {
 public:
  static StateArchive measuring() { return StateArchive(Mode::kMeasure, nullptr, nullptr, 0); }
  static StateArchive hashing() { return StateArchive(Mode::kHash, nullptr, nullptr, 0); }
  static StateArchive writing(std::span<std::byte> out) {
    return StateArchive(Mode::kWrite, nullptr, out.data(), out.size());
  }
  static StateArchive checking(std::span<const std::byte> bytes) {
    return StateArchive(Mode::kCheck, bytes.data(), nullptr, bytes.size());
  }
  static StateArchive reading(std::span<const std::byte> bytes) {
    return StateArchive(Mode::kRead, bytes.data(), nullptr, bytes.size());
  }

  // True while fields are being changed. Values derived from them must be updated then.
  bool reads() const { return mode_ == Mode::kRead; }
  std::size_t num_bytes() const { return at_; }
  std::uint64_t hash() const { return hash_.finish(); }
  // Of a check: null, or the defect of the bytes, and the first byte of its field.
  const char* problem() const { return problem_; }
  std::size_t problem_at() const { return problem_at_; }

  // Plain numbers, or structs of floats alone (the caller ensures that they have no padding). Any bits are valid.
  template <typename T>
  void bits(T& value) {
    bits(std::span<T>(&value, 1));
  }
  template <typename T, std::size_t N>
  void bits(std::span<T, N> values) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
    pass(values.data(), values.size_bytes());
  }

  // The same; numbers that are not finite are refused. Floats, doubles and structs of floats.
  template <typename T>
  void finite(T& value) {
    finite(std::span<T>(&value, 1));
  }
  template <typename T, std::size_t N>
  void finite(std::span<T, N> values) {
    using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(Number) == 0);
    if (mode_ == Mode::kCheck) {
      for (std::size_t i = 0; i < values.size_bytes() && fits(i + sizeof(Number)); i += sizeof(Number)) {
        if (!std::isfinite(load_le<Number>(in_ + at_ + i))) fail("a number is not finite");
      }
    }
    bits(values);
  }

  // Structs of floats whose squared length is within `tolerance` of one, such as rotations; others are refused.
  template <typename T, std::size_t N>
  void unit(std::span<T, N> values, float tolerance) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(float) == 0);
    for (std::size_t i = 0; mode_ == Mode::kCheck && i < values.size_bytes() && fits(i + sizeof(T)); i += sizeof(T)) {
      float sum = 0;
      for (std::size_t k = 0; k < sizeof(T); k += sizeof(float)) {
        const auto x = load_le<float>(in_ + at_ + i + k);
        sum += x * x;
      }
      if (!(std::abs(sum - 1) <= tolerance)) fail("a rotation is not of unit length");
    }
    bits(values);
  }

  // A number within [low, high]; any other is refused. Returns the one in the bytes, also while they are only checked.
  template <typename T>
  T number(T& value, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T there = value;
    if (is_from_bytes() && fits(sizeof(T))) there = load_le<T>(in_ + at_);
    if (mode_ == Mode::kCheck && !(there >= low && there <= high)) {
      fail("a number is out of its range");
      there = low;
    }
    bits(value);
    return there;
  }
  // As a byte, 0 or 1.
  bool flag(bool& value) {
    std::uint8_t byte = value ? 1 : 0;
    const bool there = number(byte, 0, 1) != 0;
    if (reads()) value = there;
    return there;
  }
  // An enumeration whose values are 0 to `last`.
  template <typename E>
  void choice(E& value, E last) {
    static_assert(std::is_enum_v<E>);
    auto number_of = static_cast<std::underlying_type_t<E>>(value);
    number(number_of, 0, static_cast<std::underlying_type_t<E>>(last));
    if (reads()) value = static_cast<E>(number_of);
  }
  // Unused space: written as zeros, and ignored when read.
  void unused(std::size_t num_bytes) {
    static constexpr std::byte kZeros[64] = {};
    for (; num_bytes > 0; num_bytes -= std::min(num_bytes, sizeof(kZeros))) {
      const std::size_t size = std::min(num_bytes, sizeof(kZeros));
      const bool has_bytes = mode_ == Mode::kWrite || is_from_bytes();
      if (has_bytes && !fits(size)) return;
      if (mode_ == Mode::kWrite) std::memcpy(out_ + at_, kZeros, size);
      if (mode_ == Mode::kHash) hash_.add(std::span(kZeros).first(size));
      at_ += size;
    }
  }
  // For conditions beyond a number's range. Has an effect only while bytes are checked.
  void require(bool condition, const char* otherwise) {
    if (mode_ == Mode::kCheck && !condition) fail(otherwise);
  }

 private:
  enum class Mode : std::uint8_t { kMeasure, kWrite, kHash, kCheck, kRead };

  StateArchive(Mode mode, const std::byte* in, std::byte* out, std::size_t size)
      : mode_(mode), in_(in), out_(out), size_(size) {}

  bool is_from_bytes() const { return mode_ == Mode::kCheck || mode_ == Mode::kRead; }
  // True if the next num_bytes are available. Writers and readers were given the measured number of bytes.
  bool fits(std::size_t num_bytes) {
    if (num_bytes <= size_ - at_) return true;
    ZOE_CHECK(mode_ == Mode::kCheck, "StateArchive: fewer bytes than were measured, or not checked before reading");
    fail("the bytes end too early");
    return false;
  }
  void fail(const char* what) {
    if (problem_ != nullptr) return;
    problem_ = what;
    problem_at_ = at_;
  }
  void pass(void* values, std::size_t num_bytes) {
    switch (mode_) {
      case Mode::kMeasure:
        break;
      case Mode::kWrite:
        if (num_bytes > 0 && fits(num_bytes)) std::memcpy(out_ + at_, values, num_bytes);
        break;
      case Mode::kHash:
        hash_.add({static_cast<const std::byte*>(values), num_bytes});
        break;
      case Mode::kCheck:
        if (!fits(num_bytes)) return;
        break;
      case Mode::kRead:
        if (num_bytes > 0 && fits(num_bytes)) std::memcpy(values, in_ + at_, num_bytes);
        break;
    }
    at_ += num_bytes;
  }

  Mode mode_;
  const std::byte* in_;
  std::byte* out_;
  std::size_t size_;  // Of in_ or out_.
  std::size_t at_ = 0;
  const char* problem_ = nullptr;
  std::size_t problem_at_ = 0;
  Hash64 hash_;
};

}  // namespace zoe
