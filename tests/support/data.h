// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Where the shared data set is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace zoe::test {

// The folder shared/data: $ZOE_DATA, else ../shared/data beside the checkout; nullopt when absent.
std::optional<std::filesystem::path> data_dir();

// A fresh folder below the system's temporary folder, removed at process exit.
std::filesystem::path temporary_dir(const std::string& name);

}  // namespace zoe::test

// First line of a test that needs the shared data: binds `name` to the folder, or skips with a clear word.
#define ZOE_NEED_DATA(name)                                                                              \
  const auto name##_optional = ::zoe::test::data_dir();                                                  \
  if (!name##_optional) GTEST_SKIP() << "shared data is absent: set ZOE_DATA to the shared/data folder"; \
  const std::filesystem::path& name = *name##_optional
