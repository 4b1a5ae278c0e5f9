// SPDX-License-Identifier: MIT
// Part of Zoetrope. What the files of the Python module share: errors, arrays over memory of ours, and the types that
// several of them name.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "zoe/io/asset.h"

namespace zoe::python {

namespace py = pybind11;

// Becomes zoetrope.Error.
struct PythonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
T unwrap(Result<T> result) {
  if (!result) throw PythonError(result.error().format());
  return std::move(result).value();
}
inline void unwrap(const Result<void>& result) {
  if (!result) throw PythonError(result.error().format());
}

// A file: clips are shared, so that a motion outlives its file.
struct File {
  CharacterPtr character;
  std::vector<std::shared_ptr<Motion>> clips;
  io::SourceInfo source;
  Warnings warnings;
  std::filesystem::path path;  // Of the file that it was read from, for its textures; may be empty.

  static std::shared_ptr<File> from(io::Asset asset, std::filesystem::path path = {});
  // Motions are copied: the readers and writers own theirs.
  io::Asset to_asset() const;
};

inline void need_joints(const File& file) {
  if (!file.character || file.character->skeleton->num_joints() == 0) throw PythonError("the file has no skeleton");
}

// A NumPy array over memory that `owner` keeps: no copy.
inline py::array view(const void* data, std::vector<py::ssize_t> shape, py::handle owner, bool writable) {
  py::array array = py::array_t<float>(std::move(shape), static_cast<const float*>(data), owner);
  if (!writable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

// A NumPy array that takes the vector over: no copy.
inline py::array take(std::vector<float> values, std::vector<py::ssize_t> shape) {
  auto owned = std::make_unique<std::vector<float>>(std::move(values));
  const float* data = owned->data();
  py::capsule owner(owned.release(), [](void* memory) { delete static_cast<std::vector<float>*>(memory); });
  return view(data, std::move(shape), owner, true);
}

using FloatArray = py::array_t<float, py::array::c_style | py::array::forcecast>;

// For pickle.
py::tuple skeleton_state(const Skeleton& skeleton);
std::shared_ptr<Skeleton> skeleton_from(const py::tuple& state);
py::tuple motion_state(const Motion& motion);
std::shared_ptr<Motion> motion_from(const py::tuple& state);

void bind_motion(py::module_& module);
void bind_work(py::module_& module);
void bind_generate(py::module_& module);
void bind_render(py::module_& module);
void bind_dataset(py::module_& module);
void bind_control(py::module_& module);
void bind_network(py::module_& module);

}  // namespace zoe::python
