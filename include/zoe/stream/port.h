// SPDX-License-Identifier: MIT
// Part of Zoetrope. A character that other programs steer over TCP, and whose poses they get: lines of commands (command.h)
// in, lines of JSON out. docs/stream.md has the protocol.
//
//   const auto port = IntentPort::open(*controller, {.port = 7060}).value();
//   for (;;) {  // Sixty times a second.
//     port->receive(*controller, *state);
//     controller->tick(*state, port->intent(), dt_s);
//     port->send(*state, dt_s);
//   }
#pragma once

#include <memory>
#include <string>

#include "zoe/control/command.h"
#include "zoe/control/controller.h"

namespace zoe::stream {

struct PortOptions {
  std::string address = "127.0.0.1";  // IPv4. "0.0.0.0" lets other machines in: there is no password.
  int port = 7060;                    // 0: any that is free.
};

struct PortCounts {
  int clients = 0;             // Now.
  std::uint64_t accepted = 0;  // Commands.
  std::uint64_t refused = 0;   // Commands that are none, too long, or were cut off by the connection's end.
  std::uint64_t sent = 0;      // Frames.
  std::uint64_t dropped = 0;   // Frames that a client was too slow for: it misses them, nobody waits.
};

// One character's. Several clients may be there: all get its poses, and the last command counts.
class IntentPort {
 public:
  static constexpr int kMaxClients = 8;  // More are turned away.

  // Fails where the address or port cannot be had, and says why.
  static Result<std::unique_ptr<IntentPort>> open(const control::Controller& controller,
                                                  const PortOptions& options = {});
  ~IntentPort();
  IntentPort(const IntentPort&) = delete;
  IntentPort& operator=(const IntentPort&) = delete;

  int port() const;
  // Before a tick: takes what has come, at most some 16 KB a client, and never waits. `reset` and `place` act on the state at once.
  void receive(const control::Controller& controller, control::ControllerState& state);
  // What is wanted; to stand, once the client that spoke last has gone.
  const control::Intent& intent() const;
  bool has_clients() const { return counts().clients > 0; }
  // After a tick of dt_s: everybody gets its result.
  void send(const control::ControllerState& state, double dt_s);
  PortCounts counts() const;

 private:
  struct Impl;
  explicit IntentPort(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::stream
