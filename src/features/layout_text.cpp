// SPDX-License-Identifier: MIT
// A layout as text: the resolved schema, its skeleton, and widths as a check.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/features/layout.h"

#include "features/schema_config.h"

namespace zoe::features {
namespace {

void declare_layout(ConfigSchema& keys, std::vector<std::string> joints, const std::vector<int>& sides, int frame_width,
                    const std::vector<int>& widths) {
  keys.add("skeleton.joints", std::move(joints), "names, in order");
  keys.add("skeleton.sides", std::vector<std::int64_t>(sides.begin(), sides.end()), "1 left, -1 right, 0 middle");
  keys.add("layout.frame_width", frame_width, "floats of a frame row");
  keys.add("layout.widths", std::vector<std::int64_t>(widths.begin(), widths.end()),
           "columns of input, output, condition");
}

}  // namespace

std::string Layout::to_toml() const {
  ConfigSchema keys;
  declare_keys(schema_, keys);
  declare_layout(keys, joint_names_, joint_sides_, frame_width_,
                 {blocks_[0].width, blocks_[1].width, blocks_[2].width});
  return Config(keys).to_toml();
}

Result<Layout> Layout::from_toml(std::string_view toml, const Skeleton& skeleton, const std::string& file) {
  const auto invalid = [&](std::string message) {
    return Error{ErrorCode::kInvalid, std::move(message), {.file = file}};
  };
  ConfigSchema keys;
  declare_keys(Schema{}, keys);
  declare_layout(keys, {}, {}, 0, {});
  Config config(keys);
  ZOE_TRY(config.load_text(toml, file));
  const auto& names = config.get<std::vector<std::string>>("skeleton.joints");
  const auto& sides = config.get<std::vector<std::int64_t>>("skeleton.sides");
  if (names.empty())
    return invalid("this is a schema, not a layout: it has no skeleton.joints; compile it for a skeleton");
  if (static_cast<int>(names.size()) != skeleton.num_joints() || sides.size() != names.size()) {
    return invalid(
        fmt::format("the layout is for {} joints, the skeleton has {}", names.size(), skeleton.num_joints()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != skeleton.name(static_cast<int>(i))) {
      return invalid(
          fmt::format("joint {} is '{}' in the layout and '{}' in the skeleton; use the skeleton it was made for", i,
                      names[i], skeleton.name(static_cast<int>(i))));
    }
  }
  if (std::any_of(sides.begin(), sides.end(), [](std::int64_t side) { return side < -1 || side > 1; }))
    return invalid("skeleton.sides must be -1, 0 or 1");
  auto schema = schema_of(config);
  if (!schema) return invalid(schema.error().message);
  auto layout = compile_with_sides(*schema, skeleton, std::vector<int>(sides.begin(), sides.end()));
  if (!layout) return invalid(layout.error().message);
  const auto& widths = config.get<std::vector<std::int64_t>>("layout.widths");
  const std::vector<std::int64_t> found{layout->blocks_[0].width, layout->blocks_[1].width, layout->blocks_[2].width};
  if (layout->frame_width_ != config.get<std::int64_t>("layout.frame_width") || widths != found) {
    return invalid(fmt::format(
        "the layout was written with other widths ({}; rows of {}) than this version gives ({}; rows of {})",
        fmt::join(widths, ", "), config.get<std::int64_t>("layout.frame_width"), fmt::join(found, ", "),
        layout->frame_width_));
  }
  return layout;
}

}  // namespace zoe::features
