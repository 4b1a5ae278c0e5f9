// SPDX-License-Identifier: MIT
#include "zoe/author/response_times.h"

#include <algorithm>
#include <cmath>

#include "author/percentile.h"

namespace zoe::author {
namespace {

constexpr double kWindow_s = 1, kShort_s = 0.2;  // A change, and its fastest part: longer than the sway of a step.
constexpr double kReach_s = 0.5;                 // Mean velocities of where a body goes.
constexpr float kMoves_mps = 0.2F;               // Slower motion is a shift of weight.
constexpr float kLeastChange = 0.3F;             // Of the usual speed: less is noise.
constexpr std::size_t kEnoughMoments = 30;       // Moments that move, and changes.
constexpr std::int64_t kRows = 20000;            // Enough for medians. More takes longer.

struct Velocity {
  Vec3 linear_mps;  // In the root's own axes: a steady walk along a circle does not change it.
  float turn_rad_s = 0;
};

// Adds the duration of the change from the first to the last value, at the rate of its fastest part.
template <typename Difference>
void add_change(std::size_t count, std::size_t part, float part_s, float least, const Difference& difference,
                std::vector<float>& durations_s) {
  const float change = difference(0, count - 1);
  if (!(change >= least)) return;
  float fastest = 0;
  for (std::size_t i = 0; i + part < count; ++i) fastest = std::max(fastest, difference(i, i + part));
  if (fastest > 0) durations_s.push_back(change / fastest * part_s);
}

// Velocities of the root over all clips, or of a part of many.
std::vector<std::vector<Velocity>> read_tracks(const features::Layout& layout, const features::Decoder& decoder,
                                               std::span<const features::ClipRows> clips) {
  const auto rate = static_cast<float>(layout.fps());
  std::int64_t total = 0;
  for (const features::ClipRows& clip : clips) total += clip.num_rows;
  const auto every = static_cast<std::size_t>(total / kRows + 1);
  std::vector<std::vector<Velocity>> tracks;
  std::vector<float> values(layout.size(features::BlockKind::kOutput));
  for (std::size_t c = 0; c < clips.size(); c += every) {
    std::vector<Velocity>& track = tracks.emplace_back();
    for (int frame = 0; frame + 1 < clips[c].num_rows; ++frame) {
      const features::Sample sample{static_cast<std::int32_t>(c), frame, 0};
      const bool gathered =
          features::GatherJob{.layout = &layout, .clips = clips, .samples = {&sample, 1}, .output = values}.run();
      ZOE_CHECK(gathered, "velocities of a body: samples are made of the clips");
      const RootDelta step = decoder.root_step(std::span(values).first(static_cast<std::size_t>(decoder.width())));
      track.push_back({Vec3{step.translation.x, 0, step.translation.z} * rate, step.turn_rad * rate});
    }
  }
  return tracks;
}

}  // namespace

std::optional<ResponseTimes> measure_response_times(const features::Layout& layout, const features::Decoder& decoder,
                                                    std::span<const features::ClipRows> clips) {
  const auto rate = static_cast<float>(layout.fps());
  const auto window = static_cast<std::size_t>(std::max(std::lround(kWindow_s * layout.fps()), 2L));
  const auto part = static_cast<std::size_t>(std::max(std::lround(kShort_s * layout.fps()), 1L));
  const std::vector<std::vector<Velocity>> tracks = read_tracks(layout, decoder, clips);
  std::vector<float> speeds_mps, turns_rad_s;
  for (const std::vector<Velocity>& track : tracks) {
    for (const Velocity& velocity : track) {
      if (length(velocity.linear_mps) <= kMoves_mps) continue;
      speeds_mps.push_back(length(velocity.linear_mps));
      turns_rad_s.push_back(std::abs(velocity.turn_rad_s));
    }
  }
  if (speeds_mps.size() < kEnoughMoments) return {};
  const float usual_mps = percentile(speeds_mps, 0.5), usual_rad_s = percentile(turns_rad_s, 0.95);
  std::vector<float> durations_s, turn_durations_s;
  for (const std::vector<Velocity>& track : tracks) {
    for (std::size_t at = 0; at + window < track.size(); at += part) {
      const Velocity* v = track.data() + at;
      const auto linear = [&](std::size_t a, std::size_t b) { return length(v[b].linear_mps - v[a].linear_mps); };
      const auto turning = [&](std::size_t a, std::size_t b) { return std::abs(v[b].turn_rad_s - v[a].turn_rad_s); };
      const float part_s = static_cast<float>(part) / rate;
      add_change(window, part, part_s, kLeastChange * usual_mps, linear, durations_s);
      add_change(window, part, part_s, kLeastChange * usual_rad_s, turning, turn_durations_s);
    }
  }
  if (durations_s.size() < kEnoughMoments || turn_durations_s.size() < kEnoughMoments) return {};
  return ResponseTimes{percentile(durations_s, 0.5), percentile(turn_durations_s, 0.5)};
}

control::TrajectoryOptions half_lives_of(const ResponseTimes& body, const control::TrajectoryOptions& person) {
  // In whole milliseconds: people read them in controller.toml.
  const auto scaled = [](float half_life_s, float own_s, float person_s) {
    return std::round(1000 * half_life_s * std::clamp(own_s / person_s, 0.5F, 2.0F)) / 1000;
  };
  constexpr ResponseTimes kPerson = ResponseTimes::of_a_person();
  control::TrajectoryOptions out = person;
  out.velocity_half_life_s = scaled(person.velocity_half_life_s, body.velocity_s, kPerson.velocity_s);
  out.facing_half_life_s = scaled(person.facing_half_life_s, body.turn_s, kPerson.turn_s);
  return out;
}

std::optional<BodyReach> measure_reach(const features::Layout& layout, const features::Decoder& decoder,
                                       std::span<const features::ClipRows> clips) {
  const auto window = static_cast<std::size_t>(std::max(std::lround(kReach_s * layout.fps()), 1L));
  std::vector<Velocity> means;
  std::vector<float> backs, sides, turns;
  for (const std::vector<Velocity>& track : read_tracks(layout, decoder, clips)) {
    for (std::size_t at = 0; at + window <= track.size(); at += std::max<std::size_t>(window / 4, 1)) {
      Velocity mean;
      for (std::size_t i = at; i < at + window; ++i) {
        mean.linear_mps += track[i].linear_mps / static_cast<float>(window);
        mean.turn_rad_s += track[i].turn_rad_s / static_cast<float>(window);
      }
      means.push_back(mean);
      backs.push_back(std::max(-mean.linear_mps.z, 0.0F));
      sides.push_back(std::abs(mean.linear_mps.x));
      turns.push_back(std::abs(mean.turn_rad_s));
    }
  }
  if (means.size() < kEnoughMoments) return {};
  const float fast_rad_s = percentile(turns, 0.95);
  std::vector<float> turning_mps;
  for (const Velocity& mean : means)
    if (std::abs(mean.turn_rad_s) >= fast_rad_s) turning_mps.push_back(mean.linear_mps.z);
  return BodyReach{percentile(backs, 0.99), percentile(sides, 0.99), percentile(turns, 0.99),
                   std::max(percentile(turning_mps, 0.5), 0.0F)};
}

control::TrajectoryOptions limits_of(const BodyReach& body, const control::TrajectoryOptions& free) {
  constexpr float kMargin = 1.1F;
  const auto rounded = [](float value) { return std::round(1000 * value) / 1000; };
  control::TrajectoryOptions out = free;
  out.back_mps = rounded(kMargin * body.back_mps);
  out.side_mps = rounded(kMargin * body.side_mps);
  out.turning_mps = rounded(body.turning_mps);
  out.max_turn_speed_rad_s = std::min(rounded(kMargin * body.turn_rad_s), free.max_turn_speed_rad_s);
  return out;
}

}  // namespace zoe::author
