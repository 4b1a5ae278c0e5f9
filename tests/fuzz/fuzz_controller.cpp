// SPDX-License-Identifier: MIT
// A controller's files, by the first byte: body, database of motions, settings, all in one .zoe file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "zoe/control/body.h"
#include "zoe/control/config.h"
#include "zoe/control/load.h"
#include "zoe/control/match/database.h"
#include "zoe/synth/draw.h"

namespace {

namespace fs = std::filesystem;

// Readers take files: one in memory, written again for each input.
const fs::path& folder() {
  static const fs::path path = [] {
    const fs::path made = fs::path("/dev/shm") / ("zoe_fuzz_controller_" + std::to_string(::getpid()));
    fs::create_directories(made);
    std::atexit([] {
      std::error_code ignored;
      fs::remove_all(folder(), ignored);
    });
    return made;
  }();
  return path;
}

// The one of the seeds: `zoe synth --family biped --gait walk --names plain --one-body --seed 1`.
zoe::SkeletonPtr skeleton() {
  static const zoe::SkeletonPtr made = [] {
    zoe::synth::DrawOptions options;
    options.families = {zoe::BodyFamily::kBiped};
    options.gaits = {zoe::synth::Gait::kWalk};
    options.names = {zoe::synth::Names::kPlain};
    options.seconds = 0.5;
    options.mesh = false;
    options.one_body = true;
    return zoe::synth::draw_clip(options, 1, 0).value().body.skeleton;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* names[] = {"body.safetensors", "database.safetensors", "controller.toml"};
  const std::size_t what = data[0] % 4;
  if (what == 3) {
    (void)zoe::control::load_controller(std::as_bytes(std::span(data + 1, size - 1)), "fuzz.zoe");
    return 0;
  }
  const fs::path file = folder() / names[what];
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
  if (what == 0) {
    const auto body = zoe::control::load_body(file);
    if (body && body->skeleton == nullptr) std::abort();
  } else if (what == 1) {
    const auto database = zoe::control::MotionDatabase::load(file, skeleton());
    // What has been read can be searched.
    if (database && database->num_frames() > 0) {
      const std::vector<float> query(static_cast<std::size_t>(database->num_dims()), 0.5F);
      (void)database->index().find({.features = query});
    }
  } else {
    (void)zoe::control::load_controller_config(folder());
  }
  return 0;
}
