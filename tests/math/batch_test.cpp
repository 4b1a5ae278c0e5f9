// SPDX-License-Identifier: MIT
#include "zoe/math/batch.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/math/batch_reference.h"
#include "zoe/math/quat.h"
#include "zoe/math/simd_dispatch.h"

namespace zoe {
namespace {

using batch::ConstPlanes;
using batch::Planes;

// Planes of numbers with room behind each plane, so that writes beyond `count` are seen.
struct Array {
  static constexpr float kGuard = 12345.0F;
  std::size_t count, planes, stride;
  std::vector<float> data;

  Array(std::size_t count_, std::size_t planes_)
      : count(count_), planes(planes_), stride(count_ + 3), data(planes_ * (count_ + 3), kGuard) {}
  Planes view() { return {data.data(), stride}; }
  float& at(std::size_t plane, std::size_t i) { return data[plane * stride + i]; }

  void expect_near(Array& other, float tolerance, const std::string& what) {
    for (std::size_t k = 0; k < planes; ++k) {
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_NEAR(at(k, i), other.at(k, i), tolerance) << what << " plane " << k << " element " << i;
      }
      for (std::size_t i = count; i < stride; ++i) ASSERT_EQ(at(k, i), kGuard) << what << " wrote past the end";
    }
  }
};

Array random_array(std::size_t count, std::size_t planes, unsigned seed, float range = 1.0F) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-range, range);
  Array array(count, planes);
  for (std::size_t k = 0; k < planes; ++k) {
    for (std::size_t i = 0; i < count; ++i) array.at(k, i) = number(random);
  }
  return array;
}
Array random_unit_quats(std::size_t count, unsigned seed) {
  Array quats = random_array(count, 4, seed);
  batch::reference::normalize_quats(count, quats.view(), quats.view());
  return quats;
}

// Runs a check on every instruction set of this machine, at counts around the vector lengths.
void on_every_target(const std::function<void(std::size_t count, const std::string& what)>& check) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    for (const std::size_t count : {0UL, 1UL, 3UL, 4UL, 7UL, 8UL, 15UL, 16UL, 17UL, 33UL, 1000UL}) {
      check(count, std::string(target.name) + " count " + std::to_string(count));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Batch, ForcingATargetChangesTheInstructionSet) {
  const auto targets = simd::supported_targets();
  ASSERT_FALSE(targets.empty());
  for (const simd::Target& target : targets) {
    const simd::ForceTarget force(target);
    EXPECT_STREQ(batch::instruction_set(), target.name);
  }
}

TEST(Batch, NormalizeAndConjugateEqualTheReference) {
  on_every_target([](std::size_t n, const std::string& what) {
    Array q = random_array(n, 4, 1), ours(n, 4), theirs(n, 4);
    if (n > 2) {
      for (std::size_t k = 0; k < 4; ++k) q.at(k, 2) = 0;  // No direction: becomes the identity.
    }
    batch::normalize_quats(n, q.view(), ours.view());
    batch::reference::normalize_quats(n, q.view(), theirs.view());
    ours.expect_near(theirs, 1e-6F, "normalize " + what);
    batch::conjugate_quats(n, q.view(), ours.view());
    batch::reference::conjugate_quats(n, q.view(), theirs.view());
    ours.expect_near(theirs, 0, "conjugate " + what);
  });
}

TEST(Batch, MultiplyRotateAndInPlaceEqualTheReference) {
  on_every_target([](std::size_t n, const std::string& what) {
    Array a = random_unit_quats(n, 2), b = random_unit_quats(n, 3), v = random_array(n, 3, 4, 10);
    Array ours(n, 4), theirs(n, 4), our_vectors(n, 3), their_vectors(n, 3);
    batch::multiply_quats(n, a.view(), b.view(), ours.view());
    batch::reference::multiply_quats(n, a.view(), b.view(), theirs.view());
    ours.expect_near(theirs, 1e-6F, "multiply " + what);
    batch::rotate_vectors(n, a.view(), v.view(), our_vectors.view());
    batch::reference::rotate_vectors(n, a.view(), v.view(), their_vectors.view());
    our_vectors.expect_near(their_vectors, 1e-5F, "rotate " + what);
    batch::multiply_quats(n, a.view(), b.view(), a.view());
    a.expect_near(theirs, 1e-6F, "multiply in place " + what);
  });
}

TEST(Batch, InterpolationEqualsTheReferenceAlsoForAntipodesAndEqualInputs) {
  on_every_target([](std::size_t n, const std::string& what) {
    Array a = random_unit_quats(n, 5), b = random_unit_quats(n, 6), t = random_array(n, 1, 7);
    for (std::size_t i = 0; i < n; ++i) {
      t.at(0, i) = std::abs(t.at(0, i));
      if (i % 5 == 1) {
        for (std::size_t k = 0; k < 4; ++k) b.at(k, i) = -a.at(k, i);  // The same rotation, antipodal.
      }
      if (i % 5 == 2) {
        for (std::size_t k = 0; k < 4; ++k) b.at(k, i) = a.at(k, i);
      }
    }
    Array ours(n, 4), theirs(n, 4);
    batch::nlerp_quats(n, a.view(), b.view(), t.data.data(), ours.view());
    batch::reference::nlerp_quats(n, a.view(), b.view(), t.data.data(), theirs.view());
    ours.expect_near(theirs, 1e-6F, "nlerp " + what);
    batch::slerp_quats(n, a.view(), b.view(), t.data.data(), ours.view());
    for (std::size_t i = 0; i < n; ++i) {  // Against double precision.
      const auto at = [i](Array& q) { return Quatd{q.at(0, i), q.at(1, i), q.at(2, i), q.at(3, i)}; };
      const Quatd exact = slerp(at(a), at(b), static_cast<double>(t.at(0, i)));
      theirs.at(0, i) = float(exact.x), theirs.at(1, i) = float(exact.y);
      theirs.at(2, i) = float(exact.z), theirs.at(3, i) = float(exact.w);
    }
    ours.expect_near(theirs, 2e-6F, "slerp " + what);
  });
}

TEST(Batch, SixNumbersComeBackAsTheSameRotation) {
  on_every_target([](std::size_t n, const std::string& what) {
    Array q = random_unit_quats(n, 8), six(n, 6), their_six(n, 6), ours(n, 4), theirs(n, 4);
    batch::encode_6d(n, q.view(), six.view());
    batch::reference::encode_6d(n, q.view(), their_six.view());
    six.expect_near(their_six, 1e-6F, "encode " + what);
    batch::decode_6d(n, six.view(), ours.view());
    for (std::size_t i = 0; i < n; ++i) {
      const float sign = q.at(3, i) < 0 ? -1.0F : 1.0F;
      for (std::size_t k = 0; k < 4; ++k) theirs.at(k, i) = sign * q.at(k, i);
    }
    ours.expect_near(theirs, 2e-6F, "decode " + what);
    // Numbers as a network gives them: neither unit nor orthogonal; some degenerate.
    Array wild = random_array(n, 6, 9, 3);
    for (std::size_t i = 0; i < n; i += 4) {
      for (std::size_t k = 0; k < 6; ++k) wild.at(k, i) = i % 8 == 0 ? 0.0F : (k % 3 == 1 ? 2.0F : 0.0F);
    }
    batch::decode_6d(n, wild.view(), ours.view());
    batch::reference::decode_6d(n, wild.view(), theirs.view());
    ours.expect_near(theirs, 1e-4F, "decode wild " + what);
  });
}

TEST(Batch, AffinesEqualTheReference) {
  on_every_target([](std::size_t n, const std::string& what) {
    Array q = random_unit_quats(n, 10), t = random_array(n, 3, 11), s = random_array(n, 3, 12, 2);
    Array a(n, 12), their_a(n, 12), b = random_array(n, 12, 13), ours(n, 12), theirs(n, 12);
    batch::compose_affines(n, t.view(), q.view(), s.view(), a.view());
    batch::reference::compose_affines(n, t.view(), q.view(), s.view(), their_a.view());
    a.expect_near(their_a, 1e-6F, "compose " + what);
    batch::multiply_affines(n, a.view(), b.view(), ours.view());
    batch::reference::multiply_affines(n, a.view(), b.view(), theirs.view());
    ours.expect_near(theirs, 2e-6F, "affine product " + what);
  });
}

TEST(Batch, SinesAndCosinesAreGoodForManyTurns) {
  on_every_target([](std::size_t n, const std::string& what) {
    Array angles = random_array(n, 1, 14, 8000), sines(n, 1), cosines(n, 1), exact_s(n, 1), exact_c(n, 1);
    for (std::size_t i = 0; i < n && i < 40; ++i) angles.at(0, i) = (static_cast<float>(i) - 20.0F) * 0.785398163F;
    batch::sines_cosines(n, angles.data.data(), sines.data.data(), cosines.data.data());
    for (std::size_t i = 0; i < n; ++i) {
      exact_s.at(0, i) = static_cast<float>(std::sin(static_cast<double>(angles.at(0, i))));
      exact_c.at(0, i) = static_cast<float>(std::cos(static_cast<double>(angles.at(0, i))));
    }
    sines.expect_near(exact_s, 3e-7F, "sin " + what);
    cosines.expect_near(exact_c, 3e-7F, "cos " + what);
  });
}

}  // namespace
}  // namespace zoe
