// SPDX-License-Identifier: MIT
// Parts of the dataset's JSON files. Readers throw nlohmann's exceptions; records.cpp catches them.
#pragma once

#include <nlohmann/json.hpp>

#include "dataset/records.h"

namespace zoe::dataset {

using Json = nlohmann::ordered_json;

Json to_json(const ClipRecord& clip, const DatasetHead& head);
ClipRecord clip_from_json(const Json& json, const DatasetHead& head);
Json to_json(const LeftOut& left_out);
LeftOut left_out_from_json(const Json& json);
Json to_json(const Skeleton& skeleton);
Result<SkeletonPtr> skeleton_from_json(const Json& json);

}  // namespace zoe::dataset
