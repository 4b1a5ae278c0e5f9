// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. One file before the judge: its rig, its clips, and whether it survives being
// written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "zoe/certify/certify.h"
#include "zoe/io/asset.h"

namespace zoe::cli {

struct CertifyRequest {
  certify::CertifyOptions options;
  std::string overrides;  // TOML corrections of the analysis; may be empty.
  std::string against;    // File of the source motion; may be empty.
  bool round_trip = true;
};

struct JudgedClip {
  std::string name;
  int num_frames = 0;
  certify::Certificate certificate;
};

struct JudgedFile {
  std::filesystem::path file;
  SkeletonPtr skeleton;
  BodyFamily family = BodyFamily::kOther;
  certify::Certificate rig;
  std::vector<JudgedClip> clips;
  Warnings warnings;

  int num_findings() const;
};

Result<JudgedFile> judge_file(const std::filesystem::path& file, const CertifyRequest& request);
// The same of an asset in memory, without round trip.
Result<JudgedFile> judge_asset(const io::Asset& asset, const CertifyRequest& request);

nlohmann::ordered_json to_json(const JudgedFile& judged);
void print_judged(const JudgedFile& judged, bool quiet);

}  // namespace zoe::cli
