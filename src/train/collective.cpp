// SPDX-License-Identifier: MIT
#include "train/collective.h"

#ifdef ZOE_HAS_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "train/roll_call.h"
#endif
#ifdef ZOE_HAS_NCCL
#include <ATen/cuda/CUDAContextLight.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include <chrono>
#include <cstdlib>
#include <map>

#include <unistd.h>

namespace zoe::train {
namespace {

#ifdef ZOE_HAS_GLOO

using std::chrono::milliseconds;

milliseconds milliseconds_of(double seconds) { return milliseconds(static_cast<std::int64_t>(seconds * 1000)); }

c10::intrusive_ptr<c10d::Store> under(const char* prefix, const c10::intrusive_ptr<c10d::Store>& store) {
  return c10::make_intrusive<c10d::PrefixStore>(prefix, store);
}

// Tensors on the host use Gloo. Those on a GPU use NCCL where it was started, else they are copied through the host.
class Group final : public Collective {
 public:
  Group(const Ranks& ranks, double timeout_s) : ranks_(ranks), timeout_s_(timeout_s) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(ranks.port);
    options.isServer = ranks.rank == 0;
    options.numWorkers = static_cast<std::size_t>(ranks.size);
    options.timeout = milliseconds(300'000);  // Ranks of a cluster may start minutes apart.
    store_ = c10::make_intrusive<c10d::TCPStore>(ranks.host, options);
    auto group_options = c10d::ProcessGroupGloo::Options::create(milliseconds_of(timeout_s));
    group_options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(own_address(ranks)));
    gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(under("zoe", store_), ranks.rank, ranks.size, group_options);
  }

#ifdef ZOE_HAS_NCCL
  ~Group() override {
    if (nccl_) nccl_->shutdown();
  }

  // Ranks that share one GPU, as "ranks 0 and 2". Empty when each has its own.
  std::string sharing(at::Device device) const {
    const auto& uuid = at::cuda::getDeviceProperties(device.index())->uuid.bytes;
    const auto key = [](int rank) { return "gpu/" + std::to_string(rank); };
    store_->set(key(ranks_.rank), std::vector<std::uint8_t>(uuid, uuid + sizeof(uuid)));
    std::map<std::string, int> owners;
    for (int rank = 0; rank < ranks_.size; ++rank) {
      const std::vector<std::uint8_t> gpu = store_->get(key(rank));
      const auto [owner, first] = owners.emplace(std::string(gpu.begin(), gpu.end()), rank);
      if (!first) return "ranks " + std::to_string(owner->second) + " and " + std::to_string(rank);
    }
    return "";
  }

  void start_nccl() {
    // On an error its communicators are closed, but not this process: the failed rank is reported first.
    ::setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "2", 0);
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = milliseconds_of(timeout_s_);
    nccl_ = c10::make_intrusive<c10d::ProcessGroupNCCL>(under("nccl", store_), ranks_.rank, ranks_.size, options);
  }
  const char* name() const override { return nccl_ ? "nccl" : "gloo"; }
#else
  const char* name() const override { return "gloo"; }
#endif

  void average(at::Tensor& tensor) override {
    everywhere(tensor, [&](auto& group, std::vector<at::Tensor>& list) { return group.allreduce(list); });
    tensor.div_(ranks_.size);
  }

  void broadcast(at::Tensor& tensor) override {
    everywhere(tensor, [&](auto& group, std::vector<at::Tensor>& list) { return group.broadcast(list); });
  }

 private:
  // The address of this process for other ranks.
  static std::string own_address(const Ranks& ranks) {
    if (ranks.host == "127.0.0.1" || ranks.host == "localhost") return "127.0.0.1";
    char name[256] = "localhost";
    ::gethostname(name, sizeof(name) - 1);
    return name;
  }

  template <typename Start>
  void everywhere(at::Tensor& tensor, const Start& start) {
    try {
#ifdef ZOE_HAS_NCCL
      if (nccl_ && tensor.is_cuda()) {
        std::vector<at::Tensor> list{tensor};
        start(*nccl_, list)->wait();  // The device waits, the host continues.
        return;
      }
#endif
      std::vector<at::Tensor> list{tensor.is_cpu() ? tensor : tensor.cpu()};
      start(*gloo_, list)->wait(milliseconds_of(timeout_s_));
      if (!tensor.is_cpu()) tensor.copy_(list[0]);
    } catch (const std::exception&) {
      throw RankFailure{blame()};
    }
  }

  Error blame() {
    const std::string missing = missing_ranks(store_, ranks_, milliseconds_of(std::min(3.0, timeout_s_)));
#ifdef ZOE_HAS_NCCL
    if (nccl_) nccl_->abort();  // Otherwise the device waits forever for the operation.
#endif
    return {ErrorCode::kIo, "rank " + std::to_string(ranks_.rank) + " stops: " +
                                (missing.empty() ? "the connection between ranks was lost"
                                                 : "rank " + missing + " does not answer any more") +
                                "; --resume goes on from the newest checkpoint"};
  }

  Ranks ranks_;
  double timeout_s_;
  c10::intrusive_ptr<c10d::Store> store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
#ifdef ZOE_HAS_NCCL
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> nccl_;
#endif
};

Result<std::unique_ptr<Collective>> connect_group(const Ranks& ranks, const ConnectOptions& options,
                                                  Warnings& warnings) {
  auto group = std::make_unique<Group>(ranks, options.timeout_s);
  if (options.backend == "gloo" || !options.device.is_cuda()) return std::unique_ptr<Collective>(std::move(group));
#ifdef ZOE_HAS_NCCL
  const std::string sharing = group->sharing(options.device);
  if (sharing.empty()) {
    group->start_nccl();
    return std::unique_ptr<Collective>(std::move(group));
  }
  const std::string reason = sharing + " share a GPU, and NCCL needs one for each";
  if (options.backend == "nccl")
    return Error{ErrorCode::kUsage, reason + ": use fewer ranks, or train.collective=gloo"};
  if (ranks.rank == 0) warnings.push_back({reason + ": gradients go through the host (Gloo)", {}});
#else
  if (options.backend == "nccl")
    return Error{ErrorCode::kUnsupported,
                 "this build has no NCCL (nccl.h or CUDA's headers were not found): use "
                 "train.collective=gloo"};
  warnings.push_back({"this build has no NCCL: gradients go through the host (Gloo)", {}});
#endif
  return std::unique_ptr<Collective>(std::move(group));
}

#endif

}  // namespace

Result<std::unique_ptr<Collective>> connect(const Ranks& ranks, const ConnectOptions& options, Warnings& warnings) {
  if (ranks.size == 1 && options.backend == "auto") return std::make_unique<Collective>();
  if (options.backend == "nccl" && !options.device.is_cuda())
    return Error{ErrorCode::kUsage, "train.collective = 'nccl' is for CUDA: use auto or gloo"};
#ifdef ZOE_HAS_GLOO
  try {
    return connect_group(ranks, options, warnings);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return Error{ErrorCode::kIo, "rank " + std::to_string(ranks.rank) + " cannot reach the others at " + ranks.host +
                                     ":" + std::to_string(ranks.port) + ": " + text.substr(0, text.find('\n'))};
  }
#else
  (void)warnings;
  return Error{ErrorCode::kUnsupported,
               "this build has no Gloo (headers were not found): it trains with one rank only"};
#endif
}

}  // namespace zoe::train
