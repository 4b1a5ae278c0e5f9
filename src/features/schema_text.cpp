// SPDX-License-Identifier: MIT
// Part of Zoetrope. Schemas from and to TOML.
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/features/schema.h"

#include "features/schema_config.h"
#include "features/words.h"

namespace zoe::features {
namespace {

using Texts = std::vector<std::string>;

constexpr Words<Schema::Facing, 3> kFacingWords{
    {{Schema::Facing::kAuto, "auto"}, {Schema::Facing::kBiped, "biped"}, {Schema::Facing::kQuadruped, "quadruped"}}};

}  // namespace

void declare_keys(const Schema& s, ConfigSchema& keys) {
  keys.add("name", s.name, "what the schema is called");
  keys.add("fps", s.fps, "frame rows per second");
  keys.add("joints.pose", s.pose_joints, "roles or names: all, body, feet, toes, hands, head, hips, …");
  keys.add("joints.contacts", s.contact_joints, "joints of contact and phase channels");
  keys.add("joints.tracking", s.tracking_joints, "joints of channels in tracking space; the first is the head");
  keys.add("root.facing", std::string(word_for(kFacingWords, s.facing)), "auto, biped, quadruped");
  keys.add("root.joints", s.root_joints, "hip, left hip, right hip, left shoulder, right shoulder, neck; empty: found");
  keys.add("root.half_window_s", s.root.half_window_s, "smoothing reaches this far to both sides; 0: none");
  keys.add("root.samples", s.root.num_samples, "samples of the smoothing window, odd");
  keys.add("root.position_power", s.root.position_power, "sharpness of the window for positions");
  keys.add("root.ends", std::string(s.root.ends == RootOptions::Ends::kHold ? "hold" : "reflect"), "hold, reflect");
  keys.add("root.ground_height_m", s.root.ground_height_m, "height of the root");
  keys.add("velocity.over_row", s.velocity_over_row, "differences over one row, else over one frame of the clip");
  keys.add("contacts.by_speed", s.contacts_by_speed, "slower than speed_m_s, at any height");
  keys.add("contacts.speed_m_s", s.contact_speed_m_s, "threshold of that rule");
  keys.add("guidance.window_s", s.guidance_window_s, "guidance is the mean pose of this time ahead");
  keys.add("labels.styles", s.styles, "names of style labels");
  keys.add("labels.actions", s.actions, "names of action labels");
  keys.add("terrain.lateral_m", s.terrain_lateral_m, "lateral positions of heights beside the root; left is positive");
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    const Block& block = s.blocks[i];
    const std::string table = to_string(static_cast<BlockKind>(i));
    Texts channels;
    for (const Channel& channel : block.channels) channels.push_back(to_text(channel));
    keys.add(table + ".steps", to_text(block.steps), "start:end:count, seconds from now");
    keys.add(table + ".channels", channels, "one text per channel");
  }
}

Result<Schema> schema_of(const Config& config) {
  const auto usage = [](std::string message) { return Error{ErrorCode::kUsage, std::move(message), {}}; };
  Schema s;
  s.name = config.get<std::string>("name");
  s.fps = config.get<double>("fps");
  if (!(s.fps >= 1 && s.fps <= 1000)) return usage("fps must be 1 to 1000");
  const auto within = [&](const char* key, double low, double high) {
    const double value = config.get<double>(key);
    return value >= low && value <= high;  // False for NaN.
  };
  for (const auto& [key, low, high] : {std::tuple{"root.half_window_s", 0.0, 60.0},
                                       {"root.position_power", 0.0, 1000.0},
                                       {"root.ground_height_m", -1e4, 1e4},
                                       {"contacts.speed_m_s", 0.0, 1000.0}}) {
    if (!within(key, low, high)) return usage(fmt::format("{} must be {:g} to {:g}", key, low, high));
  }
  if (const std::int64_t samples = config.get<std::int64_t>("root.samples"); samples < 1 || samples > 10001)
    return usage("root.samples must be 1 to 10001");
  s.pose_joints = config.get<Texts>("joints.pose");
  s.contact_joints = config.get<Texts>("joints.contacts");
  s.tracking_joints = config.get<Texts>("joints.tracking");
  const std::string& facing = config.get<std::string>("root.facing");
  const auto known =
      std::find_if(kFacingWords.begin(), kFacingWords.end(), [&](const auto& w) { return w.word == facing; });
  if (known == kFacingWords.end()) return usage("root.facing is 'auto', 'biped' or 'quadruped', not '" + facing + "'");
  s.facing = known->value;
  s.root_joints = config.get<Texts>("root.joints");
  if (!s.root_joints.empty() && s.root_joints.size() != 6) {
    return usage(
        "root.joints needs six names (hip, left and right hip, left and right shoulder, neck), \"\" where there is "
        "none");
  }
  s.root.half_window_s = config.get<double>("root.half_window_s");
  s.root.num_samples = static_cast<int>(config.get<std::int64_t>("root.samples"));
  s.root.position_power = config.get<double>("root.position_power");
  const std::string& ends = config.get<std::string>("root.ends");
  if (ends != "hold" && ends != "reflect") return usage("root.ends is 'hold' or 'reflect', not '" + ends + "'");
  s.root.ends = ends == "hold" ? RootOptions::Ends::kHold : RootOptions::Ends::kReflect;
  s.root.ground_height_m = static_cast<float>(config.get<double>("root.ground_height_m"));
  s.velocity_over_row = config.get<bool>("velocity.over_row");
  s.contacts_by_speed = config.get<bool>("contacts.by_speed");
  s.contact_speed_m_s = config.get<double>("contacts.speed_m_s");
  s.guidance_window_s = config.get<double>("guidance.window_s");
  if (!(s.guidance_window_s >= 0 && s.guidance_window_s <= 60)) return usage("guidance.window_s must be 0 to 60");
  s.styles = config.get<Texts>("labels.styles");
  s.actions = config.get<Texts>("labels.actions");
  s.terrain_lateral_m = config.get<std::vector<double>>("terrain.lateral_m");
  for (const double lateral_m : s.terrain_lateral_m) {
    if (!(std::abs(lateral_m) <= 1000)) return usage("terrain.lateral_m must be -1000 to 1000");
  }
  for (std::size_t i = 0; i < kNumBlocks; ++i) {
    const std::string table = to_string(static_cast<BlockKind>(i));
    ZOE_TRY_ASSIGN(s.blocks[i].steps, parse_times(config.get<std::string>(table + ".steps")));
    for (const std::string& text : config.get<Texts>(table + ".channels")) {
      ZOE_TRY_ASSIGN(Channel channel, parse_channel(text));
      s.blocks[i].channels.push_back(std::move(channel));
    }
  }
  return s;
}

const char* to_string(BlockKind kind) {
  return kind == BlockKind::kInput ? "input" : kind == BlockKind::kOutput ? "output" : "condition";
}

Result<Schema> Schema::parse(std::string_view toml, const std::string& file) {
  ConfigSchema keys;
  declare_keys(Schema{}, keys);
  Config config(keys);
  ZOE_TRY(config.load_text(toml, file));
  auto schema = schema_of(config);
  if (!schema) return Error{schema.error().code, schema.error().message, {.file = file}};
  return schema;
}

Result<Schema> Schema::load(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  return parse(file.text(), path.string());
}

Result<Schema> Schema::preset(std::string_view name) {
  ZOE_TRY_ASSIGN(const std::string text, preset_text(name));
  return parse(text, "preset " + std::string(name));
}

std::string Schema::to_toml() const {
  ConfigSchema keys;
  declare_keys(*this, keys);
  return Config(keys).to_toml();
}

}  // namespace zoe::features
