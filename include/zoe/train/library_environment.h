// SPDX-License-Identifier: MIT
// Part of Zoetrope. Environment variables that BLAS and oneDNN read when they are loaded.
#pragma once

namespace zoe::train {

// OpenBLAS does not know recent processors, and Debian's oneDNN crashes on AMX. Sets the variables of both, where it is
// not set yet. Returns true when something was set now: the program must then restart itself.
bool set_library_environment();

}  // namespace zoe::train
