// SPDX-License-Identifier: MIT
#include "zoe/io/npz_file.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "zoe/core/bytes.h"
#include "zoe/core/file.h"

#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::io {
namespace {

using Bytes = std::vector<std::byte>;

// Offset of the last record with this signature.
std::size_t find_last(const Bytes& archive, std::uint32_t signature) {
  for (std::size_t at = archive.size() - 3; at-- > 0;) {
    if (load_le<std::uint32_t>(archive.data() + at) == signature) return at;
  }
  ADD_FAILURE() << "no record " << signature;
  return 0;
}
constexpr std::uint32_t kCentral = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;

template <typename T>
void patch(Bytes& archive, std::size_t at, T value) {
  std::memcpy(archive.data() + at, &value, sizeof(T));
}

std::string reason(const Result<Npz>& npz) { return npz ? "accepted" : npz.error().format(); }
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(Npz, RoundTripsStoredAndDeflated) {
  const auto folder = test::temporary_dir("npz");
  const std::vector<float> positions = ramp(300);
  const std::vector<std::int32_t> parents{-1, 0, 1};
  const Array names = string_array(std::vector<std::string>{"Hips", "Spine", "Kopf"});
  const std::vector<NamedArray> arrays{
      {"positions", view_of(positions, {10, 10, 3})}, {"parents", view_of(parents)}, {"names", names.view()}};
  for (const int compression : {0, 1, 6, 12}) {
    const auto path = folder / "a.npz";
    ASSERT_TRUE(write_npz(path, arrays, {.compression = compression}));
    const auto npz = Npz::open(path);
    ASSERT_TRUE(npz) << npz.error().format();
    EXPECT_EQ(npz->names(), (std::vector<std::string>{"positions", "parents", "names"}));
    const auto read = npz->read("positions");
    ASSERT_TRUE(read) << read.error().format();
    EXPECT_EQ(read->owns_bytes(), compression > 0);
    EXPECT_EQ(read->view().shape, (std::vector<std::size_t>{10, 10, 3}));
    ASSERT_TRUE(read->view().as<float>());
    EXPECT_TRUE(std::ranges::equal(*read->view().as<float>(), positions));
    EXPECT_EQ(to_int32(npz->read("parents")->view()).value(), parents);
    EXPECT_EQ(to_strings(npz->read("names")->view()).value()[2], "Kopf");
  }
  EXPECT_EQ(encode_npz(arrays).value(), encode_npz(arrays).value());
}

TEST(Npz, UnknownNameGetsASuggestion) {
  const std::vector<float> values = ramp(3);
  const Bytes bytes = encode_npz(std::vector<NamedArray>{{"positions", view_of(values)}}).value();
  const auto npz = Npz::from_bytes(bytes, {}, "walk.npz");
  ASSERT_TRUE(npz);
  EXPECT_TRUE(npz->contains("positions"));
  EXPECT_EQ(npz->read("postions").error().format(), "walk.npz: no array 'postions'; did you mean 'positions'?");
}

TEST(Npz, EmptyArchiveAndEmptyArray) {
  EXPECT_TRUE(Npz::from_bytes(encode_npz({}).value())->names().empty());
  const std::vector<float> nothing;
  const Bytes bytes = encode_npz(std::vector<NamedArray>{{"a", view_of(nothing, {0, 3})}}).value();
  const auto npz = Npz::from_bytes(bytes);
  const auto array = npz->read("a");
  ASSERT_TRUE(array) << array.error().format();
  EXPECT_EQ(array->view().shape, (std::vector<std::size_t>{0, 3}));
}

TEST(Npz, BombsAreRefusedBeforeMemoryIsTaken) {
  const std::vector<std::uint8_t> zeros(std::size_t{40} << 20);
  const Bytes bomb = encode_npz(std::vector<NamedArray>{{"zeros", view_of(zeros)}}).value();
  ASSERT_LT(bomb.size(), std::size_t{1} << 17);
  const test::AllocationMeter meter;
  const auto refused = Npz::from_bytes(bomb);
  EXPECT_TRUE(has(reason(refused), "would unpack to"));
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_LT(meter.peak_bytes(), std::size_t{1} << 16);
  // Trusted: read in full.
  const auto npz = Npz::from_bytes(bomb, {.max_ratio = 2000});
  ASSERT_TRUE(npz);
  EXPECT_EQ(npz->read("zeros")->view().num_items(), zeros.size());
  EXPECT_FALSE(Npz::from_bytes(bomb, {.max_decoded_bytes = 1000, .max_ratio = 2000}));
}

TEST(Npz, ALyingDirectoryCostsNoMemory) {
  const std::vector<float> values(100000, 1.0f);
  Bytes bytes = encode_npz(std::vector<NamedArray>{{"a", view_of(values)}}).value();
  const std::size_t record = find_last(bytes, kCentral);
  patch<std::uint32_t>(bytes, record + 24, 500000);  // Over the true 400128.
  auto npz = Npz::from_bytes(bytes);
  ASSERT_TRUE(npz) << npz.error().format();
  const test::AllocationMeter meter;
  EXPECT_TRUE(has(npz->read("a").error().format(), "shape needs 400000 bytes"));
  EXPECT_LT(meter.peak_bytes(), std::size_t{100} << 10);
  patch<std::uint32_t>(bytes, record + 24, 0x7fffffff);
  EXPECT_TRUE(has(reason(Npz::from_bytes(bytes)), "cannot have"));
}

TEST(Npz, DamageIsNamed) {
  const std::vector<float> values = ramp(100);
  const std::vector<NamedArray> arrays{{"a", view_of(values)}};
  for (const int compression : {0, 6}) {
    Bytes bytes = encode_npz(arrays, {.compression = compression}).value();
    const std::size_t record = find_last(bytes, kCentral);
    patch<std::uint32_t>(bytes, record + 16, 1234);
    EXPECT_TRUE(has(Npz::from_bytes(bytes)->read("a").error().format(), "checksum"));
  }
  const Bytes good = encode_npz(arrays).value();
  const std::size_t record = find_last(good, kCentral);
  const auto patched = [&](std::size_t at, auto value) {
    Bytes bytes = good;
    patch(bytes, at, value);
    return reason(Npz::from_bytes(bytes));
  };
  EXPECT_TRUE(has(patched(record + 8, std::uint16_t{1}), "encrypted"));
  EXPECT_TRUE(has(patched(record + 10, std::uint16_t{14}), "method 14"));
  EXPECT_TRUE(has(patched(record + 42, std::uint32_t{1u << 30}), "outside the file"));
  EXPECT_TRUE(has(patched(record + 20, std::uint32_t{1u << 30}), "outside the file"));
  EXPECT_TRUE(has(patched(0, std::uint32_t{0}), "no header"));
  EXPECT_TRUE(has(patched(30, 'b'), "another name"));
  EXPECT_TRUE(has(patched(record, std::uint32_t{0}), "directory is damaged"));
  EXPECT_TRUE(has(patched(find_last(good, kEnd) + 10, std::uint16_t{1000}), "outside the file"));
  EXPECT_TRUE(has(reason(Npz::from_bytes(std::span(good).first(good.size() - 1))), "no end record"));
}

// Directory record of the only entry in `archive`, with its header moved by `shift`.
Bytes central_record(const Bytes& archive, std::size_t shift) {
  const std::size_t at = find_last(archive, kCentral);
  Bytes record(archive.begin() + static_cast<std::ptrdiff_t>(at),
               archive.begin() + static_cast<std::ptrdiff_t>(find_last(archive, kEnd)));
  patch(record, 42, static_cast<std::uint32_t>(load_le<std::uint32_t>(record.data() + 42) + shift));
  return record;
}

void add_record(Bytes& archive, const Bytes& record) {
  const std::size_t end = find_last(archive, kEnd);
  archive.insert(archive.begin() + static_cast<std::ptrdiff_t>(end), record.begin(), record.end());
  const std::size_t moved = end + record.size();
  patch(archive, moved + 10, static_cast<std::uint16_t>(load_le<std::uint16_t>(archive.data() + moved + 10) + 1));
  patch(archive, moved + 12,
        static_cast<std::uint32_t>(load_le<std::uint32_t>(archive.data() + moved + 12) + record.size()));
}

TEST(Npz, OverlapsAndDuplicatesAreRefused) {
  const std::vector<float> values = ramp(10);
  const Bytes inner = encode_npz(std::vector<NamedArray>{{"b", view_of(values)}}, {.compression = 0}).value();
  // A stored array whose bytes are an archive themselves; then its entry is listed outside as well.
  const auto raw =
      view_of(std::span(reinterpret_cast<const std::uint8_t*>(inner.data()), inner.size()), {inner.size()});
  Bytes outer = encode_npz(std::vector<NamedArray>{{"a", raw}}, {.compression = 0}).value();
  const auto place = std::search(outer.begin(), outer.end(), inner.begin(), inner.end()) - outer.begin();
  add_record(outer, central_record(inner, static_cast<std::size_t>(place)));
  EXPECT_TRUE(has(reason(Npz::from_bytes(outer)), "overlap"));

  Bytes twice = inner;
  add_record(twice, central_record(inner, 0));
  EXPECT_TRUE(has(reason(Npz::from_bytes(twice)), "overlap"));
}

// The archive's sizes and offsets moved into zip64 records, as a writer of huge files does.
TEST(Npz, ReadsZip64) {
  const std::vector<float> values = ramp(50);
  Bytes bytes = encode_npz(std::vector<NamedArray>{{"a", view_of(values)}}).value();
  const std::size_t record = find_last(bytes, kCentral);
  const std::size_t end = find_last(bytes, kEnd);
  const std::uint64_t sizes[] = {load_le<std::uint32_t>(bytes.data() + record + 24),
                                 load_le<std::uint32_t>(bytes.data() + record + 20), 0};
  Bytes extra;
  append_le<std::uint16_t>(extra, 1);
  append_le<std::uint16_t>(extra, 24);
  for (const std::uint64_t size : sizes) append_le(extra, size);
  for (const std::size_t field : {20, 24, 42}) patch<std::uint32_t>(bytes, record + field, 0xffffffff);
  patch<std::uint16_t>(bytes, record + 30, 28);
  bytes.resize(end);
  bytes.insert(bytes.end(), extra.begin(), extra.end());
  const std::uint64_t record64 = bytes.size();
  append_le<std::uint32_t>(bytes, 0x06064b50);
  append_le<std::uint64_t>(bytes, 44);
  append_le<std::uint32_t>(bytes, 0x002d002d);
  append_le<std::uint64_t>(bytes, 0);
  append_le<std::uint64_t>(bytes, 1);
  append_le<std::uint64_t>(bytes, 1);
  append_le<std::uint64_t>(bytes, record64 - record);
  append_le<std::uint64_t>(bytes, record);
  append_le<std::uint32_t>(bytes, 0x07064b50);
  append_le<std::uint32_t>(bytes, 0);
  append_le<std::uint64_t>(bytes, record64);
  append_le<std::uint32_t>(bytes, 1);
  append_le<std::uint32_t>(bytes, kEnd);
  append_le<std::uint32_t>(bytes, 0);
  append_le<std::uint32_t>(bytes, 0xffffffff);
  append_le<std::uint64_t>(bytes, 0xffffffffffffffff);
  append_le<std::uint16_t>(bytes, 0);
  const auto npz = Npz::from_bytes(bytes);
  ASSERT_TRUE(npz) << npz.error().format();
  EXPECT_EQ(to_floats(npz->read("a")->view()).value(), values);
  patch<std::uint64_t>(bytes, record + 46 + 5 + 4, std::uint64_t{1} << 60);  // A hostile size.
  EXPECT_FALSE(Npz::from_bytes(bytes));
}

TEST(Npz, SurvivesDamage) {
  const auto read_all = [](std::span<const std::byte> bytes) {
    const auto npz = Npz::from_bytes(bytes);
    if (!npz) return;
    for (const std::string& name : npz->names()) {
      const auto array = npz->read(name);
      if (array) (void)to_doubles(array->view());
    }
  };
  const std::vector<float> positions = ramp(3000);
  const Array names = string_array(std::vector<std::string>{"Hips", "Spine"});
  const std::vector<NamedArray> arrays{{"positions", view_of(positions, {100, 10, 3})}, {"names", names.view()}};
  for (const int compression : {0, 6}) {
    const Bytes bytes = encode_npz(arrays, {.compression = compression}).value();
    test::expect_survives_damage("npz", bytes, read_all);
  }
}

TEST(Npz, ReadsTheSharedDogsAndSkipsTheirPickle) {
  ZOE_NEED_DATA(data);
  const auto folder = data / "quadruped" / "dog_ai4animationpy";
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".npz") continue;
    ++files;
    const auto npz = Npz::open(file.path());
    ASSERT_TRUE(npz) << npz.error().format();
    const auto names = to_strings(npz->read("bone_names")->view());
    ASSERT_TRUE(names);
    EXPECT_EQ(names->size(), 27u);
    EXPECT_EQ(names->front(), "Hips");
    EXPECT_EQ(to_strings(npz->read("name")->view())->front(), file.path().stem().string());
    const auto positions = npz->read("positions");
    ASSERT_TRUE(positions) << positions.error().format();
    ASSERT_EQ(positions->view().shape.size(), 3u);
    EXPECT_EQ(positions->view().shape[1], 27u);
    EXPECT_EQ(to_int32(npz->read("parent_indices")->view())->front(), -1);
    const auto pickle = npz->read("parent_names");
    ASSERT_FALSE(pickle);
    EXPECT_EQ(pickle.error().code, ErrorCode::kUnsupported);
    EXPECT_TRUE(has(pickle.error().format(), "pickle"));
  }
  EXPECT_EQ(files, 5);
}

}  // namespace
}  // namespace zoe::io
