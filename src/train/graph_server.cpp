// SPDX-License-Identifier: MIT
#include "zoe/train/graph_server.h"

#include <cstdio>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include <c10/core/InferenceMode.h>
#include <time.h>

#include "zoe/nn/graph_file.h"
#include "zoe/train/run.h"

#include "train/threads.h"
#include "train/torch_graph.h"

namespace zoe::train {
namespace {

double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Served {
  TorchGraph graph;
  std::vector<at::Tensor> inputs;
};

// The inputs of all ports, one after another.
Result<Served> open(std::int64_t batch, const std::string& file, std::string_view inputs_of_all) {
  ZOE_TRY_ASSIGN(nn::Graph graph, nn::read_graph(file));
  ZOE_TRY_ASSIGN(TorchGraph torch, TorchGraph::make(std::move(graph)));
  std::vector<at::Tensor> inputs;
  for (const nn::Port& port : torch.graph().inputs) {
    std::vector<std::int64_t> shape{batch, port.shape.steps, port.shape.width};
    if (port.shape.steps == 1) shape.erase(shape.begin() + 1);
    at::Tensor tensor = at::empty(shape, at::kFloat);
    if (inputs_of_all.size() < tensor.nbytes()) return Error{ErrorCode::kInvalid, "the inputs are too few"};
    std::memcpy(tensor.data_ptr(), inputs_of_all.data(), tensor.nbytes());
    inputs_of_all.remove_prefix(tensor.nbytes());
    inputs.push_back(tensor);
  }
  return Served{std::move(torch), std::move(inputs)};
}

}  // namespace

int serve_graphs() {
  set_threads(1);
  const c10::InferenceMode inference;
  std::optional<Served> served;
  std::string word;
  while (std::cin >> word) {
    if (word == "open") {
      std::int64_t batch = 0;
      std::size_t bytes = 0;
      std::string file;
      std::cin >> batch >> bytes;
      std::cin.get();
      std::getline(std::cin, file);
      // Read in any case: what is left of a graph that is refused would be taken for words.
      std::string inputs(bytes, '\0');
      std::cin.read(inputs.data(), static_cast<std::streamsize>(bytes));
      Result<Served> opened = open(batch, file, inputs);
      if (!opened) {
        std::cout << "error " << opened.error().message << std::endl;
        continue;
      }
      served.emplace(std::move(opened).value());
      std::cout << "ok " << torch_version() << '\n';
      for (const at::Tensor& out : served->graph(served->inputs)) {
        const at::Tensor plain = out.contiguous();
        std::cout.write(static_cast<const char*>(plain.data_ptr()), static_cast<std::streamsize>(plain.nbytes()));
      }
      std::cout.flush();
    } else if (word == "time" && served) {
      long calls = 0;
      std::cin >> calls;
      std::cin.get();
      const double start = thread_cpu_s();
      for (long i = 0; i < calls; ++i) served->graph(served->inputs);
      std::cout << std::to_string(1e9 * (thread_cpu_s() - start)) << std::endl;
    } else {
      std::cout << "error unknown word " << word << std::endl;
    }
  }
  return 0;
}

}  // namespace zoe::train
