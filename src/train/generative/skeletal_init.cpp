// SPDX-License-Identifier: MIT
#include "train/generative/skeletal_init.h"

#include <algorithm>
#include <sstream>

#include "zoe/nn/graph_file.h"

namespace zoe::train {
namespace {

constexpr const char* kTableEnding = "_table";
constexpr std::int64_t kGroupEnds[] = {3, 9, 12, 13};  // Columns of a token: position, rotation, velocity, contact.

// The table [classes, width] of relation terms, which the graph has as a block of rows for each head.
at::Tensor table_of_blocks(const at::Tensor& blocks, std::int64_t heads) {
  const std::int64_t classes = blocks.size(0) / heads, width = blocks.size(1);
  const at::Tensor by_head = blocks.view({heads, classes, width});
  std::vector<at::Tensor> columns;
  for (std::int64_t head = 0; head < heads; ++head)
    columns.push_back(by_head[head].narrow(1, head * (width / heads), width / heads));
  return at::cat(columns, 1);
}

// A column of the new numbers is factor * (the old one) + offset.
void renormalise(const Parameters& parameters, const at::Tensor& old_mean, const at::Tensor& old_spread,
                 const at::Tensor& mean, const at::Tensor& spread) {
  const auto find = [&](const char* name) {
    const std::vector<NamedTensor>& all = parameters.weights();
    return std::find_if(all.begin(), all.end(), [&](const NamedTensor& item) { return item.name == name; })
        ->tensor.detach();
  };
  const std::int64_t token = mean.numel();
  const at::Tensor in = find("in.weight"), out = find("out.weight"), out_bias = find("out.bias");
  const at::Tensor factor = old_spread / spread, offset = (old_mean - mean) / spread;
  out.mul_(factor.unsqueeze(1));
  out_bias.mul_(factor).add_(offset);
  // Noise has no offset, so that x gets none; what is known has one where it is known.
  const at::Tensor known = in.narrow(1, token, token);
  const at::Tensor moved = known * ((mean - old_mean) / old_spread);  // [width, token]
  const std::int64_t groups = in.size(1) - 2 * token;
  std::int64_t begin = 0;
  for (std::int64_t g = 0; g < groups; ++g) {
    const std::int64_t end = groups == 4 ? kGroupEnds[g] : token;
    in.narrow(1, 2 * token + g, 1).add_(moved.narrow(1, begin, end - begin).sum(1, true));
    begin = end;
  }
  known.div_(factor);
  in.narrow(1, 0, token).div_(factor);
}

}  // namespace

Result<void> load_skeletal_network(const std::filesystem::path& path, const Parameters& parameters, std::int64_t heads,
                                   const at::Tensor& mean, const at::Tensor& spread) {
  const c10::NoGradGuard no_gradients;
  ZOE_TRY_ASSIGN(const nn::Graph graph, nn::read_graph(path));
  const auto other_sizes = [&](const std::string& name) {
    return Error{ErrorCode::kUsage,
                 "model.init: '" + name +
                     "' is missing or has another size: set model.width, model.heads and "
                     "model.blocks as they were",
                 {.file = path.string()}};
  };
  for (const NamedTensor& item : parameters.weights()) {
    const bool is_table = item.name.ends_with(kTableEnding);
    const std::string name = is_table ? item.name + ".weight" : item.name;
    const auto found =
        std::find_if(graph.weights.begin(), graph.weights.end(), [&](const nn::Weight& w) { return w.name == name; });
    if (found == graph.weights.end()) return other_sizes(name);
    std::vector<std::int64_t> shape(found->shape.begin(), found->shape.end());
    if (is_table && (shape.size() != 2 || shape[0] % heads != 0 || shape[1] % heads != 0)) return other_sizes(name);
    at::Tensor values = at::tensor(found->to_floats()).view(shape);
    if (is_table) values = table_of_blocks(values, heads);
    if (values.sizes() != item.tensor.sizes()) return other_sizes(name);
    item.tensor.detach().copy_(values);
  }
  // Numbers of this data are other normalised numbers than those that the network learnt: its first and last layer take
  // the difference.
  std::vector<at::Tensor> learnt;
  for (const char* key : {"zoe.means", "zoe.spreads"}) {
    const auto text = graph.metadata.find(key);
    if (text == graph.metadata.end()) return other_sizes(key);
    std::istringstream words(text->second);
    std::vector<float> numbers;
    for (float value = 0; words >> value;) numbers.push_back(value);
    if (static_cast<std::int64_t>(numbers.size()) != mean.numel()) return other_sizes(key);
    learnt.push_back(at::tensor(numbers).to(mean.options()));
  }
  renormalise(parameters, learnt[0], learnt[1], mean, spread);
  return {};
}

}  // namespace zoe::train
