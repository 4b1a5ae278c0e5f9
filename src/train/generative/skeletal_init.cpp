// SPDX-License-Identifier: MIT
#include "train/generative/skeletal_init.h"

#include <algorithm>
#include <sstream>

#include "zoe/nn/graph_file.h"

namespace zoe::train {
namespace {

constexpr const char* kTableEnding = "_table";

// The table [classes, width] of relation terms, which the graph has as a block of rows for each head.
at::Tensor table_of_blocks(const at::Tensor& blocks, std::int64_t heads) {
  const std::int64_t classes = blocks.size(0) / heads, width = blocks.size(1);
  const at::Tensor by_head = blocks.view({heads, classes, width});
  std::vector<at::Tensor> columns;
  for (std::int64_t head = 0; head < heads; ++head)
    columns.push_back(by_head[head].narrow(1, head * (width / heads), width / heads));
  return at::cat(columns, 1);
}

}  // namespace

Result<void> load_skeletal_network(const std::filesystem::path& path, const Parameters& parameters, std::int64_t heads,
                                   at::Tensor mean, at::Tensor spread) {
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
  for (const auto& [key, target] : {std::pair<const char*, at::Tensor>{"zoe.means", mean}, {"zoe.spreads", spread}}) {
    const auto text = graph.metadata.find(key);
    if (text == graph.metadata.end()) return other_sizes(key);
    std::istringstream words(text->second);
    std::vector<float> numbers;
    for (float value = 0; words >> value;) numbers.push_back(value);
    if (static_cast<std::int64_t>(numbers.size()) != target.numel()) return other_sizes(key);
    target.detach().copy_(at::tensor(numbers).view(target.sizes()));
  }
  return {};
}

}  // namespace zoe::train
