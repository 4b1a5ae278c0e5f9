// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks and tests. The published search of motion matching, written from its description:
// frames in order of time, boxes around 64 and 16 of them, squared distances summed dimension by dimension until they
// exceed the best. Scalar, one query at a time.
#pragma once

#include <span>
#include <vector>

#include "zoe/control/match/search_index.h"

namespace zoe::bench {

class AabbBaseline {
 public:
  // features: [frames × num_dims].
  AabbBaseline(std::span<const float> features, int num_dims);

  // Starts from `best`. Frames [skip_begin, skip_end) do not count.
  control::Match find(std::span<const float> query, int skip_begin, int skip_end, control::Match best) const;

 private:
  struct Box {
    std::vector<float> low, high;  // [boxes × dims]
  };
  Box boxes_of(int frames_a_box) const;

  std::span<const float> features_;
  int num_dims_, num_frames_;
  Box large_, small_;
};

}  // namespace zoe::bench
