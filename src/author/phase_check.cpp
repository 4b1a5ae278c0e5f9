// SPDX-License-Identifier: MIT
#include "zoe/author/phase_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/motion/phase_trust.h"

namespace zoe::author {
namespace {

using features::Group;

struct Doubt {
  std::string clip;
  PhaseTrust trust;
};

bool needs_contact_phases(const features::Layout& layout) {
  return std::any_of(layout.row_sources().begin(), layout.row_sources().end(), [](const auto& source) {
    return source.group == Group::kPhaseLocal || source.group == Group::kPhaseGlobal;
  });
}

const features::RowSource* contacts_of(const features::Layout& layout) {
  for (const features::RowSource& source : layout.row_sources()) {
    if (source.group == Group::kContact) return &source;
  }
  return nullptr;
}

// Left minus right contacts: the signal of the step phase.
std::vector<float> balance_of(const features::Layout& layout, const features::RowSource& contacts,
                              const features::ClipRows& rows) {
  std::vector<float> balance(static_cast<std::size_t>(rows.num_rows), 0.0F);
  for (std::size_t row = 0; row < balance.size(); ++row) {
    const float* values =
        rows.rows + row * static_cast<std::size_t>(layout.frame_width()) + static_cast<std::size_t>(contacts.offset);
    for (std::size_t j = 0; j < contacts.joints.size(); ++j) {
      const auto joint = static_cast<std::size_t>(contacts.joints[j]);
      balance[row] += static_cast<float>(layout.joint_sides()[joint]) * values[j];
    }
  }
  return balance;
}

std::string why(const PhaseTrust& trust) {
  if (!(trust.num_cycles >= PhaseTrust::kMinCycles)) return "less than one cycle";
  if (!(trust.backward < PhaseTrust::kMaxBackward)) return fmt::format("{:.0f} % backward", 100 * trust.backward);
  if (!(trust.envelope > PhaseTrust::kMinEnvelope)) return "pauses";
  return fmt::format("irregular cycles, correlation {:.2f}", trust.likeness);
}

// A standing body has no cycle, and needs none: a number, no warning.
bool only_pauses(const PhaseTrust& trust) {
  PhaseTrust other = trust;
  other.envelope = 1;
  return other.holds();
}

}  // namespace

std::optional<PhaseCheck> check_contact_phases(const dataset::Dataset& data, const dataset::Group& group) {
  const features::RowSource* contacts = contacts_of(group.layout);
  if (contacts == nullptr || !needs_contact_phases(group.layout)) return {};
  std::vector<Doubt> doubts;
  double rows = 0, rows_in_doubt = 0, rows_to_warn_of = 0;
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    const dataset::ClipRecord& record = data.clips()[static_cast<std::size_t>(group.clips[i])];
    if (record.mirrored) continue;
    const std::vector<float> balance = balance_of(group.layout, *contacts, group.rows[i]);
    const auto phases = hilbert_phase(balance, group.layout.fps());
    const PhaseTrust trust = phases ? judge_phase(balance, *phases) : PhaseTrust{};
    rows += record.num_rows;
    if (trust.holds()) continue;
    rows_in_doubt += record.num_rows;
    if (only_pauses(trust)) continue;
    rows_to_warn_of += record.num_rows;
    doubts.push_back({record.source, trust});
  }
  if (rows == 0) return {};
  PhaseCheck found{.trusted_share = 1 - rows_in_doubt / rows, .warned_share = rows_to_warn_of / rows, .warning = {}};
  if (found.warned_share < 0.1) return found;
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(doubts.size(), 4); ++i) {
    names += fmt::format("{}{} ({})", i > 0 ? ", " : "", doubts[i].clip, why(doubts[i].trust));
  }
  if (doubts.size() > 4) names += fmt::format(" and {} more", doubts.size() - 4);
  found.warning =
      fmt::format("the contact phase is unreliable in {:.0f} % of the frames: {}; the type deepphase needs no contacts",
                  100 * found.warned_share, names);
  return found;
}

}  // namespace zoe::author
