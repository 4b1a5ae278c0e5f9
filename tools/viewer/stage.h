// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The scene that is looked at: one actor a clip, side by side or over each other, all at the time
// that Playback says. The same with a renderer and without one.
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
  float scale = 1;      // As the user wants it.
  Vec3 offset_m;        // From where the file has it.
  scene::Entity entity;
  scene::MotionPtr side;  // See Stage::match_side.
  bool is_drawn = false;  // The entity has a scene::ClipDisplay; false without a renderer.

  const Motion& motion() const { return clip.motion; }
  // Metres in one unit of the model, as the analysis finds it: files lie about that, and BVH says nothing.
  float unit_m() const { return static_cast<float>(body->metres_per_unit) * scale; }
  Affine world_from_model() const;
};

enum class Arrangement : std::uint8_t { kSideBySide, kOverlaid };

class Stage {
 public:
  Stage();
  // Before the first clip is added; without one the stage runs without pictures.
  void set_renderer(render::Renderer* renderer);

  scene::Scene& scene() { return scene_; }
  const scene::Scene& scene() const { return scene_; }
  Playback& playback() { return scene_.world().resource<Playback>(); }
  const Playback& playback() const { return scene_.world().resource<Playback>(); }
  const std::vector<StageItem>& items() const { return items_; }
  Warnings& warnings() { return warnings_; }

  // Adds a file's clip; fails with the reader's error and changes nothing then.
  Result<void> add(const std::string& file, const cli::ClipOptions& options);
  void remove(std::size_t item);
  void clear();
  // Edits of one item; each plays on from the same time.
  Result<void> change_body(std::size_t item, const std::string& character_file);
  Result<void> change_clip(std::size_t item, std::size_t clip);
  void set_scale(std::size_t item, float scale);
  void arrange(Arrangement arrangement);
  Arrangement arrangement() const { return arrangement_; }

  void set_bodies_visible(bool visible);
  // What is drawn beside a body is of this motion (null: of its clip), as the body itself may be mirrored.
  void match_side(std::size_t item, const scene::MotionPtr& motion);
  // All bodies as they begin: width and height of the row, metres above `ground_m`.
  struct Room {
    float width_m = 1, height_m = 1, ground_m = 0;
  };
  Room room() const;
  // Where an item stands and faces now, world.
  Affine root_place(std::size_t item) const;

  // Of all poses since the beginning, step by step.
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
