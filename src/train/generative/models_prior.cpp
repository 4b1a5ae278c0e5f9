// SPDX-License-Identifier: MIT
// The autoregressive prior over code numbers of a vector-quantised model: vq_prior.
#include "train/models.h"
#include "train/sequence_blocks.h"

namespace zoe::train {
namespace {

// x [steps, groups] are code numbers: `groups` for each window of motion, window after window. Every number is
// predicted from all before it, by a GRU. The graph is one number: code (the number before; model.codes at the start),
// group (its position in the window) and the state h give the logits of the next.
class VqPrior final : public Model {
 public:
  static Result<std::unique_ptr<Model>> create(const ModelSetup& setup) {
    return std::unique_ptr<Model>(new VqPrior(setup));
  }

  Losses loss(const Batch& batch) override {
    const at::Tensor codes = batch[0].flatten(1).round().to(at::kLong);  // [batch, numbers]
    const std::int64_t size = codes.size(0), numbers = codes.size(1);
    const at::Tensor start = at::full({size, 1}, codes_, codes.options());
    const at::Tensor before = at::cat({start, codes.narrow(1, 0, numbers - 1)}, 1);
    const at::Tensor group = at::remainder(at::arange(numbers, codes.options()), groups_).repeat({size});
    std::vector<at::Tensor> states;
    const at::Tensor x = embed(before.flatten(), group).view({size, numbers, -1});
    const at::Tensor logits = out_(cell_(x, states, training)).flatten(0, 1);
    const at::Tensor loss = at::nll_loss(at::log_softmax(logits, 1), codes.flatten());
    const at::Tensor hits = (logits.detach().argmax(1) == codes.flatten()).to(logits.scalar_type()).mean();
    return {loss, {{"perplexity", loss.detach().exp()}, {"hits", hits}}};
  }

  std::vector<at::Tensor> predict(const std::vector<at::Tensor>& inputs) override {
    const auto index = [](const at::Tensor& x, std::int64_t rows) {
      return x.round().clamp(0, rows - 1).to(at::kLong).flatten();
    };
    std::vector<at::Tensor> states{inputs[2].squeeze(1)};
    const at::Tensor x = embed(index(inputs[0], codes_ + 1), index(inputs[1], groups_)).unsqueeze(1);
    const at::Tensor logits = out_(cell_(x, states, false));
    return {logits, states[0].unsqueeze(1)};
  }

  Result<nn::Graph> graph() override {
    GraphBuilder b;
    const int code = b.input("code", 1), group = b.input("group", 1);
    std::vector<int> states{b.input("h", static_cast<int>(cell_.w_state.size(1)))};
    const int x = b.add(b.embedding(code, "codes", dims_of(code_table_), floats_of(code_table_)),
                        b.embedding(group, "groups", dims_of(group_table_), floats_of(group_table_)));
    b.output("logits", out_.build(b, cell_.build(b, x, states)));
    b.output("h", states[0]);
    b.set_metadata("zoe.groups", std::to_string(groups_));
    return std::move(b).build();
  }

  static void add_keys(ConfigSchema& schema) {
    schema.add("model.codes", 512, "vectors in the codebook of the vq run")
        .add("model.embedding", 64, "width of the embedding of a code number")
        .add("model.hidden", 256, "width of the GRU's state");
  }

 private:
  explicit VqPrior(const ModelSetup& setup)
      : Model(setup),
        groups_(setup.fields[0].width),
        codes_(integer(setup, "model.codes")),
        code_table_(parameters_.weight("codes.table", {codes_ + 1, integer(setup, "model.embedding")}, 0.5)),
        group_table_(parameters_.weight("groups.table", {groups_, integer(setup, "model.embedding")}, 0.5)),
        cell_(parameters_, "cell", integer(setup, "model.embedding"), integer(setup, "model.hidden"), /*lstm=*/false),
        out_(parameters_, "out", integer(setup, "model.hidden"), codes_) {}

  at::Tensor embed(const at::Tensor& code, const at::Tensor& group) const {
    return code_table_.index_select(0, code) + group_table_.index_select(0, group);
  }

  std::int64_t groups_, codes_;
  at::Tensor code_table_, group_table_;  // [codes + 1, embedding], [groups, embedding]
  Recurrent cell_;
  Linear out_;
};

}  // namespace

std::vector<ModelInfo> prior_models() {
  return {{"vq_prior",
           "sequences of a vq run's code numbers, each from those before (`zoe encode DATASET` writes them)",
           {"x"},
           ToyKind::kCodes,
           VqPrior::add_keys,
           VqPrior::create}};
}

}  // namespace zoe::train
