// SPDX-License-Identifier: MIT
// Part of Zoetrope. Settings: declared keys with defaults, overridden by a TOML file, overridden by "a.b=c" from the
// command line.
//
//   ConfigSchema schema;
//   schema.add("train.rate", 1e-3, "learning rate").add("train.steps", 1000, "optimiser steps");
//   Config config(schema);
//   ZOE_TRY(config.load_file("run.toml"));
//   ZOE_TRY(config.set("train.rate=3e-4"));
//   const double rate = config.get<double>("train.rate");
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "zoe/core/check.h"
#include "zoe/core/result.h"
#include "zoe/store/config_value.h"

namespace zoe {

struct ConfigEntry {
  std::string key;  // Dotted: "train.rate" is `rate` in the table [train].
  ConfigValue value;
  std::string help;  // One line; a comment in the written TOML.
};

// The declared keys. The type of a key is that of its default. Integers are accepted for numbers.
class ConfigSchema {
 public:
  // Keys are letters, digits, '_' and '-' with dots between. Each may be added once, and none may be a table of
  // another.
  ConfigSchema& add(std::string key, ConfigValue default_value, std::string help = {});
  template <typename T>
  requires std::is_integral_v<T> &&
      (!std::is_same_v<T, bool>)ConfigSchema& add(std::string key, T default_value, std::string help = {}) {
    return add(std::move(key), ConfigValue(static_cast<std::int64_t>(default_value)), std::move(help));
  }
  // A float becomes the double with the float's shortest text: 0.1F is written as 0.1, not as 0.10000000149011612.
  template <std::same_as<float> T>
  ConfigSchema& add(std::string key, T default_value, std::string help = {}) {
    return add(std::move(key), ConfigValue(shortest_double(default_value)), std::move(help));
  }

  const std::vector<ConfigEntry>& entries() const { return entries_; }

 private:
  std::vector<ConfigEntry> entries_;
};

// The keys' present values. A failed call changes nothing.
class Config {
 public:
  explicit Config(const ConfigSchema& schema) : entries_(schema.entries()) {}

  // Unknown keys are refused with a suggestion, wrong types with both types' names, with file and line.
  Result<void> load_file(const std::filesystem::path& path);
  Result<void> load_text(std::string_view toml, const std::string& name = {});

  // "key=value", the value read with the key's type: texts need no quotes, lists are "1,2,3" or "[1, 2, 3]" (with
  // quotes around texts in brackets).
  Result<void> set(std::string_view assignment);

  // The value. An undeclared key, or another type, is a caller's bug.
  template <typename T>
  const T& get(std::string_view key) const {
    const T* value = std::get_if<T>(&entry(key).value);
    ZOE_CHECK(value != nullptr, "config key '" + std::string(key) + "' is " + config_type_name(entry(key).value));
    return *value;
  }

  const std::vector<ConfigEntry>& entries() const { return entries_; }

  // All keys, tables in the order of declaration, help as comments. load_text of it gives the same config.
  std::string to_toml() const;

 private:
  const ConfigEntry& entry(std::string_view key) const;
  std::vector<ConfigEntry> entries_;
};

// True if two texts set the same keys to the same values, for any spelling of numbers and texts. False where one of
// them is not TOML.
bool same_settings(std::string_view toml, std::string_view other_toml);

}  // namespace zoe
