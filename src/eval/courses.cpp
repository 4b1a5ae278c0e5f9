// SPDX-License-Identifier: MIT
#include "zoe/eval/courses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/random.h"
#include "zoe/core/suggest.h"

namespace zoe::eval {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr const char* kCourses[] = {"straight", "circle", "slalom", "square", "stop_and_go", "sticks"};
constexpr const char* kReversals = "reversals";

// There and back: the stick goes straight back every 0.8 to 1.8 s.
class Reversals final : public control::IntentSource {
 public:
  Reversals(std::uint64_t seed, float speed_mps) : random_(seed), speed_mps_(speed_mps) {}

  control::Intent next(const PlanarRoot& /*root*/, double dt_s) override {
    left_s_ -= static_cast<float>(dt_s);
    if (left_s_ <= 0) {
      left_s_ += random_.uniform(0.8F, 1.8F);
      speed_mps_ = -speed_mps_;
    }
    return control::Intent::move({0, 0, speed_mps_});
  }

 private:
  Random random_;
  float speed_mps_, left_s_ = 1.5F;
};

std::vector<Vec3> sampled(float length_m, float step_m, Vec3 (*position_at)(float arc_m)) {
  std::vector<Vec3> positions;
  for (float arc = 0; arc <= length_m; arc += step_m) positions.push_back(position_at(arc));
  return positions;
}

}  // namespace

std::span<const char* const> course_names() { return kCourses; }

// All begin at the origin along +Z.
Result<std::unique_ptr<control::IntentSource>> make_course(const std::string& name, float speed_mps,
                                                           std::uint64_t seed) {
  control::PathOptions options{.speed_mps = speed_mps};
  if (name == "sticks") return control::random_sticks(seed, speed_mps * 1.25F);
  if (name == kReversals) return std::unique_ptr<control::IntentSource>(new Reversals(seed, speed_mps));
  std::vector<Vec3> positions;
  bool closed = false;
  if (name == "straight" || name == "stop_and_go") {
    positions = {{0, 0, 0}, {0, 0, 1000}};
    if (name == "stop_and_go") options.off_s = 2;
  } else if (name == "circle") {  // Radius 2 m, to the left.
    positions = sampled(4 * kPi - 0.05F, 0.05F, [](float arc) {
      return Vec3{2 - 2 * std::cos(arc / 2), 0, 2 * std::sin(arc / 2)};
    });
    closed = true;
  } else if (name == "slalom") {  // One metre to either side, every three metres.
    positions = sampled(600, 0.05F, [](float arc) {
      return Vec3{std::sin(arc * kPi / 3) * std::min(arc / 3, 1.0F), 0, arc};
    });
  } else if (name == "square") {  // Sides of 4 m.
    positions = {{0, 0, 0}, {0, 0, 4}, {4, 0, 4}, {4, 0, 0}};
    closed = true;
  } else {
    std::vector<std::string> names(std::begin(kCourses), std::end(kCourses));
    names.emplace_back(kReversals);
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
    return Error{ErrorCode::kUsage, "no path '" + name + "'" + did_you_mean(name, names) + "; there are: " + list, {}};
  }
  ZOE_TRY_ASSIGN(control::Path path, control::Path::create(std::move(positions), closed));
  return control::follow(std::move(path), options);
}

}  // namespace zoe::eval
