// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The picture of `zoe play`: the character, its past path, its desired path, its contacts.
#pragma once

#include "zoe/features/control_series.h"
#include "zoe/render/frame.h"

#include "play/play_stage.h"
#include "settings.h"
#include "view_camera.h"

namespace zoe::viewer {

class PlayPicture {
 public:
  PlayPicture();
  // Describes the present view. frame.settings has the size.
  void fill(PlayStage& stage, const ViewCamera& camera, const Settings& settings, render::RenderFrame& frame);

 private:
  void add_way(const PlayStage& stage, render::RenderFrame& frame);
  void add_path(const control::Path& path, const PlayStage& stage, render::RenderFrame& frame);

  features::ControlSeries wanted_;
  std::vector<Vec3> places_, directions_;
  std::vector<Affine> joints_;
};

}  // namespace zoe::viewer
