// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. FAISS's flat index, opened at run time, because it depends on a BLAS and OpenMP, which
// nothing else here may link.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zoe::bench {

// Exact nearest neighbour by a scan of all frames, one thread.
class FaissFlat {
 public:
  // features: [frames × num_dims].
  FaissFlat(std::span<const float> features, int num_dims);
  ~FaissFlat();
  FaissFlat(const FaissFlat&) = delete;
  FaissFlat& operator=(const FaissFlat&) = delete;

  bool exists() const { return index_ != nullptr; }
  // queries: [count × num_dims]. Gives the nearest frame of each.
  void find(std::span<const float> queries, std::span<std::int64_t> frames, std::span<float> costs) const;

 private:
  void* index_ = nullptr;
};

}  // namespace zoe::bench
