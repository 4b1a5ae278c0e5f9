// SPDX-License-Identifier: MIT
// Part of Zoetrope. Body and constants of a controller's step as JSON, and the text of the step.
#pragma once

#include "zoe/control/step_trace.h"

#include "author/engine/json_numbers.h"

namespace zoe::author {

Json describe_body(const control::Body& body, const control::StepShape& shape);
Json describe_constants(const control::NeuralParts& parts, const control::StepShape& shape, double rate_hz,
                        const std::string& licence);
Json describe_locks(bool used, const control::LockOptions& locks);
// README.md of the folder: the step as pseudo-code, and the axes of other engines.
std::string step_text(const control::NeuralParts& parts);
std::string matching_text();  // Of learned matching.
const char* axes_text();      // The last part of both.

}  // namespace zoe::author
