// SPDX-License-Identifier: MIT
// Part of Zoetrope. What exports of all types share: the intents of the test vector, and their text.
#pragma once

#include <filesystem>

#include "zoe/author/engine_export.h"
#include "zoe/control/config.h"
#include "zoe/control/motion_range.h"
#include "zoe/control/parts.h"
#include "zoe/features/layout.h"

#include "author/engine/json_numbers.h"

namespace zoe::author {

constexpr int kEngineSteps = 60;

// Walks, turns by a velocity and by a facing, several moments ahead, labels: everything an intent has, and never a
// stand, which is no step of the model.
std::vector<control::Intent> test_intents(const control::MotionRange& range, const features::Schema& schema);
Json describe_intent(const control::Intent& intent, const features::Schema& schema);
Json describe_pose(const Pose& pose);

// What decoding needs, in the form that the text describes.
Result<void> check_outputs(const features::Layout& layout);
Result<void> check_scales(const control::Body& body);

Error cannot_export(std::string message, const std::filesystem::path& run);
Result<void> create_folder(const std::filesystem::path& folder);
// Adds their names to `out`.
Result<void> write_texts(const std::filesystem::path& folder,
                         std::span<const std::pair<const char*, std::string>> texts, EngineExport& out);

// Learned matching: three networks.
Result<EngineExport> export_matching(const control::ControllerParts& files, const control::ControllerConfig& config,
                                     const std::filesystem::path& run, const std::filesystem::path& folder);

}  // namespace zoe::author
