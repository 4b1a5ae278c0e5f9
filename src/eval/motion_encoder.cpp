// SPDX-License-Identifier: MIT
#include "zoe/eval/motion_encoder.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/hash.h"
#include "zoe/core/index.h"

namespace zoe::eval {

std::string description_id() {
  HashBuilder hash;
  for (const std::string& name : description_columns()) hash.add(name);
  return hash.finish().hex();
}

Result<MotionEncoder> MotionEncoder::load(const std::filesystem::path& file) {
  Result<nn::NetworkPtr> network = nn::load_network(file);
  if (!network) return std::move(network).error();
  Result<MotionEncoder> encoder = create(std::move(*network));
  if (encoder) return encoder;
  Error error = std::move(encoder).error();
  error.where.file = file.string();
  return error;
}

Result<MotionEncoder> MotionEncoder::create(nn::NetworkPtr network) {
  ZOE_CHECK(network != nullptr, "MotionEncoder: no network");
  const auto wrong = [](std::string what) {
    return Error{ErrorCode::kInvalid, "this is no motion encoder: " + what + " (`zoe train encoder` makes one)", {}};
  };
  const auto inputs = network->inputs(), outputs = network->outputs();
  if (inputs.size() != 1 || inputs[0].shape.size() != idx(description_width()))
    return wrong(fmt::format("it does not read the {} columns of a window", description_width()));
  if (outputs.size() != 1 || outputs[0].name != "code") return wrong("its output is not 'code'");
  const auto columns = network->metadata().find(kEncoderColumns);
  if (columns == network->metadata().end() || columns->second != description_id())
    return wrong("it was trained on other columns of a window");
  return MotionEncoder(std::move(network));
}

int MotionEncoder::width() const { return static_cast<int>(network_->outputs()[0].shape.size()); }

std::vector<float> MotionEncoder::encode(const MotionWindows& windows) const {
  constexpr std::size_t kBatch = 64;
  const std::size_t in = idx(description_width()), out = idx(width()), count = windows.size();
  std::vector<float> codes(count * out);
  if (count == 0) return codes;
  nn::NetworkState state = nn::make_state(*network_, static_cast<int>(std::min(kBatch, count)));
  for (std::size_t begin = 0; begin < count; begin += kBatch) {
    const std::size_t batch = std::min(kBatch, count - begin);
    const std::span<const float> inputs[] = {std::span<const float>(windows.values).subspan(begin * in, batch * in)};
    const std::span<float> outputs[] = {std::span(codes).subspan(begin * out, batch * out)};
    const bool ran = nn::NetworkJob{.network = network_.get(),
                                    .state = &state,
                                    .batch = static_cast<int>(batch),
                                    .inputs = inputs,
                                    .outputs = outputs}
                         .run();
    ZOE_CHECK(ran, "the network's ports were checked when the encoder was made");
  }
  return codes;
}

}  // namespace zoe::eval
