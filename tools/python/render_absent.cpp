// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module in builds without the renderer.
#include "binding.h"

namespace zoe::python {

void bind_render(py::module_& module) {
  for (const char* name : {"_render", "save_png"}) {
    module.def(
        name,
        [](const py::args&, const py::kwargs&) {
          throw PythonError("this build has no renderer: install libepoxy-dev and build again");
        },
        "Not in this build: it has no renderer.");
  }
}

}  // namespace zoe::python
