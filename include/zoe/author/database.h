// SPDX-License-Identifier: MIT
// Part of Zoetrope. Builds motion databases from frame rows. The module control loads and searches them.
//
//   auto database = author::build_database(layout, skeleton, clips);
//   auto larger = author::with_clips(*database, more);  // Existing clips are shared, not computed again.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "zoe/control/match/database.h"

namespace zoe::author {

// The default schema of databases, as TOML. The input block holds the features (27 numbers for two feet). The output
// block holds a pose with contacts of feet and toes.
const char* match_schema();

// Frame rows of one clip, in the database's layout.
struct DatabaseSource {
  std::string name;
  features::ClipRows rows;
};

// The layout's output must be one that a Decoder reads. Labels ("style", "action" of the schema) become tags where
// their value is at least one half. Fails where no frame is left to match.
Result<control::MotionDatabase> build_database(const features::Layout& layout, const SkeletonPtr& skeleton,
                                               std::span<const DatabaseSource> clips,
                                               const control::DatabaseOptions& options = {});

// A database with more clips at the end, or without one clip. Remaining clips and the normalisation are shared with
// `database`. So the costs of their frames do not change.
Result<control::MotionDatabase> with_clips(const control::MotionDatabase& database,
                                           std::span<const DatabaseSource> clips);
Result<control::MotionDatabase> without_clip(const control::MotionDatabase& database, std::string_view name);

// The same clips with a normalisation measured again.
Result<control::MotionDatabase> normalised_again(const control::MotionDatabase& database);

}  // namespace zoe::author
