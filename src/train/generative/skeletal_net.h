// SPDX-License-Identifier: MIT
// Part of Zoetrope. A transformer over the joints and frames of any skeleton: attention over the joints of a frame, in
// the graph of the skeleton (Ying et al., 2021; Park et al., 2022), then over the frames of a joint. Computes in torch,
// and builds the same into a network whose numbers of joints and frames are free.
#pragma once

#include <optional>

#include "train/sequence_blocks.h"

namespace zoe::train {

struct SkeletalSizes {
  std::int64_t token = 13, groups = 4;              // Numbers of a token, and groups of them that can be known.
  std::int64_t body = 19, names = 256, words = 48;  // Numbers of a joint, its name, and a sample's actions.
  std::int64_t classes = 13;                        // Of relations.
  std::int64_t width = 64, heads = 4, blocks = 4;
};

// What the network sees of a batch. Padding is hidden by the masks; undefined masks: there is none.
struct SkeletalInput {
  at::Tensor x, known;      // [batch, frames, joints, token]; known: zero where it is not.
  at::Tensor known_groups;  // [batch, frames, joints, groups] 1 where the numbers of the group are known.
  at::Tensor body, names;   // [batch, joints, …]
  at::Tensor relations;     // [batch, joints, joints, 2], int64.
  at::Tensor time, words;   // [batch, 1], [batch, words]
  at::Tensor joint_mask;    // [batch, joints] bool.
  at::Tensor frame_mask;    // [batch, frames] bool.

  // The first samples alone.
  SkeletalInput first(std::int64_t count) const;
};

// The relations of all pairs as 0 and 1, [batch, one, classes, other], with both columns marked; seen from the query
// and from the key. Products with these are far cheaper in training than gathered rows of tables, whose gradients
// collide.
struct RelationMarks {
  at::Tensor of_query, of_key;
};

// One attention with its projections.
struct SkeletalAttention {
  SkeletalAttention(Parameters& parameters, const std::string& name, std::int64_t width);
  Linear query, key, value, out;
};

struct SkeletalBlock {
  SkeletalBlock(Parameters& parameters, const std::string& name, const SkeletalSizes& sizes);
  at::Tensor operator()(at::Tensor h, const at::Tensor& condition, const SkeletalInput& in,
                        const RelationMarks& marks) const;
  struct Rows {
    nn::RowCount frames, joints;
  };
  int build(GraphBuilder& builder, int h, int condition, int relations, const Rows& rows) const;

  std::string name;
  std::int64_t heads;
  LayerNorm norm_joints, norm_frames, norm_mlp;
  Linear shift;  // Of the condition: noise level and actions.
  SkeletalAttention joints, frames;
  Linear widen, narrow;
  at::Tensor query_table, key_table;  // [classes, width]

 private:
  at::Tensor over_joints(const at::Tensor& h, const SkeletalInput& in, const RelationMarks& marks) const;
};

struct SkeletalNet {
  SkeletalNet(Parameters& parameters, const SkeletalSizes& sizes);
  struct Out {
    at::Tensor prediction;   // [batch, frames, joints, token]
    at::Tensor joint_codes;  // [batch, joints, width] Mean over the frames after half of the blocks.
    at::Tensor frame_codes;  // [batch, frames, width] Mean over the joints after the last block.
  };
  Out operator()(const SkeletalInput& in) const;

  // Ports: x, known, known_groups, body, names, relation, time, words -> prediction, joint_codes, frame_codes.
  void build(GraphBuilder& builder) const;

  SkeletalSizes sizes;
  Linear in, body_in, name_in, time_1, time_2, words_in, out;
  LayerNorm norm;
  std::vector<SkeletalBlock> blocks;
  at::Tensor rates, phases;  // [2 × number of waves] Fixed: of the noise level.
};

}  // namespace zoe::train
