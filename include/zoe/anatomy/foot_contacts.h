// SPDX-License-Identifier: MIT
// Part of Zoetrope. Detects when the feet of any body touch the ground. The analysis gives the joints of the feet.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/contacts.h"

namespace zoe {

// [legs] in the order of SkeletonAnalysis::feet: the joints of each foot, from the ankle (or paw) to the tip of the
// toes.
std::vector<std::vector<int>> foot_parts(const SkeletonAnalysis& analysis);

// One column per leg, in the order of SkeletonAnalysis::feet. A foot touches where any of its parts does. Its weight is
// the largest of its parts. The unit comes from the analysis, everything else from `options`. Fails where there are no
// feet.
Result<Contacts> find_foot_contacts(const Motion& motion, const SkeletonAnalysis& analysis,
                                    ContactOptions options = {});

}  // namespace zoe
