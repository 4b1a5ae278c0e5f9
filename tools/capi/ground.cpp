// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface: grounds.
#include "common.h"

using namespace zoe::capi;

namespace {
zoe_ground* new_ground(zoe::GroundPtr ptr) { return new zoe_ground{std::move(ptr)}; }
}  // namespace

zoe_status zoe_ground_grid(const float* heights_m, int32_t num_x, int32_t num_z, float cell_m, float origin_x_m,
                           float origin_z_m, zoe_ground** out) {
  if (heights_m == nullptr || out == nullptr) return refuse_null("zoe_ground_grid: heights and out must not be null");
  if (num_x < 2 || num_z < 2) return fail(ZOE_ERROR_USAGE, "zoe_ground_grid: at least 2 × 2 heights");
  return guarded([&] {
    const std::size_t count = static_cast<std::size_t>(num_x) * static_cast<std::size_t>(num_z);
    zoe::HeightGrid grid{.heights_m = {heights_m, heights_m + count},
                         .num_x = num_x,
                         .num_z = num_z,
                         .cell_m = cell_m,
                         .origin_x_m = origin_x_m,
                         .origin_z_m = origin_z_m};
    return give(zoe::Ground::grid(std::move(grid)), out, new_ground);
  });
}

zoe_status zoe_ground_mesh(const float* positions, size_t num_positions, const uint32_t* indices, size_t num_triangles,
                           zoe_ground** out) {
  if (positions == nullptr || indices == nullptr || out == nullptr) {
    return refuse_null("zoe_ground_mesh: positions, indices and out must not be null");
  }
  return guarded([&] {
    return give(
        zoe::Ground::mesh({reinterpret_cast<const zoe::Vec3*>(positions), num_positions}, {indices, 3 * num_triangles}),
        out, new_ground);
  });
}

zoe_status zoe_ground_function(zoe_height_function height_m, void* user, zoe_ground** out) {
  if (height_m == nullptr || out == nullptr) return refuse_null("zoe_ground_function: height and out must not be null");
  return guarded([&]() -> zoe_status {
    *out = new_ground(zoe::Ground::function([height_m, user](float x, float z) { return height_m(x, z, user); }));
    return ZOE_OK;
  });
}

float zoe_ground_height_m(const zoe_ground* ground, float x_m, float z_m) {
  return ground != nullptr ? ground->ptr->height(x_m, z_m) : 0;
}

void zoe_ground_free(zoe_ground* ground) { delete ground; }
