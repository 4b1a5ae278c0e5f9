// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The functions of the verbs, each in the file of its name.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_demo(const Arguments& arguments);
int run_bench(const Arguments& arguments);
int run_certify(const Arguments& arguments);
int run_convert(const Arguments& arguments);
int run_decode(const Arguments& arguments);
int run_doctor(const Arguments& arguments);
int run_dataset(const Arguments& arguments);
int run_edit(const Arguments& arguments);
int run_encode(const Arguments& arguments);
int run_eval(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_features(const Arguments& arguments);
int run_fix(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_info(const Arguments& arguments);
int run_play(const Arguments& arguments);
int run_render(const Arguments& arguments);
int run_retarget(const Arguments& arguments);
int run_sprite(const Arguments& arguments);
int run_soak(const Arguments& arguments);
int run_stream(const Arguments& arguments);
int run_blender_scene(const Arguments& arguments);
int run_stylize(const Arguments& arguments);
int run_synth(const Arguments& arguments);
int run_train(const Arguments& arguments);
int run_view(const Arguments& arguments);

}  // namespace zoe::cli
