// SPDX-License-Identifier: MIT
#include "io/gltf/repair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/math/finite.h"

namespace zoe::io::gltf {
namespace {

// Beyond this share of a mesh the vertices are no accident.
constexpr std::size_t kFewVertices = 16, kFewShare = 20;
// Squared length below which a quaternion has no direction.
constexpr float kShortRotation = 1e-12F;
// Comparisons; a tenth of a second.
constexpr std::size_t kMaxComparisons = 50'000'000;

// Keys of a track as blocks of numbers.
class KeyBlocks {
 public:
  KeyBlocks(std::span<const float> values, KeyShape shape)
      : values_(values), shape_(shape), block_(shape.width * (shape.cubic ? 3 : 1)) {}

  std::size_t count() const { return values_.size() / block_; }
  std::size_t value_at(std::size_t key) const { return key * block_ + (shape_.cubic ? shape_.width : 0); }
  // Finite, and a direction when it is a rotation.
  bool good(std::size_t key) const {
    const std::span<const float> value = values_.subspan(value_at(key), shape_.width);
    float norm = 0;
    for (const float v : value) {
      if (!std::isfinite(v)) return false;
      norm += v * v;
    }
    return !shape_.rotation || norm > kShortRotation;
  }

 private:
  std::span<const float> values_;
  KeyShape shape_;
  std::size_t block_;
};

// to = between from[a] and from[b]; q and -q are one rotation.
void blend(std::span<float> values, KeyShape shape, std::size_t a, std::size_t b, float t, std::size_t to) {
  float sign = 1;
  if (shape.rotation) {
    float dot = 0;
    for (std::size_t i = 0; i < shape.width; ++i) dot += values[a + i] * values[b + i];
    sign = dot < 0 ? -1.0F : 1.0F;
  }
  for (std::size_t i = 0; i < shape.width; ++i) {
    values[to + i] = values[a + i] * (1 - t) + sign * values[b + i] * t;
  }
}

}  // namespace

bool bind_to_nearest(const WeightFaults& faults, Mesh& mesh) {
  const std::size_t n = mesh.num_vertices();
  const std::size_t few = std::clamp<std::size_t>(n / kFewShare, kFewVertices, WeightFaults::kMaxUnbound);
  if (faults.num_unbound > few || faults.num_unbound >= n || faults.num_unbound > kMaxComparisons / n) return false;
  std::vector<bool> bound(n, true);
  for (const std::uint32_t v : faults.unbound) bound[v] = false;
  const auto width = static_cast<std::size_t>(mesh.influences_per_vertex);
  for (const std::uint32_t v : faults.unbound) {
    std::size_t nearest = n;
    float best = std::numeric_limits<float>::infinity();
    for (std::size_t other = 0; other < n; ++other) {
      const Vec3 d = mesh.positions[other] - mesh.positions[v];
      if (const float distance = dot(d, d); bound[other] && distance < best) {
        best = distance;
        nearest = other;
      }
    }
    if (nearest == n) return false;
    std::copy_n(&mesh.influence_joints[nearest * width], width, &mesh.influence_joints[v * width]);
    std::copy_n(&mesh.influence_weights[nearest * width], width, &mesh.influence_weights[v * width]);
  }
  return true;
}

bool has_bad_keys(std::span<const float> values, KeyShape shape) {
  if (!all_finite(values)) return true;
  if (!shape.rotation) return false;
  // Finite by now. Without a branch per key, because nearly all files are good.
  const KeyBlocks keys(values, shape);
  bool bad = false;
  for (std::size_t key = 0; key < keys.count(); ++key) {
    const float* q = values.data() + keys.value_at(key);
    bad |= !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > kShortRotation);
  }
  return bad;
}

std::optional<std::size_t> repair_keys(std::span<float> values, KeyShape shape) {
  const KeyBlocks keys(values, shape);
  const std::size_t n = keys.count();
  std::size_t num_bad = 0, last_good = n;
  for (std::size_t key = 0; key < n; ++key) {
    if (keys.good(key)) {
      last_good = key;
      continue;
    }
    std::size_t next = key + 1;
    while (next < n && !keys.good(next)) ++next;
    if (last_good == n && next == n) return std::nullopt;
    const std::size_t before = last_good == n ? next : last_good, after = next == n ? last_good : next;
    for (std::size_t bad = key; bad < next; ++bad) {
      const float t = before == after ? 0.0F : static_cast<float>(bad - before) / static_cast<float>(after - before);
      blend(values, shape, keys.value_at(before), keys.value_at(after), t, keys.value_at(bad));
    }
    num_bad += next - key;
    key = next - 1;
  }
  if (!shape.cubic) return num_bad;
  // Values are finite by now: what is not is a tangent.
  std::size_t bad_tangents = 0;
  for (float& v : values) {
    if (std::isfinite(v)) continue;
    v = 0;
    ++bad_tangents;
  }
  return num_bad + (bad_tangents + shape.width - 1) / shape.width;
}

}  // namespace zoe::io::gltf
