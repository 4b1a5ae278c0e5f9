// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite identity`: procedural game characters as files, or many on one picture.
#include "sprite/identity.h"

#include <fmt/format.h>

#include "zoe/core/thread_pool.h"
#include "zoe/io/write.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/identity/identity.h"
#include "zoe/sprite/make_frames.h"

namespace zoe::cli {
namespace {

namespace id = sprite::identity;

struct SheetWords {
  std::uint64_t seed = 0;
  int count = 1, size_px = 128;
  std::string action = "idle", style = "toon";
  float yaw_deg = 35;
};

// One frame of each identity, side by side.
Result<render::Picture> draw_sheet(const SheetWords& words) {
  const int columns = std::min(words.count, 10), rows = (words.count + columns - 1) / columns;
  const int size = words.size_px;
  render::Picture sheet = render::make_picture(columns * size, rows * size, 112, 128, 140, 255);
  for (int i = 0; i < words.count; ++i) {
    const id::Identity identity = id::make_identity(id::draw_traits(words.seed + static_cast<std::uint64_t>(i)));
    const auto motion = std::make_shared<const Motion>(*id::make_action(identity, words.action));
    sprite::Request request{.character = identity.character, .body = identity.body, .size_px = size};
    request.turn_deg = words.yaw_deg <= 90 ? 90 - words.yaw_deg : 450 - words.yaw_deg;  // Below 0: the default.
    request.look.style = *sprite::style_from(words.style);
    request.look.shadow = false;
    request.num_weapon_instances = identity.num_weapon_instances;
    request.clips.push_back({"pose", motion, {{motion->duration_s() * 0.4, 100}}, false});
    Warnings warnings;
    ZOE_TRY_ASSIGN(const sprite::FrameSet set, sprite::make_frames(request, ThreadPool::shared(), warnings));
    const render::Picture canvas = sprite::untrim(set.frames[0].body, size, size);
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const std::uint8_t* from = canvas.pixel(x, y);
        std::uint8_t* to = sheet.pixel(i % columns * size + x, i / columns * size + y);
        for (int k = 0; k < 3; ++k)
          to[k] = static_cast<std::uint8_t>((from[k] * from[3] + to[k] * (255 - from[3]) + 127) / 255);
      }
    }
  }
  return sheet;
}

}  // namespace

int run_sprite_identity(const Arguments& arguments) {
  Options app;
  SheetWords words;
  std::string output, actions = "all";
  app.add_option("--seed", words.seed, "Which character; each number is another one")->capture_default_str();
  app.add_option("-o,--out", output, "A character file (.glb, .fbx), or a picture (.png) of --count characters")
      ->required()
      ->writes();
  app.add_option("--count", words.count, "Picture: characters from --seed on, ten in a row")->between(1, 1000);
  app.add_option("--size", words.size_px, "Picture: pixels of each character")->between(8, 512)->capture_default_str();
  app.add_option("--action", words.action, "Picture: the action whose pose is drawn")
      ->one_of(id::action_words())
      ->capture_default_str();
  app.add_option("--style", words.style, "Picture: lit, toon, ink, silhouette, flat or pixel")
      ->one_of({"lit", "toon", "ink", "silhouette", "flat", "pixel"});
  app.add_option("--yaw", words.yaw_deg, "Picture: turn from the viewer")->between(0, 90, "degrees");
  if (const auto exit = parse(app, arguments)) return *exit;

  if (std::filesystem::path(output).extension() == ".png") {
    const Result<render::Picture> sheet = draw_sheet(words);
    if (!sheet) return print_error(sheet.error());
    const Result<void> written = render::write_png(output, *sheet, render::PngAlpha::kDrop);
    if (!written) return print_error(written.error());
    for (int i = 0; i < words.count && !quiet(); ++i) {
      const std::uint64_t seed = words.seed + static_cast<std::uint64_t>(i);
      fmt::print("{}: {}\n", seed, id::describe(id::draw_traits(seed)));
    }
    return kDone;
  }
  if (words.count != 1) {
    print_error("--count needs a picture: -o FILE.png");
    return kWrongUsage;
  }
  const id::Identity identity = id::make_identity(id::draw_traits(words.seed));
  io::Asset asset{identity.character, {}, {}, {}};
  for (const std::string& word : id::action_words()) asset.clips.push_back(*id::make_action(identity, word));
  const Result<Warnings> written = io::write_asset(output, asset);
  if (!written) return print_error(written.error());
  print_warnings(*written);
  if (!quiet()) {
    fmt::print("{}: {}; {} triangles, {} clips\n", output, id::describe(identity.traits),
               identity.character->meshes[0].indices.size() / 3, asset.clips.size());
  }
  return kDone;
}

}  // namespace zoe::cli
