// SPDX-License-Identifier: MIT
// Gaps, key poses and chosen joints of `zoe edit`.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/suggest.h"
#include "zoe/generate/key_poses.h"
#include "zoe/generate/seam.h"

#include "edit/edit.h"
#include "verb.h"

namespace zoe::cli {
namespace {

using generate::Gap;
using Json = nlohmann::ordered_json;

constexpr double kMostSeam = 1.2;  // Of what is usual in the clip; above it, the user is told.

// A frame, "20", or a time, "0.5s".
std::optional<int> parse_frame(std::string text, const Motion& motion, bool is_time) {
  if (!text.empty() && text.back() == 's') {
    is_time = true;
    text.pop_back();
  }
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > 1e7) return std::nullopt;
  return static_cast<int>(std::lround(is_time ? value * motion.fps : value));
}

// "20:40" frames, "0.5s:1.2s" seconds; both ends included.
Result<Gap> parse_gap(const std::string& text, const Motion& motion) {
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const std::optional<int> first = parse_frame(text.substr(0, colon), motion, false),
                             last = parse_frame(text.substr(colon + 1), motion, false);
    if (first && last) return Gap{*first, *last};
  }
  return Error{ErrorCode::kUsage, fmt::format("--in-between {}: give two frames, 20:40, or times, 0.5s:1.2s", text)};
}

Result<std::vector<Gap>> parse_gaps(const EditRequest& request, const Motion& motion) {
  std::vector<Gap> gaps;
  for (const std::string& text : request.gaps) {
    ZOE_TRY_ASSIGN(const Gap gap, parse_gap(text, motion));
    if (gap.first > gap.last)
      return Error{ErrorCode::kUsage, fmt::format("--in-between {}: the first frame is after the last", text)};
    if (gap.last >= motion.num_frames)
      return Error{ErrorCode::kUsage, fmt::format("--in-between {}: the motion has frames 0 to {} (0 to {:.3f} s)",
                                                  text, motion.num_frames - 1, motion.duration_s())};
    for (const Gap& other : gaps)
      if (gap.first <= other.last + 1 && other.first <= gap.last + 1)
        return Error{ErrorCode::kUsage, fmt::format("--in-between {}: it overlaps or touches another gap", text)};
    gaps.push_back(gap);
  }
  return gaps;
}

// "poses.bvh@0.5" or "poses.bvh@0.5,1.2": frame i of the file at time i.
Result<std::vector<generate::KeyPose>> read_keys(const std::string& text, const Motion& motion) {
  const std::size_t at = text.rfind('@');
  const std::string wrong = fmt::format("--keys {}: give FILE@SECONDS, or FILE@S1,S2,… for its frames in order", text);
  if (at == std::string::npos || at == 0) return Error{ErrorCode::kUsage, wrong};
  ZOE_TRY_ASSIGN(const MetricBody poses, load_metric_body(text.substr(0, at)));
  Motion frames = poses.clips.empty() ? make_motion(poses.skeleton, "rest", 30, 1, false) : poses.clips[0];
  std::vector<generate::KeyPose> keys;
  for (const std::string& time : split_list(text.substr(at + 1))) {
    const std::optional<int> frame = parse_frame(time, motion, true);
    if (!frame) return Error{ErrorCode::kUsage, wrong};
    const auto number = static_cast<int>(keys.size());
    if (number >= frames.num_frames)
      return Error{ErrorCode::kUsage,
                   fmt::format("--keys {}: more times than the file's {} frames", text, frames.num_frames)};
    Result<Pose> pose = generate::pose_by_names(frames, number, motion.skeleton);
    if (!pose) return Error{pose.error().code, pose.error().message, {.file = text.substr(0, at)}};
    keys.push_back({*frame, std::move(*pose)});
  }
  if (keys.empty()) return Error{ErrorCode::kUsage, wrong};
  return keys;
}

// Joints of --joints and --upper-body with all below them.
Result<std::vector<int>> freed_joints(const EditRequest& request, const MetricBody& body) {
  std::vector<int> roots;
  for (const std::string& name : split_list(request.joints)) {
    const int joint = body.skeleton->find(name);
    if (joint == kNoJoint) {
      std::vector<std::string> names;
      for (const JointDesc& known : body.skeleton->joints()) names.push_back(known.name);
      return Error{ErrorCode::kUsage,
                   fmt::format("--joints {}: there is no such joint{}; `zoe info FILE --joints` lists them", name,
                               did_you_mean(name, names)),
                   {.file = request.file}};
    }
    roots.push_back(joint);
  }
  if (request.upper_body) {
    for (const Limb& limb : body.analysis.limbs)
      if (limb.kind != LimbKind::kLeg && !limb.joints.empty()) roots.push_back(limb.joints[0]);
    if (body.analysis.spine.size() > 1) roots.push_back(body.analysis.spine[1]);
    if (body.analysis.head != kNoJoint) roots.push_back(body.analysis.head);
    std::erase(roots, body.analysis.hips);
    if (roots.empty())
      return Error{ErrorCode::kUsage, "no upper body was found; name joints with --joints", {.file = request.file}};
  }
  std::vector<int> joints;
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    for (int above = j; above != kNoJoint; above = body.skeleton->parent(above)) {
      if (std::find(roots.begin(), roots.end(), above) == roots.end()) continue;
      joints.push_back(j);
      break;
    }
  }
  return joints;
}

struct Filled {
  generate::SoftSeams soft;
  std::vector<Gap> gaps;
  std::vector<double> shares;  // [gaps] Of the network.
};

// A network fills gaps between known frames as far as it is better than a spline. With an action it fills all of them:
// no spline does what was requested.
std::vector<double> network_shares(const EditRequest& request, const Motion& motion, std::span<const Gap> gaps) {
  std::vector<double> shares;
  for (const Gap& gap : gaps) {
    const bool is_open = gap.first == 0 || gap.last + 1 == motion.num_frames;
    const double share =
        is_open || !request.action.empty() ? 1 : generate::generated_share(gap.num_frames() / motion.fps);
    shares.push_back(request.model.empty() ? 0 : share);
  }
  return shares;
}

// The gaps of a motion with its keys.
Result<Filled> fill(const EditRequest& request, const MetricBody& body, const Motion& motion,
                    const generate::KeyedMotion& keyed, std::span<const int> free_joints) {
  Motion out = keyed.motion;
  std::optional<Motion> made;
  const std::vector<double> shares = network_shares(request, motion, keyed.gaps);
  const bool is_used = std::any_of(shares.begin(), shares.end(), [](double share) { return share > 0; });
  if (!request.model.empty() && (is_used || !free_joints.empty())) {
    ZOE_TRY_ASSIGN(made, made_by_model(request, body, keyed.motion, keyed.gaps, free_joints));
    const std::size_t joints = idx(motion.num_joints());
    for (int f = 0; f < motion.num_frames; ++f)
      for (const int j : free_joints)
        out.rotations[idx(f) * joints + idx(j)] = made->rotations[idx(f) * joints + idx(j)];
    if (!free_joints.empty()) make_continuous(out);
  }
  const generate::Fill fill = request.fill == "linear" ? generate::Fill::kLinear : generate::Fill::kSpline;
  std::vector<int> seams;
  std::vector<std::uint8_t> known(idx(motion.num_frames), 1);
  for (std::size_t i = 0; i < keyed.gaps.size(); ++i) {
    const Gap& gap = keyed.gaps[i];
    Motion network = out;
    if (shares[i] > 0) {
      ZOE_TRY_ASSIGN(network, generate::fit_between(out, gap, *made, keyed.known));
    }
    ZOE_TRY_ASSIGN(out, generate::interpolate(out, gap, fill, keyed.known));
    if (shares[i] > 0) out = generate::blend_gap(out, network, gap, shares[i]);
    std::fill_n(known.begin() + gap.first, gap.num_frames(), 0);
    if (gap.first > 0) seams.push_back(gap.first);
    if (gap.last + 1 < motion.num_frames) seams.push_back(gap.last);
  }
  // Lines have corners: who asks for them gets them.
  if (!is_used && fill == generate::Fill::kLinear) {
    const double ratio = generate::seam_ratio(motion, out, seams);
    return Filled{{std::move(out), ratio, 0}, keyed.gaps, shares};
  }
  return Filled{generate::soften_seams(motion, out, seams, known), keyed.gaps, shares};
}

}  // namespace

Result<EditedMotion> fill_parts(const EditRequest& request, const MetricBody& body, const Motion& motion) {
  ZOE_TRY_ASSIGN(const std::vector<int> free_joints, freed_joints(request, body));
  ZOE_TRY_ASSIGN(const std::vector<Gap> given, parse_gaps(request, motion));
  std::vector<generate::KeyPose> keys;
  for (const std::string& text : request.keys) {
    ZOE_TRY_ASSIGN(std::vector<generate::KeyPose> more, read_keys(text, motion));
    keys.insert(keys.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  // A file without clips: the whole motion is between its keys.
  const bool keys_only = body.clips.empty();
  std::vector<Gap> gaps = given;
  if (keys_only) gaps = {{0, motion.num_frames - 1}};
  Filled best;
  generate::KeyedMotion keyed{motion, {}, gaps};
  if (keys.empty()) {
    ZOE_TRY_ASSIGN(best, fill(request, body, motion, keyed, free_joints));
  } else {
    // A pose that is far from the motion needs more frames around it than one that is near.
    generate::KeyOptions options{.place = !request.world_keys && !keys_only};
    best.soft.seam_ratio = 1e9;
    for (const double around_s : {options.around_s, 2 * options.around_s, 4 * options.around_s}) {
      options.around_s = around_s;
      ZOE_TRY_ASSIGN(keyed, generate::put_keys(motion, body.analysis, keys, gaps, options));
      ZOE_TRY_ASSIGN(Filled filled, fill(request, body, motion, keyed, free_joints));
      if (filled.soft.seam_ratio < best.soft.seam_ratio) best = std::move(filled);
      if (best.soft.seam_ratio <= 1 || !gaps.empty()) break;
    }
  }
  if (best.soft.seam_ratio > kMostSeam && request.fill != "linear" && !keys_only)
    print_warnings({{fmt::format("velocities change by {:.1f} times what is usual in the clip: the known poses are too "
                                 "far from each other for {}",
                                 best.soft.seam_ratio,
                                 keys.empty() ? "the frames between them; fill more" : "their times; set them apart"),
                     {.file = request.file}}});
  Json filled = Json::array(), key_frames = Json::array();
  for (const Gap& gap : best.gaps) filled.push_back({gap.first, gap.last});
  for (const generate::KeyPose& key : keys) key_frames.push_back(key.frame);
  Json facts{{"method", request.model.empty() ? request.fill : request.model},
             {"gaps", filled},
             {"free_joints", free_joints.size()},
             {"seam_ratio", best.soft.seam_ratio}};
  if (!request.model.empty()) facts["network_shares"] = best.shares;
  if (!keys.empty()) facts["keys"] = key_frames;
  return EditedMotion{std::move(best.soft.motion), std::move(facts)};
}

}  // namespace zoe::cli
