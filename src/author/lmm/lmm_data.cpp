// SPDX-License-Identifier: MIT
#include "author/lmm/lmm_data.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/core/suggest.h"
#include "zoe/core/thread_pool.h"

namespace zoe::author {
namespace {

using control::MotionDatabase;
using features::BlockKind;

const std::vector<std::string> kParts{"decompressor", "stepper", "projector"};

// The text before the colon. Empty: none.
std::string part_of(const std::string& setting) {
  const std::size_t colon = setting.find(':');
  if (colon == std::string::npos || colon > setting.find('=')) return {};
  return setting.substr(0, colon);
}

// The style vector of a query, and the labels of the frames that it may find.
void choose_style(const MotionDatabase& database, const Frames& x, Random& random, std::span<float> vector,
                  control::MatchQuery& query) {
  const auto any = [&] { return static_cast<int>(random.below(static_cast<std::uint64_t>(x.count()))); };
  const auto of = [&](int frame) { return x.of(frame).last(vector.size()); };
  const int one = any(), other = any();
  const double share = random.uniform_double() < 0.5 ? 0 : random.uniform_double();
  for (std::size_t c = 0; c < vector.size(); ++c)
    vector[c] = static_cast<float>((1 - share) * of(one)[c] + share * of(other)[c]);
  const std::size_t labels = database.layout().schema().styles.size() + database.layout().schema().actions.size();
  const std::uint64_t all = labels >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << labels) - 1;
  query.all_of = database.tags(share < 0.5 ? one : other) & all;
  query.none_of = all & ~query.all_of;
}

}  // namespace

Result<Frames> gather_poses(const dataset::Group& group) {
  const features::Layout& layout = group.layout;
  Frames poses{layout.width(BlockKind::kOutput), {}};
  for (const features::ClipRows& rows : group.rows) {
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
      } else {  // The direction in which it continues.
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

Queries make_queries(const MotionDatabase& database, const Frames& x, const Frames& states) {
  constexpr int kLeast = 20'000, kMost = 1'000'000, kEach = 8;
  const int frames = database.num_frames();
  const std::size_t dims = idx(database.num_dims());  // Style vectors follow.
  const int count = frames > kMost / kEach ? kMost : std::max(kEach * frames, kLeast);
  features::ColumnStatistics statistics(x.width);
  statistics.add(x.values);
  std::vector<double> spread = statistics.deviations();
  for (double& value : spread) value += 1;
  std::vector<char> is_path(idx(x.width), 0);
  const auto& channels = database.layout().schema().block(BlockKind::kInput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const features::Column& column = database.layout().columns(BlockKind::kInput)[c];
    if (channels[c].group == features::Group::kRoot) std::fill_n(is_path.begin() + column.begin, column.width, 1);
  }
  Queries queries{{x.width, std::vector<float>(idx(count) * idx(x.width))},
                  {states.width, std::vector<float>(idx(count) * idx(states.width))}};
  ThreadPool::shared().parallel_for(idx(count), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Random random = Random(1).split(i);
      const auto query = std::span(queries.x.values).subspan(i * idx(x.width), idx(x.width));
      const auto any = [&] { return x.of(static_cast<int>(random.below(static_cast<std::uint64_t>(frames)))); };
      const auto pose = any(), path = i % 2 == 0 ? pose : any();
      const double strength = random.uniform_double() * (i % 2 == 0 ? 1 : 0.25);
      for (std::size_t c = 0; c < dims; ++c)
        query[c] = (is_path[c] != 0 ? path : pose)[c] + static_cast<float>(strength * spread[c] * random.normal());
      control::MatchQuery asked{.features = query.first(dims)};
      if (dims < query.size()) choose_style(database, x, random, query.subspan(dims), asked);
      const auto answer = states.of(std::max(database.index().find(asked).frame, 0));
      const auto state = std::span(queries.states.values).subspan(i * idx(states.width), idx(states.width));
      std::copy(answer.begin(), answer.end(), state.begin());
      std::copy(query.begin() + static_cast<std::ptrdiff_t>(dims), query.end(),
                state.begin() + static_cast<std::ptrdiff_t>(dims));
    }
  });
  return queries;
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

}  // namespace zoe::author
