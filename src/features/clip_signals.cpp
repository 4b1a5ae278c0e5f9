// SPDX-License-Identifier: MIT
#include "features/clip_signals.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/suggest.h"
#include "zoe/features/ground_signals.h"
#include "zoe/motion/contacts.h"
#include "zoe/motion/phase.h"

namespace zoe::features {
namespace {

// Contacts that came with the clip; none: empty.
std::span<const float> supplied_contacts(const ClipContext& clip, std::size_t num_joints) {
  for (const SignalTrack& track : clip.signals) {
    if (track.name == kContactSignal && track.values.size() == idx(clip.motion->num_frames) * num_joints)
      return track.values;
  }
  return {};
}

Result<Contacts> contacts_of(const Layout& layout, const ClipContext& clip, const std::vector<int>& joints) {
  const Motion& motion = *clip.motion;
  if (const std::span<const float> known = supplied_contacts(clip, joints.size()); !known.empty()) {
    Contacts contacts;
    contacts.num_frames = motion.num_frames;
    contacts.num_joints = static_cast<int>(joints.size());
    for (const float value : known) contacts.touching.push_back(value >= 0.5F ? 1 : 0);
    contacts.weights.assign(known.begin(), known.end());
    return contacts;
  }
  const Schema& schema = layout.schema();
  if (!schema.contacts_by_speed) return find_contacts(motion, joints);
  const std::vector<float> thresholds(joints.size(), static_cast<float>(schema.contact_speed_m_s));
  return find_contacts_by_speed(motion, joints, thresholds);
}

Result<std::vector<float>> local_phases(const Layout& layout, const ClipContext& clip, const std::vector<int>& joints) {
  ZOE_TRY_ASSIGN(const Contacts contacts, contacts_of(layout, clip, joints));
  ZOE_TRY_ASSIGN(const std::vector<PhaseSample> phases, contact_phases(contacts, clip.motion->fps));
  std::vector<float> out;
  out.reserve(2 * phases.size());
  for (const PhaseSample& phase : phases) {
    const Vec2 v = phase_vector(phase);
    out.push_back(v.x);
    out.push_back(v.y);
  }
  return out;
}

// (sin, cos) of the cycle of left minus right contacts.
Result<std::vector<float>> global_phase(const Layout& layout, const ClipContext& clip, const std::vector<int>& joints) {
  const Motion& motion = *clip.motion;
  ZOE_TRY_ASSIGN(const Contacts contacts, contacts_of(layout, clip, joints));
  std::vector<float> balance(idx(motion.num_frames), 0.0F);
  for (std::size_t i = 0; i < contacts.touching.size(); ++i) {
    const std::size_t joint = i % joints.size();
    balance[i / joints.size()] += static_cast<float>(layout.joint_sides()[idx(joints[joint])] * contacts.touching[i]);
  }
  ZOE_TRY_ASSIGN(const std::vector<PhaseSample> phases, hilbert_phase(balance, motion.fps));
  std::vector<float> out;
  for (const PhaseSample& phase : phases) {
    const float angle = phase.phase * 2 * std::numbers::pi_v<float>;
    out.push_back(std::sin(angle));
    out.push_back(std::cos(angle));
  }
  return out;
}

Result<std::vector<float>> labels(const std::vector<std::string>& names, const ClipContext& clip) {
  const std::size_t frames = idx(clip.motion->num_frames), width = names.size();
  std::vector<float> out(frames * width, 0.0F);
  for (const LabelTrack& label : clip.labels) {
    const auto found = std::find(names.begin(), names.end(), label.name);
    if (found == names.end()) continue;
    if (!label.frames.empty() && label.frames.size() != frames) {
      return Error{ErrorCode::kUsage,
                   fmt::format("label '{}' has {} frames, the clip {}", label.name, label.frames.size(), frames),
                   {}};
    }
    const auto column = static_cast<std::size_t>(found - names.begin());
    for (std::size_t f = 0; f < frames; ++f)
      out[f * width + column] = label.frames.empty() ? label.value : label.frames[f];
  }
  return out;
}

Result<std::vector<float>> supplied(const RowSource& source, const ClipContext& clip) {
  const std::size_t count = idx(clip.motion->num_frames) * idx(source.width);
  for (const SignalTrack& track : clip.signals) {
    if (track.name != source.name) continue;
    if (track.values.size() == count) return std::vector<float>(track.values.begin(), track.values.end());
    return Error{ErrorCode::kUsage,
                 fmt::format("signal '{}' has {} values, not {} frames of {}", source.name, track.values.size(),
                             clip.motion->num_frames, source.width),
                 {}};
  }
  return std::vector<float>(count, 0.0F);
}

}  // namespace

Result<std::vector<ClipSignal>> compute_signals(const Layout& layout, const ClipContext& clip) {
  std::vector<ClipSignal> out;
  for (const RowSource& source : layout.row_sources()) {
    ClipSignal signal{&source, {}, false};
    switch (source.group) {
      case Group::kContact: {
        ZOE_TRY_ASSIGN(const Contacts contacts, contacts_of(layout, clip, source.joints));
        signal.values.assign(contacts.touching.begin(), contacts.touching.end());
        signal.nearest = true;
        break;
      }
      case Group::kPhaseLocal: {
        ZOE_TRY_ASSIGN(signal.values, local_phases(layout, clip, source.joints));
        break;
      }
      case Group::kPhaseGlobal: {
        ZOE_TRY_ASSIGN(signal.values, global_phase(layout, clip, source.joints));
        break;
      }
      case Group::kStyle:
      case Group::kAction: {
        const Schema& schema = layout.schema();
        ZOE_TRY_ASSIGN(signal.values, labels(source.group == Group::kStyle ? schema.styles : schema.actions, clip));
        break;
      }
      case Group::kSignal: {
        ZOE_TRY_ASSIGN(signal.values, supplied(source, clip));
        break;
      }
      default:
        continue;
    }
    out.push_back(std::move(signal));
  }
  return out;
}

}  // namespace zoe::features
