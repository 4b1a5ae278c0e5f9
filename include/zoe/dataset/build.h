// SPDX-License-Identifier: MIT
// Part of Zoetrope. From motion files, in folders or in memory, to a dataset: a folder of .npy arrays of frame
// rows and dataset.json.
//
// What is built depends on the files and the settings alone: not on the number of threads, not on
// the order in which files are found, not on whether it was built at once, bit by bit, or in parts
// on several machines.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "zoe/core/result.h"
#include "zoe/dataset/build_options.h"
#include "zoe/dataset/clip_file.h"
#include "zoe/dataset/manifest.h"

namespace zoe::dataset {

// "0/4", or "auto": the rank that srun or mpirun gave (SLURM_PROCID, OMPI_COMM_WORLD_RANK,
// PMI_RANK), else everything.
Result<Shard> parse_shard(const std::string& text);

// Builds or brings up to date. Files that cannot be used are left out with a reason and do not stop
// it. Fails where nothing can be used, and on settings that contradict each other. A dataset that
// was there stays whole until the new one is complete.
Result<BuildReport> build(const BuildOptions& options);

// One dataset of all parts (--shard 0/N to N-1/N of the same settings and files): the same bytes as
// one build of everything. Arrays are hard links where the system allows, else copies.
Result<BuildReport> merge(std::span<const std::filesystem::path> parts, const std::filesystem::path& output);

}  // namespace zoe::dataset
