// SPDX-License-Identifier: MIT
#include "zoe/ecs/component.h"

#include <mutex>

#include "zoe/core/check.h"

namespace zoe::ecs {
namespace {

// Entries never move, so that tables may keep pointers to them.
struct Registry {
  std::mutex mutex;
  std::array<ComponentInfo, kMaxComponentTypes> infos;
  std::size_t size = 0;
};
Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

ComponentId register_component(const ComponentInfo& info) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  ZOE_CHECK(all.size < kMaxComponentTypes, "more than 256 component types in one process");
  all.infos[all.size] = info;
  return static_cast<ComponentId>(all.size++);
}

const ComponentInfo& component_info(ComponentId id) { return registry().infos[id]; }

}  // namespace zoe::ecs
