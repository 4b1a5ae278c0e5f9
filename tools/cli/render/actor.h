// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. One clip on its body, ready to be drawn at any time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zoe/motion/contacts.h"
#include "zoe/render/character_model.h"
#include "zoe/render/skeleton_body.h"

#include "render/clip.h"

namespace zoe::cli {

// What is drawn beside the body.
struct ActorSigns {
  bool trajectory = false;  // The root's path on the ground, a second before and after.
  bool velocities = false;  // Of every joint.
  bool contacts = false;    // Under the feet that the analysis finds.
  bool names = false;       // Of every joint.
};

struct ActorOptions : ClipOptions {
  bool skeleton = false;  // Bones even where there is a mesh.
  bool dual_quaternions = false;
  ActorSigns show;
};

// Where a body is during a clip, world metres.
struct ActorExtent {
  struct Sample {
    double time_s = 0;
    Vec3 min, max;
    std::vector<Vec3> outline;  // The farthest places in many directions: what a camera must see.
  };
  std::vector<Sample> samples;  // In time.
  float lowest_m = 0;           // Where the body stands: a low percentile over the samples.
  float size_m = 1;             // Largest extent of the body in one sample.
};

class Actor {
 public:
  static Result<std::unique_ptr<Actor>> load(render::Renderer& renderer, const std::string& file,
                                             const ActorOptions& options, Warnings& warnings);
  // The same with a clip that is loaded already. body: what the analysis says; found when it is needed and null.
  static Result<std::unique_ptr<Actor>> create(render::Renderer& renderer, LoadedClip clip, const ActorOptions& options,
                                               const SkeletonAnalysis* body, Warnings& warnings);

  const LoadedClip& clip() const { return clip_; }
  const std::string& title() const { return clip_.title; }
  double duration_s() const { return clip_.motion.duration_s(); }
  double fps() const { return clip_.motion.fps; }
  const ActorExtent& extent() const { return extent_; }
  const Affine& world_from_model() const { return world_from_model_; }  // The unit of files that state none.
  // What lies on the GPU; null: bones.
  const std::shared_ptr<const render::CharacterModel>& model() const { return model_; }
  const Contacts& contacts() const { return contacts_; }  // Of `feet`; empty unless they were asked for.
  const std::vector<int>& feet() const { return feet_; }
  void set_signs(const ActorSigns& show) { show_ = show; }
  // Draws another motion of the same skeleton from now on, as its mirror image, with its contacts; null: the clip's own.
  void show_motion(std::shared_ptr<const Motion> motion, const SkeletonAnalysis& body);
  // Times the file's unit.
  void set_scale(float scale);

  // Draws the pose at a time from the clip's start. `slot`: each pose that one frame shows needs its own, from 0.
  // alpha < 1: a ghost.
  void add_to(render::RenderFrame& frame, double time_s, std::size_t slot, Vec3 offset_m, float alpha);
  // Draws what ActorOptions::show or set_signs() ask for. The frame's camera and ground must be set.
  void add_signs(render::RenderFrame& frame, double time_s, Vec3 offset_m);

 private:
  void pose_at(double time_s);
  void measure();
  Result<void> find_contacts(const SkeletonAnalysis* body);
  const Motion& shown() const { return other_ ? *other_ : clip_.motion; }

  LoadedClip clip_;
  std::shared_ptr<const Motion> other_;  // See show_motion().
  Affine world_from_model_;
  std::shared_ptr<const render::CharacterModel> model_;
  std::vector<render::CharacterBody> bodies_;  // [slots]
  std::optional<render::SkeletonBody> bones_;
  render::Skinning skinning_ = render::Skinning::kLinear;
  Pose pose_;
  std::vector<float> morph_weights_;
  std::vector<Affine> model_from_joint_;
  ActorExtent extent_;
  ActorSigns show_;
  Contacts contacts_;
  std::vector<int> feet_;
  std::vector<Vec3> places_, velocities_;
};

}  // namespace zoe::cli
