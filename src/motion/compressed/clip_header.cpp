// SPDX-License-Identifier: MIT
#include "motion/compressed/clip_header.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace zoe {
namespace {

constexpr std::array<char, 4> kMagic{'Z', 'O', 'E', 'M'};
constexpr std::uint32_t kVersion = 1;
constexpr int kMaxFrames = 1 << 28;

// The rotation with this vector part and w >= 0.
Quatd from_vector_part(double x, double y, double z) {
  return normalized(Quatd{x, y, z, std::sqrt(std::max(0.0, 1.0 - x * x - y * y - z * z))});
}

class Writer {
 public:
  template <typename T>
  void put(T value) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), p, p + sizeof value);
  }
  std::vector<std::uint8_t> bytes;
};

// Every get returns whether the bytes were available. The caller checks numbers.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  template <typename T>
  bool get(T& value) {
    if (bytes_.size() - offset_ < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + offset_, sizeof value);
    offset_ += sizeof value;
    return true;
  }
  bool get_text(std::string& text, std::size_t size) {
    if (remaining() < size) return false;
    text.assign(reinterpret_cast<const char*>(bytes_.data()) + offset_, size);
    offset_ += size;
    return true;
  }
  std::size_t remaining() const { return bytes_.size() - offset_; }
  std::size_t offset() const { return offset_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t offset_ = 0;
};

Error damaged(const Reader& reader, std::string what) {
  return {ErrorCode::kSyntax,
          "compressed motion: " + std::move(what),
          {.byte_offset = static_cast<std::int64_t>(reader.offset())}};
}

bool is_animated(TrackKind kind) { return kind == TrackKind::kAnimated || kind == TrackKind::kAnimatedWide; }

Result<void> read_constants(Reader& in, ClipHeader& h) {
  for (std::size_t i = 0; i < h.joints.size(); ++i) {
    if (h.joints[i].rotation == TrackKind::kConstant) {
      Quat& q = h.constants.rotations[i];
      if (!in.get(q)) return damaged(in, "ends inside its constants");
      if (!(std::abs(dot(q, q) - 1.0F) < 1e-3F)) return damaged(in, "a constant rotation is not a unit quaternion");
    }
    if (h.joints[i].translation == TrackKind::kConstant && !in.get(h.constants.translations[i])) {
      return damaged(in, "ends inside its constants");
    }
    if (h.joints[i].scale == TrackKind::kConstant && !in.get(h.constants.scales[i])) {
      return damaged(in, "ends inside its constants");
    }
    if (!is_finite(h.constants.translations[i]) || !is_finite(h.constants.scales[i])) {
      return damaged(in, "a constant is not finite");
    }
  }
  for (std::size_t i = 0; i < h.morphs.size(); ++i) {
    if (h.morphs[i] != TrackKind::kConstant) continue;
    if (!in.get(h.morph_constants[i])) return damaged(in, "ends inside its constants");
    if (!std::isfinite(h.morph_constants[i])) return damaged(in, "a constant is not finite");
  }
  return {};
}

Result<void> read_rotations(Reader& in, ClipHeader& h, int num_lanes, TrackKind kind) {
  std::uint16_t count = 0;
  if (!in.get(count)) return damaged(in, "ends before its rotation tracks");
  const auto expected =
      std::count_if(h.joints.begin(), h.joints.end(), [&](const JointKinds& j) { return j.rotation == kind; });
  if (count != expected) return damaged(in, "the number of rotation tracks contradicts the joints");
  std::vector<bool> seen(h.joints.size(), false);
  for (int i = 0; i < count; ++i) {
    RotationTrack track;
    track.num_lanes = num_lanes;
    std::uint16_t joint = 0;
    bool good = in.get(joint) && in.get(track.reference_code);
    if (num_lanes == 3) good = good && in.get(track.axes_code);
    for (int k = 0; good && k < (num_lanes == 3 ? 3 : 1); ++k)
      good = in.get(track.step_codes[static_cast<std::size_t>(k)]);
    if (!good) return damaged(in, "ends inside its rotation tracks");
    if (num_lanes == 4) track.step_codes.fill(track.step_codes[0]);
    if (joint >= h.joints.size() || h.joints[joint].rotation != kind || seen[joint]) {
      return damaged(in, fmt::format("rotation track {} names a wrong joint", i));
    }
    seen[joint] = true;
    track.joint = joint;
    h.rotations.push_back(track);
  }
  return {};
}

Result<void> read_scalars(Reader& in, ClipHeader& h) {
  const auto read = [&](ScalarTarget target, std::uint32_t index) {
    ScalarTrack track{target, index, 0, 0};
    if (!in.get(track.base) || !in.get(track.step_code) || !std::isfinite(track.base)) return false;
    h.scalars.push_back(track);
    return true;
  };
  for (const ScalarTarget target : {ScalarTarget::kTranslation, ScalarTarget::kScale}) {
    for (std::uint32_t joint = 0; joint < h.joints.size(); ++joint) {
      const JointKinds& kinds = h.joints[joint];
      if (!is_animated(target == ScalarTarget::kTranslation ? kinds.translation : kinds.scale)) continue;
      for (std::uint32_t k = 0; k < 3; ++k) {
        if (!read(target, 3 * joint + k)) return damaged(in, "bad translation or scale track");
      }
    }
  }
  for (std::uint32_t i = 0; i < h.morphs.size(); ++i) {
    if (is_animated(h.morphs[i]) && !read(ScalarTarget::kMorph, i)) return damaged(in, "bad morph track");
  }
  return {};
}

}  // namespace

Quatd RotationTrack::reference() const {
  return from_vector_part(reference_code[0] / 32767.0, reference_code[1] / 32767.0, reference_code[2] / 32767.0);
}
Quatd RotationTrack::axes() const {
  return from_vector_part(axes_code[0] / 127.0, axes_code[1] / 127.0, axes_code[2] / 127.0);
}

double step_of(std::uint8_t code) { return std::exp2(-code / 8.0); }
double segment_scale_of(std::uint8_t code) { return std::exp2((code - 128) / 8.0); }

int ClipHeader::segment_points(int segment) const {
  return std::min(segment_frames + 1, num_frames - segment_first_frame(segment));
}

std::vector<LaneGroup> lane_groups(const ClipHeader& header) {
  std::vector<LaneGroup> groups;
  const int num_rotations = static_cast<int>(header.rotations.size());
  for (int first = 0; first < num_rotations;) {
    const int wide = header.rotations[static_cast<std::size_t>(first)].num_lanes;
    int lanes = 0;
    while (lanes < kRowLanes && first + lanes < num_rotations &&
           header.rotations[static_cast<std::size_t>(first + lanes)].num_lanes == wide) {
      ++lanes;
    }
    for (int k = 0; k < wide; ++k) groups.push_back({first, lanes, k, true});
    first += lanes;
  }
  const int num_scalars = static_cast<int>(header.scalars.size());
  for (int first = 0; first < num_scalars;) {
    const ScalarTarget target = header.scalars[static_cast<std::size_t>(first)].target;
    int lanes = 0;
    while (lanes < kRowLanes && first + lanes < num_scalars &&
           header.scalars[static_cast<std::size_t>(first + lanes)].target == target) {
      ++lanes;
    }
    groups.push_back({first, lanes, 0, false});
    first += lanes;
  }
  return groups;
}

std::uint64_t skeleton_hash(const Skeleton& skeleton) {
  std::uint64_t hash = skeleton.topology_hash();
  const auto mix = [&](float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3ULL;  // FNV-1a.
  };
  for (const JointDesc& joint : skeleton.joints()) {
    const Transform& t = joint.rest_local;
    for (const float v :
         {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}) {
      mix(v);
    }
  }
  return hash;
}

std::vector<std::uint8_t> write_header(const ClipHeader& h, const Skeleton& skeleton) {
  Writer out;
  out.put(kMagic);
  out.put(kVersion);
  out.put(skeleton_hash(skeleton));
  out.put(h.fps);
  out.put(h.start_time_s);
  out.put(static_cast<std::uint32_t>(h.num_frames));
  out.put(static_cast<std::uint32_t>(h.num_joints));
  out.put(static_cast<std::uint32_t>(h.num_morph_weights));
  out.put(static_cast<std::uint8_t>(h.segment_frames));
  out.put(static_cast<std::uint8_t>(h.has_scales));
  const std::size_t name_size = std::min<std::size_t>(h.name.size(), 65535);
  out.put(static_cast<std::uint16_t>(name_size));
  out.bytes.insert(out.bytes.end(), h.name.begin(), h.name.begin() + static_cast<std::ptrdiff_t>(name_size));
  for (const JointKinds& joint : h.joints) {
    out.put(static_cast<std::uint8_t>(static_cast<int>(joint.rotation) | static_cast<int>(joint.translation) << 2 |
                                      static_cast<int>(joint.scale) << 4));
  }
  for (const TrackKind kind : h.morphs) out.put(kind);
  for (std::size_t i = 0; i < h.joints.size(); ++i) {
    if (h.joints[i].rotation == TrackKind::kConstant) out.put(h.constants.rotations[i]);
    if (h.joints[i].translation == TrackKind::kConstant) out.put(h.constants.translations[i]);
    if (h.joints[i].scale == TrackKind::kConstant) out.put(h.constants.scales[i]);
  }
  for (std::size_t i = 0; i < h.morphs.size(); ++i) {
    if (h.morphs[i] == TrackKind::kConstant) out.put(h.morph_constants[i]);
  }
  for (const int num_lanes : {3, 4}) {
    const auto mine = [&](const RotationTrack& track) { return track.num_lanes == num_lanes; };
    out.put(static_cast<std::uint16_t>(std::count_if(h.rotations.begin(), h.rotations.end(), mine)));
    for (const RotationTrack& track : h.rotations) {
      if (!mine(track)) continue;
      out.put(static_cast<std::uint16_t>(track.joint));
      out.put(track.reference_code);
      if (num_lanes == 3) out.put(track.axes_code);
      for (int k = 0; k < (num_lanes == 3 ? 3 : 1); ++k) out.put(track.step_codes[static_cast<std::size_t>(k)]);
    }
  }
  for (const ScalarTrack& track : h.scalars) {
    out.put(track.base);
    out.put(track.step_code);
  }
  return std::move(out.bytes);
}

Result<ClipHeader> read_header(std::span<const std::uint8_t> bytes, const Skeleton& skeleton, std::size_t* end) {
  Reader in(bytes);
  ClipHeader h;
  std::array<char, 4> magic{};
  std::uint32_t version = 0, frames = 0, joints = 0, weights = 0;
  std::uint64_t hash = 0;
  std::uint8_t segment_frames = 0, has_scales = 0;
  std::uint16_t name_size = 0;
  if (!in.get(magic) || magic != kMagic) return damaged(in, "not a compressed motion");
  if (!in.get(version)) return damaged(in, "ends inside its header");
  if (version != kVersion) {
    return Error{
        ErrorCode::kUnsupported,
        fmt::format("compressed motion: version {}, this build reads {}; compress it again", version, kVersion),
        {}};
  }
  if (!in.get(hash) || !in.get(h.fps) || !in.get(h.start_time_s) || !in.get(frames) || !in.get(joints) ||
      !in.get(weights) || !in.get(segment_frames) || !in.get(has_scales) || !in.get(name_size) ||
      !in.get_text(h.name, name_size)) {
    return damaged(in, "ends inside its header");
  }
  if (joints != static_cast<std::uint32_t>(skeleton.num_joints()) || hash != skeleton_hash(skeleton)) {
    return Error{ErrorCode::kInvalid, "compressed motion: it was made for another skeleton or rest pose", {}};
  }
  if (!(h.fps > 0) || !std::isfinite(h.fps) || !std::isfinite(h.start_time_s))
    return damaged(in, "bad frame rate or time");
  if (frames < 1 || frames > kMaxFrames || segment_frames < 1 || segment_frames > 32 || has_scales > 1) {
    return damaged(in, "bad frame counts");
  }
  if (in.remaining() < joints || in.remaining() - joints < weights) return damaged(in, "ends inside its track kinds");
  h.num_frames = static_cast<int>(frames);
  h.num_joints = static_cast<int>(joints);
  h.num_morph_weights = static_cast<int>(weights);
  h.segment_frames = segment_frames;
  h.has_scales = has_scales != 0;
  for (std::uint32_t i = 0; i < joints; ++i) {
    std::uint8_t kinds = 0;
    in.get(kinds);
    const JointKinds joint{static_cast<TrackKind>(kinds & 3), static_cast<TrackKind>(kinds >> 2 & 3),
                           static_cast<TrackKind>(kinds >> 4 & 3)};
    if (kinds >> 6 != 0 || joint.translation == TrackKind::kAnimatedWide || joint.scale == TrackKind::kAnimatedWide ||
        (!h.has_scales && joint.scale != TrackKind::kDefault)) {
      return damaged(in, "bad track kind");
    }
    h.joints.push_back(joint);
  }
  for (std::uint32_t i = 0; i < weights; ++i) {
    std::uint8_t kind = 0;
    in.get(kind);
    if (kind > static_cast<std::uint8_t>(TrackKind::kAnimated)) return damaged(in, "bad track kind");
    h.morphs.push_back(static_cast<TrackKind>(kind));
  }
  h.constants = make_pose(skeleton);
  std::fill(h.constants.scales.begin(), h.constants.scales.end(), Vec3{1, 1, 1});
  h.morph_constants.assign(weights, 0.0F);
  ZOE_TRY(read_constants(in, h));
  ZOE_TRY(read_rotations(in, h, 3, TrackKind::kAnimated));
  ZOE_TRY(read_rotations(in, h, 4, TrackKind::kAnimatedWide));
  ZOE_TRY(read_scalars(in, h));
  *end = in.offset();
  return h;
}

}  // namespace zoe
