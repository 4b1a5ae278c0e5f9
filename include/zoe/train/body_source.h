// SPDX-License-Identifier: MIT
// Part of Zoetrope. A dataset of the schema `anytop` as ragged samples for the model `anytop`: windows of motions of
// all its skeletons, relative to their rest poses (zoe/features/body_tokens.h), with the bodies and the actions.
#pragma once

#include "zoe/train/joint_source.h"

namespace zoe::train {

// Fields x, mask (of tokens), body, names, relation (of joints), words. Skeletons with few windows repeat them, up to
// kMaxRepeats times, so that all are drawn about equally often.
Result<std::unique_ptr<BatchSource>> open_body_source(const std::filesystem::path& folder, const JointWindows& windows,
                                                      Warnings& warnings);

}  // namespace zoe::train
