// SPDX-License-Identifier: MIT
#include "zoe/core/output_file.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/system.h"

namespace zoe {
namespace {

namespace fs = std::filesystem;

// Linux follows no more links than this either.
constexpr int kMaxLinks = 40;

Error failure(ErrorCode code, const fs::path& path, std::string message) {
  return {code, std::move(message), {.file = path.string()}};
}

Error system_failure(const fs::path& path, const char* action, int number) {
  return failure(ErrorCode::kIo, path, fmt::format("cannot {}: {}", action, std::strerror(number)));
}

// Creates the missing ones and adds them to `created`.
Result<void> create_folders(const fs::path& folder, std::vector<fs::path>& created) {
  std::vector<fs::path> missing;
  std::error_code error;
  fs::path at = folder;
  for (; !at.empty() && !fs::exists(at, error); at = at.parent_path()) missing.push_back(at);
  if (!at.empty() && !fs::is_directory(at, error))
    return failure(ErrorCode::kIo, at, "is a file, so nothing can be written below it; name a folder");
  for (auto it = missing.rbegin(); it != missing.rend(); ++it) {
    if (fs::create_directory(*it, error)) created.push_back(*it);  // False where another thread was faster.
    if (error) return failure(ErrorCode::kIo, folder, "cannot create the folder: " + error.message());
  }
  return {};
}

}  // namespace

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

Result<fs::path> output_target(const fs::path& path) {
  fs::path target = path;
  std::error_code error;
  for (int i = 0; fs::is_symlink(fs::symlink_status(target, error)); ++i) {
    if (i == kMaxLinks) return system_failure(path, "write", ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) return system_failure(path, "write", error.value());
    target = target.parent_path() / next;  // An absolute link replaces the whole.
  }
  system::FileInfo info;
  const bool exists = system::get_info(target, info);
  if (path.filename().empty() || (exists && info.is_folder))
    return failure(ErrorCode::kUsage, path, "is a folder; name a file in it");
  if (exists && !system::can_write(target)) return system_failure(path, "write", errno);
  return target;
}

Result<StagedFile> StagedFile::create(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  StagedFile staged;
  staged.name_ = path;
  ZOE_TRY_ASSIGN(staged.target_, output_target(path));
  staged.pending_ = true;
  ZOE_TRY(create_folders(staged.target_.parent_path(), staged.new_folders_));
  system::FileInfo info;
  if (system::get_info(staged.target_, info)) {
    staged.mode_ = info.mode;
    staged.replaces_ = info.is_regular;
    if (!staged.replaces_) {
      staged.written_ = staged.target_;
      staged.pending_ = false;
      return staged;
    }
  }
  staged.written_ = staged.target_;
  staged.written_ += fmt::format(".tmp.{}.{}", system::process_id(), counter++);
  return staged;
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : name_(std::move(other.name_)),
      target_(std::move(other.target_)),
      written_(std::move(other.written_)),
      new_folders_(std::move(other.new_folders_)),
      mode_(other.mode_),
      replaces_(other.replaces_),
      pending_(std::exchange(other.pending_, false)) {}

StagedFile::~StagedFile() {
  if (!pending_) return;
  std::error_code ignored;
  if (!written_.empty()) fs::remove(written_, ignored);
  // Only empty folders go: others may have been filled by another writer.
  for (auto it = new_folders_.rbegin(); it != new_folders_.rend(); ++it) fs::remove(*it, ignored);
}

Result<void> StagedFile::commit() {
  if (!pending_) return {};
  if (replaces_) system::set_mode(written_, mode_);
  std::error_code error;
  fs::rename(written_, target_, error);
  if (error) return failure(ErrorCode::kIo, name_, "cannot rename: " + error.message());
  pending_ = false;
  return {};
}

}  // namespace zoe
