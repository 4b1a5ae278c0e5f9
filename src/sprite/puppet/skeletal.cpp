// SPDX-License-Identifier: MIT
#include "zoe/sprite/puppet/skeletal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/render/picture_file.h"
#include "zoe/sprite/sheet.h"

#include "sprite/json_pieces.h"

namespace zoe::sprite {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// At most five digits behind the point; no "-0".
std::string number(double value) {
  std::string text = fmt::format("{:.5f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

template <typename Items, typename Write>
std::string list(const Items& items, const Write& write) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "" : ", ") + write(i);
  return out;
}

struct Atlas {
  Sheet sheet;
  std::string png;
};

// Textures of all parts, whole.
Result<Atlas> pack_parts(const Skeletal& skeletal) {
  std::vector<Cel> cels;
  int width = 1, height = 1;
  for (const SkeletalPart& part : skeletal.parts) {
    cels.push_back({0, 0, part.texture});
    width = std::max(width, part.texture.width);
    height = std::max(height, part.texture.height);
  }
  std::vector<const Cel*> pointers;
  for (const Cel& cel : cels) pointers.push_back(&cel);
  Atlas atlas;
  ZOE_TRY_ASSIGN(atlas.sheet, pack_sheet(pointers, width, height, {.padding_px = 2, .share = false}));
  const std::vector<std::byte> bytes = render::encode_png(atlas.sheet.picture, render::PngAlpha::kKeep);
  atlas.png.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return atlas;
}

std::string uvs_of(const SkeletalPart& part) {
  return list(part.rest, [&](std::size_t i) {
    const Point uv = part.rest[i] - part.origin;
    return number(uv.x / part.texture.width) + ", " + number(uv.y / part.texture.height);
  });
}

std::string triangles_of(const SkeletalPart& part) {
  return list(part.triangles, [&](std::size_t i) {
    return fmt::format("{}, {}, {}", part.triangles[i][0], part.triangles[i][1], part.triangles[i][2]);
  });
}

// A place in the axes of a bone: Spine's, y up and angles against the clock.
Point in_bone(Point p, Point from, double angle_rad, double along, double across) {
  const Point turned = rotated(p - from, -angle_rad);
  return {turned.x / along, -turned.y / across};
}

// The shortest turn, so that players that interpolate do not spin.
double degrees(double angle_rad) {
  double value = angle_rad * kDegrees;
  while (value > 180) value -= 360;
  while (value <= -180) value += 360;
  return value;
}

std::string spine_animation(const Skeletal& skeletal, const SkeletalClip& clip) {
  const std::vector<int>& setup = skeletal.clips[0].frames[0].order;
  // Keys at the beginning of each frame, and the last frame once more at the end.
  std::vector<double> times{0};
  for (const SkeletalFrame& frame : clip.frames) times.push_back(times.back() + frame.duration_ms / 1000.0);
  const auto frame_at = [&](std::size_t key) -> const SkeletalFrame& {
    return clip.frames[std::min(key, clip.frames.size() - 1)];
  };
  std::string bones;
  for (std::size_t b = 0; b < skeletal.bones.size(); ++b) {
    const auto keys = [&](const auto& values) {
      return list(times, [&](std::size_t k) {
        return fmt::format("{{\"time\": {}, {}, \"curve\": \"stepped\"}}", number(times[k]),
                           values(frame_at(k).bones[b]));
      });
    };
    bones +=
        fmt::format("{}\n        {}: {{\"rotate\": [{}], \"translate\": [{}], \"scale\": [{}]}}", b == 0 ? "" : ",",
                    json_text(skeletal.bones[b].name),
                    keys([&](const SkeletalBoneKey& key) { return "\"angle\": " + number(degrees(-key.turn_rad)); }),
                    keys([&](const SkeletalBoneKey& key) {
                      const Point moved = key.from - skeletal.bones[b].from;
                      return "\"x\": " + number(moved.x) + ", \"y\": " + number(-moved.y);
                    }),
                    keys([&](const SkeletalBoneKey& key) {
                      return "\"x\": " + number(key.along) + ", \"y\": " + number(key.across);
                    }));
  }
  std::string deform;
  for (std::size_t p = 0; p < skeletal.parts.size(); ++p) {
    const SkeletalPart& part = skeletal.parts[p];
    const std::string name = json_text(part.name);
    deform += fmt::format(
        "{}\n        {}: {{{}: [{}]}}", p == 0 ? "" : ",", name, name, list(times, [&](std::size_t k) {
          const SkeletalFrame& frame = frame_at(k);
          const std::string offsets = list(part.rest, [&](std::size_t i) {
            const SkeletalBone& bone = skeletal.bones[idx(part.bones[i])];
            const SkeletalBoneKey& key = frame.bones[idx(part.bones[i])];
            const Point rest = in_bone(part.rest[i], bone.from, bone.angle_rad, 1, 1);
            const Point now =
                in_bone(frame.vertices[p][i], key.from, bone.angle_rad + key.turn_rad, key.along, key.across);
            return number(now.x - rest.x) + ", " + number(now.y - rest.y);
          });
          return fmt::format("{{\"time\": {}, \"vertices\": [{}], \"curve\": \"stepped\"}}", number(times[k]), offsets);
        }));
  }
  std::string orders;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const std::vector<int>& order = frame_at(k).order;
    std::string offsets;
    for (std::size_t slot = 0; order != setup && slot < setup.size(); ++slot) {
      const auto now = std::find(order.begin(), order.end(), setup[slot]) - order.begin();
      offsets += fmt::format("{}{{\"slot\": {}, \"offset\": {}}}", slot == 0 ? "" : ", ",
                             json_text(skeletal.parts[idx(setup[slot])].name), now - static_cast<std::ptrdiff_t>(slot));
    }
    orders += fmt::format("{}{{\"time\": {}{}}}", k == 0 ? "" : ", ", number(times[k]),
                          offsets.empty() ? "" : ", \"offsets\": [" + offsets + "]");
  }
  return fmt::format(
      "    {}: {{\n      \"bones\": {{{}}},\n      \"deform\": {{\"default\": {{{}}}}},\n      \"drawOrder\": [{}]}}",
      json_text(clip.name), bones, deform, orders);
}

// Durations in 60ths of a second whose sums are right.
std::vector<int> sixtieths(const SkeletalClip& clip) {
  std::vector<int> out;
  double end_ms = 0;
  int before = 0;
  for (const SkeletalFrame& frame : clip.frames) {
    end_ms += frame.duration_ms;
    const int end = std::max(before + 1, static_cast<int>(std::lround(end_ms * 60 / 1000)));
    out.push_back(end - before);
    before = end;
  }
  return out;
}

std::string dragonbones_animation(const Skeletal& skeletal, const SkeletalClip& clip) {
  const std::vector<int>& setup = skeletal.clips[0].frames[0].order;
  const std::vector<int> durations = sixtieths(clip);
  int total = 0;
  for (const int duration : durations) total += duration;
  const auto frames = [&](const auto& values) {
    return list(clip.frames, [&](std::size_t k) {
      return fmt::format("{{\"duration\": {}{}}}", durations[k], values(clip.frames[k]));
    });
  };
  std::string bones, ffd;
  for (std::size_t b = 0; b < skeletal.bones.size(); ++b) {
    bones += fmt::format(
        "{}\n          {{\"name\": {}, \"translateFrame\": [{}], \"rotateFrame\": [{}], \"scaleFrame\": [{}]}}",
        b == 0 ? "" : ",", json_text(skeletal.bones[b].name), frames([&](const SkeletalFrame& frame) {
          const Point moved = frame.bones[b].from - skeletal.bones[b].from;
          return ", \"x\": " + number(moved.x) + ", \"y\": " + number(moved.y);
        }),
        frames([&](const SkeletalFrame& frame) { return ", \"rotate\": " + number(degrees(frame.bones[b].turn_rad)); }),
        frames([&](const SkeletalFrame& frame) {
          return ", \"x\": " + number(frame.bones[b].along) + ", \"y\": " + number(frame.bones[b].across);
        }));
  }
  for (std::size_t p = 0; p < skeletal.parts.size(); ++p) {
    const SkeletalPart& part = skeletal.parts[p];
    ffd +=
        fmt::format("{}\n          {{\"name\": {}, \"slot\": {}, \"skin\": \"\", \"frame\": [{}]}}", p == 0 ? "" : ",",
                    json_text(part.name), json_text(part.name), frames([&](const SkeletalFrame& frame) {
                      return ", \"vertices\": [" +
                             list(part.rest,
                                  [&](std::size_t i) {
                                    const Point moved = frame.vertices[p][i] - part.rest[i];
                                    return number(moved.x) + ", " + number(moved.y);
                                  }) +
                             "]";
                    }));
  }
  const std::string orders = frames([&](const SkeletalFrame& frame) {
    std::string offsets;
    for (std::size_t slot = 0; frame.order != setup && slot < setup.size(); ++slot) {
      const auto now = std::find(frame.order.begin(), frame.order.end(), setup[slot]) - frame.order.begin();
      offsets += fmt::format("{}{}, {}", slot == 0 ? "" : ", ", slot, now - static_cast<std::ptrdiff_t>(slot));
    }
    return ", \"zOrder\": [" + offsets + "]";
  });
  return fmt::format(
      "        {{\"name\": {}, \"duration\": {}, \"playTimes\": {}, \"bone\": [{}],\n        \"ffd\": [{}],\n"
      "        \"zOrder\": {{\"frame\": [{}]}}}}",
      json_text(clip.name), total, clip.loop ? 0 : 1, bones, ffd, orders);
}

}  // namespace

Result<NamedFiles> spine_files(const Skeletal& skeletal, const std::string& name) {
  ZOE_TRY_ASSIGN(Atlas atlas, pack_parts(skeletal));
  const std::vector<int>& setup = skeletal.clips[0].frames[0].order;
  std::string out = fmt::format(
      "{{\n  \"skeleton\": {{\"spine\": \"3.8.99\", \"x\": {}, \"y\": 0, \"width\": {}, \"height\": {}}},\n"
      "  \"bones\": [\n    {{\"name\": \"root\"}}",
      -skeletal.width / 2, skeletal.width, skeletal.height);
  for (const SkeletalBone& bone : skeletal.bones) {
    out += fmt::format(
        ",\n    {{\"name\": {}, \"parent\": \"root\", \"length\": {}, \"rotation\": {}, \"x\": {}, \"y\": {}}}",
        json_text(bone.name), number(bone.length), number(degrees(-bone.angle_rad)), number(bone.from.x),
        number(-bone.from.y));
  }
  out += "\n  ],\n  \"slots\": [" +
         list(setup,
              [&](std::size_t i) {
                const std::string part = json_text(skeletal.parts[idx(setup[i])].name);
                return fmt::format("\n    {{\"name\": {}, \"bone\": \"root\", \"attachment\": {}}}", part, part);
              }) +
         "\n  ],\n  \"skins\": [{\"name\": \"default\", \"attachments\": {";
  out += list(skeletal.parts, [&](std::size_t p) {
    const SkeletalPart& part = skeletal.parts[p];
    // Each vertex hangs on one bone with all its weight; bone 0 is the root.
    const std::string vertices = list(part.rest, [&](std::size_t i) {
      const SkeletalBone& bone = skeletal.bones[idx(part.bones[i])];
      const Point local = in_bone(part.rest[i], bone.from, bone.angle_rad, 1, 1);
      return fmt::format("1, {}, {}, {}, 1", part.bones[i] + 1, number(local.x), number(local.y));
    });
    return fmt::format(
        "\n    {}: {{{}: {{\"type\": \"mesh\", \"width\": {}, \"height\": {}, \"hull\": 0,\n      \"uvs\": [{}],\n"
        "      \"triangles\": [{}],\n      \"vertices\": [{}]}}}}",
        json_text(part.name), json_text(part.name), part.texture.width, part.texture.height, uvs_of(part),
        triangles_of(part), vertices);
  });
  out += "\n  }}],\n  \"animations\": {\n" +
         list(skeletal.clips, [&](std::size_t c) { return spine_animation(skeletal, skeletal.clips[c]) + "\n"; }) +
         "  }\n}\n";
  const char* filter = skeletal.pixel_art ? "Nearest, Nearest" : "Linear, Linear";
  std::string text = fmt::format("\n{}_spine.png\nsize: {}, {}\nformat: RGBA8888\nfilter: {}\nrepeat: none\n", name,
                                 atlas.sheet.picture.width, atlas.sheet.picture.height, filter);
  for (std::size_t p = 0; p < skeletal.parts.size(); ++p) {
    const Placement& at = atlas.sheet.frames[p];
    // Trimmed regions: the offset counts from the lower left corner.
    const SkeletalPart& part = skeletal.parts[p];
    text += fmt::format(
        "{}\n  rotate: false\n  xy: {}, {}\n  size: {}, {}\n  orig: {}, {}\n  offset: {}, {}\n  index: -1\n", part.name,
        at.x, at.y, at.width, at.height, part.texture.width, part.texture.height, at.canvas_x,
        part.texture.height - at.canvas_y - at.height);
  }
  return NamedFiles{{name + "_spine.json", out}, {name + "_spine.atlas", text}, {name + "_spine.png", atlas.png}};
}

Result<NamedFiles> dragonbones_files(const Skeletal& skeletal, const std::string& name) {
  ZOE_TRY_ASSIGN(Atlas atlas, pack_parts(skeletal));
  const std::vector<int>& setup = skeletal.clips[0].frames[0].order;
  std::string out = fmt::format(
      "{{\n  \"frameRate\": 60, \"name\": {}, \"version\": \"5.5\", \"compatibleVersion\": \"5.5\",\n"
      "  \"armature\": [{{\n      \"type\": \"Armature\", \"frameRate\": 60, \"name\": {},\n"
      "      \"aabb\": {{\"x\": {}, \"y\": {}, \"width\": {}, \"height\": {}}},\n      \"bone\": [\n        "
      "{{\"name\": \"root\"}}",
      json_text(name), json_text(name), -skeletal.width / 2, -skeletal.height, skeletal.width, skeletal.height);
  for (const SkeletalBone& bone : skeletal.bones) {
    const std::string angle = number(degrees(bone.angle_rad));
    out += fmt::format(
        ",\n        {{\"name\": {}, \"parent\": \"root\", \"length\": {}, \"transform\": {{\"x\": {}, \"y\": {}, "
        "\"skX\": {}, "
        "\"skY\": {}}}}}",
        json_text(bone.name), number(bone.length), number(bone.from.x), number(bone.from.y), angle, angle);
  }
  out += "\n      ],\n      \"slot\": [" +
         list(setup,
              [&](std::size_t i) {
                return fmt::format("{{\"name\": {}, \"parent\": \"root\"}}",
                                   json_text(skeletal.parts[idx(setup[i])].name));
              }) +
         "],\n      \"skin\": [{\"name\": \"\", \"slot\": [";
  out += list(skeletal.parts, [&](std::size_t p) {
    const SkeletalPart& part = skeletal.parts[p];
    return fmt::format(
        "\n        {{\"name\": {}, \"display\": [{{\"type\": \"mesh\", \"name\": {}, \"width\": {}, \"height\": {},\n"
        "          \"vertices\": [{}],\n          \"uvs\": [{}],\n          \"triangles\": [{}]}}]}}",
        json_text(part.name), json_text(part.name), part.texture.width, part.texture.height,
        list(part.rest, [&](std::size_t i) { return number(part.rest[i].x) + ", " + number(part.rest[i].y); }),
        uvs_of(part), triangles_of(part));
  });
  out += "]}],\n      \"animation\": [\n" +
         list(skeletal.clips, [&](std::size_t c) { return dragonbones_animation(skeletal, skeletal.clips[c]); }) +
         fmt::format("],\n      \"defaultActions\": [{{\"gotoAndPlay\": {}}}]\n  }}]\n}}\n",
                     json_text(skeletal.clips[0].name));
  std::string text =
      fmt::format("{{\n  \"name\": {}, \"imagePath\": {}, \"width\": {}, \"height\": {},\n  \"SubTexture\": [",
                  json_text(name), json_text(name + "_tex.png"), atlas.sheet.picture.width, atlas.sheet.picture.height);
  text += list(skeletal.parts, [&](std::size_t p) {
    const Placement& at = atlas.sheet.frames[p];
    const SkeletalPart& part = skeletal.parts[p];
    return fmt::format(
        "\n    {{\"name\": {}, \"x\": {}, \"y\": {}, \"width\": {}, \"height\": {}, \"frameX\": {}, \"frameY\": {}, "
        "\"frameWidth\": {}, \"frameHeight\": {}}}",
        json_text(part.name), at.x, at.y, at.width, at.height, -at.canvas_x, -at.canvas_y, part.texture.width,
        part.texture.height);
  });
  return NamedFiles{
      {name + "_ske.json", out}, {name + "_tex.json", text + "\n  ]\n}\n"}, {name + "_tex.png", atlas.png}};
}

}  // namespace zoe::sprite
