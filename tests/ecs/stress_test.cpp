// SPDX-License-Identifier: MIT
// Random operations on a world and on a naive model of one: a map from entity to optional components.
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/ecs/commands.h"
#include "zoe/ecs/query.h"

#include "support/allocation.h"

namespace zoe::ecs {
namespace {

struct Number {
  int value = 0;
};
using Owned = std::unique_ptr<int>;
struct Flag {};

struct Row {
  std::optional<int> number, owned;
  std::optional<std::string> text;
  bool flag = false;
};

class Twins {
 public:
  explicit Twins(std::uint64_t seed) : random_(seed) {}

  void step() {
    const Entity entity = pick();
    const int value = static_cast<int>(random_.below(1000));
    // Half of the changes go through a command buffer that is applied now and then.
    const bool later = random_.below(2) == 0;
    switch (random_.below(10)) {
      case 0:
      case 1:
        create(value);
        break;
      case 2:
        destroy(entity, later);
        break;
      case 3:
      case 4:
        add(entity, later, Number{value}, [&](Row& row) { row.number = value; });
        break;
      case 5:
        add(entity, later, std::make_unique<int>(value), [&](Row& row) { row.owned = value; });
        break;
      case 6:
        add(entity, later, text(value), [&](Row& row) { row.text = text(value); });
        break;
      case 7:
        add(entity, later, Flag{}, [](Row& row) { row.flag = true; });
        break;
      case 8:
        remove<Number>(entity, later, [](Row& row) { row.number.reset(); });
        break;
      default:
        remove<Flag>(entity, later, [](Row& row) { row.flag = false; });
        if (random_.below(2) == 0) remove<std::string>(entity, later, [](Row& row) { row.text.reset(); });
    }
    if (random_.below(5) == 0) apply();
  }

  void apply() {
    commands_.apply(world_);
    for (const auto& change : pending_) change();
    pending_.clear();
  }

  // Everything that can be asked, against the model.
  void compare() {
    apply();
    ASSERT_EQ(world_.num_entities(), model_.size());
    for (const Entity entity : ever_) {
      const auto found = model_.find(key(entity));
      ASSERT_EQ(world_.alive(entity), found != model_.end());
      const Row row = found != model_.end() ? found->second : Row{};
      const Number* number = world_.find<Number>(entity);
      ASSERT_EQ(number != nullptr, row.number.has_value());
      if (number != nullptr) {
        ASSERT_EQ(number->value, *row.number);
      }
      const Owned* owned = world_.find<Owned>(entity);
      ASSERT_EQ(owned != nullptr, row.owned.has_value());
      if (owned != nullptr) {
        ASSERT_EQ(**owned, *row.owned);
      }
      const std::string* text = world_.find<std::string>(entity);
      ASSERT_EQ(text != nullptr, row.text.has_value());
      if (text != nullptr) {
        ASSERT_EQ(*text, *row.text);
      }
      ASSERT_EQ(world_.has<Flag>(entity), row.flag);
    }
    compare_queries();
  }

 private:
  static std::uint64_t key(Entity entity) { return std::uint64_t{entity.generation} << 32 | entity.index; }
  static std::string text(int value) { return "text number " + std::to_string(value) + ", longer than a small string"; }

  void compare_queries() const {
    std::map<std::uint64_t, int> expected, seen;
    for (const auto& [id, row] : model_) {
      if (row.number && row.text && !row.flag) expected[id] = *row.number + (row.owned ? *row.owned : 0);
    }
    world_.query<const Number, With<std::string>, Without<Flag>, Maybe<const Owned>>().each(
        [&](Entity entity, const Number& number, const Owned* owned) {
          ASSERT_TRUE(seen.emplace(key(entity), number.value + (owned != nullptr ? **owned : 0)).second);
        });
    ASSERT_EQ(seen, expected);
  }

  // Stale ones too.
  Entity pick() { return ever_.empty() ? Entity{} : ever_[random_.below(ever_.size())]; }

  void create(int value) {
    const Entity entity = value % 2 == 0 ? world_.create(Number{value}) : world_.create(Flag{}, text(value));
    ASSERT_TRUE(model_.find(key(entity)) == model_.end());
    Row& row = model_[key(entity)];
    if (value % 2 == 0) row.number = value;
    if (value % 2 == 1) row.text = text(value), row.flag = true;
    ever_.push_back(entity);
  }
  void destroy(Entity entity, bool later) {
    later ? commands_.destroy(entity) : world_.destroy(entity);
    change(later, [this, entity] { model_.erase(key(entity)); });
  }
  template <typename T, typename Function>
  void add(Entity entity, bool later, T component, Function function) {
    if (later) commands_.add(entity, std::move(component));
    if (!later && world_.alive(entity)) world_.add(entity, std::move(component));
    // By value: a later change outlives the step.
    Row with;
    function(with);
    change(later, [this, entity, with] {
      if (const auto found = model_.find(key(entity)); found != model_.end()) {
        if (with.number) found->second.number = with.number;
        if (with.owned) found->second.owned = with.owned;
        if (with.text) found->second.text = with.text;
        if (with.flag) found->second.flag = true;
      }
    });
  }
  template <typename T, typename Function>
  void remove(Entity entity, bool later, Function function) {
    if (later) commands_.remove<T>(entity);
    if (!later && world_.alive(entity)) world_.remove<T>(entity);
    change(later, [this, entity, function] {
      if (const auto found = model_.find(key(entity)); found != model_.end()) function(found->second);
    });
  }
  void change(bool later, std::function<void()> function) {
    later ? pending_.push_back(std::move(function)) : function();
  }

  Random random_;
  World world_;
  Commands commands_;
  std::map<std::uint64_t, Row> model_;
  std::vector<Entity> ever_;
  std::vector<std::function<void()>> pending_;
};

TEST(Stress, AWorldBehavesAsAMapOfOptionals) {
  for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 2u : 8u); ++seed) {
    SCOPED_TRACE(seed);
    Twins twins(seed);
    for (int round = 0; round < 40; ++round) {
      for (int i = 0; i < 100; ++i) twins.step();
      twins.compare();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace zoe::ecs
