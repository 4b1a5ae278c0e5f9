// SPDX-License-Identifier: MIT
#include "retarget/chain.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "zoe/anatomy/names.h"

namespace zoe::retarget_detail {
namespace {

Vec3 at(const ChainOf& chain, std::size_t i) {
  return chain.body.reference_positions[static_cast<std::size_t>(chain.joints[i])];
}

// Position of each joint from `first` on along its chain, 0 to 1.
std::vector<float> places(const ChainOf& chain, std::size_t first) {
  std::vector<float> place(1, 0.0F);
  for (std::size_t i = first + 1; i < chain.joints.size(); ++i)
    place.push_back(place.back() + distance(at(chain, i), at(chain, i - 1)));
  const float whole = std::max(place.back(), 1e-12F);
  for (float& p : place) p /= whole;
  return place;
}

// First with first, last with last. Between them each joint of the shorter chain with the nearest of the longer.
IndexPairs by_place(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() > b.size()) {
    IndexPairs swapped = by_place(b, a);
    for (auto& pair : swapped) std::swap(pair.first, pair.second);
    return swapped;
  }
  IndexPairs pairs;
  std::size_t next = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t last = b.size() - (a.size() - i);  // Leaves one for each remaining joint.
    std::size_t best = i + 1 == a.size() ? last : next;
    for (std::size_t j = next; i > 0 && i + 1 < a.size() && j <= last; ++j)
      if (std::abs(b[j] - a[i]) < std::abs(b[best] - a[i])) best = j;
    pairs.emplace_back(i, best);
    next = best + 1;
  }
  return pairs;
}

// The upper arm or thigh, by name. The last one, because a hip joint may come before.
std::optional<std::size_t> named_start(const ChainOf& chain) {
  for (std::size_t i = chain.joints.size(); i-- > 0;) {
    const anatomy::Role role = anatomy::read_name(chain.skeleton.name(chain.joints[i])).role;
    if (role == anatomy::Role::kUpperArm || role == anatomy::Role::kUpperLeg) return i;
  }
  return std::nullopt;
}

struct Starts {
  std::size_t a = 0, b = 0;
};

// By how well the following joints fit in their positions.
Starts best_starts(const ChainOf& a, const ChainOf& b) {
  constexpr float kSkipOne = 0.01F, kSkipBoth = 0.05F;
  Starts best;
  float least = 1e9F;
  for (std::size_t i = 0; i + 2 <= a.joints.size() && i < 3; ++i) {
    for (std::size_t j = 0; j + 2 <= b.joints.size() && j < 3; ++j) {
      const std::vector<float> pa = places(a, i), pb = places(b, j);
      const IndexPairs pairs = by_place(pa, pb);
      if (pairs.size() < std::min<std::size_t>({3, a.joints.size(), b.joints.size()})) continue;
      float cost = static_cast<float>(i + j) * kSkipOne + (i > 0 && j > 0 ? kSkipBoth : 0.0F);
      for (const auto& [k, l] : pairs) cost += std::abs(pa[k] - pb[l]) / static_cast<float>(pairs.size());
      if (cost >= least) continue;
      least = cost;
      best = {i, j};
    }
  }
  return best;
}

bool is_named_girdle(const std::string& name) {
  const std::vector<std::string> words = anatomy::tokenise(name);
  return std::ranges::any_of(words, [](const std::string& word) {
    return word == "shoulder" || word == "scapula" || word == "clavicle" || word == "pelvis";
  });
}

}  // namespace

std::size_t limb_top(const ChainOf& chain) {
  constexpr float kLong = 0.2F;
  if (const auto named = named_start(chain)) return *named;
  float whole = 0;
  for (std::size_t i = 1; i < chain.joints.size(); ++i) whole += distance(at(chain, i), at(chain, i - 1));
  for (std::size_t i = 0; i + 1 < chain.joints.size(); ++i)
    if (distance(at(chain, i + 1), at(chain, i)) >= kLong * whole) return i;
  return 0;
}

std::size_t leg_top(const ChainOf& chain, std::size_t length) {
  constexpr float kShort = 0.1F, kAcross = 0.7F, kDown = 0.45F;  // Of the leg's length, and of the bone's.
  const Vec3 side = normalized(cross(chain.body.up, chain.body.forward));
  float whole = 0;
  for (std::size_t i = 1; i < length; ++i) whole += distance(at(chain, i), at(chain, i - 1));
  std::size_t top = 0;
  for (; top + 3 < length; ++top) {
    const Vec3 bone = at(chain, top + 1) - at(chain, top);
    const bool is_across = std::abs(dot(bone, side)) > kAcross * zoe::length(bone);
    const bool leads_down = -dot(bone, chain.body.up) > kDown * zoe::length(bone);
    const bool is_girdle = is_named_girdle(chain.skeleton.name(chain.joints[top]));
    if (!is_girdle && !is_across && leads_down && zoe::length(bone) >= kShort * whole) break;
  }
  return top;
}

IndexPairs spread(std::size_t m, std::size_t n) {
  IndexPairs pairs;
  const std::size_t few = std::min(m, n), many = std::max(m, n);
  for (std::size_t i = 0; i < few; ++i) {
    const std::size_t j = few == 1 ? many - 1 : (i * (many - 1) + (few - 1) / 2) / (few - 1);
    pairs.emplace_back(m <= n ? i : j, m <= n ? j : i);
  }
  return pairs;
}

IndexPairs match_chains(const ChainOf& a, const ChainOf& b) {
  if (a.joints.empty() || b.joints.empty()) return {};
  Starts starts;
  const auto named_a = named_start(a), named_b = named_start(b);
  const auto leaves_bones = [](const ChainOf& chain, std::size_t i) { return i + 3 <= chain.joints.size(); };
  if (named_a && named_b && leaves_bones(a, *named_a) && leaves_bones(b, *named_b)) {
    starts = {*named_a, *named_b};
  } else {
    starts = best_starts(a, b);
  }
  IndexPairs pairs;
  const std::size_t before = std::min(starts.a, starts.b);
  for (std::size_t k = before; k > 0; --k) pairs.emplace_back(starts.a - k, starts.b - k);
  for (const auto& [k, l] : by_place(places(a, starts.a), places(b, starts.b)))
    pairs.emplace_back(starts.a + k, starts.b + l);
  return pairs;
}

std::pair<std::size_t, std::size_t> upper_ends(const ChainOf& a, const ChainOf& b, const IndexPairs& pairs) {
  if (pairs.size() < 3) return {0, 0};
  const auto named_a = named_start(a), named_b = named_start(b);
  std::size_t hinge = 1;
  float best = -1;
  for (std::size_t k = 1; k + 1 < pairs.size(); ++k) {
    if (named_a && named_b && pairs[k - 1] == std::pair(*named_a, *named_b)) return pairs[k - 1];
    // Bones on both sides of a true hinge are long, in both limbs.
    const auto shorter = [&](const ChainOf& chain, std::size_t before, std::size_t mid) {
      const Vec3 end = at(chain, chain.joints.size() - 1);
      return std::min(distance(at(chain, before), at(chain, mid)), distance(at(chain, mid), end)) /
             std::max(1e-12F, distance(at(chain, 0), end));
    };
    const float score =
        shorter(a, pairs[k - 1].first, pairs[k].first) + shorter(b, pairs[k - 1].second, pairs[k].second);
    if (score <= best) continue;
    best = score;
    hinge = k;
  }
  return pairs[hinge - 1];
}

}  // namespace zoe::retarget_detail
