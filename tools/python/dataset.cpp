// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: datasets.
#include "zoe/dataset/dataset.h"

#include "zoe/core/thread_pool.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/sampler.h"
#include "zoe/features/find_schema.h"

#include "binding.h"

namespace zoe::python {

namespace {

using dataset::Dataset;
using features::BlockKind;
using features::Sample;

struct OpenDataset {
  std::filesystem::path folder;
  dataset::DatasetPtr ptr;
  explicit OpenDataset(const std::filesystem::path& from)
      : folder(std::filesystem::absolute(from)), ptr(unwrap(Dataset::open(from))) {}
};

std::optional<dataset::Split> split_of(const std::string& word) {
  if (word == "all") return {};
  return unwrap(dataset::parse_split(word));
}

// The moments of one group and split, as a map-style dataset: len() and [] are all that torch's DataLoader needs.
class Samples {
 public:
  Samples(std::shared_ptr<OpenDataset> data, int group, std::string split, std::uint64_t seed, bool shuffle)
      : data_(std::move(data)),
        group_(group),
        split_(std::move(split)),
        seed_(seed),
        shuffle_(shuffle),
        sampler_(unwrap(dataset::Sampler::create(
            *data_->ptr, {.group = group, .split = split_of(split_), .seed = seed, .shuffle = shuffle}))) {}

  std::size_t size() const { return sampler_.size(); }

  // Workers of torch's DataLoader open the dataset again: its rows are mapped, not copied.
  py::tuple state() const { return py::make_tuple(data_->folder, group_, split_, seed_, shuffle_); }
  static Samples from(const py::tuple& state) {
    return {std::make_shared<OpenDataset>(state[0].cast<std::filesystem::path>()), state[1].cast<int>(),
            state[2].cast<std::string>(), state[3].cast<std::uint64_t>(), state[4].cast<bool>()};
  }

  py::tuple batch(const std::vector<std::uint64_t>& positions, std::uint64_t epoch) const {
    std::vector<Sample> samples;
    for (const std::uint64_t position : positions) {
      if (position >= sampler_.size()) throw py::index_error("a position is beyond the number of samples");
      samples.push_back(sampler_.at(epoch, position));
    }
    const features::Layout& layout = data_->ptr->groups()[static_cast<std::size_t>(group_)].layout;
    const auto of = [&](BlockKind kind) { return std::vector<float>(samples.size() * layout.size(kind)); };
    std::vector<float> input = of(BlockKind::kInput), output = of(BlockKind::kOutput);
    {
      const py::gil_scoped_release released;
      if (!data_->ptr->gather(ThreadPool::shared(), group_, samples, input, output)) {
        throw PythonError("gathering was refused");
      }
    }
    const auto shape = [&](BlockKind kind) {
      return std::vector<py::ssize_t>{static_cast<py::ssize_t>(samples.size()), layout.steps(kind), layout.width(kind)};
    };
    return py::make_tuple(take(std::move(input), shape(BlockKind::kInput)),
                          take(std::move(output), shape(BlockKind::kOutput)));
  }

 private:
  std::shared_ptr<OpenDataset> data_;
  int group_ = 0;
  std::string split_;
  std::uint64_t seed_ = 1;
  bool shuffle_ = true;
  dataset::Sampler sampler_;
};

const dataset::Group& group_at(const Dataset& data, int group) {
  if (group < 0 || static_cast<std::size_t>(group) >= data.groups().size()) throw py::index_error("no such group");
  return data.groups()[static_cast<std::size_t>(group)];
}

features::Schema schema_of(const std::string& schema, double fps) {
  features::Schema out = unwrap(features::find_schema(schema));
  if (fps > 0) out.fps = fps;
  return out;
}

py::dict build(const std::vector<std::filesystem::path>& inputs, const std::filesystem::path& output,
               const std::string& schema, double fps, bool mirror) {
  dataset::BuildOptions options;
  options.inputs = inputs;
  options.output = output;
  options.schema = schema_of(schema, fps);
  options.mirror = mirror;
  dataset::BuildReport report;
  {
    const py::gil_scoped_release released;
    report = unwrap(dataset::build(options));
  }
  py::dict out;
  out["num_files"] = report.num_files;
  out["num_clips"] = report.num_clips;
  out["num_left_out"] = report.num_left_out;
  out["hours"] = report.hours;
  return out;
}

}  // namespace

void bind_dataset(py::module_& module) {
  py::class_<Samples>(module, "Samples",
                      "Moments of a dataset in a shuffled order. len() and [] are what torch's DataLoader needs.")
      .def("__len__", &Samples::size)
      .def(
          "__getitem__",
          [](const Samples& s, std::int64_t index) {
            const auto count = static_cast<std::int64_t>(s.size());
            if (index < -count || index >= count) throw py::index_error("no such sample");
            const py::tuple pair = s.batch({static_cast<std::uint64_t>(index < 0 ? index + count : index)}, 0);
            return py::make_tuple(pair[0][py::int_(0)], pair[1][py::int_(0)]);
          },
          py::arg("index"), "(input, output) of a moment: [steps, width] each, not normalised.")
      .def("batch", &Samples::batch, py::arg("positions"), py::arg("epoch") = 0,
           "(input, output) of several: [samples, steps, width] each, gathered on all threads.")
      .def(py::pickle([](const Samples& s) { return s.state(); }, &Samples::from));

  py::class_<OpenDataset, std::shared_ptr<OpenDataset>>(module, "Dataset",
                                                        "Training data on disk: rows are memory-mapped.")
      .def(py::init<const std::filesystem::path&>(), py::arg("folder"), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly(
          "num_groups", [](const OpenDataset& d) { return d.ptr->groups().size(); },
          "Clips with one layout are a group.")
      .def_property_readonly(
          "num_clips", [](const OpenDataset& d) { return d.ptr->clips().size(); }, "In all groups.")
      .def_property_readonly(
          "hours", [](const OpenDataset& d) { return d.ptr->totals().hours; }, "Time of all clips.")
      .def_property_readonly(
          "licence", [](const OpenDataset& d) { return d.ptr->licence(); }, "Of the clips, where it was stated.")
      .def(
          "columns",
          [](const OpenDataset& d, int group, const std::string& block) {
            for (const BlockKind kind : features::kBlockKinds) {
              if (block == to_string(kind)) return column_names(group_at(*d.ptr, group).layout, kind);
            }
            throw py::value_error("blocks are input, output and condition");
          },
          py::arg("group") = 0, py::arg("block") = "input", "Names of a block's columns.")
      .def(
          "rows",
          [](const py::object& self, int group, int clip) {
            const dataset::Group& one = group_at(*self.cast<const OpenDataset&>().ptr, group);
            if (clip < 0 || static_cast<std::size_t>(clip) >= one.rows.size()) throw py::index_error("no such clip");
            const features::ClipRows& rows = one.rows[static_cast<std::size_t>(clip)];
            return view(rows.rows, {rows.num_rows, one.layout.frame_width()}, self, false);
          },
          py::arg("group") = 0, py::arg("clip") = 0,
          "Frame rows of a clip of the group, [rows, width]: the mapped file itself, read only, no copy.")
      .def(
          "samples",
          [](const std::shared_ptr<OpenDataset>& d, int group, const std::string& split, std::uint64_t seed,
             bool shuffle) {
            group_at(*d->ptr, group);
            return Samples(d, group, split, seed, shuffle);
          },
          py::arg("group") = 0, py::arg("split") = "train", py::arg("seed") = 1, py::arg("shuffle") = true,
          "Moments of a group. split: train, validation, test or all.");

  module.def("build_dataset", &build, py::arg("inputs"), py::arg("output"), py::arg("schema"), py::arg("fps") = 0,
             py::arg("mirror") = false, "Builds a dataset from files and folders. schema: a preset or a .toml file.");
}

}  // namespace zoe::python
