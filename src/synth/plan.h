// SPDX-License-Identifier: MIT
// Part of Zoetrope. The plan of a body: joints, limits, flesh and plates are added one by one, then finished.
#pragma once

#include <array>

#include "zoe/synth/body.h"

namespace zoe::synth {

enum class Part : std::uint8_t {
  kRoot,
  kHips,
  kSpine,
  kNeck,
  kHead,
  kJaw,
  kEar,
  kAntenna,
  kTail,
  kAbdomen,
  kClavicle,
  kUpperArm,
  kForearm,
  kHand,
  kThumb,
  kIndex,
  kMiddle,
  kRing,
  kPinky,
  kScapula,
  kThigh,
  kShin,
  kHock,
  kPastern,
  kFoot,
  kToe,
  kCoxa,
  kFemur,
  kTibia,
  kMetatarsus,
  kTarsus,
  kWingUpper,
  kWingLower,
  kWingHand,
  kWingFinger,
  kWingSail,
  kPectoralFin,
  kPelvicFin,
  kDorsalFin,
  kTailFin,
};

// Role of a joint; Names convert it into words.
struct Tag {
  Part part = Part::kRoot;
  Side side = Side::kCenter;
  int row = -1;  // Of a leg, from the front; -1 where there is only one pair.
  int num_rows = 1;
  int index = 0;  // From 1 in a chain; 0: not numbered.
};
std::string name_of(Names names, const Tag& tag);

// Flesh: a cone with round ends, model space at rest. Blobs blend into each other.
struct Blob {
  int joint = kNoJoint;
  Vec3 a, b;
  float radius_a = 0, radius_b = 0;
  Vec3 stretch{1, 1, 1};  // Widens the cross-section along the model's axes.
  int layer = 0;          // Blobs blend with those of their own layer.
};

// One closed hull with its own colours: a coat, skin, a shirt, hair. Layers overlap.
struct Layer {
  Vec4 color{0.6F, 0.5F, 0.4F, 1}, belly_color{0.8F, 0.75F, 0.65F, 1};
  float stripes = 0;  // 0..1: strength of bands across the body.
  float cell_m = 0;   // Size of the surface's faces; 0: from a number of vertices.
};

// A thin closed plate: feather, membrane, fin. Rows run from root to edge, columns along it.
struct Plate {
  int num_rows = 0, num_columns = 0;
  struct Point {
    Vec3 position;
    float thickness_m = 0;
    int joint_a = kNoJoint, joint_b = kNoJoint;
    float share_b = 0;
  };
  std::vector<Point> points;                       // [rows × columns]
  Vec4 color{1, 1, 1, 1}, edge_color{1, 1, 1, 1};  // Of the first and of the last row.
};

// A thin limb: rings along a line, round ends. Legs of insects and antennae are too thin for the
// hull's grid.
struct Tube {
  struct Point {
    Vec3 position;
    float radius_m = 0;
    int joint = kNoJoint;  // Moves the line from this point to the next.
  };
  std::vector<Point> points;  // At least two.
  Vec4 color{1, 1, 1, 1};
};

struct Ball {  // Eyes.
  int joint = kNoJoint;
  Vec3 centre;
  float radius_m = 0;
  Vec4 color{0.02F, 0.02F, 0.02F, 1};
};

struct Plan {
  Body body;
  std::vector<JointDesc> joints;
  std::vector<Vec3> positions;  // [joints] model space at rest.
  std::vector<Blob> blobs;
  std::vector<Plate> plates;
  std::vector<Tube> tubes;
  std::vector<Ball> balls;
  Names names = Names::kPlain;
  Random random{0};
  // Of the coat, which is layer 0.
  Vec4 color{0.6F, 0.5F, 0.4F, 1}, belly_color{0.8F, 0.75F, 0.65F, 1}, wing_color{0.5F, 0.4F, 0.3F, 1};
  float stripes = 0;  // 0..1: strength of bands across the body.
  std::vector<Layer> layers{Layer{}};
  int layer = 0;  // Of the blobs that are added next.

  int add(const Tag& tag, int parent, Vec3 position);
  // An end of `parent` without a bone: "<parent>_End".
  int add_end(int parent, Vec3 position);
  void hinge(int joint, Vec3 axis, float min_deg, float max_deg);
  void cone(int joint, Vec3 bone, float swing_deg, float twist_deg);
  void blob(int joint, Vec3 a, float radius_a, Vec3 b, float radius_b, Vec3 stretch = {1, 1, 1});
  // From the joint to one of its children.
  void bone_blob(int joint, int child, float radius_a, float radius_b, Vec3 stretch = {1, 1, 1});
  const Vec3& at(int joint) const { return positions[static_cast<std::size_t>(joint)]; }

  float draw(float low, float high) { return random.uniform(low, high); }
  int draw_int(int low, int high) {
    return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool chance(float probability) { return random.uniform() < probability; }
};

// A chain of joints along points. The first point belongs to the first new joint. Returns the new joints.
std::vector<int> add_chain(Plan& plan, Part part, int parent, std::span<const Vec3> points);

// Draws a coat: colours of back and belly, and stripes.
void draw_colors(Plan& plan);
// A new layer of one colour. Returns its number.
int add_layer(Plan& plan, Vec4 color);

// Fills lengths, soles and reaches of a leg from the joints' positions.
void finish_leg(Plan& plan, Leg& leg);

// Skeleton, masses, mesh.
Body finish(Plan&& plan, const BodyOptions& options);

// Parts of the mesh beside the hull, each closed.
void add_plate(const Plate& plate, Mesh& mesh);
void add_tube(const Tube& tube, Mesh& mesh);
void add_ball(const Ball& ball, Mesh& mesh);

// Mesh of blobs, plates, tubes and balls, skinned to the plan's joints (skin joint i is skeleton
// joint i).
Mesh make_mesh(const Plan& plan);

// Centre of mass of all blobs and tubes so far.
Vec3 centre_of_flesh(const Plan& plan);

// `top` is the start of the leg. x is not used.
void add_quadruped_leg(Plan& plan, Side side, bool front, Vec3 top, float half_track, float thickness, int num_bones,
                       bool hoof);

// One file each.
void plan_biped(Plan& plan);
void plan_quadruped(Plan& plan);
void plan_arthropod(Plan& plan);  // Hexapods, octopods, millipedes.
void plan_winged(Plan& plan);     // Birds and flyers.
void plan_snake(Plan& plan);
void plan_fish(Plan& plan);

// Shared by families: neck, head and jaw from the chest; a tail. Points are along the body's middle.
void add_head(Plan& plan, Vec3 neck_start, Vec3 head_base, Vec3 head_tip, float head_radius, int num_neck, bool jaw);
// The joints of neck and head alone.
void add_head_joints(Plan& plan, Vec3 neck_start, Vec3 head_base, Vec3 head_tip, int num_neck);
void add_tail(Plan& plan, Vec3 start, Vec3 end, int count, float radius, float tip_radius);

}  // namespace zoe::synth
