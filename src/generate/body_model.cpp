// SPDX-License-Identifier: MIT
#include "zoe/generate/body_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/features/action_words.h"
#include "zoe/nn/denoiser.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/quantize.h"

namespace zoe::generate {
namespace {

using features::BodyTokens;
using features::kTokenWidth;

constexpr const char* kPortNames[] = {"x", "known", "known_groups", "body", "names", "relation", "time", "words"};
constexpr int kGroupOf[kTokenWidth] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3};
constexpr int kMaxFrames = 30 * 60 * 20;  // Twenty minutes at 30 fps.

Error not_a_model(const std::string& why) { return {ErrorCode::kInvalid, "no network of the model anytop: " + why}; }

Result<std::vector<float>> numbers_of(const nn::Graph& graph, const char* key) {
  const auto text = graph.metadata.find(key);
  if (text == graph.metadata.end()) return not_a_model(fmt::format("its metadata have no {}", key));
  std::vector<float> numbers;
  const char* at = text->second.data();
  const char* const end = at + text->second.size();
  while (at < end) {
    float value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc()) return not_a_model(fmt::format("{} is damaged", key));
    numbers.push_back(value);
    at = next;
    while (at < end && *at == ' ') ++at;
  }
  if (numbers.size() != kTokenWidth) return not_a_model(fmt::format("{} has {} numbers", key, numbers.size()));
  return numbers;
}

// The arrays of one window of a body, and one evaluation of the network.
class WindowRun {
 public:
  WindowRun(const nn::Network& network, const BodyTokens& body) : network_(network), body_(body) {}

  Result<void> bind(int frames) {
    if (frames == frames_) return {};
    ZOE_TRY_ASSIGN(state_, nn::make_state(network_, 1, {{"frames", frames}, {"joints", body_.num_tokens()}}));
    frames_ = frames;
    const std::size_t tokens = idx(frames) * idx(body_.num_tokens());
    for (std::vector<float>* array : {&x, &known, &prediction, &held, &noise}) array->assign(tokens * kTokenWidth, 0);
    groups.assign(tokens * kKnownGroups, 0);
    const auto code = idx(state_.outputs()[1].shape.width);
    joint_codes.assign(idx(body_.num_tokens()) * code, 0);
    frame_codes.assign(idx(frames) * code, 0);
    return {};
  }

  void run(float time, std::span<const float> words, std::span<float> out) {
    const std::span<const float> inputs[] = {x,           known,           groups,     body_.body,
                                             body_.names, body_.relations, {&time, 1}, words};
    const std::span<float> outputs[] = {out, joint_codes, frame_codes};
    const bool ran =
        nn::NetworkJob{.network = &network_, .state = &state_, .batch = 1, .inputs = inputs, .outputs = outputs}.run();
    ZOE_CHECK(ran, "the network's ports were checked");
  }

  // x keeps what is known.
  void keep() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (groups[i / kTokenWidth * kKnownGroups + idx(kGroupOf[i % kTokenWidth])] > 0.5F) x[i] = known[i];
    }
  }

  std::vector<float> x, known, groups, prediction, held, noise, joint_codes, frame_codes;

 private:
  const nn::Network& network_;
  const BodyTokens& body_;
  nn::NetworkState state_;
  int frames_ = 0;
};

// Numbers of few evaluations tremble from frame to frame, far above the frequencies of motion at 30 fps. is_known: of a
// number of the array. Those stay.
template <typename IsKnown>
void smooth_over_time(std::vector<float>& values, std::size_t row, float deviation_frames, const IsKnown& is_known) {
  if (!(deviation_frames > 0)) return;
  const auto reach = static_cast<int>(std::ceil(3 * deviation_frames));
  std::vector<float> weights;
  for (int k = 0; k <= reach; ++k) {
    const float at = static_cast<float>(k) / deviation_frames;
    weights.push_back(std::exp(-0.5F * at * at));
  }
  const std::vector<float> before = values;
  const auto frames = static_cast<int>(values.size() / row);
  for (int f = 0; f < frames; ++f) {
    // Alike on both sides, so that a straight line stays one to the ends.
    const int near = std::min({reach, f, frames - 1 - f});
    for (std::size_t i = 0; i < row; ++i) {
      const std::size_t number = idx(f) * row + i;
      if (is_known(number)) continue;
      float sum = weights[0] * before[number], weight = weights[0];
      for (int k = 1; k <= near; ++k) {
        sum += weights[idx(k)] * (before[number - idx(k) * row] + before[number + idx(k) * row]);
        weight += 2 * weights[idx(k)];
      }
      values[number] = sum / weight;
    }
  }
}

// [tokens × kKnownGroups] 1: known in some frame, so that its other frames must fit.
std::vector<char> known_somewhere(const KnownNumbers& known, std::size_t group_row) {
  std::vector<char> out(group_row, 0);
  for (std::size_t i = 0; i < known.groups.size(); ++i)
    if (known.groups[i] > 0.5F) out[i % group_row] = 1;
  return out;
}

// As few windows as the trained length allows, of one length. Each knows a quarter of a window of the one before, or
// less, down to an eighth, where that saves a window.
struct WindowPlan {
  int window = 0, past = 0;  // Frames.
};
WindowPlan plan_windows(int total, int trained) {
  if (total <= trained) return {total, 0};
  const int least = std::max(1, trained / 8), most = std::max(1, trained / 4);
  const int count = (total - least + trained - least - 1) / (trained - least);
  const int past = std::clamp((count * trained - total) / (count - 1), least, most);
  return {(total - past + count - 1) / count + past, past};
}

// Matrices of another type. The first layer and the last keep theirs in int8: they are 0.3 % of the work, and their
// rounded rows are most of what makes motions jitter.
nn::Graph converted(const nn::Graph& graph, nn::WeightType type) {
  nn::Graph out = nn::with_weight_type(graph, type);
  if (type != nn::WeightType::kI8) return out;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    const nn::Weight& weight = graph.weights[i];
    if (weight.name == "in.weight" || weight.name == "out.weight") out.weights[i] = weight;
  }
  return out;
}

}  // namespace

Result<BodyModel> BodyModel::load(const std::filesystem::path& path, std::optional<nn::WeightType> weights) {
  std::error_code ignored;
  const std::filesystem::path file = std::filesystem::is_directory(path, ignored) ? path / "model.safetensors" : path;
  ZOE_TRY_ASSIGN(const nn::Graph graph, nn::read_graph(file));
  Result<BodyModel> model = create(weights ? converted(graph, *weights) : graph);
  if (!model) return Error{model.error().code, model.error().message, {.file = file.string()}};
  return model;
}

Result<BodyModel> BodyModel::create(const nn::Graph& graph) {
  const auto text = [&](const char* key) {
    const auto found = graph.metadata.find(key);
    return found == graph.metadata.end() ? std::string() : found->second;
  };
  if (graph.inputs.size() != std::size(kPortNames) || graph.outputs.size() != 3 || graph.dims.size() != 2)
    return not_a_model("it has other ports");
  for (std::size_t i = 0; i < graph.inputs.size(); ++i)
    if (graph.inputs[i].name != kPortNames[i]) return not_a_model("it has other ports");
  const int widths[] = {kTokenWidth,
                        kTokenWidth,
                        kKnownGroups,
                        features::kBodyWidth,
                        features::kNameWidth,
                        2,
                        1,
                        static_cast<int>(features::action_vocabulary().size())};
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (graph.inputs[i].shape.width != widths[i])
      return not_a_model(fmt::format("its input {} has {} columns and this version {}: train again", kPortNames[i],
                                     graph.inputs[i].shape.width, widths[i]));
  }
  ZOE_TRY_ASSIGN(nn::NoiseProcess process, nn::NoiseProcess::from_text(text(nn::kProcessKey)));
  if (text("zoe.schema").empty()) return not_a_model("its metadata have no zoe.schema");
  ZOE_TRY_ASSIGN(features::Schema schema, features::Schema::parse(text("zoe.schema"), "zoe.schema"));
  BodyModel model(std::move(process), std::move(schema));
  ZOE_TRY_ASSIGN(model.means_, numbers_of(graph, "zoe.means"));
  ZOE_TRY_ASSIGN(model.spreads_, numbers_of(graph, "zoe.spreads"));
  for (const float spread : model.spreads_)
    if (!(spread > 0)) return not_a_model("zoe.spreads must be above 0");
  const std::string frames = text("zoe.frames");
  const auto [end, error] = std::from_chars(frames.data(), frames.data() + frames.size(), model.window_frames_);
  if (error != std::errc() || end != frames.data() + frames.size() || model.window_frames_ < 4 ||
      model.window_frames_ > 4096)
    return not_a_model("zoe.frames is no number from 4 to 4096");
  if (const std::string sampler = text(nn::kSamplerKey); !sampler.empty()) {
    ZOE_TRY_ASSIGN(model.sampler_, nn::sampler_from_text(sampler));
  }
  if (const std::string calibration = text(kCalibrationKey); !calibration.empty()) {
    ZOE_TRY_ASSIGN(model.calibration_, calibration_from_text(calibration));
  }
  ZOE_TRY_ASSIGN(model.network_, nn::Network::compile(graph));
  model.code_width_ = model.network_->outputs()[1].shape.width;
  return model;
}

Result<BodyLayout> BodyModel::layout_for(const SkeletonPtr& skeleton, const SkeletonAnalysis& analysis) const {
  return make_body_layout(schema_, skeleton, analysis);
}

Result<std::vector<float>> BodyModel::sample(const BodyTokens& body, const BodySampleOptions& options) const {
  const std::size_t row = idx(body.num_tokens()) * kTokenWidth, group_row = idx(body.num_tokens()) * kKnownGroups;
  const int total = options.num_frames;
  if (total < 1 || total > kMaxFrames)
    return Error{ErrorCode::kUsage, fmt::format("a motion has 1 to {} frames, not {}", kMaxFrames, total)};
  ZOE_CHECK(options.known.values.empty() || (options.known.values.size() == idx(total) * row &&
                                             options.known.groups.size() == idx(total) * group_row),
            "known numbers: [frames × tokens × width]");
  ZOE_TRY_ASSIGN(const std::vector<nn::SamplerStage> stages, nn::make_stages(process_, options.sampler));
  const std::vector<float> none(features::action_vocabulary().size(), 0.0F);
  const std::vector<float>& words = options.words.empty() ? none : options.words;
  ZOE_CHECK(words.size() == none.size(), "words: one number for each action of the vocabulary");
  const bool guided = options.guidance != 1 && words != none;

  std::vector<float> normal(idx(total) * row);  // The result, normalised.
  const auto normalised = [&](float value, std::size_t column) { return (value - means_[column]) / spreads_[column]; };
  WindowRun run(*network_, body);
  const WindowPlan plan = plan_windows(total, window_frames_);
  const int past = plan.past, window = plan.window;
  std::vector<float> without;
  Random random = Random(options.seed).split(0);
  int done = 0;
  while (done < total) {
    // The last window begins earlier where it would be shorter: it then knows more of the past.
    const int first = done == 0 ? 0 : std::min(done - past, total - window);
    ZOE_TRY(run.bind(window));
    std::fill(run.known.begin(), run.known.end(), 0.0F);
    std::fill(run.groups.begin(), run.groups.end(), 0.0F);
    for (int f = 0; f < window; ++f) {
      const std::size_t from = idx(first + f) * row, to = idx(f) * row;
      if (first + f < done) {
        std::copy_n(&normal[from], row, &run.known[to]);
        std::fill_n(&run.groups[idx(f) * group_row], group_row, 1.0F);
      } else if (!options.known.values.empty()) {
        std::copy_n(&options.known.groups[idx(first + f) * group_row], group_row, &run.groups[idx(f) * group_row]);
        for (std::size_t i = 0; i < row; ++i) {
          const float is_known = run.groups[(to + i) / kTokenWidth * kKnownGroups + idx(kGroupOf[i % kTokenWidth])];
          run.known[to + i] = is_known * normalised(options.known.values[from + i], i % kTokenWidth);
        }
      }
    }
    for (float& value : run.x) value = static_cast<float>(random.normal());
    without.resize(guided ? run.x.size() : 0);
    for (const nn::SamplerStage& stage : stages) {
      run.keep();
      if (guided) run.run(stage.time, none, without);
      run.run(stage.time, words, run.prediction);
      if (guided) nn::guide(options.guidance, without, run.prediction);
      nn::estimate_data(process_.to_data(stage.level), run.x, run.prediction, run.prediction);
      if (stage.noise != 0)
        for (float& value : run.noise) value = static_cast<float>(random.normal());
      nn::advance(stage, run.prediction, run.noise, run.held, run.x);
    }
    run.keep();
    std::copy_n(run.x.data() + idx(done - first) * row, idx(first + window - done) * row, &normal[idx(done) * row]);
    done = first + window;
    if (options.go_on && !options.go_on(done)) return Error{ErrorCode::kUsage, "stopped"};
  }
  smooth_over_time(normal, row, options.smooth_frames, [&](std::size_t number) {
    return !options.known.values.empty() &&
           options.known.groups[number / kTokenWidth * kKnownGroups + idx(kGroupOf[number % kTokenWidth])] > 0.5F;
  });
  for (std::size_t i = 0; i < normal.size(); ++i)
    normal[i] = normal[i] * spreads_[i % kTokenWidth] + means_[i % kTokenWidth];
  MotionCalibration calibration = calibration_;
  if (options.gain > 0) calibration.gain = options.gain;
  apply_gain(calibration, window_frames_, known_somewhere(options.known, group_row), normal);
  return normal;
}

Result<MotionCodes> BodyModel::codes(const BodyTokens& body, std::span<const float> frames, double noise,
                                     std::uint64_t seed) const {
  const std::size_t row = idx(body.num_tokens()) * kTokenWidth;
  ZOE_CHECK(!frames.empty() && frames.size() % row == 0, "codes: frames are [frames × tokens × width]");
  const int total = static_cast<int>(frames.size() / row), window = std::min(total, window_frames_);
  const int level = std::clamp(static_cast<int>(noise * process_.levels()), 1, process_.levels());
  const float alpha = process_.alphas()[idx(level)], sigma = process_.sigmas()[idx(level)];
  MotionCodes codes{.width = code_width_};
  codes.joints.assign(idx(body.num_tokens()) * idx(code_width_), 0);
  codes.frames.assign(idx(total) * idx(code_width_), 0);
  const std::vector<float> none(features::action_vocabulary().size(), 0.0F);
  WindowRun run(*network_, body);
  Random random = Random(seed).split(1);
  int windows = 0;
  for (int done = 0; done < total; ++windows) {
    const int first = std::min(done, total - window);
    ZOE_TRY(run.bind(window));
    for (std::size_t i = 0; i < run.x.size(); ++i) {
      const float data = (frames[idx(first) * row + i] - means_[i % kTokenWidth]) / spreads_[i % kTokenWidth];
      run.x[i] = alpha * data + sigma * static_cast<float>(random.normal());
    }
    run.run(process_.time(level), none, run.prediction);
    for (std::size_t i = 0; i < codes.joints.size(); ++i) codes.joints[i] += run.joint_codes[i];
    std::copy(run.frame_codes.begin() + static_cast<std::ptrdiff_t>(idx(done - first) * idx(code_width_)),
              run.frame_codes.end(), codes.frames.begin() + static_cast<std::ptrdiff_t>(idx(done) * idx(code_width_)));
    done = first + window;
  }
  for (float& value : codes.joints) value /= static_cast<float>(windows);
  return codes;
}

}  // namespace zoe::generate
