// SPDX-License-Identifier: MIT
#include "dataset/skeleton_choice.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/anatomy/analysis.h"

namespace zoe::dataset {
namespace {

using Groups = std::map<std::string, Members>;

// Names of `a` that `b` does not have.
std::vector<std::string> missing_joints(const Skeleton& a, const Skeleton& b) {
  std::vector<std::string> names;
  for (int j = 0; j < a.num_joints(); ++j)
    if (b.find(a.name(j)) == kNoJoint) names.push_back(a.name(j));
  return names;
}

// True if `other` lacks a joint on one side only, which is damage. Bodies with fewer joints by design lack both.
bool lacks_one_side(const Skeleton& other, const Skeleton& main, const std::vector<JointPair>& pairs) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const JointPair& pair) {
    return (other.find(main.name(pair.left)) == kNoJoint) != (other.find(main.name(pair.right)) == kNoJoint);
  });
}

std::string describe(const std::vector<std::string>& missing, int num_joints, std::size_t num_files) {
  const std::size_t shown = std::min<std::size_t>(missing.size(), 5);
  return fmt::format("lacks {} of the {} joints that {} have ({}{}); --skeletons each keeps it as a separate group",
                     missing.size(), num_joints,
                     num_files == 1 ? "the bodies of most joints" : fmt::format("{} files", num_files),
                     fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < missing.size() ? ", …" : "");
}

// The group with the most files. Of equals, the one with more joints.
Groups::iterator main_of(Groups& groups, const std::vector<PlannedFile>& files) {
  const auto rank = [&](const Groups::value_type& group) {
    return std::pair(group.second.size(), files[group.second[0]].file.skeleton->num_joints());
  };
  return std::max_element(groups.begin(), groups.end(),
                          [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

}  // namespace

Groups choose_skeletons(Skeletons how, std::vector<PlannedFile>& files) {
  Groups groups;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!files[i].file.problem) groups[fmt::format("{:016x}", files[i].file.skeleton->topology_hash())].push_back(i);
  if (how == Skeletons::kEach || groups.size() < 2) return groups;

  const auto main = main_of(groups, files);
  const Skeleton& skeleton = *files[main->second[0]].file.skeleton;
  const std::size_t num_main = main->second.size();
  const std::vector<JointPair> pairs = how == Skeletons::kAuto ? analyse(skeleton).pairs : std::vector<JointPair>{};
  for (auto it = groups.begin(); it != groups.end();) {
    const auto group = it++;
    if (group == main) continue;
    const Skeleton& other = *files[group->second[0]].file.skeleton;
    const std::vector<std::string> missing = missing_joints(skeleton, other);
    if (how == Skeletons::kAuto && !missing.empty() && !lacks_one_side(other, skeleton, pairs)) continue;
    const bool some = missing.size() < static_cast<std::size_t>(skeleton.num_joints()) / 2;
    for (const std::size_t i : group->second) {
      PlannedFile& file = files[i];
      if (missing.empty()) {
        file.by_name = true;
        file.file.span = bone_span(*file.file.skeleton, &skeleton);
        main->second.push_back(i);
      } else {
        leave_out(file, some ? "missing_joints" : "other_skeleton", describe(missing, skeleton.num_joints(), num_main));
      }
    }
    groups.erase(group);
  }
  std::sort(main->second.begin(), main->second.end());
  return groups;
}

}  // namespace zoe::dataset
