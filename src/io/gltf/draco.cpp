// SPDX-License-Identifier: MIT
// Draco compression (KHR_draco_mesh_compression) through Google's library. Its allocations follow numbers in the data,
// so these are compared with the accessors' counts first, and the widths of all attributes with a limit before any
// value is decoded.
#include "io/gltf/decompress.h"

#ifdef ZOE_WITH_DRACO
#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include <draco/compression/decode.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#endif

namespace zoe::io::gltf {

#ifdef ZOE_WITH_DRACO
namespace {

constexpr std::uint64_t kEdgebreaker = 1;  // The other method, 0, is sequential.

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

constexpr const char* kOtherSize = "its size is not that of the accessors";
constexpr const char* kTooLarge = "its attributes are larger than this file may decode to";

// Null when the sizes in the data are those of the accessors. `method`: of the encoding.
const char* draco_fault(std::span<const std::byte> compressed, const DracoLimits& limits, std::uint64_t& method) {
  constexpr std::uint64_t kMesh = 1, kHasMetadata = 0x80;
  Head head(compressed);
  for (const char letter : {'D', 'R', 'A', 'C', 'O'}) {
    if (head.byte() != static_cast<unsigned char>(letter)) return "it does not begin with DRACO";
  }
  const std::uint64_t major = head.byte();
  head.skip(1);
  if (major != 2) return "its version is not 2.x";
  if (head.byte() != kMesh) return "it is no mesh";
  method = head.byte();
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
  // Connectivities of attributes, each a table of all corners.
  const std::uint64_t num_tables = method == kEdgebreaker ? head.byte() : 0;
  if (!head.good()) return "it is cut short";
  // The edgebreaker method counts positions; attributes may split them into more vertices.
  if (num_faces * 3 != limits.num_indices || num_points > limits.num_vertices) return kOtherSize;
  constexpr std::uint64_t kTableBytesPerCorner = 16;
  return num_tables * kTableBytesPerCorner > limits.decoder_bytes / std::max<std::size_t>(limits.num_indices, 1)
             ? kTooLarge
             : nullptr;
}

// Draco's decoder with a look at the list of attributes before their values are decoded: a few bytes can name
// hundreds of attributes with 255 components each.
template <typename Decoder>
class Bounded final : public Decoder {
 public:
  explicit Bounded(const DracoLimits& limits) : limits_(limits) {}

  const char* fault() const { return fault_; }

 private:
  bool DecodeAllAttributes() override {
    const draco::PointCloud& cloud = *this->point_cloud();
    if (cloud.num_points() != limits_.num_vertices) {
      fault_ = kOtherSize;
      return false;
    }
    std::size_t vertex_bytes = 0;
    for (int i = 0; i < cloud.num_attributes(); ++i) {
      const draco::PointAttribute& attribute = *cloud.attribute(i);
      const auto width = static_cast<std::size_t>(attribute.num_components());
      const auto value_bytes = static_cast<std::size_t>(std::max(draco::DataTypeLength(attribute.data_type()), 0));
      vertex_bytes += width * (value_bytes + sizeof(std::int32_t)) + sizeof(std::uint32_t);  // And the map of points.
    }
    if (vertex_bytes > limits_.decoder_bytes / std::max<std::size_t>(limits_.num_vertices, 1)) {
      fault_ = kTooLarge;
      return false;
    }
    return Decoder::DecodeAllAttributes();
  }

  DracoLimits limits_;
  const char* fault_ = nullptr;
};

template <typename Decoder>
const char* decode_mesh(std::span<const std::byte> compressed, const DracoLimits& limits, draco::Mesh& mesh,
                        std::string& library_message) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(compressed.data()), compressed.size());
  Bounded<Decoder> decoder(limits);
  const draco::Status status = decoder.Decode(draco::DecoderOptions(), &buffer, &mesh);
  if (decoder.fault() != nullptr) return decoder.fault();
  library_message = status.error_msg_string();
  return status.ok() ? nullptr : library_message.c_str();
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

Result<std::vector<std::uint32_t>> decode(std::span<const std::byte> compressed, const DracoLimits& limits,
                                          std::uint64_t method, std::span<DracoAttribute> attributes) {
  draco::Mesh mesh;
  std::string library_message;
  const char* fault = method == kEdgebreaker
                          ? decode_mesh<draco::MeshEdgebreakerDecoder>(compressed, limits, mesh, library_message)
                          : decode_mesh<draco::MeshSequentialDecoder>(compressed, limits, mesh, library_message);
  if (fault != nullptr) return damaged(fault);
  const std::size_t num_vertices = limits.num_vertices;
  if (mesh.num_points() != num_vertices || std::size_t{mesh.num_faces()} * 3 != limits.num_indices) {
    return damaged(kOtherSize);
  }
  for (DracoAttribute& out : attributes) {
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(out.id));
    if (attribute == nullptr) return damaged("it has no attribute of a number that the file names");
    if (!copy_values(*attribute, num_vertices, out)) return damaged("an attribute does not fit its accessor");
  }
  std::vector<std::uint32_t> indices;
  indices.reserve(limits.num_indices);
  for (std::uint32_t f = 0; f < mesh.num_faces(); ++f) {
    const draco::Mesh::Face& face = mesh.face(draco::FaceIndex(f));
    for (const draco::PointIndex& corner : face) indices.push_back(corner.value());
  }
  return indices;
}

}  // namespace

Result<std::vector<std::uint32_t>> decode_draco(std::span<const std::byte> compressed, const DracoLimits& limits,
                                                std::span<DracoAttribute> attributes) {
  std::uint64_t method = 0;
  if (const char* fault = draco_fault(compressed, limits, method); fault != nullptr) return damaged(fault);
  try {
    return decode(compressed, limits, method, attributes);
  } catch (const std::bad_alloc&) {
    return damaged("it needs more memory than there is");
  } catch (const std::length_error&) {
    return damaged("it needs more memory than there is");
  }
}
#else
Result<std::vector<std::uint32_t>> decode_draco(std::span<const std::byte>, const DracoLimits&,
                                                std::span<DracoAttribute>) {
  return Error{ErrorCode::kUnsupported,
               "is compressed with Draco, which this build does not read; build it with libdraco-dev, or export again "
               "without compression",
               {}};
}
#endif

}  // namespace zoe::io::gltf
