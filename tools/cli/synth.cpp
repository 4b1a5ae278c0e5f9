// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe synth`: synthetic bodies and their motions, as files and a manifest.
#include <chrono>
#include <ctime>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/progress.h"
#include "zoe/core/suggest.h"
#include "zoe/core/thread_pool.h"
#include "zoe/io/bvh.h"
#include "zoe/io/gltf.h"
#include "zoe/math/box.h"
#include "zoe/synth/draw.h"

#include "synth_deeds.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;

struct Request {
  fs::path folder;
  int count = 10, jobs = 0;
  std::uint64_t seed = 1;
  std::string format = "glb";
  bool terrain_files = false;
  synth::DrawOptions draw;
};

// Values of a list option: "biped,snake". `all` lists the allowed ones.
template <typename T>
Result<std::vector<T>> parse_list(const std::string& option, const std::string& text, std::span<const T> all) {
  std::vector<T> result;
  if (text.empty()) return result;
  std::vector<std::string> names;
  for (const T value : all) names.emplace_back(to_string(value));
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, comma - from);
    from = comma + 1;
    bool found = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != word) continue;
      result.push_back(all[i]);
      found = true;
    }
    if (!found)
      return Error{
          ErrorCode::kUsage,
          fmt::format("{}: there is no '{}'{} (see `zoe synth --list`)", option, word, did_you_mean(word, names)),
          {}};
  }
  return result;
}

template <typename T>
std::vector<T> first_values(int count) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(i));
  return values;
}

void print_list() {
  fmt::print("families and their gaits:\n");
  for (const BodyFamily family : synth::families()) {
    fmt::print("  {:<10}", to_string(family));
    for (const synth::Gait gait : synth::gaits_of(family)) fmt::print(" {}", to_string(gait));
    fmt::print("\n");
  }
  const auto print_row = [](const char* title, const auto& values) {
    fmt::print("{}:", title);
    for (const auto value : values) fmt::print(" {}", to_string(value));
    fmt::print("\n");
  };
  print_row("styles", first_values<synth::Style>(synth::kNumStyles));
  print_row("courses", first_values<synth::Course>(synth::kNumCourses));
  print_row("terrains", first_values<synth::TerrainKind>(synth::kNumTerrainKinds));
  fmt::print("          (and mixed: any of them)\n");
  print_row("names", first_values<synth::Names>(synth::kNumNames));
  fmt::print("          (without --names: any but numbered)\n");
  fmt::print("deeds: sit carry open walk\n");
}

// Runs of ones of one leg: [[first, last], …], frames.
nlohmann::ordered_json contact_runs(const synth::Clip& clip, std::size_t leg, std::size_t num_legs) {
  auto runs = nlohmann::ordered_json::array();
  int from = -1;
  for (int f = 0; f <= clip.motion.num_frames; ++f) {
    const bool on = f < clip.motion.num_frames && clip.contacts[static_cast<std::size_t>(f) * num_legs + leg] != 0;
    if (on && from < 0) from = f;
    if (!on && from >= 0) {
      runs.push_back({from, f - 1});
      from = -1;
    }
  }
  return runs;
}

// Description of the clip; goes into the manifest and, as `zoe_synth`, into asset.extras of GLB files.
nlohmann::ordered_json describe(const synth::DrawnClip& drawn, const Request& request, int index) {
  const synth::Clip& clip = drawn.clip;
  nlohmann::ordered_json json;
  json["captions"] = clip.captions;
  json["family"] = to_string(drawn.body.family);
  json["species"] = drawn.body.species;
  json["gait"] = to_string(clip.request.gait);
  json["style"] = to_string(clip.request.style);
  json["course"] = to_string(clip.request.course);
  json["terrain"] = to_string(clip.request.terrain);
  json["speed_m_s"] = std::round(1e4 * clip.speed_m_s) / 1e4;
  json["froude"] = std::round(1e4 * clip.froude) / 1e4;
  json["leg_length_m"] = std::round(1e4 * drawn.body.leg_length_m) / 1e4;
  json["mass_kg"] = std::round(1e3 * drawn.body.mass_kg()) / 1e3;
  json["seed"] = request.seed;
  json["index"] = index;
  json["fps"] = clip.motion.fps;
  json["frames"] = clip.motion.num_frames;
  json["names"] = to_string(drawn.names);
  json["licence"] = "CC0-1.0";
  return json;
}

std::string manifest_line(nlohmann::ordered_json json, const synth::DrawnClip& drawn,
                          const std::vector<std::string>& files) {
  const synth::Clip& clip = drawn.clip;
  const Skeleton& skeleton = *drawn.body.skeleton;
  json["files"] = files;
  json["joints"] = nlohmann::ordered_json::array();
  for (int j = 0; j < skeleton.num_joints(); ++j) json["joints"].push_back(skeleton.name(j));
  json["contacts"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < drawn.body.legs.size(); ++i) {
    json["contacts"][skeleton.name(drawn.body.legs[i].distal.back())] = contact_runs(clip, i, drawn.body.legs.size());
  }
  return json.dump();
}

Result<void> write_terrain(const fs::path& path, const synth::DrawnClip& drawn) {
  const Motion& motion = drawn.clip.motion;
  Box3 walked;
  for (int f = 0; f < motion.num_frames; ++f) walked.add(motion.frame(f).translations[0]);
  const auto& [low, high] = walked;
  const float margin = 2 * std::max(drawn.body.leg_length_m, drawn.body.body_length_m);
  // Fine enough for feet, but at most some ten thousand cells, because flyers travel far.
  const float side = std::max(high.x - low.x, high.z - low.z) + 2 * margin,
              cell = std::max(0.08F * drawn.body.leg_length_m, side / 150);
  Character ground;
  ground.name = "terrain";
  auto skeleton = Skeleton::create({{"terrain", kNoJoint, {}, JointKind::kNode}});
  if (!skeleton) return skeleton.error();
  ground.skeleton = *skeleton;
  ground.meshes.push_back(synth::ground_mesh(*drawn.clip.terrain.ground, low.x - margin, low.z - margin,
                                             high.x + margin, high.z + margin, cell));
  ground.instances.push_back({.mesh = 0, .joint = 0});
  Material material;
  material.name = "ground";
  material.base_color = {0.45F, 0.42F, 0.38F, 1};
  ground.materials.push_back(material);
  return io::write_gltf(path, ground, {}, {.skeleton_mesh = false});
}

// Generates one clip and writes its files. `created`: those that did not exist before. Returns its line of the
// manifest.
Result<std::string> write_clip(const Request& request, int index, std::vector<fs::path>& created) {
  ZOE_TRY_ASSIGN(synth::DrawnClip drawn,
                 synth::draw_clip(request.draw, request.seed, static_cast<std::uint64_t>(index)));
  const synth::ClipRequest& clip = drawn.clip.request;
  const std::string stem =
      fmt::format("{:05}_{}_{}_{}", index, to_string(drawn.body.family), to_string(clip.gait), to_string(clip.style));
  const nlohmann::ordered_json about = describe(drawn, request, index);
  std::vector<std::string> files;
  const auto name = [&](const std::string& extension) {
    files.push_back(stem + extension);
    fs::path path = request.folder / files.back();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) created.push_back(path);
    return path;
  };
  if (request.format != "bvh") {
    io::GltfWriteOptions options;
    options.asset_extras = nlohmann::ordered_json{{"zoe_synth", about}}.dump();
    ZOE_TRY(io::write_gltf(name(".glb"), *drawn.body.character, std::span(&drawn.clip.motion, 1), options));
  }
  if (request.format != "glb") {
    ZOE_TRY(io::write_bvh(name(".bvh"), drawn.clip.motion));
  }
  if (request.terrain_files) {
    ZOE_TRY(write_terrain(name(".terrain.glb"), drawn));
  }
  return manifest_line(about, drawn, files);
}

Result<void> write_all(const Request& request) {
  std::error_code failure;
  const bool is_new = !fs::exists(request.folder, failure);
  fs::create_directories(request.folder, failure);
  if (failure)
    return Error{ErrorCode::kIo, "cannot create the folder: " + failure.message(), {.file = request.folder.string()}};
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();  // Of all threads.
  std::vector<std::string> lines(static_cast<std::size_t>(request.count));
  std::vector<std::vector<fs::path>> created(lines.size());
  std::optional<Error> first_error;
  std::mutex mutex;
  {
    Progress progress("synth", static_cast<std::uint64_t>(request.count),
                      {.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto, .unit = "clips"});
    std::optional<ThreadPool> own;
    if (request.jobs > 0) own.emplace(request.jobs - 1);
    (own ? *own : ThreadPool::shared()).parallel_for(lines.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        {
          const std::lock_guard lock(mutex);
          if (first_error) return;
        }
        Result<std::string> line = write_clip(request, static_cast<int>(i), created[i]);
        if (line) {
          lines[i] = std::move(*line);
        } else {
          const std::lock_guard lock(mutex);
          if (!first_error) first_error = line.error();
        }
        progress.advance();
      }
    });
  }
  std::string manifest;
  for (const std::string& line : lines) manifest += line + "\n";
  Result<void> done =
      first_error ? Result<void>(*first_error) : write_file_atomic(request.folder / "manifest.jsonl", manifest);
  if (!done) {
    // Clips without a manifest are of no use.
    for (const std::vector<fs::path>& files : created)
      for (const fs::path& file : files) fs::remove(file, failure);
    if (is_new) fs::remove(request.folder, failure);
    return done;
  }
  if (!quiet()) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
    fmt::print("{} clips in {} ({:.1f} s, {:.1f} clips/s; {:.1f} s of processor time); manifest.jsonl describes them\n",
               request.count, request.folder.string(), seconds, request.count / seconds, cpu_seconds);
  }
  return {};
}

}  // namespace

int run_synth(const Arguments& arguments) {
  Options app;
  Request request;
  std::string folder, families, gaits, styles, courses, terrain = "flat", names, mesh = "on";
  bool list = false;
  DeedRequest deeds;
  std::string deed_list;
  app.add_option("-o,--out", folder, "Folder to write to; created when missing")->type_name("FOLDER")->writes_folder();
  app.add_option("--count", request.count, "Number of clips")->between(1, 10000000)->capture_default_str();
  app.add_option("--family", families, "Bodies to draw from, comma-separated; default all")->type_name("LIST");
  app.add_option("--gait", gaits, "Gaits to draw from")->type_name("LIST");
  app.add_option("--style", styles, "Styles to draw from; default half neutral")->type_name("LIST");
  app.add_option("--course", courses, "Courses to draw from: straight, turn_left, …")->type_name("LIST");
  app.add_option("--terrain", terrain,
                 "Ground to draw from: flat, rough, slope, stairs, gaps, platforms, beams; mixed for all")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--names", names, "Conventions of joint names to draw from")->type_name("LIST");
  app.add_option("--seconds", request.draw.seconds, "Length of a clip")
      ->between(0.05, 3600.0, "s")
      ->capture_default_str();
  app.add_option("--fps", request.draw.fps, "Frames a second")
      ->between(1.0, 1000.0, "frames per second")
      ->capture_default_str();
  app.add_option("--seed", request.seed, "Seed of all random choices")->at_least_zero()->capture_default_str();
  app.add_option("--format", request.format, "glb, bvh or both")->one_of({"glb", "bvh", "both"})->capture_default_str();
  app.add_option("--mesh", mesh, "on or off: skinned meshes in GLB files")
      ->one_of({"on", "off"})
      ->capture_default_str();
  app.add_flag("--one-body", request.draw.one_body, "All clips of a family have one body, drawn from the seed");
  app.add_flag("--terrain-files", request.terrain_files, "Write the ground of each clip beside it (.terrain.glb)");
  app.add_option("--deed", deed_list, "Clips with props instead: sit, carry, open, walk; bipeds only")
      ->type_name("LIST");
  app.add_option("--seat", deeds.seat_files, "Meshes of seats for --deed sit, in metres; default drawn seats")
      ->type_name("FILE");
  app.add_option("--seat-scale", deeds.seat_scale, "Factor on the meshes of --seat")
      ->between(0.001, 1000.0)
      ->capture_default_str();
  app.add_flag("--prop-files", deeds.prop_files, "Write the props at the first, middle and last frame (.scene.glb)");
  app.add_option("--jobs", request.jobs, "Threads; 0: one per processor. The files do not depend on it")
      ->between(0, 1024)
      ->capture_default_str();
  app.add_flag("--list", list, "Print families, gaits, styles, … and exit");
  if (const auto exit = parse(app, arguments)) return *exit;
  if (list) return print_list(), kDone;
  if (folder.empty()) {
    print_error("synth: -o FOLDER is missing (see `zoe synth --help`)");
    return kWrongUsage;
  }
  request.folder = folder;
  request.draw.mesh = mesh == "on";
  const auto run = [&]() -> Result<void> {
    const auto all_gaits = first_values<synth::Gait>(synth::kNumGaits);
    const auto all_styles = first_values<synth::Style>(synth::kNumStyles);
    const auto all_courses = first_values<synth::Course>(synth::kNumCourses);
    const auto all_terrains = first_values<synth::TerrainKind>(synth::kNumTerrainKinds);
    const auto all_names = first_values<synth::Names>(synth::kNumNames);
    ZOE_TRY_ASSIGN(request.draw.families, parse_list<BodyFamily>("--family", families, synth::families()));
    ZOE_TRY_ASSIGN(request.draw.gaits, parse_list<synth::Gait>("--gait", gaits, all_gaits));
    ZOE_TRY_ASSIGN(request.draw.styles, parse_list<synth::Style>("--style", styles, all_styles));
    ZOE_TRY_ASSIGN(request.draw.courses, parse_list<synth::Course>("--course", courses, all_courses));
    ZOE_TRY_ASSIGN(request.draw.terrains,
                   parse_list<synth::TerrainKind>("--terrain", terrain == "mixed" ? "" : terrain, all_terrains));
    ZOE_TRY_ASSIGN(request.draw.names, parse_list<synth::Names>("--names", names, all_names));
    ZOE_TRY(synth::check(request.draw));
    if (!deed_list.empty()) {
      const std::vector<synth::Deed> all{synth::Deed::kSit, synth::Deed::kCarry, synth::Deed::kOpen,
                                         synth::Deed::kWalk};
      ZOE_TRY_ASSIGN(deeds.deeds, parse_list<synth::Deed>("--deed", deed_list, all));
      deeds.folder = request.folder, deeds.count = request.count, deeds.seed = request.seed;
      deeds.jobs = request.jobs;
      deeds.fps = request.draw.fps, deeds.one_body = request.draw.one_body, deeds.mesh = request.draw.mesh;
      deeds.format = request.format;
      return write_deeds(deeds);
    }
    return write_all(request);
  };
  if (const Result<void> done = run(); !done) return print_error(done.error());
  return kDone;
}

}  // namespace zoe::cli
