// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. A module around FAISS with plain C functions; see faiss_peer.h.
#include <faiss/IndexFlat.h>
#include <omp.h>

extern "C" {

void* zoe_faiss_make(const float* features, std::int64_t count, int num_dims) {
  omp_set_num_threads(1);
  auto* index = new faiss::IndexFlatL2(num_dims);
  index->add(count, features);
  return index;
}

void zoe_faiss_find(void* index, const float* queries, std::int64_t count, std::int64_t* frames, float* costs) {
  static_cast<faiss::IndexFlatL2*>(index)->search(count, queries, 1, costs, frames);
}

void zoe_faiss_destroy(void* index) { delete static_cast<faiss::IndexFlatL2*>(index); }
}
