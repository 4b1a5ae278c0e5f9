// SPDX-License-Identifier: MIT
#include "train/generative/skeletal_teacher.h"

#include "zoe/nn/graph_file.h"

#include "train/checkpoints.h"
#include "train/state.h"

namespace zoe::train {
namespace {

std::vector<NamedTensor> prefixed_tensors(const char* prefix, const std::vector<NamedTensor>& named) {
  std::vector<NamedTensor> all;
  for (const NamedTensor& item : named) all.push_back({prefix + item.name, item.tensor});
  return all;
}

}  // namespace

Result<std::unique_ptr<SkeletalTeacher>> SkeletalTeacher::load(const std::filesystem::path& folder,
                                                               const SkeletalSizes& sizes,
                                                               const nn::NoiseProcess& process, const Counts& counts,
                                                               at::TensorOptions options) {
  const std::filesystem::path network = folder / "model.safetensors";
  ZOE_TRY_ASSIGN(const nn::Graph graph, nn::read_graph(network));
  const auto text = graph.metadata.find(nn::kProcessKey);
  if (text == graph.metadata.end() || text->second != process.to_text()) {
    return Error{ErrorCode::kUsage,
                 "model.teacher: the teacher's process is '" +
                     (text == graph.metadata.end() ? std::string("none") : text->second) + "', the student's '" +
                     process.to_text() + "': set model.schedule and model.levels alike",
                 {.file = network.string()}};
  }
  // Runs without validation have no best weights.
  const Checkpoints checkpoints(folder / "checkpoints", 1);
  std::filesystem::path path = checkpoints.best_path();
  if (const std::vector<std::int64_t> steps = checkpoints.steps(); !std::filesystem::exists(path) && !steps.empty())
    path = checkpoints.path(steps.front());
  std::unique_ptr<SkeletalTeacher> teacher(new SkeletalTeacher(path, sizes, counts, options));
  ZOE_TRY_ASSIGN(const Safetensors file, open_checkpoint(teacher->path_));
  ZOE_TRY(load_tensors(file, prefixed_tensors("weights.", teacher->parameters_.weights())));
  ZOE_TRY_ASSIGN(const std::vector<int> levels, nn::step_levels(process, static_cast<int>(counts.student)));
  teacher->levels_ = at::tensor(std::vector<std::int64_t>(levels.begin(), levels.end())).to(options.device());
  return teacher;
}

Result<void> SkeletalTeacher::copy_to(Parameters& student) const {
  ZOE_TRY_ASSIGN(const Safetensors file, open_checkpoint(path_));
  ZOE_TRY(load_tensors(file, prefixed_tensors("weights.", student.weights())));
  return load_tensors(file, prefixed_tensors("buffers.", student.buffers()));
}

at::Tensor SkeletalTeacher::data(const Process& process, const SkeletalInput& in, const Steps& steps,
                                 const at::Tensor& known) const {
  const c10::NoGradGuard no_gradients;
  const std::int64_t parts = counts_.teacher / counts_.student;
  SkeletalInput moved = in;
  at::Tensor level = steps.from;
  for (std::int64_t part = 1; part <= parts; ++part) {
    // The step that ends in data has parts that get shorter: a last part from much noise would arrive at the mean of
    // all motions that fit, which moves less than any of them.
    const std::int64_t left = parts - part;
    const at::Tensor even = at::floor_divide((steps.from - steps.to) * left, parts);
    const at::Tensor next =
        steps.to + at::where(steps.to == 0, at::floor_divide(steps.from * left * left, parts * parts), even);
    moved.time = process.time(level);
    at::Tensor prediction = net_(moved).prediction;
    if (counts_.guidance != 1) {
      SkeletalInput without = moved;
      without.words = at::zeros_like(moved.words);
      prediction = guided(counts_.guidance, net_(without).prediction, prediction);
    }
    moved.x = process.step(moved.x, prediction, level, next);
    moved.x = moved.x + (in.known - moved.x) * known;
    level = next;
  }
  // What is known is no part of the loss.
  const at::Tensor taught = process.data_of_step(in.x, moved.x, steps.from, steps.to);
  return taught + (in.known - taught) * known;
}

at::Tensor SkeletalTeacher::student_path(const Process& process, const SkeletalNet& student, const SkeletalInput& in,
                                         const Steps& steps, const at::Tensor& noise, const at::Tensor& known) const {
  const c10::NoGradGuard no_gradients;
  SkeletalInput moved = in;
  moved.x = noise;
  at::Tensor arrived = noise;
  for (std::int64_t k = 0; k + 1 < counts_.student; ++k) {
    const at::Tensor from = levels_.narrow(0, k, 1).expand_as(steps.from),
                     to = levels_.narrow(0, k + 1, 1).expand_as(steps.from);
    moved.x = moved.x + (in.known - moved.x) * known;
    moved.time = process.time(from);
    moved.x = process.step(moved.x, student(moved).prediction, from, to);
    const at::Tensor is_later = (steps.from <= to).to(noise.scalar_type()).view({-1, 1, 1, 1});
    arrived = arrived + (moved.x - arrived) * is_later;
  }
  return arrived;
}

}  // namespace zoe::train
