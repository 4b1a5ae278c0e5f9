// SPDX-License-Identifier: MIT
#include "zoe/io/npz_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/suggest.h"
#include "zoe/store/npy.h"

#include "io/npz/zip.h"

namespace zoe::io {

struct Npz::Archive {
  MappedFile file;  // Empty when another owner has the bytes.
  std::span<const std::byte> bytes;
  std::string file_name;
  std::vector<ZipEntry> entries;
  std::vector<std::string> names;

  Error place(Error error) const {
    error.where.file = file_name;
    return error;
  }
};

namespace {

// Checks the directory's claims against the limits. Decoding stops at the claimed size, so the limits hold later too.
Result<void> check_limits(std::span<const ZipEntry> entries, std::size_t file_bytes, const NpzLimits& limits) {
  double total = 0;
  for (const ZipEntry& entry : entries) total += static_cast<double>(entry.decoded_bytes);
  const double allowed = std::min(
      static_cast<double>(limits.max_decoded_bytes),
      std::max(static_cast<double>(limits.ratio_free_bytes), limits.max_ratio * static_cast<double>(file_bytes)));
  if (total > allowed) {
    return Error{ErrorCode::kLimit,
                 fmt::format("the archive would unpack to {:.0f} bytes, {:.1f} times its size (at most {:.0f} "
                             "bytes are allowed): raise the limits if it can be trusted",
                             total, total / static_cast<double>(file_bytes), allowed)};
  }
  return {};
}

// Header and payload of a deflated entry must fill it exactly. Checking the first bytes prevents that a wrong size in
// the directory costs memory.
Result<void> check_header(const ZipEntry& entry) {
  constexpr std::size_t kUsualHeader = 1024;
  std::size_t room = kUsualHeader;
  for (;;) {
    std::vector<std::byte> start(std::min(room, entry.decoded_bytes));
    ZOE_TRY_ASSIGN(const std::size_t decoded, decode_entry_start(entry, start));
    const Result<NpyHeader> header = parse_npy_header(std::span(start).first(decoded));
    if (!header && decoded == room && room < kMaxNpyHeaderBytes) {
      room = kMaxNpyHeaderBytes;
      continue;
    }
    if (!header) return header.error();
    if (header->payload_bytes != entry.decoded_bytes - header->header_bytes) {
      return Error{ErrorCode::kInvalid, fmt::format("its shape needs {} bytes, but there are {}", header->payload_bytes,
                                                    entry.decoded_bytes - header->header_bytes)};
    }
    return {};
  }
}

Result<Array> read_entry(const ZipEntry& entry) {
  if (!entry.deflated) {
    ZOE_TRY(verify_entry(entry));
    ZOE_TRY_ASSIGN(ArrayView view, parse_npy(entry.stored));
    return Array(std::move(view));
  }
  ZOE_TRY(check_header(entry));
  auto storage = std::make_unique_for_overwrite<std::byte[]>(entry.decoded_bytes);
  const std::span<std::byte> decoded(storage.get(), entry.decoded_bytes);
  ZOE_TRY(decode_entry(entry, decoded));
  ZOE_TRY_ASSIGN(ArrayView view, parse_npy(decoded));
  return Array(std::move(view), std::move(storage));
}

}  // namespace

Npz::Npz(std::unique_ptr<Archive> archive) : archive_(std::move(archive)) {}
Npz::Npz(Npz&&) noexcept = default;
Npz& Npz::operator=(Npz&&) noexcept = default;
Npz::~Npz() = default;

Result<Npz> Npz::make(std::unique_ptr<Archive> archive, const NpzLimits& limits) {
  Result<std::vector<ZipEntry>> entries = read_zip_directory(archive->bytes);
  if (!entries) return archive->place(std::move(entries).error());
  if (const auto allowed = check_limits(*entries, archive->bytes.size(), limits); !allowed) {
    return archive->place(allowed.error());
  }
  archive->entries = std::move(*entries);
  archive->names.reserve(archive->entries.size());
  for (const ZipEntry& entry : archive->entries) {
    std::string_view name = entry.name;
    if (name.ends_with(".npy")) name.remove_suffix(4);
    archive->names.emplace_back(name);
  }
  return Npz(std::move(archive));
}

Result<Npz> Npz::open(const std::filesystem::path& path, const NpzLimits& limits) {
  auto archive = std::make_unique<Archive>();
  ZOE_TRY_ASSIGN(archive->file, MappedFile::open(path));
  archive->bytes = archive->file.bytes();
  archive->file_name = path.string();
  return make(std::move(archive), limits);
}

Result<Npz> Npz::from_bytes(std::span<const std::byte> bytes, const NpzLimits& limits, std::string name) {
  auto archive = std::make_unique<Archive>();
  archive->bytes = bytes;
  archive->file_name = std::move(name);
  return make(std::move(archive), limits);
}

const std::vector<std::string>& Npz::names() const { return archive_->names; }

bool Npz::contains(std::string_view name) const {
  return std::find(names().begin(), names().end(), name) != names().end();
}

Result<Array> Npz::read(std::string_view name) const {
  const auto found = std::find(names().begin(), names().end(), name);
  if (found == names().end()) {
    return archive_->place({ErrorCode::kInvalid, fmt::format("no array '{}'{}", name, did_you_mean(name, names()))});
  }
  Result<Array> array = read_entry(archive_->entries[static_cast<std::size_t>(found - names().begin())]);
  if (array) return array;
  Error error = archive_->place(std::move(array).error());
  error.message = fmt::format("array '{}': {}", name, error.message);
  return error;
}

Result<std::vector<std::byte>> encode_npz(std::span<const NamedArray> arrays, const NpzOptions& options) {
  ZOE_CHECK(options.compression >= 0 && options.compression <= 12, "compression goes from 0 to 12");
  ZOE_CHECK(names_are_unique(arrays), "two arrays have the same name");
  ZipWriter zip;
  for (const NamedArray& array : arrays) {
    ZOE_TRY_ASSIGN(const std::string header, encode_npy_header(array.view));
    ZOE_TRY(zip.add(array.name + ".npy", header, array.view.bytes, options.compression));
  }
  return zip.finish();
}

Result<void> write_npz(const std::filesystem::path& path, std::span<const NamedArray> arrays,
                       const NpzOptions& options) {
  ZOE_TRY_ASSIGN(const std::vector<std::byte> bytes, encode_npz(arrays, options));
  return write_file_atomic(path, bytes);
}

}  // namespace zoe::io
