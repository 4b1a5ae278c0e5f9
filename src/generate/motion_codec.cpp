// SPDX-License-Identifier: MIT
#include "zoe/generate/motion_codec.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/features/gather_job.h"

#include "generate/decoder_part.h"

namespace zoe::generate {
namespace {

using features::BlockKind;

constexpr int kBatch = 32;                       // Windows at once.
constexpr std::size_t kMostFrames = 10'000'000;  // Four days at 30 fps: a longer result is a mistake.

// Position of the port `name`, or -1.
std::ptrdiff_t find_port(const std::vector<nn::Port>& ports, const char* name) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].name == name) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

// Rows of the table of the embedding that reads the input.
int codebook_size(const nn::Graph& graph) {
  for (const nn::Node& node : graph.nodes) {
    if (node.op == nn::Op::kEmbedding && node.inputs[0] == 0)
      return static_cast<int>(graph.weights[idx(node.weights[0])].shape[0]);
  }
  return 0;
}

// Runs a network of one input over all items. output: number of the port that is kept.
std::vector<float> run_all(const nn::Network& network, std::span<const float> in, std::size_t output) {
  const std::size_t in_size = network.inputs()[0].shape.size();
  const std::size_t items = in.size() / in_size;
  nn::NetworkState state = nn::make_state(network, kBatch);
  std::vector<std::vector<float>> outs;
  for (const nn::Port& port : network.outputs()) outs.emplace_back(port.shape.size() * items);
  for (std::size_t first = 0; first < items; first += kBatch) {
    const std::size_t count = std::min<std::size_t>(kBatch, items - first);
    const std::span<const float> inputs[] = {in.subspan(first * in_size, count * in_size)};
    std::vector<std::span<float>> outputs;
    for (std::size_t i = 0; i < outs.size(); ++i) {
      const std::size_t size = network.outputs()[i].shape.size();
      outputs.push_back(std::span(outs[i]).subspan(first * size, count * size));
    }
    const bool ran = nn::NetworkJob{.network = &network,
                                    .state = &state,
                                    .batch = static_cast<int>(count),
                                    .inputs = inputs,
                                    .outputs = outputs}
                         .run();
    ZOE_CHECK(ran, "the codec's network was refused");
  }
  return std::move(outs[output]);
}

}  // namespace

Result<MotionCodec> MotionCodec::create(const CodecGraphs& graphs, features::Layout layout, SkeletonPtr skeleton) {
  const auto refuse = [](std::string message) { return Error{ErrorCode::kInvalid, std::move(message)}; };
  ZOE_CHECK(skeleton != nullptr, "a codec needs a skeleton");
  bool same = skeleton->num_joints() == layout.num_joints();
  for (int j = 0; same && j < skeleton->num_joints(); ++j) same = skeleton->name(j) == layout.joint_names()[idx(j)];
  if (!same)
    return refuse("the body has other joints than the data that the network was trained on (" +
                  std::to_string(skeleton->num_joints()) + " and " + std::to_string(layout.num_joints()) +
                  "): retarget the motion first");
  ZOE_TRY_ASSIGN(features::Decoder decoder, features::Decoder::create(layout, skeleton));
  MotionCodec codec(std::move(layout), std::move(decoder));
  codec.steps_ = codec.layout_.steps(BlockKind::kOutput);
  codec.width_ = codec.layout_.width(BlockKind::kOutput);
  const nn::Shape window{codec.steps_, codec.width_};
  if (codec.steps_ < 2) return refuse("the layout's output has one frame: windows need several, as `anytop` has");

  const nn::Graph& model = graphs.model;
  const bool has_codebook = find_port(model.inputs, "code") == 0;
  if (has_codebook) {
    if (graphs.encoder == nullptr) return refuse("the codebook's encoder.safetensors is missing");
    if (model.inputs.size() != 1 || model.outputs.size() != 1 || graphs.encoder->inputs.size() != 1 ||
        find_port(graphs.encoder->outputs, "code") < 0)
      return refuse("this is no network of the model vq");
    codec.code_output_ = static_cast<std::size_t>(find_port(graphs.encoder->outputs, "code"));
    ZOE_TRY_ASSIGN(codec.encode_, nn::Network::compile(*graphs.encoder));
    ZOE_TRY_ASSIGN(codec.decode_, nn::Network::compile(model));
    codec.num_codes_ = codebook_size(model);
    if (codec.num_codes_ < 2) return refuse("this is no network of the model vq: it has no codebook");
  } else {
    const std::ptrdiff_t code = find_port(model.outputs, "code"), out = find_port(model.outputs, "y");
    if (model.inputs.size() != 1 || code < 0 || out < 0)
      return refuse("a codec is a run of the model vq, autoencoder or vae");
    codec.code_output_ = static_cast<std::size_t>(code);
    ZOE_TRY_ASSIGN(const nn::Graph part, part_after(model, codec.code_output_, static_cast<std::size_t>(out)));
    ZOE_TRY_ASSIGN(codec.encode_, nn::Network::compile(model));
    ZOE_TRY_ASSIGN(codec.decode_, nn::Network::compile(part));
  }
  codec.numbers_ = static_cast<int>(codec.decode_->inputs()[0].shape.size());
  if (codec.encode_->inputs()[0].shape != window || codec.decode_->outputs()[0].shape.size() != window.size() ||
      codec.encode_->outputs()[codec.code_output_].shape.size() != idx(codec.numbers_))
    return refuse("the network's window is not the layout's output (" + std::to_string(codec.steps_) + " frames of " +
                  std::to_string(codec.width_) +
                  " numbers): train on a dataset whose schema has an output only, such as `anytop`");
  return codec;
}

std::size_t MotionCodec::network_bytes() const { return decode_->weight_bytes(); }

int MotionCodec::num_windows(int frames, int hop_frames) const {
  return frames <= steps_ ? 1 : 1 + (frames - steps_ + hop_frames - 1) / hop_frames;
}

Result<std::vector<float>> MotionCodec::encode(const features::ClipRows& rows, int hop_frames) const {
  ZOE_CHECK(hop_frames >= 1 && hop_frames <= steps_, "a hop is 1 to the window's frames");
  if (rows.num_rows < 1) return Error{ErrorCode::kInvalid, "a clip without frames has no codes"};
  std::vector<features::Sample> samples;
  for (int window = 0; window < num_windows(rows.num_rows, hop_frames); ++window)
    samples.push_back({.clip = 0, .frame = std::min(window * hop_frames, rows.num_rows - 1)});
  std::vector<float> windows(samples.size() * idx(steps_) * idx(width_));
  const features::GatherJob job{.layout = &layout_, .clips = {&rows, 1}, .samples = samples, .output = windows};
  if (const char* why = job.validate()) return Error{ErrorCode::kInvalid, std::string("gathering windows: ") + why};
  (void)job.run();
  return run_all(*encode_, windows, code_output_);
}

Result<std::vector<float>> MotionCodec::decode_features(std::span<const float> codes,
                                                        const DecodeOptions& options) const {
  if (codes.empty() || codes.size() % idx(numbers_) != 0)
    return Error{ErrorCode::kInvalid, "codes come in windows of " + std::to_string(numbers_) + " numbers, not " +
                                          std::to_string(codes.size())};
  if (options.hop_frames < 1 || options.hop_frames > steps_)
    return Error{ErrorCode::kInvalid, "windows begin 1 to " + std::to_string(steps_) + " frames apart, not " +
                                          std::to_string(options.hop_frames)};
  const std::size_t windows = codes.size() / idx(numbers_), hop = idx(options.hop_frames), width = idx(width_);
  const std::size_t most = (windows - 1) * hop + idx(steps_);
  if (most > kMostFrames) return Error{ErrorCode::kLimit, "the result would have " + std::to_string(most) + " frames"};
  const std::size_t frames = options.num_frames > 0 ? std::min(idx(options.num_frames), most) : most;
  const std::vector<float> parts = run_all(*decode_, codes, 0);
  std::vector<float> out(frames * width);
  const std::size_t overlap = idx(steps_) - hop;
  for (std::size_t window = 0; window < windows; ++window) {
    for (std::size_t step = 0; step < idx(steps_); ++step) {
      const std::size_t frame = window * hop + step;
      if (frame >= frames) break;
      const float* in = &parts[(window * idx(steps_) + step) * width];
      float* to = &out[frame * width];
      // The weight of the later window rises over the shared frames.
      const float weight =
          window == 0 || step >= overlap ? 1.0F : (static_cast<float>(step) + 1) / (static_cast<float>(overlap) + 1);
      for (std::size_t i = 0; i < width; ++i) to[i] += weight * (in[i] - to[i]);
    }
  }
  return out;
}

Result<Motion> MotionCodec::decode(std::span<const float> codes, const DecodeOptions& options) const {
  ZOE_TRY_ASSIGN(const std::vector<float> values, decode_features(codes, options));
  Motion motion = features::decode_motion(decoder_, values, options.first_root,
                                          {.fps = layout_.fps(), .name = options.name, .use_positions = false});
  ZOE_TRY(validate(motion));
  return motion;
}

}  // namespace zoe::generate
