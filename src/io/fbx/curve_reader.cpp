// SPDX-License-Identifier: MIT
#include "io/fbx/curve_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace zoe::io::fbx {
namespace {

// Far beyond any real take (months), and far from where sums of ticks overflow.
constexpr std::int64_t kMaxTick = std::int64_t{1} << 58;

CurveEnd read_end(const Document& document, const Node& curve, std::string_view name) {
  CurveEnd end;
  const Node* node = document.child(curve, name);
  const Node* type = node != nullptr ? document.child(*node, "Type") : nullptr;
  if (type == nullptr || document.properties(*type).empty()) return end;
  const Property& letter = document.properties(*type)[0];
  switch (letter.type == PropertyType::kString && !letter.text.empty()
              ? letter.text[0]
              : static_cast<char>(letter.integer)) {
    case 'A':
      end.mode = Extrapolation::kRepeatRelative;
      break;
    case 'K':
      end.mode = Extrapolation::kKeepSlope;
      break;
    case 'M':
      end.mode = Extrapolation::kMirror;
      break;
    case 'R':
      end.mode = Extrapolation::kRepeat;
      break;
    default:
      break;
  }
  end.repetitions = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(document.integer_of(*node, "Repetition", -1), -1, 1 << 30));
  return end;
}

// Keys in ascending order with finite values, whatever the file says.
Result<Curve> finish(const Document& document, const Node& node, Curve curve) {
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    curve.times[i] = std::clamp(curve.times[i], -kMaxTick, kMaxTick);
    if (!std::isfinite(curve.values[i])) {
      return Error{ErrorCode::kInvalid, "an animation key is not a finite number",
                   document.where(node)};
    }
    if (i > 0 && curve.times[i] < curve.times[i - 1]) {
      return Error{ErrorCode::kInvalid, "animation keys are not in the order of time",
                   document.where(node)};
    }
  }
  for (KeyAttributes& run : curve.runs) {
    const auto finite = [](float* value, float fallback) {
      if (!std::isfinite(*value)) *value = fallback;
    };
    finite(&run.right_slope, 0);
    finite(&run.next_left_slope, 0);
    finite(&run.tcb_bias, 0);
    finite(&run.right_weight, static_cast<float>(kDefaultTangentWeight));
    finite(&run.next_left_weight, static_cast<float>(kDefaultTangentWeight));
  }
  if (!curve.times.empty() && (curve.runs.empty() || curve.runs.back().end < curve.times.size())) {
    curve.runs.push_back({.end = static_cast<std::uint32_t>(curve.times.size())});
  }
  curve.before = read_end(document, node, "Pre_Extrapolation");
  curve.after = read_end(document, node, "Post_Extrapolation");
  return curve;
}

// Each run has four floats: two slopes, the bits of two weights in multiples of 1/10000, two
// velocities likewise.
constexpr float kPackedWeight = 0.0001F;

Result<void> read_runs(const Document& document, const Node& node, Curve* curve) {
  const Node* flags_node = document.child(node, "KeyAttrFlags");
  const Node* data_node = document.child(node, "KeyAttrDataFloat");
  const Node* counts_node = document.child(node, "KeyAttrRefCount");
  if (flags_node == nullptr || data_node == nullptr || counts_node == nullptr)
    return {};  // Linear keys.
  ZOE_TRY_ASSIGN(const auto flags, document.read_array<std::int64_t>(*flags_node));
  ZOE_TRY_ASSIGN(const auto counts, document.read_array<std::int32_t>(*counts_node));
  ZOE_TRY_ASSIGN(const auto data, document.read_array<float>(*data_node));
  if (flags.size() != counts.size() || data.size() < flags.size() * 4) {
    return Error{ErrorCode::kInvalid, "an animation curve's key attributes do not fit each other",
                 document.where(node)};
  }
  curve->runs.reserve(flags.size());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    end = std::min<std::uint64_t>(end + static_cast<std::uint64_t>(std::max(counts[i], 0)),
                                  curve->times.size());
    KeyAttributes run{.end = static_cast<std::uint32_t>(end),
                      .flags = static_cast<std::uint32_t>(flags[i]),
                      .right_slope = data[i * 4],
                      .next_left_slope = data[i * 4 + 1]};
    if ((run.flags & (kKeyWeightedRight | kKeyWeightedNextLeft)) != 0) {
      const auto packed = std::bit_cast<std::uint32_t>(data[i * 4 + 2]);
      if ((run.flags & kKeyWeightedRight) != 0)
        run.right_weight = static_cast<float>(packed & 0xffff) * kPackedWeight;
      if ((run.flags & kKeyWeightedNextLeft) != 0)
        run.next_left_weight = static_cast<float>(packed >> 16) * kPackedWeight;
    } else if ((run.flags & kKeyTangentTcb) != 0) {
      run.tcb_bias = data[i * 4 + 2];
    }
    curve->runs.push_back(run);
  }
  return {};
}

}  // namespace

Result<Curve> read_curve(const Document& document, const Node& node) {
  Curve curve;
  const Node* times = document.child(node, "KeyTime");
  const Node* values = document.child(node, "KeyValueFloat");
  if (times == nullptr || values == nullptr) return curve;
  ZOE_TRY_ASSIGN(curve.times, document.read_array<std::int64_t>(*times));
  ZOE_TRY_ASSIGN(curve.values, document.read_array<float>(*values));
  if (curve.times.size() != curve.values.size()) {
    return Error{ErrorCode::kInvalid, "an animation curve has another number of times than values",
                 document.where(node)};
  }
  ZOE_TRY(read_runs(document, node, &curve));
  return finish(document, node, std::move(curve));
}

namespace {

// Walks the mixed list of numbers and letters that is a Key record.
class KeyList {
 public:
  explicit KeyList(std::span<const Property> cells) : cells_(cells) {}

  bool at_end() const { return next_ >= cells_.size(); }
  bool good() const { return good_; }
  const Property* take() {
    if (at_end()) {
      good_ = false;
      return nullptr;
    }
    return &cells_[next_++];
  }
  double number() {
    const Property* cell = take();
    return cell != nullptr && cell->type != PropertyType::kString ? cell->as_real() : 0;
  }
  char letter() {
    const Property* cell = take();
    if (cell == nullptr) return 0;
    if (cell->type == PropertyType::kString) return cell->text.empty() ? '\0' : cell->text[0];
    return cell->as_integer() > 0 && cell->as_integer() < 128
               ? static_cast<char>(cell->as_integer())
               : '\0';
  }
  void skip(int count) {
    for (int i = 0; i < count; ++i) take();
  }

 private:
  std::span<const Property> cells_;
  std::size_t next_ = 0;
  bool good_ = true;
};

// Tangents of a 'U' (cubic) key. Letters: s and b two slopes, a automatic, t TCB, p, q and d
// automatic with settings that nobody has explained. Which of them are followed by weights depends
// on the key version.
bool read_legacy_tangent(KeyList& list, std::int64_t key_version, KeyAttributes* run) {
  constexpr std::uint32_t kAutomatic =
      kKeyCubic | kKeyTangentAuto | kKeyTimeIndependent | kKeyClampProgressive;
  int weights = 1;
  run->flags = kAutomatic;
  switch (list.letter()) {
    case 's':
    case 'b':
      run->flags = kKeyCubic | kKeyTangentUser;
      run->right_slope = static_cast<float>(list.number());
      run->next_left_slope = static_cast<float>(list.number());
      weights = key_version == 4003 ? 0 : 1;
      break;
    case 'a':
      weights = key_version <= 4004 ? 0 : 1;
      break;
    case 'p':
    case 'q':
      list.skip(2);
      weights = key_version <= 4004 ? 1 : 2;
      break;
    case 't':
      run->flags = kKeyCubic | kKeyTangentTcb;
      run->right_slope = static_cast<float>(list.number());
      run->next_left_slope = static_cast<float>(list.number());
      run->tcb_bias = static_cast<float>(list.number());
      weights = 0;
      break;
    case 'd':
      list.skip(1);
      break;
    default:
      return false;
  }
  for (int i = 0; i < weights; ++i) {
    switch (list.letter()) {
      case 'n':
      case 'c':
        break;
      case 'a':
        run->right_weight = static_cast<float>(list.number());
        run->next_left_weight = static_cast<float>(list.number());
        break;
      case 'l':
        run->next_left_weight = static_cast<float>(list.number());
        break;
      case 'r':
        run->right_weight = static_cast<float>(list.number());
        break;
      default:
        return false;
    }
  }
  return true;
}

}  // namespace

Result<Curve> read_legacy_curve(const Document& document, const Node& channel) {
  Curve curve;
  const Node* keys = document.child(channel, "Key");
  if (keys == nullptr) return curve;
  const int version = document.version();
  const std::int64_t key_version = document.integer_of(channel, "KeyVer",
                                                       version < 5000   ? 4003
                                                       : version < 6000 ? 4004
                                                                        : 4005);
  KeyList list(document.properties(*keys));
  while (!list.at_end()) {
    const double tick = list.number(), value = list.number();
    KeyAttributes run{.end = static_cast<std::uint32_t>(curve.times.size() + 1)};
    bool good = std::abs(tick) < 9e18;
    switch (list.letter()) {
      case 'L':
        break;
      case 'C':
        run.flags = kKeyConstant;
        if (key_version >= 4004 && list.letter() == 'n') run.flags |= kKeyConstantNext;
        break;
      case 'U':
        good = good && read_legacy_tangent(list, key_version, &run);
        break;
      default:
        good = false;
    }
    if (!good || !list.good()) {
      return Error{ErrorCode::kSyntax, "an animation key is not of a kind that is known",
                   document.where(*keys)};
    }
    curve.times.push_back(static_cast<std::int64_t>(tick));
    curve.values.push_back(static_cast<float>(value));
    curve.runs.push_back(run);
  }
  return finish(document, channel, std::move(curve));
}

}  // namespace zoe::io::fbx
