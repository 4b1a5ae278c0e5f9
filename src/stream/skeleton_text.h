// SPDX-License-Identifier: MIT
// Part of Zoetrope. The JSON of a skeleton packet.
#pragma once

#include <span>
#include <string>

#include "zoe/stream/subject.h"

namespace zoe::stream {

std::string skeleton_text(const Subject& subject);
// Text from a network: everything is checked.
Result<Subject> read_skeleton_text(std::span<const std::byte> text, std::uint32_t id);

}  // namespace zoe::stream
