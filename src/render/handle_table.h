// SPDX-License-Identifier: MIT
// Objects of a renderer, by handle.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "zoe/core/check.h"
#include "zoe/render/handles.h"

namespace zoe::render {

// Slots are reused. The upper bits of a handle count the reuses, so that a stale handle is detected.
template <typename HandleT, typename Value>
class HandleTable {
 public:
  HandleT add(Value value) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    ZOE_CHECK(index < kMaxSlots, "a million meshes, textures or materials at once");
    slots_[index].value.emplace(std::move(value));
    return HandleT{slots_[index].generation << kIndexBits | (index + 1)};
  }
  void remove(HandleT handle) {
    Slot& slot = slots_[index_of(handle)];
    slot.value.reset();
    slot.generation = (slot.generation + 1) & ((1U << (32 - kIndexBits)) - 1);
    free_.push_back((handle.value & kMaxSlots) - 1);
  }
  const Value& get(HandleT handle) const { return *slots_[index_of(handle)].value; }

 private:
  static constexpr std::uint32_t kIndexBits = 20, kMaxSlots = (1U << kIndexBits) - 1;
  struct Slot {
    std::optional<Value> value;
    std::uint32_t generation = 0;
  };
  std::size_t index_of(HandleT handle) const {
    const std::size_t index = std::size_t{handle.value & kMaxSlots} - 1;
    ZOE_CHECK(index < slots_.size() && slots_[index].value.has_value() &&
                  slots_[index].generation == handle.value >> kIndexBits,
              "a handle of another renderer, or of something removed");
    return index;
  }
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace zoe::render
