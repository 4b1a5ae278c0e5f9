// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "zoe/motion/compress.h"

#include "motion/compressed/basis.h"
#include "motion/compressed/decode_plan.h"
#include "motion/compressed/decode_store.h"

namespace zoe {
namespace {

Error damaged(std::size_t offset, std::string what) {
  return {
      ErrorCode::kSyntax, "compressed motion: " + std::move(what), {.byte_offset = static_cast<std::int64_t>(offset)}};
}

// Reads a segment as the decoder will: no access may be beyond its end.
bool is_sound(std::span<const std::uint8_t> segment, const std::vector<LaneGroup>& groups, int points) {
  if (segment.size() < kSegmentPrefix) return false;
  const std::size_t rows_start = rows_offset(segment.data());
  if (rows_start > segment.size()) return false;
  std::size_t head = kSegmentPrefix, rows = rows_start;
  for (const LaneGroup& group : groups) {
    if (head >= rows_start) return false;
    const int num_rows = segment[head++];
    if (num_rows == 0) continue;
    if (num_rows > points || rows_start - head < 1 + static_cast<std::size_t>(num_rows / 2)) return false;
    const int first = segment[head++];
    if (first > kMaxRowWidth) return false;
    rows += row_bytes(group.lanes, first);
    for (int k = 1; k < num_rows; ++k) {
      const int code = segment[head + static_cast<std::size_t>(k - 1) / 2] >> ((k - 1) % 2 * 4) & 15;
      rows += row_bytes(group.lanes, kRowWidths[code]);
    }
    head += static_cast<std::size_t>(num_rows / 2);
    // The unused nibble behind an even number of rows.
    if (num_rows % 2 == 0 && segment[head - 1] >> 4 != 0) return false;
    if (rows > segment.size()) return false;
  }
  return true;
}

std::vector<float> to_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

const char* problem(const CompressedSampleJob& job) noexcept {
  if (job.motion == nullptr) return "has no motion";
  if (!std::isfinite(job.time_s)) return "the time is not finite";
  const auto n = static_cast<std::size_t>(job.motion->num_joints());
  if (job.translations.size() != n) return "translations must have one entry per joint";
  if (job.rotations.size() != n) return "rotations must have one entry per joint";
  if (!job.scales.empty() && job.scales.size() != n) return "scales must be empty or have one entry per joint";
  if (!job.morph_weights.empty() &&
      job.morph_weights.size() != static_cast<std::size_t>(job.motion->num_morph_weights())) {
    return "morph weights must be empty or have one entry per weight";
  }
  return nullptr;
}

}  // namespace

Result<CompressedMotion> CompressedMotion::from_bytes(std::span<const std::byte> bytes, SkeletonPtr skeleton) {
  if (skeleton == nullptr) return Error{ErrorCode::kUsage, "compressed motion: needs its skeleton", {}};
  if (bytes.size() >= std::uint32_t(-1)) return Error{ErrorCode::kLimit, "compressed motion: larger than 4 GB", {}};
  auto impl = std::make_shared<Impl>();
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t offset = 0;
  ZOE_TRY_ASSIGN(impl->header, read_header({data, bytes.size()}, *skeleton, &offset));
  const ClipHeader& header = impl->header;
  const auto segments = static_cast<std::size_t>(header.num_segments());
  if ((bytes.size() - offset) / sizeof(std::uint32_t) < segments)
    return damaged(offset, "ends inside its segment table");
  const std::vector<LaneGroup> groups = lane_groups(header);
  std::size_t start = offset + segments * sizeof(std::uint32_t);
  impl->segment_offsets.reserve(segments);
  for (std::size_t i = 0; i < segments; ++i) {
    std::uint32_t size = 0;
    std::memcpy(&size, data + offset + i * sizeof size, sizeof size);
    if (size > bytes.size() - start) return damaged(start, fmt::format("segment {} lies beyond the end", i));
    if (!is_sound({data + start, size}, groups, header.segment_points(static_cast<int>(i)))) {
      return damaged(start, fmt::format("segment {} is damaged", i));
    }
    impl->segment_offsets.push_back(static_cast<std::uint32_t>(start));
    start += size;
  }
  if (bytes.size() - start != kRowSlack) return damaged(start, "has the wrong length");
  impl->bytes.assign(data, data + bytes.size());
  impl->plan = make_plan(header);
  impl->full_basis = to_floats(orthonormal_polynomials(header.segment_frames + 1));
  impl->last_basis = to_floats(orthonormal_polynomials(header.segment_points(header.num_segments() - 1)));
  impl->skeleton = std::move(skeleton);
  return CompressedMotion(std::move(impl));
}

std::span<const std::byte> CompressedMotion::bytes() const { return std::as_bytes(std::span(impl_->bytes)); }
const std::string& CompressedMotion::name() const { return impl_->header.name; }
double CompressedMotion::fps() const { return impl_->header.fps; }
double CompressedMotion::start_time_s() const { return impl_->header.start_time_s; }
double CompressedMotion::duration_s() const { return (impl_->header.num_frames - 1) / impl_->header.fps; }
int CompressedMotion::num_frames() const { return impl_->header.num_frames; }
int CompressedMotion::num_joints() const { return impl_->header.num_joints; }
int CompressedMotion::num_morph_weights() const { return impl_->header.num_morph_weights; }
bool CompressedMotion::has_scales() const { return impl_->header.has_scales; }
const SkeletonPtr& CompressedMotion::skeleton() const { return impl_->skeleton; }

Motion CompressedMotion::decompress() const {
  Motion motion = make_motion(skeleton(), name(), fps(), num_frames(), has_scales());
  motion.start_time_s = start_time_s();
  motion.num_morph_weights = num_morph_weights();
  const auto n = static_cast<std::size_t>(num_joints()), weights = static_cast<std::size_t>(num_morph_weights());
  motion.morph_weights.resize(static_cast<std::size_t>(num_frames()) * weights);
  for (int frame = 0; frame < num_frames(); ++frame) {
    const auto f = static_cast<std::size_t>(frame);
    const DecodeTarget out{motion.translations.data() + f * n, motion.rotations.data() + f * n,
                           has_scales() ? motion.scales.data() + f * n : nullptr,
                           motion.morph_weights.data() + f * weights};
    impl_->copy_constants(out);
    impl_->decode(frame, 0, out);
  }
  make_continuous(motion);
  return motion;
}

Result<void> CompressedSampleJob::validate() const {
  if (const char* what = problem(*this))
    return Error{ErrorCode::kUsage, std::string("CompressedSampleJob: ") + what, {}};
  return {};
}

bool CompressedSampleJob::run() const noexcept {
  if (problem(*this) != nullptr) return false;
  const CompressedMotion::Impl& impl = motion->impl();
  const auto [frame, next, fraction] =
      find_frame(impl.header.num_frames, impl.header.fps, impl.header.start_time_s, time_s, wrap);
  DecodeTarget out{translations.data(), rotations.data(), scales.empty() ? nullptr : scales.data(),
                   morph_weights.empty() ? nullptr : morph_weights.data()};
  impl.copy_constants(out);
  const bool at_seam = next < frame;  // A closed loop from the last frame to the first.
  impl.decode(frame, at_seam ? 0 : fraction, out);
  if (at_seam) {
    out.mix = fraction;
    impl.decode(next, 0, out);
  }
  return true;
}

}  // namespace zoe
