// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Exports controllers for other engines: the given runs, and small networks of every type
// that has a step to export.
// usage: write_engine_exports OUT RUN…
#include <cstdio>

#include "zoe/author/engine_export.h"
#include "zoe/control/config.h"
#include "zoe/nn/graph_file.h"

#include "control/walker.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

Result<void> write_run(const std::string& type, const fs::path& folder) {
  const Labels labels = type == "mann" ? Labels{{"calm", "hasty"}, {"sit"}} : Labels{};
  const control::test::Walker walker =
      control::test::make_walker(*find_type(type).value(), synth::Course::kWeave, 6, labels);
  fs::create_directories(folder);
  control::ControllerConfig config{.type = type,
                                   .neural = type == "cxm" ? control::cxm_options() : control::NeuralOptions{}};
  config.neural.usual_style = labels.styles.empty() ? "" : labels.styles[1];
  ZOE_TRY(save_body(folder / config.body, control::test::walker_body(walker)));
  ZOE_TRY(nn::write_graph(folder / config.network, control::test::random_graph(walker, 0.5F, type == "pfnn")));
  return save_controller_config(folder, config);
}

int run(std::span<char*> words) {
  if (words.size() < 2) return std::puts("usage: write_engine_exports OUT RUN…"), 2;
  const fs::path out = words[1];
  std::vector<std::pair<fs::path, std::string>> runs;
  for (const char* word : words.subspan(2)) runs.emplace_back(word, fs::path(word).filename().string());
  for (const char* type : {"mann", "pfnn", "lmp", "deepphase", "cxm"}) {
    const fs::path folder = out / "runs" / type;
    if (const auto written = write_run(type, folder); !written) return std::puts(written.error().format().c_str()), 1;
    runs.emplace_back(folder, type);
  }
  for (const auto& [run, name] : runs) {
    const auto made = export_for_engine(run, out / name);
    if (!made) return std::puts(made.error().format().c_str()), 1;
    std::printf("%s: %zu files\n", name.c_str(), made->files.size());
  }
  return 0;
}

}  // namespace
}  // namespace zoe::author

int main(int argc, char** argv) { return zoe::author::run({argv, static_cast<std::size_t>(argc)}); }
