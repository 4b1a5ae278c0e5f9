// SPDX-License-Identifier: MIT
// Part of Zoetrope. A motion as code numbers in a file: safetensors with the numbers packed bit by bit.
//
// Tensors: `packed` (uint8), and for numbers that are no code numbers `low` and `step` (float32, one per number of a
// window): a number is low + step * integer. Metadata: "zoe.codes" holds the sizes as words key=value, "model" the
// folder of the run, "name" the clip's name.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/root.h"

namespace zoe::generate {

struct CodeFile {
  std::string name, model;
  std::string fingerprint;  // Of the network that decodes, 16 hexadecimal digits.
  double fps = 30;
  int num_frames = 0;  // Of the motion.
  int hop_frames = 0;  // From window to window.
  int numbers = 0;     // Per window.
  int num_codes = 0;   // Size of the codebook; 0: numbers are not code numbers.
  int bits = 0;        // Of a packed number: 1 to 16.
  PlanarRoot first_root;
  std::vector<float> codes;  // [windows × numbers]. After packing: what decoding sees.

  // What the motion costs: the packed numbers and their ranges.
  std::size_t payload_bytes() const;
};

// Bits that the numbers of a codebook need.
int bits_for(int num_codes);

// Rounds numbers that are no code numbers to what `bits` bits hold between the least and the largest of each.
void round_to_bits(CodeFile& file);

Result<void> write_codes(const std::filesystem::path& path, const CodeFile& file);
// Every size and number is checked.
Result<CodeFile> read_codes(const std::filesystem::path& path);
Result<CodeFile> codes_from_bytes(std::span<const std::byte> bytes, std::string name = {});

}  // namespace zoe::generate
