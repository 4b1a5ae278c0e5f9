// SPDX-License-Identifier: MIT
#include "plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/joint_tracks.h"
#include "zoe/motion/phase.h"

namespace zoe::viewer {
namespace {

constexpr std::size_t kMostLines = 8;

std::string short_name(const Skeleton& skeleton, int joint) {
  const std::string& name = skeleton.name(joint);
  return name.substr(name.rfind(':') + 1);
}

// Backward differences. Frame 0 has that of frame 1.
std::vector<float> speeds(std::span<const Vec3> places, double fps, float unit_m) {
  std::vector<float> out(places.size(), 0.0F);
  for (std::size_t i = 1; i < places.size(); ++i)
    out[i] = distance(places[i], places[i - 1]) * static_cast<float>(fps) * unit_m;
  if (out.size() > 1) out[0] = out[1];
  return out;
}

void fit_range(Plot& plot) {
  float low = 1e30F, high = -1e30F;
  for (const PlotLine& line : plot.lines) {
    for (const float value : line.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low > high) low = 0, high = 1;
  const float room = std::max((high - low) * 0.08F, 1e-4F);
  plot.low = low >= 0 && low < 0.3F * high ? 0 : low - room;  // Speeds start at zero.
  plot.high = high + room;
}

Contacts contacts_of(const StageItem& item, const Motion& motion) {
  if (item.contacts.num_joints == 0 || &motion == &item.motion()) return item.contacts;
  Result<Contacts> found = find_foot_contacts(motion, *item.body);
  return found ? std::move(found).value() : Contacts{};
}

Plot foot_plot(Measure what, const StageItem& item, const Motion& motion) {
  Plot plot{.name = to_string(what), .unit = what == Measure::kPhases ? "sin" : ""};
  const Contacts contacts = contacts_of(item, motion);
  if (contacts.num_joints == 0) return plot;
  std::vector<PhaseSample> phases;
  if (what == Measure::kPhases) {
    Result<std::vector<PhaseSample>> found = contact_phases(contacts, motion.fps);
    if (!found) return plot;
    phases = std::move(found).value();
  }
  const auto feet = std::min(static_cast<std::size_t>(contacts.num_joints), kMostLines);
  for (std::size_t foot = 0; foot < feet; ++foot) {
    PlotLine line{short_name(*motion.skeleton, item.body->feet[foot]), {}};
    for (int frame = 0; frame < contacts.num_frames; ++frame) {
      const auto at = static_cast<std::size_t>(frame) * static_cast<std::size_t>(contacts.num_joints) + foot;
      line.values.push_back(what == Measure::kPhases
                                ? phases[at].confidence * std::sin(2 * std::numbers::pi_v<float> * phases[at].phase +
                                                                   std::numbers::pi_v<float> / 2)
                                : static_cast<float>(contacts.touching[at]));
    }
    plot.lines.push_back(std::move(line));
  }
  if (what == Measure::kContacts) plot.kind = Plot::Kind::kBars;
  return plot;
}

// In metres, as features need it.
Motion in_metres(const StageItem& item) {
  const double scale = item.body->metres_per_unit;
  if (std::abs(scale - 1) < 1e-9) return item.motion();
  const SpaceChange change{.scale = scale};
  return convert_space(item.motion(), change, convert_space(*item.motion().skeleton, change));
}

Result<features::Layout> layout_of(const StageItem& item, const Motion& motion, const std::string& preset) {
  ZOE_TRY_ASSIGN(features::Schema schema, features::Schema::preset(preset));
  return features::Layout::compile(schema, *motion.skeleton, *item.body);
}

}  // namespace

const char* to_string(Measure measure) {
  switch (measure) {
    case Measure::kRootSpeed:
      return "Root speed";
    case Measure::kTurnSpeed:
      return "Turning";
    case Measure::kContacts:
      return "Contacts";
    case Measure::kPhases:
      return "Phases";
    case Measure::kJointHeight:
      return "Joint height";
    case Measure::kJointSpeed:
      return "Joint speed";
    case Measure::kFeatures:
      return "Features";
  }
  return "?";
}

Plot measure(Measure what, const StageItem& item, const Motion& motion, int joint) {
  const float unit_m = item.unit_m();
  Plot plot{.name = to_string(what)};
  const bool own = &motion == &item.motion();
  switch (what) {
    case Measure::kContacts:
    case Measure::kPhases:
      plot = foot_plot(what, item, motion);
      break;
    case Measure::kRootSpeed:
    case Measure::kTurnSpeed: {
      const RootTrajectory mirrored = own ? RootTrajectory{} : find_root(motion, *item.body);
      const RootTrajectory& root = own ? item.root : mirrored;
      PlotLine line{what == Measure::kRootSpeed ? "root" : "turn", {}};
      for (std::size_t i = 0; i < root.velocities.size(); ++i) {
        line.values.push_back(what == Measure::kRootSpeed
                                  ? length(root.velocities[i]) * unit_m
                                  : root.turn_speeds_rad_s[i] * 180 / std::numbers::pi_v<float>);
      }
      plot.unit = what == Measure::kRootSpeed ? "m/s" : "deg/s";
      plot.lines.push_back(std::move(line));
      break;
    }
    case Measure::kJointHeight:
    case Measure::kJointSpeed: {
      if (joint == kNoJoint) joint = item.body->hips != kNoJoint ? item.body->hips : 0;
      if (joint >= motion.num_joints()) break;
      const std::vector<Vec3> places = model_positions(motion, std::array{joint});
      PlotLine line{short_name(*motion.skeleton, joint), {}};
      if (what == Measure::kJointSpeed) line.values = speeds(places, motion.fps, unit_m);
      if (what == Measure::kJointHeight) {
        for (const Vec3 place : places) line.values.push_back(place.y * unit_m);
      }
      plot.unit = what == Measure::kJointHeight ? "m" : "m/s";
      plot.lines.push_back(std::move(line));
      break;
    }
    case Measure::kFeatures:
      break;
  }
  fit_range(plot);
  return plot;
}

FeatureChannels list_features(const StageItem& item, const std::string& preset) {
  FeatureChannels channels;
  const Motion motion = in_metres(item);
  const Result<features::Layout> layout = layout_of(item, motion, preset);
  if (!layout) return channels;
  for (const features::Column& column : layout->columns(features::BlockKind::kInput))
    channels.names.push_back(column.name);
  return channels;
}

Plot measure_feature(const StageItem& item, const std::string& preset, const std::string& channel) {
  Plot plot{.name = "Features", .unit = ""};
  const Motion motion = in_metres(item);
  const Result<features::Layout> layout = layout_of(item, motion, preset);
  if (!layout) return plot;
  const Result<features::Column> column = layout->find_column(features::BlockKind::kInput, channel);
  const Result<std::vector<float>> rows = features::build_frame_rows(*layout, {.motion = &motion});
  if (!column || !rows) return plot;
  const features::ClipRows clip{rows->data(), features::num_rows(*layout, motion)};
  // Rows have the schema's rate; plots have a value per frame.
  std::vector<features::Sample> samples(static_cast<std::size_t>(motion.num_frames));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double row = std::min(static_cast<double>(i) / motion.fps * layout->fps(), clip.num_rows - 1.0);
    // 12.9999999 is row 13: as a float its fraction would be a whole one.
    samples[i].frame = static_cast<int>(row + 1e-6);
    samples[i].fraction = samples[i].frame + 1 < clip.num_rows
                              ? std::clamp(static_cast<float>(row - samples[i].frame), 0.0F, 0.99999F)
                              : 0;
  }
  std::vector<float> input(samples.size() * layout->size(features::BlockKind::kInput));
  if (!features::GatherJob{.layout = &*layout, .clips = {&clip, 1}, .samples = samples, .input = input}.run())
    return plot;
  const std::vector<std::string> names = features::column_names(*layout, features::BlockKind::kInput);
  const std::size_t stride = layout->size(features::BlockKind::kInput);
  for (std::size_t k = 0; k < std::min(static_cast<std::size_t>(column->width), kMostLines); ++k) {
    const std::size_t at = static_cast<std::size_t>(column->begin) + k;
    PlotLine line{at < names.size() ? names[at] : channel, {}};
    for (std::size_t i = 0; i < samples.size(); ++i) line.values.push_back(input[i * stride + at]);
    plot.lines.push_back(std::move(line));
  }
  fit_range(plot);
  return plot;
}

}  // namespace zoe::viewer
