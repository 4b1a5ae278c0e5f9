// SPDX-License-Identifier: MIT
// Clips on uneven ground as training data: each clip gets its own ground (a file beside it) or several fitted ones, is
// lowered onto the plane that controllers move on, and has signals of the ground at every frame.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "zoe/author/listener.h"
#include "zoe/dataset/build_options.h"
#include "zoe/dataset/clip_file.h"
#include "zoe/ground/ground.h"
#include "zoe/motion/root.h"

#include "author/terrain/fit_ground.h"

namespace zoe::author {

// What all clips of a skeleton share. Joints are those without end sites.
struct TerrainBody {
  SkeletonPtr skeleton;
  std::vector<int> contact_joints;  // As the schema's contacts: feet, then toes.
  std::vector<int> mirrored;        // [contact joints] Index of the mirror image.
  std::vector<float> standing_m;    // [contact joints] Height above the ground in a stand.
  RootJoints root_joints;
  RootOptions root_options;
  float leg_length_m = 1;  // Hip to ankle.
};
// Fails on bodies without feet.
Result<TerrainBody> terrain_body(const features::Schema& schema, const Motion& clip);

// A clip on a ground. Arrays are [frames], or [frames × contact joints]. Metres, the clip's own space.
struct TerrainClip {
  GroundPtr ground;
  double fps = 30, start_time_s = 0;
  std::vector<PlanarRoot> roots;
  std::vector<float> plane_m;   // Height of the plane: see control::GroundPlane.
  std::vector<float> contacts;  // 0 or 1.
  std::vector<Vec3> contact_places;
};

struct FootTracks {
  std::vector<float> contacts;  // [frames × contact joints] 0 or 1, by speed alone: the ground is not known.
  std::vector<Vec3> places;     // The same, model space.
};
Result<FootTracks> track_feet(const TerrainBody& body, const Motion& motion);
FootMarks foot_marks(const TerrainBody& body, const FootTracks& feet);

// Roots, plane and contacts of a clip (without end sites) on a ground.
Result<TerrainClip> put_on_ground(const TerrainBody& body, const Motion& motion, const FootTracks& feet,
                                  GroundPtr ground);
// Lowers all frames by the height of the plane.
void subtract_plane(const TerrainClip& clip, Motion& motion);

// Signals of a piece of the clip's frames: heights, grid, ground under feet, contacts.
std::vector<dataset::ClipSignal> ground_signals_of(const TerrainBody& body, const TerrainClip& clip,
                                                   const Motion& piece, bool mirrored, bool heights, bool grid);

// The ground beside a motion file: walk.glb → walk.terrain.glb. Null: there is none.
Result<GroundPtr> ground_beside(const std::filesystem::path& motion_file);
bool is_ground_file(const std::filesystem::path& file);
// Moves a known ground up or down to the contacts of the clip (retargeting moves clips). Empty: it does not fit by more
// than 6 cm in the median.
GroundPtr ground_at_contacts(const GroundPtr& ground, const FootMarks& marks);

struct TerrainData {
  std::vector<dataset::ClipFile> files;  // Lowered clips, one file for each clip and ground.
  dataset::SignalMaker signals;
  std::shared_ptr<const TerrainBody> body;
};
struct TerrainDataOptions {
  bool heights = false, grid = false;
  int patches = 4;  // Grounds for each clip without a ground of its own.
  std::uint64_t seed = 1;
};
// Files must be in metres and of one skeleton: those of another one are left out with a warning.
Result<TerrainData> make_terrain_data(const features::Schema& schema, std::vector<dataset::ClipFile> files,
                                      const TerrainDataOptions& options, const Listener& listener);

}  // namespace zoe::author
