// SPDX-License-Identifier: MIT
#include "zoe/paint/video_painter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/random.h"
#include "zoe/nn/denoiser.h"
#include "zoe/paint/clip_file.h"

namespace zoe::paint {
namespace {

constexpr std::size_t kKeyWidth = kPatchNumbers + kPatchFeatures;

// Inputs in the order of VideoJob::run().
constexpr std::array<std::pair<const char*, int>, 7> kVideoInputs{{{"noised", static_cast<int>(kPatchNumbers)},
                                                                   {"bones", static_cast<int>(kPatchFeatures)},
                                                                   {"warped", static_cast<int>(kPatchNumbers)},
                                                                   {"keys", static_cast<int>(kKeyWidth)},
                                                                   {"mask", 1},
                                                                   {"caption", 1},
                                                                   {"time", 1}}};

Error no_video_painter(const std::string& why) {
  return {ErrorCode::kInvalid, "this is no network of `zoe train sprite_video`: " + why, {}};
}

}  // namespace

Result<VideoPainter> VideoPainter::load(const std::filesystem::path& path) {
  Result<nn::NetworkPtr> network = nn::load_network(path);
  if (!network) return network.error();
  Result<VideoPainter> painter = create(std::move(*network));
  if (painter) return painter;
  Error error = painter.error();
  error.where.file = path.string();
  return error;
}

Result<VideoPainter> VideoPainter::create(nn::NetworkPtr network) {
  const Metadata& words = network->metadata();
  const auto process_text = words.find(nn::kProcessKey), words_text = words.find(kWordsKey);
  if (process_text == words.end() || words_text == words.end()) return no_video_painter("it has no vocabulary");
  ZOE_TRY_ASSIGN(nn::NoiseProcess process, nn::NoiseProcess::from_text(process_text->second));
  VideoPainter out(std::move(process));
  out.vocabulary_ = Vocabulary(words_text->second);
  out.sampler_ = {nn::Sampler::kDdim, 1};
  if (const auto sampler = words.find(nn::kSamplerKey); sampler != words.end()) {
    ZOE_TRY_ASSIGN(out.sampler_, nn::sampler_from_text(sampler->second));
  }
  const auto inputs = network->inputs(), outputs = network->outputs();
  if (inputs.size() != kVideoInputs.size()) return no_video_painter("it has other inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].name != kVideoInputs[i].first || inputs[i].shape.width != kVideoInputs[i].second)
      return no_video_painter(fmt::format("input {} is not '{}'", i, kVideoInputs[i].first));
  }
  const int patches = inputs[3].shape.steps;
  const int line = static_cast<int>(std::lround(std::sqrt(static_cast<double>(patches))));
  if (patches < 1 || line * line != patches || inputs[4].shape.steps != patches + static_cast<int>(kWordRows) ||
      inputs[5].shape.steps != static_cast<int>(kWordRows) || outputs.size() != 1 ||
      outputs[0].shape.width != static_cast<int>(kPatchNumbers) || network->dims().size() > 1)
    return no_video_painter("its inputs have other sizes");
  out.size_ = line * kPatch;
  const auto guess = words.find(kGuessKey);
  out.begins_painted_ = guess != words.end() && guess->second == kGuessPainted;
  out.network_ = std::move(network);
  return out;
}

Result<VideoState> VideoPainter::make_state(int num_frames) const {
  const std::size_t patches = num_patches(size_);
  if (num_frames < 1 || num_frames > kMaxVideoFrames)
    return Error{ErrorCode::kUsage, fmt::format("a painter of clips has 1 to {} frames", kMaxVideoFrames), {}};
  VideoState state;
  state.num_frames = num_frames;
  for (nn::NetworkState* one : {&state.network, &state.without}) {
    if (network_->dims().empty()) {
      *one = nn::make_state(*network_, 1);
    } else {
      ZOE_TRY_ASSIGN(*one, nn::make_state(*network_, 1, {{network_->dims()[0], num_frames}}));
    }
  }
  const std::size_t rows = static_cast<std::size_t>(num_frames) * patches;
  if (state.network.inputs()[0].shape.steps != static_cast<int>(rows) ||
      state.network.outputs()[0].shape.steps != static_cast<int>(rows))
    return Error{ErrorCode::kUsage, "this network paints clips of another number of frames", {}};
  state.noised.resize(rows * kPatchNumbers);
  state.bones.resize(rows * kPatchFeatures);
  state.warped.resize(rows * kPatchNumbers);
  state.keys.resize(patches * kKeyWidth);
  state.mask.resize(patches + kWordRows);
  state.words.resize(kWordRows);
  state.data.resize(rows * kPatchNumbers);
  state.no_warped.resize(state.warped.size());
  state.no_mask.resize(state.mask.size());
  state.no_mask.back() = 1;
  state.without_data.resize(state.data.size());
  return state;
}

const char* VideoJob::validate() const noexcept {
  if (painter == nullptr || state == nullptr) return "painter or state is missing";
  const std::size_t area = static_cast<std::size_t>(painter->size()) * static_cast<std::size_t>(painter->size());
  if (poses.empty() || poses.size() != static_cast<std::size_t>(state->num_frames)) return "one pose a frame";
  if (out.size() != state->data.size()) return "out has another size";
  if (!guesses.empty() && guesses.size() != poses.size()) return "one guess a frame, or none";
  if (words.size() > kMaxWords) return "too many words";
  if (stages.empty()) return "a sampler has stages";
  const auto fits = [&](const SoftPicture& picture) {
    return picture.pixels.size() == area && picture.coverage.size() == area &&
           std::all_of(picture.pixels.begin(), picture.pixels.end(),
                       [&](std::uint8_t index) { return index <= reference.palette.size(); });
  };
  if (reference.picture != nullptr && !fits(*reference.picture)) return "the reference has another size";
  for (const SoftPicture& guess : guesses)
    if (!fits(guess)) return "a guess has another size";
  for (const nn::SamplerStage& stage : stages)
    if (stage.holds) return "samplers that hold numbers are not supported";
  return nullptr;
}

bool VideoJob::run(Executor& executor) const {
  if (validate() != nullptr) return false;
  VideoState& s = *state;
  const int size = painter->size();
  const std::size_t patches = num_patches(size);
  for (std::size_t f = 0; f < poses.size(); ++f) {
    describe_patches(poses[f], size,
                     std::span(s.bones).subspan(f * patches * kPatchFeatures, patches * kPatchFeatures));
    const auto warped = std::span(s.warped).subspan(f * patches * kPatchNumbers, patches * kPatchNumbers);
    if (guesses.empty())
      std::fill(warped.begin(), warped.end(), 0.0F);
    else
      to_patches(guesses[f], reference.palette, size, warped);
  }
  std::fill(s.keys.begin(), s.keys.end(), 0.0F);
  std::fill(s.mask.begin(), s.mask.end(), 0.0F);
  if (reference.picture != nullptr) {
    std::vector<float> pixels(patches * kPatchNumbers), bones(patches * kPatchFeatures);
    to_patches(*reference.picture, reference.palette, size, pixels);
    describe_patches(reference.pose, size, bones);
    for (std::size_t p = 0; p < patches; ++p) {
      float* row = s.keys.data() + p * kKeyWidth;
      std::copy_n(pixels.data() + p * kPatchNumbers, kPatchNumbers, row);
      std::copy_n(bones.data() + p * kPatchFeatures, kPatchFeatures, row + kPatchNumbers);
      s.mask[p] = 1;
    }
  }
  std::fill(s.words.begin(), s.words.end(), 0.0F);
  for (std::size_t i = 0; i < words.size(); ++i) {
    s.words[i] = static_cast<float>(words[i]);
    s.mask[patches + i] = words[i] > 0 ? 1 : 0;
  }
  s.mask.back() = 1;
  Random random = Random(seed).split(21);
  for (float& number : s.noised) number = static_cast<float>(random.normal());
  std::vector<float> noise;
  const bool guided = guidance != 1;
  for (const nn::SamplerStage& stage : stages) {
    const float time = kVideoTime * stage.time;
    executor.parallel_for(guided ? 2 : 1, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t branch = begin; branch < end; ++branch) {
        const bool with = branch == 0;
        const std::array<std::span<const float>, 7> in{
            s.noised,           s.bones, with ? s.warped : s.no_warped, s.keys, with ? s.mask : s.no_mask, s.words,
            std::span(&time, 1)};
        const std::array<std::span<float>, 1> results{with ? s.data : s.without_data};
        ZOE_CHECK((nn::NetworkJob{.network = &painter->network(),
                                  .state = with ? &s.network : &s.without,
                                  .batch = 1,
                                  .inputs = in,
                                  .outputs = results}
                       .run()),
                  "the network's job is wrong");
      }
    });
    if (guided) nn::guide(guidance, s.without_data, s.data);
    nn::estimate_data(painter->process().to_data(stage.level), s.noised, s.data, s.data);
    if (stage.noise != 0) {
      noise.resize(s.noised.size());
      for (float& number : noise) number = static_cast<float>(random.normal());
    }
    nn::advance(stage, s.data, noise, {}, s.noised);
  }
  std::copy(s.noised.begin(), s.noised.end(), out.begin());
  return true;
}

}  // namespace zoe::paint
