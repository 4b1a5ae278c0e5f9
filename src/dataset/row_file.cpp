// SPDX-License-Identifier: MIT
#include "dataset/row_file.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "zoe/store/npy.h"

namespace zoe::dataset {

Error RowFile::error(const char* action) const {
  return {ErrorCode::kIo, fmt::format("cannot {}: {}", action, std::strerror(errno)), {.file = path_.string()}};
}

// Header lengths are multiples of 64, so that any number of rows that fits a disk gives the same length.
Result<std::string> RowFile::header(std::int64_t rows) const {
  ArrayView view;
  view.dtype = DType::kF32;
  view.item_bytes = sizeof(float);
  view.shape = {static_cast<std::size_t>(rows), width_};
  return encode_npy_header(view);
}

Result<RowFile> RowFile::create(const std::filesystem::path& path, int width) {
  RowFile out;
  out.path_ = path;
  out.temporary_ = fmt::format("{}.tmp.{}", path.string(), ::getpid());
  out.width_ = static_cast<std::size_t>(width);
  out.file_.reset(std::fopen(out.temporary_.c_str(), "wb"));
  if (out.file_ == nullptr) return out.error("write");
  std::setvbuf(out.file_.get(), nullptr, _IONBF, 0);  // Rows arrive in large pieces.
  ZOE_TRY_ASSIGN(const std::string header, out.header(0));
  out.header_bytes_ = header.size();
  if (std::fwrite(header.data(), 1, header.size(), out.file_.get()) != header.size()) return out.error("write");
  return out;
}

RowFile::~RowFile() {
  if (file_ != nullptr) ::unlink(temporary_.c_str());  // Not finished.
}

Result<void> RowFile::append(std::span<const float> rows) {
  ZOE_CHECK(rows.size() % width_ == 0, "RowFile: not whole rows");
  if (std::fwrite(rows.data(), sizeof(float), rows.size(), file_.get()) != rows.size()) return error("write");
  hash_.add(std::as_bytes(rows));
  num_rows_ += static_cast<std::int64_t>(rows.size() / width_);
  return {};
}

std::string RowFile::checksum() const { return fmt::format("{:016x}", hash_.finish()); }

std::string row_checksum(std::span<const std::byte> rows) { return fmt::format("{:016x}", hash64(rows)); }

Result<void> RowFile::finish() {
  ZOE_TRY_ASSIGN(const std::string text, header(num_rows_));
  ZOE_CHECK(text.size() == header_bytes_, "RowFile: the header grew");
  if (std::fseek(file_.get(), 0, SEEK_SET) != 0 ||
      std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0 ||
      ::fsync(::fileno(file_.get())) != 0) {
    return error("write");
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return error("rename");
  file_.reset();
  return {};
}

}  // namespace zoe::dataset
