// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A trained vq, autoencoder or vae run on a dataset of motions, ready to encode and
// decode.
#pragma once

#include <string>

#include "zoe/dataset/dataset.h"
#include "zoe/generate/motion_codec.h"

namespace zoe::cli {

struct CodecRun {
  nn::Graph model, encoder;  // encoder: of vq runs only.
  dataset::DatasetPtr data;
  int group = 0;  // The one that the run was trained on.

  const dataset::Group& body() const { return data->groups()[static_cast<std::size_t>(group)]; }
  // skeleton: the body's own, or another of the same joints.
  Result<generate::MotionCodec> codec(SkeletonPtr skeleton) const;
};

// folder: of the run. data: the dataset's folder; empty: the one in its run.json.
Result<CodecRun> open_codec_run(const std::string& folder, const std::string& data);

// 16 hexadecimal digits, for code files.
std::string fingerprint_text(const generate::MotionCodec& codec);

}  // namespace zoe::cli
