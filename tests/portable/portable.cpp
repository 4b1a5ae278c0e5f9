// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. What a game does with the run time, as one program for every machine: loads controllers,
// evaluates networks, ticks characters, saves and restores them. Prints a hash of each result. tests/portable/run.py
// builds it for several machines and compares the lines of the deterministic arithmetic.
//
// usage: portable MODELS SAVED [best]
// SAVED: a folder for states. The first program writes them, all others restore them. best: one instruction set only.
#include "zoe/math/portable.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "zoe/control/crowd.h"
#include "zoe/control/load.h"
#include "zoe/core/arithmetic.h"
#include "zoe/core/file.h"
#include "zoe/core/hash64.h"
#include "zoe/core/lock_file.h"
#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/math/simd_dispatch.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"
#include "zoe/nn/reference.h"

namespace {

using namespace zoe;
using namespace zoe::control;
namespace fs = std::filesystem;

bool all_right = true;

void require(bool is_right, const std::string& what) {
  if (is_right) return;
  all_right = false;
  std::printf("FAILED: %s\n", what.c_str());
}

void print(const std::string& what, const char* arithmetic, const char* target, std::uint64_t hash) {
  std::printf("%-24s %-13s %-8s %016" PRIx64 "\n", what.c_str(), arithmetic, target, hash);
  std::fflush(stdout);
}

// Arguments of many sizes: the functions that ticks use, and random numbers.
std::uint64_t hash_of_functions() {
  Random random(7);
  Hash64 hash;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.uniform(-1.0F, 1.0F) * portable_exp2(random.uniform(-20.0F, 20.0F)), y = random.normal();
    const double values[] = {x,
                             y,
                             portable_sin(x),
                             portable_cos(x),
                             portable_atan2(x, y),
                             portable_acos(y / (1 + std::abs(y))),
                             portable_exp(y * 9),
                             portable_exp2(y * 9),
                             portable_hypot(x, y)};
    hash.add(std::as_bytes(std::span(values)));
  }
  return hash.finish();
}

// A terrace of triangles, asked at its edges and corners, where several triangles have the same height.
std::uint64_t hash_of_mesh() {
  constexpr std::uint32_t kSide = 24;
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  Random random(8);
  for (std::uint32_t z = 0; z < kSide; ++z) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      positions.push_back({static_cast<float>(x), std::floor(random.uniform(0, 4)), static_cast<float>(z)});
      const std::uint32_t i = z * kSide + x;
      if (x == 0 || z == 0) continue;
      indices.insert(indices.end(), {i, i - 1, i - kSide, i - 1, i - kSide - 1, i - kSide});
    }
  }
  const GroundPtr ground = Ground::mesh(positions, indices).value();
  Hash64 hash;
  for (float z = 0; z < kSide; z += 0.25F) {
    for (float x = 0; x < kSide; x += 0.25F) {
      const float values[] = {ground->height(x, z), ground->normal(x, z).x, ground->normal(x, z).z};
      hash.add(std::as_bytes(std::span(values)));
    }
  }
  return hash.finish();
}

// Files, with names beyond ASCII: whole ones only, maps, locks, errors that say what is wrong.
void use_files(const fs::path& saved) {
  const fs::path folder = saved / fs::path(u8"h\u00f6he"), file = folder / "deep" / "a.txt";
  const auto text_of = [&] {
    const Result<MappedFile> mapped = MappedFile::open(file);
    return mapped ? std::string(mapped->text()) : mapped.error().format();
  };
  for (const std::string text : {"first", "a\r\nb\n\x1a", ""}) {
    const Result<void> written = write_file_atomic(file, std::string_view(text));
    require(written.has_value(), written ? "" : written.error().format());
    require(text_of() == text, "a file holds '" + text_of() + "'");
  }
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder / "deep")) count += entry.exists() ? 1 : 0;
  require(count == 1, "files of writers stay behind");
  const auto message = [](const auto& result) { return result ? std::string() : result.error().message; };
  require(message(MappedFile::open(folder)).find("folder") != std::string::npos, "a folder is opened as a file");
  require(message(MappedFile::open(folder / "none")).find("No such file") != std::string::npos,
          "a missing file: " + message(MappedFile::open(folder / "none")));
  require(!write_file_atomic(folder, "x").has_value(), "a folder is replaced by a file");
  require(sync_folder(folder).has_value(), "a folder is not synced");
  {
    const Result<LockFile> lock = LockFile::take(folder / "lock", folder);
    require(lock.has_value(), "a lock: " + message(lock));
#ifndef __EMSCRIPTEN__  // One process, and no locks.
    require(message(LockFile::take(folder / "lock", folder)).find("process ") == 0,
            "a second lock: " + message(LockFile::take(folder / "lock", folder)));
#endif
  }
  require(!fs::exists(folder / "lock"), "a lock stays behind");
  fs::remove_all(folder);
}

// The network of a controller in all types of weights, against plain loops in double precision.
void run_network(const fs::path& model, const std::string& name, const char* arithmetic, const char* target) {
  Result<nn::Graph> graph = nn::read_graph(model / "model.safetensors");
  if (!graph) return require(false, graph.error().format());
  constexpr int kItems = 5;
  const auto inputs = nn::made_up_inputs(*graph, kItems, 11);
  const std::vector<std::span<const float>> in(inputs.begin(), inputs.end());
  for (const nn::WeightType type : {nn::WeightType::kF32, nn::WeightType::kBF16, nn::WeightType::kI8}) {
    const nn::Graph typed = nn::with_weight_type(*graph, type);
    const nn::NetworkPtr network = nn::Network::compile(typed).value();
    nn::NetworkState state = nn::make_state(*network, kItems);
    std::vector<std::vector<float>> outputs;
    for (const nn::Port& port : network->outputs()) outputs.emplace_back(kItems * port.shape.size());
    const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
    require(nn::NetworkJob{network.get(), &state, kItems, in, out}.run(), name + ": the network runs");
    Hash64 hash;
    for (const auto& values : outputs) hash.add(std::as_bytes(std::span(values)));
    print(name + "." + std::string(nn::to_string(type)), arithmetic, target, hash.finish());
    if (type == nn::WeightType::kI8) continue;  // Its activations are rounded as well; the hashes must do.
    const auto expected = nn::run_reference(typed, kItems, in);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      for (std::size_t k = 0; k < outputs[i].size(); ++k) {
        error = std::max(error, std::abs(static_cast<double>(outputs[i][k]) - static_cast<double>(expected[i][k])));
        size = std::max(size, std::abs(static_cast<double>(expected[i][k])));
      }
    }
    require(error <= 1e-4 * size, name + ": a network is off by " + std::to_string(error));
  }
}

// Walks, goals, stands and turns; a new one every half second.
Intent intent_of(int part) {
  Random random = Random(2026).split(static_cast<std::uint64_t>(part));
  Intent intent = Intent::move({random.uniform(-1.5F, 1.5F), 0, random.uniform(-1.5F, 1.5F)});
  if (part % 5 == 2) intent = Intent::stand();
  if (part % 7 == 3) intent.goal = WantedPlace{{random.uniform(-9, 9), 1, random.uniform(-9, 9)}, 0.5F};
  if (part % 3 == 1) intent.wanted[0].facing_rad = random.uniform(-3, 3);
  if (part % 4 == 1) intent.styles[0] = 1;
  return intent;
}
GroundPtr hills() {
  return Ground::function(
      [](float x, float z) { return 0.2F * portable_sin(0.7F * x) + 0.15F * portable_cos(0.9F * z); });
}

constexpr int kTicks = 240, kTicksOfPart = 20;
constexpr double kTick_s = 1.0 / 60;

void tick(const Controller& controller, ControllerState& state, int first, int last) {
  for (int i = first; i < last; ++i) controller.tick(state, intent_of(i / kTicksOfPart), kTick_s);
}

void walk(const Controller& controller, const std::string& name, const char* arithmetic, const char* target,
          const fs::path& saved) {
  const auto state = controller.make_state({.ground = hills()});
  tick(controller, *state, 0, kTicks / 2);
  const std::vector<std::byte> half = controller.save_state(*state);
  print(name + ".half", arithmetic, target, state->hash());
  tick(controller, *state, kTicks / 2, kTicks);
  print(name, arithmetic, target, state->hash());
  for (const Vec3& position : state->pose().translations)
    require(std::isfinite(position.x + position.y + position.z), name + ": a joint is no number");

  const auto other = controller.make_state({.ground = hills()});
  const Result<void> restored = controller.restore_state(*other, half);
  if (!restored) return require(false, restored.error().format());
  tick(controller, *other, kTicks / 2, kTicks);
  require(other->hash() == state->hash(), name + ": a restored character continues otherwise");
  if (std::strcmp(arithmetic, "deterministic") != 0) return;

  // The state of another machine.
  const fs::path file = saved / (name + ".state");
  if (!fs::exists(file)) {
    const Result<void> written = write_file_atomic(file, std::span<const std::byte>(half));
    return require(written.has_value(), written ? "" : written.error().format());
  }
  const Result<MappedFile> bytes = MappedFile::open(file);
  if (!bytes) return require(false, bytes.error().format());
  const Result<void> read = controller.restore_state(*other, bytes->bytes());
  if (!read) return require(false, read.error().format());
  tick(controller, *other, kTicks / 2, kTicks);
  print(name + ".elsewhere", arithmetic, target, other->hash());
}

// Six characters that avoid each other; two threads where there are threads.
void walk_together(const ControllerPtr& controller, const std::string& name, const char* arithmetic,
                   const char* target) {
  std::vector<PlanarRoot> roots(6);
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = {{static_cast<float>(i), 0, 0}, 0.1F};
  Crowd crowd(controller, roots, {.ground = hills()});
#ifdef __EMSCRIPTEN__
  ThreadPool pool(0);
#else
  ThreadPool pool(1);
#endif
  std::vector<Intent> intents(roots.size());
  for (int i = 0; i < 40; ++i) {
    for (std::size_t k = 0; k < intents.size(); ++k)
      intents[k] = intent_of(i / kTicksOfPart + 10 * static_cast<int>(k));
    crowd.tick(intents, kTick_s, pool);
  }
  print(name + ".crowd", arithmetic, target, crowd.hash());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: portable MODELS SAVED [best]\n"), 2;
  const fs::path models = argv[1], saved = argv[2];
  use_files(saved);
  print("functions", "deterministic", "-", hash_of_functions());
  print("mesh", "deterministic", "-", hash_of_mesh());
  std::vector<simd::Target> targets = simd::supported_targets();
  if (argc > 3) targets.resize(1);
  for (const simd::Target& target : targets) {
    const simd::ForceTarget forced(target);
    for (const Arithmetic arithmetic : {Arithmetic::kDeterministic, Arithmetic::kFast}) {
      set_arithmetic(arithmetic);
      const bool is_fast = arithmetic == Arithmetic::kFast;
      const char* word = is_fast ? "fast" : "deterministic";
      for (const char* name : {"walker", "dog"}) {
        if (!is_fast) run_network(models / name, name, word, target.name);
        const Result<ControllerPtr> controller = load_controller(models / name);
        if (!controller) {
          require(false, controller.error().format());
          continue;
        }
        walk(**controller, name, word, target.name, saved);
        if (!is_fast) walk_together(*controller, name, word, target.name);
      }
    }
  }
  require(!load_controller(models / "absent").has_value(), "a missing controller is an error");
  std::printf("%s\n", all_right ? "all right" : "not right");
  return all_right ? 0 : 1;
}
