// SPDX-License-Identifier: MIT
#include "train/sample_hook.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zoe/core/file.h"

namespace zoe::train {
namespace {

struct PictureType {
  const char* ending;
  const char* type;
};
constexpr PictureType kPictureTypes[] = {
    {".png", "image/png"}, {".jpg", "image/jpeg"}, {".gif", "image/gif"}, {".svg", "image/svg+xml"}};
constexpr std::size_t kMaxPictureBytes = std::size_t{16} << 20;

std::string stem_of(std::int64_t step) { return fmt::format("step_{:08d}", step); }

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) { return i + k < bytes.size() ? static_cast<unsigned>(bytes[i + k]) : 0U; };
    const unsigned word = at(0) << 16 | at(1) << 8 | at(2);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[word >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace

std::filesystem::path SampleFolder::samples_path(std::int64_t step) const {
  return folder_ / (stem_of(step) + ".safetensors");
}

Result<void> SampleFolder::save(std::int64_t step, std::span<const NamedArray> arrays, Metadata metadata) const {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return Error{ErrorCode::kIo, "cannot create the folder: " + error.message(), {.file = folder_.string()}};
  return write_safetensors(samples_path(step), arrays, metadata);
}

Result<void> SampleFolder::draw(std::int64_t step, const std::string& command, double timeout_s) const {
  const std::string line = command + " \"$@\"", samples = std::filesystem::absolute(samples_path(step)).string(),
                    picture = std::filesystem::absolute(folder_ / stem_of(step)).string();
  const pid_t child = ::fork();
  if (child < 0) return Error{ErrorCode::kIo, "train.sample_command cannot be started"};
  if (child == 0) {
    ::setpgid(0, 0);  // The command may start others: all end together.
    ::execl("/bin/sh", "sh", "-c", line.c_str(), "zoe", samples.c_str(), picture.c_str(), nullptr);
    ::_exit(127);
  }
  ::setpgid(child, child);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_s);
  int status = 0;
  for (pid_t done = 0; done == 0;) {
    done = ::waitpid(child, &status, WNOHANG);
    if (done != 0) break;
    if (std::chrono::steady_clock::now() > end) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      return Error{ErrorCode::kInvalid, fmt::format("train.sample_command took more than {} s", timeout_s)};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Error{ErrorCode::kInvalid, fmt::format("train.sample_command failed ({})",
                                                  WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                                                    : fmt::format("signal {}", WTERMSIG(status)))};
  for (const PictureType& type : kPictureTypes) {
    if (std::filesystem::exists(picture + type.ending)) return {};
  }
  return Error{ErrorCode::kInvalid, "train.sample_command wrote no picture: " + picture + ".png, .jpg, .gif or .svg"};
}

std::vector<SampleFolder::Picture> SampleFolder::pictures(std::size_t most) const {
  std::vector<Picture> all;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const bool known = std::ranges::any_of(
        kPictureTypes, [&](const PictureType& type) { return entry.path().extension() == type.ending; });
    const std::string stem = entry.path().stem().string();
    if (!known || !stem.starts_with("step_")) continue;
    all.push_back({std::strtoll(stem.c_str() + 5, nullptr, 10), entry.path()});
  }
  std::ranges::sort(all, {}, [](const Picture& one) { return std::pair(one.step, one.path); });
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
  return all;
}

Result<std::string> picture_as_url(const std::filesystem::path& path) {
  for (const PictureType& type : kPictureTypes) {
    if (path.extension() != type.ending) continue;
    ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
    if (file.bytes().size() > kMaxPictureBytes)
      return Error{ErrorCode::kInvalid, "the picture has more than 16 MB", {.file = path.string()}};
    return fmt::format("data:{};base64,{}", type.type, base64(file.bytes()));
  }
  return Error{ErrorCode::kInvalid, "not a .png, .jpg, .gif or .svg", {.file = path.string()}};
}

}  // namespace zoe::train
