// SPDX-License-Identifier: MIT
// Draco compression (KHR_draco_mesh_compression) through Google's library. Its allocations follow numbers in the data,
// so these are compared with the accessors' counts first.
#include "io/gltf/decompress.h"

#ifdef ZOE_WITH_DRACO
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>

#include <draco/compression/decode.h>
#endif

namespace zoe::io::gltf {

#ifdef ZOE_WITH_DRACO
namespace {

Error damaged(const char* what) {
  return {ErrorCode::kInvalid, std::string("has Draco data that cannot be decoded: ") + what, {}};
}

// The head of a Draco bitstream: sizes before anything is allocated. Every read checks the end.
class Head {
 public:
  explicit Head(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool good() const { return good_; }
  std::uint64_t byte() {
    if (at_ >= bytes_.size()) {
      good_ = false;
      return 0;
    }
    return static_cast<std::uint64_t>(bytes_[at_++]);
  }
  void skip(std::uint64_t count) {
    good_ = good_ && count <= bytes_.size() - at_;
    at_ += good_ ? static_cast<std::size_t>(count) : 0;
  }
  // Seven bits per byte, the lowest first.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const std::uint64_t next = byte();
      value |= (next & 127) << shift;
      if ((next & 128) == 0) return value;
    }
    good_ = false;
    return 0;
  }
  // Entries with names and values, and named children.
  void skip_metadata(int depth) {
    good_ = good_ && depth < 32;
    for (std::uint64_t entries = varint(); good_ && entries > 0; --entries) {
      skip(byte());
      skip(varint());
    }
    for (std::uint64_t children = varint(); good_ && children > 0; --children) {
      skip(byte());
      skip_metadata(depth + 1);
    }
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

// Null when the sizes in the data are those of the accessors.
const char* draco_fault(std::span<const std::byte> compressed, std::size_t num_vertices, std::size_t num_indices) {
  constexpr std::uint64_t kMesh = 1, kEdgebreaker = 1, kHasMetadata = 0x80;
  Head head(compressed);
  for (const char letter : {'D', 'R', 'A', 'C', 'O'}) {
    if (head.byte() != static_cast<unsigned char>(letter)) return "it does not begin with DRACO";
  }
  const std::uint64_t major = head.byte();
  head.skip(1);
  if (major != 2) return "its version is not 2.x";
  if (head.byte() != kMesh) return "it is no mesh";
  const std::uint64_t method = head.byte();
  head.skip(1);
  if ((head.byte() & kHasMetadata) != 0) {
    for (std::uint64_t attributes = head.varint(); head.good() && attributes > 0; --attributes) {
      head.varint();
      head.skip_metadata(0);
    }
    head.skip_metadata(0);
  }
  if (method == kEdgebreaker) head.skip(1);
  const std::uint64_t first = head.varint(), second = head.varint();
  const std::uint64_t num_faces = method == kEdgebreaker ? second : first;
  const std::uint64_t num_points = method == kEdgebreaker ? first : second;
  if (!head.good()) return "it is cut short";
  // The edgebreaker method counts positions; attributes may split them into more vertices.
  return num_faces * 3 == num_indices && num_points <= num_vertices ? nullptr : "its size is not that of the accessors";
}

template <typename T>
bool copy_values(const draco::PointAttribute& attribute, std::size_t num_vertices, DracoAttribute& out) {
  const auto width = static_cast<std::size_t>(out.components);
  out.bytes.resize(num_vertices * width * sizeof(T));
  std::vector<T> row(width);
  for (std::size_t v = 0; v < num_vertices; ++v) {
    const auto index = attribute.mapped_index(draco::PointIndex(static_cast<std::uint32_t>(v)));
    if (index.value() >= attribute.size()) return false;
    if (!attribute.ConvertValue<T>(index, static_cast<std::int8_t>(out.components), row.data())) return false;
    std::memcpy(&out.bytes[v * width * sizeof(T)], row.data(), width * sizeof(T));
  }
  return true;
}

bool copy_values(const draco::PointAttribute& attribute, std::size_t num_vertices, DracoAttribute& out) {
  switch (out.type) {
    case ComponentType::kI8:
      return copy_values<std::int8_t>(attribute, num_vertices, out);
    case ComponentType::kU8:
      return copy_values<std::uint8_t>(attribute, num_vertices, out);
    case ComponentType::kI16:
      return copy_values<std::int16_t>(attribute, num_vertices, out);
    case ComponentType::kU16:
      return copy_values<std::uint16_t>(attribute, num_vertices, out);
    case ComponentType::kU32:
      return copy_values<std::uint32_t>(attribute, num_vertices, out);
    case ComponentType::kF32:
      return copy_values<float>(attribute, num_vertices, out);
  }
  return false;
}

Result<std::vector<std::uint32_t>> decode(std::span<const std::byte> compressed, std::size_t num_vertices,
                                          std::size_t num_indices, std::span<DracoAttribute> attributes) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(compressed.data()), compressed.size());
  draco::Decoder decoder;
  auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok()) return damaged(decoded.status().error_msg());
  const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
  if (mesh == nullptr || mesh->num_points() != num_vertices || std::size_t{mesh->num_faces()} * 3 != num_indices) {
    return damaged("its size is not that of the accessors");
  }
  for (DracoAttribute& out : attributes) {
    const draco::PointAttribute* attribute = mesh->GetAttributeByUniqueId(static_cast<std::uint32_t>(out.id));
    if (attribute == nullptr) return damaged("it has no attribute of a number that the file names");
    if (!copy_values(*attribute, num_vertices, out)) return damaged("an attribute does not fit its accessor");
  }
  std::vector<std::uint32_t> indices;
  indices.reserve(num_indices);
  for (std::uint32_t f = 0; f < mesh->num_faces(); ++f) {
    const draco::Mesh::Face& face = mesh->face(draco::FaceIndex(f));
    for (const draco::PointIndex& corner : face) indices.push_back(corner.value());
  }
  return indices;
}

}  // namespace

Result<std::vector<std::uint32_t>> decode_draco(std::span<const std::byte> compressed, std::size_t num_vertices,
                                                std::size_t num_indices, std::span<DracoAttribute> attributes) {
  if (const char* fault = draco_fault(compressed, num_vertices, num_indices); fault != nullptr) return damaged(fault);
  try {
    return decode(compressed, num_vertices, num_indices, attributes);
  } catch (const std::bad_alloc&) {
    return damaged("it needs more memory than there is");
  } catch (const std::length_error&) {
    return damaged("it needs more memory than there is");
  }
}
#else
Result<std::vector<std::uint32_t>> decode_draco(std::span<const std::byte>, std::size_t, std::size_t,
                                                std::span<DracoAttribute>) {
  return Error{ErrorCode::kUnsupported,
               "is compressed with Draco, which this build does not read; build it with libdraco-dev, or export again "
               "without compression",
               {}};
}
#endif

}  // namespace zoe::io::gltf
