// SPDX-License-Identifier: MIT
// Learned motion matching: a database as motion matching has it, and three networks that take its
// place.
#include <algorithm>

#include <fmt/format.h>

#include "zoe/control/lmm.h"
#include "zoe/core/index.h"
#include "zoe/core/progress.h"
#include "zoe/core/random.h"
#include "zoe/core/suggest.h"
#include "zoe/core/thread_pool.h"
#include "zoe/nn/network.h"
#include "zoe/store/safetensors.h"

#include "controller/fit.h"
#include "verb.h"

namespace zoe::cli {
namespace {

namespace fs = std::filesystem;
using control::MotionDatabase;
using features::BlockKind;

// Windows, in frames: a code needs the frame before, its change one more; steppers are let run.
constexpr int kPoseWindow = 3, kStepWindow = 20;

// Numbers of all frames of a database, frame by frame.
struct Frames {
  int width = 0;
  std::vector<float> values;

  std::span<const float> of(int frame) const { return std::span(values).subspan(idx(frame) * idx(width), idx(width)); }
};

Result<Frames> gather_poses(const FitContext& context) {
  const features::Layout& layout = context.group.layout;
  Frames poses{layout.width(BlockKind::kOutput), {}};
  for (const features::ClipRows& rows : context.group.rows) {
    std::vector<features::Sample> samples(idx(rows.num_rows));
    for (int f = 0; f < rows.num_rows; ++f) samples[idx(f)] = {0, f, 0};
    const std::size_t begin = poses.values.size();
    poses.values.resize(begin + samples.size() * idx(poses.width));
    const features::GatherJob job{
        .layout = &layout, .clips = {&rows, 1}, .samples = samples, .output = std::span(poses.values).subspan(begin)};
    if (!job.run()) return Error{ErrorCode::kInvalid, "a clip's rows cannot be gathered", {}};
  }
  return poses;
}

Frames features_of(const MotionDatabase& database) {
  Frames features{database.num_dims(), {}};
  features.values.resize(idx(database.num_frames()) * idx(features.width));
  for (int f = 0; f < database.num_frames(); ++f)
    database.features(f, std::span(features.values).subspan(idx(f) * idx(features.width), idx(features.width)));
  return features;
}

struct Track {
  const char* name;
  const Frames& frames;
};

// What track_source.h of the trainer reads.
Result<void> write_tracks(const fs::path& folder, std::span<const Track> tracks, std::vector<std::int32_t> lengths,
                          int steps, const FitContext& context) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<NamedArray> arrays{{"track_lengths", view_of(lengths)}};
  for (const Track& track : tracks) {
    const std::size_t width = idx(track.frames.width);
    arrays.push_back({track.name, view_of(track.frames.values, {track.frames.values.size() / width, width})});
  }
  return write_safetensors(folder / "tracks.safetensors", arrays,
                           {{"steps", std::to_string(steps)},
                            {"layout", context.group.layout.to_toml()},
                            {"licence", context.data.licence().empty() ? "unknown" : context.data.licence()}});
}

std::vector<std::int32_t> clip_lengths(const MotionDatabase& database) {
  std::vector<std::int32_t> lengths;
  for (const auto& clip : database.clips()) lengths.push_back(clip->num_frames);
  return lengths;
}

// Which decoded joint is above each, plus one; 0: it stands where its own numbers say. As the
// Decoder has it: the hips and what is above them are placed, the others hang on their bones.
Result<std::string> chain_setting(const features::Layout& layout, const SkeletonPtr& skeleton) {
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  const auto columns = layout.columns(BlockKind::kOutput);
  if (channels.size() != 3 || columns[0].width != 3 || channels[1].group != features::Group::kJoint)
    return Error{
        ErrorCode::kInvalid, "the schema's output is not root.delta, joint parts=position,z_axis,y_axis, contact", {}};
  const std::vector<int>& joints = layout.channel_joints(BlockKind::kOutput)[1];
  std::string setting = "model.chain=";
  for (std::size_t i = 0; i < joints.size(); ++i) {
    std::size_t above = 0;
    for (int p = skeleton->parent(joints[i]); p != kNoJoint && above == 0; p = skeleton->parent(p))
      above = static_cast<std::size_t>(std::find(joints.begin(), joints.begin() + static_cast<std::ptrdiff_t>(i), p) -
                                       joints.begin() + 1) %
              (i + 1);
    for (int j = layout.root_joints().hip; j != kNoJoint; j = skeleton->parent(j))
      if (j == joints[i]) above = 0;
    setting += (i == 0 ? "" : ",") + std::to_string(above);
  }
  return setting;
}

// Settings "stepper:train.steps=…" are for that network only.
const std::vector<std::string> kParts{"decompressor", "stepper", "projector"};

// Before the colon; empty: none.
std::string part_of(const std::string& setting) {
  const std::size_t colon = setting.find(':');
  if (colon == std::string::npos || colon > setting.find('=')) return {};
  return setting.substr(0, colon);
}

Result<void> check_parts(const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::string part = part_of(setting);
    if (part.empty() || std::find(kParts.begin(), kParts.end(), part) != kParts.end()) continue;
    return Error{
        ErrorCode::kUsage,
        fmt::format("--set {}: the networks are {}{}", setting, fmt::join(kParts, ", "), did_you_mean(part, kParts)),
        {}};
  }
  return {};
}

std::vector<std::string> settings_for(const std::vector<std::string>& all, const std::string& network) {
  std::vector<std::string> mine;
  for (const std::string& setting : all) {
    const std::string part = part_of(setting);
    if (part.empty()) mine.push_back(setting);
    if (part == network) mine.push_back(setting.substr(part.size() + 1));
  }
  return mine;
}

Result<void> train_part(const FitContext& context, const std::string& name, const fs::path& tracks,
                        const std::vector<std::string>& settings) {
  FitContext part = context;
  part.settings = settings_for(context.settings, name);
  std::vector<std::string> all(context.kind.settings.begin(), context.kind.settings.end());
  all.insert(all.end(), settings.begin(), settings.end());
  ZOE_TRY_ASSIGN(const fs::path made, train_network(part, "lmm_" + name, name, tracks, all));
  std::error_code error;
  fs::copy_file(made, context.run / (name + ".safetensors"), fs::copy_options::overwrite_existing, error);
  if (error) return Error{ErrorCode::kIo, error.message(), {.file = made.string()}};
  return {};
}

// Features and codes of all frames: x, then z.
Result<Frames> find_states(const nn::Network& encoder, const MotionDatabase& database, const Frames& x,
                           const Frames& y) {
  constexpr int kBatch = 256;
  if (encoder.inputs().size() != 1 || encoder.outputs().size() != 1 ||
      encoder.inputs()[0].shape.size() != 2 * idx(y.width))
    return Error{ErrorCode::kInvalid, "the compressor does not take two frames", {}};
  const int code = encoder.outputs()[0].shape.width;
  nn::NetworkState state = nn::make_state(encoder, kBatch);
  std::vector<float> in(idx(kBatch) * 2 * idx(y.width)), out(idx(kBatch) * idx(code));
  Frames states{x.width + code, {}};
  states.values.reserve(idx(database.num_frames()) * idx(states.width));
  for (int first = 0; first < database.num_frames(); first += kBatch) {
    const int count = std::min(kBatch, database.num_frames() - first);
    for (int i = 0; i < count; ++i) {
      const int f = first + i, clip = database.clip_of(f);
      const auto now = y.of(f);
      float* both = in.data() + idx(i) * 2 * idx(y.width);
      std::copy(now.begin(), now.end(), both + y.width);
      if (f > database.begin_of(clip)) {
        const auto before = y.of(f - 1);
        std::copy(before.begin(), before.end(), both);
      } else {  // As it will go on.
        const auto next = y.of(std::min(f + 1, database.end_of(clip) - 1));
        for (std::size_t c = 0; c < now.size(); ++c) both[c] = 2 * now[c] - next[c];
      }
    }
    const std::span<const float> inputs[] = {std::span<const float>(in).first(idx(count) * 2 * idx(y.width))};
    const std::span<float> outputs[] = {std::span(out).first(idx(count * code))};
    if (!nn::NetworkJob{.network = &encoder, .state = &state, .batch = count, .inputs = inputs, .outputs = outputs}
             .run())
      return Error{ErrorCode::kInvalid, "the compressor cannot be run", {}};
    for (int i = 0; i < count; ++i) {
      const auto features = x.of(first + i);
      states.values.insert(states.values.end(), features.begin(), features.end());
      states.values.insert(states.values.end(), out.begin() + i * code, out.begin() + (i + 1) * code);
    }
  }
  return states;
}

// Wishes around frames, and the state of the nearest frame to each. Half are as published: a
// frame's features and noise of any strength. The others are what a running character asks: the
// pose of one frame with the way of another, and less noise.
struct Wishes {
  Frames x, states;
};

Wishes make_wishes(const MotionDatabase& database, const Frames& x, const Frames& states) {
  constexpr int kLeast = 20'000, kMost = 1'000'000, kEach = 8;
  const int frames = database.num_frames();
  const int count = frames > kMost / kEach ? kMost : std::max(kEach * frames, kLeast);
  features::ColumnStatistics statistics(x.width);
  statistics.add(x.values);
  std::vector<double> spread = statistics.deviations();
  for (double& value : spread) value += 1;
  std::vector<char> is_way(idx(x.width), 0);
  const auto& channels = database.layout().schema().block(BlockKind::kInput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const features::Column& column = database.layout().columns(BlockKind::kInput)[c];
    if (channels[c].group == features::Group::kRoot) std::fill_n(is_way.begin() + column.begin, column.width, 1);
  }
  Wishes wishes{{x.width, std::vector<float>(idx(count) * idx(x.width))},
                {states.width, std::vector<float>(idx(count) * idx(states.width))}};
  Progress progress("wishes", static_cast<std::uint64_t>(count),
                    {.mode = quiet() ? ProgressMode::kSilent : ProgressMode::kAuto});
  ThreadPool::shared().parallel_for(idx(count), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Random random = Random(1).split(i);
      const auto wish = std::span(wishes.x.values).subspan(i * idx(x.width), idx(x.width));
      const auto any = [&] { return x.of(static_cast<int>(random.below(static_cast<std::uint64_t>(frames)))); };
      const auto pose = any(), way = i % 2 == 0 ? pose : any();
      const double strength = random.uniform_double() * (i % 2 == 0 ? 1 : 0.25);
      for (std::size_t c = 0; c < wish.size(); ++c)
        wish[c] = (is_way[c] != 0 ? way : pose)[c] + static_cast<float>(strength * spread[c] * random.normal());
      const int nearest = database.index().find({.features = wish}).frame;
      const auto answer = states.of(std::max(nearest, 0));
      std::copy(answer.begin(), answer.end(), wishes.states.values.data() + i * idx(states.width));
    }
    progress.advance(end - begin);
  });
  return wishes;
}

Result<void> save_features(const FitContext& context, const MotionDatabase& database) {
  features::Normalisation normalisation = context.group.normalisation;
  normalisation.blocks[static_cast<std::size_t>(BlockKind::kInput)] = database.normalisation();
  return features::save_normalisation(context.run / control::kFeaturesFile, context.group.layout, normalisation);
}

}  // namespace

Result<void> fit_learned_matching(const FitContext& context) {
  ZOE_TRY(check_parts(context.settings));
  ZOE_TRY_ASSIGN(const MotionDatabase database, make_database(context));
  const fs::path folder = context.run / "tracks";
  const std::vector<std::int32_t> lengths = clip_lengths(database);
  const Frames x = features_of(database);
  ZOE_TRY_ASSIGN(const Frames y, gather_poses(context));
  const Track poses[] = {{"x", x}, {"y", y}};
  ZOE_TRY(write_tracks(folder / "decompressor", poses, lengths, kPoseWindow, context));
  ZOE_TRY_ASSIGN(const std::string chain, chain_setting(context.group.layout, context.group.skeleton));
  ZOE_TRY(train_part(context, "decompressor", folder / "decompressor",
                     {chain, fmt::format("model.fps={}", database.fps())}));

  ZOE_TRY_ASSIGN(const nn::NetworkPtr encoder, nn::load_network(context.run / "decompressor" / "encoder.safetensors"));
  ZOE_TRY_ASSIGN(const Frames states, find_states(*encoder, database, x, y));
  const Track steps[] = {{"x", states}};
  ZOE_TRY(write_tracks(folder / "stepper", steps, lengths, kStepWindow, context));
  ZOE_TRY(train_part(context, "stepper", folder / "stepper", {}));

  const Wishes wishes = make_wishes(database, x, states);
  const Track pairs[] = {{"x", wishes.x}, {"y", wishes.states}};
  const auto count = static_cast<std::int32_t>(wishes.x.values.size() / idx(x.width));
  ZOE_TRY(write_tracks(folder / "projector", pairs, {count}, 1, context));
  ZOE_TRY(train_part(context, "projector", folder / "projector", {}));

  ZOE_TRY(save_features(context, database));
  std::error_code ignored;
  fs::remove_all(folder, ignored);  // They are large, and made again from the dataset in seconds.
  context.config.network = control::kDecompressorFile;
  context.config.neural.trajectory = control::MatchOptions{}.trajectory;
  context.config.neural.correction = control::MatchOptions{}.correction;
  if (quiet()) return {};
  double bytes = 0;
  for (const char* part : {control::kDecompressorFile, control::kStepperFile, control::kProjectorFile})
    bytes += static_cast<double>(fs::file_size(context.run / part, ignored));
  const auto database_bytes = static_cast<double>(database.bytes());
  fmt::print("{:.1f} MB of clips in {:.2f} MB of networks: {:.1f} times smaller\n", database_bytes / 1e6, bytes / 1e6,
             database_bytes / bytes);
  return {};
}

}  // namespace zoe::cli
