// SPDX-License-Identifier: MIT
#include "author/nsm/deed_signals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/character/pose.h"
#include "zoe/control/deed_facts.h"
#include "zoe/control/deed_state.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/motion/edit.h"

#include "author/fits.h"
#include "author/percentile.h"

namespace zoe::author {
namespace {

using control::Deed;
using control::DeedGoal;
using dataset::PropTrack;

constexpr float kAhead_m = 0.5F, kLeastAhead_m = 0.1F;

std::span<const Prop> props_at(const PropTrack& track, std::size_t frame) {
  return std::span(track.props).subspan(frame * track.num_props, track.num_props);
}

bool same(const PropTrack::Goal& a, const PropTrack::Goal& b) {
  return a.deed == b.deed && distance(a.position, b.position) < 1e-3F && std::abs(a.facing_rad - b.facing_rad) < 1e-3F;
}

// 1 from the first to the last frame in which a prop is moved by hands.
std::vector<float> held_of(const PropTrack& track, const std::vector<Deed>& deeds) {
  const std::size_t frames = track.num_frames();
  std::vector<float> held(frames, 0.0F);
  for (std::size_t i = 0; i < track.num_props; ++i) {
    std::size_t first = frames, last = 0;
    for (std::size_t f = 1; f < frames; ++f) {
      const Prop &now = props_at(track, f)[i], &before = props_at(track, f - 1)[i];
      const bool moves =
          distance(now.position, before.position) > 1e-5F || std::abs(now.open_rad - before.open_rad) > 1e-5F;
      if (!moves) continue;
      first = std::min(first, f), last = f;
    }
    for (std::size_t f = first; f < frames && f <= last; ++f)
      if (deeds[f] != Deed::kIdle && deeds[f] != Deed::kWalk && deeds[f] != Deed::kSit) held[f] = 1;
  }
  return held;
}

// Direction of the path ahead of frame f, up to frame `end`.
Vec3 way_at(std::span<const PlanarRoot> roots, std::size_t f, std::size_t end) {
  float arc = 0;
  std::size_t at = f;
  for (; at + 1 < end && arc < kAhead_m; ++at) {
    Vec3 step = roots[at + 1].position - roots[at].position;
    step.y = 0;
    arc += length(step);
  }
  Vec3 to = roots[at].position - roots[f].position;
  to.y = 0;
  const float far = length(to);
  return arc > kLeastAhead_m && far > 1e-3F ? to / far : Vec3{};
}

}  // namespace

Result<std::vector<DeedGoal>> anchored_goals(const PropTrack& track) {
  const std::size_t frames = track.num_frames();
  std::vector<DeedGoal> out(frames);
  for (std::size_t from = 0; from < frames;) {
    std::size_t to = from;
    while (to < frames && same(track.goals[to], track.goals[from])) ++to;
    const PropTrack::Goal& goal = track.goals[from];
    const std::string& name = track.deeds[idx(goal.deed)];
    const auto deed = control::find_deed(name);
    if (!deed) return Error{ErrorCode::kInvalid, fmt::format("the deed '{}' is not known", name), {}};
    DeedGoal anchored{*deed, {goal.position, goal.facing_rad}};
    // Where a box shall be is where it is at the end.
    const std::size_t frame = *deed == Deed::kPutDown ? to - 1 : from;
    const PlanarRoot root{goal.position, goal.facing_rad};
    if (const Prop* used = control::used_prop(props_at(track, frame), anchored, root); used != nullptr)
      anchored.place = control::anchor_of(*used);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(from), out.begin() + static_cast<std::ptrdiff_t>(to), anchored);
    from = to;
  }
  return out;
}

Result<std::vector<dataset::ClipSignal>> deed_signals_of(const PropTrack& track, const Motion& motion,
                                                         std::span<const PlanarRoot> roots, double first_s) {
  const std::size_t frames = idx(motion.num_frames), last = track.num_frames() - 1;
  ZOE_TRY_ASSIGN(const std::vector<DeedGoal> goals, anchored_goals(track));
  std::vector<Deed> deeds;
  for (const int deed : track.deed) {
    const auto found = control::find_deed(track.deeds[idx(deed)]);
    if (!found)
      return Error{ErrorCode::kInvalid, fmt::format("the deed '{}' is not known", track.deeds[idx(deed)]), {}};
    deeds.push_back(*found);
  }
  // A character that gets its goal stands: the first frame of a clip does too.
  if (deeds[0] == Deed::kWalk) deeds[0] = Deed::kIdle;
  const std::vector<float> held = held_of(track, deeds);
  const auto track_frame = [&](std::size_t f) {
    const double at = (first_s + static_cast<double>(f) / motion.fps) * track.fps;
    return std::min(static_cast<std::size_t>(std::max(std::lround(at), 0L)), last);
  };
  using namespace control;
  std::vector<float> state(frames * idx(kDeedStateWidth)), around(frames * idx(kSurroundingsWidth)),
      used(frames * idx(kInteractionWidth)), next(frames * idx(kDeedNextWidth));
  const DeedSenses senses;
  DeedClocks clocks;
  const auto dt_s = static_cast<float>(1 / motion.fps);
  std::size_t goal_end = 0;  // One past the last frame with the goal of this frame.
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t k = track_frame(f), before = track_frame(f > 0 ? f - 1 : 0);
    if (f > 0) clocks.advance(dt_s);
    if (deeds[k] != deeds[before]) clocks.deed_changed();
    if (!same_goal(goals[k], goals[before])) clocks.goal_changed();
    clocks.see(roots[f], goals[k]);
    if (f >= goal_end)
      for (goal_end = f + 1; goal_end < frames && same_goal(goals[track_frame(goal_end)], goals[k]);) ++goal_end;
    const auto part = [&](std::vector<float>& of, int width) {
      return std::span(of).subspan(f * idx(width), idx(width));
    };
    DeedSenses::write_state({roots[f], deeds[k], goals[k], clocks, way_at(roots, f, goal_end)},
                            part(state, kDeedStateWidth));
    senses.write_surroundings(props_at(track, k), roots[f], part(around, kSurroundingsWidth));
    senses.write_interaction(used_prop(props_at(track, k), goals[k], roots[f]), roots[f],
                             part(used, kInteractionWidth));
    const std::span<float> out = part(next, kDeedNextWidth);
    out[idx(static_cast<int>(deeds[k]))] = 1;
    out[idx(kHeldColumn)] = held[k];
    // Relative to the goal that was known before.
    write_root_in_goal(roots[f], goals[before].place, out.subspan<kRootInGoalColumn, 4>());
  }
  std::vector<dataset::ClipSignal> out;
  out.push_back({std::string(kDeedSignal), std::move(state)});
  out.push_back({std::string(kSurroundingsSignal), std::move(around)});
  out.push_back({std::string(kInteractionSignal), std::move(used)});
  out.push_back({std::string(kDeedNextSignal), std::move(next)});
  return out;
}

namespace {

void widen(control::DeedFacts::Range& range, float value) {
  if (range[0] == 0 && range[1] == 0) range = {value, value};
  range = {std::min(range[0], value), std::max(range[1], value)};
}

// Sizes of the props of a clip.
void add_props(const PropTrack& track, control::DeedFacts& facts) {
  for (const Prop& prop : props_at(track, 0)) {
    const Box3 box = bounds_of(prop);
    if (prop.type == PropType::kSeat) {
      widen(facts.seat_height, prop.seat_m.y), widen(facts.seat_width, 2 * prop.seat_half_width_m);
      widen(facts.seat_depth, 2 * prop.seat_half_depth_m);
      facts.seat_back[1] = std::max(facts.seat_back[1], box.max.y - prop.seat_m.y);  // Stools have none.
    }
    if (prop.type == PropType::kBox) {
      widen(facts.box_width, box.size().x), widen(facts.box_height, box.size().y), widen(facts.box_depth, box.size().z);
      facts.box_bottom[1] = std::max(facts.box_bottom[1], prop.position.y);  // From the floor on.
      widen(facts.box_kg, prop.mass_kg);
    }
    if (prop.type == PropType::kDoor) {
      widen(facts.door_width, prop.handle_m.x), widen(facts.handle_height, prop.handle_m.y);
    }
  }
}

// Hips of a body that sits: before the seat's edge as the deed begins, and above the seat from a second and a half
// later until the goal changes.
struct SeatedHips {
  std::vector<float> before_m, above_m;
};
void add_seated(const PropTrack& track, const Motion& motion, int hips, SeatedHips& out) {
  std::vector<Affine> models(idx(motion.num_joints()));
  std::size_t since = 0;
  for (std::size_t f = 0; f < std::min(track.num_frames(), idx(motion.num_frames)); ++f) {
    if (f > 0 && track.deed[f] != track.deed[f - 1]) since = f;
    const std::string& deed = track.deeds[idx(track.deed[f])];
    const Prop* seat = track.num_props > 0 ? &props_at(track, f)[0] : nullptr;
    if (deed != "sit" || seat == nullptr || seat->type != PropType::kSeat || track.goals[f].deed != track.deed[f])
      continue;
    const bool begins = f == since, is_seated = static_cast<double>(f - since) >= 1.6 * track.fps;
    if (!begins && !is_seated) continue;
    compute_model_from_joint(*motion.skeleton, motion.frame(static_cast<int>(f)), models);
    const Vec3 own = prop_from_world(*seat, models[idx(hips)].t) - seat->seat_m;
    if (begins) out.before_m.push_back(own.z - seat->seat_half_depth_m);
    if (is_seated) out.above_m.push_back(own.y);
  }
}

}  // namespace

Result<Prepared> prepare_nsm(const PrepareContext& context) {
  struct Clips {
    std::map<std::string, std::pair<PropTrack, double>> tracks;  // By ClipFile::source; with the clip's start_time_s.
    SkeletonPtr skeleton;
    RootJoints root_joints;
    RootOptions root_options;
  };
  auto clips = std::make_shared<Clips>();
  Warnings warnings;
  control::DeedFacts facts;
  SeatedHips seated;
  for (const dataset::ClipFile& file : context.build.files) {
    if (file.problem || file.asset.clips.empty()) continue;
    auto track = dataset::read_prop_track(dataset::prop_track_beside(file.path));
    if (!track) {
      warnings.push_back({"left out: no props beside it: " + track.error().message, {.file = file.path.string()}});
      continue;
    }
    if (!clips->skeleton) {
      const Motion motion = without_end_sites(file.asset.clips[0]);
      const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
      ZOE_TRY_ASSIGN(const features::Layout layout,
                     features::Layout::compile(context.build.schema, *motion.skeleton, analysis));
      clips->skeleton = motion.skeleton;
      clips->root_joints = layout.root_joints();
      clips->root_options = layout.root_options();
      facts.hips = analysis.hips;
      for (const int hand : analysis.hands) {
        (layout.joint_sides()[idx(hand)] < 0 ? facts.right_hand : facts.left_hand) = hand;
      }
    }
    add_props(*track, facts);
    if (const Motion motion = without_end_sites(file.asset.clips[0]);
        facts.hips >= 0 && motion.skeleton->topology_hash() == clips->skeleton->topology_hash())
      add_seated(*track, motion, facts.hips, seated);
    clips->tracks.emplace(file.source, std::pair{std::move(*track), file.asset.clips[0].start_time_s});
  }
  context.listener.warn(warnings);
  if (clips->tracks.empty()) {
    return Error{ErrorCode::kInvalid,
                 "no clip has props beside it (NAME.props.safetensors); `zoe synth --deed sit,carry,open,walk "
                 "--one-body` writes some",
                 {}};
  }
  if (!seated.above_m.empty()) facts.seated_m = percentile(seated.above_m, 0.5);
  if (!seated.before_m.empty()) facts.before_seat_m = percentile(seated.before_m, 0.5);
  ZOE_TRY(write_file_atomic(context.run / kDeedFactsFile, facts.to_text()));
  context.listener.say(fmt::format("props and goals of {} clips", clips->tracks.size()));
  Prepared prepared;
  prepared.signals.key = "nsm 4";
  prepared.signals.make_for = [clips](const Motion& motion,
                                      const dataset::ClipOrigin& origin) -> Result<std::vector<dataset::ClipSignal>> {
    const auto found = clips->tracks.find(origin.source);
    if (found == clips->tracks.end() || origin.clip_index != 0)
      return Error{ErrorCode::kInvalid, "no props are beside this clip", {}};
    if (motion.skeleton->topology_hash() != clips->skeleton->topology_hash())
      return Error{ErrorCode::kInvalid, "it has another skeleton", {}};
    ZOE_TRY_ASSIGN(const RootTrajectory roots, extract_root(motion, clips->root_joints, clips->root_options));
    return deed_signals_of(found->second.first, motion, roots.roots, motion.start_time_s - found->second.second);
  };
  return prepared;
}

}  // namespace zoe::author
