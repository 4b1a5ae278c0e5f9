// SPDX-License-Identifier: MIT
// Part of Zoetrope. Packets over ZeroMQ, one a message: XPUB and SUB sockets, which other programs know as PUB and SUB.
#include <algorithm>

#include <fmt/format.h>

#include "stream/links.h"
#include "stream/packet_link.h"
#include "stream/token.h"
#include "stream/zmq_library.h"

#ifdef ZOE_HAS_ZMQ
#include <dlfcn.h>
#endif

namespace zoe::stream {

#ifndef ZOE_HAS_ZMQ

namespace {
Error without_zmq() {
  return {ErrorCode::kUnsupported, "this build has no ZeroMQ: install libzmq3-dev and build again", {}};
}
}  // namespace
Result<std::unique_ptr<PoseSender>> open_zmq_sender(const LinkAddress&) { return without_zmq(); }
Result<std::unique_ptr<PoseReceiver>> open_zmq_receiver(const LinkAddress&) { return without_zmq(); }

#else

namespace {

template <class Function>
bool find_function(void* library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(::dlsym(library, name));
  return out != nullptr;
}

Result<ZmqLibrary> load_zmq() {
  void* library = ::dlopen("libzmq.so.5", RTLD_NOW | RTLD_LOCAL);
  ZmqLibrary zmq;
  const bool is_whole =
      library != nullptr && find_function(library, "zmq_ctx_new", zmq.ctx_new) &&
      find_function(library, "zmq_ctx_term", zmq.ctx_term) && find_function(library, "zmq_socket", zmq.socket) &&
      find_function(library, "zmq_close", zmq.close) && find_function(library, "zmq_setsockopt", zmq.setsockopt) &&
      find_function(library, "zmq_getsockopt", zmq.getsockopt) && find_function(library, "zmq_bind", zmq.bind) &&
      find_function(library, "zmq_connect", zmq.connect) && find_function(library, "zmq_send", zmq.send) &&
      find_function(library, "zmq_recv", zmq.recv) && find_function(library, "zmq_poll", zmq.poll) &&
      find_function(library, "zmq_errno", zmq.error_number) && find_function(library, "zmq_strerror", zmq.strerror);
  if (!is_whole) return Error{ErrorCode::kUnsupported, "libzmq.so.5 is missing: install the package libzmq5", {}};
  return zmq;
}

// Packets in the queue of each subscriber; what comes then is dropped. Some frames of a crowd.
constexpr int kZmqQueue = 128;

// A context with one socket.
class ZmqSocket {
 public:
  ZmqSocket(const ZmqLibrary& zmq, int type) : zmq_(&zmq), context_(zmq.ctx_new()) {
    socket_ = zmq.socket(context_, type);
    set(ZMQ_SNDHWM, kZmqQueue);
    set(ZMQ_RCVHWM, kZmqQueue);
    set(ZMQ_LINGER, 200);
    const std::int64_t most_bytes = static_cast<std::int64_t>(kHeaderBytes + kMaxPayloadBytes);
    zmq.setsockopt(socket_, ZMQ_MAXMSGSIZE, &most_bytes, sizeof most_bytes);
  }
  ZmqSocket(const ZmqSocket&) = delete;
  ZmqSocket& operator=(const ZmqSocket&) = delete;
  ~ZmqSocket() {
    zmq_->close(socket_);
    zmq_->ctx_term(context_);
  }
  void set(int option, int value) { zmq_->setsockopt(socket_, option, &value, sizeof value); }
  void subscribe() { zmq_->setsockopt(socket_, ZMQ_SUBSCRIBE, "ZOEP", 4); }
  Result<void> open(const LinkAddress& address, bool binds) {
    const std::string text = fmt::format("tcp://{}:{}", address.host, address.port);
    if ((binds ? zmq_->bind(socket_, text.c_str()) : zmq_->connect(socket_, text.c_str())) == 0) return {};
    return Error{ErrorCode::kIo, fmt::format("zmq {}: {}", text, zmq_->strerror(zmq_->error_number())), {}};
  }
  int port() const {
    char text[256] = {};
    std::size_t size = sizeof text;
    if (zmq_->getsockopt(socket_, ZMQ_LAST_ENDPOINT, text, &size) != 0) return 0;
    const std::string endpoint(text);
    const std::size_t colon = endpoint.rfind(':');
    return colon == std::string::npos ? 0 : std::atoi(endpoint.c_str() + colon + 1);
  }
  bool send(std::span<const std::byte> packet) {
    return zmq_->send(socket_, packet.data(), packet.size(), ZMQ_DONTWAIT) >= 0;
  }
  int receive(std::span<std::byte> out) { return zmq_->recv(socket_, out.data(), out.size(), ZMQ_DONTWAIT); }
  bool wait_readable(int wait_ms) {
    zmq_pollitem_t item{.socket = socket_, .fd = 0, .events = ZMQ_POLLIN, .revents = 0};
    return zmq_->poll(&item, 1, wait_ms) > 0;
  }

 private:
  const ZmqLibrary* zmq_;
  void *context_, *socket_ = nullptr;
};

class ZmqSender : public PacketSender {
 public:
  explicit ZmqSender(std::unique_ptr<ZmqSocket> socket) : socket_(std::move(socket)) {}
  LinkCounts counts() const override { return counts_; }
  int port() const override { return socket_->port(); }
  int receivers() override {
    take_subscriptions();
    return receivers_;
  }

 protected:
  void transmit(std::span<const std::byte> packet) override {
    take_subscriptions();
    ++(socket_->send(packet) ? counts_.sent : counts_.dropped);
  }

 private:
  void take_subscriptions() {
    std::byte bytes[256];
    bool is_new = false;
    for (int got = 0; (got = socket_->receive(bytes)) > 0;) {
      receivers_ += bytes[0] == std::byte{1} ? 1 : -1;
      is_new |= bytes[0] == std::byte{1};
    }
    // Late subscribers need not wait for the second's end.
    if (is_new) for_each_skeleton([&](std::span<const std::byte> packet) { socket_->send(packet); });
  }
  std::unique_ptr<ZmqSocket> socket_;
  int receivers_ = 0;
  LinkCounts counts_;
};

class ZmqReceiver : public PacketReceiver {
 public:
  explicit ZmqReceiver(std::unique_ptr<ZmqSocket> socket)
      : socket_(std::move(socket)), buffer_(kHeaderBytes + kMaxPayloadBytes) {}
  int port() const override { return socket_->port(); }

 protected:
  std::span<const std::byte> next_packet(int wait_ms, bool&) override {
    for (;;) {
      const int got = socket_->receive(buffer_);
      if (got > 0) return std::span<const std::byte>(buffer_).first(std::min(buffer_.size(), std::size_t(got)));
      if (wait_ms <= 0 || !socket_->wait_readable(wait_ms)) return {};
      wait_ms = 0;
    }
  }

 private:
  std::unique_ptr<ZmqSocket> socket_;
  std::vector<std::byte> buffer_;
};

Result<std::unique_ptr<ZmqSocket>> open_zmq(const LinkAddress& address, bool sends) {
  if (sends && !is_loopback(address.host)) {
    return Error{ErrorCode::kUsage,
                 "zmq:// has no token and publishes on 127.0.0.1 only: for other machines take ws:// or tcp:// with "
                 "--token, or a tunnel",
                 {}};
  }
  ZOE_TRY_ASSIGN(const ZmqLibrary* zmq, ZmqLibrary::get());
  auto socket = std::make_unique<ZmqSocket>(*zmq, sends ? ZMQ_XPUB : ZMQ_SUB);
  if (sends) socket->set(ZMQ_XPUB_VERBOSER, 1);  // Counts every subscriber, not the first alone.
  if (!sends) socket->subscribe();
  ZOE_TRY(socket->open(address, sends));
  return socket;
}

}  // namespace

Result<const ZmqLibrary*> ZmqLibrary::get() {
  static const Result<ZmqLibrary> library = load_zmq();
  if (!library) return library.error();
  return &*library;
}

Result<std::unique_ptr<PoseSender>> open_zmq_sender(const LinkAddress& address) {
  ZOE_TRY_ASSIGN(std::unique_ptr<ZmqSocket> socket, open_zmq(address, true));
  return std::unique_ptr<PoseSender>(std::make_unique<ZmqSender>(std::move(socket)));
}

Result<std::unique_ptr<PoseReceiver>> open_zmq_receiver(const LinkAddress& address) {
  ZOE_TRY_ASSIGN(std::unique_ptr<ZmqSocket> socket, open_zmq(address, false));
  return std::unique_ptr<PoseReceiver>(std::make_unique<ZmqReceiver>(std::move(socket)));
}

#endif

}  // namespace zoe::stream
