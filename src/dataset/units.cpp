// SPDX-License-Identifier: MIT
#include "dataset/units.h"

#include <cmath>
#include <initializer_list>

namespace zoe::dataset {

UnitChoice choose_unit(double span, double usual_span, double usual_metres_per_unit) {
  UnitChoice out{.metres_per_unit = usual_metres_per_unit};
  if (!(usual_span > 0)) return out;
  out.ratio = span / usual_span;
  if (out.ratio >= 0.4 && out.ratio <= 2.5) return out;
  out.metres_per_unit = 0;
  double best = std::log(1.6);
  for (const double factor : {0.001, 0.01, 0.0254, 0.1, 0.3048, 0.393701, 10.0, 2.54, 39.3701, 3.28084, 30.48, 100.0,
                              1000.0, 10000.0, 0.0001}) {
    const double error = std::abs(std::log(out.ratio * factor));
    if (!(error < best)) continue;
    best = error;
    out.metres_per_unit = usual_metres_per_unit * factor;
    out.differs = true;
  }
  return out;
}

}  // namespace zoe::dataset
