// SPDX-License-Identifier: MIT
// Part of Zoetrope. From one format to another: read, choose, resample, place, write. What `zoe convert` does.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/io/convert_options.h"

namespace zoe::io {

// Applies everything but the writing; what tests and the viewer use.
Result<Asset> load_converted(const std::filesystem::path& input, const ConvertOptions& options);

// One file. The target's extension names its format. A target that holds one clip gets the first of several, with a
// warning that says how to choose another.
Result<ConvertReport> convert_file(const std::filesystem::path& input, const std::filesystem::path& output,
                                   const ConvertOptions& options);

struct FolderResult {
  std::filesystem::path input;
  Result<ConvertReport> result;
};

// Every readable file below `input`, in parallel, to the same relative place below `output` as `format` (".npz", …).
// A file with several clips gives one file a clip where the format holds one only. One bad file does not stop the rest.
// `on_done(done, total)` is called from worker threads, one call at a time.
Result<std::vector<FolderResult>> convert_folder(const std::filesystem::path& input,
                                                 const std::filesystem::path& output, const std::string& extension,
                                                 const ConvertOptions& options,
                                                 const std::function<void(std::size_t, std::size_t)>& on_done = {});

// By name, then by the name behind the armature's ("Armature|Walk" is "Walk" to people), then by number from 0, then by a
// part of a name that no other clip shares. Fails (kUsage) naming what there is.
Result<std::size_t> find_clip(const std::vector<Motion>& clips, const std::string& wanted);

// Where each file below `input` goes below `output`: in/sub/clip.bvh to out/sub/clip + extension. Two inputs that differ in
// extension alone keep theirs in the name.
std::vector<std::filesystem::path> output_names(const std::vector<std::filesystem::path>& files,
                                                const std::filesystem::path& input, const std::filesystem::path& output,
                                                const std::string& extension);

// Readable files below a folder, sorted.
Result<std::vector<std::filesystem::path>> list_assets(const std::filesystem::path& folder);

// Indices of the files by size on disk, largest first, equal ones in their order: what threads should take them in, so that
// none is left with a long one when the others are done. A file that cannot be asked counts as empty.
std::vector<std::size_t> largest_first(const std::vector<std::filesystem::path>& files);

}  // namespace zoe::io
