// SPDX-License-Identifier: MIT
// TensorBoard's records, read by a reader of our own, with a CRC that is computed bit by bit.
#include "train/event_file.h"

#include <cstring>
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/core/bytes.h"
#include "zoe/core/random.h"

#include "support/data.h"
#include "train/crc32c.h"
#include "train/event_reader.h"

namespace zoe::train {
namespace {

using test::bitwise_crc32c;
using test::Event;
using test::read_events;

TEST(Crc32c, IsTheBitwiseDivisionForEveryLengthAndOffset) {
  Random random(2);
  std::vector<std::byte> bytes(300);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.below(256));
  for (std::size_t begin = 0; begin < 9; ++begin) {
    for (std::size_t size = 0; size < 80; ++size) {
      const auto part = std::span(bytes).subspan(begin, size);
      ASSERT_EQ(crc32c(part), bitwise_crc32c(part)) << begin << ", " << size;
    }
  }
}

TEST(Crc32c, PartsMayBeAddedOneAfterAnother) {
  std::vector<std::byte> bytes(257);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37);
  const std::uint32_t whole = crc32c(bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); cut += 5) {
    EXPECT_EQ(crc32c(std::span(bytes).subspan(cut), crc32c(std::span(bytes).first(cut))), whole) << cut;
  }
  EXPECT_EQ(crc32c({}), 0U);
}

TEST(Crc32c, SeesEveryFlippedBitAndSwap) {
  std::vector<std::byte> bytes(40, std::byte{0x5A});
  bytes[3] = std::byte{1};
  const std::uint32_t good = crc32c(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    EXPECT_NE(crc32c(bytes), good) << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
  }
  std::swap(bytes[3], bytes[20]);
  EXPECT_NE(crc32c(bytes), good);
}

TEST(EventFile, BeginsWithItsVersion) {
  const auto folder = zoe::test::temporary_dir("events_version");
  const EventFile file = EventFile::create(folder).value();
  EXPECT_EQ(file.path().parent_path(), folder);
  EXPECT_EQ(file.path().filename().string().rfind("events.out.tfevents.", 0), 0U);
  const std::vector<Event> events = read_events(file.path());
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_EQ(events[0].step, 0);
  EXPECT_GT(events[0].wall_time_s, 1.6e9);
}

TEST(EventFile, HoldsEveryScalarOfEveryStep) {
  EventFile file = EventFile::create(zoe::test::temporary_dir("events_scalars")).value();
  for (std::int64_t step = 1; step <= 300; ++step) {  // Steps of one, two and more bytes.
    ASSERT_TRUE(
        file.add(step * step * step, {{"training/loss", 1.0 / static_cast<double>(step)}, {"training/rate", 1e-3}}));
  }
  const std::vector<Event> events = read_events(file.path());
  ASSERT_EQ(events.size(), 301U);
  double before_s = 0;
  for (std::size_t i = 1; i < events.size(); ++i) {
    EXPECT_EQ(events[i].step, static_cast<std::int64_t>(i * i * i));
    ASSERT_EQ(events[i].scalars.size(), 2U);
    EXPECT_EQ(events[i].scalars[0].first, "training/loss");
    EXPECT_EQ(events[i].scalars[0].second, static_cast<float>(1.0 / static_cast<double>(i)));
    EXPECT_EQ(events[i].scalars[1].first, "training/rate");
    EXPECT_EQ(events[i].scalars[1].second, 1e-3F);
    EXPECT_GE(events[i].wall_time_s, before_s);
    before_s = events[i].wall_time_s;
  }
}

TEST(EventFile, LongNamesAndNoScalarsAtAll) {
  EventFile file = EventFile::create(zoe::test::temporary_dir("events_long")).value();
  const std::string name(1000, 'n');
  ASSERT_TRUE(file.add(5, {{name, -2.5}}));
  ASSERT_TRUE(file.add(6, {}));
  const std::vector<Event> events = read_events(file.path());
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].scalars.at(0).first, name);
  EXPECT_EQ(events[1].scalars.at(0).second, -2.5F);
  EXPECT_TRUE(events[2].scalars.empty());
}

// What a reader that follows the file may see: whole records, nothing else.
TEST(EventFile, IsWholeAfterEveryAdd) {
  EventFile file = EventFile::create(zoe::test::temporary_dir("events_whole")).value();
  for (std::size_t i = 1; i <= 5; ++i) {
    ASSERT_TRUE(file.add(static_cast<std::int64_t>(i), {{"x", 1}}));
    EXPECT_EQ(read_events(file.path()).size(), i + 1);
  }
  EventFile moved = std::move(file);
  ASSERT_TRUE(moved.add(9, {{"x", 2}}));
  EXPECT_EQ(read_events(moved.path()).back().step, 9);
}

TEST(EventFile, SaysWhereItCannotWrite) {
  const auto file = EventFile::create("/no/such/folder");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kIo);
  EXPECT_NE(file.error().where.file.find("/no/such/folder"), std::string::npos);
}

// The reader itself sees damage; else the tests above would prove nothing.
TEST(EventFile, TheReaderOfTheseTestsSeesDamage) {
  EventFile file = EventFile::create(zoe::test::temporary_dir("events_damage")).value();
  ASSERT_TRUE(file.add(1, {{"x", 1}}));
  std::fstream stream(file.path(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(-6, std::ios::end);
  stream.put('\x7f');
  stream.close();
  EXPECT_EQ(read_events(file.path()).size(), 1U);
}

}  // namespace
}  // namespace zoe::train
