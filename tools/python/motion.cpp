// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: skeletons, motions, files.
#include "zoe/io/convert.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"
#include "zoe/motion/remap.h"

#include "binding.h"

namespace zoe::python {

std::shared_ptr<File> File::from(io::Asset asset, std::filesystem::path path) {
  auto file = std::make_shared<File>();
  file->path = std::move(path);
  file->character = std::move(asset.character);
  for (Motion& clip : asset.clips) file->clips.push_back(std::make_shared<Motion>(std::move(clip)));
  file->source = std::move(asset.source);
  file->warnings = std::move(asset.warnings);
  return file;
}

io::Asset File::to_asset() const {
  io::Asset asset{character, {}, source, {}};
  for (const auto& clip : clips) asset.clips.push_back(*clip);
  return asset;
}

namespace {

std::vector<std::string> names_of(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const JointDesc& joint : skeleton.joints()) names.push_back(joint.name);
  return names;
}

std::vector<std::string> texts_of(const Warnings& warnings) {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings) texts.push_back(warning.format());
  return texts;
}

std::shared_ptr<Skeleton> make_skeleton(const std::vector<std::string>& names, const std::vector<int>& parents,
                                        const FloatArray& translations, const std::optional<FloatArray>& rotations) {
  const auto count = static_cast<py::ssize_t>(names.size());
  if (parents.size() != names.size() || translations.ndim() != 2 || translations.shape(0) != count ||
      translations.shape(1) != 3 ||
      (rotations && (rotations->ndim() != 2 || rotations->shape(0) != count || rotations->shape(1) != 4))) {
    throw py::value_error("parents, translations [joints, 3] and rotations [joints, 4] must have a row per name");
  }
  std::vector<JointDesc> joints;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const float* t = translations.data() + 3 * j;
    JointDesc joint{.name = names[j], .parent = parents[j]};
    joint.rest_local.translation = {t[0], t[1], t[2]};
    if (rotations) {
      const float* q = rotations->data() + 4 * j;
      joint.rest_local.rotation = normalized(Quat{q[0], q[1], q[2], q[3]});
    }
    joints.push_back(std::move(joint));
  }
  return std::const_pointer_cast<Skeleton>(unwrap(Skeleton::create(std::move(joints))));
}

// [frames, joints, width] over the motion's own memory.
py::array track(const py::object& self, const void* data, py::ssize_t width) {
  const Motion& motion = self.cast<const Motion&>();
  return view(data, {motion.num_frames, motion.num_joints(), width}, self, true);
}

std::shared_ptr<Motion> make(const SkeletonPtr& skeleton, double fps, const FloatArray& translations,
                             const FloatArray& rotations, const std::string& name) {
  const auto joints = static_cast<py::ssize_t>(skeleton->num_joints());
  if (translations.ndim() != 3 || rotations.ndim() != 3 || translations.shape(1) != joints ||
      rotations.shape(1) != joints || translations.shape(2) != 3 || rotations.shape(2) != 4 ||
      translations.shape(0) != rotations.shape(0)) {
    throw py::value_error("translations must be [frames, joints, 3] and rotations [frames, joints, 4]");
  }
  auto motion =
      std::make_shared<Motion>(make_motion(skeleton, name, fps, static_cast<int>(translations.shape(0)), false));
  std::copy_n(translations.data(), translations.size(), reinterpret_cast<float*>(motion->translations.data()));
  std::copy_n(rotations.data(), rotations.size(), reinterpret_cast<float*>(motion->rotations.data()));
  unwrap(validate(*motion));
  make_continuous(*motion);
  return motion;
}

py::array positions(const Motion& motion) {
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  std::vector<float> out(static_cast<std::size_t>(motion.num_frames) * joints * 3);
  {
    const py::gil_scoped_release released;
    std::vector<Affine> model(joints);
    for (int frame = 0; frame < motion.num_frames; ++frame) {
      compute_model_from_joint(*motion.skeleton, motion.frame(frame), model);
      for (std::size_t j = 0; j < joints; ++j) {
        float* at = &out[3 * (static_cast<std::size_t>(frame) * joints + j)];
        at[0] = model[j].t.x, at[1] = model[j].t.y, at[2] = model[j].t.z;
      }
    }
  }
  return take(std::move(out), {motion.num_frames, motion.num_joints(), 3});
}

std::vector<std::string> save_asset(io::Asset asset, const std::filesystem::path& path) {
  for (const Motion& clip : asset.clips) unwrap(validate(clip));  // Arrays may have been edited.
  const std::optional<io::Format> format = io::format_of_extension(path);
  if (format && io::states_metres(*format)) io::to_metres(asset, path);
  return texts_of(unwrap(io::write_asset(path, asset)));
}

// Motions of an equal skeleton are moved to the file's own, so that all clips of a file share one.
std::shared_ptr<File> with_clips(const File& file, const std::vector<std::shared_ptr<Motion>>& clips) {
  need_joints(file);
  auto out = std::make_shared<File>(file);
  out->clips.clear();
  out->warnings.clear();
  for (const std::shared_ptr<Motion>& clip : clips) {
    if (clip == nullptr) throw py::value_error("a clip is None");
    if (clip->skeleton->topology_hash() != file.character->skeleton->topology_hash()) {
      throw PythonError("the motion " + clip->name + " has other joints than the file: retarget it first");
    }
    out->clips.push_back(clip);
    if (clip->skeleton == file.character->skeleton) continue;
    out->clips.back() = std::make_shared<Motion>(remap_by_name(*clip, file.character->skeleton));
  }
  return out;
}

}  // namespace

void bind_motion(py::module_& module) {
  py::class_<Skeleton, std::shared_ptr<Skeleton>>(module, "Skeleton", "The joint hierarchy; parents before children.")
      .def(py::init(&make_skeleton), py::arg("names"), py::arg("parents"), py::arg("rest_translations"),
           py::arg("rest_rotations") = py::none(),
           "From offsets [joints, 3] in metres and rotations [joints, 4] of the rest pose, relative to the parents. "
           "Rotations are none unless stated. The parent of a root is -1.")
      .def("__len__", &Skeleton::num_joints)
      .def_property_readonly("names", &names_of, "Names of the joints.")
      .def_property_readonly(
          "parents", [](const Skeleton& s) { return std::vector<int>(s.parents().begin(), s.parents().end()); },
          "Index of each joint's parent; -1 for a root.")
      .def_property_readonly(
          "rest_translations",
          [](const Skeleton& s) {
            std::vector<float> out;
            for (const JointDesc& joint : s.joints()) {
              const Vec3 t = joint.rest_local.translation;
              out.insert(out.end(), {t.x, t.y, t.z});
            }
            return take(std::move(out), {s.num_joints(), 3});
          },
          "Offsets from the parents in the rest pose, [joints, 3].")
      .def_property_readonly(
          "rest_rotations",
          [](const Skeleton& s) {
            std::vector<float> out;
            for (const JointDesc& joint : s.joints()) {
              const Quat q = joint.rest_local.rotation;
              out.insert(out.end(), {q.x, q.y, q.z, q.w});
            }
            return take(std::move(out), {s.num_joints(), 4});
          },
          "Rotations against the parents in the rest pose, [joints, 4], x y z w.")
      .def(
          "find", [](const Skeleton& s, const std::string& name) { return s.find(name); }, py::arg("name"),
          "Index of the first joint of that name, or -1.")
      .def(py::pickle(&skeleton_state, &skeleton_from));

  py::class_<Motion, std::shared_ptr<Motion>>(module, "Motion", "Poses of one skeleton at a fixed rate.")
      .def(py::init(&make), py::arg("skeleton"), py::arg("fps"), py::arg("translations"), py::arg("rotations"),
           py::arg("name") = "motion",
           "From arrays [frames, joints, 3] and [frames, joints, 4] (x y z w), relative to the parents. Copies.")
      .def_readwrite("name", &Motion::name, "Of the clip; files keep it.")
      .def_readonly("fps", &Motion::fps, "Frames per second.")
      .def_readonly("num_frames", &Motion::num_frames, "Number of poses.")
      .def_property_readonly("duration_s", &Motion::duration_s, "Time from the first frame to the last.")
      .def_property_readonly(
          "skeleton", [](const Motion& m) { return std::const_pointer_cast<Skeleton>(m.skeleton); },
          "The joints that move.")
      .def_property_readonly(
          "translations",
          [](const py::object& self) { return track(self, self.cast<const Motion&>().translations.data(), 3); },
          "[frames, joints, 3], metres, relative to the parent. The motion's own memory: no copy, writable.")
      .def_property_readonly(
          "rotations",
          [](const py::object& self) { return track(self, self.cast<const Motion&>().rotations.data(), 4); },
          "[frames, joints, 4], unit quaternions x y z w. The motion's own memory: no copy, writable.")
      .def_property_readonly(
          "scales",
          [](const py::object& self) -> py::object {
            const Motion& motion = self.cast<const Motion&>();
            if (motion.scales.empty()) return py::none();
            return track(self, motion.scales.data(), 3);
          },
          "[frames, joints, 3], or None: all 1. No copy.")
      .def_property_readonly(
          "rotations_address", [](const Motion& m) { return reinterpret_cast<std::uintptr_t>(m.rotations.data()); },
          "Address of the first rotation in the library's memory.")
      .def("positions", &positions, "Positions of all joints in model space, [frames, joints, 3], a new array.")
      .def(
          "save",
          [](const Motion& motion, const std::filesystem::path& path) {
            auto character = std::make_shared<Character>();
            character->skeleton = motion.skeleton;
            return save_asset(io::Asset{character, {motion}, {}, {}}, path);
          },
          py::arg("path"), py::call_guard<py::gil_scoped_release>(),
          "Writes BVH, GLB, glTF, FBX, USDA or NPZ, by the ending. Returns what the format could not hold.")
      .def(py::pickle(&motion_state, &motion_from))
      .def("__repr__", [](const Motion& m) {
        return "<zoetrope.Motion " + m.name + ": " + std::to_string(m.num_frames) + " frames, " +
               std::to_string(m.num_joints()) + " joints>";
      });

  py::class_<File, std::shared_ptr<File>>(module, "File", "The character and the clips of a file.")
      .def(py::init([](const std::shared_ptr<Motion>& motion) {
             if (motion == nullptr) throw py::value_error("the motion is None");
             auto character = std::make_shared<Character>();
             character->skeleton = motion->skeleton;
             auto file = File::from(io::Asset{character, {}, {}, {}});
             file->clips.push_back(motion);
             return file;
           }),
           py::arg("motion"), "A character without a mesh that has this motion, in metres.")
      .def_property_readonly(
          "skeleton", [](const File& f) { return std::const_pointer_cast<Skeleton>(f.character->skeleton); },
          "The joints of the character.")
      .def_readonly("clips", &File::clips, "Motions of the file, all of its skeleton.")
      .def_property_readonly(
          "format", [](const File& f) { return f.source.format; }, "bvh, glb, fbx, …; empty for a file from a motion.")
      .def_property_readonly(
          "metres_per_unit", [](const File& f) { return f.source.metres_per_unit; },
          "Of the file's numbers; estimated for formats without a unit (BVH).")
      .def_property_readonly(
          "num_vertices",
          [](const File& f) {
            std::size_t count = 0;
            for (const Mesh& mesh : f.character->meshes) count += mesh.positions.size();
            return count;
          },
          "Vertices of its meshes.")
      .def_property_readonly(
          "warnings", [](const File& f) { return texts_of(f.warnings); }, "What the reader repaired or left out.")
      .def("with_clips", &with_clips, py::arg("clips"),
           "The same character with other motions, which must have its joints.")
      .def(
          "save", [](const File& f, const std::filesystem::path& path) { return save_asset(f.to_asset(), path); },
          py::arg("path"), py::call_guard<py::gil_scoped_release>(),
          "Writes character and clips in the format of the ending. Returns what the format could not hold.")
      .def("__repr__", [](const File& f) {
        return "<zoetrope.File " + f.source.format + ": " + std::to_string(f.character->skeleton->num_joints()) +
               " joints, " + std::to_string(f.clips.size()) + " clips>";
      });

  module.def(
      "load", [](const std::filesystem::path& path) { return File::from(unwrap(io::read_asset(path)), path); },
      py::arg("path"), py::call_guard<py::gil_scoped_release>(),
      "Reads a motion or character file of any supported format: BVH, glTF, FBX, USD, NPZ, OBJ.");
}

}  // namespace zoe::python
