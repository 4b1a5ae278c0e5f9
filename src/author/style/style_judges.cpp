// SPDX-License-Identifier: MIT
#include "zoe/author/style_judges.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/hash.h"
#include "zoe/core/index.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

std::vector<float> softmax_of(std::span<const float> logits) {
  const float highest = *std::max_element(logits.begin(), logits.end());
  std::vector<float> out;
  float sum = 0;
  for (const float value : logits) {
    out.push_back(std::exp(value - highest));
    sum += out.back();
  }
  for (float& value : out) value /= sum;
  return out;
}

}  // namespace

Result<StyleJudges> StyleJudges::load(const fs::path& folder) {
  const fs::path file = folder / "judges.json";
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(file));
  const auto* text = reinterpret_cast<const char*>(mapped.bytes().data());
  const nlohmann::json words = nlohmann::json::parse(text, text + mapped.bytes().size(), nullptr, false);
  const auto is_names = [&](const char* key) {
    return words.contains(key) && words[key].is_array() &&
           std::ranges::all_of(words[key], [](const auto& one) { return one.is_string(); });
  };
  if (words.is_discarded() || !words.is_object() || !is_names("styles") || !is_names("contents") ||
      !words.contains("seeds") || !words["seeds"].is_number_integer())
    return Error{
        ErrorCode::kSyntax, "it is no file of judges (`zoe train judges` writes one)", {.file = file.string()}};
  StyleJudges out;
  out.styles = words["styles"].get<std::vector<std::string>>();
  out.contents = words["contents"].get<std::vector<std::string>>();
  const int seeds = std::clamp(words["seeds"].get<int>(), 1, 64);
  HashBuilder hash;
  for (const auto* names : {&out.styles, &out.contents})
    for (const std::string& name : *names) hash.add(name);
  for (std::size_t r = 0; r < kJudgeRoles.size(); ++r) {
    const std::size_t classes =
        std::max<std::size_t>(2, (kJudgeRoles[r].label == 1 ? out.contents : out.styles).size());
    for (int seed = 1; seed <= seeds; ++seed) {
      const fs::path network_file = folder / fmt::format("{}_{}.safetensors", kJudgeRoles[r].name, seed);
      ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::load_fixed_network(network_file));
      const auto in = network->inputs(), made = network->outputs();
      if (in.size() != 1 || in[0].shape.width != style::kJudgeColumns || in[0].shape.steps != style::kJudgeWindow ||
          made.size() != 2 || idx(made[0].shape.width) != classes || made[0].shape.steps != 1 ||
          made[1].shape.steps != 1)
        return Error{
            ErrorCode::kInvalid, "it is no judge of these styles and contents", {.file = network_file.string()}};
      hash.add(static_cast<std::int64_t>(network->fingerprint()));
      out.networks[r].push_back(std::move(network));
    }
  }
  out.hash = hash.finish().hex();
  return out;
}

Verdict judge(const StyleJudges& judges, std::span<const float> rows, std::span<const Vec3> offsets) {
  Verdict out;
  std::vector<float> window(style::kJudgeWindow * style::kJudgeColumns);
  for (std::size_t r = 0; r < kJudgeRoles.size(); ++r) {
    const std::vector<float> seen = style::judge_rows(rows, offsets, kJudgeRoles[r].view);
    const std::vector<std::size_t> starts = style::window_starts(seen.size() / style::kJudgeColumns);
    out.num_windows = starts.size();
    for (std::size_t s = 0; s < judges.networks[r].size(); ++s) {
      const nn::Network& network = *judges.networks[r][s];
      nn::NetworkState state = nn::make_state(network, 1);
      std::vector<float> logits(idx(network.outputs()[0].shape.width)), code(idx(network.outputs()[1].shape.width));
      std::vector<int> classes;
      std::vector<float> probabilities;
      for (const std::size_t start : starts) {
        style::copy_window(seen, style::kJudgeColumns, start, window);
        const std::span<const float> in[] = {window};
        const std::span<float> made[] = {logits, code};
        ZOE_CHECK((nn::NetworkJob{.network = &network, .state = &state, .inputs = in, .outputs = made}.run()),
                  "the judge's ports were checked");
        classes.push_back(static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
        const std::vector<float> shares = softmax_of(logits);
        probabilities.insert(probabilities.end(), shares.begin(), shares.end());
        if (r == 0 && s == 0) out.codes.insert(out.codes.end(), code.begin(), code.end());
      }
      out.classes[r].push_back(std::move(classes));
      out.probabilities[r].push_back(std::move(probabilities));
    }
  }
  return out;
}

}  // namespace zoe::author
