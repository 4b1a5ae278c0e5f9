// SPDX-License-Identifier: MIT
// TCP, WebSocket, ZeroMQ and VMC over real sockets on this machine. No test depends on timing or on buffer sizes.
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "zoe/stream/link.h"
#include "zoe/stream/packet_file.h"

namespace zoe::stream {
namespace {

Subject rope_of(int joints, std::uint32_t id = 0) {
  std::vector<JointDesc> list;
  for (int j = 0; j < joints; ++j)
    list.push_back({.name = "rope" + std::to_string(j), .parent = j - 1, .rest_local = {{0, 0.1F, 0}, {}, {1, 1, 1}}});
  return {.id = id, .name = "rope", .fps = 60, .skeleton = Skeleton::create(std::move(list)).value()};
}

Pose rope_pose(const Subject& subject, int frame) {
  Pose pose = make_pose(*subject.skeleton);
  for (std::size_t j = 0; j < pose.rotations.size(); ++j)
    pose.rotations[j] = from_axis_angle(Vec3{0, 0, 1}, 0.01F * static_cast<float>(frame + static_cast<int>(j)));
  pose.translations[0].x = static_cast<float>(frame);
  return pose;
}

// A program of another kind, at the other end.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  void say(std::string_view text) { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  // All that comes before the server closes; the server is served meanwhile.
  std::string read_all(PoseSender& server) {
    std::string out;
    char bytes[4096];
    for (int i = 0; i < 12'000; ++i) {
      server.receivers();
      const ssize_t got = ::recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
      if (got > 0) out.append(bytes, static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) return out;
      if (got < 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return out + " (still open)";
  }
  // Adds what comes to `out` until is_enough(out); the server is served meanwhile.
  template <class Enough>
  bool read_until(PoseSender& server, std::string& out, const Enough& is_enough) {
    char bytes[4096];
    for (int i = 0; i < 12'000; ++i) {
      if (is_enough(out)) return true;
      server.receivers();
      const ssize_t got = ::recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
      if (got > 0) out.append(bytes, static_cast<std::size_t>(got));
      if (got < 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

 private:
  int socket_;
};

// Serves until that many receivers are there; a busy machine may take seconds.
bool wait_for(PoseSender& sender, int receivers) {
  for (int i = 0; i < 12'000 && sender.receivers() != receivers; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return sender.receivers() == receivers;
}

// The WebSocket client waits for an answer, so the server is served meanwhile.
Result<std::unique_ptr<PoseReceiver>> connect_to(PoseSender& sender, const std::string& scheme,
                                                 const LinkOptions& options = {}) {
  const std::string address = scheme + "://127.0.0.1:" + std::to_string(sender.port());
  std::atomic<bool> is_done = false;
  std::optional<Result<std::unique_ptr<PoseReceiver>>> receiver;
  std::thread client([&] {
    receiver.emplace(open_receiver(address, options));
    is_done = true;
  });
  while (!is_done) {
    sender.receivers();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  client.join();
  return std::move(*receiver);
}

class Transport : public testing::TestWithParam<const char*> {};

TEST_P(Transport, BringsFramesOfSeveralSubjectsToSeveralClients) {
  const std::string scheme = GetParam();
  Result<std::unique_ptr<PoseSender>> opened = open_sender(scheme + "://127.0.0.1:0");
  ASSERT_TRUE(opened) << opened.error().format();
  PoseSender& sender = **opened;
  const Subject small = rope_of(5, 3), large = rope_of(900, 4);
  ASSERT_TRUE(sender.add(small));
  ASSERT_TRUE(sender.add(large));
  std::vector<std::unique_ptr<PoseReceiver>> receivers;
  for (int i = 0; i < 3; ++i) receivers.push_back(connect_to(sender, scheme).value());
  ASSERT_TRUE(wait_for(sender, 3));
  Frame frame;
  for (int i = 0; i < 10; ++i) {
    for (const Subject* subject : {&small, &large}) {
      const Pose sent = rope_pose(*subject, i);
      sender.send(subject->id, i * 1000, sent.view());
      for (const auto& receiver : receivers) {
        PoseReceiver::Got got = PoseReceiver::Got::kNothing;
        // The rest of a large packet leaves with the next call.
        for (int k = 0; k < 12'000 && got == PoseReceiver::Got::kNothing; ++k) {
          got = receiver->receive(frame, 5);
          sender.receivers();
        }
        ASSERT_EQ(got, PoseReceiver::Got::kPose);
        EXPECT_EQ(frame.subject.id, subject->id);
        EXPECT_EQ(frame.time_ns, i * 1000);
        ASSERT_EQ(frame.pose.rotations.size(), sent.rotations.size());
        EXPECT_EQ(frame.pose.translations[0].x, static_cast<float>(i));
        EXPECT_NEAR(frame.pose.rotations.back().z, sent.rotations.back().z, 1e-6F);
      }
    }
  }
  sender.end();
  for (const auto& receiver : receivers) {
    PoseReceiver::Got got = PoseReceiver::Got::kNothing;
    for (int k = 0; k < 12'000 && got == PoseReceiver::Got::kNothing; ++k) got = receiver->receive(frame, 5);
    EXPECT_EQ(got, PoseReceiver::Got::kEnd);
  }
  receivers.clear();
  EXPECT_TRUE(wait_for(sender, 0));
}
INSTANTIATE_TEST_SUITE_P(Schemes, Transport, testing::Values("tcp", "ws", "zmq"));

// One client never reads. Its queue is bounded, and another client gets every frame.
TEST(ServerTest, AStalledClientMissesFramesAndStallsNobody) {
  for (const std::string scheme : {"tcp", "ws", "zmq"}) {
    const auto sender = open_sender(scheme + "://127.0.0.1:0").value();
    const Subject subject = rope_of(600);
    ASSERT_TRUE(sender->add(subject));
    const auto stalled = connect_to(*sender, scheme).value(), reader = connect_to(*sender, scheme).value();
    ASSERT_TRUE(wait_for(*sender, 2));
    Frame frame;
    int i = 0;
    for (; i < 20'000 && sender->counts().dropped == 0; ++i) {
      sender->send(0, i, rope_pose(subject, i).view());
      PoseReceiver::Got got = PoseReceiver::Got::kNothing;
      for (int k = 0; k < 12'000 && got == PoseReceiver::Got::kNothing; ++k) {
        got = reader->receive(frame, 5);
        sender->receivers();
      }
      ASSERT_EQ(got, PoseReceiver::Got::kPose);
      ASSERT_EQ(frame.sequence, static_cast<std::uint64_t>(i));  // No frame is lost.
    }
    EXPECT_GT(sender->counts().dropped, 0U) << i;
  }
}

class Clients : public testing::TestWithParam<const char*> {};

TEST_P(Clients, ConnectAndDisconnectAHundredTimes) {
  const std::string scheme = GetParam();
  const auto sender = open_sender(scheme + "://127.0.0.1:0").value();
  const Subject subject = rope_of(3);
  ASSERT_TRUE(sender->add(subject));
  Frame frame;
  for (int i = 0; i < 100; ++i) {
    const auto receiver = connect_to(*sender, scheme).value();
    PoseReceiver::Got got = PoseReceiver::Got::kNothing;
    for (int k = 0; k < 12'000 && got == PoseReceiver::Got::kNothing; ++k) {
      sender->send(0, i, rope_pose(subject, i).view());
      got = receiver->receive(frame, 1);
    }
    ASSERT_EQ(got, PoseReceiver::Got::kPose) << i;
  }
  EXPECT_TRUE(wait_for(*sender, 0));
}
INSTANTIATE_TEST_SUITE_P(Schemes, Clients, testing::Values("tcp", "ws", "zmq"));

TEST(ServerTest, OversizedMessagesOfZeroMqEndTheConnection) {
  const auto sender = open_sender("zmq://127.0.0.1:0").value();
  const auto answer = [&](const std::string& text) {
    RawClient client(sender->port());
    client.say(text);
    return client.read_all(*sender);
  };
  EXPECT_EQ(answer("GET / HTTP/1.1\r\n\r\n").find("still open"), std::string::npos);
  std::string greeting("\xFF\0\0\0\0\0\0\0\x01\x7F\x03\x01NULL", 16);
  greeting.resize(64, '\0');
  EXPECT_EQ(answer(greeting + std::string("\x02\0\0\0\0\x40\0\0\0", 9)).find("still open"), std::string::npos);
  // Another publisher is no subscriber.
  EXPECT_EQ(answer(greeting + std::string("\x04\x19\x05READY\x0BSocket-Type\0\0\0\x03PUB", 27)).find("still open"),
            std::string::npos);
}

TEST(ServerTest, SendsSkeletonsAgainOnRequest) {
  const auto sender = open_sender("tcp://127.0.0.1:0").value();
  ASSERT_TRUE(sender->add(rope_of(3, 1)));
  ASSERT_TRUE(sender->add(rope_of(4, 2)));
  RawClient client(sender->port());
  const auto has_skeletons = [](int count) {
    return [count](const std::string& came) {
      int found = 0;
      for (std::size_t at = 0; (at = came.find(R"("joints":[)", at)) != std::string::npos; ++at) ++found;
      return found >= count;
    };
  };
  std::string came;
  client.say("packets\n");
  EXPECT_TRUE(client.read_until(*sender, came, has_skeletons(2))) << came.size();
  client.say("skeletons\n");
  EXPECT_TRUE(client.read_until(*sender, came, has_skeletons(4))) << came.size();
}

TEST(ServerTest, TokensGuardEveryLinkThatListens) {
  for (const char* address : {"tcp://0.0.0.0:0", "ws://0.0.0.0:0"}) {
    EXPECT_FALSE(open_sender(address)) << address;
    EXPECT_FALSE(open_sender(address, {.token = "short"}));
    EXPECT_TRUE(open_sender(address, {.token = "long-enough"}));
  }
  EXPECT_FALSE(open_sender("zmq://0.0.0.0:0", {.token = "long-enough"}));
  EXPECT_FALSE(open_receiver("udp://0.0.0.0:0"));
  EXPECT_FALSE(open_receiver("vmc://0.0.0.0:0"));
  EXPECT_FALSE(open_receiver("vmc://0.0.0.0:0", {.peer = "somewhere"}));
  EXPECT_TRUE(open_receiver("vmc://0.0.0.0:0", {.peer = "127.0.0.1"}));

  const auto sender = open_sender("tcp://127.0.0.1:0", {.token = "the-right-one"}).value();
  ASSERT_TRUE(sender->add(rope_of(3)));
  RawClient wrong(sender->port()), silent(sender->port());
  wrong.say("token the-wrong-one\npackets\n");
  EXPECT_NE(wrong.read_all(*sender).find("refused"), std::string::npos);
  EXPECT_EQ(sender->receivers(), 0);
  const auto receiver = connect_to(*sender, "tcp", {.token = "the-right-one"}).value();
  EXPECT_TRUE(wait_for(*sender, 1));

  const auto web = open_sender("ws://127.0.0.1:0", {.token = "the-right-one"}).value();
  const auto refused = connect_to(*web, "ws", {.token = "the-wrong-one"}).value();
  Frame frame;
  PoseReceiver::Got got = PoseReceiver::Got::kNothing;
  for (int k = 0; k < 12'000 && got == PoseReceiver::Got::kNothing; ++k) {
    web->receivers();
    got = refused->receive(frame, 5);
  }
  EXPECT_EQ(got, PoseReceiver::Got::kEnd);
  EXPECT_EQ(web->receivers(), 0);
  const auto admitted = connect_to(*web, "ws", {.token = "the-right-one"}).value();
  EXPECT_TRUE(wait_for(*web, 1));
}

TEST(ServerTest, OtherProgramsAreRefusedByTheirProtocol) {
  const auto sender = open_sender("ws://127.0.0.1:0").value();
  const auto answer = [&](std::string_view text) {
    RawClient client(sender->port());
    client.say(text);
    return client.read_all(*sender);
  };
  EXPECT_EQ(answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n").substr(0, 12), "HTTP/1.1 426");
  EXPECT_EQ(answer("POST / HTTP/1.1\r\nHost: x\r\n\r\n").substr(0, 12), "HTTP/1.1 405");
  EXPECT_EQ(answer("GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n").substr(0, 12), "HTTP/1.1 426");
  EXPECT_EQ(answer("hello\r\n\r\n").substr(0, 12), "HTTP/1.1 400");
  EXPECT_EQ(answer("GET / HTTP/1.1\r\nA: " + std::string(9000, 'x')).substr(0, 12), "HTTP/1.1 431");
  const std::string upgrade =
      "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  EXPECT_EQ(answer(upgrade + "Origin: https://elsewhere.example\r\n\r\n").substr(0, 12), "HTTP/1.1 403");
  EXPECT_EQ(answer(upgrade + "Origin: http://localhost:8000\r\n\r\n\x81\x05hello").substr(0, 12), "HTTP/1.1 101");
  // A frame of a gigabyte ends the connection before it comes.
  EXPECT_EQ(answer(upgrade + "\r\n" + std::string("\x82\xFF\0\0\0\0\x40\0\0\0mask", 14)).substr(0, 12), "HTTP/1.1 101");
}

TEST(UdpTest, DatagramsWithoutTheTokenAreRefused) {
  const auto receiver = open_receiver("udp://127.0.0.1:0", {.token = "the-right-one"}).value();
  const std::string to = "udp://127.0.0.1:" + std::to_string(receiver->port());
  const Subject subject = rope_of(60);  // Two datagrams.
  Frame frame;
  for (const char* token : {"", "the-wrong-one", "the-right-one"}) {
    const auto sender = open_sender(to, {.token = token}).value();
    ASSERT_TRUE(sender->add(subject));
    sender->send(0, 5, rope_pose(subject, 5).view());
  }
  ASSERT_EQ(receiver->receive(frame, 10'000), PoseReceiver::Got::kPose);
  EXPECT_EQ(frame.pose.translations[0].x, 5);
  EXPECT_GE(receiver->counts().refused, 2U);
  EXPECT_EQ(receiver->counts().poses, 1U);
}

TEST(PacketFileTest, RecordsAndPlaysAgain) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("zoe_packets_" + std::to_string(::getpid()));
  const Subject a = rope_of(4, 7), b = rope_of(6, 9);
  PacketRecorder recorder = PacketRecorder::create(path).value();
  for (int i = 0; i < 5; ++i)
    for (const Subject* subject : {&a, &b})
      recorder.add({.subject = *subject, .time_ns = i * 10, .sent_ns = i, .pose = rope_pose(*subject, i)});
  ASSERT_TRUE(recorder.finish());
  PacketFile file = PacketFile::open(path).value();
  ASSERT_EQ(file.subjects().size(), 2U);
  EXPECT_EQ(file.num_frames(), 10U);
  Frame frame;
  for (int round = 0; round < 2; ++round, file.rewind()) {
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(file.next(frame));
      EXPECT_EQ(frame.subject.id, i % 2 == 0 ? 7U : 9U);
      EXPECT_EQ(frame.time_ns, i / 2 * 10);
      EXPECT_EQ(frame.pose.translations[0].x, static_cast<float>(i / 2));
    }
    EXPECT_FALSE(file.next(frame));
  }
  // Every cut is an error, and so is every other file.
  const auto size = std::filesystem::file_size(path);
  for (const std::uintmax_t cut : {size - 1, size - 100, std::uintmax_t{30}}) {
    std::filesystem::resize_file(path, cut);
    EXPECT_FALSE(PacketFile::open(path)) << cut;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace zoe::stream
