// SPDX-License-Identifier: MIT
#include "train/collective.h"

#ifdef ZOE_HAS_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

#include <chrono>
#include <thread>

#include <unistd.h>

namespace zoe::train {
namespace {

#ifdef ZOE_HAS_GLOO

using std::chrono::milliseconds;

class Gloo final : public Collective {
 public:
  Gloo(const Ranks& ranks, milliseconds timeout) : ranks_(ranks), timeout_(timeout) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(ranks.port);
    options.isServer = ranks.rank == 0;
    options.numWorkers = static_cast<std::size_t>(ranks.size);
    options.timeout = milliseconds(300'000);  // Ranks of a cluster start minutes apart.
    store_ = c10::make_intrusive<c10d::TCPStore>(ranks.host, options);
    auto group_options = c10d::ProcessGroupGloo::Options::create(timeout);
    group_options->devices.push_back(
        c10d::ProcessGroupGloo::createDeviceForHostname(own_address(ranks)));
    group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(
        c10::make_intrusive<c10d::PrefixStore>("zoe", store_), ranks.rank, ranks.size,
        group_options);
  }

  void average(at::Tensor& tensor) override {
    guarded([&] {
      at::Tensor host = tensor.is_cpu() ? tensor : tensor.cpu();
      std::vector<at::Tensor> list{host};
      group_->allreduce(list)->wait(timeout_);
      host.div_(ranks_.size);
      if (!tensor.is_cpu()) tensor.copy_(host);
    });
  }

  void broadcast(at::Tensor& tensor) override {
    guarded([&] {
      at::Tensor host = tensor.is_cpu() ? tensor : tensor.cpu();
      std::vector<at::Tensor> list{host};
      group_->broadcast(list)->wait(timeout_);
      if (!tensor.is_cpu()) tensor.copy_(host);
    });
  }

 private:
  // The address others reach this process by.
  static std::string own_address(const Ranks& ranks) {
    if (ranks.host == "127.0.0.1" || ranks.host == "localhost") return "127.0.0.1";
    char name[256] = "localhost";
    ::gethostname(name, sizeof(name) - 1);
    return name;
  }

  template <typename Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const std::exception&) {
      throw RankFailure{blame()};
    }
  }

  // Who failed: every rank that still lives says so in the store; whoever has not after a moment is
  // the one.
  Error blame() {
    const auto name = [](int rank) { return "alive/" + std::to_string(rank); };
    std::string missing;
    try {
      store_->set(name(ranks_.rank), std::vector<std::uint8_t>{1});
      for (int rank = 0; rank < ranks_.size; ++rank) {
        bool found = store_->check({name(rank)});
        // Longer than a rank that was merely slow needs to run into its own timeout.
        for (int tries = 0; !found && tries < 30; ++tries) {
          std::this_thread::sleep_for(milliseconds(100));
          found = store_->check({name(rank)});
        }
        if (!found) missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
      }
    } catch (const std::exception&) {
      missing = "0";  // It holds the store.
    }
    // Rank 0 leaves last, so that the others can read its store.
    if (ranks_.rank == 0) std::this_thread::sleep_for(milliseconds(1500));
    return {ErrorCode::kIo,
            "rank " + std::to_string(ranks_.rank) + " stops: " +
                (missing.empty() ? "the ranks lost each other"
                                 : "rank " + missing + " does not answer any more") +
                "; --resume goes on from the newest checkpoint"};
  }

  Ranks ranks_;
  milliseconds timeout_;
  c10::intrusive_ptr<c10d::TCPStore> store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

#endif

}  // namespace

Result<std::unique_ptr<Collective>> connect(const Ranks& ranks, double timeout_s) {
  if (ranks.size == 1) return std::make_unique<Collective>();
#ifdef ZOE_HAS_GLOO
  try {
    return std::unique_ptr<Collective>(
        new Gloo(ranks, milliseconds(static_cast<std::int64_t>(timeout_s * 1000))));
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return Error{ErrorCode::kIo, "rank " + std::to_string(ranks.rank) +
                                     " cannot reach the others at " + ranks.host + ":" +
                                     std::to_string(ranks.port) + ": " +
                                     text.substr(0, text.find('\n'))};
  }
#else
  (void)timeout_s;
  return Error{ErrorCode::kUnsupported,
               "this build has no Gloo (headers were not found): it trains with one rank only"};
#endif
}

}  // namespace zoe::train
