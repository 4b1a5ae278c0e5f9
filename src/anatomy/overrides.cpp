// SPDX-License-Identifier: MIT
#include "zoe/anatomy/overrides.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "zoe/core/suggest.h"
#include "zoe/store/config.h"

namespace zoe {
namespace {

using Texts = std::vector<std::string>;
const std::string kAuto = "auto";  // Value of a text or list of texts that the file does not give.

ConfigSchema schema() {
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  ConfigSchema schema;
  schema.add("family", kAuto, "biped, quadruped, hexapod, octopod, millipede, bird, flyer, snake, fish, other");
  for (const char* key : {"up", "forward"})
    schema.add(key, std::vector<double>{}, "direction in model space: [x, y, z]");
  for (const char* key : {"metres_per_unit", "height_m", "ground_height"}) schema.add(key, kAbsent, "a number");
  for (const char* key : {"root", "hips", "head"}) schema.add(key, kAuto, "a joint's name");
  for (const char* key : {"spine", "feet", "hands", "tail"}) schema.add(key, Texts{kAuto}, "names of joints");
  schema.add("limbs", Texts{kAuto}, "\"leg left: joint joint\"; types leg, arm, wing, fin; sides left, right, center");
  schema.add("pairs", Texts{kAuto}, "\"left joint = right joint\"");
  schema.add("reference_pose", kAuto, "rest, or clip 0 frame 12");
  return schema;
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

Texts split(std::string_view text, char separator) {
  Texts parts;
  while (!text.empty()) {
    const auto end = text.find(separator);
    if (std::string part = trimmed(text.substr(0, end)); !part.empty()) parts.push_back(std::move(part));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return parts;
}

Error usage(std::string message, const std::string& file) {
  return {ErrorCode::kUsage, std::move(message), {.file = file}};
}

// The enum value whose to_string is the word, of `count` values.
template <typename Enum>
Result<Enum> enum_of(const std::string& text, int count, const char* what, const std::string& file) {
  Texts known;
  for (int i = 0; i < count; ++i) {
    known.emplace_back(to_string(static_cast<Enum>(i)));
    if (text == known.back()) return static_cast<Enum>(i);
  }
  return usage("no " + std::string(what) + " '" + text + "'" + did_you_mean(text, known), file);
}

Result<AnalysisOverrides::NamedLimb> limb_of(const std::string& text, const std::string& file) {
  const auto colon = text.find(':');
  const Texts head = split(std::string_view(text).substr(0, colon), ' ');
  if (colon == std::string::npos || head.size() != 2) {
    return usage("limb '" + text + "' is not of the form \"leg left: joint joint\"", file);
  }
  AnalysisOverrides::NamedLimb limb;
  ZOE_TRY_ASSIGN(limb.kind, enum_of<LimbKind>(head[0], 4, "type of limb", file));
  ZOE_TRY_ASSIGN(limb.side, enum_of<Side>(head[1], 3, "side", file));
  const std::string_view joints = std::string_view(text).substr(colon + 1);
  limb.joints = split(joints, joints.find(',') == std::string_view::npos ? ' ' : ',');
  if (limb.joints.empty()) return usage("limb '" + text + "' has no joints", file);
  return limb;
}

Result<AnalysisOverrides::ReferencePose> reference_pose_of(const std::string& text, const std::string& file) {
  if (text == "rest") return AnalysisOverrides::ReferencePose{};
  const Texts words = split(text, ' ');
  const auto number = [&](std::size_t i, int& out) {
    const char* end = words[i].data() + words[i].size();
    return std::from_chars(words[i].data(), end, out).ptr == end && out >= 0;
  };
  AnalysisOverrides::ReferencePose pose;
  if (words.size() != 4 || words[0] != "clip" || words[2] != "frame" || !number(1, pose.clip) || !number(3, pose.frame))
    return usage("reference_pose '" + text + "' is neither \"rest\" nor of the form \"clip 0 frame 12\"", file);
  return pose;
}

Result<AnalysisOverrides> overrides_of(const Config& config, const std::string& file) {
  AnalysisOverrides overrides;
  if (const auto& family = config.get<std::string>("family"); family != kAuto) {
    ZOE_TRY_ASSIGN(overrides.family, enum_of<BodyFamily>(family, 10, "family", file));
  }
  for (const auto& [key, field] : {std::pair{"up", &overrides.up}, {"forward", &overrides.forward}}) {
    const auto& numbers = config.get<std::vector<double>>(key);
    if (numbers.empty()) continue;
    const auto number = [&](std::size_t i) { return static_cast<float>(numbers[i]); };
    const Vec3 direction = numbers.size() == 3 ? Vec3{number(0), number(1), number(2)} : Vec3{};
    if (!is_finite(direction) || length(direction) < 1e-6F) {
      return usage("'" + std::string(key) + "' must be three numbers, not all zero", file);
    }
    *field = normalized(direction);
  }
  for (const auto& [key, field] : {std::pair{"metres_per_unit", &overrides.metres_per_unit},
                                   {"height_m", &overrides.height_m},
                                   {"ground_height", &overrides.ground_height}}) {
    const double value = config.get<double>(key);
    if (std::isnan(value)) continue;
    if (!std::isfinite(value) || (field != &overrides.ground_height && value <= 0)) {
      return usage("'" + std::string(key) + "' must be a number above 0", file);
    }
    *field = value;
  }
  for (const auto& [key, field] :
       {std::pair{"root", &overrides.root}, {"hips", &overrides.hips}, {"head", &overrides.head}}) {
    if (const auto& name = config.get<std::string>(key); name != kAuto) *field = name;
  }
  const auto list = [&](const char* key) -> const Texts* {
    const Texts& texts = config.get<Texts>(key);
    return texts.size() == 1 && texts[0] == kAuto ? nullptr : &texts;
  };
  for (const auto& [key, field] : {std::pair{"spine", &overrides.spine},
                                   {"feet", &overrides.feet},
                                   {"hands", &overrides.hands},
                                   {"tail", &overrides.tail}}) {
    if (const Texts* texts = list(key)) *field = *texts;
  }
  if (const Texts* texts = list("limbs")) {
    overrides.limbs.emplace();
    for (const std::string& text : *texts) {
      ZOE_TRY_ASSIGN(auto limb, limb_of(text, file));
      overrides.limbs->push_back(std::move(limb));
    }
  }
  if (const Texts* texts = list("pairs")) {
    overrides.pairs.emplace();
    for (const std::string& text : *texts) {
      const Texts sides = split(text, '=');
      if (sides.size() != 2) return usage("pair '" + text + "' is not of the form \"left = right\"", file);
      overrides.pairs->emplace_back(sides[0], sides[1]);
    }
  }
  if (const auto& text = config.get<std::string>("reference_pose"); text != kAuto) {
    ZOE_TRY_ASSIGN(overrides.reference_pose, reference_pose_of(text, file));
  }
  return overrides;
}

Result<void> set_reference_pose(const Skeleton& skeleton, AnalysisOverrides::ReferencePose pose,
                                std::span<const Motion> clips, SkeletonAnalysis& analysis) {
  std::vector<Affine> model(skeleton.rest_model().begin(), skeleton.rest_model().end());
  if (pose.clip >= 0) {
    const auto clip = static_cast<std::size_t>(pose.clip);
    if (clip >= clips.size() || pose.frame >= clips[clip].num_frames ||
        clips[clip].num_joints() != skeleton.num_joints()) {
      return usage(
          "reference_pose: there is no frame " + std::to_string(pose.frame) + " of clip " + std::to_string(pose.clip),
          {});
    }
    compute_model_from_joint(skeleton, clips[clip].frame(pose.frame), model);
  }
  analysis.reference_clip = pose.clip;
  analysis.reference_frame = pose.frame;
  analysis.reference_is_bind = false;
  analysis.reference_positions.clear();
  for (const Affine& m : model) analysis.reference_positions.push_back(m.t);
  return {};
}

// Converts names into joints and keeps the first unknown one.
class Finder {
 public:
  explicit Finder(const Skeleton& skeleton) : skeleton_(skeleton) {}

  int find(const std::string& name) {
    const int joint = skeleton_.find(name);
    if (joint == kNoJoint && missing_.empty()) missing_ = name;
    return joint;
  }
  std::vector<int> find(const Texts& names) {
    std::vector<int> joints;
    for (const std::string& name : names) joints.push_back(find(name));
    return joints;
  }
  Result<void> check() const {
    if (missing_.empty()) return {};
    Texts known;
    for (const JointDesc& joint : skeleton_.joints()) known.push_back(joint.name);
    return Error{ErrorCode::kUsage, "the skeleton has no joint '" + missing_ + "'" + did_you_mean(missing_, known), {}};
  }

 private:
  const Skeleton& skeleton_;
  std::string missing_;
};

}  // namespace

Result<AnalysisOverrides> load_overrides(const std::filesystem::path& path) {
  Config config(schema());
  ZOE_TRY(config.load_file(path));
  return overrides_of(config, path.string());
}

Result<AnalysisOverrides> parse_overrides(std::string_view toml, const std::string& name) {
  Config config(schema());
  ZOE_TRY(config.load_text(toml, name));
  return overrides_of(config, name);
}

Result<void> apply_overrides(const Skeleton& skeleton, const AnalysisOverrides& overrides, SkeletonAnalysis& analysis,
                             std::span<const Motion> clips) {
  SkeletonAnalysis changed = analysis;
  Finder finder(skeleton);
  const auto note = [&](AnalysisField field) {
    changed.evidence[static_cast<std::size_t>(field)] = {1.0, EvidenceSource::kOverride};
  };
  const auto set = [&](const auto& value, auto& field, AnalysisField which) {
    if (!value) return;
    field = *value;
    note(which);
  };
  const auto set_joints = [&](const auto& names, auto& field, AnalysisField which) {
    if (!names) return;
    field = finder.find(*names);
    note(which);
  };
  set(overrides.family, changed.family, AnalysisField::kFamily);
  set(overrides.up, changed.up, AnalysisField::kUp);
  set(overrides.forward, changed.forward, AnalysisField::kForward);
  if (overrides.metres_per_unit) changed.height_m *= *overrides.metres_per_unit / changed.metres_per_unit;
  set(overrides.metres_per_unit, changed.metres_per_unit, AnalysisField::kMetresPerUnit);
  set(overrides.height_m, changed.height_m, AnalysisField::kHeight);
  set(overrides.ground_height, changed.ground_height, AnalysisField::kGround);
  set_joints(overrides.root, changed.root, AnalysisField::kRoot);
  set_joints(overrides.hips, changed.hips, AnalysisField::kHips);
  set_joints(overrides.head, changed.head, AnalysisField::kHead);
  set_joints(overrides.spine, changed.spine, AnalysisField::kSpine);
  set_joints(overrides.feet, changed.feet, AnalysisField::kFeet);
  set_joints(overrides.hands, changed.hands, AnalysisField::kHands);
  set_joints(overrides.tail, changed.tail, AnalysisField::kTail);
  if (overrides.limbs) {
    changed.limbs.clear();
    for (const auto& limb : *overrides.limbs) changed.limbs.push_back({limb.kind, limb.side, finder.find(limb.joints)});
    note(AnalysisField::kLimbs);
  }
  if (overrides.pairs) {
    changed.pairs.clear();
    for (const auto& [left, right] : *overrides.pairs) changed.pairs.push_back({finder.find(left), finder.find(right)});
    note(AnalysisField::kPairs);
  }
  if (overrides.reference_pose) {
    ZOE_TRY(set_reference_pose(skeleton, *overrides.reference_pose, clips, changed));
    note(AnalysisField::kReferencePose);
  }
  ZOE_TRY(finder.check());
  analysis = std::move(changed);
  return {};
}

}  // namespace zoe
