// SPDX-License-Identifier: MIT
#include "zoe/sprite/generate/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "zoe/core/index.h"
#include "zoe/sprite/generate/pack.h"
#include "zoe/sprite/identity/identity.h"

#include "sprite/generate/eval_frames.h"
#include "sprite/generate/picture_scores.h"
#include "sprite/generate/word_judge.h"

namespace zoe::sprite {
namespace {

using FoundJoints = std::vector<float>;  // [frames, joints, 2], fractions of the canvas.

constexpr double kJointRight = 0.05;  // Of the figure's height.

std::uint32_t color_number(Rgba picture, std::size_t pixel) {
  return std::uint32_t{picture[4 * pixel]} << 16 | std::uint32_t{picture[4 * pixel + 1]} << 8 | picture[4 * pixel + 2];
}

FoundJoints judged(const nn::Network& judge, const Frames& frames) {
  nn::NetworkState state = nn::make_state(judge, 1);
  FoundJoints all;
  for (const auto& frame : frames) {
    std::vector<float> picture(frame.size());
    judged_picture(frame, 4, picture);
    std::array<float, 2 * paint::kNumJoints> joints;
    const std::array<std::span<const float>, 1> in{picture};
    const std::array<std::span<float>, 1> out{joints};
    ZOE_CHECK((nn::NetworkJob{.network = &judge, .state = &state, .batch = 1, .inputs = in, .outputs = out}.run()),
              "the judge's job is wrong");
    all.insert(all.end(), joints.begin(), joints.end());
  }
  return all;
}

// Sums over the frames of one clip.
struct ClipSums {
  double frames = 0, psnr = 0, figure_psnr = 0, ssim = 0, overlap = 0, exact = 0, figure = 0, stray = 0, painted = 0,
         color = 0, still = 0, flicker = 0, changes = 0, true_changes = 0, closing = 0, steps = 0, loops = 0;
  double joint_error = 0, joints = 0, right = 0, drawn = 0, position = 0;
  FoundJoints found;
  paint::Answers answers = paint::kNoAnswers;
};

// Shares of the palette's colours.
std::array<double, paint::kMaxColors> color_shares(std::span<const std::uint8_t> indices) {
  std::array<double, paint::kMaxColors> shares{};
  double sum = 0;
  for (const std::uint8_t index : indices) {
    if (index == 0) continue;
    ++shares[index - 1u];
    ++sum;
  }
  for (double& share : shares) share /= std::max(sum, 1.0);
  return shares;
}

double figure_height(Rgba picture, int size) {
  int top = size, bottom = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      if (is_figure(picture, idx(y) * idx(size) + idx(x))) {
        top = std::min(top, y);
        bottom = y + 1;
      }
  return std::max(1, bottom - top);
}

ClipSums measure(const paint::ClipFile& clips, std::size_t clip, const Frames& frames, const nn::Network* judge,
                 const DrawnJudge* drawn) {
  ClipSums sums;
  const std::size_t first = clips.first_frame(clip), pixels = clips.pixels(first).size();
  const int size = clips.size();
  const bool loops = identity::action_loops(clips.label(clip).action);
  std::vector<Rgb> palette;
  for (const paint::Color& c : clips.palette(clip)) palette.push_back({c[0], c[1], c[2]});
  std::set<std::uint32_t> known;
  const Rgba reference = clips.truth(first);
  for (std::size_t i = 0; i < pixels; ++i)
    if (reference[4 * i + 3] > 0) known.insert(color_number(reference, i));
  for (const Rgb c : palette) known.insert(std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b);
  if (judge != nullptr) sums.found = judged(*judge, frames);
  const auto changed = [&](Rgba a, Rgba b) {
    double count = 0;
    for (std::size_t i = 0; i < pixels; ++i) count += differs(a, b, i) ? 1 : 0;
    return count;
  };
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const Rgba truth = clips.truth(first + 1 + f);
    const Rgba painted = frames[f];
    ++sums.frames;
    sums.psnr += psnr_db(painted, truth, false);
    sums.figure_psnr += psnr_db(painted, truth, true);
    sums.ssim += ssim(painted, truth, size);
    sums.overlap += alpha_overlap(painted, truth);
    const std::vector<std::uint8_t> indices = indices_of(picture_of_bytes(painted, size), palette);
    if (drawn != nullptr) {
      const DrawnFeatures features = drawn_features(indices, size, clips.palette(clip));
      sums.drawn += drawn->chance(features) >= 0.5 ? 1 : 0;
      sums.position += drawn->position(features);
    }
    const auto true_indices = clips.pixels(first + 1 + f);
    for (std::size_t i = 0; i < pixels; ++i) {
      if (true_indices[i] != 0) ++sums.figure;
      if (true_indices[i] != 0 && indices[i] == true_indices[i]) ++sums.exact;
      if (!is_figure(painted, i)) continue;
      ++sums.painted;
      if (!known.contains(color_number(painted, i))) ++sums.stray;
    }
    const auto ours = color_shares(indices), theirs = color_shares(true_indices);
    for (std::size_t c = 0; c < ours.size(); ++c) sums.color += std::abs(ours[c] - theirs[c]) / 2;
    if (f > 0) {
      const Rgba before = frames[f - 1], true_before = clips.truth(first + f);
      for (std::size_t i = 0; i < pixels; ++i) {
        const bool moved = differs(painted, before, i), truly = differs(truth, true_before, i);
        sums.changes += moved ? 1 : 0;
        sums.true_changes += truly ? 1 : 0;
        if (!truly && (is_figure(truth, i) || is_figure(painted, i) || is_figure(before, i))) {
          ++sums.still;
          sums.flicker += moved ? 1 : 0;
        }
      }
    }
    if (sums.found.empty()) continue;
    const paint::Pose pose = paint::read_pose(clips.pose(first + 1 + f));
    const double height = figure_height(truth, size);
    for (std::size_t j = 0; j < paint::kNumJoints; ++j) {
      if (pose.points[j].known < 0.5F) continue;
      const float* at = sums.found.data() + 2 * (f * paint::kNumJoints + j);
      const double apart = size * std::hypot(static_cast<double>(at[0] - pose.points[j].x),
                                             static_cast<double>(at[1] - pose.points[j].y));
      sums.joint_error += apart;
      ++sums.joints;
      sums.right += apart < kJointRight * height ? 1 : 0;
    }
  }
  if (loops && frames.size() > 2) {
    double steps = 0;
    for (std::size_t f = 1; f < frames.size(); ++f) steps += changed(frames[f], frames[f - 1]);
    steps /= static_cast<double>(frames.size() - 1);
    if (steps > 0) {
      sums.closing = changed(frames.back(), frames[0]) / steps;
      sums.loops = 1;
    }
  }
  return sums;
}

// Joints from the middle of the body, in its sizes.
FoundJoints relative(const FoundJoints& joints) {
  FoundJoints out = joints;
  constexpr std::size_t kRow = 2 * paint::kNumJoints;
  for (std::size_t f = 0; f * kRow < out.size(); ++f) {
    float* row = out.data() + f * kRow;
    const float x = joints[0], y = joints[1];  // The hips of the first frame.
    for (std::size_t j = 0; j < paint::kNumJoints; ++j) {
      row[2 * j] -= x;
      row[2 * j + 1] -= y;
    }
  }
  return out;
}

// Nearest true clip of another identity with the same number of frames and the same direction.
double actions_right(const paint::ClipFile& clips, const std::vector<ClipSums>& painted,
                     const std::vector<ClipSums>& truth) {
  double right = 0, count = 0;
  std::vector<FoundJoints> known(truth.size());
  for (std::size_t c = 0; c < truth.size(); ++c) known[c] = relative(truth[c].found);
  for (std::size_t c = 0; c < painted.size(); ++c) {
    const FoundJoints joints = relative(painted[c].found);
    double best = 1e30;
    std::size_t nearest = c;
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (clips.label(k).identity == clips.label(c).identity || known[k].size() != joints.size() ||
          clips.label(k).direction != clips.label(c).direction)
        continue;
      double sum = 0;
      for (std::size_t i = 0; i < joints.size(); ++i) {
        const double d = static_cast<double>(joints[i] - known[k][i]);
        sum += d * d;
      }
      if (sum < best) best = sum, nearest = k;
    }
    if (nearest == c) continue;
    ++count;
    right += clips.label(nearest).action == clips.label(c).action ? 1 : 0;
  }
  return count > 0 ? right / count : 0;
}

void count_answers(const paint::ClipFile& clips, const std::vector<ClipSums>& all, PaintScores& scores) {
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q) {
    int right = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const std::int32_t label = clips.answers(c)[q];
      if (label < 0 || all[c].answers[q] < 0) continue;
      ++scores.num_answers[q];
      right += all[c].answers[q] == label ? 1 : 0;
    }
    if (scores.num_answers[q] > 0) scores.answers_right[q] = static_cast<double>(right) / scores.num_answers[q];
  }
}

PaintScores scores_of(const std::string& method, const std::vector<ClipSums>& all) {
  ClipSums s;
  for (const ClipSums& one : all) {
    for (double ClipSums::*value :
         {&ClipSums::frames,      &ClipSums::psnr,         &ClipSums::figure_psnr, &ClipSums::ssim,
          &ClipSums::overlap,     &ClipSums::exact,        &ClipSums::figure,      &ClipSums::stray,
          &ClipSums::painted,     &ClipSums::color,        &ClipSums::still,       &ClipSums::flicker,
          &ClipSums::changes,     &ClipSums::true_changes, &ClipSums::closing,     &ClipSums::loops,
          &ClipSums::joint_error, &ClipSums::joints,       &ClipSums::right,       &ClipSums::drawn})
      s.*value += one.*value;
  }
  const auto ratio = [](double a, double b) { return b > 0 ? a / b : 0; };
  return {.method = method,
          .num_clips = static_cast<int>(all.size()),
          .num_frames = static_cast<int>(s.frames),
          .psnr_db = ratio(s.psnr, s.frames),
          .figure_psnr_db = ratio(s.figure_psnr, s.frames),
          .ssim = ratio(s.ssim, s.frames),
          .alpha_overlap = ratio(s.overlap, s.frames),
          .exact_pixels = ratio(s.exact, s.figure),
          .stray_colors = ratio(s.stray, s.painted),
          .color_distance = ratio(s.color, s.frames),
          .flicker = ratio(s.flicker, s.still),
          .motion_ratio = ratio(s.changes, s.true_changes),
          .loop_gap = ratio(s.closing, s.loops),
          .joint_error_px = ratio(s.joint_error, s.joints),
          .joints_right = ratio(s.right, s.joints)};
}

}  // namespace

Result<std::vector<PaintScores>> EvaluatePainter::run(Executor& executor) const {
  if (!clips->has_truth())
    return Error{ErrorCode::kUsage, "the clips have no true colours: `zoe sprite pack --truth` keeps them", {}};
  if ((painter != nullptr && painter->size() != clips->size()) || (video != nullptr && video->size() != clips->size()))
    return Error{ErrorCode::kUsage, "the clips have another size than the painter's pictures", {}};
  if (video != nullptr && video->begins_painted() && (look.first == nullptr || look.first->size() != clips->size()))
    return Error{ErrorCode::kUsage, "this network begins with frames of a painter of the same size: give one", {}};
  const int area = clips->size() * clips->size();
  if (judge != nullptr &&
      (judge->inputs().size() != 1 || judge->inputs()[0].shape.steps != area || judge->inputs()[0].shape.width != 4 ||
       judge->outputs().size() != 1 || judge->outputs()[0].shape.steps != static_cast<int>(paint::kNumJoints)))
    return Error{ErrorCode::kUsage, "the judge is no network of `zoe train sprite_judge` for clips of this size", {}};
  for (const nn::Network* network : words) ZOE_TRY(check_word_judge(*network, clips->size()));
  using Method = std::function<Frames(std::size_t)>;
  std::vector<std::pair<std::string, Method>> methods{{"truth", [&](std::size_t c) { return true_frames(*clips, c); }}};
  if (!only_painter) {
    methods.emplace_back("copy", [&](std::size_t c) { return copied_frames(*clips, c); });
    methods.emplace_back("puppet", [&](std::size_t c) { return puppet_frames(*clips, c); });
  }
  if (oracles && !only_painter) {
    methods.emplace_back("puppet in the palette", [&](std::size_t c) { return guessed_frames(*clips, c); });
    methods.emplace_back("best bone", [&](std::size_t c) { return best_frames(*clips, c, false); });
    methods.emplace_back("best bone or puppet", [&](std::size_t c) { return best_frames(*clips, c, true); });
  }
  if (painter != nullptr)
    methods.emplace_back("painter", [&](std::size_t c) { return painted_frames(*painter, *clips, c); });
  if (video != nullptr)
    methods.emplace_back("video", [&](std::size_t c) { return video_frames(*video, look, *clips, c); });
  if (flat && painter != nullptr)
    methods.emplace_back("flat", [&](std::size_t c) { return painted_frames(*painter, *clips, c, true); });
  if (flat && video != nullptr)
    methods.emplace_back("flat", [&](std::size_t c) { return video_frames(*video, look, *clips, c, true); });
  std::vector<PaintScores> rows;
  std::vector<ClipSums> truth;
  for (const auto& [name, frames_of] : methods) {
    std::vector<ClipSums> sums(clips->num_clips());
    const Method& make = frames_of;
    executor.parallel_for(sums.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        const Frames frames = make(c);
        sums[c] = measure(*clips, c, frames, judge, drawn);
        for (const nn::Network* network : words) judge_words(*network, frames, sums[c].answers);
      }
    });
    rows.push_back(scores_of(name, sums));
    if (drawn != nullptr) {
      const double count = std::max(1, rows.back().num_frames);
      double all = 0, moved = 0;
      for (std::size_t c = 0; c < sums.size(); ++c) {
        all += sums[c].drawn;
        moved += (truth.empty() ? sums[c].position : truth[c].position) - sums[c].position;
      }
      rows.back().looks_drawn = all / count;
      rows.back().leakage = moved / count;
    }
    count_answers(*clips, sums, rows.back());
    if (name == "truth") truth = sums;
    if (judge != nullptr) rows.back().nearest_action = actions_right(*clips, sums, truth);
  }
  return rows;
}

render::Picture EvaluatePainter::sheet(int num_clips) const {
  const int size = clips->size(), zoom = 3;
  const std::size_t shown = std::min(static_cast<std::size_t>(num_clips), clips->num_clips());
  std::vector<std::vector<Frames>> all;  // [clips][methods]
  std::vector<std::size_t> numbers;
  std::size_t columns = 0;
  for (std::size_t k = 0; k < shown; ++k) {
    const std::size_t c = k * clips->num_clips() / shown;
    std::vector<Frames> methods{true_frames(*clips, c), puppet_frames(*clips, c)};
    if (painter != nullptr) methods.push_back(painted_frames(*painter, *clips, c));
    if (video != nullptr) methods.push_back(video_frames(*video, look, *clips, c));
    columns = std::max(columns, methods[0].size() + 1);
    numbers.push_back(c);
    all.push_back(std::move(methods));
  }
  const int rows = 2 + (painter != nullptr ? 1 : 0) + (video != nullptr ? 1 : 0), cell = size * zoom;
  render::Picture out =
      render::make_picture(static_cast<int>(columns) * cell, static_cast<int>(shown) * rows * cell, 96, 104, 116, 255);
  const auto put = [&](Rgba picture, int left, int top) {
    for (int y = 0; y < cell; ++y)
      for (int x = 0; x < cell; ++x) {
        const std::size_t pixel = idx(y / zoom) * idx(size) + idx(x / zoom);
        const int alpha = picture[4 * pixel + 3];
        std::uint8_t* p = out.pixel(left + x, top + y);
        for (std::size_t c = 0; c < 3; ++c)
          p[c] = static_cast<std::uint8_t>((alpha * picture[4 * pixel + c] + (255 - alpha) * p[c]) / 255);
      }
  };
  for (std::size_t k = 0; k < shown; ++k) {
    for (std::size_t m = 0; m < all[k].size(); ++m) {
      const int top = (static_cast<int>(k) * rows + static_cast<int>(m)) * cell;
      put(clips->truth(clips->first_frame(numbers[k])), 0, top);
      for (std::size_t f = 0; f < all[k][m].size(); ++f) put(all[k][m][f], static_cast<int>(f + 1) * cell, top);
    }
  }
  return out;
}

}  // namespace zoe::sprite
