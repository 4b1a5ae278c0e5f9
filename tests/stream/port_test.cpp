// SPDX-License-Identifier: MIT
// The port over real sockets on this machine.
#include "zoe/stream/port.h"

#include <chrono>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "control/toy_controller.h"

namespace zoe::stream {
namespace {

using control::test::ToyController;

// A program at the other end.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    connected = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const timeval patience{0, 20'000};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~Client() { close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected = false;
  void say(std::string_view text) {
    EXPECT_EQ(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  // Everything that has come so far, in whole lines.
  std::vector<nlohmann::json> read() {
    char bytes[65536];
    for (ssize_t got = 0; (got = ::recv(socket_, bytes, sizeof bytes, 0)) > 0;) text_.append(bytes, bytes + got);
    std::vector<nlohmann::json> lines;
    for (std::size_t end = 0; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1)) {
      lines.push_back(nlohmann::json::parse(text_.substr(0, end), nullptr, false));
      EXPECT_TRUE(lines.back().is_object()) << text_.substr(0, end);
    }
    return lines;
  }

 private:
  int socket_;
  std::string text_;
};

class Port : public testing::Test {
 protected:
  ToyController controller{60};
  std::unique_ptr<IntentPort> port = IntentPort::open(controller, {.port = 0}).value();
  std::unique_ptr<control::ControllerState> state = controller.make_state();

  // Ticks until `done` holds, for a minute at most: a busy machine may take seconds.
  template <class Done>
  bool tick_until(Done&& done) {
    for (int i = 0; i < 12'000; ++i) {
      port->receive(controller, *state);
      controller.tick(*state, port->intent(), 1.0 / 60);
      port->send(*state, 1.0 / 60);
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
};

TEST_F(Port, AClientIsGreetedThenGetsFrames) {
  EXPECT_GT(port->port(), 0);
  EXPECT_FALSE(port->has_clients());
  Client client(port->port());
  ASSERT_TRUE(client.connected);
  ASSERT_TRUE(tick_until([&] { return port->counts().sent >= 3; }));
  EXPECT_TRUE(port->has_clients());
  const auto lines = client.read();
  ASSERT_GE(lines.size(), 4U);
  EXPECT_EQ(lines[0]["zoe"], "play");
  EXPECT_EQ(lines[2]["tick"].get<int>(), lines[1]["tick"].get<int>() + 1);
  EXPECT_EQ(lines[1]["pose"].size(), 2U);
}

TEST_F(Port, CommandsSteerAndHoldUntilTheSpeakerLeaves) {
  auto client = std::make_unique<Client>(port->port());
  client->say("move 0 1.5\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 1; }));
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1.5F}));
  ASSERT_TRUE(tick_until([&] { return state->root().position.z > 0.5F; }));
  client->close();
  ASSERT_TRUE(tick_until([&] { return !port->has_clients(); }));
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{})) << "nobody steers: stand";
}

TEST_F(Port, TheLastCommandCountsAndAnotherClientsLeavingChangesNothing) {
  Client first(port->port());
  first.say("move 0 1\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 1; }));
  Client second(port->port());
  second.say("move 1 0\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 2; }));
  EXPECT_EQ(port->counts().clients, 2);
  first.close();
  ASSERT_TRUE(tick_until([&] { return port->counts().clients == 1; }));
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{1, 0, 0}));
}

// The first moves, the second sets a facing and a gait, and leaves: the first still moves, as before.
TEST_F(Port, AClientThatLeavesTakesOnlyItsOwnCommands) {
  Client first(port->port());
  first.say("move 0 1\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 1; }));
  Client second(port->port());
  second.say("gait run\nface 90\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 3; }));
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1}));
  EXPECT_EQ(port->intent().gait, control::Gait::kRun);
  second.close();
  ASSERT_TRUE(tick_until([&] { return port->counts().clients == 1; }));
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1}));
  EXPECT_EQ(port->intent().gait, control::Gait::kAuto);
  EXPECT_FALSE(port->intent().wanted[0].facing_rad.has_value());
  Client third(port->port());
  third.say("move 1 0\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 4; }));
  third.close();
  ASSERT_TRUE(tick_until([&] { return port->counts().clients == 1; }));
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1})) << "the command before counts again";
}

// It is connected, and takes nothing: as a process that was stopped.
TEST_F(Port, CommandsOfAStoppedClientExpire) {
  Client stopped(port->port());
  stopped.say("move 0 1\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 1; }));
  // How much the system's buffers take before a frame is dropped, and whether they take some more after it, differs
  // between machines. So both loops look after every frame.
  const auto tick_while = [&](auto&& more) {
    for (int i = 0; i < 100'000 && more(); ++i) {
      port->receive(controller, *state);
      port->send(*state, 1.0 / 60);
    }
  };
  tick_while([&] { return port->counts().dropped == 0; });
  ASSERT_GT(port->counts().dropped, 0U);
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1})) << "not at once";
  const auto before = port->counts().dropped;
  tick_while([&] { return port->counts().expired == 0; });
  EXPECT_GE(port->counts().dropped - before, static_cast<std::uint64_t>(60 * IntentPort::kStopped_s) - 2);
  EXPECT_EQ(port->intent().velocity_at(0), Vec3{});
  EXPECT_EQ(port->counts().expired, 1U);
  EXPECT_EQ(port->counts().clients, 1) << "it may go on later";
}

TEST_F(Port, CommandsExpireAfterTheTimeoutUnlessLinesKeepThem) {
  port = IntentPort::open(controller, {.port = 0, .command_timeout_s = 0.5}).value();
  Client client(port->port());
  client.say("move 0 1\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 1; }));
  const auto seconds = [&](double time_s) {
    for (; time_s > 0; time_s -= 0.1) {
      port->receive(controller, *state);
      port->send(*state, 0.1);
      client.read();
    }
  };
  for (int i = 0; i < 6; ++i) {
    client.say("\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    seconds(0.3);
  }
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1}));
  seconds(0.9);
  EXPECT_EQ(port->intent().velocity_at(0), Vec3{});
  EXPECT_EQ(port->counts().expired, 1U);
  client.say("move 0 1\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 2; }));
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1}));
}

TEST_F(Port, PlaceAndResetActAtOnce) {
  Client client(port->port());
  client.say("place 3 -4 90\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 1; }));
  EXPECT_NEAR(state->root().position.x, 3, 1e-3);
  EXPECT_NEAR(state->root().position.z, -4, 1e-3);
  EXPECT_NEAR(state->root().facing_rad, 1.5708F, 1e-3);
  client.say("reset\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().accepted == 2; }));
}

TEST_F(Port, WhatIsNoCommandIsRefusedWithAReasonAndChangesNothing) {
  Client client(port->port());
  client.say("move 0 1\nmoove 1 1\nmove one two\nplace 1 2\nplace 1 2 east\nmove 0 nan\na b c d e f g h\n" +
             std::string(2000, 'x') + "\n\n");
  ASSERT_TRUE(tick_until([&] { return port->counts().refused == 7; }));
  EXPECT_EQ(port->counts().accepted, 1U);
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1}));
  ASSERT_TRUE(tick_until([&] { return port->counts().sent >= 2; }));
  int refusals = 0;
  std::string reasons;
  for (const auto& line : client.read()) {
    if (!line.contains("refused")) continue;
    ++refusals;
    reasons += line["refused"].get<std::string>() + "\n";
  }
  EXPECT_EQ(refusals, 7);
  EXPECT_NE(reasons.find("too long"), std::string::npos) << reasons;
  EXPECT_NE(reasons.find("'place' needs"), std::string::npos) << reasons;
  EXPECT_NE(reasons.find("at most six words"), std::string::npos) << reasons;
}

TEST_F(Port, ALineCutOffByTheConnectionsEndIsRefused) {
  Client client(port->port());
  client.say("move 0");
  client.close();
  ASSERT_TRUE(tick_until([&] { return port->counts().refused == 1; }));
  EXPECT_EQ(port->counts().accepted, 0U);
}

TEST_F(Port, AClientThatDoesNotReadMissesWholeFramesAndHoldsNobodyUp) {
  Client deaf(port->port()), listener(port->port());
  std::size_t heard = 0;
  for (int round = 0; round < 60 && port->counts().dropped == 0; ++round) {
    for (int i = 0; i < 200; ++i) {
      port->receive(controller, *state);
      controller.tick(*state, port->intent(), 1.0 / 60);
      port->send(*state, 1.0 / 60);
    }
    heard += listener.read().size();
  }
  EXPECT_GT(port->counts().dropped, 0U);
  EXPECT_GT(heard, 100U);
  EXPECT_EQ(port->counts().clients, 2);
}

TEST_F(Port, MoreThanEightAreTurnedAway) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < IntentPort::kMaxClients + 2; ++i) {
    clients.push_back(std::make_unique<Client>(port->port()));
    port->receive(controller, *state);
  }
  ASSERT_TRUE(tick_until([&] { return port->counts().clients == IntentPort::kMaxClients; }));
  for (int i = 0; i < 10; ++i) port->receive(controller, *state);
  EXPECT_EQ(port->counts().clients, IntentPort::kMaxClients);
  // The others are told why, and disconnected.
  for (std::size_t i = IntentPort::kMaxClients; i < clients.size(); ++i) {
    const auto lines = clients[i]->read();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].value("refused", "").find("8 clients"), std::string::npos) << lines[0].dump();
  }
}

TEST(PortErrors, SayWhatIsWrong) {
  const ToyController controller;
  const auto message = [&](const PortOptions& options) {
    const auto opened = IntentPort::open(controller, options);
    return opened ? std::string() : opened.error().message;
  };
  EXPECT_NE(message({.address = "localhost"}).find("IPv4"), std::string::npos);
  EXPECT_NE(message({.port = 65536}).find("65535"), std::string::npos);
  const auto taken = IntentPort::open(controller, {.port = 0}).value();
  EXPECT_NE(message({.port = taken->port()}).find("--port 0"), std::string::npos);
}

class PortWithToken : public Port {
 protected:
  void SetUp() override { port = IntentPort::open(controller, {.port = 0, .token = "a-long-word"}).value(); }
};

TEST_F(PortWithToken, SendsAndObeysOnlyAfterTheToken) {
  Client client(port->port());
  client.say("\n");
  EXPECT_FALSE(tick_until([&, n = 0]() mutable { return port->has_clients() || ++n > 20; }) && port->has_clients());
  EXPECT_TRUE(client.read().empty());
  client.say("token a-long-word\nmove 0 1.5\n");
  EXPECT_TRUE(tick_until([&] { return port->counts().accepted == 1; }));
  EXPECT_TRUE(port->has_clients());
  EXPECT_EQ(port->intent().velocity_at(0), (Vec3{0, 0, 1.5F}));
  const auto lines = client.read();
  ASSERT_GE(lines.size(), 2U);
  EXPECT_TRUE(lines[0].contains("joints"));
  EXPECT_TRUE(lines[1].contains("pose"));
}

TEST_F(PortWithToken, DisconnectsClientsWithAWrongFirstLine) {
  for (const char* first : {"move 0 1.5\n", "token another-word\n", "token a-long-wor\n", "token\n"}) {
    Client client(port->port());
    client.say(first);
    client.say("token a-long-word\nmove 0 1.5\n");  // Too late.
    const std::uint64_t before = port->counts().refused;
    EXPECT_TRUE(tick_until([&] { return port->counts().refused > before; })) << first;
    const auto lines = client.read();
    ASSERT_EQ(lines.size(), 1U) << first;
    EXPECT_TRUE(lines[0].contains("refused"));
    EXPECT_FALSE(port->has_clients());
    EXPECT_EQ(port->counts().accepted, 0U);
    EXPECT_EQ(port->intent().velocity_at(0), Vec3{});
  }
}

TEST_F(PortWithToken, DisconnectsSilentClients) {
  std::vector<std::unique_ptr<Client>> silent;
  for (int i = 0; i < IntentPort::kMaxClients; ++i) silent.push_back(std::make_unique<Client>(port->port()));
  for (int i = 0; i < 6; ++i) {  // Six seconds.
    port->receive(controller, *state);
    port->send(*state, 1);
  }
  Client client(port->port());
  client.say("token a-long-word\n");
  EXPECT_TRUE(tick_until([&] { return port->has_clients(); }));
}

TEST(PortToken, IsNeededBeyondThisMachine) {
  const ToyController controller{60};
  const auto open = [&](const char* address, std::string token) {
    return IntentPort::open(controller, {.address = address, .port = 0, .token = std::move(token)});
  };
  const auto refused = open("0.0.0.0", "");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().format().find("--token"), std::string::npos) << refused.error().format();
  EXPECT_TRUE(open("0.0.0.0", "a-long-word"));
  EXPECT_TRUE(open("127.0.0.2", ""));
  for (const char* wrong : {"short", "with a space", "with#hash", "with,comma"}) {
    EXPECT_FALSE(open("127.0.0.1", wrong)) << wrong;
  }
}

}  // namespace
}  // namespace zoe::stream
