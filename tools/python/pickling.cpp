// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: skeletons and motions as tuples that pickle writes, for worker processes.
#include <cstring>

#include "binding.h"

namespace zoe::python {

namespace {

// Bytes of plain numbers, as they are in memory.
template <typename T>
py::bytes bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <typename T>
std::vector<T> values_of(const py::handle& bytes) {
  const std::string text = bytes.cast<std::string>();
  if (text.size() % sizeof(T) != 0) throw PythonError("the pickled motion is damaged");
  std::vector<T> out(text.size() / sizeof(T));
  if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), text.data(), text.size());
  return out;
}

}  // namespace

py::tuple skeleton_state(const Skeleton& skeleton) {
  py::list joints;
  for (const JointDesc& joint : skeleton.joints()) {
    joints.append(py::make_tuple(joint.name, joint.parent, static_cast<int>(joint.kind),
                                 bytes_of(std::vector<Transform>{joint.rest_local})));
  }
  return py::make_tuple(joints);
}

std::shared_ptr<Skeleton> skeleton_from(const py::tuple& state) {
  std::vector<JointDesc> joints;
  for (const py::handle item : state[0].cast<py::list>()) {
    const auto one = item.cast<py::tuple>();
    const std::vector<Transform> rest = values_of<Transform>(one[3]);
    const int kind = one[2].cast<int>();
    if (rest.size() != 1 || kind < 0 || kind > static_cast<int>(JointKind::kNode))
      throw PythonError("the pickled skeleton is damaged");
    joints.push_back({one[0].cast<std::string>(), one[1].cast<int>(), rest[0], static_cast<JointKind>(kind)});
  }
  return std::const_pointer_cast<Skeleton>(unwrap(Skeleton::create(std::move(joints))));
}

py::tuple motion_state(const Motion& motion) {
  return py::make_tuple(skeleton_state(*motion.skeleton), motion.name, motion.fps, motion.start_time_s,
                        motion.num_frames, bytes_of(motion.translations), bytes_of(motion.rotations),
                        bytes_of(motion.scales), motion.num_morph_weights, bytes_of(motion.morph_weights));
}

std::shared_ptr<Motion> motion_from(const py::tuple& state) {
  if (state.size() != 10) throw PythonError("the pickled motion is damaged");
  auto motion = std::make_shared<Motion>();
  motion->skeleton = skeleton_from(state[0].cast<py::tuple>());
  motion->name = state[1].cast<std::string>();
  motion->fps = state[2].cast<double>();
  motion->start_time_s = state[3].cast<double>();
  motion->num_frames = state[4].cast<int>();
  motion->translations = values_of<Vec3>(state[5]);
  motion->rotations = values_of<Quat>(state[6]);
  motion->scales = values_of<Vec3>(state[7]);
  motion->num_morph_weights = state[8].cast<int>();
  motion->morph_weights = values_of<float>(state[9]);
  unwrap(validate(*motion));
  return motion;
}

}  // namespace zoe::python
