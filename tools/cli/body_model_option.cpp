// SPDX-License-Identifier: MIT
#include "body_model_option.h"

#include <filesystem>

#include "become.h"

namespace zoe::cli {

Result<generate::BodyModel> load_body_model(const std::string& path, std::optional<nn::WeightType> weights) {
  namespace fs = std::filesystem;
  if (!path.empty()) return generate::BodyModel::load(path, weights);
  constexpr const char* kFile = "anytop/model.safetensors";
  std::error_code ignored;
  for (const fs::path& file : {beside_zoe("../share/zoe/models") / kFile, fs::path(ZOE_MODELS_DIR) / kFile}) {
    if (fs::exists(file, ignored)) return generate::BodyModel::load(file, weights);
  }
  return Error{ErrorCode::kIo,
               "the model that ships is not here; --model RUN names another (`zoe train anytop` makes one)",
               {.file = std::string(ZOE_MODELS_DIR) + "/" + kFile}};
}

}  // namespace zoe::cli
