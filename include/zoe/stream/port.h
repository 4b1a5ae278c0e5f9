// SPDX-License-Identifier: MIT
// Part of Zoetrope. Steers a character from other programs over TCP, and sends them its poses: lines of commands
// (command.h) in, lines of JSON out. docs/stream.md has the protocol.
//
//   const auto port = IntentPort::open(*controller, {.port = 7060}).value();
//   for (;;) {  // 60 times per second.
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
  std::string address = "127.0.0.1";  // IPv4. "0.0.0.0" accepts other machines.
  int port = 7060;                    // 0: any free port.
  // Clients must send `token TEXT` first. Addresses other than 127.x need one: kMinTokenLetters or more,
  // of letters, digits and -._+/=.
  // It is sent in the clear.
  std::string token;
  // Commands of a client that sent no line for this time expire; an empty line keeps them. 0: never. Commands of a
  // client that stopped, and so neither sends lines nor takes frames for IntentPort::kStopped_s, always expire.
  double command_timeout_s = 0;
};

struct PortCounts {
  int clients = 0;             // Connected now, and admitted where there is a token.
  std::uint64_t accepted = 0;  // Number of commands.
  std::uint64_t refused = 0;   // Lines that are no command, too long, or cut off by the end of the connection.
  std::uint64_t sent = 0;      // Number of frames.
  std::uint64_t dropped = 0;   // Frames dropped because a client was too slow. The tick never waits.
  std::uint64_t expired = 0;   // Number of clients whose commands expired.
};

// The port of one character. Several clients may connect: all receive its poses, and the last command counts. A client
// that leaves takes only its own commands away.
class IntentPort {
 public:
  static constexpr int kMaxClients = 8;  // Further clients are told so and disconnected.
  static constexpr std::size_t kMinTokenLetters = 8, kMaxTokenLetters = 256;
  static constexpr double kStopped_s = 3;
  static constexpr double kTokenWait_s = 5;  // Clients without the token are disconnected after it.

  // Fails where the address or port cannot be opened, or where a token is missing, and says why.
  static Result<std::unique_ptr<IntentPort>> open(const control::Controller& controller,
                                                  const PortOptions& options = {});
  ~IntentPort();
  IntentPort(const IntentPort&) = delete;
  IntentPort& operator=(const IntentPort&) = delete;

  int port() const;
  // Before a tick: reads the pending commands, at most some 16 KB per client, and never waits. `reset` and `place`
  // change the state at once.
  void receive(const control::Controller& controller, control::ControllerState& state);
  // The present intent. Standing after the last commanding client has disconnected or its commands have expired.
  const control::Intent& intent() const;
  bool has_clients() const { return counts().clients > 0; }
  // After a tick of dt_s: sends its result to all clients.
  void send(const control::ControllerState& state, double dt_s);
  PortCounts counts() const;

 private:
  struct Impl;
  explicit IntentPort(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace zoe::stream
