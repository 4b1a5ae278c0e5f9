// SPDX-License-Identifier: MIT
// Part of Zoetrope. Runs a plan once. It is on the stack and owns nothing.
#pragma once

#include <span>

#include "nn/kernels/attention.h"
#include "nn/plan.h"

namespace zoe::nn {

class Executor {
 public:
  // memory: state_bytes(max_batch), staged rows and scratch first, then the arena.
  Executor(const Plan& plan, float* memory, int max_batch, std::size_t batch);

  void run(std::span<const std::span<const float>> inputs, std::span<const std::span<float>> outputs);

  // For benchmarks: adds the time of each step of the plan to seconds[step].
  struct Clock {
    double (*now)() = nullptr;
    std::span<double> seconds;
  };
  void set_clock(const Clock& clock) { clock_ = clock; }

 private:
  // A value in memory: item's row `step` is at item * item_stride + step * stride.
  struct View {
    float* data;
    std::size_t steps, width, stride, item_stride;
    std::size_t origin = 0;  // The first row in memory, of all items' rows.
    float* row(std::size_t item, std::size_t step) const {
      return data + item * item_stride + (steps == 1 ? 0 : step) * stride;
    }
    // By its number among the rows of all items. Not for constants.
    float* at(std::size_t row) const { return data + (row - origin) * stride; }
    // The row that belongs to row `row` of a result with `of` rows for each item.
    float* beside(std::size_t row, std::size_t of) const {
      return follows(of) ? at(row) : this->row(row / of, row % of);
    }
    bool follows(std::size_t of) const { return steps == of && item_stride != 0; }
    std::size_t num_rows(std::size_t batch) const { return batch * steps; }
  };
  // Rows of all items that a step computes.
  struct Block {
    std::size_t first = 0, count = 0;
    std::size_t end() const { return first + count; }
  };
  View view(int slot) const;
  View in(const Step& step, std::size_t i) const { return view(step.inputs[i]); }
  View out(const Step& step, std::size_t i = 0) const { return view(step.outputs[i]); }
  const float* table(const Step& step, std::size_t i) const {
    return plan_.tables[static_cast<std::size_t>(step.tables[i])].row(0);
  }

  // Pixels of a convolution in two dimensions: rows of `line`.
  struct Picture {
    std::size_t lines, line, out_line, kernel_line;
    // Row that a position of the kernel reads for an output row. -1: beyond the border.
    long source(std::size_t row, std::size_t tap, const Attributes& a) const {
      const auto at = [&](std::size_t out, std::size_t k) {
        return static_cast<long>(out) * a.stride - a.padding + static_cast<long>(k) * a.dilation;
      };
      const long y = at(row / out_line, tap / kernel_line), x = at(row % out_line, tap % kernel_line);
      if (y < 0 || y >= static_cast<long>(lines) || x < 0 || x >= static_cast<long>(line)) return -1;
      return y * static_cast<long>(line) + x;
    }
  };
  Picture picture_of(const Step& step) const {
    return {step.axis.over, step.axis.inner, step.out_line, step.kernel_line};
  }

  void run_step(const Step& step);
  void run_timed(const Step& step);
  void run_chain(std::span<const Step> steps);
  // All rows, or those of the block in work.
  Block rows_of(const View& y) const { return block_.count > 0 ? block_ : Block{0, y.num_rows(batch_)}; }
  // Optional inputs of a product; null where absent.
  struct Besides {
    const View* gate = nullptr;        // Of experts.
    const Attributes* conv = nullptr;  // Selects the rows to gather.
    const Picture* picture = nullptr;  // Of a convolution in two dimensions.
    const View* addend = nullptr;      // Rows instead of the bias.
    int source = -1;                   // Slot of the input, where it is read as it is.
  };
  // Initial values of the sums.
  struct Start {
    const float* data;
    std::size_t stride;
  };
  // y = activation(linear(x)).
  struct Product {
    const kernels::PackedLinear& packed;
    const View& x;
    const Besides& besides;
    const View& y;
    const Attributes& attributes;
    const float* gate(std::size_t row) const { return besides.gate->beside(row, y.steps); }
    void gather(std::size_t row, std::size_t begin, std::size_t count, float* to) const;
    Start start(std::size_t first_row) const;  // Experts start from y, which blend_biases() has filled.
  };
  void linear(const kernels::PackedLinear& packed, const View& x, const Besides& besides, const View& y,
              const Attributes& attributes);
  void multiply_row(const Product& product, std::size_t row) const;
  void blend_biases(const Product& product, std::size_t first_row, std::size_t num_rows) const;
  void multiply(const Product& product, std::size_t first_row, std::size_t num_rows);
  void quantize(const Product& product, std::size_t first_row, std::size_t num_rows);
  void stage(const Product& product, std::size_t first_row, std::size_t num_rows, std::size_t begin, std::size_t count);
  void multiply_amx(const Product& product, std::size_t first_row, std::size_t num_rows);
  void cell(const Step& step);
  void attention(const Step& step);
  void pack_relations(const Step& step, std::size_t item, kernels::AttentionCall& call);
  void elementwise(const Step& step) const;
  void rearrange(const Step& step) const;  // concat, slice, reshape, transpose
  void by_row(const Step& step) const;     // the rest
  void move_rows(const Step& step) const;  // gather, concat, slice and repeat of rows
  void pool_rows(const Step& step) const;  // pooling and softmax
  void group_norm(const Step& step) const;
  void waves(const Step& step) const;  // sinusoidal, rotary
  void row_by_row(const Step& step) const;
  void depthwise(const Step& step) const;
  void upsample(const Step& step) const;

  // Rows that are staged, so that layers with one input stage it once. Slots are written once in a run.
  struct Staged {
    int slot = -1;
    std::size_t first_row = 0, num_rows = 0, begin = 0;
    WeightType type = WeightType::kF32;
    friend bool operator==(const Staged&, const Staged&) = default;
  };
  // False if the rows are staged already.
  bool must_stage(const Staged& rows) {
    if (rows.slot >= 0 && rows == last_) return false;
    last_ = rows;
    return true;
  }

  // Relations in relations_: their slot (-1: none), of an item. Slots are written once in a run.
  struct PackedRelations {
    int slot = -1;
    std::size_t item = 0, classes = 0, queries = 0;
    friend bool operator==(const PackedRelations&, const PackedRelations&) = default;
  };

  std::uint16_t* rounded() const { return reinterpret_cast<std::uint16_t*>(quantized_); }

  const Plan& plan_;
  const kernels::Table& loops_;
  // Memory for products, as staging_floats() counts it.
  float* scratch_;
  float* relations_;   // Of attention, as packed_ says.
  float* factors_;     // [kMaxStagedRows]
  float* row_scales_;  // The same.
  float* staged_;
  std::int16_t* quantized_;
  float* local_;  // Values of a chain, for one block of rows.
  float* arena_;
  Block block_;  // count 0: none.
  Staged last_;
  PackedRelations packed_;
  Clock clock_;
  std::size_t local_rows_;
  std::size_t max_batch_;
  std::size_t batch_;
};

}  // namespace zoe::nn
