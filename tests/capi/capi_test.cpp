// SPDX-License-Identifier: MIT
// The C interface beside the C++ one: the same bits, and refusals instead of crashes.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/control/load.h"
#include "zoe/core/thread_pool.h"
#include "zoe/nn/network.h"
#include "zoe/zoe.h"

#include "support/data.h"

namespace zoe {
namespace {

std::string walker_folder() {
  const char* root = std::getenv("ZOE_SOURCE_DIR");
  return std::string(root != nullptr ? root : ".") + "/models/walker";
}

struct CapiTest : testing::Test {
  zoe_controller* walker = nullptr;
  control::ControllerPtr reference;
  void SetUp() override {
    ASSERT_EQ(zoe_controller_load(walker_folder().c_str(), &walker), ZOE_OK) << zoe_last_error();
    reference = control::load_controller(walker_folder()).value();
  }
  void TearDown() override { zoe_controller_free(walker); }
};

void expect_same_pose(const zoe_character* character, const control::ControllerState& state) {
  zoe_pose pose{};
  ASSERT_EQ(zoe_character_pose(character, &pose), ZOE_OK);
  const PoseView expected = state.pose();
  ASSERT_EQ(static_cast<std::size_t>(pose.num_joints), expected.rotations.size());
  EXPECT_EQ(std::memcmp(pose.rotations, expected.rotations.data(), expected.rotations.size_bytes()), 0);
  EXPECT_EQ(std::memcmp(pose.translations, expected.translations.data(), expected.translations.size_bytes()), 0);
  EXPECT_EQ(zoe_character_hash(character), state.hash());
}

TEST_F(CapiTest, DescribesTheController) {
  EXPECT_STREQ(zoe_controller_type(walker), reference->type());
  EXPECT_EQ(zoe_controller_fingerprint(walker), reference->fingerprint());
  ASSERT_EQ(zoe_controller_num_joints(walker), reference->skeleton()->num_joints());
  for (int j = 0; j < zoe_controller_num_joints(walker); ++j) {
    EXPECT_EQ(zoe_controller_joint_name(walker, j), reference->skeleton()->name(j));
    EXPECT_EQ(zoe_controller_joint_parent(walker, j), reference->skeleton()->parent(j));
    float rest[10];
    ASSERT_EQ(zoe_controller_joint_rest(walker, j, rest), ZOE_OK);
    EXPECT_EQ(rest[1], reference->skeleton()->rest_local(j).translation.y);
    EXPECT_EQ(rest[6], reference->skeleton()->rest_local(j).rotation.w);
  }
  EXPECT_EQ(zoe_controller_num_contacts(walker), static_cast<int>(reference->contact_joints().size()));
  EXPECT_EQ(zoe_controller_contact_joint(walker, 0), reference->contact_joints()[0]);
}

TEST_F(CapiTest, TicksWithTheBitsOfTheCppInterface) {
  const zoe_placement placement{{1, 0, -2}, 0.5F, 0.9F, 1.1F, 2};
  zoe_character* character = nullptr;
  ASSERT_EQ(zoe_character_new(walker, &placement, &character), ZOE_OK);
  const auto state = reference->make_state({.root = {.position = {1, 0, -2}, .facing_rad = 0.5F},
                                            .proportions = {.legs = 0.9F, .upper = 1.1F},
                                            .lane = 2,
                                            .ground = {}});
  zoe_intent intent;
  zoe_intent_move(&intent, 0.3F, 1.2F);
  intent.moments[0].facing_rad = 1;
  intent.moments[0].has_facing = 1;
  intent.gait = ZOE_GAIT_WALK;
  control::Intent expected = control::Intent::move({0.3F, 0, 1.2F}, 1.0F);
  expected.gait = control::Gait::kWalk;
  for (int i = 0; i < 90; ++i) {
    if (i == 45) {
      zoe_intent_go(&intent, 2, 1);
      expected = control::Intent::stand();
      expected.goal = control::WantedPlace{.position = {2, 0, 1}, .facing_rad = {}};
    }
    ASSERT_EQ(zoe_character_tick(character, &intent, 0.017), ZOE_OK);
    reference->tick(*state, expected, 0.017);
  }
  expect_same_pose(character, *state);

  // The matrices are those of the forward kinematics.
  std::vector<Affine> model(static_cast<std::size_t>(reference->skeleton()->num_joints()));
  compute_model_from_joint(*reference->skeleton(), state->pose(), model);
  std::vector<float> matrices(16 * model.size());
  ASSERT_EQ(zoe_character_matrices(character, matrices.data(), matrices.size()), ZOE_OK);
  for (std::size_t j = 0; j < model.size(); ++j) {
    EXPECT_NEAR(matrices[16 * j + 12], model[j].t.x, 1e-5F);
    EXPECT_NEAR(matrices[16 * j + 4], model[j].y.x, 1e-5F);
    EXPECT_EQ(matrices[16 * j + 15], 1);
  }
  EXPECT_EQ(zoe_character_matrices(character, matrices.data(), 16), ZOE_ERROR_USAGE);
  zoe_controller_free(walker);  // The character keeps its model.
  walker = nullptr;
  EXPECT_EQ(zoe_character_tick(character, nullptr, 0.017), ZOE_OK);
  zoe_character_free(character);
}

TEST_F(CapiTest, SavesRestoresAndRefusesDamage) {
  zoe_character* character = nullptr;
  ASSERT_EQ(zoe_character_new(walker, nullptr, &character), ZOE_OK);
  zoe_intent intent;
  zoe_intent_move(&intent, 0, 1);
  for (int i = 0; i < 20; ++i) zoe_character_tick(character, &intent, 1.0 / 60);
  std::vector<std::byte> bytes(zoe_character_state_bytes(character));
  EXPECT_EQ(zoe_character_save(character, bytes.data(), bytes.size() - 1), ZOE_ERROR_USAGE);
  ASSERT_EQ(zoe_character_save(character, bytes.data(), bytes.size()), ZOE_OK);
  const auto state = reference->make_state();
  ASSERT_TRUE(reference->restore_state(*state, bytes));  // The bytes are those of the C++ interface.
  expect_same_pose(character, *state);
  const std::uint64_t before = zoe_character_hash(character);
  bytes[3] ^= std::byte{0x40};
  EXPECT_NE(zoe_character_restore(character, bytes.data(), bytes.size()), ZOE_OK);
  EXPECT_NE(zoe_character_restore(character, bytes.data(), 3), ZOE_OK);
  EXPECT_EQ(zoe_character_hash(character), before);
  zoe_character_free(character);
}

TEST_F(CapiTest, CrowdsAreThoseOfTheCppInterface) {
  constexpr int kCount = 5;
  const zoe_controller* controllers[] = {walker};
  const int32_t capacities[] = {kCount};
  const zoe_crowd_options options{1, 1, 0};
  zoe_ground* ground = nullptr;
  const float heights[] = {0, 0.2F, 0.1F, 0.3F};
  ASSERT_EQ(zoe_ground_grid(heights, 2, 2, 10, -2, -2, &ground), ZOE_OK);
  EXPECT_NEAR(zoe_ground_height_m(ground, 8, -2), 0.2F, 1e-6F);
  zoe_crowd* crowd = nullptr;
  ASSERT_EQ(zoe_crowd_new(controllers, capacities, 1, &options, ground, &crowd), ZOE_OK) << zoe_last_error();

  const GroundPtr same_ground = Ground::grid({.heights_m = {0, 0.2F, 0.1F, 0.3F},
                                              .num_x = 2,
                                              .num_z = 2,
                                              .cell_m = 10,
                                              .origin_x_m = -2,
                                              .origin_z_m = -2})
                                    .value();
  control::Crowd expected({{reference, kCount}}, {.proportions = {},
                                                  .radius_m = 0.25F,
                                                  .avoidance = control::AvoidanceOptions{},
                                                  .ground = same_ground,
                                                  .detail = {}});
  std::vector<zoe_intent> intents(kCount);
  std::vector<control::Intent> same_intents(kCount);
  ThreadPool pool(0);
  for (int i = 0; i < kCount - 1; ++i) {
    const float side = i % 2 == 0 ? 1.F : -1.F;
    zoe_placement placement{};
    placement.position[0] = 0.3F * static_cast<float>(i);
    placement.position[2] = -side;
    int32_t index = -1;
    ASSERT_EQ(zoe_crowd_spawn(crowd, 0, &placement, &index), ZOE_OK);
    ASSERT_EQ(index, expected.spawn({.root = {.position = {placement.position[0], 0, -side}, .facing_rad = 0}}));
    zoe_intent_move(&intents[static_cast<std::size_t>(i)], 0, side);
    same_intents[static_cast<std::size_t>(i)] = control::Intent::move({0, 0, side});
  }
  for (int i = 0; i < 60; ++i) {
    ASSERT_EQ(zoe_crowd_tick(crowd, intents.data(), kCount, 1.0 / 60), ZOE_OK);
    expected.tick(same_intents, 1.0 / 60, pool);
  }
  EXPECT_EQ(zoe_crowd_hash(crowd), expected.hash());
  EXPECT_EQ(zoe_crowd_num_alive(crowd), kCount - 1);

  std::vector<std::byte> bytes(zoe_crowd_state_bytes(crowd));
  ASSERT_EQ(zoe_crowd_save(crowd, bytes.data(), bytes.size()), ZOE_OK);
  EXPECT_EQ(bytes, expected.save_state());
  zoe_crowd_despawn(crowd, 1);
  EXPECT_EQ(zoe_crowd_despawn(crowd, 1), ZOE_ERROR_USAGE);
  ASSERT_EQ(zoe_crowd_restore(crowd, bytes.data(), bytes.size()), ZOE_OK);
  EXPECT_EQ(zoe_crowd_hash(crowd), expected.hash());

  zoe_character* member = zoe_crowd_character(crowd, 2);
  expect_same_pose(member, expected.state(2));
  EXPECT_EQ(zoe_character_tick(member, nullptr, 0.1), ZOE_ERROR_USAGE);
  EXPECT_EQ(zoe_character_restore(member, bytes.data(), bytes.size()), ZOE_ERROR_USAGE);
  zoe_character_free(member);  // Belongs to the crowd: no effect.
  EXPECT_EQ(zoe_crowd_tick(crowd, intents.data(), kCount - 1, 0.1), ZOE_ERROR_USAGE);
  zoe_crowd_free(crowd);
  zoe_ground_free(ground);
}

TEST_F(CapiTest, NetworksGiveTheNumbersOfTheCppInterface) {
  const std::string path = walker_folder() + "/model.safetensors";
  zoe_network* network = nullptr;
  ASSERT_EQ(zoe_network_load(path.c_str(), &network), ZOE_OK) << zoe_last_error();
  zoe_network_run* run = nullptr;
  ASSERT_EQ(zoe_network_run_new(network, 2, nullptr, nullptr, 0, &run), ZOE_OK) << zoe_last_error();
  zoe_network_free(network);  // The run keeps it.
  const nn::NetworkPtr same = nn::load_network(path).value();
  nn::NetworkState state = nn::make_state(*same, 2);
  const auto arrays = [](std::span<const nn::Port> ports) {
    std::vector<std::vector<float>> out;
    for (const nn::Port& port : ports) out.emplace_back(2 * port.shape.size());
    return out;
  };
  std::vector<std::vector<float>> inputs = arrays(same->inputs()), got = arrays(same->outputs()), wanted = got;
  ASSERT_EQ(static_cast<std::size_t>(zoe_network_run_num_inputs(run)), inputs.size());
  ASSERT_EQ(static_cast<std::size_t>(zoe_network_run_num_outputs(run)), got.size());
  std::vector<const float*> in;
  std::vector<float*> out;
  std::vector<std::span<const float>> in_spans;
  std::vector<std::span<float>> out_spans;
  for (auto& input : inputs) {
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = std::sin(static_cast<float>(i));
    in.push_back(input.data());
    in_spans.emplace_back(input);
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    zoe_port port{};
    ASSERT_EQ(zoe_network_run_output(run, static_cast<int32_t>(i), &port), ZOE_OK);
    EXPECT_EQ(port.name, same->outputs()[i].name);
    EXPECT_EQ(static_cast<std::size_t>(2 * port.rows * port.width), got[i].size());
    out.push_back(got[i].data());
    out_spans.emplace_back(wanted[i]);
  }
  ASSERT_EQ(zoe_network_evaluate(run, 2, in.data(), out.data()), ZOE_OK) << zoe_last_error();
  ASSERT_TRUE(
      (nn::NetworkJob{.network = same.get(), .state = &state, .batch = 2, .inputs = in_spans, .outputs = out_spans})
          .run());
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(zoe_network_evaluate(run, 3, in.data(), out.data()), ZOE_ERROR_USAGE);
  in[0] = nullptr;
  EXPECT_EQ(zoe_network_evaluate(run, 1, in.data(), out.data()), ZOE_ERROR_USAGE);
  EXPECT_EQ(zoe_network_run_input(run, 99, nullptr), ZOE_ERROR_USAGE);
  zoe_network_run_free(run);
}

TEST_F(CapiTest, WordsAndLabels) {
  zoe_intent intent{};
  ASSERT_EQ(zoe_intent_command(&intent, walker, "move 1 2"), ZOE_OK);
  EXPECT_EQ(intent.moments[0].velocity_mps[2], 2);
  ASSERT_EQ(zoe_intent_command(&intent, walker, "face 90"), ZOE_OK);
  EXPECT_NEAR(intent.moments[0].facing_rad, 1.5708F, 1e-4F);
  EXPECT_EQ(zoe_intent_command(&intent, walker, "fly 1 2"), ZOE_ERROR_USAGE);
  EXPECT_NE(std::string(zoe_last_error()).find("move"), std::string::npos) << zoe_last_error();
  EXPECT_EQ(zoe_intent_command(&intent, walker, ""), ZOE_ERROR_USAGE);
  EXPECT_EQ(intent.moments[0].velocity_mps[2], 2);
  EXPECT_NE(zoe_intent_style(&intent, walker, "no such style", 1), ZOE_OK);
  for (int i = 0; i < zoe_controller_num_styles(walker); ++i) {
    zoe_intent_stand(&intent);
    ASSERT_EQ(zoe_intent_style(&intent, walker, zoe_controller_style(walker, i), 0.5F), ZOE_OK);
    EXPECT_EQ(intent.styles[i], 0.5F);
  }
}

TEST_F(CapiTest, AnythingIsRefusedOrSafe) {
  zoe_controller* none = nullptr;
  EXPECT_EQ(zoe_controller_load(nullptr, &none), ZOE_ERROR_USAGE);
  EXPECT_EQ(zoe_controller_load("no_such_run", nullptr), ZOE_ERROR_USAGE);
  EXPECT_NE(zoe_controller_load("no_such_run", &none), ZOE_OK);
  EXPECT_NE(std::string(zoe_last_error()).find("no_such_run"), std::string::npos);
  EXPECT_NE(zoe_controller_load_bytes("not a controller", 16, "x.zoe", &none), ZOE_OK);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(zoe_controller_joint_name(walker, -1), nullptr);
  EXPECT_EQ(zoe_controller_joint_parent(walker, 100000), -2);
  EXPECT_EQ(zoe_controller_num_joints(nullptr), 0);
  EXPECT_EQ(zoe_character_tick(nullptr, nullptr, 0), ZOE_ERROR_USAGE);
  EXPECT_EQ(zoe_crowd_character(nullptr, 0), nullptr);
  const int32_t too_many[] = {2000000000};
  const zoe_controller* controllers[] = {walker};
  zoe_crowd* crowd = nullptr;
  EXPECT_EQ(zoe_crowd_new(controllers, too_many, 1, nullptr, nullptr, &crowd), ZOE_ERROR_LIMIT);
  zoe_ground* ground = nullptr;
  const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
  const uint32_t outside[] = {0, 1, 3};
  EXPECT_NE(zoe_ground_mesh(positions, 3, outside, 1, &ground), ZOE_OK);
  EXPECT_EQ(ground, nullptr);
  zoe_character_free(nullptr);
  zoe_controller_free(nullptr);

  // Nonsense in an intent stops no tick.
  zoe_character* character = nullptr;
  ASSERT_EQ(zoe_character_new(walker, nullptr, &character), ZOE_OK);
  zoe_intent intent;
  std::memset(&intent, 0xff, sizeof(intent));
  EXPECT_EQ(zoe_character_tick(character, &intent, NAN), ZOE_OK);
  EXPECT_EQ(zoe_character_tick(character, &intent, 0.1), ZOE_OK);
  zoe_motion_state at;
  ASSERT_EQ(zoe_character_motion_state(character, &at), ZOE_OK);
  EXPECT_TRUE(std::isfinite(at.position[0]));
  zoe_character_free(character);

  // Each thread has its own error.
  zoe_controller_load("no_such_run", &none);
  std::thread([] { EXPECT_STREQ(zoe_last_error(), ""); }).join();
}

TEST_F(CapiTest, LoadsBytesAndFiles) {
  const auto packed = test::temporary_dir("capi_bytes") / "walker.zoe";
  ASSERT_TRUE(control::pack_controller(walker_folder(), packed));
  std::ifstream in(packed, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
  zoe_controller* loaded = nullptr;
  ASSERT_EQ(zoe_controller_load_bytes(bytes.data(), bytes.size(), nullptr, &loaded), ZOE_OK) << zoe_last_error();
  EXPECT_EQ(zoe_controller_fingerprint(loaded), zoe_controller_fingerprint(walker));
  zoe_controller_free(loaded);

  const auto path = packed.parent_path() / "capi.bvh";
  std::ofstream(path) << "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
                         "Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n"
                         "0 1 0 0 0 0\n2 1 0 0 0 0\n";
  zoe_file* file = nullptr;
  const zoe_status status = zoe_file_load(path.string().c_str(), &file);
  if (status == ZOE_ERROR_UNSUPPORTED) GTEST_SKIP() << zoe_last_error();
  ASSERT_EQ(status, ZOE_OK) << zoe_last_error();
  EXPECT_STREQ(zoe_file_joint_name(file, 0), "a");
  zoe_clip clip{};
  ASSERT_EQ(zoe_file_clip(file, 0, &clip), ZOE_OK);
  EXPECT_EQ(clip.num_frames, 2);
  EXPECT_EQ(clip.fps, 2);
  EXPECT_EQ(clip.translations[3 * clip.num_joints], 2);
  std::vector<float> translations(3 * static_cast<std::size_t>(clip.num_joints)),
      rotations(4 * static_cast<std::size_t>(clip.num_joints));
  ASSERT_EQ(zoe_file_sample(file, 0, 0.25, translations.data(), rotations.data()), ZOE_OK);
  EXPECT_NEAR(translations[0], 1, 1e-5F);
  EXPECT_EQ(zoe_file_clip(file, 1, &clip), ZOE_ERROR_USAGE);
  zoe_file_free(file);
}

}  // namespace
}  // namespace zoe
