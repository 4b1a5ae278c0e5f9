// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/math/spring.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/loop.h"

namespace zoe {
namespace {

// Frames before, at and after one, clamped to the clip, and the rate of the difference between the outer ones.
struct Stencil {
  std::size_t before, here, after;
  float rate = 0;  // 1/s

  Stencil(int frame, const Motion& motion) : here(static_cast<std::size_t>(frame)) {
    const int first = std::max(frame - 1, 0), last = std::min(frame + 1, motion.num_frames - 1);
    before = static_cast<std::size_t>(first), after = static_cast<std::size_t>(last);
    rate = last > first ? static_cast<float>(motion.fps / (last - first)) : 0.0F;
  }
};

// Half of the difference "begin minus end" in value and velocity, subtracted from the start and added to the end.
template <typename T>
class Seam {
 public:
  Seam(T value, T velocity, float half_life_s, float duration_s)
      : value_(value * 0.5F), velocity_(velocity * 0.5F), half_life_s_(half_life_s), duration_s_(duration_s) {}

  // To be added at time_s from the start. Time runs backwards from the end.
  T at(float time_s) const {
    const T start = advance(Spring<T>{value_ * -1.0F, velocity_ * -1.0F}, T{}, half_life_s_, time_s).value;
    const T end = advance(Spring<T>{value_, velocity_ * -1.0F}, T{}, half_life_s_, duration_s_ - time_s).value;
    return start + end;
  }

 private:
  T value_, velocity_;
  float half_life_s_, duration_s_;
};

struct Closing {
  Stencil begin, end;
  float half_life_s, duration_s;
  double fps;
  std::size_t frames;

  // source: [all frames × n], out: [frames × n].
  template <typename T>
  void linear(const std::vector<T>& source, std::vector<T>& out, std::size_t n) const {
    if (source.empty()) return;
    for (std::size_t k = 0; k < n; ++k) {
      const auto velocity = [&](const Stencil& s) {
        return (source[s.after * n + k] - source[s.before * n + k]) * s.rate;
      };
      const Seam<T> seam(source[begin.here * n + k] - source[end.here * n + k], velocity(begin) - velocity(end),
                         half_life_s, duration_s);
      for (std::size_t f = 0; f < frames; ++f) out[f * n + k] = out[f * n + k] + seam.at(time_s(f));
      out[(frames - 1) * n + k] = out[k];  // Removes the springs' remaining tails and rounding.
    }
  }

  void rotations(const std::vector<Quat>& source, std::vector<Quat>& out, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) {
      const auto turn = [&](std::size_t from, std::size_t to) {
        return to_rotation_vector(source[to * n + k] * conjugate(source[from * n + k]));
      };
      const auto velocity = [&](const Stencil& s) { return turn(s.before, s.after) * s.rate; };
      const Seam<Vec3> seam(turn(end.here, begin.here), velocity(begin) - velocity(end), half_life_s, duration_s);
      for (std::size_t f = 0; f < frames; ++f) {
        out[f * n + k] = normalized(from_rotation_vector(seam.at(time_s(f))) * out[f * n + k]);
      }
      out[(frames - 1) * n + k] = out[k];
    }
  }

  float time_s(std::size_t frame) const { return static_cast<float>(static_cast<double>(frame) / fps); }
};

// Moves the joints without parents between model space and the root's: roots[i + offset] belongs to frame i.
void change_root_space(Motion& motion, const RootTrajectory& root, int offset, bool into_root) {
  const int n = motion.num_joints();
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const PlanarRoot& here = root.roots[static_cast<std::size_t>(frame + offset)];
    const Quat turn = into_root ? conjugate(rotation_of(here)) : rotation_of(here);
    for (int joint = 0; joint < n; ++joint) {
      if (motion.skeleton->parent(joint) != kNoJoint) continue;
      const auto i = static_cast<std::size_t>(frame) * static_cast<std::size_t>(n) + static_cast<std::size_t>(joint);
      Vec3& p = motion.translations[i];
      p = into_root ? rotate(turn, p - here.position) : rotate(turn, p) + here.position;
      motion.rotations[i] = normalized(turn * motion.rotations[i]);
    }
  }
}

}  // namespace

Result<Motion> close_loop(const Motion& motion, const Loop& loop, const RootTrajectory* root, float half_life_s) {
  const auto usage = [](const char* message) { return Error{ErrorCode::kUsage, message, {}}; };
  if (loop.begin < 0 || loop.begin >= loop.end || loop.end >= motion.num_frames) {
    return usage("close_loop: need 0 <= begin < end < number of frames");
  }
  if (root != nullptr && root->roots.size() != static_cast<std::size_t>(motion.num_frames)) {
    return usage("close_loop: the root trajectory is of another clip");
  }
  Motion source = motion;
  if (root != nullptr) change_root_space(source, *root, 0, true);
  make_continuous(source);
  ZOE_TRY_ASSIGN(Motion out, trim(source, loop.begin, loop.end));

  const auto duration_s = static_cast<float>((loop.end - loop.begin) / motion.fps);
  // Eight half-lives leave 2e-5 of a difference on the far side.
  const Closing closing{Stencil(loop.begin, source),
                        Stencil(loop.end, source),
                        std::min(half_life_s, duration_s / 8),
                        duration_s,
                        motion.fps,
                        static_cast<std::size_t>(out.num_frames)};
  const auto n = static_cast<std::size_t>(motion.num_joints());
  closing.linear(source.translations, out.translations, n);
  closing.linear(source.scales, out.scales, n);
  closing.linear(source.morph_weights, out.morph_weights, static_cast<std::size_t>(motion.num_morph_weights));
  closing.rotations(source.rotations, out.rotations, n);
  if (root != nullptr) change_root_space(out, *root, loop.begin, false);
  make_continuous(out);
  return out;
}

}  // namespace zoe
