// SPDX-License-Identifier: MIT
#include "train/checkpoints.h"

#include <cstdio>
#include <fstream>
#include <numeric>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "zoe/core/file.h"

#include "support/data.h"
#include "train/crc32c.h"

namespace {

// What the program asks of the disk, in order: "file", "rename", "folder (number of checkpoints)".
std::vector<std::string>* g_disk_calls = nullptr;
std::filesystem::path g_disk_folder;

}  // namespace

// In place of the C library's, also for the C++ library.
extern "C" [[gnu::visibility("default")]] int fsync(int fd) {
  struct stat info {};
  if (g_disk_calls != nullptr && ::fstat(fd, &info) == 0) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(g_disk_folder))
      count += entry.path().extension() == ".safetensors" ? 1 : 0;
    g_disk_calls->push_back(S_ISDIR(info.st_mode) ? "folder " + std::to_string(count) : "file");
  }
  return static_cast<int>(::syscall(SYS_fsync, fd));
}
extern "C" [[gnu::visibility("default")]] int rename(const char* from, const char* to) noexcept {
  if (g_disk_calls != nullptr) g_disk_calls->emplace_back("rename");
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

namespace zoe::train {
namespace {

// From RFC 3720, B.4, and the usual check value.
TEST(Crc32c, PublishedValues) {
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xE3069283U);
  std::vector<std::byte> bytes(32);
  EXPECT_EQ(crc32c(bytes), 0x8A9136AAU);
  bytes.assign(32, std::byte{0xFF});
  EXPECT_EQ(crc32c(bytes), 0x62A8AB43U);
  for (std::size_t i = 0; i < 32; ++i) bytes[i] = static_cast<std::byte>(i);
  EXPECT_EQ(crc32c(bytes), 0x46DD794EU);
  EXPECT_EQ(crc32c(std::span(bytes).subspan(11), crc32c(std::span(bytes).first(11))), 0x46DD794EU);
}

struct Numbers {
  std::vector<float> values = std::vector<float>(1000);
  std::vector<NamedArray> arrays(float first) {
    std::iota(values.begin(), values.end(), first);
    return {{"a", view_of(values)}};
  }
};

TEST(Checkpoints, KeepsTheNewestAndTheBest) {
  const Checkpoints checkpoints(test::temporary_dir("checkpoints_keep"), 2);
  Numbers numbers;
  for (const std::int64_t step : {10, 20, 30, 40}) {
    ASSERT_TRUE(checkpoints.save(step, numbers.arrays(static_cast<float>(step)), {{"step", std::to_string(step)}}));
    if (step == 20) {
      ASSERT_TRUE(checkpoints.save_best(numbers.arrays(20), {}));
    }
  }
  EXPECT_EQ(checkpoints.steps(), (std::vector<std::int64_t>{40, 30}));
  const auto best = open_checkpoint(checkpoints.best_path());
  ASSERT_TRUE(best);
  EXPECT_EQ((*best->find("a")->as<float>())[0], 20.0F);
}

// Until November 2026 a checkpoint's checksum was over its tensors alone, under another name.
TEST(Checkpoints, ReadsOldOnesAndNoneWithoutAChecksum) {
  const std::filesystem::path path = test::temporary_dir("checkpoints_old") / "old.safetensors";
  Numbers numbers;
  const std::vector<NamedArray> arrays = numbers.arrays(1);
  const std::uint32_t crc = crc32c(arrays[0].view.bytes);
  for (const std::uint32_t flip : {0U, 1U}) {
    char stated[9];
    std::snprintf(stated, sizeof stated, "%08x", crc ^ flip);
    ASSERT_TRUE(write_safetensors(path, arrays, {{"crc32c", stated}}));
    EXPECT_EQ(open_checkpoint(path).has_value(), flip == 0);
  }
  ASSERT_TRUE(write_safetensors(path, arrays, {}));
  EXPECT_FALSE(open_checkpoint(path));
}

// Power may fail at any moment: the older checkpoint goes when the newer one and its name are on
// the disk, not before.
TEST(Checkpoints, OldOnesGoWhenTheNewOneIsOnTheDisk) {
  g_disk_folder = test::temporary_dir("checkpoints_order");
  const Checkpoints checkpoints(g_disk_folder, 1);
  Numbers numbers;
  ASSERT_TRUE(checkpoints.save(1, numbers.arrays(1), {}));
  std::vector<std::string> calls;
  g_disk_calls = &calls;
  EXPECT_TRUE(checkpoints.save(2, numbers.arrays(2), {}));
  EXPECT_TRUE(checkpoints.save_best(numbers.arrays(2), {}));
  g_disk_calls = nullptr;
  EXPECT_EQ(calls, (std::vector<std::string>{"file", "rename", "folder 2", "file", "rename", "folder 2"}));
}

TEST(Checkpoints, PassOverDamagedOnes) {
  const Checkpoints checkpoints(test::temporary_dir("checkpoints_damage"), 3);
  Numbers numbers;
  for (const std::int64_t step : {1, 2, 3})
    ASSERT_TRUE(checkpoints.save(step, numbers.arrays(static_cast<float>(step)), {{"step", std::to_string(step)}}));
  std::filesystem::resize_file(checkpoints.path(3), 2000);  // Cut off.
  {
    std::fstream file(checkpoints.path(2), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-100, std::ios::end);  // One byte of a number: still a well-formed file.
    file.put('\x5A');
  }
  Warnings warnings;
  const auto newest = checkpoints.open_newest(warnings);
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->metadata().at("step"), "1");
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[1].message.find("checksum"), std::string::npos) << warnings[1].message;
  std::filesystem::remove(checkpoints.path(1));
  EXPECT_FALSE(checkpoints.open_newest(warnings));
}

}  // namespace
}  // namespace zoe::train
