// SPDX-License-Identifier: MIT
// Estimates the unit of a file's lengths by comparing bodies.
#pragma once

namespace zoe::dataset {

struct UnitChoice {
  double metres_per_unit = 0;  // 0: no unit makes this body as large as the usual one.
  double ratio = 1;            // This body over the usual one, in numbers as read.
  bool differs = false;        // From the usual unit.
};

// Bodies of one skeleton differ by less than 2.5 times (a child and a giant); beyond that the unit
// is another one, when one of the usual (mm, cm, inch, dm, foot, m, and hundreds of them) brings it
// within 1.6 times.
UnitChoice choose_unit(double span, double usual_span, double usual_metres_per_unit);

}  // namespace zoe::dataset
