// SPDX-License-Identifier: MIT
// Normalisation as tensors and as a safetensors file that carries its layout.
#include <cmath>

#include <fmt/format.h>

#include "zoe/features/normalisation.h"
#include "zoe/store/config.h"
#include "zoe/store/safetensors.h"

namespace zoe::features {
namespace {

std::string tensor_name(std::size_t block, const char* what) {
  return fmt::format("normalisation.{}.{}", to_string(static_cast<BlockKind>(block)), what);
}

}  // namespace

std::vector<NamedArray> Normalisation::tensors() const {
  std::vector<NamedArray> out;
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    if (blocks[i].means.empty()) continue;
    out.push_back({tensor_name(i, "mean"), view_of(blocks[i].means)});
    out.push_back({tensor_name(i, "spread"), view_of(blocks[i].spreads)});
  }
  return out;
}

Result<void> save_normalisation(const std::filesystem::path& path, const Layout& layout,
                                const Normalisation& normalisation) {
  return write_safetensors(path, normalisation.tensors(), {{"layout", layout.to_toml()}});
}

Result<Normalisation> load_normalisation(const std::filesystem::path& path, const Layout& layout) {
  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::open(path));
  return load_normalisation(file, layout);
}

Result<Normalisation> load_normalisation(const Safetensors& file, const Layout& layout) {
  const auto invalid = [&](std::string message) {
    return Error{ErrorCode::kInvalid, std::move(message), {.file = file.file_name()}};
  };
  const auto text = file.metadata().find("layout");
  if (text == file.metadata().end()) return invalid("it does not name its layout");
  if (!same_settings(text->second, layout.to_toml()))
    return invalid("it belongs to another layout; build it again for this schema and skeleton");
  Normalisation out;
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    const int width = layout.width(static_cast<BlockKind>(i));
    if (width == 0) continue;
    for (const auto& [what, values] : {std::pair{"mean", &out.blocks[i].means}, {"spread", &out.blocks[i].spreads}}) {
      const std::string name = tensor_name(i, what);
      ZOE_TRY_ASSIGN(const ArrayView array, file.find(name));
      ZOE_TRY_ASSIGN(*values, to_floats(array));
      if (values->size() != static_cast<std::size_t>(width)) {
        return invalid(fmt::format("{} has {} numbers, the layout {} columns", name, values->size(), width));
      }
      for (const float value : *values) {
        if (!std::isfinite(value) || (what == std::string_view("spread") && !(value > 0))) {
          return invalid(fmt::format("{} holds {}", name, value));
        }
      }
    }
  }
  return out;
}

}  // namespace zoe::features
