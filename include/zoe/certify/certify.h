// SPDX-License-Identifier: MIT
// Part of Zoetrope. One judge for clips: named checks with limits, and what each found, frame by frame.
//
//   const certify::Certificate certificate = certify::certify_clip(motion, analysis);
//   for (const certify::Finding& finding : certificate.findings) print(finding.text);
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/certify/certificate.h"

namespace zoe::certify {

// Frames of a calibration pose before the take are not judged. Never fails: what cannot be judged is in `skipped`.
Certificate certify_clip(const Motion& motion, const SkeletonAnalysis& analysis, const CertifyOptions& options = {});

// The rig itself: size, up, facing, sides, skin weights. `clips` as for analyse().
Certificate certify_rig(const Character& character, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                        const CertifyOptions& options = {});

// A retargeted motion against its source, both in the same frames: the checks of certify_clip(), with the source's own
// values as limits where they are higher, and the distance of hands and feet.
Certificate certify_against(const Motion& motion, const SkeletonAnalysis& analysis, const Motion& source,
                            const SkeletonAnalysis& source_analysis, const CertifyOptions& options = {});

}  // namespace zoe::certify
