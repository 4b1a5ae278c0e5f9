// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips that a controller has never seen, put onto its body.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "zoe/author/listener.h"
#include "zoe/control/body.h"
#include "zoe/dataset/dataset.h"

namespace zoe::author {

// Whether a controller of this type plays or memorises all clips of its data, so that no split of it is held out. False
// for types that types() does not have.
bool knows_all_clips(std::string_view type);

// A dataset of the clips below `clips`, or in that file, built in `folder`. Its rows hold roots and poses.
Result<dataset::DatasetPtr> build_held_out(const std::filesystem::path& clips, const control::Body& body,
                                           const std::filesystem::path& folder, const Listener& listener = {});

}  // namespace zoe::author
