// SPDX-License-Identifier: MIT
#include "sprite/loose.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "zoe/core/index.h"

namespace zoe::sprite {
namespace {

constexpr float kShortestChain = 0.04F;    // Body heights: shorter unnamed chains do not swing.
constexpr float kShortestPendant = 0.12F;  // Body heights from the upper to the lower end.
constexpr float kEnd = 0.12F;              // Part of a pendant's height that is an end.

constexpr std::array kLooseWords{"hair",  "ear",  "cape",    "cloak",   "tail",   "skirt",   "scarf", "ribbon",
                                 "braid", "pony", "antenna", "feather", "beard",  "tassel",  "bangs", "mane",
                                 "cloth", "robe", "strap",   "ahoge",   "sleeve", "pigtail", "coat"};
constexpr std::array kPendantWords{"cape", "cloak", "hair", "scarf", "tail", "ponytail", "ribbon", "skirt"};
// Joints that steer, or that move by themselves.
constexpr std::array kFirmWords{"ik",   "pole",  "target", "ctrl",  "control", "slot",   "weapon", "socket", "twist",
                                "jaw",  "eye",   "brow",   "lid",   "lip",     "mouth",  "tongue", "cheek",  "nose",
                                "hand", "thumb", "finger", "index", "wing",    "breast", "teeth",  "foot",   "toe"};

// Words of a name: runs of letters, split where an upper-case letter follows a lower-case one.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins = std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
    if ((std::isalpha(c) == 0 || begins) && !words.back().empty()) words.emplace_back();
    if (std::isalpha(c) != 0) words.back() += static_cast<char>(std::tolower(c));
  }
  return words;
}

// "ears" and "hairs" as well; longer words also inside of others ("LongHair", "hairfront").
template <std::size_t N>
bool has_word(const std::string& name, const std::array<const char*, N>& known) {
  for (const std::string& word : words_of(name)) {
    for (const std::string text : known) {
      if (word == text || word == text + "s") return true;
      if (text.size() >= 4 && word.find(text) != std::string::npos) return true;
    }
  }
  return false;
}

class Finder {
 public:
  Finder(const Character& character, const SkeletonAnalysis& body)
      : character_(character), body_(body), skeleton_(*character.skeleton), rest_(skeleton_.rest_model()) {
    const float unit = static_cast<float>(body.metres_per_unit);
    height_ = static_cast<float>(body.height_m) / (unit > 0 ? unit : 1.0F);
    const auto count = idx(skeleton_.num_joints());
    children_.resize(count);
    firm_.assign(count, false);
    deforms_.assign(count, false);
    for (int i = 0; i < skeleton_.num_joints(); ++i) {
      if (skeleton_.parent(i) != kNoJoint) children_[idx(skeleton_.parent(i))].push_back(i);
    }
    for (const Skin& skin : character.skins) {
      for (const int joint : skin.joints) deforms_[idx(joint)] = true;
    }
    for (const int joint : body.spine) firm_[idx(joint)] = true;
    for (const int joint : {body.root, body.hips, body.head}) {
      if (joint != kNoJoint) firm_[idx(joint)] = true;
    }
    for (const Limb& limb : body.limbs) {
      for (const int joint : limb.joints) {
        if (!has_word(skeleton_.name(joint), kLooseWords)) firm_[idx(joint)] = true;
      }
    }
  }

  LooseParts run() {
    LooseParts out;
    if (!(height_ > 0)) return out;
    // The family of snakes and fish moves by its tail.
    const bool swims = body_.family == BodyFamily::kSnake || body_.family == BodyFamily::kFish;
    std::vector<bool> taken(children_.size());
    for (int joint = 0; joint < skeleton_.num_joints(); ++joint) {
      const int parent = skeleton_.parent(joint);
      if (parent == kNoJoint || taken[idx(joint)] || firm_[idx(joint)] || swims) continue;
      if (!is_loose(joint)) continue;
      const std::vector<int> chain = chain_from(joint);
      for (const int member : chain) taken[idx(member)] = true;
      out.chains.push_back({chain, tip_of(chain)});
    }
    for (std::size_t i = 0; i < character_.instances.size(); ++i) add_pendant(static_cast<int>(i), out);
    return out;
  }

 private:
  std::vector<int> chain_from(int joint) const {
    std::vector<int> chain{joint};
    while (children_[idx(chain.back())].size() == 1 && !firm_[idx(children_[idx(chain.back())][0])])
      chain.push_back(children_[idx(chain.back())][0]);
    return chain;
  }

  bool moves_vertices(int joint) const {
    return deforms_[idx(joint)] || std::any_of(character_.instances.begin(), character_.instances.end(),
                                               [&](const MeshInstance& m) { return m.skin < 0 && m.joint == joint; });
  }

  bool is_loose(int joint) const {
    const std::string& name = skeleton_.name(joint);
    if (!moves_vertices(joint)) return false;
    if (has_word(name, kFirmWords)) return false;
    if (has_word(name, kLooseWords)) return true;
    // A tail begins at the hips: joints of the spine that analysis counts as tail are firm.
    if (std::find(body_.tail.begin(), body_.tail.end(), joint) != body_.tail.end()) return true;
    // Without a name: two joints or more on the head.
    const int parent = skeleton_.parent(joint);
    const std::vector<int> chain = chain_from(joint);
    if (parent != body_.head || chain.size() < 2) return false;
    if (std::any_of(chain.begin(), chain.end(), [&](int j) { return has_word(skeleton_.name(j), kFirmWords); }))
      return false;
    return length(rest_[idx(chain.back())].t - rest_[idx(joint)].t) > kShortestChain * height_;
  }

  // Of the last joint: where its vertices end; else as long as the bone before.
  Vec3 tip_of(const std::vector<int>& chain) const {
    const int last = chain.back(), before = chain.size() > 1 ? chain[chain.size() - 2] : skeleton_.parent(last);
    const Vec3 along = rest_[idx(last)].t - rest_[idx(before)].t;
    Vec3 farthest{};
    const Affine joint_from_model = inverse(rest_[idx(last)]);
    for (const MeshInstance& instance : character_.instances) {
      const Mesh& mesh = character_.meshes[idx(instance.mesh)];
      if (instance.skin < 0) continue;
      const Skin& skin = character_.skins[idx(instance.skin)];
      const int n = mesh.influences_per_vertex;
      for (std::size_t v = 0; n > 0 && v < mesh.num_vertices(); ++v) {
        const std::uint16_t entry = mesh.influence_joints[v * idx(n)];
        if (entry >= skin.joints.size() || skin.joints[entry] != last) continue;
        const Vec3 p = skin.joint_from_mesh[entry].apply_point(mesh.positions[v]);
        if (length(p) > length(farthest)) farthest = p;
      }
    }
    if (length(farthest) > 1e-4F * height_) return farthest;
    const Vec3 guessed = joint_from_model.apply_vector(along);
    return length(guessed) > 1e-4F * height_ ? guessed : Vec3{0, 0.1F * height_, 0};
  }

  // The joint with the largest sum of weights.
  int carrier_of(const MeshInstance& instance, const Mesh& mesh) const {
    if (instance.skin < 0) return instance.joint;
    const Skin& skin = character_.skins[idx(instance.skin)];
    std::vector<float> sums(skin.joints.size());
    for (std::size_t k = 0; k < mesh.influence_joints.size(); ++k) {
      if (mesh.influence_joints[k] < sums.size()) sums[mesh.influence_joints[k]] += mesh.influence_weights[k];
    }
    if (sums.empty()) return kNoJoint;
    return skin.joints[static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())];
  }

  void add_pendant(int index, LooseParts& out) const {
    const MeshInstance& instance = character_.instances[idx(index)];
    const Mesh& mesh = character_.meshes[idx(instance.mesh)];
    const bool named = has_word(mesh.name, kPendantWords) ||
                       (instance.joint >= 0 && has_word(skeleton_.name(instance.joint), kPendantWords));
    const int joint = carrier_of(instance, mesh);
    if (!named || joint == kNoJoint || mesh.positions.empty()) return;
    for (const LooseChain& chain : out.chains) {
      if (std::find(chain.joints.begin(), chain.joints.end(), joint) != chain.joints.end()) return;
    }
    // Where the mesh is at rest, by its carrier.
    Affine model_from_mesh = instance.joint >= 0 ? rest_[idx(instance.joint)] * instance.joint_from_mesh : Affine{};
    if (instance.skin >= 0) {
      const Skin& skin = character_.skins[idx(instance.skin)];
      const auto entry =
          static_cast<std::size_t>(std::find(skin.joints.begin(), skin.joints.end(), joint) - skin.joints.begin());
      model_from_mesh = rest_[idx(joint)] * skin.joint_from_mesh[entry];
    }
    float low = 1e30F, high = -1e30F;
    std::vector<Vec3> points;
    for (const Vec3 position : mesh.positions) {
      points.push_back(model_from_mesh.apply_point(position));
      low = std::min(low, points.back().y);
      high = std::max(high, points.back().y);
    }
    if (!(high - low > kShortestPendant * height_)) return;
    Pendant pendant{.instance = index, .joint = joint};
    Vec3 upper{}, lower{};
    float num_upper = 0, num_lower = 0;
    for (const Vec3 p : points) {
      const float down = (high - p.y) / (high - low);
      pendant.loose.push_back(down * std::sqrt(down));
      if (down < kEnd) upper += p, num_upper += 1;
      if (down > 1 - kEnd) lower += p, num_lower += 1;
    }
    const Affine joint_from_model = inverse(rest_[idx(joint)]);
    pendant.attachment = joint_from_model.apply_point(upper / num_upper);
    pendant.tip = joint_from_model.apply_point(lower / num_lower);
    out.pendants.push_back(std::move(pendant));
  }

  const Character& character_;
  const SkeletonAnalysis& body_;
  const Skeleton& skeleton_;
  std::span<const Affine> rest_;
  float height_ = 0;
  std::vector<std::vector<int>> children_;
  std::vector<bool> firm_, deforms_;
};

}  // namespace

LooseParts find_loose_parts(const Character& character, const SkeletonAnalysis& body) {
  return Finder(character, body).run();
}

}  // namespace zoe::sprite
