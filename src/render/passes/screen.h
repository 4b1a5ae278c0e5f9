// SPDX-License-Identifier: MIT
// Passes that cover the whole picture.
#pragma once

#include "render/passes/pass_context.h"

namespace zoe::render {

// Half resolution, blurred; the result is in targets.occlusion[0].
Result<void> draw_occlusion(PassContext& context);
// G-buffer and sky to colours of the screen. target: with the scene's depth. variant: the lighting
// bits of Variant.
Result<void> draw_lighting(PassContext& context, GLuint target, std::uint32_t variant);
// targets.bright to targets.glow.
Result<void> draw_bloom(PassContext& context);
// targets.display[0] to [1], with the anti-aliasing and the glow of the settings.
Result<void> draw_finish(PassContext& context);
// targets.display[source] to targets.out.
Result<void> draw_downsampled(PassContext& context, int source);
// Lines of the frame onto `target`; they must be in storage binding 0.
Result<void> draw_overlay(PassContext& context, GLuint target);

}  // namespace zoe::render
