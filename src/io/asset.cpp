// SPDX-License-Identifier: MIT
#include "zoe/io/asset.h"
