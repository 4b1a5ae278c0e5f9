// SPDX-License-Identifier: MIT
// What a file's path gives: actor, labels, and, by its hash, split and bucket.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/dataset/build_options.h"
#include "zoe/dataset/manifest.h"

namespace zoe::dataset {

// Files are assigned to this number of buckets by the hash of their path. A bucket is built, kept and reused as a
// whole: more than the threads of a machine, and few enough to inspect.
constexpr int kNumBuckets = 64;

// Lower-case words, separated by anything that is not a letter or digit: "dataset1/walk-back_OLD_001" → dataset1, walk,
// back, old, 001.
std::vector<std::string> words_of(std::string_view path);

// The first rule that fits, of a path below its input folder without extension: 1. a word subject, actor, person,
// performer or sub with its number, at the end or separate: "walk1_subject5" → subject5; 2. a name of two numbers, as
// in CMU: "07_12" → 07; 3. the folder of the file, if it is not the input folder itself; 4. the file's name.
std::string actor_of(std::string_view relative_path);

// Bodies that are alike in kind. Bipeds are one species, too large to be held out as a whole: their actor. Else the
// name of a file that holds several clips of a character, without numbers and words such as "animations"
// ("fox-animations" → fox); else the body's family.
std::string species_of(std::string_view relative_path, bool is_one_of_several, std::string_view family);

// Those of `labels` that are a word, or several words in a row, of the path; letter case does not
// matter.
std::vector<std::string> labels_of(std::string_view relative_path, std::span<const std::string> labels);

Split split_of(const SplitOptions& options, std::string_view together);
int bucket_of(std::string_view source);

}  // namespace zoe::dataset
