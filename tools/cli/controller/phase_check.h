// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Kinds that live on the phase of contacts say how far it is to be
// trusted in the data.
#pragma once

#include "zoe/dataset/dataset.h"

namespace zoe::cli {

// Nothing where the layout has no phase of contacts. Else a line on how much of the data has one,
// and a warning that names the clips that have none where they are many.
void report_contact_phases(const dataset::Dataset& data, const dataset::Group& group);

}  // namespace zoe::cli
