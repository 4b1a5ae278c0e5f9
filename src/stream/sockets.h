// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sockets that close themselves, and addresses.
#pragma once

#include <utility>

#include "zoe/stream/link.h"

namespace zoe::stream {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

// Non-blocking. Errors name the address.
Result<Socket> udp_sender(const LinkAddress& to);  // Connected.
Result<Socket> bound_udp(const LinkAddress& at);   // For receiving.
Result<Socket> connected_tcp(const LinkAddress& to);
Result<Socket> listening_tcp(const LinkAddress& at);
// A client that waits, or no socket. send_buffer_bytes: small, so that a client that reads late gets recent poses.
Socket accept_client(const Socket& listener, int send_buffer_bytes);
// A machine that vanished without a word is noticed after about 15 s.
void notice_lost_machines(int socket);
int port_of(const Socket& socket);
// True when bytes, clients or the end have come.
bool wait_readable(const Socket& socket, int wait_ms);
bool wait_writable(const Socket& socket, int wait_ms);

}  // namespace zoe::stream
