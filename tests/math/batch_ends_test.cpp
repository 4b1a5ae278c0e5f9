// SPDX-License-Identifier: MIT
// Batches write as many elements as they are asked for and no more, in the plain loops and in the kernels.
#include <vector>

#include <gtest/gtest.h>

#include "zoe/math/batch.h"
#include "zoe/math/batch_reference.h"

namespace zoe::batch {
namespace {

constexpr std::size_t kCount = 5, kStride = 8;
constexpr float kGuard = -77;

template <typename Run>
void expect_ends(const char* what, const Run& run) {
  std::vector<float> in(12 * kStride), out(12 * kStride, kGuard);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.3F + 0.01F * static_cast<float>((7 * i) % 31);
  run(ConstPlanes{in.data(), kStride}, Planes{out.data(), kStride});
  EXPECT_NE(out[kCount - 1], kGuard) << what;
  for (std::size_t plane = 0; plane < 12; ++plane) {
    for (std::size_t i = kCount; i < kStride; ++i) EXPECT_EQ(out[plane * kStride + i], kGuard) << what << " " << plane;
  }
}

TEST(BatchEnds, NothingBehindTheLastElementIsWritten) {
  const std::vector<float> t(kStride, 0.25F);
  expect_ends("normalize", [](ConstPlanes x, Planes y) { reference::normalize_quats(kCount, x, y); });
  expect_ends("conjugate", [](ConstPlanes x, Planes y) { reference::conjugate_quats(kCount, x, y); });
  expect_ends("multiply", [](ConstPlanes x, Planes y) { reference::multiply_quats(kCount, x, x, y); });
  expect_ends("rotate", [](ConstPlanes x, Planes y) { reference::rotate_vectors(kCount, x, x, y); });
  expect_ends("nlerp", [&](ConstPlanes x, Planes y) { reference::nlerp_quats(kCount, x, x, t.data(), y); });
  expect_ends("slerp", [&](ConstPlanes x, Planes y) { reference::slerp_quats(kCount, x, x, t.data(), y); });
  expect_ends("encode", [](ConstPlanes x, Planes y) { reference::encode_6d(kCount, x, y); });
  expect_ends("decode", [](ConstPlanes x, Planes y) { reference::decode_6d(kCount, x, y); });
  expect_ends("compose", [](ConstPlanes x, Planes y) { reference::compose_affines(kCount, x, x, x, y); });
  expect_ends("affines", [](ConstPlanes x, Planes y) { reference::multiply_affines(kCount, x, x, y); });
  expect_ends("sines", [](ConstPlanes x, Planes y) { reference::sines_cosines(kCount, x.data, y.data, y.plane(1)); });
  expect_ends("normalize", [](ConstPlanes x, Planes y) { normalize_quats(kCount, x, y); });
  expect_ends("conjugate", [](ConstPlanes x, Planes y) { conjugate_quats(kCount, x, y); });
  expect_ends("multiply", [](ConstPlanes x, Planes y) { multiply_quats(kCount, x, x, y); });
  expect_ends("rotate", [](ConstPlanes x, Planes y) { rotate_vectors(kCount, x, x, y); });
  expect_ends("nlerp", [&](ConstPlanes x, Planes y) { nlerp_quats(kCount, x, x, t.data(), y); });
  expect_ends("slerp", [&](ConstPlanes x, Planes y) { slerp_quats(kCount, x, x, t.data(), y); });
  expect_ends("encode", [](ConstPlanes x, Planes y) { encode_6d(kCount, x, y); });
  expect_ends("decode", [](ConstPlanes x, Planes y) { decode_6d(kCount, x, y); });
  expect_ends("compose", [](ConstPlanes x, Planes y) { compose_affines(kCount, x, x, x, y); });
  expect_ends("affines", [](ConstPlanes x, Planes y) { multiply_affines(kCount, x, x, y); });
  expect_ends("sines", [](ConstPlanes x, Planes y) { sines_cosines(kCount, x.data, y.data, y.plane(1)); });
}

}  // namespace
}  // namespace zoe::batch
