// SPDX-License-Identifier: MIT
#include "io/fbx/settings.h"

#include <array>
#include <charconv>
#include <cmath>

#include "io/fbx/properties.h"

namespace zoe::io::fbx {
namespace {

// Frame rates of the TimeMode enumeration; 14 means "CustomFrameRate".
constexpr std::array<double, 19> kTimeModeFps{30,
                                              120,
                                              100,
                                              60,
                                              50,
                                              48,
                                              30,
                                              30,
                                              30000.0 / 1001,
                                              30000.0 / 1001,
                                              25,
                                              24,
                                              1000,
                                              24000.0 / 1001,
                                              0,
                                              96,
                                              72,
                                              60000.0 / 1001,
                                              120000.0 / 1001};
constexpr std::int64_t kCustomTimeMode = 14;
constexpr double kMaxFps = 10000;

Vec3d signed_axis(std::int64_t axis, std::int64_t sign) {
  const double s = sign < 0 ? -1 : 1;
  return {axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
}

// Position of the GlobalSettings properties: at the top (7.x), among the objects (6.x), or absent (5.x).
std::optional<Node> find_settings(const Document& document) {
  if (const auto settings = document.child(document.root(), "GlobalSettings")) return settings;
  const auto objects = document.child(document.root(), "Objects");
  return objects ? document.child(*objects, "GlobalSettings") : std::nullopt;
}

double legacy_fps(const Document& document) {
  const auto version5 = document.child(document.root(), "Version5");
  const auto settings = document.child(version5.value_or(document.root()), "Settings");
  if (!settings) return 0;
  const std::string_view text = document.string_of(*settings, "FrameRate", "");
  double fps = document.real_of(*settings, "FrameRate", 0);
  if (!text.empty()) std::from_chars(text.data(), text.data() + text.size(), fps);
  return fps;
}

// "up", "front" and "coord" (the direction to the viewer's right) give the file axes of our Y, Z and X.
Affined read_axes(const PropertyList& list, char* up_axis, Warnings* warnings) {
  const std::int64_t up = list.integer("UpAxis", 1), front = list.integer("FrontAxis", 2),
                     right = list.integer("CoordAxis", 0);
  const auto valid = [](std::int64_t axis) { return axis >= 0 && axis <= 2; };
  if (!valid(up) || !valid(front) || !valid(right) || up == front || front == right || up == right) {
    warnings->push_back({"the axis settings contradict each other; Y up is assumed", {}});
    return {};
  }
  *up_axis = "xyz"[up];
  const Vec3d x = signed_axis(right, list.integer("CoordAxisSign", 1));
  const Vec3d y = signed_axis(up, list.integer("UpAxisSign", 1));
  const Vec3d z = signed_axis(front, list.integer("FrontAxisSign", 1));
  // x, y, z are our axes in file coordinates: the rows of the map.
  return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}, {}};
}

void read_application(const Document& document, Settings* settings) {
  settings->generator = document.string_of(document.root(), "Creator", "");
  const auto header = document.child(document.root(), "FBXHeaderExtension");
  auto info = header ? document.child(*header, "SceneInfo") : std::nullopt;
  if (!info) {
    if (const auto objects = document.child(document.root(), "Objects")) info = document.child(*objects, "SceneInfo");
  }
  if (settings->generator.empty() && header) settings->generator = document.string_of(*header, "Creator", "");
  if (!info) return;
  const PropertyList list(document, property_list_node(document, *info));
  const std::string_view original = list.text("Original|ApplicationName", "");
  settings->application = list.text("LastSaved|ApplicationName", original);
  if (settings->application.empty()) settings->application = original;
}

}  // namespace

SpaceConversion::SpaceConversion(const Affined& model_from_file, double metres_per_unit)
    : metres_per_unit_(metres_per_unit),
      mirrored_(determinant(model_from_file) < 0),
      model_from_file_(model_from_file) {
  Affined proper = model_from_file;
  if (mirrored_) proper.x = -proper.x;
  root_rotation_ = rotation_of(proper);
}

Transformd SpaceConversion::node(const Transformd& file_local, bool root) const {
  Transformd local = file_local;
  if (mirrored_) local.rotation = {local.rotation.x, -local.rotation.y, -local.rotation.z, local.rotation.w};
  local.translation = point(local.translation);
  if (root) {
    local.translation = rotate(root_rotation_, local.translation);
    local.rotation = root_rotation_ * local.rotation;
  }
  return local;
}

Affined SpaceConversion::between_nodes(const Affined& file) const {
  Affined m = file;
  if (mirrored_) m = {-direction(m.x), direction(m.y), direction(m.z), direction(m.t)};
  m.t *= metres_per_unit_;
  return m;
}

Affined SpaceConversion::world_from_node(const Affined& file) const {
  return to_affine(root_rotation_) * between_nodes(file);
}

Vec3d SpaceConversion::file_from_model(Vec3d model) const {
  return inverse(model_from_file_).apply_vector(model) / metres_per_unit_;
}

std::int64_t time_mode_of(double fps) {
  // Numbers 0 and 7 to 9 mean other things to some programs (default, drop frames).
  for (const std::size_t mode : {6, 11, 10, 3, 1, 2, 4, 5, 12, 13, 15, 16, 17, 18}) {
    if (std::abs(kTimeModeFps[mode] - fps) < 1e-6) return static_cast<std::int64_t>(mode);
  }
  return kCustomTimeMode;
}

Settings read_settings(const Document& document, Warnings* warnings) {
  Settings settings;
  read_application(document, &settings);
  const auto node = find_settings(document);
  const PropertyList list(document, node ? property_list_node(document, *node) : std::nullopt);

  const std::int64_t mode = list.integer("TimeMode", -1);
  double fps = mode >= 0 && mode < static_cast<std::int64_t>(kTimeModeFps.size())
                   ? kTimeModeFps[static_cast<std::size_t>(mode)]
                   : 0;
  if (mode == kCustomTimeMode) fps = list.real("CustomFrameRate", 0);
  if (!(fps > 0)) fps = legacy_fps(document);
  settings.fps = fps > 0 && fps <= kMaxFps ? fps : 30;

  const double unit = list.real("UnitScaleFactor", 1) * 0.01;  // The factor counts centimetres.
  if (unit > 1e-9 && unit < 1e9) {
    settings.metres_per_unit = unit;
  } else {
    warnings->push_back({"UnitScaleFactor is not usable; centimetres are assumed", {}});
  }
  settings.model_from_file = read_axes(list, &settings.up_axis, warnings);
  return settings;
}

}  // namespace zoe::io::fbx
