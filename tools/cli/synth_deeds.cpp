// SPDX-License-Identifier: MIT
#include "synth_deeds.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/thread_pool.h"
#include "zoe/dataset/prop_track.h"
#include "zoe/io/bvh.h"
#include "zoe/io/gltf.h"

#include "seat_file.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;
using synth::Deed;

// Seats of mesh files, with the front at +Z and the origin below the seat.
Result<std::vector<Prop>> read_seats(const DeedRequest& request) {
  std::vector<Prop> seats;
  for (const std::string& name : request.seat_files) {
    ZOE_TRY_ASSIGN(const Prop seat, read_seat(name, request.seat_scale));
    seats.push_back(seat);
  }
  return seats;
}

dataset::PropTrack track_of(const synth::InteractionClip& clip) {
  dataset::PropTrack track;
  track.fps = clip.clip.motion.fps;
  for (int i = 0; i < synth::kNumDeeds; ++i) track.deeds.emplace_back(to_string(static_cast<Deed>(i)));
  track.num_props = clip.num_props;
  track.props = clip.props;
  for (const Deed deed : clip.deeds) track.deed.push_back(static_cast<int>(deed));
  for (const synth::DeedGoal& goal : clip.goals)
    track.goals.push_back({static_cast<int>(goal.deed), goal.position, goal.facing_rad});
  return track;
}

// start_s,end_s,label for each run of frames of one deed.
std::string label_lines(const synth::InteractionClip& clip) {
  std::string out;
  const double fps = clip.clip.motion.fps;
  for (std::size_t from = 0; from < clip.deeds.size();) {
    std::size_t to = from;
    while (to < clip.deeds.size() && clip.deeds[to] == clip.deeds[from]) ++to;
    out += fmt::format("{:.4f},{:.4f},{}\n", static_cast<double>(from) / fps, static_cast<double>(to) / fps,
                       to_string(clip.deeds[from]));
    from = to;
  }
  return out;
}

Result<void> write_scene(const fs::path& path, std::span<const Prop> props) {
  Character scene;
  scene.name = "props";
  ZOE_TRY_ASSIGN(scene.skeleton, Skeleton::create({{"props", kNoJoint, {}, JointKind::kNode}}));
  scene.meshes.push_back(synth::mesh_of(props));
  scene.instances.push_back({.mesh = 0, .joint = 0});
  Material material;
  material.name = "props";
  material.base_color = {0.55F, 0.42F, 0.3F, 1};
  scene.materials.push_back(material);
  return io::write_gltf(path, scene, {}, {.skeleton_mesh = false});
}

Result<std::string> write_one(const DeedRequest& request, const std::vector<Prop>& seats, int index) {
  const auto number = static_cast<std::uint64_t>(index);
  const Random random = Random(request.seed).split(number);
  const Deed deed = request.deeds[number % request.deeds.size()];
  const synth::Body body =
      synth::make_body(BodyFamily::kBiped, Random(request.seed).split(request.one_body ? 900001 : 800000 + number),
                       {.mesh = request.mesh});
  synth::InteractionRequest drawn = synth::draw_interaction(body, deed, request.fps, random.split(1));
  if (deed == Deed::kSit && !seats.empty()) {
    Prop seat = seats[random.split(2).below(seats.size())];
    seat.position = drawn.props[0].position, seat.facing_rad = drawn.props[0].facing_rad;
    drawn.props[0] = seat;
  }
  ZOE_TRY_ASSIGN(const synth::InteractionClip clip, synth::make_interaction(body, drawn, random.split(3)));
  const std::string stem = fmt::format("{:05}_biped_{}", index, to_string(deed));
  const fs::path base = request.folder / stem;
  const auto with = [&](const char* ending) { return fs::path(base.string() + ending); };
  if (request.format != "bvh")
    ZOE_TRY(io::write_gltf(with(".glb"), *body.character, std::span(&clip.clip.motion, 1), {}));
  if (request.format != "glb") ZOE_TRY(io::write_bvh(with(".bvh"), clip.clip.motion));
  ZOE_TRY(dataset::write_prop_track(with(dataset::kPropTrackEnding), track_of(clip)));
  ZOE_TRY(write_file_atomic(with(".labels.csv"), label_lines(clip)));
  if (request.prop_files) {
    const std::size_t frames = clip.deeds.size();
    for (const auto& [name, frame] : {std::pair{".first.scene.glb", std::size_t{0}},
                                      {".middle.scene.glb", frames / 2},
                                      {".last.scene.glb", frames - 1}})
      ZOE_TRY(write_scene(with(name), std::span(clip.props).subspan(frame * clip.num_props, clip.num_props)));
  }
  const synth::InteractionQuality quality = synth::measure(body, clip);
  nlohmann::ordered_json json{{"index", index},
                              {"stem", stem},
                              {"deed", to_string(deed)},
                              {"species", body.species},
                              {"fps", request.fps},
                              {"frames", clip.clip.motion.num_frames},
                              {"seed", request.seed},
                              {"seat_m", quality.seat_m},
                              {"hands_m", quality.hands_m},
                              {"inside_m", quality.inside_m},
                              {"skate_m_s", quality.skate_m_s},
                              {"licence", "CC0-1.0"}};
  return json.dump();
}

}  // namespace

Result<void> write_deeds(const DeedRequest& request) {
  ZOE_TRY_ASSIGN(const std::vector<Prop> seats, read_seats(request));
  std::error_code failure;
  fs::create_directories(request.folder, failure);
  if (failure)
    return Error{ErrorCode::kIo, "cannot create the folder: " + failure.message(), {.file = request.folder.string()}};
  std::vector<std::optional<Result<std::string>>> lines(static_cast<std::size_t>(request.count));
  std::optional<ThreadPool> own;
  if (request.jobs > 0) own.emplace(request.jobs - 1);
  (own ? *own : ThreadPool::shared()).parallel_for(lines.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) lines[i] = write_one(request, seats, static_cast<int>(i));
  });
  std::string manifest;
  int refused = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Result<std::string>& line = *lines[i];
    if (line) {
      manifest += *line + "\n";
    } else if (line.error().code == ErrorCode::kUsage) {
      // A drawn body that cannot use a given seat.
      ++refused;
      print_warnings({{fmt::format("clip {}: {}", i, line.error().message), {}}});
    } else {
      return line.error();
    }
  }
  if (refused == request.count) return Error{ErrorCode::kInvalid, "no body can use the given props", {}};
  ZOE_TRY(write_file_atomic(request.folder / "manifest.jsonl", manifest));
  if (!quiet())
    fmt::print("{} clips in {}; {} skipped; manifest.jsonl has their measures\n", request.count - refused,
               request.folder.string(), refused);
  return {};
}

}  // namespace zoe::cli
