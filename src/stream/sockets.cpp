// SPDX-License-Identifier: MIT
#include "stream/sockets.h"

#include <cerrno>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace zoe::stream {
namespace {

sockaddr_in to_sockaddr(const LinkAddress& address) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(address.port));
  ::inet_pton(AF_INET, address.host.c_str(), &out.sin_addr);  // Checked by parse_link().
  return out;
}

Error cannot(const char* what, const LinkAddress& address) {
  const char* remedy = errno == EADDRINUSE     ? "; another program has this port, and port 0 takes a free one"
                       : errno == ECONNREFUSED ? "; start the sender first"
                                               : "";
  return {ErrorCode::kIo,
          fmt::format("cannot {} {}://{}:{}: {}{}", what, address.scheme, address.host, address.port,
                      std::strerror(errno), remedy),
          {}};
}

Result<Socket> open_socket(const LinkAddress& address, int type, bool listens) {
  Socket socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  if (socket.fd() < 0) return cannot("make a socket for", address);
  const int on = 1, bytes = 1 << 20;
  const sockaddr_in at = to_sockaddr(address);
  if (listens) {
    if (type == SOCK_DGRAM) ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    if (type == SOCK_STREAM) ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return cannot("have", address);
    if (type == SOCK_STREAM && ::listen(socket.fd(), 16) != 0) return cannot("listen on", address);
  } else {
    if (::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0)
      return cannot("connect to", address);
    if (type == SOCK_STREAM) ::setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ::fcntl(socket.fd(), F_SETFL, ::fcntl(socket.fd(), F_GETFL) | O_NONBLOCK);
  return socket;
}

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

Result<Socket> udp_sender(const LinkAddress& to) { return open_socket(to, SOCK_DGRAM, false); }
Result<Socket> bound_udp(const LinkAddress& at) { return open_socket(at, SOCK_DGRAM, true); }
Result<Socket> connected_tcp(const LinkAddress& to) { return open_socket(to, SOCK_STREAM, false); }
Result<Socket> listening_tcp(const LinkAddress& at) { return open_socket(at, SOCK_STREAM, true); }

void notice_lost_machines(int socket) {
  const int on = 1, idle_s = 5, interval_s = 3, count = 3, unanswered_ms = 15'000;
  ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

Socket accept_client(const Socket& listener, int send_buffer_bytes) {
  Socket client(::accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (client.fd() < 0) return client;
  notice_lost_machines(client.fd());
  const int on = 1;
  ::setsockopt(client.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(client.fd(), SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes, sizeof send_buffer_bytes);
  return client;
}

int port_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

bool wait_readable(const Socket& socket, int wait_ms) {
  pollfd waiting{.fd = socket.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&waiting, 1, wait_ms) > 0;
}

bool wait_writable(const Socket& socket, int wait_ms) {
  pollfd waiting{.fd = socket.fd(), .events = POLLOUT, .revents = 0};
  return ::poll(&waiting, 1, wait_ms) > 0;
}

Result<LinkAddress> parse_link(const std::string& address) {
  const auto wrong = [&](const char* what) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("{}: {}; an address is udp|tcp|ws|zmq|vmc://HOST:PORT, as udp://127.0.0.1:7070", address, what),
        {}};
  };
  const std::size_t mark = address.find("://"), colon = address.rfind(':');
  if (mark == std::string::npos || colon <= mark) return wrong("has no scheme or no port");
  LinkAddress out{.scheme = address.substr(0, mark), .host = address.substr(mark + 3, colon - mark - 3)};
  bool is_known = false;
  for (const char* scheme : {"udp", "tcp", "ws", "zmq", "vmc"}) is_known |= out.scheme == scheme;
  if (!is_known) return wrong("unknown scheme");
  if (out.host == "localhost") out.host = "127.0.0.1";
  in_addr parsed{};
  if (::inet_pton(AF_INET, out.host.c_str(), &parsed) != 1) return wrong("the host is no IPv4 address");
  const char *begin = address.data() + colon + 1, *end = address.data() + address.size();
  const auto [last, problem] = std::from_chars(begin, end, out.port);
  if (problem != std::errc() || last != end || out.port < 0 || out.port > 65535) return wrong("a port is 0 to 65535");
  return out;
}

}  // namespace zoe::stream
