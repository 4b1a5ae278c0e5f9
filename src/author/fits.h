// SPDX-License-Identifier: MIT
// Functions that make the types of types.cpp; one folder each.
#pragma once

#include <map>
#include <string>

#include "zoe/author/database.h"
#include "zoe/author/type.h"

namespace zoe::author {

struct Trial;  // author/network/choose_weights.h

// One network, frame by frame or by sequences. Of several steps of its training the one that does best in `trial`;
// default: walks best. metadata: more of it in the network's file.
Result<void> fit_network(const FitContext& context);
Result<void> fit_best_network(const FitContext& context, const Trial& trial,
                              std::map<std::string, std::string> metadata);
Result<void> fit_cxm(const FitContext& context);
// All clips of the group, as motion matching plays them.
Result<void> fit_match(const FitContext& context);
Result<control::MotionDatabase> make_database(const FitContext& context);
Result<control::MotionDatabase> make_database(const dataset::Dataset& data, const dataset::Group& group,
                                              const Listener& listener);
Result<void> fit_learned_matching(const FitContext& context);
// A plan for the body of the clips.
Result<void> fit_gait(const FitContext& context);
// A database, a network, and the confidence in its poses.
Result<Prepared> prepare_hybrid(const PrepareContext& context);
Result<void> fit_hybrid(const FitContext& context);
// Props and goals beside the clips, as the character perceives them.
Result<Prepared> prepare_nsm(const PrepareContext& context);
Result<void> fit_nsm(const FitContext& context);
Result<Prepared> prepare_deepphase(const PrepareContext& context);

}  // namespace zoe::author
