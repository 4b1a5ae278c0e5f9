// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets to all clients of a TCP or WebSocket server, whose protocol is that of the steering port
// (`token TEXT`, then `packets`), and to the subscribers of ZeroMQ.
#include <algorithm>

#include <fmt/format.h>
#include <sys/socket.h>

#include "stream/connection.h"
#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/token.h"

namespace zoe::stream {
namespace {

constexpr std::size_t kMaxServerClients = 32;
constexpr int kServerSendBuffer_bytes = 256 * 1024;
// Of a client, above the system's buffer: some frames of a crowd. What comes then is dropped.
constexpr std::size_t kMaxQueue_bytes = 256 * 1024;
constexpr std::int64_t kService_ns = 1'000'000, kTokenWait_ns = 5'000'000'000;

struct ServerClient {
  Connection connection;
  bool is_admitted = false, wants_packets = false, lacks_skeletons = false;
  std::int64_t since_ns = 0;
};

class ServerSender : public PacketSender {
 public:
  ServerSender(Socket listener, Connection::Protocol protocol, std::string token)
      : listener_(std::move(listener)), protocol_(protocol), token_(std::move(token)) {}
  LinkCounts counts() const override { return counts_; }
  int port() const override { return port_of(listener_); }

  int receivers() override {
    service();
    return static_cast<int>(
        std::count_if(clients_.begin(), clients_.end(), [](const auto& client) { return client->wants_packets; }));
  }

  void end() override {
    service();
    PacketSender::end();
    for (const auto& client : clients_) client->connection.drain(200);
  }

 protected:
  void transmit(std::span<const std::byte> packet) override {
    if (steady_ns() - serviced_ns_ > kService_ns) service();
    bool is_sent = true;
    for (std::size_t i = clients_.size(); i-- > 0;) {
      ServerClient& client = *clients_[i];
      if (client.wants_packets) {
        if (client.lacks_skeletons) queue_skeletons(client);
        const bool fits = !client.lacks_skeletons && client.connection.queued_bytes() + packet.size() < kMaxQueue_bytes;
        if (fits) client.connection.queue_packet(packet);
        is_sent &= fits;
      }
      if (!client.connection.flush()) clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    ++(is_sent ? counts_.sent : counts_.dropped);
  }

 private:
  void service() {
    serviced_ns_ = steady_ns();
    for (;;) {
      Socket socket = accept_client(listener_, kServerSendBuffer_bytes);
      if (socket.fd() < 0) break;
      if (clients_.size() == kMaxServerClients) continue;  // Closed at once.
      clients_.push_back(std::make_unique<ServerClient>(
          ServerClient{.connection = Connection(std::move(socket), protocol_, !token_.empty()),
                       .is_admitted = token_.empty(),
                       .since_ns = serviced_ns_}));
      if (protocol_ == Connection::Protocol::kPlain && token_.empty()) greet(*clients_.back());
    }
    for (std::size_t i = clients_.size(); i-- > 0;) {
      ServerClient& client = *clients_[i];
      bool lives = client.connection.read([&](std::string_view line) { take_line(client, line); });
      if (!client.wants_packets && !client.is_admitted && serviced_ns_ - client.since_ns > kTokenWait_ns) lives = false;
      if (lives && client.lacks_skeletons) queue_skeletons(client);
      if (!lives || !client.connection.flush()) clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void greet(ServerClient& client) { client.connection.queue_line(R"({"zoe":"stream","version":1})"); }

  void refuse(ServerClient& client, std::string_view why) {
    ++counts_.refused;
    if (client.connection.queued_bytes() < 4096)
      client.connection.queue_line(fmt::format(R"({{"refused":"{}"}})", why));
  }

  void take_line(ServerClient& client, std::string_view line) {
    if (!client.is_admitted) {
      if (line.starts_with("token ") && same_token(line.substr(6), token_)) {
        client.is_admitted = true;
        return greet(client);
      }
      refuse(client, "the first line must be `token TEXT` with this server's token");
      client.connection.close_after_flush();
      return;
    }
    if (line.empty() || line.starts_with("token ")) return;  // Keep-alive; a token that is not needed.
    if (line == Connection::kNoPackets) {
      client.wants_packets = client.lacks_skeletons = false;
      return;
    }
    if (line == "packets" || line == "skeletons") {
      client.wants_packets = client.wants_packets || line == "packets";
      client.lacks_skeletons = client.wants_packets;
      return;
    }
    refuse(client, line == Connection::kTooLong ? "a line is too long" : "commands are packets and skeletons");
  }

  void queue_skeletons(ServerClient& client) {
    if (client.connection.queued_bytes() > kMaxQueue_bytes / 4) return;  // It is behind: later.
    for_each_skeleton([&](std::span<const std::byte> packet) { client.connection.queue_packet(packet); });
    client.lacks_skeletons = false;
  }

  Socket listener_;
  Connection::Protocol protocol_;
  std::string token_;
  std::vector<std::unique_ptr<ServerClient>> clients_;
  std::int64_t serviced_ns_ = 0;
  LinkCounts counts_;
};

}  // namespace

Result<std::unique_ptr<PoseSender>> open_server_sender(const LinkAddress& address, const LinkOptions& options) {
  using Protocol = Connection::Protocol;
  const bool is_zmq = address.scheme == "zmq";
  if (is_zmq && !is_loopback(address.host)) {
    return Error{ErrorCode::kUsage,
                 "zmq:// has no token and publishes on 127.0.0.1 only: for other machines take ws:// or tcp:// with "
                 "--token, or a tunnel",
                 {}};
  }
  if (!is_zmq) ZOE_TRY(check_token(address.host, options.token));
  ZOE_TRY_ASSIGN(Socket listener, listening_tcp(address));
  const Protocol protocol = is_zmq ? Protocol::kZmq : address.scheme == "ws" ? Protocol::kWeb : Protocol::kPlain;
  return std::unique_ptr<PoseSender>(
      std::make_unique<ServerSender>(std::move(listener), protocol, is_zmq ? std::string() : options.token));
}

}  // namespace zoe::stream
