// SPDX-License-Identifier: MIT
#include <cmath>

#include "zoe/control/config.h"
#include "zoe/control/parts.h"
#include "zoe/core/file.h"
#include "zoe/store/config.h"

namespace zoe::control {
namespace {

namespace fs = std::filesystem;

// The only list of keys. Numbers are NeuralOptions' members of the same names.
struct NumberKey {
  const char* key;
  float NeuralOptions::*direct;
  float TrajectoryOptions::*trajectory;
  float RootCorrection::*correction;
  const char* help;
  float LockOptions::*locks = nullptr;

  float& in(NeuralOptions& options) const {
    if (direct != nullptr) return options.*direct;
    if (locks != nullptr) return options.locks.*locks;
    return trajectory != nullptr ? options.trajectory.*trajectory : options.correction.*correction;
  }
};
constexpr NumberKey kNumbers[] = {
    {"trajectory.velocity_half_life_s", nullptr, &TrajectoryOptions::velocity_half_life_s, nullptr,
     "half of a change of velocity is done in this time"},
    {"trajectory.facing_half_life_s", nullptr, &TrajectoryOptions::facing_half_life_s, nullptr, "the same for facing"},
    {"trajectory.max_turn_speed_rad_s", nullptr, &TrajectoryOptions::max_turn_speed_rad_s, nullptr, ""},
    {"trajectory.back_mps", nullptr, &TrajectoryOptions::back_mps, nullptr, "fastest led backward; 100: any"},
    {"trajectory.side_mps", nullptr, &TrajectoryOptions::side_mps, nullptr, "fastest led to the side; 100: any"},
    {"trajectory.turning_mps", nullptr, &TrajectoryOptions::turning_mps, nullptr,
     "slowest led while it turns round: an arc instead of a turn on the spot"},
    {"trajectory.own_way_now", &NeuralOptions::own_way_now, nullptr, nullptr, "weight of the model's own prediction"},
    {"trajectory.own_way_far", &NeuralOptions::own_way_far, nullptr, nullptr, "the same at the far end"},
    {"sequence.predictions_hz", &NeuralOptions::predictions_hz, nullptr, nullptr,
     "predictions per second of networks that give sequences"},
    {"pose.follow", &NeuralOptions::follow, nullptr, nullptr, "pose filter, 0.1 to 1: less is smoother"},
    {"pose.body_follow", &NeuralOptions::body_follow, nullptr, nullptr,
     "the same for the hips, with their position, and joints of no leg; 0: as pose.follow, without the position"},
    {"phase.stability", &NeuralOptions::phase_stability, nullptr, nullptr,
     "weight of the predicted phase, 0 to 1; the rest is advanced by frequency"},
    {"labels.half_life_s", &NeuralOptions::label_half_life_s, nullptr, nullptr,
     "half of a change of style or action is done in this time"},
    {"correction.position_half_life_s", nullptr, nullptr, &RootCorrection::position_half_life_s, ""},
    {"correction.facing_half_life_s", nullptr, nullptr, &RootCorrection::facing_half_life_s, ""},
    {"hybrid.threshold", &NeuralOptions::trust, nullptr, nullptr,
     "type hybrid: below this confidence, 0 to 1, motion matching takes over"},
    {"correction.feet", &NeuralOptions::feet_lead, nullptr, nullptr,
     "fraction of the sliding of feet in contact that the root gives way to, 0 to 1"},
    {"feet.lock_s", nullptr, nullptr, nullptr, "time from the pose to the hold", &LockOptions::lock_s},
    {"feet.release_s", nullptr, nullptr, nullptr, "time from the hold back to the pose", &LockOptions::release_s},
    {"feet.tear_m", nullptr, nullptr, nullptr, "a hold farther from the pose is given up", &LockOptions::tear_m},
    {"feet.soft_s", nullptr, nullptr, nullptr,
     "half-life of a foot's approach to its hold; above 0 a hold that is given back fades out its offset",
     &LockOptions::soft_s},
    {"feet.step_lift", nullptr, nullptr, nullptr,
     "height of the step of a foot that is given back, as a fraction of its distance", &LockOptions::step_lift},
    {"correction.share", nullptr, nullptr, &RootCorrection::share, "of the character's own speed, at most"},
};

ConfigSchema keys_of(ControllerConfig config) {
  ConfigSchema keys;
  keys.add("kind", config.type, "which controller this is");
  keys.add("body", config.body, "skeleton, legs and start");
  keys.add("network", config.network, "the trained network");
  keys.add("database", config.database, "motions to choose from");
  keys.add("licence", config.licence, "of the motions it was made of");
  for (const NumberKey& number : kNumbers) {
    keys.add(number.key, number.in(config.neural), number.help);
  }
  keys.add("feet.lock", config.neural.lock_feet, "feet in contact stay where they stand");
  keys.add("labels.style", config.neural.usual_style, "while none is requested");
  keys.add("labels.action", config.neural.usual_action, "while none is requested");
  return keys;
}

}  // namespace

Result<ControllerConfig> load_controller_config(const fs::path& path) {
  ZOE_TRY_ASSIGN(const ControllerParts parts, ControllerParts::open(path));
  return parse_controller_config(parts.settings(), parts.settings_name());
}

Result<ControllerConfig> parse_controller_config(std::string_view toml, const std::string& file) {
  Config config(keys_of({}));
  ZOE_TRY(config.load_text(toml, file));
  ControllerConfig out;
  out.type = config.get<std::string>("kind");
  out.body = config.get<std::string>("body");
  out.network = config.get<std::string>("network");
  out.database = config.get<std::string>("database");
  out.licence = config.get<std::string>("licence");
  for (const NumberKey& number : kNumbers) {
    const double value = config.get<double>(number.key);
    if (!(value >= 0 && value < 1e3)) {
      return Error{ErrorCode::kInvalid, std::string(number.key) + " must be 0 to 1000", {.file = file}};
    }
    number.in(out.neural) = static_cast<float>(value);
  }
  if (!(out.neural.follow >= 0.1F && out.neural.follow <= 1)) {
    return Error{ErrorCode::kInvalid, "pose.follow must be 0.1 to 1", {.file = file}};
  }
  if (const float body = out.neural.body_follow; body != 0 && !(body >= 0.1F && body <= 1)) {
    return Error{ErrorCode::kInvalid, "pose.body_follow must be 0 or 0.1 to 1", {.file = file}};
  }
  out.neural.lock_feet = config.get<bool>("feet.lock");
  out.neural.usual_style = config.get<std::string>("labels.style");
  out.neural.usual_action = config.get<std::string>("labels.action");
  return out;
}

Result<void> save_controller_config(const fs::path& folder, const ControllerConfig& config) {
  const std::string text = Config(keys_of(config)).to_toml();
  return write_file_atomic(folder / "controller.toml", text);
}

}  // namespace zoe::control
