// SPDX-License-Identifier: MIT
#include "zoe/anatomy/analysis.h"

namespace zoe {
namespace {

template <typename Enum, std::size_t N>
const char* word(const char* const (&words)[N], Enum value) {
  const auto i = static_cast<std::size_t>(value);
  return i < N ? words[i] : "?";
}

}  // namespace

const char* to_string(BodyFamily family) {
  return word({"biped", "quadruped", "hexapod", "octopod", "millipede", "bird", "flyer", "snake", "fish", "other"},
              family);
}
const char* to_string(LimbKind kind) { return word({"leg", "arm", "wing", "fin"}, kind); }
const char* to_string(Side side) { return word({"center", "left", "right"}, side); }
const char* to_string(EvidenceSource source) {
  return word({"none", "stated", "names", "geometry", "motion", "override"}, source);
}
const char* to_string(AnalysisField field) {
  return word({"family", "up", "forward", "metres_per_unit", "height_m", "root", "hips", "head", "spine", "limbs",
               "feet", "hands", "tail", "pairs", "ground_height", "reference_pose"},
              field);
}

}  // namespace zoe
