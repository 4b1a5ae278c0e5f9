// SPDX-License-Identifier: MIT
// ZeroMQ's protocol in memory. Bytes are those of the specification (rfc.zeromq.org/spec/23), written by hand; libzmq
// itself is at the other end in links_test.py.
#include "stream/zmtp.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"

namespace zoe::stream {
namespace {

using Type = ZmtpReader::Type;

// As libzmq 4.3 begins: version 3.1.
std::string greeting_of_libzmq(const std::string& mechanism = "NULL", char major = 3) {
  std::string out("\xFF\0\0\0\0\0\0\0\x01\x7F", 10);
  out += major;
  out += '\x01';
  out += mechanism;
  out.resize(64, '\0');
  return out;
}
const std::string kReadyOfSub("\x04\x26\x05READY\x0BSocket-Type\0\0\0\x03SUB\x08Identity\0\0\0\0", 40);

// "type:bytes" of all items, or the error's text at the end.
std::vector<std::string> read_all(const std::string& bytes, bool is_publisher, std::size_t step) {
  ZmtpReader reader(1000);
  std::vector<std::string> out;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.feed(as_bytes(std::string_view(bytes).substr(at, step)));
    for (;;) {
      const auto item = reader.next(is_publisher);
      if (!item) return out.push_back(item.error().message), out;
      if (!*item) break;
      out.push_back(std::to_string(static_cast<int>((*item)->type)) + ":" + std::string(as_text((*item)->bytes)));
    }
  }
  return out;
}
std::string item(Type type, const std::string& bytes = {}) {
  return std::to_string(static_cast<int>(type)) + ":" + bytes;
}

TEST(Zmtp, ReadsASubscriberInPiecesOfAnySize) {
  const std::string bytes = greeting_of_libzmq() + kReadyOfSub + std::string("\0\x05\x01ZOEP", 7) +
                            std::string("\x04\x0E\x09SUBSCRIBEZOEP", 16) + std::string("\x04\x08\x04PING\0\x05x", 10) +
                            std::string("\0\x05\0ZOEP", 7) +
                            std::string(
                                "\x04\x0B\x06"
                                "CANCELZOEP",
                                13);
  const std::vector<std::string> expected{item(Type::kGreeting),          item(Type::kReady, "SUB"),
                                          item(Type::kSubscribe, "ZOEP"), item(Type::kSubscribe, "ZOEP"),
                                          item(Type::kPing, "x"),         item(Type::kCancel, "ZOEP"),
                                          item(Type::kCancel, "ZOEP")};
  for (const std::size_t step : {1U, 3U, 64U, 1000U}) EXPECT_EQ(read_all(bytes, true, step), expected) << step;
}

TEST(Zmtp, WritesWhatTheSpecificationSays) {
  const std::string greeting = zmtp_greeting();
  ASSERT_EQ(greeting.size(), 64U);
  EXPECT_EQ(greeting.substr(0, 10), std::string("\xFF\0\0\0\0\0\0\0\0\x7F", 10));
  EXPECT_EQ(greeting.substr(10, 6), std::string("\x03\0NULL", 6));
  EXPECT_EQ(zmtp_ready("SUB"), std::string("\x04\x19\x05READY\x0BSocket-Type\0\0\0\x03SUB", 27));
  EXPECT_EQ(zmtp_subscription("ZOEP"), std::string("\0\x05\x01ZOEP", 7));
  EXPECT_EQ(zmtp_pong(as_bytes("x")), std::string("\x04\x06\x04PONGx", 8));
  for (const std::size_t size : {0U, 1U, 255U, 256U, 999U}) {
    std::string out = greeting;
    const std::string message(size, 'm');
    append_zmtp_message(as_bytes(message), out);
    EXPECT_EQ(out.size(), 64 + (size > 255 ? 9 : 2) + size);
    EXPECT_EQ(read_all(out, false, 7).back(), item(Type::kMessage, message));
  }
}

TEST(Zmtp, PartsOfAMessageAreNoPackets) {
  const std::string bytes = zmtp_greeting() + std::string(
                                                  "\x01\x01"
                                                  "a\0\x01"
                                                  "b\0\x01"
                                                  "c",
                                                  9);
  EXPECT_EQ(read_all(bytes, false, 5), (std::vector<std::string>{item(Type::kGreeting), item(Type::kOther),
                                                                 item(Type::kOther), item(Type::kMessage, "c")}));
}

TEST(Zmtp, RefusesOtherPeersAndDamage) {
  const auto error = [](const std::string& bytes) { return read_all(bytes, true, 1).back(); };
  EXPECT_NE(error("GET / HTTP/1.1\r\n").find("no greeting"), std::string::npos);
  EXPECT_NE(error(greeting_of_libzmq("CURVE")).find("encryption"), std::string::npos);
  EXPECT_NE(error(greeting_of_libzmq("NULL", 1)).find("older"), std::string::npos);
  EXPECT_NE(error(zmtp_greeting() + "\x10").find("ZeroMQ"), 0U);  // One byte of a frame is not judged yet.
  EXPECT_NE(error(zmtp_greeting() + std::string("\x10\0", 2)).find("unknown type"), std::string::npos);
  EXPECT_NE(error(zmtp_greeting() + std::string("\x05\0", 2)).find("unknown type"), std::string::npos);
  // A gigabyte is refused before it comes.
  EXPECT_NE(error(zmtp_greeting() + std::string("\x02\0\0\0\0\x40\0\0\0", 9)).find("too long"), std::string::npos);
  EXPECT_NE(error(zmtp_greeting() + std::string("\x04\x03\x05RE", 5)).find("cut off"), std::string::npos);
  EXPECT_NE(error(zmtp_greeting() + std::string("\x04\x0A\x05READY\x0BSoc", 12)).find("cut off"), std::string::npos);
  EXPECT_NE(error(zmtp_greeting() + std::string("\x04\x0B\x05READY\x01"
                                                "a\xFF\xFF\xFF",
                                                13))
                .find("cut off"),
            std::string::npos);
  EXPECT_NE(error(zmtp_greeting() + std::string("\x04\x06\x05"
                                                "ERROR",
                                                8))
                .find("refused"),
            std::string::npos);
}

}  // namespace
}  // namespace zoe::stream
