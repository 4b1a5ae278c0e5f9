// SPDX-License-Identifier: MIT
// Part of Zoetrope. Discrete codes: categorical channels (soft, for codebook matching) and a vector-quantised codebook.
#pragma once

#include "train/blocks.h"
#include "train/collective.h"

namespace zoe::train {

// logits [batch, channels * classes] -> the probabilities of the classes of each channel, same shape.
at::Tensor categorical(const at::Tensor& logits, std::int64_t classes);
// The same with Gumbel noise on the logits, at temperature 1 (Jang, Gu and Poole, 2017): a soft sample. scale: of the
// noise.
at::Tensor sample_categorical(const at::Tensor& logits, std::int64_t classes, double scale = 1);
// Mean number of classes that a channel uses over a batch: exp(entropy of the mean probabilities), from 1 to classes.
at::Tensor perplexity(const at::Tensor& probabilities, std::int64_t classes);

// From a sequence to logits: each frame by an MLP to `codes` numbers, then each of these over time by a small shared
// MLP. The second MLP has its own width: with the first's it would cost ten times all the rest.
struct SpaceTimeEncoder {
  SpaceTimeEncoder(Parameters& parameters, const std::string& name, std::int64_t in, std::int64_t hidden,
                   std::int64_t codes, int steps, std::int64_t time_hidden, double dropout);
  at::Tensor operator()(const at::Tensor& x,
                        bool training) const;  // [batch, steps, in] -> [batch, codes]

  Mlp space, time;
};

// The nearest of `codes` vectors, which follow their inputs by a running average (van den Oord et al., 2017, A.1).
// Gradients pass straight through to the input. Unused codes are moved onto inputs of the batch.
class VectorQuantiser {
 public:
  VectorQuantiser(Parameters& parameters, const std::string& name, std::int64_t codes, std::int64_t width,
                  double decay);

  struct Out {
    at::Tensor quantised;   // Shape of z; its gradient is z's.
    at::Tensor index;       // [rows] Index of the code.
    at::Tensor commitment;  // Mean squared distance from z to its code. Its gradient changes z only.
  };
  // z: [rows, width]. In training update() uses them.
  Out operator()(const at::Tensor& z, bool training);
  at::Tensor nearest(const at::Tensor& z) const;  // [rows] Indices of the nearest codes.
  // Squared distances to all codes, minus |z|^2, which is the same for all.
  int build_distance(GraphBuilder& builder, int z) const;

  at::Tensor usage(const at::Tensor& index) const;       // Fraction of the codes that occur.
  at::Tensor perplexity(const at::Tensor& index) const;  // exp(entropy of their frequencies).

  // Moves the codes after a training step, from the inputs of all ranks.
  void update(Collective& collective);
  const at::Tensor& codes() const { return codes_; }

 private:
  at::Tensor counts(const at::Tensor& index) const;  // [codes] Frequency of each.
  at::Tensor shares(const at::Tensor& index) const;

  at::Tensor codes_, counts_, sums_;  // [codes, width], [codes], [codes, width]
  double decay_;
  at::Tensor last_z_, last_index_;
};

}  // namespace zoe::train
