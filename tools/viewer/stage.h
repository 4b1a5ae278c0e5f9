// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The displayed scene: one actor per clip, side by side or over each other, all at the time
// of Playback. The same with and without a renderer.
#pragma once

#include <string>
#include <vector>

#include "zoe/anatomy/find_root.h"
#include "zoe/motion/contacts.h"
#include "zoe/scene/scene.h"

#include "clip.h"
#include "playback.h"
#include "shown_clip.h"

namespace zoe::render {
class Renderer;
}

namespace zoe::viewer {

// One clip on the stage.
struct StageItem {
  cli::LoadedClip clip;
  AnalysisPtr body;
  RootTrajectory root;  // Model units.
  Contacts contacts;    // Of body->feet; no joints where there are none.
  float size_m = 1;     // Largest extent of the joints in one pose.
  float scale = 1;      // As set by the user.
  Vec3 offset_m;        // Offset from the position in the file.
  scene::Entity entity;
  scene::MotionPtr side;  // See Stage::match_side.
  bool is_drawn = false;  // The entity has a scene::ClipDisplay; false without a renderer.

  const Motion& motion() const { return clip.motion; }
  // Metres per unit of the model, from the analysis: units in files are often wrong, and BVH has none.
  float unit_m() const { return static_cast<float>(body->metres_per_unit) * scale; }
  Affine world_from_model() const;
};

enum class Arrangement : std::uint8_t { kSideBySide, kOverlaid };

class Stage {
 public:
  Stage();
  // Call before the first clip is added. Without a renderer the stage runs without pictures.
  void set_renderer(render::Renderer* renderer);

  scene::Scene& scene() { return scene_; }
  const scene::Scene& scene() const { return scene_; }
  Playback& playback() { return scene_.world().resource<Playback>(); }
  const Playback& playback() const { return scene_.world().resource<Playback>(); }
  const std::vector<StageItem>& items() const { return items_; }
  Warnings& warnings() { return warnings_; }

  // Adds a file's clip. On failure returns the reader's error and changes nothing.
  Result<void> add(const std::string& file, const cli::ClipOptions& options);
  void remove(std::size_t item);
  void clear();
  // Edits of one item. Each continues at the same time.
  Result<void> change_body(std::size_t item, const std::string& character_file);
  Result<void> change_clip(std::size_t item, std::size_t clip);
  void set_scale(std::size_t item, float scale);
  void arrange(Arrangement arrangement);
  Arrangement arrangement() const { return arrangement_; }

  void set_bodies_visible(bool visible);
  // Overlays of a body use this motion (null: its clip), because the body itself may be mirrored.
  void match_side(std::size_t item, const scene::MotionPtr& motion);
  // All bodies at the start: width and height of the row, metres above `ground_m`.
  struct Room {
    float width_m = 1, height_m = 1, ground_m = 0;
    float depth_m = 1;  // Of the largest body alone.
  };
  Room room() const;
  // Present position and facing of an item, world.
  Affine root_place(std::size_t item) const;

  // Hash of all poses since the beginning, step by step.
  void hash_every_step();
  const Hash128& hash() const { return hash_; }

 private:
  Result<StageItem> make_item(cli::LoadedClip clip);
  Result<void> add_entity(StageItem& item);
  Result<void> replace(std::size_t index, cli::LoadedClip clip);
  void place(StageItem& item);
  void measure_time();

  render::Renderer* renderer_ = nullptr;
  scene::Scene scene_;
  std::vector<StageItem> items_;
  Arrangement arrangement_ = Arrangement::kSideBySide;
  bool visible_ = true;
  Warnings warnings_;
  Hash128 hash_;
};

}  // namespace zoe::viewer
