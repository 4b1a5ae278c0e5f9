// SPDX-License-Identifier: MIT
// meshopt compression (EXT_meshopt_compression) through meshoptimizer, whose decoders accept any bytes.
#include "io/gltf/decompress.h"

#ifdef ZOE_WITH_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

namespace zoe::io::gltf {

#ifdef ZOE_WITH_MESHOPTIMIZER
namespace {

// The library only asserts these.
const char* meshopt_fault(const MeshoptDef& def) {
  if (def.mode == MeshoptMode::kAttributes) {
    if (def.stride == 0 || def.stride > 256 || def.stride % 4 != 0) return "a stride that meshopt does not have";
    if (def.filter == MeshoptFilter::kOctahedral && def.stride != 4 && def.stride != 8)
      return "an octahedral filter whose stride is neither 4 nor 8";
    if (def.filter == MeshoptFilter::kQuaternion && def.stride != 8) return "a quaternion filter whose stride is not 8";
    return nullptr;
  }
  if (def.stride != 2 && def.stride != 4) return "indices of neither 2 nor 4 bytes";
  if (def.mode == MeshoptMode::kTriangles && def.count % 3 != 0) return "indices that are no triangles";
  return def.filter == MeshoptFilter::kNone ? nullptr : "a filter on indices";
}

}  // namespace

Result<std::vector<std::byte>> decode_meshopt(const MeshoptDef& def, std::span<const std::byte> compressed) {
  if (const char* fault = meshopt_fault(def); fault != nullptr) {
    return Error{ErrorCode::kInvalid, std::string("is compressed with ") + fault, {}};
  }
  std::vector<std::byte> out(def.count * def.stride);
  const auto* source = reinterpret_cast<const unsigned char*>(compressed.data());
  int failure = 0;
  switch (def.mode) {
    case MeshoptMode::kAttributes:
      failure = meshopt_decodeVertexBuffer(out.data(), def.count, def.stride, source, compressed.size());
      break;
    case MeshoptMode::kTriangles:
      failure = meshopt_decodeIndexBuffer(out.data(), def.count, def.stride, source, compressed.size());
      break;
    case MeshoptMode::kIndices:
      failure = meshopt_decodeIndexSequence(out.data(), def.count, def.stride, source, compressed.size());
      break;
  }
  if (failure != 0) {
    return Error{ErrorCode::kInvalid,
                 "has meshopt data that cannot be decoded: damaged, or of a newer version than the library; export "
                 "again without compression",
                 {}};
  }
  switch (def.filter) {
    case MeshoptFilter::kNone:
      break;
    case MeshoptFilter::kOctahedral:
      meshopt_decodeFilterOct(out.data(), def.count, def.stride);
      break;
    case MeshoptFilter::kQuaternion:
      meshopt_decodeFilterQuat(out.data(), def.count, def.stride);
      break;
    case MeshoptFilter::kExponential:
      meshopt_decodeFilterExp(out.data(), def.count, def.stride);
      break;
  }
  return out;
}
#else
Result<std::vector<std::byte>> decode_meshopt(const MeshoptDef&, std::span<const std::byte>) {
  return Error{ErrorCode::kUnsupported,
               "is compressed with meshopt, which this build does not read; build it with libmeshoptimizer-dev, or "
               "export again without compression",
               {}};
}
#endif

}  // namespace zoe::io::gltf
