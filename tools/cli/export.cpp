// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe export`: a network as ONNX or TorchScript with a description, or as our own
// file with smaller weights; a controller as one file, or as a folder for programs without zoe.
#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "zoe/author/engine_export.h"
#include "zoe/author/trainer.h"
#include "zoe/control/load.h"
#include "zoe/io/npz_file.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/onnx.h"
#include "zoe/nn/quantize.h"
#include "zoe/store/npy.h"

#include "export_description.h"
#include "export_sizes.h"
#include "temporary_folder.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using nn::WeightType;

struct Request {
  std::string model, output, dtype, data;
  std::vector<std::string> sizes;  // NAME=N
  int samples = 512;
  std::uint64_t seed = 1;
  float max_error_percent = 1;
  bool json = false, for_engine = false;
};

struct Items {
  int count = 0;
  std::vector<std::vector<float>> inputs;
};

// One array per input, [count, …] with the input's size per item. A single .npy is enough for a network with one input.
Result<Items> read_items(const std::string& path, const nn::Graph& graph) {
  Items items;
  const auto take = [&](const nn::Port& port, const ArrayView& array) -> Result<void> {
    ZOE_TRY_ASSIGN(std::vector<float> values, to_floats(array));
    const std::size_t size = port.shape.size();
    const int count = array.shape.empty() ? 0 : static_cast<int>(array.shape[0]);
    if (count == 0 || values.size() != size * static_cast<std::size_t>(count) ||
        (items.count > 0 && count != items.count)) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("input '{}' takes {} numbers per item; the array is [{}]", port.name, size,
                               fmt::join(array.shape, ", ")),
                   {.file = path}};
    }
    items.count = count;
    items.inputs.push_back(std::move(values));
    return {};
  };
  if (std::filesystem::path(path).extension() == ".npy") {
    if (graph.inputs.size() != 1) {
      return Error{ErrorCode::kUsage,
                   fmt::format("the network has {} inputs: give an .npz with an array for each", graph.inputs.size()),
                   {}};
    }
    ZOE_TRY_ASSIGN(const NpyFile file, NpyFile::open(path));
    ZOE_TRY(take(graph.inputs[0], file.array()));
    return items;
  }
  ZOE_TRY_ASSIGN(const io::Npz file, io::Npz::open(path));
  for (const nn::Port& port : graph.inputs) {
    ZOE_TRY_ASSIGN(const Array array, file.read(port.name));
    ZOE_TRY(take(port, array.view()));
  }
  return items;
}

Result<nn::SmallNetwork> convert(const Request& request, WeightType type, const nn::Graph& exact, int& count) {
  Items items;
  if (request.data.empty()) {
    items = {request.samples, nn::made_up_inputs(exact, request.samples, request.seed)};
  } else {
    ZOE_TRY_ASSIGN(items, read_items(request.data, exact));
  }
  count = items.count;
  const std::vector<std::span<const float>> inputs(items.inputs.begin(), items.inputs.end());
  if (type == WeightType::kI8) return nn::quantize_within(exact, 0.01F * request.max_error_percent, count, inputs);
  nn::SmallNetwork small{nn::with_weight_type(exact, type), {}, {}};
  ZOE_TRY_ASSIGN(small.errors, nn::compare_outputs(exact, small.graph, count, inputs));
  return small;
}

std::size_t worst_column(const nn::OutputError& error) {
  const auto worst = std::max_element(error.columns.begin(), error.columns.end(),
                                      [](const auto& a, const auto& b) { return a.relative() < b.relative(); });
  return static_cast<std::size_t>(worst - error.columns.begin());
}

// By zoe-train, the only program with libtorch. It compares the file with the network before it leaves it.
Result<void> export_torchscript(const Request& request, const nn::Graph& graph) {
  ZOE_TRY_ASSIGN(const TemporaryFolder folder, TemporaryFolder::make());
  std::string network = request.model;
  if (!request.sizes.empty()) {
    network = (folder.path() / "network.safetensors").string();
    ZOE_TRY(nn::write_graph(network, graph));
  }
  const std::filesystem::path program = author::trainer_beside_us();
  ZOE_TRY(author::ProcessTrainer(program).check());
  std::vector<std::string> words{program.string(), "--export-torchscript", network, request.output};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    if (const int nothing = ::open("/dev/null", O_WRONLY); nothing >= 0) ::dup2(nothing, STDOUT_FILENO);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
    return Error{
        ErrorCode::kInvalid, "zoe-train did not write the file (its reason is above)", {.file = request.output}};
  return {};
}

Result<void> export_file(const Request& request) {
  const auto extension = std::filesystem::path(request.output).extension();
  const bool onnx = extension == ".onnx", torchscript = extension == ".pt";
  ZOE_TRY_ASSIGN(const nn::Graph whole, nn::read_graph(request.model));
  ZOE_TRY_ASSIGN(const nn::Graph graph, with_sizes(whole, request.sizes));
  nlohmann::ordered_json report{{"model", request.model},
                                {"output", request.output},
                                {"format", onnx          ? "onnx"
                                           : torchscript ? "torchscript"
                                                         : "safetensors"}};
  if (onnx) {
    if (Result<void> written = nn::write_onnx(request.output, graph); !written) {
      Error why = std::move(written).error();
      if (!graph.dims.empty()) why.message += " (here: --size NAME=N for each dimension)";
      return why;
    }
  } else if (torchscript) {
    ZOE_TRY(export_torchscript(request, graph));
  } else {
    const WeightType type = request.dtype == "bf16"   ? WeightType::kBF16
                            : request.dtype == "int8" ? WeightType::kI8
                                                      : WeightType::kF32;
    int count = 0;
    ZOE_TRY_ASSIGN(const SizedGraph sized, with_example_sizes(graph));
    ZOE_TRY_ASSIGN(const nn::SmallNetwork small, convert(request, type, sized.graph, count));
    nn::Graph written = graph;  // With its dimensions.
    written.weights = small.graph.weights;
    ZOE_TRY(nn::write_graph(request.output, written));
    const std::string data = request.data.empty() ? fmt::format("{} synthetic items", count)
                                                  : fmt::format("{} items of {}", count, request.data);
    report["dtype"] = to_string(type);
    report["data"] = data;
    report["kept_bfloat16"] = small.kept;
    if (!small.kept.empty() && !request.json)
      fmt::print("kept in bfloat16 for accuracy: {}\n", fmt::join(small.kept, ", "));
    for (const nn::OutputError& error : small.errors) {
      report["errors"].push_back({{"output", error.name},
                                  {"mean", error.mean()},
                                  {"worst", error.worst()},
                                  {"worst_column", worst_column(error)}});
      if (request.json) continue;
      fmt::print(
          "{}: error in units of each column's deviation, over {}: mean {:.3f} %, worst {:.3f} % "
          "(column {})\n",
          error.name, data, 100 * error.mean(), 100 * error.worst(), worst_column(error));
    }
  }
  if (onnx || torchscript) {
    ZOE_TRY(write_description(request.output, graph, request.model));
    report["description"] = description_path(request.output).string();
  }
  const auto before = std::filesystem::file_size(request.model), after = std::filesystem::file_size(request.output);
  report["bytes"] = after;
  if (request.json) {
    fmt::print("{}\n", report.dump(2));
  } else if (!quiet()) {
    fmt::print("{}: {:.2f} MB, from {:.2f} MB\n", request.output, 1e-6 * static_cast<double>(after),
               1e-6 * static_cast<double>(before));
  }
  return {};
}

// Writes a run folder as one file that a game loads.
Result<void> export_controller(const Request& request) {
  ZOE_TRY(control::pack_controller(request.model, request.output));
  ZOE_TRY_ASSIGN(const control::ControllerPtr controller, control::load_controller(request.output));
  const auto bytes = std::filesystem::file_size(request.output);
  if (request.json) {
    const nlohmann::ordered_json report{{"model", request.model},
                                        {"output", request.output},
                                        {"format", "zoe"},
                                        {"type", controller->type()},
                                        {"rate_hz", controller->rate_hz()},
                                        {"joints", controller->skeleton()->num_joints()},
                                        {"bytes", bytes}};
    fmt::print("{}\n", report.dump(2));
  } else if (!quiet()) {
    fmt::print("{}: {} controller, {} joints, {:.2f} MB\n", request.output, controller->type(),
               controller->skeleton()->num_joints(), 1e-6 * static_cast<double>(bytes));
  }
  return {};
}

// A folder that a program without zoe can run.
Result<void> export_folder(const Request& request) {
  ZOE_TRY_ASSIGN(const author::EngineExport made, author::export_for_engine(request.model, request.output));
  if (request.json) {
    const nlohmann::ordered_json report{{"model", request.model},       {"output", request.output},
                                        {"format", "engine"},           {"type", made.type},
                                        {"inputs", made.num_inputs},    {"outputs", made.num_outputs},
                                        {"test_steps", made.num_steps}, {"files", made.files}};
    fmt::print("{}\n", report.dump(2));
  } else if (!quiet()) {
    fmt::print("{}: {} controller, {} columns in, {} out, {} test steps: {}\n", request.output, made.type,
               made.num_inputs, made.num_outputs, made.num_steps, fmt::join(made.files, ", "));
  }
  return {};
}

}  // namespace

int run_export(const Arguments& arguments) {
  Options app;
  Request request;
  app.add_option("model", request.model, "A controller's run folder, or a network: a .safetensors file")
      ->required()
      ->reads();
  app.add_option("output", request.output,
                 "What to write: .zoe (a controller in one file), .onnx or .pt (both with a description, OUTPUT.json), "
                 "or .safetensors; a folder with --for-engine")
      ->required()
      ->writes();
  app.add_option("--dtype", request.dtype, "Weights of a .safetensors: float32, bf16 or int8 (default: float32)")
      ->one_of({"float32", "bf16", "int8"});
  app.add_option("--data", request.data, "Inputs to measure the error on: .npz with an array for each input, or .npy")
      ->reads();
  app.add_option("--size", request.sizes,
                 "NAME=N, a size for a dimension of the network; repeated for each (default: dimensions stay free)");
  app.add_option("--samples", request.samples, "Items to generate without --data")->between(2, 1'000'000);
  app.add_option("--seed", request.seed, "Seed of the synthetic items")->at_least_zero();
  app.add_option("--max-error", request.max_error_percent,
                 "int8: percent of a column's deviation; layers that would add more stay bfloat16 "
                 "(default: 1)")
      ->between(0.001, 1000.0, "%");
  app.add_flag(
      "--for-engine", request.for_engine,
      "OUT is a folder for other engines: ONNX, tables, constants, the step as text, 60 steps to compare with");
  app.add_flag("--json", request.json,
               "Print {model, output, format, dtype, data, kept_bfloat16, errors, description, bytes}");
  if (const auto exit = parse(app, arguments)) return *exit;

  if (request.for_engine) {
    if (!request.dtype.empty() || !request.data.empty() || !request.sizes.empty()) {
      print_error("--dtype, --data and --size are for a network; --for-engine writes a controller in float32");
      return kWrongUsage;
    }
    if (std::error_code error; std::filesystem::is_regular_file(request.output, error)) {
      print_error(fmt::format("{}: is a file; --for-engine writes a folder", request.output));
      return kWrongUsage;
    }
    const Result<void> done = export_folder(request);
    return done ? kDone : print_error(done.error());
  }
  const auto extension = std::filesystem::path(request.output).extension();
  constexpr const char* kFormats[] = {".zoe", ".pt", ".onnx", ".safetensors"};
  if (const Result<void> fits = check_output_file(request.output, kFormats); !fits) return print_error(fits.error());
  if (extension == ".zoe") {
    if (!request.dtype.empty() || !request.data.empty() || !request.sizes.empty()) {
      print_error("--dtype, --data and --size are for a network: export the run's network first, then the run");
      return kWrongUsage;
    }
    const Result<void> done = export_controller(request);
    return done ? kDone : print_error(done.error());
  }
  if ((extension == ".onnx" || extension == ".pt") && !(request.dtype.empty() || request.dtype == "float32")) {
    print_error(extension == ".pt" ? "TorchScript files are written in float32; --dtype is for a .safetensors"
                                   : "ONNX files are written in float32; --dtype is for a .safetensors");
    return kWrongUsage;
  }
  if (std::filesystem::is_directory(request.model)) {
    print_error(fmt::format("{}: is a folder; {} is written from a network in it, such as {}, and a whole run as .zoe",
                            request.model, extension.string(),
                            (std::filesystem::path(request.model) / "model.safetensors").string()));
    return kWrongUsage;
  }
  const Result<void> done = export_file(request);
  return done ? kDone : print_error(done.error());
}

}  // namespace zoe::cli
