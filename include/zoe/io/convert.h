// SPDX-License-Identifier: MIT
// Part of Zoetrope. Conversion between formats: read, select, resample, place, write. The core of `zoe convert`.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/io/convert_options.h"

namespace zoe::io {

// Everything but the writing; for tests and the viewer.
Result<Asset> load_converted(const std::filesystem::path& input, const ConvertOptions& options);

// One file. The target's extension selects its format. A target that holds one clip gets the first of several, with a
// warning that says how to select another.
Result<ConvertReport> convert_file(const std::filesystem::path& input, const std::filesystem::path& output,
                                   const ConvertOptions& options);

struct FolderResult {
  std::filesystem::path input;
  Result<ConvertReport> result;
};

// Every readable file below `input`, in parallel, to the same relative path below `output` as `format` (".npz", …). A
// file with several clips gives one file per clip where the format holds only one. One bad file does not stop the rest.
// `on_done(done, total)` is called from worker threads, one call at a time.
Result<std::vector<FolderResult>> convert_folder(const std::filesystem::path& input,
                                                 const std::filesystem::path& output, const std::string& extension,
                                                 const ConvertOptions& options,
                                                 const std::function<void(std::size_t, std::size_t)>& on_done = {});

// Multiplies all lengths by the estimate of a file that states no unit, with a warning that names `file`. Nothing
// changes where the unit is known. For formats that state metres (states_metres()).
void to_metres(Asset& asset, const std::filesystem::path& file);
bool states_metres(Format format);

// By name, then by the name after the armature's ("Armature|Walk" is "Walk" to people), then by number from 0, then by
// a unique part of a name. Fails (kUsage) and lists the clips.
Result<std::size_t> find_clip(const std::vector<Motion>& clips, const std::string& wanted);

// Target of each file below `input` below `output`: in/sub/clip.bvh to out/sub/clip + extension. Two inputs that differ
// in extension alone keep theirs in the name.
std::vector<std::filesystem::path> output_names(const std::vector<std::filesystem::path>& files,
                                                const std::filesystem::path& input, const std::filesystem::path& output,
                                                const std::string& extension);

// Readable files below a folder, sorted.
Result<std::vector<std::filesystem::path>> list_assets(const std::filesystem::path& folder);

// Indices of the files by size on disk, largest first, equal ones in their order. Threads should take files in this
// order, so that none is left with a large file at the end. A file whose size is unknown counts as empty.
std::vector<std::size_t> largest_first(const std::vector<std::filesystem::path>& files);

}  // namespace zoe::io
