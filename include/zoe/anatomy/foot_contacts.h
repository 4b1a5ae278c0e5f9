// SPDX-License-Identifier: MIT
// Part of Zoetrope. When the feet of any body touch the ground: the analysis says which joints are feet.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/contacts.h"

namespace zoe {

// [legs] in the order of SkeletonAnalysis::feet: the joints of each foot, from the ankle (or paw) to the tip of the toes.
std::vector<std::vector<int>> foot_parts(const SkeletonAnalysis& analysis);

// One column a leg, in the order of SkeletonAnalysis::feet: a foot touches where any part of it does, its weight is the
// largest of its parts'. The unit is the analysis'; `options` holds for everything else. Fails where there are no feet.
Result<Contacts> find_foot_contacts(const Motion& motion, const SkeletonAnalysis& analysis,
                                    ContactOptions options = {});

}  // namespace zoe
