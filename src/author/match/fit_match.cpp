// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "zoe/control/match/motion_matching.h"

#include "author/fits.h"

namespace zoe::author {

Result<control::MotionDatabase> make_database(const FitContext& context) {
  return make_database(context.data, context.group, context.listener);
}

Result<control::MotionDatabase> make_database(const dataset::Dataset& data, const dataset::Group& group,
                                              const Listener& listener) {
  std::vector<DatabaseSource> clips;
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    const dataset::ClipRecord& record = data.clips()[static_cast<std::size_t>(group.clips[i])];
    clips.push_back(
        {fmt::format("{} {}{}", record.source, record.name, record.mirrored ? " mirrored" : ""), group.rows[i]});
  }
  ZOE_TRY_ASSIGN(control::MotionDatabase database, build_database(group.layout, group.skeleton, clips));
  listener.say(fmt::format("database: {} clips, {} frames, {} features", clips.size(), database.num_frames(),
                           database.num_dims()));
  return database;
}

Result<void> fit_match(const FitContext& context) {
  ZOE_TRY_ASSIGN(const control::MotionDatabase database, make_database(context));
  context.config.network.clear();
  context.config.neural.trajectory = control::MatchOptions{}.trajectory;
  context.config.neural.correction = control::MatchOptions{}.correction;
  context.config.neural.locks = control::gentle_locks();
  context.config.database = "database.safetensors";
  return database.save(context.run / context.config.database, context.data.licence());
}

}  // namespace zoe::author
