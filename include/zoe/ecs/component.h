// SPDX-License-Identifier: MIT
// Part of Zoetrope. What storage needs of a component type, and sets of component types. Any movable type is a
// component: a struct of numbers, a std::string, a unique_ptr. Nothing is registered by hand.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "zoe/ecs/entity.h"

namespace zoe::ecs {

// Assigned at a type's first use, so its value differs between programs: never store one.
using ComponentId = std::uint16_t;
constexpr std::size_t kMaxComponentTypes = 256;  // Per process; one more is a failed check.

// Maps promised entities to real ones.
using EntityMap = Entity (*)(const void* context, Entity entity);

struct ComponentInfo {
  std::size_t size = 0, alignment = 1;
  // Moves `count` adjacent components to raw memory and destroys the originals. A move that throws ends the process.
  void (*relocate)(void* to, void* from, std::size_t count) noexcept = nullptr;
  void (*destroy)(void* at, std::size_t count) noexcept = nullptr;
  // Replaces the entities inside a component; null where it holds none.
  void (*map_entities)(void* component, EntityMap map, const void* context) = nullptr;
  std::string_view name;  // For messages.
};

ComponentId register_component(const ComponentInfo& info);
const ComponentInfo& component_info(ComponentId id);

// A component that refers to entities declares it with a function beside its type, which calls f for each of them:
//   template <typename F> void visit_entities(Parent& parent, F&& f) { f(parent.entity); }
template <typename T>
concept HoldsEntities = requires(T& component, void (*f)(Entity&)) {
  visit_entities(component, f);
};

namespace detail {

template <typename T>
constexpr std::string_view type_name() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;  // "… [with T = Name; …" or "… [T = Name]".
  constexpr std::size_t begin = text.find("T = ") + 4;
  return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

template <typename T>
ComponentInfo make_component_info() {
  ComponentInfo info;
  info.size = sizeof(T);
  info.alignment = alignof(T);
  info.name = type_name<T>();
  info.relocate = [](void* to, void* from, std::size_t count) noexcept {
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (count == 1) {  // The usual case, with a size known to the compiler.
        std::memcpy(to, from, sizeof(T));
      } else {
        std::memcpy(to, from, count * sizeof(T));
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        T* old = static_cast<T*>(from) + i;
        std::construct_at(static_cast<T*>(to) + i, std::move(*old));
        std::destroy_at(old);
      }
    }
  };
  info.destroy = [](void* at, std::size_t count) noexcept { std::destroy_n(static_cast<T*>(at), count); };
  if constexpr (HoldsEntities<T>) {
    info.map_entities = [](void* component, EntityMap map, const void* context) {
      visit_entities(*static_cast<T*>(component), [&](Entity& entity) { entity = map(context, entity); });
    };
  }
  return info;
}

}  // namespace detail

template <typename T>
ComponentId component_id() {
  static_assert(std::is_same_v<T, std::remove_cvref_t<T>> && std::is_object_v<T>, "a component is a plain type");
  static_assert(std::is_move_constructible_v<T> && std::is_destructible_v<T>, "components are moved between tables");
  static const ComponentId id = register_component(detail::make_component_info<T>());
  return id;
}

// True if no type occurs twice.
template <typename... Ts>
constexpr bool all_distinct() {
  if constexpr (sizeof...(Ts) < 2) {
    return true;
  } else {
    return []<typename First, typename... Rest>(std::type_identity<std::tuple<First, Rest...>>) {
      return !(std::is_same_v<First, Rest> || ...) && all_distinct<Rest...>();
    }(std::type_identity<std::tuple<Ts...>>{});
  }
}

// A set of component types.
class ComponentMask {
 public:
  void set(ComponentId id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); }
  void clear(ComponentId id) { words_[id / 64] &= ~(std::uint64_t{1} << (id % 64)); }
  bool test(ComponentId id) const { return (words_[id / 64] >> (id % 64) & 1) != 0; }
  bool contains(const ComponentMask& other) const {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) missing |= other.words_[i] & ~words_[i];
    return missing == 0;
  }
  bool intersects(const ComponentMask& other) const {
    std::uint64_t shared = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) shared |= other.words_[i] & words_[i];
    return shared != 0;
  }
  // In ascending order.
  template <typename Function>
  void for_each(const Function& function) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        function(static_cast<ComponentId>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
  }
  std::size_t hash() const {
    std::uint64_t h = 0;
    for (const std::uint64_t word : words_) h = (h ^ word) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(h ^ h >> 29);
  }
  friend bool operator==(const ComponentMask&, const ComponentMask&) = default;

 private:
  std::array<std::uint64_t, kMaxComponentTypes / 64> words_{};
};

}  // namespace zoe::ecs
