// SPDX-License-Identifier: MIT
#include "zoe/sprite/events.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <string>

#include "zoe/core/index.h"
#include "zoe/motion/sample.h"

#include "sprite/follow.h"
#include "sprite/slash.h"

namespace zoe::sprite {
namespace {

// Speeds in heights per second, distances in heights.
constexpr double kEventRate_hz = 120;
constexpr float kSwingRate = 9;        // Tip speed per second and reach of the limb with its weapon: a swing.
constexpr float kWalkingSwing = 1.4F;  // Times as fast while the body walks.
constexpr float kNamedSwing = 0.45F;   // Times as fast in clips whose name says so.
constexpr float kNamedBlow = 0.8F;     // Parts of the fastest swing that hit there.
constexpr float kRaised = 0.15F;       // Of a foot that kicks.
constexpr float kLeastSpeed = 1.6F;    // Of any swing.
constexpr float kWindUp = 0.55F;       // Swings below this part of the clip's fastest are no blows.
constexpr float kBlowStopped = 0.45F;  // Part of the peak speed at which a blow has hit.
constexpr float kInFront = 0.10F;      // Tips of blows are this far before the hips.
constexpr float kNearGround = 0.12F;
constexpr float kWalks = 0.4F, kRuns = 1.0F;
constexpr float kFlies = 0.03F, kJumps = 0.07F, kLeaps = 0.2F;  // Height of the lowest foot.
constexpr float kFallSpeed = 0.6F, kLies = 0.6F;                // Of the hips; part of their height at rest.
constexpr float kThrust = 1.0F, kHeld = 0.6F;                   // Of hands that cast: before and while they are held.
constexpr float kBent = 0.72F, kStraight = 0.9F;  // Parts of the arm's reach, before and after the thrust.
constexpr double kHold_s = 0.18, kApart_s = 0.14, kImpact_s = 2.0 / 24;

bool has_word(const std::string& name, std::initializer_list<const char*> words) {
  std::string text = name;
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

// Names of blows. Some are too slow to be told from a gesture: then the name decides.
bool says_blow(const std::string& name) {
  return has_word(name, {"kick", "attack", "punch", "chop", "slash", "slice", "stab", "strike", "smash", "spin"}) &&
         !has_word(name, {"idle", "hit", "block", "ready"});
}

// Strength of the cast that a name means; 0: it means none.
float says_cast(const std::string& name) {
  const auto has = [&](std::initializer_list<const char*> words) { return has_word(name, words); };
  if (has({"cast", "spell", "magic", "fireball"})) return 1;
  if (has({"shoot"})) return 0.5F;
  return has({"throw"}) ? 0.3F : 0.0F;
}

// One point of the body in time.
struct Path {
  std::vector<Vec3> points;   // In place, model space.
  std::vector<float> speeds;  // Relative to the hips, heights per second.
};

class EventFinder {
 public:
  EventFinder(const Request& request, const Clip& clip)
      : request_(request), body_(request.body), motion_(*clip.motion), clip_(clip) {
    const float unit = static_cast<float>(body_.metres_per_unit);
    height_ = static_cast<float>(body_.height_m) / (unit > 0 ? unit : 1.0F);
    count_ = std::clamp(static_cast<int>(std::lround(motion_.duration_s() * kEventRate_hz)) + 1, 1, 20000);
  }

  std::vector<Event> run() {
    if (!(height_ > 0) || motion_.num_frames < 4 || count_ < 12) return {};
    speed_ = ground_speed(motion_, body_, height_);
    sample_joints();
    find_feet();
    const float casts = says_cast(clip_.name);
    if (!(casts > 0)) find_swings(false);
    const auto is_hit = [](const Event& event) { return event.type == EventType::kHit; };
    if (!(casts > 0) && says_blow(clip_.name) && std::none_of(events_.begin(), events_.end(), is_hit)) {
      std::erase_if(events_, [](const Event& event) { return event.type == EventType::kSwing; });
      find_swings(true);
    }
    if (speed_ < kWalks) {
      const bool hits =
          std::any_of(events_.begin(), events_.end(), [](const Event& event) { return event.type == EventType::kHit; });
      if (!hits) find_cast(casts);
    }
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Event& a, const Event& b) { return a.time_s < b.time_s; });
    return std::move(events_);
  }

 private:
  double time_of(int i) const { return count_ > 1 ? motion_.duration_s() * i / (count_ - 1) : 0; }
  int steps(double seconds) const { return std::max(1, static_cast<int>(std::lround(seconds * kEventRate_hz))); }

  void sample_joints() {
    Pose pose = make_pose(*motion_.skeleton);
    const int hips = body_.hips != kNoJoint ? body_.hips : 0;
    for (int i = 0; i < count_; ++i) {
      sample(motion_, motion_.start_time_s + time_of(i), Wrap::kClamp, pose);
      std::vector<Affine> joints(idx(motion_.num_joints()));
      compute_model_from_joint(*motion_.skeleton, pose.view(), joints);
      joints_.push_back(std::move(joints));
    }
    for (int i = 0; i < count_; ++i) hips_.push_back(joints_[idx(i)][idx(hips)].t);
  }

  Path path_of(int joint, Vec3 local) const {
    Path path;
    for (const std::vector<Affine>& joints : joints_) path.points.push_back(joints[idx(joint)].apply_point(local));
    // Over two keys of 30 per second.
    const int reach = steps(1.0 / 30);
    for (int i = 0; i < count_; ++i) {
      const std::size_t a = idx(std::max(0, i - reach)), b = idx(std::min(count_ - 1, i + reach));
      const Vec3 moved = (path.points[b] - hips_[b]) - (path.points[a] - hips_[a]);
      const double seconds = static_cast<double>(b - a) / kEventRate_hz;
      path.speeds.push_back(length(moved) / height_ / static_cast<float>(seconds));
    }
    return path;
  }

  Vec3 velocity_at(const Path& path, int i) const {
    const int reach = steps(1.0 / 60);
    return path.points[idx(std::min(count_ - 1, i + reach))] - path.points[idx(std::max(0, i - reach))];
  }

  // named: the clip's name says that there is a blow. Its swings may be slow, and it hits where it reaches farthest.
  void find_swings(bool named) {
    const std::vector<Blade> blades = find_blades(request_, true);
    struct Peak {
      std::size_t blade;
      int at;
      float speed;
      float limit;
    };
    std::vector<Path> paths;
    std::vector<Peak> peaks;
    const bool kick = named && has_word(clip_.name, {"kick"});
    for (const Blade& blade : blades) {
      paths.push_back(path_of(blade.joint, blade.tip));
      const std::vector<float>& speeds = paths.back().speeds;
      // Limbs that walk or run swing as well.
      if (speed_ >= kWalks && !blade.weapon) continue;
      if (kick && !is_foot(blade)) continue;
      const float limit = (named ? kNamedSwing : 1.0F) *
                          std::max(kLeastSpeed, kSwingRate * reach_of(blade, paths.back())) *
                          (speed_ >= kWalks ? kWalkingSwing : 1.0F);
      for (int i = 1; i + 1 < count_; ++i) {
        if (speeds[idx(i)] >= limit && speeds[idx(i)] >= speeds[idx(i - 1)] && speeds[idx(i)] > speeds[idx(i + 1)])
          peaks.push_back({paths.size() - 1, i, speeds[idx(i)], limit});
      }
    }
    std::stable_sort(peaks.begin(), peaks.end(), [](const Peak& a, const Peak& b) { return a.speed > b.speed; });
    std::vector<Peak> kept;
    for (const Peak& peak : peaks) {
      if (peak.speed < kWindUp * peaks.front().speed) break;
      const bool near = std::any_of(kept.begin(), kept.end(),
                                    [&](const Peak& other) { return std::abs(other.at - peak.at) < steps(kApart_s); });
      if (!near) kept.push_back(peak);
    }
    // A body in the air moves its limbs for balance.
    const bool jumps = std::any_of(events_.begin(), events_.end(),
                                   [](const Event& event) { return event.type == EventType::kLanding; });
    for (const Peak& peak : kept) {
      const Path& path = paths[peak.blade];
      const float strength = std::clamp(peak.speed / peak.limit - 0.6F, 0.3F, 1.0F);
      add(EventType::kSwing, peak.at, path.points[idx(peak.at)], velocity_at(path, peak.at), strength);
      if (jumps && !named && !blades[peak.blade].weapon) continue;
      int hit = named ? farthest_ahead(path, peak.at) : peak.at;
      while (!named && hit + 1 < count_ && hit < peak.at + steps(0.25) &&
             path.speeds[idx(hit)] > kBlowStopped * peak.speed)
        ++hit;
      const Vec3 tip = path.points[idx(hit)];
      if (named && peak.speed < kNamedBlow * kept.front().speed) continue;
      if (kick && tip.y < lowest_of(path) + kRaised * height_) continue;
      if (dot(tip - hips_[idx(hit)], body_.forward) < kInFront * height_) continue;
      add(EventType::kHit, hit, tip, velocity_at(path, peak.at), strength);
    }
  }

  bool is_foot(const Blade& blade) const {
    return std::any_of(body_.feet.begin(), body_.feet.end(),
                       [&](int foot) { return motion_.skeleton->parent(foot) == blade.joint; });
  }

  static float lowest_of(const Path& path) {
    float lowest = 1e30F;
    for (const Vec3 point : path.points) lowest = std::min(lowest, point.y);
    return lowest;
  }

  // The moment around a swing at which the tip is farthest before the hips.
  int farthest_ahead(const Path& path, int peak) const {
    int best = peak;
    float farthest = -1e30F;
    for (int i = std::max(0, peak - steps(0.08)); i < std::min(count_, peak + steps(0.25)); ++i) {
      const float ahead = dot(path.points[idx(i)] - hips_[idx(i)], body_.forward);
      if (ahead > farthest) farthest = ahead, best = i;
    }
    return best;
  }

  // From the limb's first joint to the farthest position of the tip, heights.
  float reach_of(const Blade& blade, const Path& path) const {
    int first = blade.joint;
    for (const Limb& limb : body_.limbs) {
      for (int joint = blade.joint; joint != kNoJoint; joint = motion_.skeleton->parent(joint)) {
        if (std::find(limb.joints.begin(), limb.joints.end(), joint) != limb.joints.end()) first = limb.joints.front();
      }
    }
    float farthest = 0;
    for (int i = 0; i < count_; ++i)
      farthest = std::max(farthest, length(path.points[idx(i)] - joints_[idx(i)][idx(first)].t));
    return farthest / height_;
  }

  void find_cast(float named_strength) {
    const bool named = named_strength > 0;
    int best = -1, best_hand = kNoJoint;
    float farthest = 0;
    Vec3 hand_position{};
    std::size_t arm = 0;
    for (const Limb& limb : body_.limbs) {
      if (limb.kind != LimbKind::kArm || limb.joints.empty() || arm >= body_.hands.size()) continue;
      const int hand = body_.hands[arm++], shoulder = limb.joints.front();
      const Path path = path_of(hand, {});
      float longest = 0;
      for (const std::vector<Affine>& joints : joints_)
        longest = std::max(longest, length(joints[idx(hand)].t - joints[idx(shoulder)].t));
      for (int i = 1; i + 1 < count_; ++i) {
        const float reached = length(joints_[idx(i)][idx(hand)].t - joints_[idx(i)][idx(shoulder)].t) / longest;
        const float ahead = dot(path.points[idx(i)] - hips_[idx(i)], body_.forward) / height_;
        float thrust = 0;
        for (int k = std::max(0, i - steps(0.25)); k < i; ++k) thrust = std::max(thrust, path.speeds[idx(k)]);
        const bool slows = path.speeds[idx(i)] < kHeld * std::max(1.0F, 0.4F * thrust);
        if (!slows || ahead < 0.1F || thrust < (named ? 0.5F : 1.0F) * kThrust) continue;
        if (!named) {
          const int until = i + steps(kHold_s);
          float bent = 1;
          for (int k = std::max(0, i - steps(0.4)); k < i; ++k)
            bent = std::min(bent, length(joints_[idx(k)][idx(hand)].t - joints_[idx(k)][idx(shoulder)].t) / longest);
          const Vec3 arm_now = normalized(joints_[idx(i)][idx(hand)].t - joints_[idx(i)][idx(shoulder)].t);
          if (bent > kBent || reached < kStraight || until >= count_ || dot(arm_now, body_.forward) < 0.75F) continue;
          bool held = true;
          for (int k = i; k < until; ++k) held &= path.speeds[idx(k)] < kHeld;
          if (!held) continue;
        }
        // The first moment of the farthest thrust.
        const float score = ahead + 0.1F * thrust;
        if (score > farthest + 0.02F) {
          farthest = score;
          best = i;
          best_hand = hand;
          hand_position = path.points[idx(i)];
        }
      }
    }
    if (best < 0) return;
    add(EventType::kCast, best, hand_position, body_.forward, named ? named_strength : 1);
    events_.back().joint = best_hand;
  }

  // Height of the lowest foot above the clip's lowest.
  void find_feet() {
    if (body_.feet.empty()) return;
    std::vector<float> heights;
    for (const std::vector<Affine>& joints : joints_) {
      float lowest = 1e30F;
      for (const int foot : body_.feet) lowest = std::min(lowest, joints[idx(foot)].t.y);
      heights.push_back(lowest / height_);
    }
    // Feet of some clips sink in for a moment: the height at rest is the ground's, where it is near.
    float ground = *std::min_element(heights.begin(), heights.end()), at_rest = 1e30F;
    for (const int foot : body_.feet)
      at_rest = std::min(at_rest, motion_.skeleton->rest_model()[idx(foot)].t.y / height_);
    if (std::abs(at_rest - ground) < kNearGround) ground = at_rest;
    for (float& value : heights) value -= ground;
    int begin = -1;
    for (int i = 0; i < count_; ++i) {
      if (heights[idx(i)] > kFlies) {
        if (begin < 0) begin = i;
        continue;
      }
      if (begin >= 0) add_flight(heights, begin, i);
      begin = -1;
    }
    if (speed_ >= kRuns) find_steps();
    find_fall();
  }

  void add_flight(const std::vector<float>& heights, int begin, int end) {
    const float highest = *std::max_element(heights.begin() + begin, heights.begin() + end);
    if (highest < (speed_ < kWalks ? kJumps : kLeaps)) return;  // Runners fly in every stride.
    const float strength = std::clamp(highest / 0.5F, 0.3F, 1.0F);
    if (begin > 0) add(EventType::kTakeoff, begin, feet_middle(begin), {0, 1, 0}, strength * 0.6F);
    // Down to the lowest position.
    while (end + 1 < count_ && heights[idx(end + 1)] < heights[idx(end)] - 1e-4F) ++end;
    add(EventType::kLanding, end, feet_middle(end), {0, 1, 0}, strength);
  }

  Vec3 feet_middle(int i) const {
    Vec3 sum{};
    float lowest = 1e30F;
    for (const int foot : body_.feet) {
      sum += joints_[idx(i)][idx(foot)].t / static_cast<float>(body_.feet.size());
      lowest = std::min(lowest, joints_[idx(i)][idx(foot)].t.y);
    }
    return {sum.x, lowest, sum.z};
  }

  void find_steps() {
    for (const int foot : body_.feet) {
      float low = 1e30F, high = -1e30F;
      for (const std::vector<Affine>& joints : joints_) {
        low = std::min(low, joints[idx(foot)].t.y);
        high = std::max(high, joints[idx(foot)].t.y);
      }
      const float down = low + 0.07F * (high - low), up = low + 0.35F * (high - low);
      if (high - low < 0.04F * height_) continue;
      // Loops: the state before the first frame is that of the last.
      bool raised = joints_[idx(clip_.loop ? count_ - 1 : 0)][idx(foot)].t.y > down;
      for (int i = 0; i < count_; ++i) {
        const float y = joints_[idx(i)][idx(foot)].t.y;
        if (raised && y <= down)
          add(EventType::kStep, i, joints_[idx(i)][idx(foot)].t, {0, 1, 0}, std::min(1.0F, 0.35F * speed_ / kRuns));
        raised = y > up || (raised && y > down);
      }
    }
  }

  // The hips drop fast and stop near the ground.
  void find_fall() {
    const auto ground = static_cast<float>(body_.ground_height);
    const int reach = steps(1.0 / 30);
    bool fast = false;
    for (int i = reach; i + reach < count_; ++i) {
      const float speed = (hips_[idx(i + reach)].y - hips_[idx(i - reach)].y) / height_ *
                          static_cast<float>(kEventRate_hz) / static_cast<float>(2 * reach);
      if (speed < -kFallSpeed) fast = true;
      if (!fast || speed < -0.25F * kFallSpeed) continue;
      fast = false;
      const bool lands = std::any_of(events_.begin(), events_.end(), [&](const Event& event) {
        return event.type == EventType::kLanding && std::abs(event.time_s - time_of(i)) < 0.3;
      });
      const int hips = body_.hips != kNoJoint ? body_.hips : 0;
      const float standing = motion_.skeleton->rest_model()[idx(hips)].t.y - ground;
      if (lands || hips_[idx(i)].y - ground > kLies * standing) continue;
      add(EventType::kLanding, i, {hips_[idx(i)].x, ground, hips_[idx(i)].z}, {0, 1, 0}, 0.8F);
    }
  }

  void add(EventType type, int at, Vec3 position, Vec3 direction, float strength) {
    events_.push_back({type, time_of(at), position, normalized(direction, {0, 1, 0}), strength});
  }

  const Request& request_;
  const SkeletonAnalysis& body_;
  const Motion& motion_;
  const Clip& clip_;
  float height_ = 1, speed_ = 0;
  int count_ = 0;
  std::vector<std::vector<Affine>> joints_;  // [moments][joints]
  std::vector<Vec3> hips_;
  std::vector<Event> events_;
};

}  // namespace

const char* to_string(EventType type) {
  switch (type) {
    case EventType::kSwing:
      return "swing";
    case EventType::kHit:
      return "hit";
    case EventType::kStep:
      return "step";
    case EventType::kTakeoff:
      return "takeoff";
    case EventType::kLanding:
      return "landing";
    case EventType::kCast:
      return "cast";
  }
  return "";
}

std::vector<Event> find_events(const Request& request, const Clip& clip) { return EventFinder(request, clip).run(); }

std::size_t exposure_at(std::span<const Exposure> exposures, double time_s) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < exposures.size(); ++i) {
    if (std::abs(exposures[i].time_s - time_s) < std::abs(exposures[best].time_s - time_s) - 1e-9) best = i;
  }
  return best;
}

std::vector<Exposure> with_impacts(std::vector<Exposure> exposures, std::span<const Event> events) {
  std::vector<Exposure> out;
  for (std::size_t i = 0; i < exposures.size(); ++i) {
    Exposure exposure = exposures[i];
    const bool hit = std::any_of(events.begin(), events.end(), [&](const Event& event) {
      return event.type == EventType::kHit && exposure_at(exposures, event.time_s) == i;
    });
    const int taken_ms = std::min(static_cast<int>(std::lround(1000 * kImpact_s)), exposure.duration_ms / 2);
    if (hit && !exposure.impact && taken_ms > 0) {
      out.push_back({exposure.time_s, taken_ms, true});
      exposure.duration_ms -= taken_ms;
    }
    out.push_back(exposure);
  }
  return out;
}

}  // namespace zoe::sprite
