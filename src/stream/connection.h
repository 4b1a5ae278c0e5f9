// SPDX-License-Identifier: MIT
// Part of Zoetrope. One client of a server: lines in; lines and packets out, plain, in a WebSocket's frames or as
// messages of ZeroMQ. Memory is bounded, and nothing waits.
#pragma once

#include <functional>
#include <string>

#include "stream/line_buffer.h"
#include "stream/sockets.h"
#include "stream/web_socket.h"
#include "stream/zmtp.h"

namespace zoe::stream {

class Connection {
 public:
  using OnLine = std::function<void(std::string_view)>;
  enum class Protocol : std::uint8_t { kPlain, kWeb, kZmq };
  // has_token: of the server; pages of other machines are refused without one.
  Connection(Socket socket, Protocol protocol, bool has_token)
      : socket_(std::move(socket)), protocol_(protocol), has_token_(has_token) {
    if (protocol == Protocol::kZmq) unsent_ = zmtp_greeting();
  }

  // Calls on_line for each pending line, at most some 16 KiB of them. Lines that are too long come as kTooLong. The
  // first subscription of ZeroMQ comes as `packets`, the end of the last one as kNoPackets. False: the connection is
  // over.
  bool read(const OnLine& on_line);
  static constexpr std::string_view kTooLong = "\n", kNoPackets = "\nno packets";

  // True when the handshake is done; lines and packets may be queued.
  bool is_open() const { return protocol_ == Protocol::kPlain || is_upgraded_; }
  void queue_line(std::string_view line);  // Without its end. ZeroMQ has no lines: nothing.
  void queue_packet(std::span<const std::byte> packet);
  std::size_t queued_bytes() const { return unsent_.size() - sent_; }
  // Sends what the system takes. False: the connection is over.
  bool flush();
  // At the end of a stream: waits for the client to take the rest, wait_ms at most.
  void drain(int wait_ms);
  void close_after_flush() { closes_ = true; }

 private:
  bool read_plain(std::string_view bytes, const OnLine& on_line);
  bool read_head(std::string_view bytes, const OnLine& on_line);
  bool read_frames(std::string_view bytes, const OnLine& on_line);
  bool read_messages(std::string_view bytes, const OnLine& on_line);

  Socket socket_;
  Protocol protocol_ = Protocol::kPlain;
  bool has_token_ = false, is_upgraded_ = false, closes_ = false;
  LineBuffer lines_;
  std::string head_;
  WebFrameReader frames_{true, 4096};
  ZmtpReader messages_{4096};
  int subscriptions_ = 0;
  std::string unsent_;
  std::size_t sent_ = 0;  // Bytes of unsent_ that the system has.
};

}  // namespace zoe::stream
