// SPDX-License-Identifier: MIT
// Part of Zoetrope. Shared by the two parts of conversion: one file, and a folder.
#pragma once

#include "zoe/io/convert_options.h"

namespace zoe::io {

// As convert_file, but a file with several clips gives one output per clip, "<stem>_<clip>", where the format holds
// one.
Result<ConvertReport> convert_file_all_clips(const std::filesystem::path& input, const std::filesystem::path& output,
                                             const ConvertOptions& options);

}  // namespace zoe::io
