// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Folders of walks as BVH files, and a trainer that only notes what it was asked for.
#pragma once

#include <fstream>

#include "zoe/author/train_controller.h"
#include "zoe/author/trainer.h"
#include "zoe/dataset/read_clip_files.h"
#include "zoe/io/write.h"
#include "zoe/synth/clip.h"

#include "support/data.h"

namespace zoe::author::test {

namespace fs = std::filesystem;
using zoe::test::temporary_dir;

// Walks of bipeds, named walk_0.bvh and so on, each of another body unless `seed_of` says otherwise.
inline fs::path synthetic_walks(
    const std::string& name, int count, double seconds = 4, int (*seed_of)(int) = [](int i) { return i; }) {
  const fs::path folder = temporary_dir(name) / "walks";
  fs::create_directories(folder);
  const synth::Course courses[] = {synth::Course::kStraight, synth::Course::kTurnLeft, synth::Course::kWeave};
  for (int i = 0; i < count; ++i) {
    const synth::Body body =
        synth::make_body(BodyFamily::kBiped, Random(static_cast<std::uint64_t>(20 + seed_of(i))), {.mesh = false});
    io::Asset asset;
    auto character = std::make_shared<Character>();
    character->skeleton = body.skeleton;
    asset.character = std::move(character);
    asset.clips.push_back(
        synth::make_clip(body, {.course = courses[i % 3], .seconds = seconds, .fps = 60}, Random(7)).value().motion);
    asset.clips.back().name = "walk_" + std::to_string(i);
    EXPECT_TRUE(io::write_asset(folder / ("walk_" + std::to_string(i) + ".bvh"), asset));
  }
  return folder;
}

inline std::vector<dataset::ClipFile> read_folder(const fs::path& folder) {
  Warnings warnings;
  return dataset::read_clip_files({&folder, 1}, {}, warnings).value();
}

// All lines and warnings of a job.
struct Heard {
  std::vector<std::string> lines, warnings;
  std::vector<std::string> stages;

  Listener listener() {
    return {.on_message = [this](const std::string& line) { lines.push_back(line); },
            .on_warning = [this](const Warning& warning) { warnings.push_back(warning.message); },
            .on_progress = [this](const char* what, const char*, std::uint64_t,
                                  std::uint64_t) { stages.emplace_back(what); }};
  }
  bool has(const std::string& part) const {
    for (const auto* list : {&lines, &warnings}) {
      for (const std::string& text : *list) {
        if (text.find(part) != std::string::npos) return true;
      }
    }
    return false;
  }
};

inline bool contains(const Error& error, const std::string& part) {
  return error.format().find(part) != std::string::npos;
}

// Writes what `make` gives as model.safetensors.
class FakeTrainer : public Trainer {
 public:
  std::vector<TrainingRequest> requests;
  std::function<Result<void>(const TrainingRequest& request)> make;

  Result<Training> train(const TrainingRequest& request) override {
    requests.push_back(request);
    fs::create_directories(request.out);
    if (make) ZOE_TRY(make(request));
    return Training{request.out / "model.safetensors", "trained " + request.model, {}};
  }
};

inline bool has_setting(const TrainingRequest& request, const std::string& setting) {
  return std::find(request.settings.begin(), request.settings.end(), setting) != request.settings.end();
}

}  // namespace zoe::author::test
