// SPDX-License-Identifier: MIT
// What the export refuses, and its tables against the files they are from. engine_export_test.py runs the exported
// step.
#include "zoe/author/engine_export.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/control/config.h"
#include "zoe/core/file.h"
#include "zoe/store/safetensors.h"

#include "support/data.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

fs::path shipped(const char* name) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  return fs::path(source != nullptr ? source : ".") / "models" / name;
}

nlohmann::json read(const fs::path& file) { return nlohmann::json::parse(MappedFile::open(file).value().text()); }

TEST(EngineExport, TypesWithoutNetworksAndRunsWithoutPartsAreRefused) {
  for (const char* type : {"mm", "lmm"}) {
    const fs::path folder = zoe::test::temporary_dir("engine_refused") / type;
    fs::create_directories(folder);
    ASSERT_TRUE(control::save_controller_config(folder, {.type = type}));
    const auto made = export_for_engine(folder, folder / "out");
    ASSERT_FALSE(made);
    if (std::string(type) == "mm") {
      EXPECT_EQ(made.error().code, ErrorCode::kUnsupported);
      EXPECT_NE(made.error().message.find("type 'mm'"), std::string::npos);
    }
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
  EXPECT_FALSE(export_for_engine(zoe::test::temporary_dir("engine_none"), "out"));
}

TEST(EngineExport, ColumnsHaveTheNumbersOfTheNetworksFile) {
  const fs::path folder = zoe::test::temporary_dir("engine_columns");
  for (const char* name : {"walker", "dog"}) {
    const fs::path out = folder / name;
    const EngineExport made = export_for_engine(shipped(name), out).value();
    const auto columns = read(out / "columns.json");
    const Safetensors file = Safetensors::open(shipped(name) / "model.safetensors").value();
    for (const char* port : {"x", "y"}) {
      const auto& table = columns.at(port[0] == 'x' ? "inputs" : "outputs").at(0);
      const int width = port[0] == 'x' ? made.num_inputs : made.num_outputs;
      ASSERT_EQ(table.at("columns").size(), static_cast<std::size_t>(width));
      for (const NamedArray& array : file.tensors()) {
        const bool is_mean = array.name == std::string("normalisation.") + port + ".mean";
        if (!is_mean && array.name != std::string("normalisation.") + port + ".std") continue;
        const auto values = array.view.as<float>().value();
        for (std::size_t i = 0; i < values.size(); ++i)
          ASSERT_EQ(table.at("columns").at(i).at(is_mean ? "mean" : "deviation").get<float>(), values[i]);
      }
    }
    const auto body = read(out / "body.json");
    EXPECT_EQ(body.at("joints").at(0).at("name"), "Hips");
    EXPECT_EQ(body.at("joints").at(0).at("parent"), -1);
    EXPECT_EQ(body.at("joints").size(), body.at("start").size());
    EXPECT_EQ(read(out / "constants.json").at("rate_hz"), 30);
    for (const std::string& written : made.files) EXPECT_TRUE(fs::exists(out / written)) << written;
  }
  // The first column by hand: velocity of the left foot, which is a gate of the walker's experts.
  const auto columns = read(folder / "walker" / "columns.json");
  const auto& first = columns.at("inputs").at(0).at("columns").at(0);
  EXPECT_EQ(first.at("joint"), "LeftFoot");
  EXPECT_EQ(first.at("unit"), "m/s");
  EXPECT_EQ(first.at("space"), "root now");
}

}  // namespace
}  // namespace zoe::author
