// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A model of styles with small random networks of the real form.
#pragma once

#include <filesystem>

#include "zoe/core/random.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/graph_file.h"
#include "zoe/style/style_model.h"

namespace zoe::style {

inline std::vector<float> random_floats(Random& random, std::size_t count, float bound) {
  std::vector<float> values(count);
  for (float& value : values) value = random.uniform(-bound, bound);
  return values;
}

// Folder with the files of a model of two styles, codes of two numbers, windows of 16 rows.
inline std::filesystem::path write_tiny_model(const std::filesystem::path& folder, bool lstm = false) {
  Random random(7);
  constexpr std::size_t kHidden = 8, kEmbed = 6, kCode = 2, kWidth = kNumColumns;
  const auto numbers = [&](std::size_t count) { return random_floats(random, count, 0.3F); };
  std::filesystem::create_directories(folder);
  {
    nn::GraphBuilder b;
    const int x = b.input("x", kNumColumns), z = b.input("z", kCode), past = b.input("past", 4 * kEmbed);
    const int h = b.input("h", kHidden), c = lstm ? b.input("c", kHidden) : -1;
    const int now =
        b.linear(x, "embed", {kEmbed, kWidth}, numbers(kEmbed * kWidth), numbers(kEmbed), nn::Activation::kSilu);
    const int all = b.concat({past, now});
    const int in = b.concat({b.linear(all, "content", {kHidden, 5 * kEmbed}, numbers(kHidden * 5 * kEmbed), {}), z});
    const std::size_t gates = (lstm ? 4 : 3) * kHidden;
    const auto wi = numbers(gates * (kHidden + kCode)), ws = numbers(gates * kHidden), bi = numbers(gates),
               bs = numbers(gates);
    const nn::GraphBuilder::CellWeights weights{wi, ws, bi, bs};
    int next = -1, next_c = -1;
    if (lstm) {
      const auto out = b.lstm_cell(in, h, c, "cell", weights);
      next = out.h;
      next_c = out.c;
    } else {
      next = b.gru_cell(in, h, "cell", weights);
    }
    b.output("y", b.add(x, b.linear(next, "out", {kWidth, kHidden}, numbers(kWidth * kHidden), {})));
    b.output("past", b.slice(all, kEmbed, 5 * kEmbed));
    b.output("h", next);
    if (lstm) b.output("c", next_c);
    nn::write_graph(folder / "step.safetensors", std::move(b).build().value()).value();
  }
  {
    nn::GraphBuilder b;
    const int mean = b.mean_rows(b.input("x", kNumColumns, 16));
    b.output("mean", b.linear(mean, "mean", {kCode, kWidth}, numbers(kCode * kWidth), {}));
    b.output("log_variance", b.linear(mean, "variance", {kCode, kWidth}, numbers(kCode * kWidth), {}));
    nn::write_graph(folder / "encoder.safetensors", std::move(b).build().value()).value();
  }
  const std::vector<NamedStyle> styles{{"normal", {0, 0}, {0.1F, 0.1F}}, {"proud", {1, -1}, {0.2F, 0}}};
  StyleModel::write_styles(folder, styles, {}, "CC0-1.0").value();
  return folder;
}

}  // namespace zoe::style
