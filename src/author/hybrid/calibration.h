// SPDX-License-Identifier: MIT
// The confidence of type hybrid: what its network does wrong on sticks that no training had, and a small network that
// foresees it.
#pragma once

#include <string>
#include <vector>

#include "zoe/author/listener.h"
#include "zoe/control/hybrid.h"
#include "zoe/eval/artefacts.h"

namespace zoe::author {

// A generated pose, and whether it and the next two fifths of a second were without artefact.
struct PoseSample {
  control::PoseSigns signs;
  bool good = true;
};

// Runs the hybrid for `minutes` with hand-overs at random times, on random and on wild sticks. Samples follow from the
// seed.
struct PoseSamples {
  std::vector<PoseSample> network;
  std::vector<PoseSample> matching;  // Of the first steps after a hand-over to matching.
};
PoseSamples gather_pose_samples(const control::Controller& hybrid, const control::Body& body,
                                const eval::ArtefactLimits& limits, double minutes, std::uint64_t seed);

// Learns from `training`, then scales the logit on `calibration`. The same inputs give the same numbers.
control::Confidence fit_confidence(std::span<const PoseSample> training, std::span<const PoseSample> calibration);

struct Reliability {
  struct Bin {
    double predicted = 0, observed = 0;  // Means.
    std::int64_t count = 0;
  };
  std::vector<Bin> bins;      // Of equal width in confidence.
  double expected_error = 0;  // Mean over samples of |predicted - observed| of their bin (ECE).
  double brier = 0;           // Mean squared error of the confidence.
  double good_share = 0;
  double auc = 0;  // Probability that a good pose has the higher confidence.
};
Reliability measure_reliability(const control::Confidence& confidence, std::span<const PoseSample> samples);
std::string to_text(const Reliability& reliability);  // Markdown.
std::string to_svg(const Reliability& reliability);

}  // namespace zoe::author
