// SPDX-License-Identifier: MIT
#include "io/usd/xform.h"

#include <fmt/format.h>

#include "zoe/math/euler.h"
#include "zoe/math/transform.h"

#include "io/usd/values.h"

namespace zoe::io::usd {
namespace {

Result<Affined> op_matrix(const Document& document, int prim, std::string_view op, bool* sampled) {
  ZOE_TRY_ASSIGN(const std::string_view value, value_or_first_sample(document, prim, op, sampled));
  if (value.empty()) return Affined{};
  ZOE_TRY_ASSIGN(const std::vector<double> n, read_numbers<double>(document, value));
  std::string_view type = op.substr(8);  // Behind "xformOp:".
  type = type.substr(0, type.find(':'));
  const auto wrong = [&] {
    return document.error(ErrorCode::kInvalid, fmt::format("{} has {} numbers", op, n.size()), value);
  };
  const auto axis = [&](char letter, double angle_deg) {
    return axis_rotation<double>(letter - 'X', angle_deg * kRadiansPerDegree);
  };
  Affined m;
  if (type == "translate" || type == "scale") {
    if (n.size() != 3) return wrong();
    if (type == "translate")
      m.t = {n[0], n[1], n[2]};
    else
      m = {{n[0], 0, 0}, {0, n[1], 0}, {0, 0, n[2]}, {}};
  } else if (type == "transform") {
    if (n.size() != 16) return wrong();
    m = to_affine(n.data());
  } else if (type == "orient") {
    if (n.size() != 4) return wrong();
    m = zoe::to_affine(normalized(Quatd{n[1], n[2], n[3], n[0]}));
  } else if (type.size() == 7 && type.starts_with("rotate")) {
    if (n.size() != 1 || type[6] < 'X' || type[6] > 'Z') return wrong();
    m = zoe::to_affine(axis(type[6], n[0]));
  } else if (type.size() == 9 && type.starts_with("rotate")) {
    // The first letter acts first; angles are always in the order x, y, z.
    if (n.size() != 3) return wrong();
    Quatd q;
    for (const char letter : type.substr(6)) {
      if (letter < 'X' || letter > 'Z') return wrong();
      q = axis(letter, n[static_cast<std::size_t>(letter - 'X')]) * q;
    }
    m = zoe::to_affine(q);
  } else {
    return document.error(ErrorCode::kUnsupported, fmt::format("transform '{}' is not known", op), value);
  }
  return m;
}

}  // namespace

Result<Affined> local_transform(const Document& document, int prim, bool* sampled, bool* reset) {
  Affined local;
  const Attribute* order = document.attribute(prim, "xformOpOrder");
  if (order == nullptr) return local;
  for (std::string_view op : read_tokens(order->value)) {
    if (op == "!resetXformStack!") {
      *reset = true;
      local = {};
      continue;
    }
    const bool inverted = op.starts_with("!invert!");
    if (inverted) op.remove_prefix(8);
    if (!op.starts_with("xformOp:")) continue;
    ZOE_TRY_ASSIGN(const Affined matrix, op_matrix(document, prim, op, sampled));
    local = local * (inverted ? inverse(matrix) : matrix);
  }
  return local;
}

Result<std::vector<Affined>> world_transforms(const Document& document, bool* sampled) {
  std::vector<Affined> world(document.prims().size());
  for (std::size_t i = 0; i < world.size(); ++i) {
    const int parent = document.prims()[i].parent;
    bool reset = false;
    ZOE_TRY_ASSIGN(const Affined local, local_transform(document, static_cast<int>(i), sampled, &reset));
    world[i] = parent >= 0 && !reset ? world[static_cast<std::size_t>(parent)] * local : local;
    if (!is_finite(world[i]))
      return document.error(ErrorCode::kInvalid, "a transform is not finite", document.prims()[i].name);
  }
  return world;
}

}  // namespace zoe::io::usd
