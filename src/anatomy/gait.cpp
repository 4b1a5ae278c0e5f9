// SPDX-License-Identifier: MIT
// Names after Hildebrand, "Symmetrical gaits of horses" (1965): the lag of a front foot behind the
// hind foot of its side.
#include "zoe/anatomy/gait.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/motion/phase.h"

namespace zoe {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

double wrapped(double cycles) { return cycles - std::floor(cycles); }
// Distance of two phases of the cycle: 0 to 0.5.
double apart(double a, double b) { return std::abs(std::remainder(a - b, 1.0)); }

// Columns of the feet of two or four legs, hind ones first, left before right.
std::vector<std::size_t> feet_in_order(const SkeletonAnalysis& analysis) {
  struct Place {
    std::size_t column;
    double along;
    bool right;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < analysis.feet.size(); ++i) {
    const int foot = analysis.feet[i];
    const auto limb = std::find_if(analysis.limbs.begin(), analysis.limbs.end(), [&](const Limb& l) {
      return std::find(l.joints.begin(), l.joints.end(), foot) != l.joints.end();
    });
    if (limb == analysis.limbs.end()) return {};
    const auto base = static_cast<std::size_t>(limb->joints.front());
    if (base >= analysis.reference_positions.size()) return {};
    places.push_back({i, dot(analysis.reference_positions[base], analysis.forward), limb->side == Side::kRight});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.along < b.along; });
  std::vector<std::size_t> order;
  for (std::size_t pair = 0; pair + 1 < places.size(); pair += 2) {
    if (places[pair].right == places[pair + 1].right) return {};
    const bool swap = places[pair].right;
    order.push_back(places[pair + (swap ? 1 : 0)].column);
    order.push_back(places[pair + (swap ? 0 : 1)].column);
  }
  return order;
}

struct Range {
  std::size_t first, last;
};

// Median over the range and all feet, over frames that have a phase.
double cycle_hz(const std::vector<PhaseSample>& phases, std::size_t num_feet, Range range) {
  std::vector<float> hz;
  for (std::size_t i = range.first * num_feet; i < (range.last + 1) * num_feet; ++i) {
    if (phases[i].confidence > 0.4F && phases[i].frequency_hz > 0) hz.push_back(phases[i].frequency_hz);
  }
  if (hz.empty()) return 0;
  std::nth_element(hz.begin(), hz.begin() + static_cast<std::ptrdiff_t>(hz.size() / 2), hz.end());
  return hz[hz.size() / 2];
}

GaitKind name_of(const Gait& gait, const std::vector<std::size_t>& order) {
  const auto lag = [&](std::size_t place) { return gait.feet[order[place]].lag; };
  if (order.size() == 2) {
    const double duty = (gait.feet[0].duty + gait.feet[1].duty) / 2;
    if (apart(lag(1), 0.5) < 0.2) return duty >= 0.5 ? GaitKind::kWalk : GaitKind::kRun;
    return apart(lag(1), 0) < 0.15 ? GaitKind::kHop : GaitKind::kOther;
  }
  if (order.size() != 4) return GaitKind::kOther;
  const double hind = apart(lag(1), lag(0)), front = apart(lag(3), lag(2));
  if (hind < 0.08 && front < 0.08) return GaitKind::kBound;
  if (hind < 0.35 && front < 0.35) return GaitKind::kGallop;
  if (hind < 0.35 || front < 0.35) return GaitKind::kOther;
  // Symmetrical: both sides do the same. Their mean, as directions on the cycle.
  const auto direction = [](double cycles) { return std::polar(1.0, kTurn * cycles); };
  const double side = wrapped(std::arg(direction(lag(2) - lag(0)) + direction(lag(3) - lag(1))) / kTurn);
  if (apart(side, 0) < 0.125) return GaitKind::kPace;
  return apart(side, 0.5) < 0.125 ? GaitKind::kTrot : GaitKind::kWalk;
}

}  // namespace

const char* to_string(GaitKind kind) {
  constexpr std::array<const char*, 9> kWords{"none", "walk", "run", "hop", "trot", "pace", "gallop", "bound", "other"};
  return kWords[static_cast<std::size_t>(kind)];
}

Result<Gait> find_gait(const Motion& motion, const SkeletonAnalysis& analysis, int first_frame, int last_frame) {
  if (last_frame < 0) last_frame = motion.num_frames - 1;
  if (first_frame < 0 || last_frame < first_frame || last_frame >= motion.num_frames) {
    return Error{ErrorCode::kUsage, "gait: the range of frames is not in the clip", {}};
  }
  ZOE_TRY_ASSIGN(const Contacts contacts, find_foot_contacts(motion, analysis));
  const std::size_t n = analysis.feet.size();
  const Range range{static_cast<std::size_t>(first_frame), static_cast<std::size_t>(last_frame)};
  Gait gait;
  for (std::size_t i = 0; i < n; ++i) {
    double down = 0;
    for (std::size_t f = range.first; f <= range.last; ++f) down += contacts.touching[f * n + i];
    gait.feet.push_back({analysis.feet[i], 0, down / static_cast<double>(range.last - range.first + 1), 0});
  }
  const std::vector<std::size_t> order = feet_in_order(analysis);
  ZOE_TRY_ASSIGN(std::vector<PhaseSample> phases, contact_phases(contacts, motion.fps));
  gait.frequency_hz = cycle_hz(phases, n, range);
  if (order.empty() || !(gait.frequency_hz > 0)) return gait;
  // Again around the pace, without harmonics: on and off of unequal length would bend the phases.
  ZOE_TRY_ASSIGN(phases, contact_phases(contacts, motion.fps,
                                        {.low_hz = 0.6 * gait.frequency_hz, .high_hz = 1.5 * gait.frequency_hz}));

  const std::size_t leader = order.front();
  gait.confidence = 1;
  for (std::size_t i = 0; i < n; ++i) {
    std::complex<double> sum = 0;
    double weight = 0;
    for (std::size_t f = range.first; f <= range.last; ++f) {
      const PhaseSample &here = phases[f * n + i], &lead = phases[f * n + leader];
      const double w = std::min(here.confidence, lead.confidence);
      sum += w * std::polar(1.0, kTurn * (lead.phase - here.phase));
      weight += w;
    }
    FootTiming& foot = gait.feet[i];
    foot.lag = std::abs(sum) > 0 ? wrapped(std::arg(sum) / kTurn) : 0;
    if (foot.lag >= 1) foot.lag = 0;
    foot.confidence = std::abs(sum) / static_cast<double>(range.last - range.first + 1);
    gait.confidence = std::min(gait.confidence, foot.confidence);
  }
  gait.kind = gait.confidence > 0.3 ? name_of(gait, order) : GaitKind::kNone;
  return gait;
}

}  // namespace zoe
