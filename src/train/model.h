// SPDX-License-Identifier: MIT
// Part of Zoetrope. The trainer's view of a model: a loss for a batch, and a graph at the end.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "zoe/store/config.h"
#include "zoe/train/batch_source.h"
#include "zoe/train/toy.h"

#include "train/blocks.h"
#include "train/collective.h"
#include "train/losses.h"

namespace zoe::train {

// One tensor for each requested field, in the model's order: [batch, steps, width], in the data's own units.
using Batch = std::vector<at::Tensor>;

// Weights that are optimised in a turn of their own (turn_settings.h).
struct TurnInfo {
  std::string name;    // That of its settings; empty: the only one.
  std::string prefix;  // Of the names of its weights.
};

struct ModelSetup {
  const Config& config;
  std::span<const Field> fields;                // The requested ones, in the model's order.
  std::span<const FieldStatistics> statistics;  // The same.
  at::TensorOptions options;                    // Device; float, or double for gradient checks.
};

class Model {
 public:
  explicit Model(const ModelSetup& setup) : parameters_(setup.options), loss_weights_(setup.config, setup.options) {}
  virtual ~Model() = default;

  // The minimised loss, and the measure of validations (training = false).
  virtual Losses loss(const Batch& batch) = 0;

  // Adversarial models optimise parts of their weights in turn, each by its own loss. loss() is then for validation.
  virtual std::vector<TurnInfo> turns() const { return {{}}; }
  virtual Losses turn_loss(std::size_t turn, const Batch& batch);

  // The computation of graph() in torch, in the data's units, for tests. Inputs and outputs as the graph's, [batch,
  // steps, width].
  virtual std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) = 0;
  virtual Result<nn::Graph> graph() = 0;
  // Models whose graph() starts from codes have a second network, which computes the codes of data. encode() is its
  // predict().
  virtual bool has_encoder() const { return false; }
  virtual Result<nn::Graph> encoder_graph();
  virtual std::vector<at::Tensor> encode(const std::vector<at::Tensor>& inputs);

  // Called after the optimiser's step, with the batch of this rank: for codebooks that follow by averages.
  virtual void after_step(Collective&) {}

  // What the model makes now, for people to look at: named arrays, from a batch of the validation samples (training =
  // false, no gradients). Empty: nothing.
  virtual std::vector<NamedTensor> sample(const Batch& batch);

  const Parameters& parameters() const { return parameters_; }
  Parameters& parameters() { return parameters_; }
  LossWeights& loss_weights() { return loss_weights_; }
  bool training = true;  // Dropout and sampling on.

 protected:
  // The weighted sum of a model's named losses.
  Losses total(std::vector<LossTerm> terms, LoggedValues values = {}) const {
    return loss_weights_.sum(std::move(terms), training, std::move(values));
  }

  Parameters parameters_;
  LossWeights loss_weights_;
};

struct ModelInfo {
  const char* name;
  const char* summary;
  std::vector<const char*> fields;  // Fields that it reads from a data source.
  ToyKind toy;                      // Toy data that it can learn.
  void (*add_keys)(ConfigSchema& schema);
  Result<std::unique_ptr<Model>> (*create)(const ModelSetup& setup);
  std::vector<const char*> optional_fields = {};  // Fields that it reads where the source has them.
  bool ragged = false;                            // Reads a dataset as joint_source.h does.
};

const std::vector<ModelInfo>& model_table();
Result<const ModelInfo*> find_model(const std::string& name);

// Indices of the fields of `info` among the source's. Refuses a source that lacks one. Data without x, such as layouts
// with an output only, give their y to a model that needs nothing but x.
Result<std::vector<std::size_t>> select_fields(const ModelInfo& info, std::span<const Field> fields);

}  // namespace zoe::train
