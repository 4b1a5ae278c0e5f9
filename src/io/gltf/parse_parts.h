// SPDX-License-Identifier: MIT
// Part of Zoetrope. The parts of parse_document(). Each reads some top-level lists. Errors stay in the JSON status.
#pragma once

#include "io/gltf/document.h"
#include "io/gltf/json.h"

namespace zoe::io::gltf {

void parse_buffers(const JsonObject& root, std::size_t limit,
                   Document& document);  // Buffers, views, accessors.
void parse_meshes(const JsonObject& root, std::size_t limit, Document& document);
void parse_nodes(const JsonObject& root, std::size_t limit, Document& document);
void parse_animations(const JsonObject& root, std::size_t limit, Document& document, Warnings& warnings);
void parse_materials(const JsonObject& root, std::size_t limit, Document& document, Warnings& warnings);

}  // namespace zoe::io::gltf
