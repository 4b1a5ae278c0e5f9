// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: clips as arrays of pixels. As `zoe render`, without its files.
#include "zoe/author/retarget_source.h"
#include "zoe/render/picture_file.h"
#include "zoe/scene/film.h"

#include "binding.h"
#include "camera_option.h"

namespace zoe::python {

namespace {

using render::DrawStyle;

struct RenderRequest {
  int clip = 0, width = 0, height = 0, ghosts = 0, supersample = 1;
  double fps = 30, start = 0, seconds = 0, time = -1;
  std::string camera, style;
  bool transparent = false, software = true;
};

// Bytes of all pictures, one after another.
struct Pixels {
  std::vector<std::uint8_t> bytes;
  int count = 0, width = 0, height = 0;
};

void check(const RenderRequest& r) {
  if (r.width < 16 || r.height < 16 || r.width > 16384 || r.height > 16384)
    throw py::value_error("width and height are 16 to 16384 pixels");
  if (!(r.fps >= 0.1 && r.fps <= 1000) || !(r.start >= 0 && r.start <= 86400) ||
      !(r.seconds >= 0 && r.seconds <= 86400) || !(r.time <= 86400))
    throw py::value_error("fps are 0.1 to 1000, times 0 to 86400 s");
  if (r.ghosts < 0 || r.ghosts > 100 || r.supersample < 1 || r.supersample > 4)
    throw py::value_error("ghosts are 0 to 100, supersample 1 to 4");
}

DrawStyle style_of(const std::string& word) {
  if (word == "toon") return DrawStyle::kToon;
  if (word == "ink") return DrawStyle::kInk;
  if (word == "watercolour") return DrawStyle::kWatercolor;
  if (word == "studio" || word == "skeleton") return DrawStyle::kPlain;
  throw py::value_error("styles are studio, skeleton, toon, ink and watercolour");
}

Pixels draw(const File& file, const RenderRequest& request) {
  need_joints(file);
  check(request);
  scene::FilmRequest film{.camera = unwrap(cli::parse_camera(request.camera)),
                          .width = request.width,
                          .height = request.height,
                          .fps = request.fps,
                          .start_s = request.start,
                          .seconds = request.seconds,
                          .time_s = request.time,
                          .num_ghosts = request.ghosts,
                          .labels = false,
                          .transparent = request.transparent,
                          .supersampling = request.supersample,
                          .style = style_of(request.style),
                          .software = request.software};
  film.look.bones = request.style == "skeleton";
  const io::Asset asset = file.to_asset();
  scene::ClipOnBody clip{
      .title = "",
      .character = asset.character,
      .metres_per_unit = asset.source.unit_known ? 1.0F : static_cast<float>(asset.source.metres_per_unit),
      .image_folder = file.path.parent_path()};
  if (asset.clips.empty()) {
    clip.motion = std::make_shared<const Motion>(make_motion(asset.character->skeleton, "rest", 30, 1, true));
  } else {
    if (request.clip < 0 || static_cast<std::size_t>(request.clip) >= asset.clips.size())
      throw py::index_error("no such clip");
    clip.motion = std::make_shared<const Motion>(asset.clips[static_cast<std::size_t>(request.clip)]);
    unwrap(validate(*clip.motion));  // Arrays may have been edited.
  }
  if (clip.motion->num_frames < 1) throw PythonError("the clip has no frames: there is nothing to draw");
  Result<author::AssetAnalysis> body = author::analyse_asset(asset);
  if (body) {
    clip.body = std::make_shared<const SkeletonAnalysis>(std::move(body->body));
  } else if (!clip.has_mesh() || film.look.bones) {
    unwrap(std::move(body));
  }
  film.clips.push_back(std::move(clip));
  Pixels out;
  film.on_page = [&](const render::Picture& page) -> Result<void> {
    constexpr std::size_t kMostBytes = std::size_t{8} << 30;
    if (out.bytes.size() + page.rgba.size() > kMostBytes)
      return Error{ErrorCode::kLimit, "the pictures need more than 8 GiB: draw fewer frames at a time", {}};
    out.bytes.insert(out.bytes.end(), page.rgba.begin(), page.rgba.end());
    out.width = page.width, out.height = page.height, ++out.count;
    return {};
  };
  unwrap(scene::make_film(film));
  return out;
}

py::array render_file(const File& file, const RenderRequest& request) {
  auto pixels = std::make_unique<Pixels>();
  {
    const py::gil_scoped_release released;
    *pixels = draw(file, request);
  }
  const std::vector<py::ssize_t> shape{pixels->count, pixels->height, pixels->width, 4};
  const std::uint8_t* data = pixels->bytes.data();
  py::capsule owner(pixels.release(), [](void* memory) { delete static_cast<Pixels*>(memory); });
  return py::array_t<std::uint8_t>(shape, data, owner);
}

using ByteArray = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>;

void save_png(const std::filesystem::path& path, const ByteArray& pixels) {
  if (pixels.ndim() != 3 || pixels.shape(2) != 4 || pixels.shape(0) < 1 || pixels.shape(1) < 1 ||
      pixels.shape(0) > 65535 || pixels.shape(1) > 65535)
    throw py::value_error("a picture is [height, width, 4], 1 to 65535 pixels each way");
  render::Picture picture{static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)), {}};
  picture.rgba.assign(pixels.data(), pixels.data() + pixels.size());
  const py::gil_scoped_release released;
  unwrap(render::write_png(path, picture, render::PngAlpha::kKeep));
}

}  // namespace

void bind_render(py::module_& module) {
  module.def("save_png", &save_png, py::arg("path"), py::arg("picture"),
             "Writes a picture of render(), [height, width, 4], as a PNG file.");
  module.def(
      "_render",
      [](const File& file, int clip, int width, int height, double fps, double start, double seconds, double time,
         const std::string& camera, const std::string& style, int ghosts, int supersample, bool transparent,
         bool software) {
        return render_file(file, {.clip = clip,
                                  .width = width,
                                  .height = height,
                                  .ghosts = ghosts,
                                  .supersample = supersample,
                                  .fps = fps,
                                  .start = start,
                                  .seconds = seconds,
                                  .time = time,
                                  .camera = camera,
                                  .style = style,
                                  .transparent = transparent,
                                  .software = software});
      },
      py::arg("file"), py::arg("clip"), py::arg("width"), py::arg("height"), py::arg("fps"), py::arg("start"),
      py::arg("seconds"), py::arg("time"), py::arg("camera"), py::arg("style"), py::arg("ghosts"),
      py::arg("supersample"), py::arg("transparent"), py::arg("software"));
}

}  // namespace zoe::python
