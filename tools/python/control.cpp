// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: controllers, characters, crowds.
#include "zoe/control/command.h"
#include "zoe/control/crowd.h"
#include "zoe/control/load.h"
#include "zoe/core/thread_pool.h"

#include "binding.h"

namespace zoe::python {

namespace {

using control::Intent;

struct PythonController {
  control::ControllerPtr ptr;
};

void apply_words(const control::Controller& controller, const std::string& line, Intent& intent) {
  const control::CommandWords words = control::split_command(line);
  if (words.count == 0 || words.too_many) throw PythonError("no command: \"" + line + "\"");
  const std::string problem =
      control::apply_command({words.words, words.count}, {controller.styles(), controller.actions()}, intent);
  if (!problem.empty()) throw PythonError(problem);
}

struct PythonCharacter {
  control::ControllerPtr controller;
  std::unique_ptr<control::ControllerState> state;
  Intent intent;
};

struct PythonCrowd {
  control::ControllerPtr controller;
  std::unique_ptr<control::Crowd> crowd;
  std::vector<Intent> intents;

  PythonCrowd(const PythonController& from, const FloatArray& positions, bool avoid) : controller(from.ptr) {
    if (positions.ndim() != 2 || positions.shape(1) != 2 || positions.shape(0) < 1) {
      throw py::value_error("positions must be [characters, 2]: x and z");
    }
    std::vector<PlanarRoot> roots;
    for (py::ssize_t i = 0; i < positions.shape(0); ++i) {
      const float x = positions.at(i, 0), z = positions.at(i, 1);
      if (!std::isfinite(x + z)) throw py::value_error("a position is not finite");
      roots.push_back({.position = {x, 0, z}, .facing_rad = 0});
    }
    control::CrowdOptions options;
    if (avoid) options.avoidance = control::AvoidanceOptions{};
    crowd = std::make_unique<control::Crowd>(controller, roots, std::move(options));
    intents.resize(roots.size());
  }

  void tick(double dt_s, const FloatArray& velocities) {
    if (velocities.ndim() != 2 || velocities.shape(1) != 2 ||
        velocities.shape(0) != static_cast<py::ssize_t>(intents.size())) {
      throw py::value_error("velocities must be [characters, 2]: x and z");
    }
    for (std::size_t i = 0; i < intents.size(); ++i) {
      const float* v = velocities.data() + 2 * i;
      intents[i] = Intent::move({v[0], 0, v[1]});
    }
    const py::gil_scoped_release released;
    crowd->tick(intents, dt_s, ThreadPool::shared());
  }

  py::array roots() const {
    std::vector<float> out;
    for (int i = 0; i < crowd->size(); ++i) {
      const PlanarRoot& root = crowd->state(i).root();
      out.insert(out.end(), {root.position.x, root.position.y, root.position.z, root.facing_rad});
    }
    return take(std::move(out), {crowd->size(), 4});
  }
};

// Over the state's own memory: values change with the next tick.
template <typename State>
py::array state_array(const py::object& self, const State& values, py::ssize_t width) {
  return view(values.data(), {static_cast<py::ssize_t>(values.size()), width}, self, false);
}

py::bytes bytes_of(const std::vector<std::byte>& bytes) {
  return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}
std::span<const std::byte> span_of(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }

}  // namespace

void bind_control(py::module_& module) {
  py::class_<PythonController>(module, "Controller", "A trained model that moves characters. Shared by any number.")
      .def(py::init([](const std::filesystem::path& path) {
             return PythonController{unwrap(control::load_controller(path))};
           }),
           py::arg("path"), py::call_guard<py::gil_scoped_release>(), "Loads a .zoe file or a run folder.")
      .def_property_readonly(
          "type", [](const PythonController& c) { return c.ptr->type(); },
          "The type of model: mann, lmp, motion_matching, ….")
      .def_property_readonly(
          "rate_hz", [](const PythonController& c) { return c.ptr->rate_hz(); },
          "Poses per second that the model was trained for; any tick length works.")
      .def_property_readonly(
          "pace_mps", [](const PythonController& c) { return c.ptr->motion_range().pace_mps; },
          "The usual speed of its motions.")
      .def_property_readonly(
          "skeleton", [](const PythonController& c) { return std::const_pointer_cast<Skeleton>(c.ptr->skeleton()); },
          "The joints that it moves.")
      .def_property_readonly(
          "styles",
          [](const PythonController& c) {
            return std::vector<std::string>(c.ptr->styles().begin(), c.ptr->styles().end());
          },
          "Names for the command `style`.")
      .def_property_readonly(
          "actions",
          [](const PythonController& c) {
            return std::vector<std::string>(c.ptr->actions().begin(), c.ptr->actions().end());
          },
          "Names for the command `action`.")
      .def(
          "character",
          [](const PythonController& c, float x, float z, float facing_rad) {
            if (!std::isfinite(x + z + facing_rad)) throw py::value_error("a number is not finite");
            return PythonCharacter{
                c.ptr, c.ptr->make_state({.root = {.position = {x, 0, z}, .facing_rad = facing_rad}}), Intent::stand()};
          },
          py::arg("x") = 0, py::arg("z") = 0, py::arg("facing_rad") = 0, "A new character at a position.");

  py::class_<PythonCharacter>(module, "Character", "One character of a controller.")
      .def(
          "move",
          [](PythonCharacter& c, float x, float z) {
            c.intent = Intent::move({x, 0, z});
          },
          py::arg("x"), py::arg("z"), "Sets the desired velocity, m/s, world space.")
      .def(
          "command", [](PythonCharacter& c, const std::string& line) { apply_words(*c.controller, line, c.intent); },
          py::arg("line"), "A command in words: 'move 0 1.4', 'go 3 4', 'face 90', 'gait run', 'style old', 'stand'.")
      .def(
          "tick", [](PythonCharacter& c, double dt_s) { c.controller->tick(*c.state, c.intent, dt_s); },
          py::arg("dt_s"), py::call_guard<py::gil_scoped_release>(), "Advances by a time, 0 to 2 s.")
      .def(
          "reset", [](PythonCharacter& c) { c.controller->reset(*c.state); },
          "Starts again in the position where it is.")
      .def_property_readonly(
          "position",
          [](const PythonCharacter& c) {
            const Vec3 at = c.state->root().position;
            return py::make_tuple(at.x, at.y, at.z);
          },
          "Of the root, world space.")
      .def_property_readonly(
          "facing_rad", [](const PythonCharacter& c) { return c.state->root().facing_rad; },
          "Around +Y; 0 looks along +Z.")
      .def_property_readonly(
          "speed_mps", [](const PythonCharacter& c) { return c.state->speed_mps(); }, "Of the root over the ground.")
      .def_property_readonly(
          "progress", [](const PythonCharacter& c) { return to_string(c.state->progress()); },
          "standing, moving, stuck, unreachable or recovered.")
      .def_property_readonly(
          "translations",
          [](const py::object& self) {
            return state_array(self, self.cast<const PythonCharacter&>().state->pose().translations, 3);
          },
          "[joints, 3], relative to the parent; joint 0 in the world. No copy, read only: changes with the next tick.")
      .def_property_readonly(
          "rotations",
          [](const py::object& self) {
            return state_array(self, self.cast<const PythonCharacter&>().state->pose().rotations, 4);
          },
          "[joints, 4], x y z w. No copy, read only: changes with the next tick.")
      .def_property_readonly(
          "contacts",
          [](const PythonCharacter& c) {
            return std::vector<float>(c.state->contacts().begin(), c.state->contacts().end());
          },
          "Probability of contact of each contact joint.")
      .def(
          "save", [](const PythonCharacter& c) { return bytes_of(c.controller->save_state(*c.state)); },
          "The whole state as bytes, for restore().")
      .def(
          "restore",
          [](PythonCharacter& c, const std::string& bytes) {
            unwrap(c.controller->restore_state(*c.state, span_of(bytes)));
          },
          py::arg("state"), "Continues bit by bit from saved bytes. Damaged bytes are refused.")
      .def(
          "hash", [](const PythonCharacter& c) { return c.state->hash(); },
          "Of the state: equal states have equal ones.");

  py::class_<PythonCrowd>(module, "Crowd", "Characters of one controller, stepped together on all threads.")
      .def(py::init<const PythonController&, const FloatArray&, bool>(), py::arg("controller"), py::arg("positions"),
           py::arg("avoid") = true, "positions: [characters, 2], x and z.")
      .def("__len__", [](const PythonCrowd& c) { return c.crowd->size(); })
      .def("tick", &PythonCrowd::tick, py::arg("dt_s"), py::arg("velocities"), "velocities: [characters, 2], m/s.")
      .def_property_readonly("roots", &PythonCrowd::roots, "[characters, 4]: x, y, z, facing; a new array.")
      .def(
          "rotations",
          [](const py::object& self, int index) {
            const auto& crowd = *self.cast<const PythonCrowd&>().crowd;
            if (index < 0 || index >= crowd.size()) throw py::index_error("no such character");
            return state_array(self, crowd.state(index).pose().rotations, 4);
          },
          py::arg("index"), "[joints, 4] of a character. No copy, read only: changes with the next tick.")
      .def(
          "save", [](const PythonCrowd& c) { return bytes_of(c.crowd->save_state()); },
          "The states of all as bytes, for restore().")
      .def(
          "restore", [](PythonCrowd& c, const std::string& bytes) { unwrap(c.crowd->restore_state(span_of(bytes))); },
          py::arg("state"), "Continues bit by bit from saved bytes. Damaged bytes are refused.")
      .def(
          "hash", [](const PythonCrowd& c) { return c.crowd->hash(); }, "Of all states.");
}

}  // namespace zoe::python
