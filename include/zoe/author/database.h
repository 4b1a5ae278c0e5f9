// SPDX-License-Identifier: MIT
// Part of Zoetrope. Building motion databases from frame rows; control loads and searches them.
//
//   auto database = author::build_database(layout, skeleton, clips);
//   auto larger = author::with_clips(*database, more);  // Clips that were there are shared, not computed again.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "zoe/control/match/database.h"

namespace zoe::author {

// The default schema of databases, as TOML. Its input are the features (27 numbers for two feet), its output a pose with
// contacts of feet and toes.
const char* match_schema();

// Frame rows of one clip, of the database's layout.
struct DatabaseSource {
  std::string name;
  features::ClipRows rows;
};

// The layout's output must be one that a Decoder reads. Labels ("style", "action" of the schema) become tags where their
// value is at least one half. Fails where nothing is left to match.
Result<control::MotionDatabase> build_database(const features::Layout& layout, const SkeletonPtr& skeleton,
                                               std::span<const DatabaseSource> clips,
                                               const control::DatabaseOptions& options = {});

// A database with more clips, at the end, or without one. Clips that stay are shared with `database`, and so is the
// normalisation: the costs of their frames do not change.
Result<control::MotionDatabase> with_clips(const control::MotionDatabase& database,
                                           std::span<const DatabaseSource> clips);
Result<control::MotionDatabase> without_clip(const control::MotionDatabase& database, std::string_view name);

// The same clips with the normalisation measured anew.
Result<control::MotionDatabase> normalised_again(const control::MotionDatabase& database);

}  // namespace zoe::author
