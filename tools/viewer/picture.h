// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The picture behind the panels: the stage as a RenderFrame, with ghosts and signs.
#pragma once

#include "zoe/render/frame.h"
#include "zoe/scene/extent.h"

#include "session.h"

namespace zoe::viewer {

// Light, sky and ground of the theme.
void set_theme(bool dark, render::Environment& environment);

// quality: auto, low, medium or high; auto: low where Mesa draws in software.
void set_quality(const std::string& quality, const std::string& driver, render::Settings& settings);

// Describes the present view. frame.settings has the size.
void fill_picture(Session& session, render::RenderFrame& frame);

// Extent of the largest body on the stage. Surroundings are fitted to it, as in films.
const scene::BodyExtent& largest_extent(const Stage& stage);

}  // namespace zoe::viewer
