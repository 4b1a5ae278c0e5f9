// SPDX-License-Identifier: MIT
// The renderer of films, and for each clip a scene with one actor and its camera.
#pragma once

#include <memory>
#include <optional>

#include "zoe/render/renderer.h"
#include "zoe/scene/film_request.h"

namespace zoe::scene {

class FilmStage {
 public:
  explicit FilmStage(const FilmRequest& request) : request_(request) {}

  // width, height: of one clip's picture.
  Result<void> open(int width, int height, Warnings& warnings);
  double duration_s(std::size_t clip) const { return request_.clips[clip].motion->duration_s(); }
  const std::string& driver() const { return driver_; }
  // label: along the lower edge; title: upper left. Either may be empty.
  Result<void> draw(std::size_t clip, double time_s, const std::string& title, const std::string& label,
                    render::Picture& picture);

 private:
  struct Panel {
    Scene scene;
    Entity actor;
    std::optional<CameraRig> rig;
  };
  void add_ghosts_of(Panel& panel, std::size_t clip, double time_s);
  void add_words(const std::string& title, const std::string& label);
  Result<void> open_renderer(Warnings& warnings);
  // From small pictures of the bodies alone.
  Result<void> choose_exposure();
  // One picture with ghosts of the whole clip.
  bool is_overview() const;

  const FilmRequest& request_;
  std::string driver_;
  std::unique_ptr<render::Context> context_;  // None with the software rasteriser.
  std::unique_ptr<render::Renderer> renderer_;
  std::vector<std::unique_ptr<Panel>> panels_;  // Models must be destroyed before the renderer.
  std::vector<GhostPose> ghosts_;
  render::RenderFrame frame_;
};

}  // namespace zoe::scene
