// SPDX-License-Identifier: MIT
#include "zoe/math/euler.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/affine.h"

namespace zoe {

std::array<double, 3> to_euler(EulerOrder order, Quatd rotation) {
  const auto [i, j, k] = axes_of(order);
  // +1 when (i, j, k) is an even permutation: the sign of the off-diagonal sines.
  const double parity = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
  const Affined m = to_affine(normalized(rotation));
  const Vec3d columns[3] = {m.x, m.y, m.z};
  const auto at = [&](int row, int column) { return columns[column][static_cast<std::size_t>(row)]; };
  // For R = Ri Rj Rk: R[i][k] = parity * sin(b), and the cosines of b share the rest of row i and column k.
  const double cos_middle = std::hypot(at(i, i), at(i, j));
  const double middle = std::atan2(parity * at(i, k), cos_middle);
  if (cos_middle > 1e-9) {
    return {std::atan2(-parity * at(j, k), at(k, k)), middle, std::atan2(-parity * at(i, j), at(i, i))};
  }
  return {std::atan2(parity * at(k, j), at(j, j)), middle, 0.0};
}

}  // namespace zoe
