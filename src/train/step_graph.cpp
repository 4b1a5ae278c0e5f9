// SPDX-License-Identifier: MIT
#include "train/step_graph.h"

#ifdef ZOE_HAS_CUDA
#include <map>
#include <mutex>

#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/StreamGuard.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#endif

namespace zoe::train {

#ifdef ZOE_HAS_CUDA

namespace {

Error refusal(const std::exception& error) {
  const std::string text = error.what();
  return {ErrorCode::kUnsupported, text.substr(0, text.find('\n'))};
}

// During its lifetime an operation that makes the host wait for the device throws.
class NoWaiting {
 public:
  NoWaiting() { set(c10::cuda::SyncDebugMode::L_ERROR); }
  ~NoWaiting() { set(c10::cuda::SyncDebugMode::L_DISABLED); }
  NoWaiting(const NoWaiting&) = delete;
  NoWaiting& operator=(const NoWaiting&) = delete;

 private:
  static void set(c10::cuda::SyncDebugMode mode) { c10::cuda::warning_state().set_sync_debug_mode(mode); }
};

// All graphs of a device are recorded on one stream into one pool of memory, because torch reuses freed memory only
// within both. Launches follow each other, and no graph reads what another left in memory that it freed; so the pool is
// as large as the largest step, not as the sum of all.
struct Lane {
  c10::cuda::CUDAStream stream;
  decltype(at::cuda::graph_pool_handle()) pool;
};

const Lane& lane_of(at::Device device) {
  static std::mutex mutex;
  static std::map<c10::DeviceIndex, Lane> lanes;
  const std::lock_guard lock(mutex);
  const auto found = lanes.find(device.index());
  if (found != lanes.end()) return found->second;
  const Lane lane{c10::cuda::getStreamFromPool(false, device.index()), at::cuda::graph_pool_handle()};
  return lanes.emplace(device.index(), lane).first->second;
}

}  // namespace

struct StepGraph::Recording {
  explicit Recording(const Lane& on) : lane(on) {}
  const Lane& lane;
  at::cuda::CUDAGraph graph;
};

StepGraph::StepGraph(at::Device device) : recording_(new Recording(lane_of(device))) {}
StepGraph::~StepGraph() = default;

bool StepGraph::available(at::Device device) { return device.is_cuda(); }

Result<void> StepGraph::rehearse(const std::function<void()>& work) {
  c10::cuda::device_synchronize();
  Result<void> result;
  try {
    const c10::StreamGuard guard(recording_->lane.stream.unwrap());
    work();  // Workspaces and handles are created by the first call, which may wait.
    const NoWaiting no_waiting;
    work();
  } catch (const std::exception& error) {
    result = refusal(error);
  }
  c10::cuda::device_synchronize();
  return result;
}

Result<void> StepGraph::record(const std::function<void()>& work) {
  c10::cuda::device_synchronize();
  const c10::StreamGuard guard(recording_->lane.stream.unwrap());
  try {
    // For this thread only: other threads allocate pinned memory and monitor NCCL meanwhile.
    recording_->graph.capture_begin(recording_->lane.pool, cudaStreamCaptureModeThreadLocal);
    work();
    recording_->graph.capture_end();
  } catch (const std::exception& error) {
    return refusal(error);
  }
  return {};
}

void StepGraph::replay() { recording_->graph.replay(); }

#else

struct StepGraph::Recording {};
StepGraph::StepGraph(at::Device) {}
StepGraph::~StepGraph() = default;
bool StepGraph::available(at::Device) { return false; }
Result<void> StepGraph::rehearse(const std::function<void()>&) { return {}; }
Result<void> StepGraph::record(const std::function<void()>&) { return {}; }
void StepGraph::replay() {}

#endif

}  // namespace zoe::train
