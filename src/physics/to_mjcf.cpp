// SPDX-License-Identifier: MIT
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/markup_text.h"
#include "zoe/physics/body_plan.h"

#include "physics/world_mjcf.h"

namespace zoe::physics {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::string vector_text(Vec3d v) { return fmt::format("{:.6g} {:.6g} {:.6g}", v.x, v.y, v.z); }
std::string quat_text(Quatd q) { return fmt::format("{:.7g} {:.7g} {:.7g} {:.7g}", q.w, q.x, q.y, q.z); }

void write_shape(std::string& out, const std::string& space, const Bone& bone) {
  const BoneShape& s = bone.shape;
  if (s.is_box) {
    fmt::format_to(std::back_inserter(out),
                   "{}<geom type=\"box\" pos=\"{}\" quat=\"{}\" size=\"{}\" mass=\"{:.6g}\"/>\n", space,
                   vector_text(s.centre), quat_text(s.rotation), vector_text(s.half_size), bone.mass_kg);
  } else if (distance(s.from, s.to) < 1e-6) {
    fmt::format_to(std::back_inserter(out), "{}<geom type=\"sphere\" pos=\"{}\" size=\"{:.6g}\" mass=\"{:.6g}\"/>\n",
                   space, vector_text(s.from), s.radius_m, bone.mass_kg);
  } else {
    fmt::format_to(std::back_inserter(out),
                   "{}<geom type=\"capsule\" fromto=\"{} {}\" size=\"{:.6g}\" mass=\"{:.6g}\"/>\n", space,
                   vector_text(s.from), vector_text(s.to), s.radius_m, bone.mass_kg);
  }
}

// The role, and for a knee or an elbow its axis.
std::string hinge_text(const Bone& bone) {
  const Hinge& hinge = bone.hinge;
  if (!hinge.known()) return to_string(bone.role);
  return fmt::format("{}, bends about {} from {:.3g} to {:.3g} rad", to_string(bone.role), vector_text(hinge.axis),
                     hinge.low_rad, hinge.high_rad);
}

void write_bone(std::string& out, const PlacedPlan& placed, std::size_t b, std::size_t depth) {
  const BodyPlan& plan = *placed.plan;
  const Bone& bone = plan.bones[b];
  const std::string space(4 + 2 * depth, ' '), inner = space + "  ";
  fmt::format_to(std::back_inserter(out), "{}<body name=\"{}\" pos=\"{}\" quat=\"{}\">  <!-- {} -->\n", space,
                 escape_markup(placed.prefix + plan.names[b]), vector_text(bone.offset_m), quat_text(bone.rotation),
                 hinge_text(bone));
  if (bone.parent < 0) {
    out += inner + "<freejoint/>\n";
  } else {
    const std::string limits =
        bone.limit_rad < kPi ? fmt::format(" limited=\"true\" range=\"0 {:.4g}\"", bone.limit_rad) : std::string();
    fmt::format_to(std::back_inserter(out), "{}<joint type=\"ball\"{} stiffness=\"{:.5g}\" damping=\"{:.5g}\"/>\n",
                   inner, limits, bone.stiffness_nm_rad, bone.damping_nms_rad);
  }
  write_shape(out, inner, bone);
  for (std::size_t child = b + 1; child < plan.bones.size(); ++child)
    if (plan.bones[child].parent == static_cast<int>(b)) write_bone(out, placed, child, depth + 1);
  out += space + "</body>\n";
}

void write_prop(std::string& out, const Prop& prop) {
  const bool moves = prop.mass_kg > 0;
  fmt::format_to(std::back_inserter(out), "    <body pos=\"{}\" quat=\"{}\">{}\n", vector_text(prop.position_m),
                 quat_text(from_axis_angle(Vec3d{0, 1, 0}, prop.yaw_rad)), moves ? "<freejoint/>" : "");
  fmt::format_to(std::back_inserter(out), "      <geom type=\"box\" size=\"{}\" mass=\"{:.6g}\"/>\n    </body>\n",
                 vector_text(prop.half_size_m), moves ? prop.mass_kg : 1.0);
}

}  // namespace

std::string world_mjcf(std::span<const PlacedPlan> bodies, std::span<const Prop> props, bool uneven) {
  const BodyPlan& first = *bodies[0].plan;
  std::string out = fmt::format(
      "<!-- Written by zoe: {} bones, {:.4g} kg, {:.3g} m. Y is up, metres, kilograms, seconds. Springs hold the\n"
      "     reference pose; `zoe physics track` moves their targets. -->\n"
      "<mujoco model=\"zoe\">\n"
      "  <compiler angle=\"radian\" boundmass=\"1e-9\" boundinertia=\"1e-12\"/>\n"
      "  <option gravity=\"0 -9.81 0\" timestep=\"0.004166666666666667\" iterations=\"30\" solver=\"PGS\"/>\n"
      "  <size njmax=\"{}\" nconmax=\"{}\"/>\n"
      "  <default>\n"
      "    <geom friction=\"1 0.01 0.001\" solref=\"0.01 1\" solimp=\"0.95 0.99 0.001\" condim=\"3\" contype=\"1\" "
      "conaffinity=\"1\" rgba=\"0.75 0.6 0.5 1\"/>\n"
      "  </default>\n",
      first.bones.size(), first.mass_kg, first.height_m, 1500 * bodies.size() + 60 * props.size(),
      400 * bodies.size() + 20 * props.size());
  // The engine's own height field is only a place for the ground's contacts: see ground_contact.h.
  if (uneven) out += "  <asset><hfield name=\"ground\" nrow=\"2\" ncol=\"2\" size=\"1 1 1 1\"/></asset>\n";
  out +=
      "  <worldbody>\n"
      "    <light pos=\"0 4 2\" dir=\"0 -1 -0.5\"/>\n";
  out += uneven ? "    <geom name=\"floor\" type=\"hfield\" hfield=\"ground\"/>\n"
                : "    <geom name=\"floor\" type=\"plane\" zaxis=\"0 1 0\" size=\"0 0 1\" rgba=\"0.5 0.55 0.6 1\"/>\n";
  for (const PlacedPlan& body : bodies) write_bone(out, body, 0, 0);
  for (const Prop& prop : props) write_prop(out, prop);
  out += "  </worldbody>\n  <contact>\n";
  for (const PlacedPlan& body : bodies)
    for (const auto& pair : body.plan->no_contact)
      fmt::format_to(std::back_inserter(out), "    <exclude body1=\"{}\" body2=\"{}\"/>\n",
                     escape_markup(body.prefix + body.plan->names[idx(pair.first)]),
                     escape_markup(body.prefix + body.plan->names[idx(pair.second)]));
  return out + "  </contact>\n</mujoco>\n";
}

std::string to_mjcf(const BodyPlan& plan) {
  const PlacedPlan body{&plan, {}};
  return world_mjcf(std::span(&body, 1), {}, false);
}

}  // namespace zoe::physics
