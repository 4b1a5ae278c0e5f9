// SPDX-License-Identifier: MIT
#include "sprite/puppet/puppet.h"

#include <algorithm>
#include <numeric>

#include "sprite/puppet/labels.h"

namespace zoe::sprite {
namespace {

constexpr double kCells = 34;      // Mesh cells along the longer side of the figure.
constexpr double kPinned = 3;      // Pull of vertices on a bone, against 1 of an edge.
constexpr double kFree = 2e-3;     // Pull of the others.
constexpr double kOverlap = 1.15;  // Radii of a limb around its root that both limb and trunk draw.

// The part that a bone belongs to: the trunk, or the limb of its root joint.
std::string part_of(const std::string& joint) {
  for (const char* limb : {"right_hip", "right_knee", "right_foot"})
    if (joint == limb) return "right_leg";
  for (const char* limb : {"left_hip", "left_knee", "left_foot"})
    if (joint == limb) return "left_leg";
  for (const char* side : {"right", "left"})
    for (const char* limb : {"_shoulder", "_elbow", "_hand"})
      if (joint == std::string(side) + limb) return std::string(side) + "_arm";
  for (const char* leg : {"hind_near", "hind_far", "front_near", "front_far"})
    if (joint.starts_with(leg)) return leg;
  return "trunk";
}

bool starts_limb(const PuppetRig& rig, const PuppetJoint& joint) {
  return joint.parent >= 0 && part_of(joint.name) != "trunk" && part_of(rig.joints[idx(joint.parent)].name) == "trunk";
}

// The colour of the nearest pixel of `known` for every pixel of `wanted` that is not known.
void fill_hidden(render::Picture& texture, const Mask& known, const Mask& wanted) {
  std::vector<int> queue;
  Grid<std::uint8_t> done = known;
  for (int i = 0; i < static_cast<int>(known.cells.size()); ++i)
    if (known.cells[idx(i)] != 0) queue.push_back(i);
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int x = queue[head] % known.width, y = queue[head] / known.width;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      if (!known.inside(x + dx, y + dy) || done.at(x + dx, y + dy) != 0 || wanted.at(x + dx, y + dy) == 0) continue;
      done.at(x + dx, y + dy) = 1;
      std::copy_n(texture.pixel(x, y), 4, texture.pixel(x + dx, y + dy));
      queue.push_back((y + dy) * known.width + x + dx);
    }
  }
}

}  // namespace

Puppet::Puppet(const render::Picture& figure, const PuppetRig& rig) : rig_(rig) {
  std::vector<std::string> names{"trunk"};
  for (std::size_t i = 0; i < rig.joints.size(); ++i) {
    const PuppetJoint& joint = rig.joints[i];
    if (joint.parent < 0 || starts_limb(rig, joint)) continue;  // Limbs hang on the trunk without a bone.
    const std::string part = part_of(joint.name);
    auto found = std::find(names.begin(), names.end(), part);
    if (found == names.end()) found = names.insert(names.end(), part);
    bones_.push_back({joint.parent, static_cast<int>(i), static_cast<int>(found - names.begin())});
  }
  Mask mask(figure.width, figure.height), soft(figure.width, figure.height);
  for (std::size_t i = 0; i < mask.cells.size(); ++i) {
    soft.cells[i] = figure.rgba[4 * i + 3] > 0 ? 1 : 0;
    mask.cells[i] = soft.cells[i];
  }
  std::vector<double> radii;
  const Grid<int> labels = label_pixels(figure, mask, rig, bones_, radii);
  std::vector<std::size_t> roots;  // First bones of limbs.
  for (std::size_t b = 0; b < bones_.size(); ++b)
    if (starts_limb(rig, rig.joints[idx(bones_[b].from)])) roots.push_back(b);
  const double size = std::max(figure.width, figure.height), spacing = std::max(1.5, size / kCells);
  for (std::size_t part = 0; part < names.size(); ++part) {
    Mask own(figure.width, figure.height), drawn(figure.width, figure.height);
    for (int y = 0; y < figure.height; ++y) {
      for (int x = 0; x < figure.width; ++x) {
        const int label = labels.at(x, y);
        if (label < 0) continue;
        own.at(x, y) = bones_[idx(label)].part == static_cast<int>(part) ? 1 : 0;
        if (own.at(x, y) != 0) {
          drawn.at(x, y) = 1;
          continue;
        }
        // Around the root of a limb both the limb and the trunk have the pixels: the joint stays covered.
        const int other = bones_[idx(label)].part;
        for (const std::size_t b : roots) {
          const bool shared =
              part == 0 ? other == bones_[b].part : bones_[b].part == static_cast<int>(part) && other == 0;
          if (!shared) continue;
          const Point apart = Point{x + 0.5, y + 0.5} - rig.joints[idx(bones_[b].from)].position;
          const double radius = kOverlap * radii[b];
          if (dot(apart, apart) < radius * radius) drawn.at(x, y) = 1;
        }
      }
    }
    render::Picture texture = figure;
    if (part == 0) {
      // What arms hide of the trunk: its own colours, half of the limb's thickness deep.
      Mask hidden = drawn;
      const Grid<float> apart = distance_to(own);
      for (std::size_t i = 0; i < hidden.cells.size(); ++i) {
        if (labels.cells[i] < 0 || own.cells[i] != 0) continue;
        if (static_cast<double>(apart.cells[i]) < 0.7 * radii[idx(labels.cells[i])]) hidden.cells[i] = 1;
      }
      fill_hidden(texture, drawn, hidden);
      drawn = hidden;
    }
    for (std::size_t i = 0; i < drawn.cells.size(); ++i)
      if (drawn.cells[i] == 0) texture.rgba[4 * i + 3] = 0;
    add_part(texture, drawn.cells, names[part], spacing);
  }
}

void Puppet::add_part(const render::Picture& texture, const std::vector<std::uint8_t>& mask, const std::string& name,
                      double spacing) {
  const int number = static_cast<int>(parts_.size());
  const int columns = static_cast<int>(texture.width / spacing) + 2,
            rows = static_cast<int>(texture.height / spacing) + 2;
  Grid<std::uint8_t> cells(columns, rows);
  for (int y = 0; y < texture.height; ++y) {
    for (int x = 0; x < texture.width; ++x) {
      if (mask[idx(y) * idx(texture.width) + idx(x)] == 0) continue;
      // One pixel around as well: interpolated edges are inside of the mesh.
      for (const double dx : {-1.0, 1.0}) {
        for (const double dy : {-1.0, 1.0}) {
          const int cx = static_cast<int>(std::max(0.0, x + 0.5 + dx) / spacing),
                    cy = static_cast<int>(std::max(0.0, y + 0.5 + dy) / spacing);
          if (cells.inside(cx, cy)) cells.at(cx, cy) = 1;
        }
      }
    }
  }
  // Vertices are numbered along the shorter side: the band is narrow.
  Grid<int> numbers(columns + 1, rows + 1, -1);
  std::vector<Point> rest;
  const Box box = box_of(cells);
  const bool by_rows = box.width() <= box.height();
  for (int i = 0; i < (columns + 1) * (rows + 1); ++i) {
    const int x = by_rows ? i % (columns + 1) : i / (rows + 1), y = by_rows ? i / (columns + 1) : i % (rows + 1);
    const bool used =
        cells.get(x, y) != 0 || cells.get(x - 1, y) != 0 || cells.get(x, y - 1) != 0 || cells.get(x - 1, y - 1) != 0;
    if (!used) continue;
    numbers.at(x, y) = static_cast<int>(rest.size());
    rest.push_back({x * spacing, y * spacing});
  }
  std::vector<MeshTriangle> triangles;
  std::vector<MeshEdge> edges;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const int a = numbers.at(x, y), b = numbers.at(x + 1, y), c = numbers.at(x, y + 1), d = numbers.at(x + 1, y + 1);
      if (cells.at(x, y) != 0) {
        triangles.push_back({{a, b, d}});
        triangles.push_back({{a, d, c}});
        edges.push_back({a, d});
        edges.push_back({b, c});
      }
      if (cells.at(x, y) != 0 || cells.get(x, y - 1) != 0) edges.push_back({a, b});
      if (cells.at(x, y) != 0 || cells.get(x - 1, y) != 0) edges.push_back({a, c});
    }
  }
  std::vector<int> bone_of(rest.size(), -1), second(rest.size(), -1);
  std::vector<double> pulls(rest.size(), kFree), share(rest.size(), 0);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    double nearest = 1e30, next = 1e30;
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      if (bones_[b].part != number) continue;
      const Point from = rig_.joints[idx(bones_[b].from)].position, to = rig_.joints[idx(bones_[b].to)].position;
      const double apart = distance(rest[i], mix(from, to, nearest_fraction(rest[i], from, to)));
      if (apart < nearest) {
        next = nearest;
        second[i] = bone_of[i];
        nearest = apart;
        bone_of[i] = static_cast<int>(b);
      } else if (apart < next) {
        next = apart;
        second[i] = static_cast<int>(b);
      }
    }
    if (second[i] < 0) second[i] = bone_of[i];
    // Blended over two cells around a joint.
    const double lead = next < 1e29 ? (next - nearest) / (1.5 * spacing) : 1;
    share[i] = std::clamp(0.5 - lead / 2, 0.0, 0.5);
    if (nearest < 0.75 * spacing) pulls[i] = kPinned * (1 - share[i]);
  }
  parts_.push_back({name, texture, std::move(triangles),
                    ArapSolver(std::move(rest), std::move(edges), std::move(pulls)), std::move(bone_of),
                    std::move(second), std::move(share)});
}

int Puppet::bone_to(int joint) const {
  for (std::size_t b = 0; b < bones_.size(); ++b)
    if (bones_[b].to == joint) return static_cast<int>(b);
  return -1;
}

void Puppet::deform(const PuppetPose& pose, std::vector<std::vector<Point>>& vertices) {
  vertices.resize(parts_.size());
  maps_.resize(bones_.size());
  sizes_.resize(bones_.size());
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    maps_[b] = bone_map(rig_, bones_[b], pose.bones[b]);
    sizes_[b] = bone_map(rig_, bones_[b], {{}, 0, pose.bones[b].along, pose.bones[b].across});
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    PuppetPart& part = parts_[p];
    const std::vector<Point>& rest = part.solver.rest();
    targets_.resize(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      targets_[i] = maps_[idx(part.bone_of[i])].apply(rest[i]);
      if (part.share[i] > 0)
        targets_[i] = mix(targets_[i], maps_[idx(part.second_bone[i])].apply(rest[i]), part.share[i]);
    }
    const std::vector<MeshEdge>& edges = part.solver.edges();
    stretched_.resize(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const BoneMap& size = sizes_[idx(part.bone_of[idx(edges[e].a)])];
      const Point d = rest[idx(edges[e].b)] - rest[idx(edges[e].a)];
      stretched_[e] = size.x * d.x + size.y * d.y;
    }
    part.solver.solve(targets_, stretched_, 2, vertices[p]);
    if (pose.width != 1) {
      for (Point& v : vertices[p]) v.x = pose.middle + (v.x - pose.middle) * pose.width;
    }
  }
}

std::vector<int> Puppet::draw_order(const PuppetPose& pose) const {
  std::vector<int> order(parts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return pose.depths[idx(a)] < pose.depths[idx(b)]; });
  return order;
}

}  // namespace zoe::sprite
