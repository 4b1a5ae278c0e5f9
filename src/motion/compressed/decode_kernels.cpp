// SPDX-License-Identifier: MIT
#include "motion/compressed/decode_plan.h"
#include "motion/compressed/decode_store.h"
#include "motion/compressed/row_tables.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/compressed/decode_kernels.cpp"
#include "core/simd_foreach_target.h"
#ifdef ZOE_HAS_HWY
#include <hwy/highway.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace zoe {
namespace HWY_NAMESPACE {

#if defined(ZOE_HAS_HWY) && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

namespace hn = hwy::HWY_NAMESPACE;
using TagF = hn::CappedTag<float, kRowLanes>;
using F = hn::Vec<TagF>;
constexpr std::size_t kLanes = hn::MaxLanes(TagF());
constexpr std::size_t kParts = kRowLanes / kLanes;  // Registers per row.
static_assert(kLanes == 4 || kLanes == 8);

struct Row {
  F part[kParts];
};

// 16 bytes from the row's start and 16 from its middle. One of the two, by part, where registers hold no more.
template <typename Tag>
HWY_INLINE hn::Vec<Tag> load_halves(Tag bytes, const std::uint8_t* row, int width, std::size_t part) {
  if constexpr (hn::MaxLanes(Tag()) == 32) {
    const hn::Half<Tag> half;
    return hn::Combine(bytes, hn::LoadU(half, row + (width >> 1)), hn::LoadU(half, row));
  } else {
    return hn::LoadU(bytes, row + (part != 0 ? width >> 1 : 0));
  }
}

// Four numbers of a row are within 16 bytes of its first byte, the other four within 16 bytes of its middle. A byte
// shuffle moves the bytes of each into its lane. Two shifts extract it and extend its sign.
HWY_INLINE void add_row(const std::uint8_t* row, int width, float weight, Row& sums) {
  const hn::CappedTag<std::uint8_t, 4 * kLanes> bytes;
  const hn::RebindToUnsigned<TagF> words;
  const hn::RebindToSigned<TagF> integers;
  const RowTable& table = kRowTables[static_cast<std::size_t>(width)];
  const F w = hn::Set(TagF(), weight);
  for (std::size_t p = 0; p < kParts; ++p) {
    const auto picked =
        hn::TableLookupBytes(load_halves(bytes, row, width, p), hn::Load(bytes, table.shuffle + p * 16));
    const auto left = hn::Shl(hn::BitCast(words, picked), hn::Load(words, table.left_shift + p * 4));
    const auto value = hn::Shr(hn::BitCast(integers, left), hn::Load(integers, table.right_shift + p * 4));
    sums.part[p] = hn::MulAdd(hn::ConvertTo(TagF(), value), w, sums.part[p]);
  }
}

HWY_INLINE Row sum_rows(SegmentCursor& cursor, int lanes, const float* weights) {
  Row even, odd;  // Two sums: a single one would wait for its own last addition.
  for (std::size_t p = 0; p < kParts; ++p) even.part[p] = odd.part[p] = hn::Zero(TagF());
  const int num_rows = *cursor.head++;
  if (num_rows == 0) return even;
  const std::uint8_t* rows = cursor.rows;
  const std::uint8_t* head = cursor.head;
  const std::uint8_t* sizes = kRowSizes.bytes[lanes];
  const int first = *head++;
  if (first != 0) add_row(rows, first, weights[0], even);
  rows += row_bytes(lanes, first);
  for (int k = 1; k < num_rows; k += 2) {
    const int codes = *head++;
    const int low = codes & 15, high = codes >> 4;
    // A missing last row has code 0, and so has no bytes.
    if (low != 0) add_row(rows, kRowWidths[low], weights[k], odd);
    rows += sizes[low];
    if (high != 0) add_row(rows, kRowWidths[high], weights[k + 1], even);
    rows += sizes[high];
  }
  cursor.head = head;
  cursor.rows = rows;
  for (std::size_t p = 0; p < kParts; ++p) even.part[p] = hn::Add(even.part[p], odd.part[p]);
  return even;
}

HWY_INLINE F load(const float* p) { return hn::LoadU(TagF(), p); }

HWY_INLINE void finish_rotations(const RotationChunk& chunk, const Row (&sums)[4], float scale, float* quats) {
  const F factor = hn::Set(TagF(), scale), one = hn::Set(TagF(), 1.0F);
  for (std::size_t p = 0; p < kParts; ++p) {
    const std::size_t at = p * kLanes;
    const F x = hn::Mul(sums[0].part[p], hn::Mul(load(chunk.steps[0] + at), factor));
    const F y = hn::Mul(sums[1].part[p], hn::Mul(load(chunk.steps[1] + at), factor));
    const F z = hn::Mul(sums[2].part[p], hn::Mul(load(chunk.steps[2] + at), factor));
    const F square = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    F w, unit;
    if (chunk.components == 3) {
      w = hn::Sqrt(hn::Max(hn::Sub(one, square), hn::Zero(TagF())));
      // Rounding may have moved the vector part beyond a half turn.
      unit = hn::Div(one, hn::Sqrt(hn::Max(one, square)));
    } else {
      w = hn::Mul(sums[3].part[p], hn::Mul(load(chunk.steps[3] + at), factor));
      unit = hn::Div(one, hn::Sqrt(hn::Max(hn::MulAdd(w, w, square), hn::Set(TagF(), 1e-30F))));
    }
    const auto part = [&](int r) HWY_ATTR {
      const F sum = hn::MulAdd(load(chunk.matrix[4 * r] + at), x, hn::Mul(load(chunk.matrix[4 * r + 1] + at), y));
      const F more = hn::MulAdd(load(chunk.matrix[4 * r + 2] + at), z, hn::Mul(load(chunk.matrix[4 * r + 3] + at), w));
      return hn::Mul(hn::Add(sum, more), unit);
    };
    hn::StoreInterleaved4(part(0), part(1), part(2), part(3), TagF(), quats + 4 * at);
  }
}

void decode_segment_simd(const DecodePlan& plan, const std::uint8_t* segment, const float* weights,
                         const DecodeTarget& out) {
  SegmentCursor cursor{segment + kSegmentPrefix, segment + rows_offset(segment), kSegmentScales.values[segment[0]]};
  for (const RotationChunk& chunk : plan.rotations) {
    Row sums[4];
    for (int c = 0; c < chunk.components; ++c) sums[c] = sum_rows(cursor, chunk.lanes, weights);
    alignas(64) float quats[4 * kRowLanes];
    finish_rotations(chunk, sums, cursor.scale, quats);
    store_rotations(chunk, reinterpret_cast<const Quat*>(quats), out);
  }
  for (const ScalarChunk& chunk : plan.scalars) {
    const Row sums = sum_rows(cursor, chunk.lanes, weights);
    alignas(64) float values[kRowLanes];
    for (std::size_t p = 0; p < kParts; ++p) {
      const std::size_t at = p * kLanes;
      const F step = hn::Mul(load(chunk.steps + at), hn::Set(TagF(), cursor.scale));
      hn::StoreU(hn::MulAdd(sums.part[p], step, load(chunk.bases + at)), TagF(), values + at);
    }
    store_scalars(chunk, values, out);
  }
}

#else

void decode_segment_simd(const DecodePlan& plan, const std::uint8_t* segment, const float* weights,
                         const DecodeTarget& out) {
  decode_segment_scalar(plan, segment, weights, out);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace zoe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe {

HWY_EXPORT(decode_segment_simd);

void decode_segment(const DecodePlan& plan, const std::uint8_t* segment, const float* weights,
                    const DecodeTarget& out) noexcept {
  HWY_DYNAMIC_DISPATCH(decode_segment_simd)(plan, segment, weights, out);
}

}  // namespace zoe
#endif
