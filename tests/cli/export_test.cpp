// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/random.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/graph_file.h"
#include "zoe/store/npy.h"

#include "cli/run_zoe.h"
#include "support/data.h"

namespace zoe {
namespace {

using test::run_zoe;
using test::ZoeRun;

class Export : public testing::Test {
 protected:
  Export() {
    nn::GraphBuilder b;
    const auto values = [&](std::size_t n) {
      std::vector<float> v(n);
      for (float& x : v) x = static_cast<float>(random_.normal()) * 0.2F;
      return v;
    };
    int x = b.normalize(b.input("x", 24), "n", values(24), std::vector<float>(24, 3.0F));
    x = b.linear(x, "a", {40, 24}, values(960), values(40), nn::Activation::kElu);
    b.output("y", b.linear(x, "b", {10, 40}, values(400), values(10)));
    b.set_metadata("licence", "CC0");
    EXPECT_TRUE(nn::write_graph(model(), std::move(b).build().value()).has_value());
  }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  std::string model() const { return in_folder("model.safetensors"); }

  Random random_{3};
  std::filesystem::path folder_ = test::temporary_dir("export");
};

TEST_F(Export, WritesOnnx) {
  const ZoeRun run = run_zoe({"export", model(), in_folder("model.onnx")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const MappedFile file = MappedFile::open(in_folder("model.onnx")).value();
  EXPECT_NE(file.text().find("zoetrope"), std::string_view::npos);
  EXPECT_NE(file.text().find("Elu"), std::string_view::npos);
}

// Enough for a programmer without our source: names, sizes, normalisation, and an example that can be computed again.
TEST_F(Export, DescribesWhatAnOnnxFileTakesAndGives) {
  const ZoeRun run = run_zoe({"export", model(), in_folder("model.onnx")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = nlohmann::json::parse(MappedFile::open(in_folder("model.onnx.json")).value().text());
  EXPECT_EQ(json.at("file"), "model.onnx");
  EXPECT_EQ(json.at("licence"), "CC0");
  const auto& x = json.at("inputs").at(0);
  EXPECT_EQ(x.at("shape"), (nlohmann::json{"batch", 24}));
  ASSERT_EQ(x.at("columns").size(), 24U);
  EXPECT_EQ(x.at("columns").at(5).at("spread"), 3.0);
  EXPECT_EQ(x.at("columns").at(5).at("name"), "x 5");
  EXPECT_FALSE(json.at("outputs").at(0).at("columns").at(0).contains("mean"));  // The output is not denormalised.
  // The example, from the weights.
  const nn::Graph graph = nn::read_graph(model()).value();
  std::vector<double> h;
  for (std::size_t i = 0; i < 24; ++i)
    h.push_back(
        (json.at("example").at("inputs").at("x").at(i).get<double>() - x.at("columns").at(i).at("mean").get<double>()) /
        3);
  for (const char* name : {"a", "b"}) {
    std::vector<float> weight, bias;
    for (const nn::Weight& one : graph.weights) {
      if (one.name == std::string(name) + ".weight") weight = one.to_floats();
      if (one.name == std::string(name) + ".bias") bias = one.to_floats();
    }
    ASSERT_EQ(weight.size(), bias.size() * h.size()) << name;
    std::vector<double> next;
    for (std::size_t r = 0; r < bias.size(); ++r) {
      double sum = bias[r];
      for (std::size_t k = 0; k < h.size(); ++k) sum += double{weight[r * h.size() + k]} * h[k];
      next.push_back(name[0] == 'a' && sum < 0 ? std::expm1(sum) : sum);
    }
    h = next;
  }
  for (std::size_t i = 0; i < h.size(); ++i)
    EXPECT_NEAR(json.at("example").at("outputs").at("y").at(i).get<double>(), h[i], 1e-5);
}

TEST_F(Export, InfoTellsWhatANetworkHolds) {
  const ZoeRun text = run_zoe({"info", model()});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("x [24]"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("CC0"), std::string::npos) << text.out;
  const ZoeRun run = run_zoe({"info", model(), "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto info = nlohmann::json::parse(run.out);
  EXPECT_EQ(info.at("outputs").at(0).at("width"), 10);
  EXPECT_EQ(info.at("operations").at("linear"), 2);
  EXPECT_EQ(info.at("multiply_adds"), 24 * 40 + 40 * 10);
}

TEST_F(Export, PrintsTheErrorOfFewerBits) {
  for (const char* dtype : {"float32", "bf16", "int8"}) {
    const ZoeRun run = run_zoe({"export", model(), in_folder("small.safetensors"), "--dtype", dtype, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    const auto& error = report.at("errors").at(0);
    EXPECT_EQ(error.at("output"), "y");
    const double worst = error.at("worst");
    const bool exact = dtype == std::string("float32");
    EXPECT_TRUE(exact ? worst == 0 : worst > 1e-5 && worst < 0.02) << dtype << ": " << worst;
    const nn::Graph graph = nn::read_graph(in_folder("small.safetensors")).value();
    EXPECT_EQ(graph.metadata.at("licence"), "CC0");
    EXPECT_EQ(graph.weights.size(), 6U);
  }
}

TEST_F(Export, MeasuresOnGivenData) {
  // The first column of y is what the first column of x says; with x constant no column varies, and
  // the error counts 0.
  const std::vector<float> constant(24 * 5, 1.0F);
  ASSERT_TRUE(write_npy(folder_ / "x.npy", view_of(constant, {5, 24})).has_value());
  const ZoeRun run = run_zoe(
      {"export", model(), in_folder("b.safetensors"), "--dtype", "int8", "--data", in_folder("x.npy"), "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_NE(report.at("data").get<std::string>().find("5 items of"), std::string::npos);
  EXPECT_LT(report.at("errors").at(0).at("worst").get<double>(), 1e-6);
}

TEST_F(Export, SaysWhatIsWrong) {
  const auto expect = [&](const std::vector<std::string>& words, int code, const char* part) {
    const ZoeRun run = run_zoe(words);
    EXPECT_EQ(run.exit_code, code) << run.err;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  };
  expect({"export", model(), in_folder("m.txt")}, 2, ".onnx or .safetensors");
  expect({"export", model(), in_folder("m.onnx"), "--dtype", "int8"}, 2, "float32");
  expect({"export", in_folder("none.safetensors"), in_folder("m.onnx")}, 1, "none.safetensors");
  const std::vector<float> narrow(10, 1.0F);
  ASSERT_TRUE(write_npy(folder_ / "narrow.npy", view_of(narrow, {5, 2})).has_value());
  expect({"export", model(), in_folder("m.safetensors"), "--data", in_folder("narrow.npy")}, 3, "24 numbers per item");
  EXPECT_FALSE(std::filesystem::exists(in_folder("m.safetensors")));
  ASSERT_TRUE(write_file_atomic(folder_ / "text.safetensors", std::string_view("this is no network")).has_value());
  expect({"export", in_folder("text.safetensors"), in_folder("m.onnx")}, 3, "text.safetensors");
}

}  // namespace
}  // namespace zoe
