// SPDX-License-Identifier: MIT
#include "zoe/ecs/schedule.h"

#include <algorithm>

namespace zoe::ecs {

bool Schedule::System::conflicts(const System& other) const {
  return writes.intersects(other.writes) || writes.intersects(other.reads) || reads.intersects(other.writes);
}

// A system joins the first wave after all that it conflicts with. Waves end together, not system by system: a thread
// without work then helps with the loops inside the systems that still run. A thread that waits for one of them could
// not.
void Schedule::add_system(std::string name, const ComponentMask& reads, const ComponentMask& writes, Run run) {
  if (!open_) {
    sections_.emplace_back();
    open_ = true;
  }
  Section& section = sections_.back();
  const std::size_t index = systems_.size();
  systems_.push_back({std::move(name), reads, writes, std::move(run), false, {}});
  std::size_t wave = 0;
  for (std::size_t w = 0; w < section.waves.size(); ++w) {
    for (const std::size_t other : section.waves[w]) {
      if (systems_[index].conflicts(systems_[other])) wave = w + 1;
    }
  }
  if (wave == section.waves.size()) section.waves.emplace_back();
  section.waves[wave].push_back(index);
  section.systems.push_back(index);
}

Schedule& Schedule::add_exclusive(std::string name, std::function<void(World&)> function) {
  open_ = false;
  add_system(std::move(name), {}, {},
             [function = std::move(function)](World& world, Commands&, Executor&) { function(world); });
  systems_.back().exclusive = true;
  open_ = false;
  return *this;
}

Schedule& Schedule::barrier() {
  open_ = false;
  return *this;
}

void Schedule::run(World& world, Executor& pool) {
  for (Section& section : sections_) {
    for (const std::vector<std::size_t>& wave : section.waves) {
      System& first = systems_[wave[0]];
      if (first.exclusive) {
        first.run(world, first.commands, pool);
        continue;
      }
      const World::Lock lock(world);
      pool.parallel_for(wave.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          System& system = systems_[wave[i]];
          system.run(world, system.commands, pool);
        }
      });
    }
    for (const std::size_t index : section.systems) systems_[index].commands.apply(world);
  }
}

std::vector<std::vector<std::string>> Schedule::waves() const {
  std::vector<std::vector<std::string>> names;
  for (const Section& section : sections_) {
    for (const std::vector<std::size_t>& wave : section.waves) {
      names.emplace_back();
      for (const std::size_t index : wave) names.back().push_back(systems_[index].name);
    }
  }
  return names;
}

}  // namespace zoe::ecs
