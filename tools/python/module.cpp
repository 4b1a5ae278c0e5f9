// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module zoetrope._zoe: its entry, errors and settings.
#include "zoe/core/arithmetic.h"
#include "zoe/core/check.h"
#include "zoe/core/log.h"
#include "zoe/core/version.h"

#include "binding.h"

namespace {

[[noreturn]] void throw_check(const char*, int, const char*, const std::string& message) {
  throw zoe::python::PythonError(message);
}

}  // namespace

PYBIND11_MODULE(_zoe, module) {
  namespace py = pybind11;
  module.doc() = "Compiled part of zoetrope.";
  module.attr("__version__") = ZOE_VERSION_STRING;
  py::register_exception<zoe::python::PythonError>(module, "Error", PyExc_RuntimeError).doc() =
      "A file, a model or an argument was refused; the text has the place and the remedy.";
  // A caller's bug is an exception here, where the function allows one.
  zoe::set_check_handler(throw_check);
  zoe::set_log_level(zoe::LogLevel::kWarning);
  module.def(
      "set_deterministic",
      [](bool on) { zoe::set_arithmetic(on ? zoe::Arithmetic::kDeterministic : zoe::Arithmetic::kFast); },
      py::arg("on"), "True: controllers and networks give the same bits on every instruction set.");
  zoe::python::bind_motion(module);
  zoe::python::bind_network(module);
  zoe::python::bind_control(module);
  zoe::python::bind_dataset(module);
  zoe::python::bind_work(module);
  zoe::python::bind_generate(module);
  zoe::python::bind_render(module);
}
