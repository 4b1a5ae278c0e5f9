// SPDX-License-Identifier: MIT
// Part of Zoetrope. The transformer over patches of all frames of a clip: attention within a frame, along time at the
// same patch, and to the keys (patches of the reference, words of the caption). Levels of noise and the caption
// as a whole scale and shift what blocks read.
#pragma once

#include <filesystem>

#include "train/sequence_blocks.h"

namespace zoe::train {

struct VideoSizes {
  std::int64_t width = 0, heads = 0, blocks = 0;
  std::int64_t text_width = 0, text_blocks = 0, num_words = 0;  // Without number 0.
  std::int64_t patches = 0;                                     // Of a frame.
};

// Attention that is added to x: queries of the normalised x; keys of the same, or others.
struct AddedAttention {
  AddedAttention(Parameters& parameters, const std::string& name, std::int64_t width, std::int64_t heads);
  LayerNorm norm;
  Linear query, key, value, out;
  std::int64_t heads;
};

struct VideoBlock {
  // along_time: with attention between the frames.
  VideoBlock(Parameters& parameters, const std::string& name, const VideoSizes& sizes, bool along_time);
  // x [batch, frames, patches, width], keys [batch, keys, width], mask [batch, keys], style [batch, 4 × width].
  at::Tensor operator()(at::Tensor x, const at::Tensor& keys, const at::Tensor& mask, const at::Tensor& style) const;
  int build(GraphBuilder& b, int x, int keys, int mask, int style, int patches) const;

  std::string name;
  AddedAttention within, across;
  std::vector<AddedAttention> along;  // One or none.
  LayerNorm norm;
  Linear widen, narrow;
  at::Tensor own_style;  // [4 × width]: scale and shift of what `within` reads, then of what `widen` reads.
};

class VideoNet {
 public:
  VideoNet(Parameters& parameters, const VideoSizes& sizes);
  // Inputs of VideoPainter in its order, [batch, rows, width]; the result is [batch, rows, paint::kPatchNumbers].
  at::Tensor operator()(const std::vector<at::Tensor>& inputs) const;
  // frames: 0: a dimension of the graph.
  Result<nn::Graph> graph(int frames, const Metadata& metadata) const;

 private:
  at::Tensor text(const at::Tensor& words, const at::Tensor& mask) const;  // [batch, rows, text width]

  VideoSizes sizes_;
  Linear in_, key_in_, key_out_, time_in_, time_out_, style_, text_out_, text_style_;
  at::Tensor table_;  // [1 + words, text width]
  std::vector<TransformerBlock> text_blocks_;
  LayerNorm key_norm_, out_norm_;
  std::vector<VideoBlock> blocks_;
  Linear out_, out_alone_;  // What is added to a guess; the picture where there is none.
};

// Copies the weights of a model.safetensors of `zoe train sprite_video`. Refuses networks of other sizes.
Result<void> load_video_network(const std::filesystem::path& path, const Parameters& parameters);

}  // namespace zoe::train
