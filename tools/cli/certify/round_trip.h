// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Writes what was read, reads it again, and compares.
#pragma once

#include "certify/judged_file.h"

namespace zoe::cli {

// Adds a measure to every clip, and a finding where joints moved. Without clips nothing is done.
void check_round_trip(const io::Asset& asset, JudgedFile& judged);

}  // namespace zoe::cli
