// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Exports controllers for other engines: the given runs, and small networks of every type
// that has a step to export.
// usage: write_engine_exports OUT RUN…
#include <cstdio>

#include "zoe/author/engine_export.h"
#include "zoe/control/config.h"
#include "zoe/control/lmm.h"
#include "zoe/features/normalisation.h"
#include "zoe/nn/graph_file.h"

#include "control/every_type.h"
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

// Learned matching with networks that know a small database by heart: it searches and switches.
Result<void> write_learned(const fs::path& folder) {
  const zoe::test::Walkers walkers = zoe::test::make_walkers(8, "", "", 200);
  const control::MotionDatabase database = walkers.database();
  zoe::test::Oracle oracle = zoe::test::make_oracle(walkers, database);
  oracle.decompressor.metadata["layout"] = walkers.layout.to_toml();
  fs::create_directories(folder);
  const control::ControllerConfig config{.type = "lmm"};
  ZOE_TRY(save_body(folder / config.body, control::test::body_of(walkers)));
  ZOE_TRY(nn::write_graph(folder / control::kDecompressorFile, oracle.decompressor));
  ZOE_TRY(nn::write_graph(folder / control::kStepperFile, oracle.stepper));
  ZOE_TRY(nn::write_graph(folder / control::kProjectorFile, oracle.projector));
  features::Normalisation normalisation;
  normalisation.blocks[0] = database.normalisation();
  const auto outputs = static_cast<std::size_t>(walkers.layout.width(features::BlockKind::kOutput));
  normalisation.blocks[1] = {std::vector<float>(outputs), std::vector<float>(outputs, 1.0F)};
  ZOE_TRY(features::save_normalisation(folder / control::kFeaturesFile, walkers.layout, normalisation));
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
  if (const auto written = write_learned(out / "runs" / "lmm"); !written)
    return std::puts(written.error().format().c_str()), 1;
  runs.emplace_back(out / "runs" / "lmm", "lmm");
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
