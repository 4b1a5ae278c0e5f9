// SPDX-License-Identifier: MIT
// Part of Zoetrope. Held-out clips, retargeted to the body of a controller.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "zoe/author/listener.h"
#include "zoe/control/body.h"
#include "zoe/dataset/dataset.h"

namespace zoe::author {

// True if a controller of this type plays or memorises all clips of its data, so that no split of the data is held out.
// False for types that are not in types().
bool knows_all_clips(std::string_view type);

// Builds a dataset in `folder` from the clips below `clips`, or from that file. Its rows hold roots and poses.
Result<dataset::DatasetPtr> build_held_out(const std::filesystem::path& clips, const control::Body& body,
                                           const std::filesystem::path& folder, const Listener& listener = {});

}  // namespace zoe::author
