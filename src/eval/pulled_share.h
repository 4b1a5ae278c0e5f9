// SPDX-License-Identifier: MIT
// What the results of tasks have in common.
#pragma once

namespace zoe::eval {

// Metres by which the run time moved roots besides the network's own steps, over the metres that roots travelled.
template <class Results>
double pulled_share_of(const Results& results) {
  double walked_m = 0, pulled_m = 0;
  for (const auto& r : results) {
    walked_m += static_cast<double>(r.walked_m);
    pulled_m += static_cast<double>(r.pulled_m);
  }
  return walked_m > 0 ? pulled_m / walked_m : 0;
}

}  // namespace zoe::eval
