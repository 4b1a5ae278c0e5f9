// SPDX-License-Identifier: MIT
// Part of Zoetrope. What squared errors of pixels do not ask of a painted picture: that it displays what the true one
// displays, and that its pixels have colours of the palette instead of a mean of several.
#pragma once

#include <filesystem>

#include "train/torch_graph.h"

namespace zoe::train {

// A trained network that answers questions about one picture (`zoe train sprite_words`, model.frames=1). Its answers
// for painted and for true pictures are compared. It is not trained.
class PictureCritic {
 public:
  // Refuses networks that do not see one picture of size x size pixels.
  static Result<PictureCritic> load(const std::filesystem::path& path, std::int64_t size,
                                    const at::TensorOptions& options);

  // Pictures [n, pixels, 4]: red, green and blue times alpha from -1 to 1, and alpha from -1 to 1 (patches.h). Gives
  // [n]: the mean over the questions of how far the answers for `painted` are from those for `truth` (relative
  // entropy). Gradients are of `painted`. moved: both are shifted and mirrored at random, as in the critic's own
  // training, so that single pixels do not decide.
  at::Tensor operator()(const at::Tensor& painted, const at::Tensor& truth, bool moved) const;

 private:
  PictureCritic(TorchGraph network, std::int64_t size, const at::TensorOptions& options);

  TorchGraph network_;
  std::int64_t size_;
  at::Tensor x_, y_;  // [1, pixels]
};

// How improbable the true entries are, where the chance of an entry falls with the distance of its colour.
// painted: [n, pixels, 4] as above; entries: [n, pixels], long, 0 is nothing; palette: [n, colours, 3] of 0 to 255;
// num_colors: [n]; counted: [n, pixels], how much a pixel counts. Gives [n], a mean over counted pixels.
at::Tensor palette_surprise(const at::Tensor& painted, const at::Tensor& entries, const at::Tensor& palette,
                            const at::Tensor& num_colors, const at::Tensor& counted);

}  // namespace zoe::train
