// SPDX-License-Identifier: MIT
#include "io/fbx/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"

namespace zoe::io::fbx {
namespace {

// Largest ratio of the decoded arrays, or of one record's properties, and the file. Real files stay below 8.
constexpr std::uint64_t kMaxExpansion = 12;
constexpr std::uint64_t kSmallFileAllowance = 64 << 10;  // Bytes. Allows a few dense records in tiny files.
constexpr std::uint64_t kMaxDeflateRatio = 1032;         // A deflate match is 258 bytes for 2 bits at best.

}  // namespace

DocumentCheck::DocumentCheck(std::span<const std::byte> source, const ReadLimits& limits, Warnings* warnings)
    : warnings_(warnings),
      max_bytes_(
          std::min<std::uint64_t>(source.size() * kMaxExpansion + kSmallFileAllowance, limits.max_decoded_bytes)) {
  document_.bytes_ = as_text(source);
}

bool DocumentCheck::too_large() {
  return fail(ErrorCode::kLimit,
              fmt::format("the file would need more than {} times its size in memory; it is damaged or "
                          "hostile",
                          kMaxExpansion));
}

bool DocumentCheck::book(std::uint64_t num_bytes) {
  booked_bytes_ += num_bytes;
  return booked_bytes_ <= max_bytes_ || too_large();
}

bool DocumentCheck::check_property_count(std::uint64_t count) {
  return count <= max_bytes_ / sizeof(Property) || too_large();
}

std::size_t DocumentCheck::open_stretch(const char* from) {
  document_.stretches_.push_back({from, nullptr});
  return document_.stretches_.size() - 1;
}

void DocumentCheck::close_stretch(std::size_t index, const char* to) {
  // Stretches inside a short one are short too, and already removed.
  if (to - document_.stretches_[index].from < kLongStretch) return document_.stretches_.pop_back();
  document_.stretches_[index].to = to;
}

bool DocumentCheck::keep_unescaped(const char* contents, std::string text) {
  if (!book(text.size() + sizeof document_.unescaped_[0])) return false;
  document_.unescaped_.emplace_back(contents, std::move(text));
  return true;
}

bool DocumentCheck::book_array(std::uint64_t num_elements, std::size_t element_size, std::size_t num_encoded,
                               ArrayEncoding encoding) {
  // Counts are 32 bits in binary files. Counts of ASCII files are compared with the text's length before.
  const std::uint64_t num_bytes = num_elements * element_size;
  switch (encoding) {
    case ArrayEncoding::kRaw:
      if (num_bytes != num_encoded)
        return fail(ErrorCode::kInvalid,
                    fmt::format("an array of {} elements of {} bytes claims to be stored in {} bytes", num_elements,
                                element_size, num_encoded));
      break;
    case ArrayEncoding::kDeflate:
      if (num_bytes > num_encoded * kMaxDeflateRatio)
        return fail(ErrorCode::kLimit, fmt::format("{} compressed bytes cannot hold an array of {} bytes; the file is "
                                                   "damaged",
                                                   num_encoded, num_bytes));
      break;
    default:
      break;
  }
  return book(num_bytes);
}

bool DocumentCheck::fail(ErrorCode code, std::string message) {
  error_.code = code;
  error_.message = std::move(message);
  error_.where.byte_offset = byte_offset_;
  error_.where.line = line_;
  return false;
}

void DocumentCheck::warn(std::string message) {
  if (warnings_ == nullptr) return;
  warnings_->push_back({std::move(message), Where{.line = line_, .byte_offset = byte_offset_}});
}

void DocumentCheck::set_layout(const char* first_record, bool binary, bool wide, bool big_endian) {
  document_.first_record_ = first_record;
  document_.binary_ = binary;
  document_.wide_ = wide;
  document_.big_endian_ = big_endian;
}

Result<Document> DocumentCheck::finish(int version) {
  document_.version_ = version;
  document_.stretches_.shrink_to_fit();
  return std::move(document_);
}

Error unsupported_version(std::int64_t version) {
  if (version < kMinVersion) {
    return {ErrorCode::kUnsupported,
            fmt::format("FBX version {} is from before 2004 and is not read ({} to {} are); open it in MotionBuilder, "
                        "Maya or Autodesk's FBX Converter and save it as FBX 2014 or later",
                        version, kMinVersion, kMaxVersion),
            {}};
  }
  return {ErrorCode::kUnsupported,
          fmt::format("FBX version {} is not supported ({} to {} are); export it as FBX 2020 or FBX 2014", version,
                      kMinVersion, kMaxVersion),
          {}};
}

}  // namespace zoe::io::fbx
