// SPDX-License-Identifier: MIT
// Estimates the unit of a file's lengths by comparing bodies.
#pragma once

namespace zoe::dataset {

struct UnitChoice {
  double metres_per_unit = 0;  // 0: no unit gives this body the usual size.
  double ratio = 1;            // Size of this body over the usual one, in numbers as read.
  bool differs = false;        // Differs from the usual unit.
};

// Bodies of one skeleton differ by less than a factor of 2.5 (a child and a giant). Beyond it the unit differs, if one
// of the usual units (mm, cm, inch, dm, foot, m, and hundreds of them) brings the size within a factor of 1.6.
UnitChoice choose_unit(double span, double usual_span, double usual_metres_per_unit);

}  // namespace zoe::dataset
