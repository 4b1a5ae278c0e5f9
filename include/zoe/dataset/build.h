// SPDX-License-Identifier: MIT
// Part of Zoetrope. From motion files, in folders or in memory, to a dataset: a folder of .npy arrays of frame rows and
// dataset.json. The result depends on the files and the settings only. It does not depend on the number of threads, the
// order of files, or whether it was built at once, incrementally, or in parts on several machines.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "zoe/core/result.h"
#include "zoe/dataset/build_options.h"
#include "zoe/dataset/clip_file.h"
#include "zoe/dataset/manifest.h"

namespace zoe::dataset {

// "0/4", or "auto": the rank given by srun or mpirun (SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMI_RANK), else everything.
Result<Shard> parse_shard(const std::string& text);

// Builds or updates a dataset. Files that cannot be used are excluded with a reason and do not stop it. Fails where no
// file can be used, and on contradictory settings. An existing dataset stays intact until the new one is complete.
Result<BuildReport> build(const BuildOptions& options);

// Merges all parts (--shard 0/N to N-1/N of the same settings and files) into one dataset: the same bytes as one build
// of everything. Arrays are hard links where the system allows, else copies.
Result<BuildReport> merge(std::span<const std::filesystem::path> parts, const std::filesystem::path& output);

}  // namespace zoe::dataset
