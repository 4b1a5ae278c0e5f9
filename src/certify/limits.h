// SPDX-License-Identifier: MIT
// Part of Zoetrope. The limits of the checks, in one place. docs/certify.md has where they come from.
#pragma once

#include "zoe/certify/certificate.h"

namespace zoe::certify {

// Lengths are fractions of the body's size (body_size_m()), angles are degrees.
struct Limit {
  const char* name;
  const char* unit;  // Of the finding's value. "m", "m/s": the number below times the size.
  double most;
};
const Limit& limit_of(Check check);

}  // namespace zoe::certify
