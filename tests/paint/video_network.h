// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A network with the ports of a painter of clips whose result is known: a quarter of the
// noised patches, the warped ones, the mean of the mask, a hundredth of the mean of the caption, and the time.
#pragma once

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/network.h"
#include "zoe/paint/video_painter.h"

namespace zoe::paint {

inline nn::Graph known_video_graph(int size, bool with_words = true) {
  nn::GraphBuilder b;
  const auto patches = static_cast<int>(num_patches(size)), numbers = static_cast<int>(kPatchNumbers),
             rows_of_words = static_cast<int>(kWordRows);
  const nn::RowCount rows = b.dim("frames") * nn::RowCount(patches);
  const int noised = b.input("noised", numbers, rows);
  b.input("bones", static_cast<int>(kPatchFeatures), rows);
  const int warped = b.input("warped", numbers, rows);
  b.input("keys", static_cast<int>(kPatchNumbers + kPatchFeatures), patches);
  const int mask = b.input("mask", 1, patches + rows_of_words), caption = b.input("caption", 1, rows_of_words),
            time = b.input("time", 1);
  const auto spread = [&](int x, const char* name, float factor) {
    const std::vector<float> weight(kPatchNumbers, factor), bias(kPatchNumbers, 0.0F);
    return b.linear(x, name, {kPatchNumbers, 1}, weight, bias);
  };
  const int row = b.add(b.add(spread(b.mean_rows(mask), "of_mask", 1), spread(b.mean_rows(caption), "of_words", 0.01F)),
                        spread(time, "of_time", 1e-3F));
  const std::vector<float> quarter(kPatchNumbers, 0.25F);
  const int part = b.multiply(noised, b.constant("quarter", 1, numbers, quarter));
  b.output("data", b.add(b.add(part, warped), row));
  b.set_metadata(nn::kProcessKey, "schedule=flow prediction=x0 levels=1000");
  if (with_words) b.set_metadata(kWordsKey, "red green goblin walking");
  return std::move(b).build().value();
}

inline VideoPainter known_video_painter(int size) {
  return VideoPainter::create(nn::Network::compile(known_video_graph(size)).value()).value();
}

}  // namespace zoe::paint
