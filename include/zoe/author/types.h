// SPDX-License-Identifier: MIT
// Part of Zoetrope. The table of controller types. A new type is one folder and one row of types(), or a Type of your
// own beside them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zoe/author/type.h"
#include "zoe/features/schema.h"

namespace zoe::author {

// Names of the styles and actions of a model.
struct Labels {
  std::vector<std::string> styles, actions;

  bool empty() const { return styles.empty() && actions.empty(); }
};

// All types, in the order of control::controller_types().
std::span<const Type> types();
// Refuses an unknown name with a suggestion.
Result<const Type*> find_type(const std::string& name, std::span<const Type> types = author::types());

// Schema of the type's dataset. Without labels it is the schema in the table. Fails on types without labels, and on
// more than kMaxLabels.
Result<features::Schema> schema_of(const Type& type, const Labels& labels = {});
// What a network sees of uneven ground (features/ground_signals.h).
enum class GroundSight : std::uint8_t {
  kNone,     // Flat ground only: clips are taken as they are.
  kBlind,    // Clips on uneven ground, but none of it is an input: to compare with.
  kHeights,  // 36 heights beside the path, as in PFNN.
  kGrid,     // Cells near the path, through a convolutional encoder that also feeds the gate.
};
Result<GroundSight> parse_ground_sight(const std::string& word);  // none, blind, heights, grid
// Adds the channels of the ground to a schema of a type. `num_contacts`: contact joints of the body.
Result<void> add_ground_channels(features::Schema& schema, GroundSight sight, int num_contacts);
// Takes them out again.
void remove_ground_channels(features::Schema& schema);

// Channels of that schema that select experts. They come first.
int num_gate_channels(const Type& type, const features::Schema& schema);

}  // namespace zoe::author
