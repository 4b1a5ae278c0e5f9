// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A type of controller in one folder: it glides in the start pose, times a speed that is
// fitted.
#pragma once

#include "zoe/author/train_controller.h"

namespace zoe::author::test {

Type dummy_type();

}  // namespace zoe::author::test
