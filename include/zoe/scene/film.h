// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips as a picture, a sheet of poses or a film, without a window. Only in builds with the renderer.
#pragma once

#include "zoe/scene/film_request.h"

namespace zoe::scene {

// Fails (kUsage) on outputs of another type and on sizes that the clips do not fit.
Result<void> check_film(const FilmRequest& request);
Result<FilmReport> make_film(const FilmRequest& request);

// Columns that give a body of this aspect the largest cell in a page of that one; fewer empty cells where equal.
int best_columns(int num_cells, float body_aspect, float page_aspect);

}  // namespace zoe::scene
