// SPDX-License-Identifier: MIT
#include "stream/web_socket.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"

namespace zoe::stream {
namespace {

std::string text_frame(std::string_view text, std::uint32_t mask, WebOp op = WebOp::kText) {
  std::string out;
  append_web_frame(op, as_bytes(text), mask, out);
  return out;
}

TEST(WebSocketTest, AnswersAsInTheSpecification) {
  EXPECT_EQ(web_accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // RFC 6455, 1.3.
  const Result<WebRequest> request = read_web_request(
      "GET /chat?a=1&token=secret-words&b HTTP/1.1\r\nHost: server.example.com\r\nUPGRADE: WebSocket\r\n"
      "connection: keep-alive, upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin:  http://127.0.0.1\r\n"
      "Sec-WebSocket-Version: 13\r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->token, "secret-words");
  EXPECT_TRUE(check_web_answer(web_answer(*request), request->key));
  EXPECT_FALSE(check_web_answer(web_answer(*request), "AAAAAAAAAAAAAAAAAAAAAA=="));
  EXPECT_FALSE(check_web_answer(web_refusal("403 Forbidden"), request->key));
  const std::string question = web_question("127.0.0.1", 7070, request->key, "some-token");
  ASSERT_TRUE(read_web_request(question));
  EXPECT_EQ(read_web_request(question)->token, "some-token");
}

TEST(WebSocketTest, PagesOfOtherMachinesAreStrangers) {
  for (const char* local : {"", "http://localhost", "http://localhost:8000", "https://127.0.0.1:1"})
    EXPECT_TRUE(is_local_origin(local)) << local;
  for (const char* other : {"null", "file://", "https://example.org", "http://localhost.example.org",
                            "http://127.0.0.1.example.org", "http://192.168.1.5"})
    EXPECT_FALSE(is_local_origin(other)) << other;
}

TEST(WebSocketTest, MaskedFrameOfTheSpecification) {
  // RFC 6455, 5.7: "Hello" masked by 37 fa 21 3d.
  const unsigned char bytes[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58};
  WebFrameReader reader(true, 100);
  for (const unsigned char byte : bytes) {
    EXPECT_FALSE(reader.next().value());
    reader.feed(std::as_bytes(std::span(&byte, 1)));
  }
  const auto message = reader.next().value();
  ASSERT_TRUE(message);
  EXPECT_EQ(as_text(message->bytes), "Hello");
  EXPECT_EQ(text_frame("Hello", 0x3d21fa37), std::string(reinterpret_cast<const char*>(bytes), sizeof bytes));
}

TEST(WebSocketTest, MessagesOfAllLengthsAndInPieces) {
  for (const std::size_t size : {0, 1, 125, 126, 127, 65535, 65536, 200000}) {
    WebFrameReader reader(false, 200000);
    std::string text(size, 'x'), out;
    append_web_frame(WebOp::kBinary, as_bytes(text), {}, out);
    for (std::size_t at = 0; at < out.size(); at += 50000) {
      EXPECT_FALSE(reader.next().value());
      reader.feed(as_bytes(std::string_view(out).substr(at, 50000)));
    }
    const auto message = reader.next().value();
    ASSERT_TRUE(message) << size;
    EXPECT_EQ(as_text(message->bytes), text);
  }
  // A message in three frames, with a ping between them.
  WebFrameReader reader(true, 100);
  std::string first = text_frame("ab", 1), middle = text_frame("cd", 2, WebOp::kContinue);
  first[0] = 0x01;
  middle[0] = 0x00;
  reader.feed(as_bytes(first + text_frame("p", 3, WebOp::kPing) + middle + text_frame("ef", 4, WebOp::kContinue)));
  auto message = reader.next().value();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->op, WebOp::kPing);
  message = reader.next().value();
  ASSERT_TRUE(message);
  EXPECT_EQ(as_text(message->bytes), "abcdef");
}

TEST(WebSocketTest, WrongFramesEndTheConnection) {
  const auto is_refused = [](std::string bytes) {
    WebFrameReader reader(true, 100);
    reader.feed(as_bytes(bytes));
    return !reader.next().has_value();
  };
  std::string unmasked;
  append_web_frame(WebOp::kText, as_bytes("a"), {}, unmasked);
  EXPECT_TRUE(is_refused(unmasked));
  EXPECT_TRUE(is_refused(text_frame(std::string(101, 'x'), 1)));
  EXPECT_TRUE(is_refused(text_frame("x", 1, WebOp::kContinue)));
  EXPECT_TRUE(is_refused(text_frame(std::string(126, 'x'), 1, WebOp::kPing)));
  std::string reserved = text_frame("x", 1), unknown = text_frame("x", 1);
  reserved[0] = static_cast<char>(0xC1);
  unknown[0] = static_cast<char>(0x83);
  EXPECT_TRUE(is_refused(reserved));
  EXPECT_TRUE(is_refused(unknown));
  EXPECT_FALSE(is_refused(text_frame("x", 1)));
}

TEST(WebSocketTest, DamageIsHarmless) {
  Random random(11);
  const std::string request = web_question("127.0.0.1", 7070, "dGhlIHNhbXBsZSBub25jZQ==", "some-token");
  for (int round = 0; round < 20'000; ++round) {
    std::string head = request, frames = text_frame("packets", 77) + text_frame(std::string(60, 'y'), 5);
    for (std::string* one : {&head, &frames})
      for (int i = 0; i < 3; ++i) (*one)[random.below(one->size())] = static_cast<char>(random.below(256));
    (void)read_web_request(head).has_value();
    WebFrameReader reader(true, 100);
    reader.feed(as_bytes(frames));
    for (auto message = reader.next(); message && *message; message = reader.next())
      ASSERT_LE((*message)->bytes.size(), 125U);
  }
}

}  // namespace
}  // namespace zoe::stream
