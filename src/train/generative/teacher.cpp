// SPDX-License-Identifier: MIT
#include "train/generative/teacher.h"

#include "zoe/nn/graph_file.h"

namespace zoe::train {
namespace {

const nn::Weight* find_weight(const nn::Graph& graph, const std::string& name) {
  for (const nn::Weight& weight : graph.weights) {
    if (weight.name == name) return &weight;
  }
  return nullptr;
}

bool is_near(const nn::Graph& graph, const std::string& name, const at::Tensor& expected) {
  const nn::Weight* weight = find_weight(graph, name);
  if (weight == nullptr || weight->num_items() != static_cast<std::size_t>(expected.numel())) return false;
  return at::allclose(at::tensor(weight->to_floats()), expected.to(at::kCPU, at::kFloat), 1e-5, 1e-6);
}

}  // namespace

Result<std::unique_ptr<Teacher>> Teacher::load(const std::filesystem::path& folder, const DenoiserSizes& sizes,
                                               const nn::NoiseProcess& process, const at::Tensor& mean,
                                               const at::Tensor& spread, Distillation how, at::TensorOptions options) {
  const std::filesystem::path path = folder / "model.safetensors";
  const auto refuse = [&](const std::string& message) {
    return Error{ErrorCode::kUsage, "model.teacher: " + message, {.file = path.string()}};
  };
  ZOE_TRY_ASSIGN(const nn::Graph graph, nn::read_graph(path));
  const auto text = graph.metadata.find(nn::kProcessKey);
  if (text == graph.metadata.end()) return refuse("the run is no diffusion or flow model");
  if (text->second != process.to_text())
    return refuse("the teacher's process is '" + text->second + "', the student's '" + process.to_text() +
                  "': set model.schedule, model.prediction and model.levels alike");
  std::unique_ptr<Teacher> teacher(new Teacher(sizes, how, options));
  const c10::NoGradGuard no_gradients;
  for (const NamedTensor& item : teacher->parameters_.weights()) {
    const nn::Weight* weight = find_weight(graph, item.name);
    if (weight == nullptr || weight->shape != dims_of(item.tensor))
      return refuse("'" + item.name + "' has another shape: set the sizes in [model] as in the teacher's config.toml");
    at::Tensor tensor = item.tensor.detach();
    tensor.copy_(at::tensor(weight->to_floats()).view(item.tensor.sizes()));
  }
  for (const char* field : {"x", "y"}) {
    const std::string name = std::string("normalisation.") + field;
    if (find_weight(graph, name + ".mean") != nullptr &&
        (!is_near(graph, name + ".mean", mean) || !is_near(graph, name + ".std", spread)))
      return refuse("it was trained on other data: means and spreads differ");
  }
  ZOE_TRY_ASSIGN(const std::vector<int> levels,
                 nn::step_levels(process, static_cast<int>(how.consistency ? how.teacher : how.student)));
  teacher->levels_ = at::tensor(std::vector<std::int64_t>(levels.begin(), levels.end())).to(options.device());
  return teacher;
}

void Teacher::copy_weights(Parameters& student) const {
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < student.weights().size(); ++i) {
    at::Tensor tensor = student.weights()[i].tensor.detach();
    tensor.copy_(parameters_.weights()[i].tensor);
  }
}

at::Tensor Teacher::data(const Process& process, const at::Tensor& x, const Steps& steps, const at::Tensor& condition,
                         const at::Tensor& guided, const Estimate& student) const {
  const c10::NoGradGuard no_gradients;
  const std::int64_t parts = how_.consistency ? 1 : how_.teacher / how_.student;
  at::Tensor moved = x, level = steps.from;
  for (std::int64_t part = 1; part <= parts; ++part) {
    const at::Tensor next = steps.from - at::floor_divide((steps.from - steps.to) * part, parts);
    const at::Tensor prediction = net_(moved, process.time(level), condition, guided);
    moved = process.step(moved, process.to_data(moved, prediction, level), level, next);
    level = next;
  }
  if (!how_.consistency) return process.data_of_step(x, moved, steps.from, steps.to);
  // Without noise x is the data.
  const at::Tensor ends = (steps.to == 0).view({-1, 1, 1});
  return at::where(ends, moved, student(moved, steps.to));
}

}  // namespace zoe::train
