// SPDX-License-Identifier: MIT
// Part of Zoetrope. The one door to libtorch: tensors and their gradients, half the compile time of
// <torch/torch.h>. Files that include this one include no fmt: libtorch 2 carries another version
// of it.
#pragma once

#include <c10/core/GradMode.h>
#include <torch/types.h>
#include <torch/version.h>
