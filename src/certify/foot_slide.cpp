// SPDX-License-Identifier: MIT
// Foot sliding. Detectors of contacts by speed miss feet that slide, so stances are detected by height: of the feet
// that are low in a frame the slowest one must be nearly at rest.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/anatomy/foot_contacts.h"

#include "certify/judge.h"

namespace zoe::certify {
namespace {

float low_percentile(std::vector<float> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

int stance_window(const ClipTrack& track) { return track.frames_of(0.7, 6); }

struct Stance {
  float speed = -1;  // Of the slowest low foot; negative: the frame is not judged.
  int leg = -1;
};

// Kneeling, sitting, lying and rolling bodies drag their feet: hips must be high above the lowest foot.
std::vector<Stance> find_stances(const ClipTrack& track) {
  const SkeletonAnalysis& body = *track.body;
  const auto unit = static_cast<float>(body.metres_per_unit);
  std::vector<float> lowest(idx(track.frames), 1e30F);
  for (int f = 0; f < track.frames; ++f)
    for (int leg = 0; leg < track.num_legs(); ++leg) lowest[idx(f)] = std::min(lowest[idx(f)], track.sole(f, leg));
  const float floor = low_percentile(lowest, 0.05);
  float standing = 0;
  if (body.hips != kNoJoint) {
    float foot = 1e30F;
    for (const std::vector<int>& joints : track.feet)
      for (const int j : joints) foot = std::min(foot, dot(body.reference_positions[idx(j)], body.up));
    standing = (dot(body.reference_positions[idx(body.hips)], body.up) - foot) * unit;
  }
  const int around = track.frames_of(0.35);
  std::vector<Stance> stances(idx(track.frames));
  for (int f = 0; f < track.frames; ++f) {
    if (body.hips != kNoJoint && track.at(f, body.hips).y - lowest[idx(f)] < 0.7F * standing) continue;
    const auto begin = lowest.begin() + std::max(0, f - around);
    const auto end = lowest.begin() + std::min(track.frames, f + around + 1);
    const float local_floor = *std::min_element(begin, end);
    if (local_floor > floor + 0.06F * track.size_m) continue;
    for (int leg = 0; leg < track.num_legs(); ++leg) {
      if (track.sole(f, leg) > local_floor + 0.025F * track.size_m) continue;
      Stance& stance = stances[idx(f)];
      if (stance.leg >= 0 && stance.speed <= track.speed(f, leg)) continue;
      stance = {track.speed(f, leg), leg};
    }
  }
  return stances;
}

}  // namespace

bool stands(const ClipTrack& track) {
  const int window = stance_window(track);
  int run = 0, longest = 0;
  for (const Stance& stance : find_stances(track)) {
    run = stance.leg >= 0 ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest >= window;
}

bool is_in_place(const ClipTrack& track) {
  if (track.body->up.y < 0.7F || track.feet.empty()) return false;
  const Result<Contacts> contacts = find_foot_contacts(track.motion, *track.body);
  if (!contacts || !contacts->in_place) return false;
  // A body that glides takes its feet along: it is not in one position.
  const int hips = track.body->hips == kNoJoint ? 0 : track.body->hips;
  const Vec3 travel = track.at(track.frames - 1, hips) - track.at(0, hips);
  const double seconds = std::max(1, track.frames - 1) / track.fps;
  return static_cast<double>(std::hypot(travel.x, travel.z)) < 0.1 * static_cast<double>(track.size_m) * seconds;
}

void check_foot_slide(const ClipTrack& track, Judge& judge) {
  constexpr Check kCheck = Check::kFootSlide;
  if (track.feet.empty()) return judge.skip(kCheck, "the body has no feet");
  if (!uses_ground(track.body->family)) return judge.skip(kCheck, "the body flies or swims");
  const int window = stance_window(track);
  if (track.frames < window) return judge.skip(kCheck, "the clip is shorter than 0.7 s");
  if (is_in_place(track)) return judge.skip(kCheck, "the clip is a cycle on the spot");
  const std::vector<Stance> stances = find_stances(track);
  bool any = false;
  double worst = 0;
  int worst_at = 0, first = -1, last = -1;
  std::vector<float> speeds;
  for (int f = 0; f + window <= track.frames; f += track.frames_of(0.05)) {
    speeds.clear();
    for (int g = f; g < f + window; ++g)
      if (stances[idx(g)].leg >= 0) speeds.push_back(stances[idx(g)].speed);
    if (static_cast<int>(speeds.size()) < window / 2) continue;
    any = true;
    // A runner's feet are at rest for a part of the time: the slowest quarter.
    const auto slow = static_cast<double>(low_percentile(speeds, 0.25));
    if (slow > worst) worst = slow, worst_at = f;
    if (slow <= judge.limit(kCheck)) continue;
    first = first < 0 ? f : first;
    last = f + window - 1;
  }
  if (!any) return judge.skip(kCheck, "the body is on its feet for less than 0.7 s");
  judge.measure(kCheck, worst);
  if (first < 0) return;
  const int leg = std::max(0, stances[idx(worst_at + window / 2)].leg);
  const int foot = track.feet[idx(leg)].front();
  judge.add(kCheck, worst, first, last, {},
            fmt::format("No foot is at rest: the slowest foot on the ground slides at {:.2f} m/s, worst around {}. "
                        "`zoe fix` plants feet; root motion may be missing or scaled.",
                        worst, track.skeleton().name(foot)));
}

}  // namespace zoe::certify
