// SPDX-License-Identifier: MIT
#include "zoe/core/progress.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

std::atomic<double> g_now_s{0};
double fake_now_s() { return g_now_s; }

// What was written so far.
std::string contents(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

struct File {
  std::FILE* stream = std::tmpfile();
  ~File() { std::fclose(stream); }
};

TEST(Progress, PrintsPlainLinesNowAndThen) {
  File file;
  g_now_s = 100;
  {
    Progress progress("read", 200, {.unit = "files", .stream = file.stream, .now_s = fake_now_s});
    progress.advance(10);
    g_now_s = 104.9;
    progress.advance(10);
    g_now_s = 105;
    progress.advance(30);
    progress.advance(1);
    progress.set_note("dog.bvh");
    g_now_s = 120;
    progress.advance(149);
  }
  EXPECT_EQ(contents(file.stream),
            "read  25 % 50/200 files, 10 files/s, 0:15 left\n"
            "read 100 % 200/200 files, 10 files/s, 0:00 left, dog.bvh\n"
            "read 100 % 200/200 files, 10 files/s, took 0:20, dog.bvh\n");
}

TEST(Progress, RedrawsOneLineAsABar) {
  File file;
  g_now_s = 0;
  Progress progress("fit", 4, {.mode = ProgressMode::kBar, .stream = file.stream, .now_s = fake_now_s});
  g_now_s = 1;
  progress.advance();
  g_now_s = 1.05;  // Too soon for another.
  progress.advance();
  progress.finish();
  progress.finish();
  progress.advance();
  const std::string clear = "\r\x1b[K";
  EXPECT_EQ(contents(file.stream), clear + "fit [######..................]  25 % 1/4, 1.00/s, 0:03 left" + clear +
                                       "fit [############............]  50 % 2/4, 1.90/s, took 0:01\n");
}

TEST(Progress, UnknownTotalAndTooManySteps) {
  File file;
  g_now_s = 0;
  {
    Progress open_end("scan", 0, {.stream = file.stream, .now_s = fake_now_s});
    Progress overfull("over", 2, {.stream = file.stream, .now_s = fake_now_s});
    overfull.advance(5);
    open_end.advance(3'000'000);
    g_now_s = 1;
  }
  EXPECT_EQ(contents(file.stream), "over 100 % 5/2, 5.00/s, took 0:01\nscan 3000000, 3.0 M/s, took 0:01\n");
}

TEST(Progress, SilentWritesNothing) {
  File file;
  { Progress("x", 3, {.mode = ProgressMode::kSilent, .stream = file.stream}).advance(3); }
  EXPECT_EQ(contents(file.stream), "");
}

TEST(Progress, CountsFromManyThreads) {
  File file;
  Progress progress("work", 4000, {.mode = ProgressMode::kBar, .stream = file.stream});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        progress.advance();
        if (i % 100 == 0) progress.set_note("step " + std::to_string(i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  progress.finish();
  EXPECT_EQ(progress.done(), 4000u);
  EXPECT_NE(contents(file.stream).find("100 % 4000/4000"), std::string::npos);
}

TEST(Progress, FormatsDurations) {
  EXPECT_EQ(format_duration(7.4), "0:07");
  EXPECT_EQ(format_duration(760), "12:40");
  EXPECT_EQ(format_duration(11110), "3:05:10");
  EXPECT_EQ(format_duration(-1), "0:00");
}

}  // namespace
}  // namespace zoe
