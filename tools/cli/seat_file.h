// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Seats from mesh files.
#pragma once

#include <string>

#include "zoe/core/result.h"
#include "zoe/ground/prop.h"

namespace zoe::cli {

// The front at +Z, the origin below the seat. scale: metres per unit of the file. Prints its sizes unless quiet.
Result<Prop> read_seat(const std::string& file, double scale);

}  // namespace zoe::cli
