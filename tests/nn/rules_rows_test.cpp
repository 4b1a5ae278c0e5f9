// SPDX-License-Identifier: MIT
// Rules of validate() about operations along rows; see rules_test.cpp.
#include <functional>

#include <gtest/gtest.h>

#include "nn/rules.h"

namespace zoe::nn {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)

TEST(Rules, AlongRows) {
  const auto axis = [](RowCount over, RowCount inner) {
    return with([&](Attributes& a) { a.over = over, a.inner = inner; });
  };
  const auto attention = [](std::vector<Shape> shapes, const std::function<void(Attributes&)>& set) {
    std::vector<int> reads;
    for (std::size_t i = 0; i < shapes.size(); ++i) reads.push_back(static_cast<int>(i));
    return one_node(shapes, Op::kAttention, reads, {}, with(set));
  };
  expect_refused({
      {"node 0, softmax_rows: 6 rows are no groups of 4 rows, 1 apart",
       one_node({{6, 2}}, Op::kSoftmaxRows, {0}, {}, axis(4, {}))},
      {"node 0, pool_rows: 6 rows are no groups of some rows, 4 apart",
       one_node({{6, 2}}, Op::kPoolRows, {0}, {}, axis({}, 4))},
      {"node 0, pool_rows: the mask needs one column and the rows of x",
       one_node({{6, 2}, {5, 1}}, Op::kPoolRows, {0, 1})},
      {"node 0, slice_rows: elements 2 to 2 of 6",
       one_node({{6, 2}}, Op::kSliceRows, {0}, {}, with([](Attributes& a) { a.begin = 2, a.end = 2; }))},
      {"node 0, slice_rows: elements 0 to 7 of 6",
       one_node({{6, 2}}, Op::kSliceRows, {0}, {}, with([](Attributes& a) { a.end = 7; }))},
      {"node 0, repeat_rows: needs the number of copies, and rows that are groups of `inner`",
       one_node({{6, 2}}, Op::kRepeatRows, {0})},
      {"node 0, concat_rows: parts differ in columns", one_node({{6, 2}, {1, 3}}, Op::kConcatRows, {0, 1})},
      {"node 0, glu: 3 columns have no two halves", one_node({{6, 3}}, Op::kGlu, {0})},
      {"node 0, sinusoidal: takes one column, an even width and a period above 1",
       one_node({{6, 1}}, Op::kSinusoidal, {0}, {}, with([](Attributes& a) { a.width = 3; }))},
      {"node 0, rotary: each head needs an even number of columns, and the period must exceed 1",
       one_node({{6, 3}, {6, 1}}, Op::kRotary, {0, 1})},
      {"node 0, rotary: x and its positions differ in rows", one_node({{6, 4}, {5, 1}}, Op::kRotary, {0, 1})},
      {"node 0, gather: the second input has one column", one_node({{6, 3}, {6, 2}}, Op::kGather, {0, 1})},
      {"node 0, group_norm: 4 groups do not fit 6 columns",
       one_node({{1, 6}}, Op::kGroupNorm, {0}, {}, with([](Attributes& a) { a.groups = 4; }), 2)},
      {"node 0, conv2d: needs the number of pixels in a line, `inner`, alone",
       one_node({{6, 3}}, Op::kConv2d, {0}, {ones("w", {2, 3, 1, 1})}, {}, 2)},
      {"node 0, conv2d: 2 groups cannot share 3 and 2 channels",
       one_node({{6, 3}}, Op::kConv2d, {0}, {ones("w", {2, 3, 1, 1})},
                with([](Attributes& a) { a.inner = 2, a.groups = 2; }), 2)},
      {"node 0, conv2d: a kernel that spans 3 steps on 2 padded steps",
       one_node({{6, 3}}, Op::kConv2d, {0}, {ones("w", {2, 3, 1, 3})}, axis({}, 2), 2)},
      {"node 0, upsample: stride must be 1 to 64",
       one_node({{6, 3}}, Op::kUpsample, {0}, {}, with([](Attributes& a) { a.inner = 2, a.stride = 65; }))},
      {"node 0, softmax_rows: names a dimension that is not there",
       one_node({{6, 2}}, Op::kSoftmaxRows, {0}, {}, axis(RowCount::dim(0), {}))},
      {"node 0, attention: 3 heads cannot read 2 heads of keys",
       attention({{2, 6}, {2, 4}, {2, 4}}, [](Attributes& a) { a.heads = 3, a.kv_heads = 2; })},
      {"node 0, attention: the mask needs one column and the rows of k",
       attention({{2, 6}, {3, 6}, {3, 6}, {2, 1}}, [](Attributes& a) { a.mask = true; })},
      {"node 0, attention: the bias needs a row for each query and key of a group, and a column for each head",
       attention({{2, 6}, {3, 6}, {3, 6}, {5, 1}}, [](Attributes& a) { a.bias = true; })},
      {"node 0, attention: has 3 inputs", attention({{2, 6}, {3, 6}, {3, 6}}, [](Attributes& a) { a.bias = true; })},
      {"node 0, attention: has 4 inputs", attention({{2, 6}, {3, 6}, {3, 6}, {3, 6}}, [](Attributes&) {})},
      {"node 0, attention: 5 rows of keys do not fit 2 groups",
       attention({{6, 6}, {5, 6}, {5, 6}}, [](Attributes& a) { a.over = 3; })},
      {"node 0, attention: before, after or first is out of range",
       attention({{2, 6}, {3, 6}, {3, 6}}, [](Attributes& a) { a.before = -2; })},
      {"node 0, attention: relations need a row for each query and key of a group",
       attention({{2, 6}, {3, 6}, {3, 6}, {2, 4}, {3, 4}, {5, 1}}, [](Attributes& a) { a.relations = true; })},
      {"node 0, attention: relation terms need the rows of q and of k, and the same columns for each head",
       attention({{2, 6}, {3, 6}, {3, 6}, {2, 4}, {2, 4}, {6, 1}}, [](Attributes& a) { a.relations = true; })},
  });
}

}  // namespace
}  // namespace zoe::nn
