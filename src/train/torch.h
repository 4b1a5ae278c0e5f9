// SPDX-License-Identifier: MIT
// Part of Zoetrope. The only include of libtorch: tensors and their gradients, half the compile time of
// <torch/torch.h>. Files that include this one include no fmt, because libtorch 2 contains another version of it.
#pragma once

#include <c10/core/GradMode.h>
#include <torch/types.h>
#include <torch/version.h>
