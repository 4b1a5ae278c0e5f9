// SPDX-License-Identifier: MIT
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/markup_text.h"
#include "zoe/physics/body_plan.h"

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

void write_bone(std::string& out, const BodyPlan& plan, std::size_t b, std::size_t depth) {
  const Bone& bone = plan.bones[b];
  const std::string space(4 + 2 * depth, ' '), inner = space + "  ";
  fmt::format_to(std::back_inserter(out), "{}<body name=\"{}\" pos=\"{}\" quat=\"{}\">  <!-- {} -->\n", space,
                 escape_markup(plan.names[b]), vector_text(bone.offset_m), quat_text(bone.rotation),
                 to_string(bone.role));
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
    if (plan.bones[child].parent == static_cast<int>(b)) write_bone(out, plan, child, depth + 1);
  out += space + "</body>\n";
}

}  // namespace

std::string to_mjcf(const BodyPlan& plan) {
  std::string out = fmt::format(
      "<!-- Written by zoe: {} bones, {:.4g} kg, {:.3g} m. Y is up, metres, kilograms, seconds. Springs hold the\n"
      "     reference pose; `zoe physics track` moves their targets. -->\n"
      "<mujoco model=\"zoe\">\n"
      "  <compiler angle=\"radian\" boundmass=\"1e-9\" boundinertia=\"1e-12\"/>\n"
      "  <option gravity=\"0 -9.81 0\" timestep=\"0.004166666666666667\" iterations=\"30\"/>\n"
      "  <size njmax=\"1500\" nconmax=\"400\"/>\n"
      "  <default>\n"
      "    <geom friction=\"1 0.01 0.001\" solref=\"0.01 1\" solimp=\"0.95 0.99 0.001\" condim=\"3\" contype=\"1\" "
      "conaffinity=\"1\" rgba=\"0.75 0.6 0.5 1\"/>\n"
      "  </default>\n"
      "  <worldbody>\n"
      "    <light pos=\"0 4 2\" dir=\"0 -1 -0.5\"/>\n"
      "    <geom name=\"floor\" type=\"plane\" zaxis=\"0 1 0\" size=\"0 0 1\" rgba=\"0.5 0.55 0.6 1\"/>\n",
      plan.bones.size(), plan.mass_kg, plan.height_m);
  write_bone(out, plan, 0, 0);
  out += "  </worldbody>\n  <contact>\n";
  for (const auto& pair : plan.no_contact)
    fmt::format_to(std::back_inserter(out), "    <exclude body1=\"{}\" body2=\"{}\"/>\n",
                   escape_markup(plan.names[idx(pair.first)]), escape_markup(plan.names[idx(pair.second)]));
  return out + "  </contact>\n</mujoco>\n";
}

}  // namespace zoe::physics
