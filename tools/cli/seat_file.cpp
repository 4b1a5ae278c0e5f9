// SPDX-License-Identifier: MIT
#include "seat_file.h"

#include <fmt/format.h>

#include "zoe/ground/fit_prop.h"
#include "zoe/io/read.h"

#include "verbs.h"

namespace zoe::cli {

Result<Prop> read_seat(const std::string& file, double scale) {
  ZOE_TRY_ASSIGN(const io::Asset asset, io::read_asset(file));
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  const Character& character = *asset.character;
  for (const MeshInstance& instance : character.instances) {
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(instance.mesh)];
    const auto base = static_cast<std::uint32_t>(positions.size());
    Affine place;
    if (instance.joint >= 0) place = character.skeleton->rest_model()[static_cast<std::size_t>(instance.joint)];
    for (const Vec3& p : mesh.positions) positions.push_back(place.apply_point(p) * static_cast<float>(scale));
    for (const std::uint32_t i : mesh.indices) indices.push_back(base + i);
  }
  auto seat = fit_seat(positions, indices);
  if (!seat) return Error{seat.error().code, seat.error().message, {.file = file}};
  if (!quiet())
    fmt::print("{}: seat {:.2f} m high, {:.2f} x {:.2f} m\n", file, seat->seat_m.y, 2 * seat->seat_half_width_m,
               2 * seat->seat_half_depth_m);
  return *seat;
}

}  // namespace zoe::cli
