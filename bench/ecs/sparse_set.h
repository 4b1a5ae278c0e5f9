// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. The other common storage of components, for comparison: each component type has a
// dense array and a table from entity to index.
#pragma once

#include <cstdint>
#include <vector>

namespace zoe::bench {

template <typename T>
class SparseSet {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  void add(std::uint32_t entity, const T& component) {
    if (entity >= place_.size()) place_.resize(entity + 1, kNone);
    place_[entity] = static_cast<std::uint32_t>(dense_.size());
    dense_.push_back(component);
    entities_.push_back(entity);
  }
  void remove(std::uint32_t entity) {
    const std::uint32_t hole = place_[entity];
    dense_[hole] = dense_.back();
    entities_[hole] = entities_.back();
    place_[entities_[hole]] = hole;
    place_[entity] = kNone;
    dense_.pop_back();
    entities_.pop_back();
  }
  T* find(std::uint32_t entity) {
    if (entity >= place_.size() || place_[entity] == kNone) return nullptr;
    return &dense_[place_[entity]];
  }
  std::vector<std::uint32_t>& entities() { return entities_; }
  std::vector<T>& dense() { return dense_; }

 private:
  std::vector<std::uint32_t> place_, entities_;
  std::vector<T> dense_;
};

}  // namespace zoe::bench
