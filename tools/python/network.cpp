// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: networks.
#include "zoe/nn/network.h"

#include "binding.h"

namespace zoe::python {

namespace {

// A network with the state for the last batch size and sizes of dimensions. One thread at a time.
class NetworkRun {
 public:
  explicit NetworkRun(const std::filesystem::path& path) : network_(unwrap(nn::load_network(path))) {}

  const nn::Network& network() const { return *network_; }

  py::dict evaluate(const std::map<std::string, FloatArray>& inputs, const std::map<std::string, int>& sizes) {
    prepare(inputs, sizes);
    const auto in_ports = state_->inputs(), out_ports = state_->outputs();
    std::vector<std::span<const float>> in;
    for (const nn::Port& port : in_ports) {
      const auto found = inputs.find(port.name);
      if (found == inputs.end()) throw py::value_error("the network needs the input " + port.name);
      const auto wanted = static_cast<std::size_t>(batch_) * port.shape.size();
      if (static_cast<std::size_t>(found->second.size()) != wanted) {
        throw py::value_error("input " + port.name + " must have " + std::to_string(wanted) + " numbers: [" +
                              std::to_string(batch_) + ", " + std::to_string(port.shape.steps) + ", " +
                              std::to_string(port.shape.width) + "]");
      }
      in.emplace_back(found->second.data(), wanted);
    }
    std::vector<std::vector<float>> results;
    std::vector<std::span<float>> out;
    for (const nn::Port& port : out_ports) results.emplace_back(static_cast<std::size_t>(batch_) * port.shape.size());
    for (auto& result : results) out.emplace_back(result);
    bool ran = false;
    {
      const py::gil_scoped_release released;
      ran = nn::NetworkJob{.network = network_.get(), .state = &*state_, .batch = batch_, .inputs = in, .outputs = out}
                .run();
    }
    if (!ran) throw PythonError("the network refused the inputs");
    py::dict outputs;
    for (std::size_t i = 0; i < results.size(); ++i) {
      outputs[out_ports[i].name.c_str()] =
          take(std::move(results[i]), {batch_, out_ports[i].shape.steps, out_ports[i].shape.width});
    }
    return outputs;
  }

 private:
  // The batch is the first dimension of the first input.
  void prepare(const std::map<std::string, FloatArray>& inputs, const std::map<std::string, int>& sizes) {
    const std::string& first = network_->inputs().front().name;
    const auto found = inputs.find(first);
    if (found == inputs.end()) throw py::value_error("the network needs the input " + first);
    const int batch = found->second.ndim() > 1 ? static_cast<int>(found->second.shape(0)) : 1;
    if (batch < 1) throw py::value_error("a batch has at least one item");
    if (!state_ || state_->max_batch() < batch || sizes != sizes_) {
      std::vector<nn::DimSize> dims;
      for (const auto& [name, size] : sizes) dims.push_back({name, size});
      state_ = std::make_unique<nn::NetworkState>(unwrap(nn::make_state(*network_, batch, dims)));
      sizes_ = sizes;
    }
    batch_ = batch;
  }

  nn::NetworkPtr network_;
  std::unique_ptr<nn::NetworkState> state_;
  std::map<std::string, int> sizes_;
  int batch_ = 0;
};

std::map<std::string, std::pair<int, int>> ports_of(std::span<const nn::Port> ports) {
  std::map<std::string, std::pair<int, int>> out;
  for (const nn::Port& port : ports) out[port.name] = {port.shape.steps, port.shape.width};
  return out;
}

}  // namespace

void bind_network(py::module_& module) {
  py::class_<NetworkRun>(module, "Network", "A trained network, evaluated without torch. For one thread at a time.")
      .def(py::init<const std::filesystem::path&>(), py::arg("path"), py::call_guard<py::gil_scoped_release>(),
           "Loads a .safetensors file of zoe.")
      .def_property_readonly(
          "inputs", [](const NetworkRun& run) { return ports_of(run.network().inputs()); },
          "{name: (rows, width)}. Rows are 0 where they depend on dimensions.")
      .def_property_readonly(
          "outputs", [](const NetworkRun& run) { return ports_of(run.network().outputs()); },
          "{name: (rows, width)}, as inputs.")
      .def_property_readonly(
          "dims",
          [](const NetworkRun& run) {
            const auto dims = run.network().dims();
            return std::vector<std::string>(dims.begin(), dims.end());
          },
          "Dimensions whose sizes evaluate() needs.")
      .def_property_readonly(
          "metadata",
          [](const NetworkRun& run) {
            py::dict out;
            for (const auto& [key, value] : run.network().metadata()) out[py::str(key)] = py::str(value);
            return out;
          },
          "Texts of the file: layout, licence, …")
      .def("evaluate", &NetworkRun::evaluate, py::arg("inputs"), py::arg("sizes") = std::map<std::string, int>{},
           "{name: array [batch, rows, width]} in and out; float32.");
}

}  // namespace zoe::python
