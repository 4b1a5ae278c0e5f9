// SPDX-License-Identifier: MIT
#include "zoe/eval/record.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "zoe/motion/frame_span.h"

namespace zoe::eval {
namespace {

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double Recording::distance_m() const {
  double sum_m = 0;
  for (std::size_t f = 1; f < roots.size(); ++f) sum_m += distance(roots[f].position, roots[f - 1].position);
  return sum_m;
}

float Recording::median_tick_us() const {
  if (tick_us.empty()) return 0;
  std::vector<float> sorted = tick_us;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

bool Recording::gets_going() const {
  return num_recoveries == 0 || longest_sound_s >= std::min(1.0, 0.5 * static_cast<double>(motion.duration_s()));
}

Recording record(const control::Controller& controller, control::IntentSource& source, const RecordOptions& options) {
  const int frames = std::max(2, static_cast<int>(std::lround(options.seconds * options.fps)));
  const double dt_s = 1 / options.fps;
  Recording out;
  const auto state = controller.make_state({.root = options.place, .ground = options.ground});
  state->set_foot_placement(options.place_feet);
  const auto scales = state->pose().scales;
  const bool is_scaled = std::any_of(scales.begin(), scales.end(), [](Vec3 s) { return s != Vec3{1, 1, 1}; });
  out.motion = make_motion(controller.skeleton(), controller.type(), options.fps, frames, is_scaled);
  double sound_s = 0;  // Since the last recovery.
  int recoveries = 0;
  for (int f = 0; f < frames; ++f) {
    control::Intent intent = source.next(state->root(), dt_s);
    if (options.hook != nullptr && options.hook->stands()) intent = control::Intent::stand();
    const double start_s = thread_seconds();
    controller.tick(*state, intent, dt_s);
    const PoseView pose =
        options.hook != nullptr ? options.hook->run(state->pose(), state->contacts(), dt_s) : state->pose();
    out.tick_us.push_back(static_cast<float>((thread_seconds() - start_s) * 1e6));
    copy_pose(pose, frame_span(out.motion, f));
    if (options.hook != nullptr)
      if (const auto root = options.hook->moved_root(state->root())) controller.place(*state, *root);
    out.roots.push_back(state->root());
    out.wanted_mps.push_back(intent.velocity_at(0));
    out.wanted_facing_rad.push_back(intent.facing_at(0));
    out.contacts.insert(out.contacts.end(), state->contacts().begin(), state->contacts().end());
    if (state->progress() == control::Progress::kStuck) out.stuck_s += dt_s;
    sound_s = state->num_recoveries() == recoveries ? sound_s + dt_s : 0;
    recoveries = state->num_recoveries();
    out.longest_sound_s = std::max(out.longest_sound_s, sound_s);
  }
  make_continuous(out.motion);
  out.num_recoveries = state->num_recoveries();
  out.hash = state->hash();
  return out;
}

}  // namespace zoe::eval
