// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sources of intents: paths, scripts and random sticks without a player, and sticks and keys.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/control/command.h"
#include "zoe/control/motion_range.h"
#include "zoe/core/random.h"
#include "zoe/core/result.h"

namespace zoe::control {

// A polyline on the ground, parametrised by arc length.
class Path {
 public:
  // At least two different positions; y is dropped. A closed path repeats for ever.
  static Result<Path> create(std::vector<Vec3> places, bool closed = false);

  float length_m() const { return ways_.back(); }
  bool closed() const { return closed_; }
  std::span<const Vec3> places() const { return places_; }
  Vec3 at(float way_m) const;            // Clamped at both ends, or periodic.
  Vec3 direction_at(float way_m) const;  // Unit vector.
  // Arc length of the point on the path nearest to `place`, between from_m and to_m.
  float nearest(Vec3 place, float from_m, float to_m) const;

 private:
  std::vector<Vec3> places_;
  std::vector<float> ways_;  // [places] Arc length from the first.
  bool closed_ = false;
  std::size_t segment_of(float& way_m) const;
};

// The first position of the path, facing along it.
PlanarRoot start_of(const Path& path);

// Gives the intent at each moment. One per character.
class IntentSource {
 public:
  virtual ~IntentSource() = default;
  virtual Intent next(const PlanarRoot& root, double dt_s) = 0;
  virtual const Path* path() const { return nullptr; }  // The path to follow, if any.
  virtual bool done() const { return false; }
};

struct PathOptions {
  float speed_mps = 1.3F;
  float lead_s = 0.2F;               // Time that intents are ahead, because characters respond late.
  float return_half_life_s = 0.35F;  // Half of the distance to the path is removed in this time.
  // Walks for on_s, stands for off_s, alternating. off_s 0: always walks.
  float on_s = 3, off_s = 0;
};
// Follows a path from its start at a given speed, and leads a character back to the path. It waits for the character:
// the target is always near it, even if the character is slow.
std::unique_ptr<IntentSource> follow(Path path, const PathOptions& options = {});

// Timed commands (command.h), one per line: "2.5 move 0 1.4", "6 stand". Times are seconds, rising. '#' starts a
// comment. Errors name the line.
Result<std::unique_ptr<IntentSource>> parse_script(std::string_view text, const std::string& file = {},
                                                   const LabelNames& labels = {});

// The intents of another source. Where they request no style or action, these hold: indices of the model's labels, -1
// for none.
std::unique_ptr<IntentSource> with_labels(std::unique_ptr<IntentSource> source, int style, int action);

// A stick that jumps to a random position every 0.5 to 2.5 seconds. One third of the positions stand still, the others
// have up to top speed.
std::unique_ptr<IntentSource> random_sticks(std::uint64_t seed, float top_speed_mps = 1.6F);

// Input of a gamepad or keyboard, from any library. Sticks are -1 to 1, y forward.
struct Sticks {
  float move_x = 0, move_y = 0;
  float look_x = 0, look_y = 0;  // Both near zero: face the direction of motion.
  bool run = false, walk = false;
};
// Keys as sticks: forward, left, back, right.
Sticks from_keys(bool forward, bool left, bool back, bool right, bool run);
// camera_facing_rad: forward on the stick is away from the camera. Dead zone 0.15. Speeds are the body's own
// (Controller::motion_range()). Those of a person are 0.8, 1.6 and 3.2 m/s.
Intent from_sticks(const Sticks& sticks, float camera_facing_rad, const MotionRange& range = {});

}  // namespace zoe::control
