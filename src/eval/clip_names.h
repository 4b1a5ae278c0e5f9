// SPDX-License-Identifier: MIT
// Part of Zoetrope. Names of clips as words that people read.
#pragma once

#include <string>
#include <string_view>

namespace zoe::eval {

// Lower-case words without numbers: "00012_biped_walk" → "biped_walk", "Armature|Walk.001" → "walk", "69_01" → "".
std::string words_without_numbers(std::string_view name);

// "cmu/actions/dance/05_02.bvh" → "dance"; "" without a folder.
std::string folder_of(std::string_view source);

// Without folder and extension.
std::string stem_of(std::string_view source);

}  // namespace zoe::eval
