// SPDX-License-Identifier: MIT
#include "certify/limits.h"

#include <array>

namespace zoe::certify {
namespace {

// In the order of Check.
constexpr std::array<Limit, kNumChecks> kLimits{{
    {"foot_slide", "m/s", 0.18},
    {"penetration", "m", 0.03},
    {"floating", "m", 0.12},
    {"knee_flip", "deg", 155},
    {"elbow_flip", "deg", 155},
    {"twist", "deg", 140},
    {"side_swap", "deg", 12},
    {"jitter", "deg", 1},
    {"spike", "deg", 45},
    {"loop_seam", "deg", 8},
    {"bone_stretch", "%", 8},
    {"scale", "times", 1},
    {"up", "deg", 45},
    {"facing", "deg", 45},
    {"weights", "%", 1},
    {"round_trip", "m", 0.001},
    {"source", "%", 15},
}};

}  // namespace

const Limit& limit_of(Check check) { return kLimits[static_cast<std::size_t>(check)]; }

const char* to_string(Check check) { return limit_of(check).name; }

}  // namespace zoe::certify
