// SPDX-License-Identifier: MIT
#include "zoe/generate/code_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/store/safetensors.h"

namespace zoe::generate {
namespace {

constexpr const char* kKey = "zoe.codes";
constexpr std::size_t kMostNumbers = 1 << 26;

// The range of each number of a window, and the integers in it.
struct Ranges {
  std::vector<float> low, step;
};

Ranges ranges_of(const CodeFile& file) {
  Ranges ranges{std::vector<float>(idx(file.numbers)), std::vector<float>(idx(file.numbers))};
  const auto largest = static_cast<float>((1 << file.bits) - 1);
  for (std::size_t n = 0; n < idx(file.numbers); ++n) {
    float low = file.codes[n], high = low;
    for (std::size_t i = n; i < file.codes.size(); i += idx(file.numbers)) {
      low = std::min(low, file.codes[i]);
      high = std::max(high, file.codes[i]);
    }
    ranges.low[n] = low;
    ranges.step[n] = (high - low) / largest;
  }
  return ranges;
}

std::uint32_t integer_of(const CodeFile& file, const Ranges& ranges, std::size_t i) {
  if (file.num_codes > 0) return static_cast<std::uint32_t>(file.codes[i]);
  const std::size_t n = i % idx(file.numbers);
  if (!(ranges.step[n] > 0)) return 0;
  const float at = std::round((file.codes[i] - ranges.low[n]) / ranges.step[n]);
  return static_cast<std::uint32_t>(std::clamp(at, 0.0F, static_cast<float>((1 << file.bits) - 1)));
}

std::size_t packed_size(std::size_t count, int bits) { return (count * idx(bits) + 7) / 8; }

std::vector<std::uint8_t> pack(const CodeFile& file, const Ranges& ranges) {
  std::vector<std::uint8_t> packed(packed_size(file.codes.size(), file.bits));
  for (std::size_t i = 0; i < file.codes.size(); ++i) {
    const std::uint32_t value = integer_of(file, ranges, i);
    for (std::size_t bit = 0; bit < idx(file.bits); ++bit) {
      const std::size_t at = i * idx(file.bits) + bit;
      if ((value >> bit & 1U) != 0) packed[at / 8] = static_cast<std::uint8_t>(packed[at / 8] | 1U << (at % 8));
    }
  }
  return packed;
}

std::uint32_t unpack(std::span<const std::uint8_t> packed, std::size_t i, int bits) {
  std::uint32_t value = 0;
  for (std::size_t bit = 0; bit < idx(bits); ++bit) {
    const std::size_t at = i * idx(bits) + bit;
    value |= (static_cast<std::uint32_t>(packed[at / 8]) >> (at % 8) & 1U) << bit;
  }
  return value;
}

// Words key=value, each a number.
class Words {
 public:
  static Result<Words> parse(std::string_view text) {
    Words words;
    while (!text.empty()) {
      const std::string_view word = text.substr(0, text.find(' '));
      text.remove_prefix(std::min(text.size(), word.size() + 1));
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) return Error{ErrorCode::kInvalid, "a word of zoe.codes has no value", {}};
      words.values_[std::string(word.substr(0, equals))] = std::string(word.substr(equals + 1));
    }
    return words;
  }
  Result<double> number(const char* key, double low, double high) const {
    const auto found = values_.find(key);
    double value = 0;
    if (found == values_.end()) return Error{ErrorCode::kInvalid, fmt::format("zoe.codes lacks '{}'", key), {}};
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
      return Error{ErrorCode::kInvalid,
                   fmt::format("zoe.codes: {} = '{}' is no number from {} to {}", key, text, low, high),
                   {}};
    return value;
  }
  Result<int> integer(const char* key, int low, int high) const {
    ZOE_TRY_ASSIGN(const double value, number(key, low, high));
    if (value != std::floor(value))
      return Error{ErrorCode::kInvalid, fmt::format("zoe.codes: {} is no whole number", key), {}};
    return static_cast<int>(value);
  }
  std::string text(const char* key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::string() : found->second;
  }

 private:
  std::map<std::string, std::string> values_;
};

std::string text_at(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

Result<CodeFile> read(const Safetensors& tensors) {
  CodeFile file;
  if (!matches_its_checksum(tensors))
    return Error{ErrorCode::kInvalid, "the checksum does not match: the file is damaged", {}};
  ZOE_TRY_ASSIGN(const Words words, Words::parse(text_at(tensors.metadata(), kKey)));
  file.name = text_at(tensors.metadata(), "name");
  file.model = text_at(tensors.metadata(), "model");
  file.fingerprint = words.text("network");
  ZOE_TRY_ASSIGN(file.fps, words.number("fps", 1, 1000));
  ZOE_TRY_ASSIGN(file.num_frames, words.integer("frames", 1, 100'000'000));
  ZOE_TRY_ASSIGN(file.hop_frames, words.integer("hop", 1, 1'000'000));
  ZOE_TRY_ASSIGN(file.numbers, words.integer("numbers", 1, 1'000'000));
  ZOE_TRY_ASSIGN(file.num_codes, words.integer("codes", 0, 1 << 16));
  ZOE_TRY_ASSIGN(file.bits, words.integer("bits", 1, 16));
  ZOE_TRY_ASSIGN(const int windows, words.integer("windows", 1, 100'000'000));
  ZOE_TRY_ASSIGN(const double x, words.number("x", -1e9, 1e9));
  ZOE_TRY_ASSIGN(const double y, words.number("y", -1e9, 1e9));
  ZOE_TRY_ASSIGN(const double z, words.number("z", -1e9, 1e9));
  ZOE_TRY_ASSIGN(const double facing, words.number("facing", -1e9, 1e9));
  file.first_root = {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}, static_cast<float>(facing)};
  const std::size_t count = idx(windows) * idx(file.numbers);
  ZOE_TRY_ASSIGN(const ArrayView packed, tensors.find("packed"));
  const auto bytes = packed.as<std::uint8_t>();
  if (count > kMostNumbers || !bytes || bytes->size() != packed_size(count, file.bits))
    return Error{ErrorCode::kInvalid, "the packed numbers do not have the stated size", {}};
  Ranges ranges;
  if (file.num_codes == 0) {
    for (auto* list : {&ranges.low, &ranges.step}) {
      ZOE_TRY_ASSIGN(const ArrayView view, tensors.find(list == &ranges.low ? "low" : "step"));
      ZOE_TRY_ASSIGN(*list, to_floats(view));
      if (list->size() != idx(file.numbers) ||
          !std::all_of(list->begin(), list->end(), [](float v) { return std::isfinite(v); }))
        return Error{ErrorCode::kInvalid, "the ranges of the numbers do not have the stated size", {}};
    }
  }
  file.codes.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t value = unpack(*bytes, i, file.bits);
    if (file.num_codes > 0 && value >= static_cast<std::uint32_t>(file.num_codes))
      return Error{
          ErrorCode::kInvalid, fmt::format("code number {} is beyond the codebook of {}", value, file.num_codes), {}};
    const std::size_t n = i % idx(file.numbers);
    file.codes[i] =
        file.num_codes > 0 ? static_cast<float>(value) : ranges.low[n] + ranges.step[n] * static_cast<float>(value);
  }
  return file;
}

}  // namespace

int bits_for(int num_codes) {
  int bits = 1;
  while (bits < 16 && (1 << bits) < num_codes) ++bits;
  return bits;
}

std::size_t CodeFile::payload_bytes() const {
  return packed_size(codes.size(), bits) + (num_codes > 0 ? 0 : 2 * sizeof(float) * idx(numbers));
}

void round_to_bits(CodeFile& file) {
  if (file.num_codes > 0) return;
  const Ranges ranges = ranges_of(file);
  for (std::size_t i = 0; i < file.codes.size(); ++i) {
    const std::size_t n = i % idx(file.numbers);
    file.codes[i] = ranges.low[n] + ranges.step[n] * static_cast<float>(integer_of(file, ranges, i));
  }
}

Result<void> write_codes(const std::filesystem::path& path, const CodeFile& file) {
  ZOE_CHECK(file.bits >= 1 && file.bits <= 16 && file.numbers > 0 && !file.codes.empty() &&
                file.codes.size() % idx(file.numbers) == 0,
            "a code file has whole windows of 1 to 16 bits a number");
  const Ranges ranges = file.num_codes > 0 ? Ranges{} : ranges_of(file);
  const std::vector<std::uint8_t> packed = pack(file, ranges);
  std::vector<NamedArray> arrays{{"packed", view_of(packed)}};
  if (file.num_codes == 0) {
    arrays.push_back({"low", view_of(ranges.low)});
    arrays.push_back({"step", view_of(ranges.step)});
  }
  Metadata metadata{{"name", file.name}, {"model", file.model}};
  metadata[kKey] = fmt::format(
      "version=1 fps={} frames={} hop={} numbers={} codes={} bits={} windows={} x={} y={} z={} facing={} network={}",
      file.fps, file.num_frames, file.hop_frames, file.numbers, file.num_codes, file.bits,
      file.codes.size() / idx(file.numbers), file.first_root.position.x, file.first_root.position.y,
      file.first_root.position.z, file.first_root.facing_rad, file.fingerprint);
  metadata[kChecksumKey] = content_checksum(arrays, metadata);
  return write_safetensors(path, arrays, metadata);
}

Result<CodeFile> read_codes(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const Safetensors tensors, Safetensors::open(path));
  Result<CodeFile> file = read(tensors);
  if (file) return file;
  Error error = std::move(file).error();
  error.where.file = path.string();
  return error;
}

Result<CodeFile> codes_from_bytes(std::span<const std::byte> bytes, std::string name) {
  ZOE_TRY_ASSIGN(const Safetensors tensors, Safetensors::from_bytes(bytes, std::move(name)));
  return read(tensors);
}

}  // namespace zoe::generate
