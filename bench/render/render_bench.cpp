// SPDX-License-Identifier: MIT
#include "render/render_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include "zoe/character/local_to_model_job.h"
#include "zoe/io/write.h"
#include "zoe/render/character_model.h"
#include "zoe/synth/clip.h"

namespace zoe::bench {
namespace {

using render::Quality;

struct FrameTime {
  double wall_s = 0;
  double cpu_s = 0;   // CPU time of all threads: the cost of a frame, independent of other load.
  double main_s = 0;  // CPU time of the calling thread, part of the above. It waits while others fill pixels.

  // Estimated wall time on two idle cores.
  double on_two_cores_s() const { return main_s + (cpu_s - main_s) / 2; }
};

FrameTime now() {
  const auto clock_s = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  return {clock_s(CLOCK_MONOTONIC), clock_s(CLOCK_PROCESS_CPUTIME_ID), clock_s(CLOCK_THREAD_CPUTIME_ID)};
}

template <typename Draw>
FrameTime median_frame(int num_frames, const Draw& draw) {
  for (int i = 0; i < 3; ++i) draw(i);
  std::vector<double> wall, cpu, main;
  for (int i = 0; i < num_frames; ++i) {
    const FrameTime start = now();
    draw(i);
    const FrameTime end = now();
    wall.push_back(end.wall_s - start.wall_s);
    cpu.push_back(end.cpu_s - start.cpu_s);
    main.push_back(end.main_s - start.main_s);
  }
  const auto middle = [](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    return values[values.size() / 2];
  };
  return {middle(wall), middle(cpu), middle(main)};
}

// Joins vertices that share a cell, in ever larger cells, until few enough triangles remain (Rossignac and Borrel
// 1993).
void simplify(Mesh& mesh, std::size_t num_triangles) {
  for (float cell_m = 0.004F; mesh.indices.size() / 3 > num_triangles; cell_m *= 1.1F) {
    std::map<std::array<long, 3>, std::uint32_t> first;
    std::vector<std::uint32_t> kept;
    const auto joined = [&](std::uint32_t vertex) {
      const Vec3 p = mesh.positions[vertex];
      return first
          .try_emplace({std::lround(p.x / cell_m), std::lround(p.y / cell_m), std::lround(p.z / cell_m)}, vertex)
          .first->second;
    };
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const std::uint32_t a = joined(mesh.indices[i]), b = joined(mesh.indices[i + 1]), c = joined(mesh.indices[i + 2]);
      if (a != b && b != c && c != a) kept.insert(kept.end(), {a, b, c});
    }
    mesh.indices = std::move(kept);
  }
  mesh.submeshes = {
      {0, static_cast<std::uint32_t>(mesh.indices.size()), mesh.submeshes.empty() ? -1 : mesh.submeshes[0].material}};
}

// A walking person of about ten thousand triangles.
struct Walker {
  synth::Body body = synth::make_body(BodyFamily::kBiped, Random(11));
  synth::Clip clip = synth::make_clip(body, {.gait = synth::Gait::kWalk, .seconds = 3}, Random(11)).value();
  CharacterPtr character;
  std::vector<Affine> model_from_joint{static_cast<std::size_t>(body.skeleton->num_joints())};

  Walker() {
    auto coarser = std::make_shared<Character>(*body.character);
    for (Mesh& mesh : coarser->meshes) simplify(mesh, 10000);
    character = coarser;
  }
  void pose(int frame) {
    LocalToModelJob{.skeleton = body.skeleton.get(),
                    .pose = clip.motion.frame(frame % clip.motion.num_frames),
                    .model_from_joint = model_from_joint}
        .run();
  }
};

render::RenderFrame make_frame(Quality quality, int width, int height) {
  render::RenderFrame frame;
  frame.settings.width = width;
  frame.settings.height = height;
  render::set_quality(frame.settings, quality);
  return frame;
}

// CPU and wall seconds of a frame in Blender's engines, by the names of the script. Empty where Blender is not
// installed or has no screen, not even a virtual one.
std::map<std::string, FrameTime> run_blender(const Walker& walker, int width, int height) {
  std::map<std::string, FrameTime> found;
  if (std::system("command -v blender xvfb-run >/dev/null 2>&1") != 0) return found;
  std::string folder = (std::filesystem::temp_directory_path() / "zoe_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return found;
  const std::filesystem::path file = std::filesystem::path(folder) / "walk.glb";
  io::Asset asset;
  asset.character = walker.character;
  asset.clips.push_back(walker.clip.motion);
  if (io::write_asset(file, asset, 0)) {
    const std::string command = fmt::format(
        "xvfb-run -a -s '-screen 0 640x480x24' blender -b --factory-startup --python '{}' -- {} {} "
        "{} {} 2>/dev/null",
        ZOE_BENCH_BLENDER_SCRIPT, file.string(), width, height, folder);
    if (std::FILE* pipe = popen(command.c_str(), "r")) {
      std::array<char, 512> line{}, mode{};
      FrameTime time;
      while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
        if (std::sscanf(line.data(), "seconds_per_frame %500s %lf %lf", mode.data(), &time.cpu_s, &time.wall_s) == 3) {
          found[mode.data()] = time;
        }
      }
      pclose(pipe);
    }
  }
  std::filesystem::remove_all(folder);
  return found;
}

// Our settings, and the engine of Blender with a comparable result.
struct Look {
  const char* name;
  Quality quality;
  const char* peer;
  const char* peer_name;
  void (*change)(render::Settings&) = nullptr;
};
const Look kLooks[] = {
    {"plain light", Quality::kLow, "workbench_plain", "Blender Workbench, plain",
     [](render::Settings& s) { s.shadows = false; }},
    {"low: shadows", Quality::kLow, "workbench", "Blender Workbench, shadows, cavity, FXAA"},
    {"shadows, occlusion, FXAA", Quality::kMedium, "workbench", "Blender Workbench, shadows, cavity, FXAA",
     [](render::Settings& s) { s.bloom = false; }},
    {"medium: shadows, occlusion, bloom, FXAA", Quality::kMedium, "eevee",
     "Blender EEVEE, shadows, AO, bloom, 1 sample"},
    {"high", Quality::kHigh, "eevee", "Blender EEVEE, shadows, AO, bloom, 1 sample"},
};

}  // namespace

void bench_render(const Options& options, std::vector<Row>& rows) {
  auto context = render::create_headless_context();
  if (!context) {
    std::fprintf(stderr, "zoe: render is not measured: %s\n", context.error().format().c_str());
    return;
  }
  auto renderer = render::Renderer::create(**context).value();
  Walker walker;
  Warnings warnings;
  const auto model = render::CharacterModel::create(*renderer, walker.character, "", warnings);
  render::CharacterBody body(model);
  render::Picture picture;
  const bool quick = options.num_samples < 5;
  const int num_frames = quick ? 8 : 60;
  const std::map<std::string, FrameTime> blender =
      quick ? std::map<std::string, FrameTime>{} : run_blender(walker, 640, 360);
  const auto show = [&](render::RenderFrame& frame, int i) {
    walker.pose(i);
    frame.clear();
    body.set_pose(walker.model_from_joint);
    body.add_to(frame, {});
    const Vec3 root = walker.model_from_joint[static_cast<std::size_t>(walker.body.root)].t;
    frame.camera = render::look_at(root + Vec3{2.1F, 0.7F, 3.6F}, root);
    frame.environment.ground_center_m = root;
    (void)renderer->render(frame).has_value();
    renderer->read_color(picture);
  };

  for (const Look& look : kLooks) {
    render::RenderFrame frame = make_frame(look.quality, 640, 360);
    if (look.change != nullptr) look.change(frame.settings);
    const FrameTime time = median_frame(num_frames, [&](int i) { show(frame, i); });
    const std::string title =
        fmt::format("render/640x360, {} triangles, {}", renderer->statistics().num_triangles, look.name);
    const auto peer = blender.find(look.peer);
    const bool ran = peer != blender.end();
    rows.push_back({title, "frames/s", 1 / time.wall_s, ran ? 1 / peer->second.wall_s : 0, ran ? look.peer_name : ""});
    // Blender's main thread cannot be measured separately: all of its work counts as shared by two cores, which favours
    // Blender.
    rows.push_back({title + ", by CPU time on 2 cores", "frames/s", 1 / time.on_two_cores_s(),
                    ran ? 1 / peer->second.on_two_cores_s() : 0, ran ? look.peer_name : ""});
  }

  // Our own work per frame, without OpenGL's: poses to palettes, sorting, bounds, shadow fit. All joints and vertices
  // count, but few triangles are drawn: ten million would measure the driver.
  auto few_triangles = std::make_shared<Character>(*walker.character);
  for (Mesh& mesh : few_triangles->meshes) {
    mesh.indices.resize(36);
    mesh.submeshes = {{0, 36, -1}};
  }
  const auto sparse = render::CharacterModel::create(*renderer, few_triangles, "", warnings);
  for (const int count : {1, 1000}) {
    render::RenderFrame frame = make_frame(Quality::kLow, 64, 36);
    frame.camera = render::look_at({2, 30, 60}, {0, 0, 0});
    std::vector<render::CharacterBody> bodies(static_cast<std::size_t>(count), render::CharacterBody(sparse));
    double outside_s = 0;
    std::vector<double> all;
    for (int i = 0; i < (quick ? 5 : 25); ++i) {
      const FrameTime start = now();
      frame.clear();
      for (int k = 0; k < count; ++k) {
        auto& one = bodies[static_cast<std::size_t>(k)];
        if (k % 100 == 0) walker.pose(i + k / 100);
        one.set_pose(walker.model_from_joint);
        one.add_to(frame, {.t = {1.2F * static_cast<float>(k % 32 - 16), 0, 1.2F * static_cast<float>(k / 32 - 16)}});
      }
      outside_s = now().wall_s - start.wall_s;
      (void)renderer->render(frame).has_value();
      all.push_back(outside_s + renderer->statistics().prepare_s);
    }
    std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
    rows.push_back({fmt::format("render/CPU outside OpenGL, {} character{}", count, count == 1 ? "" : "s"), "frames/s",
                    1 / all[all.size() / 2]});
  }
}

}  // namespace zoe::bench
