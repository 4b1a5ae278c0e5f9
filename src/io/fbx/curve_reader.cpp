// SPDX-License-Identifier: MIT
#include "io/fbx/curve_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "io/fbx/objects.h"

namespace zoe::io::fbx {
namespace {

// Real files decode every curve one to three times, at 2 or more bytes per key.
constexpr double kDecodedKeyBytes = sizeof(std::int64_t) + sizeof(float) + sizeof(KeyAttributes);
constexpr std::size_t kMaxDecodedGrowth = 128;
constexpr std::size_t kDecodedAlwaysGranted = std::size_t{64} << 20;

// The records inside a curve's record, found in one pass.
struct CurveRecords {
  std::optional<Node> times, values, flags, data, counts;  // 7.x.
  std::optional<Node> keys;                                // Older.
  std::optional<Node> before, after;

  CurveRecords(const Document& document, const Node& curve) {
    const std::pair<std::string_view, std::optional<Node>*> kNames[] = {{"KeyTime", &times},
                                                                        {"KeyValueFloat", &values},
                                                                        {"KeyAttrFlags", &flags},
                                                                        {"KeyAttrDataFloat", &data},
                                                                        {"KeyAttrRefCount", &counts},
                                                                        {"Key", &keys},
                                                                        {"Pre-Extrapolation", &before},
                                                                        {"Post-Extrapolation", &after}};
    for (const Node& child : document.children(curve)) {
      for (const auto& [name, place] : kNames) {
        if (name != child.name) continue;
        if (!*place) *place = child;
        break;
      }
    }
  }
};

CurveEnd read_end(const Document& document, const std::optional<Node>& node) {
  CurveEnd end;
  const auto type = node ? document.child(*node, "Type") : std::nullopt;
  if (!type) return end;
  const PropertyValues values(document, *type);
  if (values.empty()) return end;
  const Property& letter = values[0];
  switch (letter.type == PropertyType::kString && !letter.text.empty() ? letter.text[0]
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
  end.repetitions =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(document.integer_of(*node, "Repetition", -1), -1, 1 << 30));
  return end;
}

// Keys in ascending order with finite values, for any content of the file.
Result<Curve> finish(const Document& document, const Node& node, const CurveRecords& records, Curve curve) {
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    curve.times[i] = clamped_tick(curve.times[i]);
    if (!std::isfinite(curve.values[i])) {
      return Error{ErrorCode::kInvalid, "an animation key is not a finite number", document.where(node)};
    }
    if (i > 0 && curve.times[i] < curve.times[i - 1]) {
      return Error{ErrorCode::kInvalid, "animation keys are not in the order of time", document.where(node)};
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
  curve.before = read_end(document, records.before);
  curve.after = read_end(document, records.after);
  return curve;
}

// Each run has four floats: two slopes, the bits of two weights in multiples of 1/10000, and two velocities in the same
// form.
constexpr float kPackedWeight = 0.0001F;

Result<void> read_runs(const Document& document, const Node& node, const CurveRecords& records, Curve* curve) {
  if (!records.flags || !records.data || !records.counts) return {};  // Linear keys.
  ZOE_TRY_ASSIGN(const auto flags, document.read_array<std::int64_t>(*records.flags));
  ZOE_TRY_ASSIGN(const auto counts, document.read_array<std::int32_t>(*records.counts));
  ZOE_TRY_ASSIGN(const auto data, document.read_array<float>(*records.data));
  if (flags.size() != counts.size() || data.size() < flags.size() * 4) {
    return Error{ErrorCode::kInvalid, "an animation curve's key attributes do not fit each other",
                 document.where(node)};
  }
  curve->runs.reserve(flags.size());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    end = std::min<std::uint64_t>(end + static_cast<std::uint64_t>(std::max(counts[i], 0)), curve->times.size());
    KeyAttributes run{.end = static_cast<std::uint32_t>(end),
                      .flags = static_cast<std::uint32_t>(flags[i]),
                      .right_slope = data[i * 4],
                      .next_left_slope = data[i * 4 + 1]};
    if ((run.flags & (kKeyWeightedRight | kKeyWeightedNextLeft)) != 0) {
      const auto packed = std::bit_cast<std::uint32_t>(data[i * 4 + 2]);
      if ((run.flags & kKeyWeightedRight) != 0) run.right_weight = static_cast<float>(packed & 0xffff) * kPackedWeight;
      if ((run.flags & kKeyWeightedNextLeft) != 0)
        run.next_left_weight = static_cast<float>(packed >> 16) * kPackedWeight;
    } else if ((run.flags & kKeyTangentTcb) != 0) {
      run.tcb_bias = data[i * 4 + 2];
    }
    curve->runs.push_back(run);
  }
  return {};
}

Result<Curve> read_modern_curve(const Document& document, const Node& node, const CurveRecords& records) {
  Curve curve;
  if (!records.times || !records.values) return curve;
  ZOE_TRY_ASSIGN(curve.times, document.read_array<std::int64_t>(*records.times));
  ZOE_TRY_ASSIGN(curve.values, document.read_array<float>(*records.values));
  if (curve.times.size() != curve.values.size()) {
    return Error{ErrorCode::kInvalid, "an animation curve has another number of times than values",
                 document.where(node)};
  }
  ZOE_TRY(read_runs(document, node, records, &curve));
  return finish(document, node, records, std::move(curve));
}

// Reads the mixed list of numbers and letters of a Key record.
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
    return cell->as_integer() > 0 && cell->as_integer() < 128 ? static_cast<char>(cell->as_integer()) : '\0';
  }
  void skip(int count) {
    for (int i = 0; i < count; ++i) take();
  }

 private:
  std::span<const Property> cells_;
  std::size_t next_ = 0;
  bool good_ = true;
};

// Tangents of a 'U' (cubic) key. Letters: s and b two slopes, a automatic, t TCB, p, q and d automatic with
// undocumented settings. Which of them are followed by weights depends on the key version.
bool read_legacy_tangent(KeyList& list, std::int64_t key_version, KeyAttributes* run) {
  constexpr std::uint32_t kAutomatic = kKeyCubic | kKeyTangentAuto | kKeyTimeIndependent | kKeyClampProgressive;
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

Result<Curve> read_legacy_curve(const Document& document, const Node& channel, const CurveRecords& records) {
  Curve curve;
  if (!records.keys) return curve;
  const int version = document.version();
  std::int64_t key_version = version < 5000 ? 4003 : version < 6000 ? 4004 : 4005;
  key_version = document.integer_of(channel, "KeyVer", key_version);
  const PropertyValues cells(document, *records.keys);
  KeyList list(cells);
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
      return Error{ErrorCode::kSyntax, "an animation key has an unknown type", document.where(*records.keys)};
    }
    curve.times.push_back(static_cast<std::int64_t>(tick));
    curve.values.push_back(static_cast<float>(value));
    curve.runs.push_back(run);
  }
  return finish(document, channel, records, std::move(curve));
}

bool is_legacy(const Document& document) { return document.version() < kFirstModernVersion; }

}  // namespace

bool has_keys(const Document& document, const Node& node) {
  const auto keys = document.child(node, is_legacy(document) ? "Key" : "KeyTime");
  return keys && document.array_size(*keys) > 0 && (is_legacy(document) || document.child(node, "KeyValueFloat"));
}

CurveReader::CurveReader(const Document& document, std::size_t file_bytes)
    : document_(document), budget_(std::max(kDecodedAlwaysGranted, file_bytes * kMaxDecodedGrowth)) {}

Result<void> CurveReader::spend(const Node& curve, const std::optional<Node>& keys) {
  const double bytes = keys ? static_cast<double>(document_.array_size(*keys)) * kDecodedKeyBytes : 0;
  if (budget_.spend(bytes)) return {};
  return Error{ErrorCode::kLimit, "animation curves drive far more properties than usual", document_.where(curve)};
}

Result<Curve> CurveReader::read(const char* record) {
  const Node node = document_.node_at(record);
  const CurveRecords records(document_, node);
  const bool legacy = is_legacy(document_);
  ZOE_TRY(spend(node, legacy ? records.keys : records.times));
  return legacy ? read_legacy_curve(document_, node, records) : read_modern_curve(document_, node, records);
}

Result<std::vector<float>> CurveReader::values(const char* record) {
  const Node node = document_.node_at(record);
  const auto values = document_.child(node, "KeyValueFloat");
  if (!is_legacy(document_) && values) {
    ZOE_TRY(spend(node, values));
    return document_.read_array<float>(*values);
  }
  ZOE_TRY_ASSIGN(Curve curve, read(record));
  return std::move(curve.values);
}

Result<std::vector<std::int64_t>> CurveReader::times(const char* record) {
  const Node node = document_.node_at(record);
  const auto times = document_.child(node, "KeyTime");
  if (!is_legacy(document_) && times) {
    ZOE_TRY(spend(node, times));
    return document_.read_array<std::int64_t>(*times);
  }
  ZOE_TRY_ASSIGN(Curve curve, read(record));
  return std::move(curve.times);
}

}  // namespace zoe::io::fbx
