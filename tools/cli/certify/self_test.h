// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe certify --self-test`: sabotages clips in all known ways and prints what is
// found.
#pragma once

#include "certify/judged_file.h"

namespace zoe::cli {

// One line per sabotaged clip. Clips of one file: the first three.
struct SelfTestRow {
  std::string file, clip, family;
  certify::Check way = certify::Check::kFootSlide;
  std::vector<std::string> before;  // Checks that the clip fails as it is.
  std::vector<std::string> found;   // New ones after the sabotage, worst first.
  double ratio = 0;                 // Value of the right check over its limit; 0 where it did not run.
  bool caught = false;              // Any new one.
  bool named = false;               // The worst new one is the right one.
  bool placed = false;              // Its frames overlap those of the sabotage.
};
Result<std::vector<SelfTestRow>> self_test(const std::filesystem::path& file, const CertifyRequest& request,
                                           std::uint64_t seed);
nlohmann::ordered_json to_json(const SelfTestRow& row);
void print_table(const std::vector<SelfTestRow>& rows);

}  // namespace zoe::cli
