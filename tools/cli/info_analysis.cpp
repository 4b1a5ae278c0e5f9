// SPDX-License-Identifier: MIT
#include "info_analysis.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

Json name_of(const Skeleton& skeleton, int joint) {
  return joint == kNoJoint ? Json(nullptr) : Json(skeleton.name(joint));
}

std::vector<std::string> names_of(const Skeleton& skeleton, const std::vector<int>& joints) {
  std::vector<std::string> names;
  for (const int joint : joints) names.push_back(skeleton.name(joint));
  return names;
}

// Without the last digits of a float, so that an axis is printed as one.
Json direction(Vec3 v) {
  const auto rounded = [](float x) { return std::round(static_cast<double>(x) * 1e4) / 1e4 + 0.0; };
  return Json::array({rounded(v.x), rounded(v.y), rounded(v.z)});
}

}  // namespace

Json analysis_to_json(const std::string& file, const Skeleton& skeleton, const author::AssetAnalysis& analysis) {
  const SkeletonAnalysis& body = analysis.body;
  Json out{{"file", file},
           {"family", to_string(body.family)},
           {"up", direction(body.up)},
           {"forward", direction(body.forward)},
           {"metres_per_unit", analysis.metres_per_unit},
           {"height_m", body.height_m},
           {"ground_height", body.ground_height},
           {"root", name_of(skeleton, body.root)},
           {"hips", name_of(skeleton, body.hips)},
           {"head", name_of(skeleton, body.head)},
           {"spine", names_of(skeleton, body.spine)}};
  out["limbs"] = Json::array();
  for (const Limb& limb : body.limbs) {
    out["limbs"].push_back(
        {{"kind", to_string(limb.kind)}, {"side", to_string(limb.side)}, {"joints", names_of(skeleton, limb.joints)}});
  }
  out["feet"] = names_of(skeleton, body.feet);
  out["hands"] = names_of(skeleton, body.hands);
  out["tail"] = names_of(skeleton, body.tail);
  out["pairs"] = Json::array();
  for (const JointPair& pair : body.pairs) {
    out["pairs"].push_back(Json::array({skeleton.name(pair.left), skeleton.name(pair.right)}));
  }
  out["confidence"] = Json::object();
  for (std::size_t i = 0; i < kNumAnalysisFields; ++i) {
    const auto field = static_cast<AnalysisField>(i);
    out["confidence"][to_string(field)] = {{"value", std::round(body.of(field).confidence * 100) / 100},
                                           {"source", to_string(body.of(field).source)}};
  }
  out["reference_pose"] = body.reference_clip < 0
                              ? Json(body.reference_is_bind ? "bind" : "rest")
                              : Json{{"clip", body.reference_clip}, {"frame", body.reference_frame}};
  return out;
}

std::optional<Vec3> standing_axis(const io::Asset& asset) {
  constexpr double kSure = 0.9;  // Of 1,171 shared files, none that stands along y is above it with another axis.
  const SkeletonAnalysis body =
      analyse(*asset.character->skeleton, asset.clips, asset.character.get(), {.up_is_known = false});
  return body.of(AnalysisField::kUp).confidence >= kSure ? std::optional(body.up) : std::nullopt;
}

std::string reference_word(const SkeletonAnalysis& body) {
  if (body.reference_clip >= 0) return fmt::format("clip {} frame {}", body.reference_clip, body.reference_frame);
  return body.reference_is_bind ? "bind" : "rest";
}

void print_analysis(const std::string& file, const Skeleton& skeleton, const author::AssetAnalysis& analysis) {
  const SkeletonAnalysis& body = analysis.body;
  const auto line = [&](AnalysisField field, const std::string& text) {
    const Evidence& evidence = body.of(field);
    fmt::print("  {:<16}{}  ({}, {:.0f} %)\n", to_string(field), text.empty() ? "none" : text,
               to_string(evidence.source), 100 * evidence.confidence);
  };
  const auto joint = [&](int index) { return index == kNoJoint ? std::string() : skeleton.name(index); };
  const auto joints = [&](const std::vector<int>& list) {
    return fmt::format("{}", fmt::join(names_of(skeleton, list), ", "));
  };
  const auto axis = [](Vec3 v) { return fmt::format("{:.2f} {:.2f} {:.2f}", v.x + 0.0F, v.y + 0.0F, v.z + 0.0F); };
  fmt::print("{}\n", file);
  line(AnalysisField::kFamily, to_string(body.family));
  line(AnalysisField::kUp, axis(body.up));
  line(AnalysisField::kForward, axis(body.forward));
  line(AnalysisField::kMetresPerUnit, fmt::format("{:g}", analysis.metres_per_unit));
  line(AnalysisField::kHeight, fmt::format("{:.3f}", body.height_m));
  line(AnalysisField::kGround, fmt::format("{:.3f}", body.ground_height));
  line(AnalysisField::kReferencePose, reference_word(body));
  line(AnalysisField::kRoot, joint(body.root));
  line(AnalysisField::kHips, joint(body.hips));
  line(AnalysisField::kHead, joint(body.head));
  line(AnalysisField::kSpine, joints(body.spine));
  line(AnalysisField::kLimbs, fmt::format("{}", body.limbs.size()));
  for (const Limb& limb : body.limbs) {
    fmt::print("    {:<5}{:<7}{}\n", to_string(limb.kind), to_string(limb.side), joints(limb.joints));
  }
  line(AnalysisField::kFeet, joints(body.feet));
  line(AnalysisField::kHands, joints(body.hands));
  line(AnalysisField::kTail, joints(body.tail));
  line(AnalysisField::kPairs, fmt::format("{}", body.pairs.size()));
  for (const JointPair& pair : body.pairs) fmt::print("    {} = {}\n", joint(pair.left), joint(pair.right));
}

}  // namespace zoe::cli
