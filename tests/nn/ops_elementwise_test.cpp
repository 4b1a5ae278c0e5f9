// SPDX-License-Identifier: MIT
// Operations on numbers one by one, broadcasting, and those that only move numbers.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"
#include "nn/naive.h"

namespace zoe::nn {
namespace {

using test::Row;
using test::Rows;

struct Binary {
  const char* name;
  int (GraphBuilder::*make)(int, int);
  double (*value)(double, double);
};
constexpr Binary kBinaries[] = {
    {"add", &GraphBuilder::add, [](double a, double b) { return a + b; }},
    {"subtract", &GraphBuilder::subtract, [](double a, double b) { return a - b; }},
    {"multiply", &GraphBuilder::multiply, [](double a, double b) { return a * b; }},
    {"divide", &GraphBuilder::divide, [](double a, double b) { return a / b; }},
    {"atan2", &GraphBuilder::atan2, [](double a, double b) { return std::atan2(a, b); }},
};

// Rows repeat where one operand has a single one.
Rows naive_binary(const Binary& op, const Rows& a, const Rows& b) {
  Rows y;
  for (std::size_t s = 0; s < std::max(a.size(), b.size()); ++s) {
    const Row &x = a[a.size() == 1 ? 0 : s], &z = b[b.size() == 1 ? 0 : s];
    Row row;
    for (std::size_t i = 0; i < x.size(); ++i) row.push_back(op.value(x[i], z[i]));
    y.push_back(row);
  }
  return y;
}

TEST(ElementwiseOp, RowsAreRepeatedAsNeeded) {
  for (const Binary& op : kBinaries) {
    for (const int width : {1, 5, 16, 33}) {
      for (const auto& [rows_a, rows_b] : {std::pair{1, 1}, {4, 4}, {1, 3}, {3, 1}}) {
        GraphBuilder b;
        const int x = b.input("a", width, rows_a), y = b.input("b", width, rows_b);
        b.output("y", (b.*op.make)(x, y));
        const Graph graph = std::move(b).build().value();
        test::expect_computes(op.name, graph, [&](const auto& in) { return naive_binary(op, in[0], in[1]); },
                              {.bound = 2e-6, .batches = {1, 3}});
      }
    }
  }
}

TEST(ElementwiseOp, ConstantsAreRepeatedForEveryItem) {
  Random random(6);
  const std::vector<float> values = test::random_values(random, 3 * 7);
  for (const Binary& op : kBinaries) {
    for (const bool constant_first : {false, true}) {
      GraphBuilder b;
      const int x = b.input("x", 7, 3), c = b.constant("c", 3, 7, values);
      b.output("y", constant_first ? (b.*op.make)(c, x) : (b.*op.make)(x, c));
      const Graph graph = std::move(b).build().value();
      Rows rows;
      for (std::size_t s = 0; s < 3; ++s)
        rows.emplace_back(values.begin() + static_cast<long>(7 * s), values.begin() + static_cast<long>(7 * s + 7));
      test::expect_computes(op.name, graph,
                            [&](const auto& in) {
                              return constant_first ? naive_binary(op, rows, in[0]) : naive_binary(op, in[0], rows);
                            },
                            {.bound = 2e-6, .batches = {1, 5}});
    }
  }
}

TEST(Atan2Op, AllDirectionsAndTheOrigin) {
  GraphBuilder b;
  const int y = b.input("y", 1), x = b.input("x", 1);
  b.output("angle", b.atan2(y, x));
  const Graph graph = std::move(b).build().value();
  const auto angle = [&](float v, float u) { return test::run_network(graph, 1, {{v}, {u}})[0][0]; };
  for (int i = -180; i <= 180; ++i) {
    const double rad = i * std::numbers::pi / 180;
    for (const double radius : {1e-3, 1.0, 1e4}) {
      const auto v = static_cast<float>(radius * std::sin(rad)), u = static_cast<float>(radius * std::cos(rad));
      EXPECT_NEAR(angle(v, u), std::atan2(static_cast<double>(v), static_cast<double>(u)), 1e-6) << i;
    }
  }
  EXPECT_EQ(angle(0, 0), 0);
  EXPECT_EQ(angle(-0.0F, -0.0F), 0);
  EXPECT_NEAR(angle(-0.0F, -1), std::numbers::pi, 1e-6);  // -0 counts as 0.
}

TEST(FilmOp, ScalesAndShiftsThenActivates) {
  for (const Activation a : {Activation::kNone, Activation::kSilu, Activation::kGelu}) {
    GraphBuilder b;
    const int x = b.input("x", 9, 4), scale = b.input("scale", 9), shift = b.input("shift", 9, 4);
    b.output("y", b.film(x, scale, shift, a));
    const Graph graph = std::move(b).build().value();
    test::expect_computes(to_string(a), graph, [&](const auto& in) {
      Rows y = in[0];
      for (std::size_t s = 0; s < 4; ++s) {
        for (std::size_t i = 0; i < 9; ++i) y[s][i] = test::activated(a, y[s][i] * in[1][0][i] + in[2][s][i]);
      }
      return y;
    });
  }
}

TEST(ConcatOp, PutsColumnsSideBySide) {
  GraphBuilder b;
  const std::vector<float> constant{7, 8};
  const int x = b.input("x", 3, 4), y = b.input("y", 31), z = b.input("z", 1, 4);
  b.output("out", b.concat({y, x, b.constant("c", 1, 2, constant), z, x}));
  const Graph graph = std::move(b).build().value();
  test::expect_computes("concat", graph,
                        [](const auto& in) {
                          Rows out;
                          for (std::size_t s = 0; s < 4; ++s) {
                            Row row = in[1][0];
                            row.insert(row.end(), in[0][s].begin(), in[0][s].end());
                            row.insert(row.end(), {7, 8});
                            row.insert(row.end(), in[2][s].begin(), in[2][s].end());
                            row.insert(row.end(), in[0][s].begin(), in[0][s].end());
                            out.push_back(row);
                          }
                          return out;
                        },
                        {.bound = 0});
}

TEST(SliceOp, UndoesConcatAtEveryColumn) {
  for (int begin = 0; begin < 20; begin += 3) {
    for (int end = begin + 1; end <= 20; end += 6) {
      GraphBuilder b;
      b.output("y", b.slice(b.input("x", 20, 2), begin, end));
      const Graph graph = std::move(b).build().value();
      test::expect_computes(std::to_string(begin) + " to " + std::to_string(end), graph,
                            [&](const auto& in) {
                              Rows y;
                              for (const Row& row : in[0]) y.emplace_back(row.begin() + begin, row.begin() + end);
                              return y;
                            },
                            {.bound = 0, .batches = {1, 2}, .every_target = false});
    }
  }
}

TEST(ReshapeOp, KeepsTheOrderOfNumbers) {
  for (const auto& [steps, width] : {std::pair{1, 36}, {36, 1}, {4, 9}, {9, 4}, {2, 18}}) {
    GraphBuilder b;
    b.output("y", b.reshape(b.input("x", 6, 6), steps, width));
    const Graph graph = std::move(b).build().value();
    const auto inputs = test::random_inputs(graph, 3, 1);
    EXPECT_EQ(test::run_network(graph, 3, inputs)[0], inputs[0]) << steps;
  }
}

TEST(TransposeOp, TwiceIsTheIdentity) {
  for (const auto& [steps, width] : {std::pair{1, 1}, {1, 40}, {33, 2}, {5, 17}}) {
    GraphBuilder once, twice;
    once.output("y", once.transpose(once.input("x", width, steps)));
    twice.output("y", twice.transpose(twice.transpose(twice.input("x", width, steps))));
    const Graph a = std::move(once).build().value(), c = std::move(twice).build().value();
    test::expect_computes("once", a,
                          [](const auto& in) {
                            Rows y(in[0][0].size(), Row(in[0].size()));
                            for (std::size_t s = 0; s < in[0].size(); ++s) {
                              for (std::size_t i = 0; i < in[0][0].size(); ++i) y[i][s] = in[0][s][i];
                            }
                            return y;
                          },
                          {.bound = 0});
    const auto inputs = test::random_inputs(c, 3, 2);
    EXPECT_EQ(test::run_network(c, 3, inputs)[0], inputs[0]);
  }
}

TEST(ActivationOp, SweepsTheWholeRange) {
  std::vector<float> sweep;
  for (int i = -4000; i <= 4000; ++i) sweep.push_back(static_cast<float>(i) / 200);
  for (const Activation a :
       {Activation::kNone, Activation::kRelu, Activation::kLeakyRelu, Activation::kElu, Activation::kSilu,
        Activation::kTanh, Activation::kSigmoid, Activation::kGelu, Activation::kSine, Activation::kSquareRoot}) {
    GraphBuilder b;
    b.output("y", b.activation(b.input("x", 8001), a, 0.3F));
    const Graph graph = std::move(b).build().value();
    std::vector<float> x = sweep;
    for (float& v : x) v = a == Activation::kSquareRoot ? std::abs(v) : v;
    test::expect_computes(to_string(a), graph,
                          [&](const auto& in) { return Rows{test::activated(a, in[0][0], static_cast<double>(0.3F))}; },
                          {.bound = 1e-6, .batches = {1}, .inputs = {x}});
  }
}

}  // namespace
}  // namespace zoe::nn
