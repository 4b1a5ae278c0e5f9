// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Measures along a clip, frame by frame: speeds, heights, contacts, phases, features.
#pragma once

#include <string>
#include <vector>

#include "stage.h"

namespace zoe::viewer {

struct PlotLine {
  std::string name;
  std::vector<float> values;  // [frames] of the item's own clip.
};

struct Plot {
  enum class Kind : std::uint8_t { kLines, kBars };  // kBars: on where a value is above a half, one row per line.
  std::string name, unit;
  Kind kind = Kind::kLines;
  std::vector<PlotLine> lines;
  float low = 0, high = 1;  // Range of all values, with a margin.
};

// The measures to choose from. Each gives one Plot.
enum class Measure : std::uint8_t { kRootSpeed, kTurnSpeed, kContacts, kPhases, kJointHeight, kJointSpeed, kFeatures };
inline constexpr Measure kMeasures[] = {Measure::kRootSpeed, Measure::kTurnSpeed,   Measure::kContacts,
                                        Measure::kPhases,    Measure::kJointHeight, Measure::kJointSpeed,
                                        Measure::kFeatures};
const char* to_string(Measure measure);

// motion: the item's clip, or its mirror image. joint: for measures of a joint. Empty lines where the body has none.
Plot measure(Measure what, const StageItem& item, const Motion& motion, int joint);

// One channel of a features::Schema preset over the clip; its columns become lines, at most eight.
struct FeatureChannels {
  std::vector<std::string> names;
};
FeatureChannels list_features(const StageItem& item, const std::string& preset);
Plot measure_feature(const StageItem& item, const std::string& preset, const std::string& channel);

}  // namespace zoe::viewer
