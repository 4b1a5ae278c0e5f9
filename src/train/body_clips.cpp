// SPDX-License-Identifier: MIT
#include "train/body_clips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "zoe/core/index.h"

namespace zoe::train {
namespace {

using features::BodyTokens;
using features::kBodyWidth;
using features::kTokenWidth;

using Vec = std::array<float, 3>;
using Matrix = std::array<Vec, 3>;  // Columns.

constexpr float kLeastBone = 0.75F, kLargestBone = 1.3F;
constexpr int kFirstRole = 9, kLeafRole = 18;

Vec transformed(const Matrix& m, const Vec& v) {
  Vec out{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) out[i] += m[k][i] * v[k];
  return out;
}
Matrix product(const Matrix& a, const Matrix& b) {
  return {transformed(a, b[0]), transformed(a, b[1]), transformed(a, b[2])};
}
Matrix rotation_at(const float* token) {
  Matrix m{Vec{token[3] + 1, token[4], token[5]}, Vec{token[6], token[7] + 1, token[8]}, Vec{}};
  for (std::size_t i = 0; i < 3; ++i)
    m[2][i] = m[0][(i + 1) % 3] * m[1][(i + 2) % 3] - m[0][(i + 2) % 3] * m[1][(i + 1) % 3];
  return m;
}
Vec bone_of(const BodyTokens& body, std::size_t token) {
  const float* row = &body.body[token * kBodyWidth];
  return token == 0 ? Vec{} : Vec{row[3], row[4], row[5]};
}

// Parents before children.
std::vector<std::size_t> from_the_hips(const std::vector<int>& parents) {
  std::vector<std::size_t> order;
  std::vector<char> done(parents.size(), 0);
  while (order.size() < parents.size()) {
    const std::size_t before = order.size();
    for (std::size_t t = 0; t < parents.size(); ++t) {
      if (done[t] != 0 || (t > 0 && parents[t] != kNoJoint && done[idx(parents[t])] == 0)) continue;
      done[t] = 1;
      order.push_back(t);
    }
    if (order.size() == before) break;
  }
  return order;
}

// Names by role and by number along the chain, of several conventions.
struct RoleNames {
  int role;
  std::array<const char*, 8> names;
};
constexpr RoleNames kRoleNames[] = {
    {9, {"thigh", "UpLeg", "femur", "UpperLeg", "calf", "Leg", "shin", "LowerLeg"}},
    {10, {"upperarm", "Arm", "shoulder", "UpperArm", "forearm", "LowerArm", "elbow", "ForeArm"}},
    {11, {"wing", "Wing_01", "pinion", "wing_root", "wing_mid", "wing_tip", "feather", "Wing"}},
    {12, {"fin", "Fin_01", "fin_side", "flipper", "fin_tip", "fin_end", "fin", "flipper"}},
    {13, {"spine", "Spine1", "torso", "chest", "back", "body", "Spine_02", "abdomen"}},
    {14, {"head", "Head", "skull", "face", "head", "Head", "skull", "face"}},
    {15, {"tail", "Tail1", "tail_base", "Tail", "tail_mid", "tail_end", "Tail", "tail_tip"}},
    {16, {"foot", "ankle", "Foot", "hoof", "toe", "paw", "ball", "Toes"}},
    {17, {"hand", "wrist", "Hand", "palm", "hand", "finger", "Hand", "claw"}}};

const char* other_name(const float* row, Random& random) {
  const char* name = "joint";
  for (const RoleNames& names : kRoleNames)
    if (row[names.role] > 0.5F) name = names.names[static_cast<std::size_t>(random.uniform() * 7.999)];
  return name;
}

struct Alteration {
  BodyTokens body;
  std::vector<int> from;  // [tokens] of the original body; of new joints the joint below, - 1 - token.
};

// Bones in two pieces: new joints between a joint and its parent.
Alteration with_split_bones(const BodyTokens& body, double chance, Random& random) {
  Alteration out{body, {}};
  const std::size_t tokens = body.joints.size();
  std::vector<int> children(tokens, 0);
  for (std::size_t t = 1; t < tokens; ++t)
    if (body.parents[t] != kNoJoint) ++children[idx(body.parents[t])];
  for (std::size_t t = 0; t < tokens; ++t) out.from.push_back(static_cast<int>(t));
  for (std::size_t t = 1; t < tokens; ++t) {
    const int parent = body.parents[t];
    if (parent <= 0 || children[idx(parent)] != 1 || random.uniform() >= chance) continue;
    const auto made = static_cast<int>(out.from.size());
    out.from.push_back(-1 - static_cast<int>(t));
    out.body.joints.push_back(body.joints[t]);
    out.body.parents.push_back(parent);
    out.body.parents[t] = made;
    const auto copy_row = [&](std::vector<float>& table, std::size_t width) {
      const std::vector<float> row(table.begin() + static_cast<std::ptrdiff_t>(t * width),
                                   table.begin() + static_cast<std::ptrdiff_t>((t + 1) * width));
      table.insert(table.end(), row.begin(), row.end());
    };
    copy_row(out.body.body, kBodyWidth);
    copy_row(out.body.names, features::kNameWidth);
    out.body.body[idx(made) * kBodyWidth + kLeafRole] = 0;
    for (std::size_t c = 3; c < 6; ++c) {
      out.body.body[idx(made) * kBodyWidth + c] *= 0.5F;
      out.body.body[t * kBodyWidth + c] *= 0.5F;
    }
  }
  return out;
}

// Factors of bones: one for each role of the body and one of its own, alike on both sides.
void rescale_bones(BodyTokens& body, std::span<const int> mirrors, double spread, Random& random) {
  std::array<float, kBodyWidth + 1> of_role{};
  const auto draw = [&](double deviation) {
    const double factor = std::exp(random.normal() * deviation);
    return static_cast<float>(std::clamp(factor, double{kLeastBone}, double{kLargestBone}));
  };
  for (float& factor : of_role) factor = draw(spread);
  std::vector<float> factors(body.joints.size());
  for (std::size_t t = 0; t < factors.size(); ++t) {
    std::size_t role = kBodyWidth;
    for (std::size_t c = kFirstRole; c < kLeafRole; ++c)
      if (body.body[t * kBodyWidth + c] > 0.5F) role = c;
    factors[t] = of_role[role] * draw(spread / 2);
  }
  for (std::size_t t = 0; t < factors.size(); ++t) {
    const float factor = factors[std::min(t, idx(mirrors[t]))];
    for (std::size_t c = 3; c < 6; ++c) body.body[t * kBodyWidth + c] *= factor;
  }
}

std::vector<int> mirrors_of(const BodyTokens& body, std::size_t tokens) {
  std::vector<int> mirrors(tokens);
  const std::size_t known = body.joints.size();
  for (std::size_t t = 0; t < tokens; ++t) {
    mirrors[t] = static_cast<int>(t);
    for (std::size_t other = 0; t < known && other < known; ++other)
      if (static_cast<features::JointRelation>(static_cast<int>(body.relations[2 * (t * known + other)])) ==
          features::JointRelation::kMirror)
        mirrors[t] = static_cast<int>(other);
  }
  return mirrors;
}

}  // namespace

bool close_loop(const BodyTokens& body, std::span<const float> first_row, BodyClip& clip) {
  constexpr int kLeastFrames = 6, kSpread = 6;  // Frames that share the difference of both ends.
  constexpr double kSteps = 2, kOfReach = 0.1;
  const std::size_t row = body.joints.size() * kTokenWidth;
  if (clip.frames < kLeastFrames) return false;
  const auto distance = [&](const float* a, const float* b) {
    double sum = 0;
    for (std::size_t i = 0; i < row; ++i)
      if (i % kTokenWidth < 9) sum += std::abs(double{a[i]} - double{b[i]});
    return sum;
  };
  double usual = 0, reach = 0;
  for (int f = 0; f < clip.frames; ++f) {
    const float* frame = &clip.values[idx(f) * row];
    if (f > 0) usual += distance(frame - row, frame) / (clip.frames - 1);
    reach = std::max(reach, distance(first_row.data(), frame));
  }
  const double gap = distance(first_row.data(), &clip.values[idx(clip.frames - 1) * row]);
  if (!(usual > 1e-6) || gap > std::max(kSteps * usual, kOfReach * reach)) return false;
  std::vector<float> missing(row, 0.0F);
  for (std::size_t i = 0; i < row; ++i)
    if (i % kTokenWidth < 9) missing[i] = first_row[i] - clip.values[idx(clip.frames - 1) * row + i];
  for (int k = 0; k < kSpread; ++k) {
    const float share = 1 - static_cast<float>(k) / kSpread;
    float* frame = &clip.values[idx(clip.frames - 1 - k) * row];
    for (std::size_t i = 0; i < row; ++i) frame[i] += share * missing[i];
  }
  return true;
}

void make_travel(const BodyTokens& body, BodyClip& clip) {
  constexpr float kStands = 0.15F, kSlides = 0.4F;  // Scales per second: of the root, and of feet in contact.
  constexpr int kReach = 2;                         // Frames to both sides whose feet are averaged.
  if (!clip.loops) return;
  const std::size_t tokens = body.joints.size(), row = tokens * kTokenWidth;
  struct Slide {
    double x = 0, z = 0;
    int count = 0;
  };
  std::vector<Slide> slides(idx(clip.frames));
  Slide all;
  double root_x = 0, root_z = 0;
  for (int f = 0; f < clip.frames; ++f) {
    const float* frame = &clip.values[idx(f) * row];
    root_x += double{frame[9]} / clip.frames, root_z += double{frame[11]} / clip.frames;
    for (std::size_t t = 1; t < tokens; ++t) {
      const float* token = frame + t * kTokenWidth;
      if (token[12] < 0.5F) continue;
      for (Slide* slide : {&slides[idx(f)], &all}) slide->x += token[9], slide->z += token[11], ++slide->count;
    }
  }
  if (all.count == 0 || std::hypot(root_x, root_z) > kStands || std::hypot(all.x, all.z) / all.count < kSlides) return;
  for (int f = 0; f < clip.frames; ++f) {
    Slide near;
    for (int g = f - kReach; g <= f + kReach; ++g) {
      const Slide& slide = slides[idx((g + clip.frames) % clip.frames)];
      near.x += slide.x, near.z += slide.z, near.count += slide.count;
    }
    if (near.count == 0) near = all;
    const auto x = static_cast<float>(near.x / near.count), z = static_cast<float>(near.z / near.count);
    for (std::size_t t = 0; t < tokens; ++t) {
      float* token = &clip.values[idx(f) * row + t * kTokenWidth];
      token[9] -= x, token[11] -= z;
    }
  }
}

void lower_flight(const BodyTokens& body, BodyClip& clip) {
  constexpr float kHighest = 0.5F;  // Scales: of the lowest joint in all frames.
  const std::size_t tokens = body.joints.size();
  float lowest = std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < idx(clip.frames) * tokens; ++i)
    lowest = std::min(lowest, clip.values[i * kTokenWidth + 1] + body.body[i % tokens * kBodyWidth + 1]);
  if (clip.frames == 0 || lowest <= kHighest) return;
  for (std::size_t i = 0; i < idx(clip.frames) * tokens; ++i) clip.values[i * kTokenWidth + 1] -= lowest - kHighest;
}

void slow_down(const BodyTokens& body, BodyClip& clip) {
  constexpr double kFastest = 10;    // Scales per second: a person who sprints.
  constexpr double kCarried = 0.02;  // Fraction of joints in contact that carries a body.
  const std::size_t tokens = body.joints.size(), row = tokens * kTokenWidth;
  double speed = 0, contacts = 0;
  for (int f = 0; f < clip.frames; ++f) {
    const float* frame = &clip.values[idx(f) * row];
    speed += std::hypot(double{frame[9]}, double{frame[11]}) / clip.frames;
    for (std::size_t t = 0; t < tokens; ++t) contacts += frame[t * kTokenWidth + 12] > 0.5F ? 1 : 0;
  }
  if (speed <= kFastest || contacts > kCarried * clip.frames * static_cast<double>(tokens)) return;
  const auto less = static_cast<float>(1 - kFastest / speed);
  for (int f = 0; f < clip.frames; ++f) {
    float* frame = &clip.values[idx(f) * row];
    const float x = frame[9] * less, z = frame[11] * less;
    for (std::size_t t = 0; t < tokens; ++t) frame[t * kTokenWidth + 9] -= x, frame[t * kTokenWidth + 11] -= z;
  }
}

BodyClips altered(const BodyClips& original, double fps, const Alterations& how, Random& random) {
  const BodyTokens& old = original.body;
  const std::size_t old_tokens = old.joints.size();
  Alteration made = with_split_bones(old, how.split_chance, random);
  BodyTokens& body = made.body;
  const std::size_t tokens = body.joints.size();
  const std::vector<int> mirrors = mirrors_of(old, tokens);
  rescale_bones(body, mirrors, how.bone_spread, random);
  const bool renamed = random.uniform() < how.rename_chance;
  for (std::size_t t = 0; renamed && t < tokens; ++t)
    features::name_pieces(other_name(&body.body[t * kBodyWidth], random),
                          std::span(body.names).subspan(t * features::kNameWidth, features::kNameWidth));
  body.relations = features::joint_relations(body.parents, mirrors);

  // The rest pose of the new bones, on the ground; then its scale.
  const std::vector<std::size_t> order = from_the_hips(body.parents), old_order = from_the_hips(old.parents);
  const auto rest_places = [](const BodyTokens& of, const std::vector<std::size_t>& of_order) {
    std::vector<Vec> places(of.joints.size());
    for (const std::size_t t : of_order) {
      const Vec bone = bone_of(of, t);
      for (std::size_t c = 0; c < 3 && t > 0; ++c)
        places[t][c] = (of.parents[t] == kNoJoint ? of.body[t * kBodyWidth + c] - of.body[c]
                                                  : places[idx(of.parents[t])][c] + bone[c]);
    }
    return places;
  };
  std::vector<Vec> rest = rest_places(body, order);
  const std::vector<Vec> old_rest = rest_places(old, old_order);
  float lowest = 0, old_lowest = 0;
  for (const Vec& place : rest) lowest = std::min(lowest, place[1]);
  for (const Vec& place : old_rest) old_lowest = std::min(old_lowest, place[1]);
  Vec mean{};
  double squares = 0;
  for (const Vec& place : rest)
    for (std::size_t c = 0; c < 3; ++c) mean[c] += place[c] / static_cast<float>(tokens);
  for (const Vec& place : rest)
    for (std::size_t c = 0; c < 3; ++c)
      squares += std::pow(double{place[c] - mean[c]}, 2) / static_cast<double>(tokens);
  const float scale = static_cast<float>(std::sqrt(std::max(squares, 1e-8)));  // In scales of the old body.
  const float longer = old_lowest < -1e-3F ? std::clamp(lowest / old_lowest, 0.5F, 2.0F) : 1.0F;
  body.scale_m = old.scale_m * scale;
  for (std::size_t t = 0; t < tokens; ++t) {
    float* row = &body.body[t * kBodyWidth];
    for (std::size_t c = 0; c < 3; ++c) row[c] = (rest[t][c] - (c == 1 ? lowest : 0)) / scale;
    float squared = 0;
    for (std::size_t c = 3; c < 6; ++c) row[c] /= scale, squared += row[c] * row[c];
    row[6] = std::sqrt(squared);
    row[7] += std::log(scale);
  }

  BodyClips out{std::move(body), {}};
  const std::size_t row = tokens * kTokenWidth, old_row = old_tokens * kTokenWidth;
  std::vector<Matrix> turned(tokens), old_turned(old_tokens);
  std::vector<Vec> places(tokens), before(tokens), old_places(old_tokens);
  for (const BodyClip& clip : original.clips) {
    BodyClip copy{.clip = clip.clip, .values = {}, .frames = clip.frames, .loops = clip.loops};
    copy.values.assign(idx(clip.frames) * row, 0);
    for (int f = 0; f < clip.frames; ++f) {
      const float* from = &clip.values[idx(f) * old_row];
      float* to = &copy.values[idx(f) * row];
      // Where old rotations put the old joints: rigs stretch, and what they stretch stays.
      for (const std::size_t t : old_order) {
        const int parent = t == 0 ? kNoJoint : old.parents[t];
        const Matrix own = rotation_at(from + t * kTokenWidth);
        old_turned[t] = parent == kNoJoint ? own : product(old_turned[idx(parent)], own);
        const Vec bone = parent == kNoJoint ? old_rest[t] : transformed(old_turned[idx(parent)], bone_of(old, t));
        for (std::size_t c = 0; c < 3; ++c)
          old_places[t][c] = (parent == kNoJoint ? 0 : old_places[idx(parent)][c]) + bone[c];
      }
      for (const std::size_t t : order) {
        const int source = made.from[t], parent = t == 0 ? kNoJoint : out.body.parents[t];
        float* token = to + t * kTokenWidth;
        if (source >= 0) std::copy_n(from + idx(source) * kTokenWidth, kTokenWidth, token);
        const Matrix own = rotation_at(token);
        turned[t] = parent == kNoJoint ? own : product(turned[idx(parent)], own);
        const Vec bone = parent == kNoJoint ? rest[t] : transformed(turned[idx(parent)], bone_of(out.body, t));
        const float factor = parent == kNoJoint ? 1 / scale : 1.0F;
        for (std::size_t c = 0; c < 3; ++c)
          places[t][c] = (parent == kNoJoint ? 0 : places[idx(parent)][c]) + bone[c] * factor;
      }
      // Numbers of the hips are lengths: heights and steps grow with the legs.
      for (const std::size_t c : {0U, 1U, 2U, 9U, 11U}) to[c] = from[c] * longer / scale;
      for (std::size_t t = 1; t < tokens; ++t) {
        float* token = to + t * kTokenWidth;
        const int source = made.from[t];
        for (std::size_t c = 0; c < 3; ++c) {
          const float moved = places[t][c] - rest[t][c] / scale + to[c];
          float stretched = 0;
          if (source >= 0)
            stretched =
                from[idx(source) * kTokenWidth + c] - from[c] - (old_places[idx(source)][c] - old_rest[idx(source)][c]);
          token[c] = moved + stretched / scale;
        }
      }
      // Velocities over the ground in the root's axes, by backward differences.
      const float turn = to[10] / static_cast<float>(fps), cosine = std::cos(turn), sine = std::sin(turn);
      for (std::size_t t = 0; t < tokens; ++t) {
        const float* token = to + t * kTokenWidth;
        const float* body_row = &out.body.body[t * kBodyWidth];
        const Vec now{token[0] + body_row[0] - out.body.body[0], token[1] + body_row[1],
                      token[2] + body_row[2] - out.body.body[2]};
        if (t > 0 && f > 0) {
          // The step and the place before, turned into the axes of now.
          const float x = before[t][0] - to[9] / static_cast<float>(fps),
                      z = before[t][2] - to[11] / static_cast<float>(fps);
          const Vec old_now{cosine * x - sine * z, before[t][1], sine * x + cosine * z};
          for (std::size_t c = 0; c < 3; ++c)
            to[t * kTokenWidth + 9 + c] = (now[c] - old_now[c]) * static_cast<float>(fps);
        } else if (t > 0) {
          for (std::size_t c = 9; c < 12; ++c) to[t * kTokenWidth + c] /= scale;
        }
        before[t] = now;
      }
    }
    out.clips.push_back(std::move(copy));
  }
  return out;
}

}  // namespace zoe::train
