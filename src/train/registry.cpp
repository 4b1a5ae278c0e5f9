// SPDX-License-Identifier: MIT
// The table of models. A new one: its class in a models_*.cpp, a declaration in models.h, a row
// here.
#include "zoe/core/suggest.h"

#include "train/models.h"

namespace zoe::train {

Result<nn::Graph> Model::encoder_graph() {
  return Error{ErrorCode::kUnsupported, "this model has no separate encoder"};
}
std::vector<at::Tensor> Model::encode(const std::vector<at::Tensor>&) { return {}; }
std::vector<NamedTensor> Model::sample(const Batch&) { return {}; }
Losses Model::turn_loss(std::size_t, const Batch& batch) { return loss(batch); }

const std::vector<ModelInfo>& model_table() {
  static const std::vector<ModelInfo> table = [] {
    std::vector<ModelInfo> rows;
    for (const auto& part :
         {feedforward_models(), codebook_models(), sequence_models(), expert_models(), matching_models(),
          generative_models(), adversarial_models(), prior_models(), token_models(), anytop_models(), style_models(),
          paint_models(), judge_models(), words_models(), tracker_models(), video_models()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return table;
}

Result<const ModelInfo*> find_model(const std::string& name) {
  std::vector<std::string> names;
  for (const ModelInfo& info : model_table()) {
    if (info.name == name) return &info;
    names.emplace_back(info.name);
  }
  return Error{ErrorCode::kUsage,
               "there is no model '" + name + "'" + did_you_mean(name, names) + " (see `zoe train --list`)"};
}

Result<std::vector<std::size_t>> select_fields(const ModelInfo& info, std::span<const Field> fields) {
  const auto find = [&](const std::string& name) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name == name) return static_cast<std::ptrdiff_t>(i);
    }
    return std::ptrdiff_t{-1};
  };
  std::vector<std::size_t> selected;
  for (const char* wanted : info.fields) {
    std::ptrdiff_t found = find(wanted);
    if (found < 0 && info.fields.size() == 1 && std::string(wanted) == "x") found = find("y");
    if (found < 0) {
      std::string known;
      for (const Field& field : fields) known += (known.empty() ? "" : ", ") + field.name;
      return Error{ErrorCode::kInvalid, "model '" + std::string(info.name) + "' needs the field '" + wanted +
                                            "', and the data has only: " + known};
    }
    selected.push_back(static_cast<std::size_t>(found));
  }
  for (const char* optional : info.optional_fields) {
    if (const std::ptrdiff_t found = find(optional); found >= 0) selected.push_back(static_cast<std::size_t>(found));
  }
  return selected;
}

}  // namespace zoe::train
