// SPDX-License-Identifier: MIT
#include "zoe/stream/port.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stream/held_commands.h"
#include "stream/line_buffer.h"
#include "stream/packet_link.h"
#include "stream/port_text.h"
#include "stream/sockets.h"
#include "stream/token.h"

namespace zoe::stream {

using control::CommandWords;
using control::Controller;
using control::ControllerState;
using control::Intent;

namespace {

constexpr std::size_t kMostBytesATick = 16 * 1024;  // Limits the cost of a client that floods the port.

// Small: a client that reads late shall get recent poses, not old ones.
constexpr int kSendBuffer_bytes = 64 * 1024;

Error no_port(const PortOptions& options, const char* what) {
  const char* remedy = errno == EADDRINUSE ? "; is it running already? --port 0 takes a free port"
                       : errno == EACCES   ? "; ports below 1024 are the system's own"
                                           : "";
  return {ErrorCode::kIo,
          fmt::format("cannot {} {}:{}: {}{}", what, options.address, options.port, std::strerror(errno), remedy),
          {}};
}

struct Client {
  int socket = -1;
  LineBuffer lines;
  std::string unsent;  // The rest of a partly sent line.
  bool is_admitted = true;
  bool wants_packets = false;  // Instead of lines of JSON.
  double skeleton_s = 0;       // Time of its last skeleton packet.
  bool is_refused = false;     // Disconnected when `unsent` is sent.
  double since_s = 0;          // Time of its connection.
  double line_s = 0;           // Time of its last line.
  double taken_s = 0;          // Time of the last frame that it took.
};

// False: the connection is closed.
bool flush(Client& client) {
  while (!client.unsent.empty()) {
    const ssize_t sent = ::send(client.socket, client.unsent.data(), client.unsent.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    client.unsent.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

struct IntentPort::Impl {
  int listener = -1, port = 0;
  std::string greeting, text, token;
  std::string skeleton;  // Packet.
  std::uint64_t skeleton_hash = 0;
  std::vector<std::byte> packet;
  std::vector<std::string> styles, actions;
  double command_timeout_s = 0;
  std::vector<Client> clients;
  HeldCommands commands;  // Clients are named by their sockets.
  PortCounts counts;
  std::uint64_t tick = 0;
  double time_s = 0;

  ~Impl() {
    for (const Client& client : clients) ::close(client.socket);
    if (listener >= 0) ::close(listener);
  }

  void welcome() {
    for (;;) {
      const int socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (socket < 0) return;
      if (clients.size() == kMaxClients) {
        turn_away(socket);
        continue;
      }
      notice_lost_machines(socket);
      const int on = 1, buffer_bytes = kSendBuffer_bytes;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
      Client client{.socket = socket,
                    .lines = {},
                    .unsent = {},
                    .is_admitted = token.empty(),
                    .since_s = time_s,
                    .line_s = time_s,
                    .taken_s = time_s};
      if (client.is_admitted) client.unsent = greeting;
      clients.push_back(std::move(client));
    }
  }

  void turn_away(int socket) {
    ++counts.refused;
    write_refusal_text(fmt::format("this port has {} clients already: try again later", kMaxClients), text);
    ::send(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::shutdown(socket, SHUT_WR);
    // Unread bytes would reset the connection before the client has read its line.
    std::array<char, 4096> bytes;
    while (::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) continue;
    ::close(socket);
  }

  void expire_commands() {
    for (const Client& client : clients) {
      const bool stopped = time_s - std::max(client.line_s, client.taken_s) > kStopped_s;
      const bool silent = command_timeout_s > 0 && time_s - client.line_s > command_timeout_s;
      if (!(stopped || silent) || !commands.has(client.socket)) continue;
      commands.forget(client.socket);
      ++counts.expired;
    }
  }

  // Commands of the port alone; empty for other commands.
  std::optional<std::string> own_command(std::span<const std::string_view> words, const Controller& controller,
                                         ControllerState& state) {
    if (words[0] == "reset" && words.size() == 1) {
      controller.reset(state);
      return std::string();
    }
    if (words[0] != "place") return {};
    double values[3] = {};
    for (std::size_t i = 1; i < words.size() && i < 4; ++i) {
      const auto value = control::command_number(words[i]);
      if (!value) return "'place' needs x and z in metres and a facing in degrees";
      values[i - 1] = *value;
    }
    if (words.size() != 4) return "'place' needs x and z in metres and a facing in degrees";
    controller.place(state, {{static_cast<float>(values[0]), 0, static_cast<float>(values[1])},
                             static_cast<float>(values[2] * 0.017453292519943295)});
    return std::string();
  }

  void take_line(Client& client, std::string_view line, const Controller& controller, ControllerState& state) {
    client.line_s = time_s;
    const CommandWords split = control::split_command(line);
    if (split.count == 0 || client.is_refused) return;  // Keep-alive.
    const std::span words(split.words, split.count);
    if (!client.is_admitted) return admit(client, words);
    if (words[0] == "token") return;  // Not needed here, or sent twice.
    if (words[0] == "packets" && words.size() == 1) {
      if (!client.wants_packets) client.unsent += skeleton;
      client.wants_packets = true;
      client.skeleton_s = time_s;
      return;
    }
    std::string wrong = "a command has at most six words";
    if (!split.too_many) {
      const auto own = own_command(words, controller, state);
      wrong = own ? *own : commands.apply(client.socket, words, {styles, actions});
    }
    if (wrong.empty()) {
      ++counts.accepted;
    } else {
      refuse(client, wrong);
    }
  }

  // The first line of a client, where a token is needed.
  void admit(Client& client, std::span<const std::string_view> words) {
    if (words.size() == 2 && words[0] == "token" && same_token(words[1], token)) {
      client.is_admitted = true;
      client.unsent += greeting;
      return;
    }
    refuse(client, "the first line must be `token TEXT` with this port's token");
    client.is_refused = true;
  }

  void refuse(Client& client, const std::string& why) {
    ++counts.refused;
    if (client.unsent.size() > kSendBuffer_bytes) return;  // The client is already behind.
    write_refusal_text(why, text);
    client.unsent += text;
  }

  // False: the connection is closed.
  bool read(Client& client, const Controller& controller, ControllerState& state) {
    std::array<char, 4096> bytes;
    for (std::size_t total = 0; total < kMostBytesATick;) {
      const ssize_t got = ::recv(client.socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
      if (got == 0) {
        if (client.lines.holds_part()) ++counts.refused;  // Cut off.
        return false;
      }
      total += static_cast<std::size_t>(got);
      client.lines.feed(
          {bytes.data(), static_cast<std::size_t>(got)},
          [&](std::string_view line) { take_line(client, line, controller, state); },
          [&] { refuse(client, "a line is too long"); });
    }
    return true;
  }

  void write_packet(Client& client, const ControllerState& state) {
    client.unsent.clear();
    if (time_s - client.skeleton_s > 1) {
      client.unsent = skeleton;
      client.skeleton_s = time_s;
    }
    write_pose_packet({.skeleton_hash = skeleton_hash,
                       .sequence = tick,
                       .time_ns = static_cast<std::int64_t>(time_s * 1e9),
                       .sent_ns = steady_ns()},
                      state.pose(), packet);
    client.unsent.append(reinterpret_cast<const char*>(packet.data()), packet.size());
  }

  void drop(std::size_t index) {
    commands.forget(clients[index].socket);
    ::close(clients[index].socket);
    clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(index));
  }
};

IntentPort::IntentPort(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
IntentPort::~IntentPort() = default;

Result<std::unique_ptr<IntentPort>> IntentPort::open(const Controller& controller, const PortOptions& options) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  if (options.port < 0 || options.port > 65535) return Error{ErrorCode::kUsage, "a port is 0 to 65535", {}};
  address.sin_port = htons(static_cast<std::uint16_t>(options.port));
  if (::inet_pton(AF_INET, options.address.c_str(), &address.sin_addr) != 1) {
    return Error{ErrorCode::kUsage, fmt::format("'{}' is no IPv4 address, as 127.0.0.1 is", options.address), {}};
  }
  const bool is_loopback = (ntohl(address.sin_addr.s_addr) >> 24) == 127;
  if (const std::string wrong = wrong_token(options.token, !is_loopback); !wrong.empty())
    return Error{ErrorCode::kUsage, wrong, {}};
  auto impl = std::make_unique<Impl>();
  impl->listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (impl->listener < 0) return no_port(options, "make a socket for");
  const int on = 1;
  ::setsockopt(impl->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(impl->listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return no_port(options, "have");
  if (::listen(impl->listener, kMaxClients) != 0) return no_port(options, "listen on");
  socklen_t size = sizeof address;
  ::getsockname(impl->listener, reinterpret_cast<sockaddr*>(&address), &size);
  impl->port = ntohs(address.sin_port);
  impl->greeting = greeting_text(controller);
  const Subject subject{.id = 0, .name = controller.type(), .fps = 60, .skeleton = controller.skeleton()};
  const std::vector<std::byte> skeleton = skeleton_packet(subject);
  impl->skeleton.assign(reinterpret_cast<const char*>(skeleton.data()), skeleton.size());
  impl->skeleton_hash = packet_hash(subject);
  impl->token = options.token;
  impl->command_timeout_s = options.command_timeout_s;
  impl->styles.assign(controller.styles().begin(), controller.styles().end());
  impl->actions.assign(controller.actions().begin(), controller.actions().end());
  impl->clients.reserve(kMaxClients);
  return std::unique_ptr<IntentPort>(new IntentPort(std::move(impl)));
}

int IntentPort::port() const { return impl_->port; }
const Intent& IntentPort::intent() const { return impl_->commands.intent(); }

PortCounts IntentPort::counts() const {
  PortCounts counts = impl_->counts;
  counts.clients = static_cast<int>(std::count_if(impl_->clients.begin(), impl_->clients.end(),
                                                  [](const Client& client) { return client.is_admitted; }));
  return counts;
}

void IntentPort::receive(const Controller& controller, ControllerState& state) {
  impl_->welcome();
  for (std::size_t i = impl_->clients.size(); i-- > 0;) {
    if (!impl_->read(impl_->clients[i], controller, state)) impl_->drop(i);
  }
  impl_->expire_commands();
}

void IntentPort::send(const ControllerState& state, double dt_s) {
  Impl& p = *impl_;
  ++p.tick;
  p.time_s += dt_s;
  bool written = false;
  for (std::size_t i = p.clients.size(); i-- > 0;) {
    Client& client = p.clients[i];
    // A partly sent line comes first: a greeting, a refusal, the rest of a frame. Lines are never torn.
    bool alive = flush(client);
    if (!client.is_admitted) {
      if (client.is_refused || p.time_s - client.since_s > kTokenWait_s) alive = false;
    } else if (alive && !client.unsent.empty()) {
      ++p.counts.dropped;
    } else if (alive) {
      if (client.wants_packets) {
        p.write_packet(client, state);
      } else {
        if (!written) write_frame_text(state, p.tick, p.time_s, p.text);
        written = true;
        client.unsent = p.text;
      }
      client.taken_s = p.time_s;
      ++p.counts.sent;
      alive = flush(client);
    }
    if (!alive) p.drop(i);
  }
}

}  // namespace zoe::stream
