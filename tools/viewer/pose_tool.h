// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Handles on hands, feet, head and hips that bend a body: scene::IkTarget entities that are
// dragged with the pointer. Drags reach the scene as input events, so that recordings contain them.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "zoe/render/frame.h"

#include "session.h"

namespace zoe::viewer {

class PoseTool {
 public:
  // Handles for an item of the stage. Removes previous ones.
  void start(Session& session);
  void stop(Session& session);
  // Returns all handles to the joints' positions in the clip.
  void reset(Session& session);
  bool is_on() const { return !handles_.empty(); }

  // Draws the handles and stores their positions. Call with the frame that is about to be drawn.
  void add_to(const Session& session, render::RenderFrame& frame);
  // The pointer, pixels of the window. press() is true where a handle was hit.
  bool press(float x, float y);
  void move(const Session& session, const render::RenderFrame& frame, float x, float y,
            std::vector<scene::InputEvent>& events);
  void release(std::vector<scene::InputEvent>& events);
  // Positions of handles: x, y (window pixels) of each visible one, and its distance from its joint, metres.
  std::vector<std::array<float, 3>> places() const;
  bool drags() const { return dragged_.has_value(); }

 private:
  struct Handle {
    scene::Entity target;
    int joint = kNoJoint;
    bool on_screen = false;
    float x = 0, y = 0;  // Window pixels.
    Vec3 place;
    float missing_m = 0;
  };
  std::vector<Handle> handles_;
  scene::Entity actor_;
  std::optional<std::size_t> dragged_;
};

// Moves the targets that Command::kDrag names. Call once per scene.
void add_drag_system(scene::Scene& scene);

}  // namespace zoe::viewer
