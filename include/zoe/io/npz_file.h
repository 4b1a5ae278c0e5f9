// SPDX-License-Identifier: MIT
// Part of Zoetrope. NumPy's .npz archives: named .npy arrays in a zip file, stored or deflated.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/store/array.h"

namespace zoe::io {

// Guards against zip bombs, checked for the archive as a whole before anything is inflated.
struct NpzLimits {
  std::size_t max_decoded_bytes = std::size_t{8} << 30;
  // Decoded size over file size. Deflate can reach 1000 on constant data; motion rarely exceeds 4.
  double max_ratio = 16.0;
  // Up to this size the ratio is not limited, so that a small constant clip is still read.
  std::size_t ratio_free_bytes = std::size_t{16} << 20;
};

// A zip64-aware reader. Arrays are read one by one, on request.
class Npz {
 public:
  static Result<Npz> open(const std::filesystem::path& path, const NpzLimits& limits = {});
  // The bytes must outlive the object and the arrays read from it; `name` is the file named in errors.
  static Result<Npz> from_bytes(std::span<const std::byte> bytes, const NpzLimits& limits = {}, std::string name = {});

  Npz(Npz&&) noexcept;
  Npz& operator=(Npz&&) noexcept;
  ~Npz();

  // In the file's order, without the ".npy".
  const std::vector<std::string>& names() const;
  bool contains(std::string_view name) const;

  // A stored array is a view into the archive (which must stay alive), a deflated one owns its bytes. Checksums are
  // verified. Unknown names are refused with a suggestion, object arrays (pickles) with the reason.
  Result<Array> read(std::string_view name) const;

 private:
  struct Archive;
  explicit Npz(std::unique_ptr<Archive> archive);
  static Result<Npz> make(std::unique_ptr<Archive> archive, const NpzLimits& limits);
  std::unique_ptr<Archive> archive_;
};

struct NpzOptions {
  int compression = 6;  // 0: stored, and 64-byte aligned for mapping; 1 (fast) to 12 (small): deflated.
};

// The same arrays always give the same bytes (the archive's dates are fixed). Names must be unique, sizes below 4 GiB.
Result<std::vector<std::byte>> encode_npz(std::span<const NamedArray> arrays, const NpzOptions& options = {});
Result<void> write_npz(const std::filesystem::path& path, std::span<const NamedArray> arrays,
                       const NpzOptions& options = {});

}  // namespace zoe::io
