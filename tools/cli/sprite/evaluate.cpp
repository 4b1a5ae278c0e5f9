// SPDX-License-Identifier: MIT
#include "sprite/evaluate.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/file.h"
#include "zoe/core/thread_pool.h"
#include "zoe/render/picture_file.h"
#include "zoe/report/page.h"
#include "zoe/sprite/generate/evaluate.h"
#include "zoe/sprite/generate/evaluate_text.h"
#include "zoe/sprite/generate/score_table.h"

#include "sprite/network_file.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Split {
  std::string name;
  std::size_t num_clips = 0;
  std::vector<sprite::PaintScores> rows;
};

Json to_json(const sprite::PaintScores& scores, std::span<const sprite::PaintMeasure> measures) {
  Json row{{"method", scores.method}, {"clips", scores.num_clips}, {"frames", scores.num_frames}};
  for (const sprite::PaintMeasure& measure : measures) row[measure.key] = measure.of(scores);
  return row;
}

Json to_json(const std::vector<Split>& splits) {
  Json list = Json::array();
  for (const Split& split : splits) {
    const std::vector<sprite::PaintMeasure> measures = sprite::measures_of(split.rows);
    Json rows = Json::array();
    for (const sprite::PaintScores& row : split.rows) rows.push_back(to_json(row, measures));
    list.push_back({{"data", split.name}, {"rows", rows}});
  }
  return {{"splits", list}};
}

void print_split(const Split& split) {
  const std::vector<sprite::PaintMeasure> measures = sprite::measures_of(split.rows);
  std::size_t longest = 8;
  for (const sprite::PaintScores& row : split.rows) longest = std::max(longest, row.method.size());
  fmt::print("{}: {} clips\n", split.name, split.num_clips);
  const auto print = [&](const std::vector<std::string>& cells) {
    fmt::print("  {:<{}}", cells[0], longest);
    for (std::size_t i = 1; i < cells.size(); ++i) fmt::print("{:>8}", cells[i]);
    fmt::print("\n");
  };
  print(sprite::table_head(measures));
  for (const sprite::PaintScores& row : split.rows) print(sprite::table_row(row, measures));
}

std::string markdown_of(const std::vector<Split>& splits) {
  std::string text = "# Painters against true frames\n";
  for (const Split& split : splits) {
    const std::vector<sprite::PaintMeasure> measures = sprite::measures_of(split.rows);
    const auto line = [&](const std::vector<std::string>& cells) {
      for (const std::string& cell : cells) text += "| " + cell + " ";
      text += "|\n";
    };
    text += fmt::format(
        "\n## {}\n\n{} clips. The reference frame is not counted. The row \"truth\" is the score of the "
        "judges themselves.\n\n",
        split.name, split.num_clips);
    line(sprite::table_head(measures));
    line(std::vector<std::string>(measures.size() + 1, "---"));
    for (const sprite::PaintScores& row : split.rows) line(sprite::table_row(row, measures));
  }
  text += "\n## Measures\n\n";
  std::vector<sprite::PaintScores> all;
  for (const Split& split : splits) all.insert(all.end(), split.rows.begin(), split.rows.end());
  for (const sprite::PaintMeasure& measure : sprite::measures_of(all))
    text += fmt::format("- {}: {}\n", measure.name, measure.meaning);
  return text;
}

std::string html_of(const std::vector<Split>& splits) {
  std::string text = page_head("Painters against true frames");
  std::vector<sprite::PaintScores> all;
  for (const Split& split : splits) {
    const std::vector<sprite::PaintMeasure> measures = sprite::measures_of(split.rows);
    std::vector<std::vector<std::string>> rows;
    for (const sprite::PaintScores& row : split.rows) rows.push_back(sprite::table_row(row, measures));
    text += fmt::format("<h2>{}</h2><p>{} clips. The reference frame is not counted.</p>", escape_html(split.name),
                        split.num_clips) +
            html_table(sprite::table_head(measures), rows, "-" + std::string(measures.size(), 'n'));
    all.insert(all.end(), split.rows.begin(), split.rows.end());
  }
  std::vector<std::vector<std::string>> meanings;
  for (const sprite::PaintMeasure& measure : sprite::measures_of(all))
    meanings.push_back({measure.name, measure.meaning});
  const std::vector<std::string> head{"measure", "meaning"};
  return text + "<h2>Measures</h2>" + html_table(head, meanings);
}

// By the file's ending.
Result<void> write_report(const std::string& path, const std::vector<Split>& splits) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".md") return write_file_atomic(path, markdown_of(splits));
  if (ending == ".html") return write_file_atomic(path, html_of(splits));
  if (ending == ".json") return write_file_atomic(path, to_json(splits).dump(2) + "\n");
  return Error{ErrorCode::kUsage, "--report takes a name that ends in .md, .html or .json", {.file = path}};
}

Json text_json(const sprite::TextScores& scores, const std::string& name) {
  Json row{{"method", name}};
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q)
    if (scores.asked[q] > 0)
      row[paint::kQuestions[q].name] = {{"right", scores.right[q]}, {"captions", scores.asked[q]}};
  return row;
}

void print_text(const sprite::TextScores& scores, const std::string& name, int num_captions) {
  fmt::print("{} captions, {}:", num_captions, name);
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q)
    if (scores.asked[q] > 0)
      fmt::print(" {} {:.2f} ({} of {})", paint::kQuestions[q].name,
                 static_cast<double>(scores.right[q]) / scores.asked[q], scores.right[q], scores.asked[q]);
  fmt::print("\n");
  if (std::all_of(scores.pairs.begin(), scores.pairs.end(), [](int pairs) { return pairs == 0; })) return;
  fmt::print("  directions agree:");
  for (std::size_t q = 0; q < paint::kNumQuestions; ++q)
    if (scores.pairs[q] > 0)
      fmt::print(" {} {:.2f}", paint::kQuestions[q].name, static_cast<double>(scores.agree[q]) / scores.pairs[q]);
  fmt::print("\n");
}

// Prints how well it does on collections that it has not seen.
Result<sprite::DrawnJudge> fit_drawn_judge(const std::vector<std::string>& drawn,
                                           const std::vector<std::string>& rendered, bool silent) {
  if (drawn.size() < 2 || rendered.empty())
    return Error{ErrorCode::kUsage, "a judge of the look needs two collections of --drawn and one of --rendered", {}};
  std::vector<sprite::DrawnSample> samples;
  for (const auto* packs : {&drawn, &rendered}) {
    for (const std::string& folder : *packs) {
      ZOE_TRY_ASSIGN(const paint::ClipFile clips, paint::ClipFile::open(folder));
      const std::string name = std::filesystem::path(folder).filename().string();
      const std::vector<sprite::DrawnSample> more = sprite::drawn_samples(clips, name, packs == &drawn);
      samples.insert(samples.end(), more.begin(), more.end());
    }
  }
  if (!silent) {
    const sprite::DrawnScore score = sprite::leave_one_out(samples);
    fmt::print(
        "drawn or rendered, each collection judged by the others: drawings right {:.2f}, renders {:.2f}; a figure is "
        "more drawn than {:.2f} of the renders\n",
        score.drawn_right, score.rendered_right, score.ahead);
    for (const auto& collection : score.collections)
      fmt::print("  {} {:.2f} of {}, {:.2f}\n", collection.name, collection.right, collection.num_figures,
                 collection.ahead);
  }
  return sprite::DrawnJudge::fit(samples);
}

// A network that paints single frames, or one that paints clips.
struct Subject {
  std::optional<paint::Painter> painter;
  std::optional<paint::VideoPainter> video;
};
Result<Subject> load_subject(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const nn::NetworkPtr network, nn::load_network(path));
  Subject subject;
  if (network->metadata().contains(paint::kWordsKey)) {
    ZOE_TRY_ASSIGN(subject.video, paint::VideoPainter::create(network));
  } else {
    ZOE_TRY_ASSIGN(subject.painter, paint::Painter::create(network));
  }
  return subject;
}

}  // namespace

int run_eval_sprite(const Arguments& arguments) {
  Options app;
  std::vector<std::string> models, data, word_judges, reports, drawn_packs, rendered_packs;
  std::string judge_path, sheet, first_path;
  bool json = false, oracles = false, flat = false;
  int sheet_clips = 12, steps = 0, num_captions = 0, directions = 1;
  std::uint64_t caption_seed = 0;
  float guidance = 2;
  app.add_option("models", models,
                 "Runs of `zoe train sprite` or `sprite_video`, or their networks; none: trivial methods only")
      ->reads();
  app.add_option("--data", data, "Folders of `zoe sprite pack --truth`, each a split of its own")->reads();
  app.add_option("--text", num_captions, "Also clips of N random captions, judged by --words")->between(1, 10000);
  app.add_option("--text-seed", caption_seed, "Of the first caption's character; default 4000000");
  app.add_option("--directions", directions, "With --text: 4 also says how often the judges' answers agree")
      ->between(1, 8);
  app.add_option("--judge", judge_path, "Run of `zoe train sprite_judge`, for poses and actions")->reads();
  app.add_option("--words", word_judges, "Runs of `zoe train sprite_words`: actions, looks, drawn or rendered")
      ->reads();
  app.add_option("--drawn", drawn_packs,
                 "Packs of hand-drawn figures, each a collection: with --rendered a judge of the look is fitted")
      ->reads();
  app.add_option("--rendered", rendered_packs, "Packs of renders that it tells them from")->reads();
  app.add_option("--report", reports, "Files to write: .md, .html or .json")->writes();
  app.add_option("--sheet", sheet, "Picture of the first clips: truth, puppet, painter below each other")->writes();
  app.add_option("--sheet-clips", sheet_clips, "Clips on it")->between(1, 100)->capture_default_str();
  app.add_option("--steps", steps, "Of the samplers of sprite_video; default the model's")->between(1, 50);
  app.add_option("--guidance", guidance, "With --text: how much captions count, as in `zoe sprite generate`")
      ->between(1, 10)
      ->capture_default_str();
  app.add_option("--painter", first_path,
                 "Network of `zoe train sprite` whose frames a sprite_video begins with; default models/painter")
      ->reads();
  app.add_flag("--flat", flat, "Also the networks with poses that lack depth and facing, as OpenPose draws them");
  app.add_flag("--oracles", oracles, "Also what the best choice among a painter's candidates reaches");
  app.add_flag("--json", json, "Print everything as one object");
  if (const auto exit = parse(app, arguments)) return *exit;
  if (data.empty() && num_captions == 0 && drawn_packs.empty()) {
    print_error("give packs (--data PACK) or a number of captions (--text N)");
    return kWrongUsage;
  }
  nn::NetworkPtr judge;
  if (!judge_path.empty()) {
    Result<nn::NetworkPtr> network = nn::load_fixed_network(network_file(judge_path));
    if (!network) return print_error(network.error());
    judge = *network;
  }
  std::vector<nn::NetworkPtr> words;
  std::vector<const nn::Network*> asked;
  for (const std::string& path : word_judges) {
    Result<nn::NetworkPtr> network = nn::load_fixed_network(network_file(path));
    if (!network) return print_error(network.error());
    words.push_back(*network);
    asked.push_back(words.back().get());
  }
  std::vector<Subject> subjects;
  for (const std::string& model : models) {
    Result<Subject> subject = load_subject(network_file(model));
    if (!subject) return print_error(subject.error());
    subjects.push_back(std::move(*subject));
  }
  std::optional<sprite::DrawnJudge> drawn;
  if (!drawn_packs.empty() || !rendered_packs.empty()) {
    Result<sprite::DrawnJudge> fitted = fit_drawn_judge(drawn_packs, rendered_packs, json);
    if (!fitted) return print_error(fitted.error());
    drawn = std::move(*fitted);
  }
  std::optional<paint::Painter> first;
  for (const Subject& subject : subjects) {
    if (first || !subject.video || !subject.video->begins_painted()) continue;
    Result<paint::Painter> painter = paint::Painter::load(painter_file(first_path, "painter"));
    if (!painter) return print_error(painter.error());
    first = std::move(*painter);
  }
  const sprite::VideoLook look{.steps = steps, .first = first ? &*first : nullptr};
  std::vector<Split> splits;
  for (const std::string& folder : data) {
    const Result<paint::ClipFile> clips = paint::ClipFile::open(folder);
    if (!clips) return print_error(clips.error());
    Split split{folder, clips->num_clips(), {}};
    std::vector<sprite::PaintScores> seeds;
    const auto models_name = [&](std::size_t m) { return m < models.size() ? models[m] : std::string(); };
    for (std::size_t m = 0; m < std::max<std::size_t>(1, subjects.size()); ++m) {
      sprite::EvaluatePainter job{
          .clips = &*clips, .judge = judge.get(), .words = asked, .only_painter = m > 0, .oracles = oracles};
      job.drawn = drawn ? &*drawn : nullptr;
      if (!subjects.empty()) {
        job.painter = subjects[m].painter ? &*subjects[m].painter : nullptr;
        job.video = subjects[m].video ? &*subjects[m].video : nullptr;
        job.look = look;
        job.flat = flat;
      }
      Result<std::vector<sprite::PaintScores>> scores = job.run(ThreadPool::shared());
      if (!scores) {
        Error error = scores.error();
        if (error.where.file.empty()) error.where.file = folder;
        return print_error(error);
      }
      for (sprite::PaintScores& row : *scores) {
        if (row.method == "painter" || row.method == "video") row.method = models_name(m);
        if (m > 0 && row.method == "truth") continue;
        // Networks of the first one's type are seeds of one setting.
        if (row.method == models_name(m) && subjects[m].video.has_value() == subjects[0].video.has_value())
          seeds.push_back(row);
        if (row.method == "flat") row.method = models_name(m) + ", flat poses";
        split.rows.push_back(std::move(row));
      }
      if (m == 0 && !sheet.empty()) {
        const Result<void> written =
            write_file_atomic(sheet, render::encode_png(job.sheet(sheet_clips), render::PngAlpha::kDrop));
        if (!written) return print_error(written.error());
      }
    }
    if (seeds.size() > 1) {
      split.rows.push_back(sprite::mean_scores(seeds, fmt::format("mean of {}", seeds.size())));
      split.rows.push_back(sprite::spread_scores(seeds, "spread"));
    }
    if (!json) print_split(split);
    splits.push_back(std::move(split));
  }
  Json texts = Json::array();
  for (std::size_t m = 0; num_captions > 0 && m < std::max<std::size_t>(1, subjects.size()); ++m) {
    sprite::EvaluateText job{.num_captions = num_captions, .num_directions = directions, .words = asked};
    if (caption_seed > 0) job.seed = caption_seed;
    if (m < subjects.size() && subjects[m].video) job.painter = &*subjects[m].video;
    if (m > 0 && job.painter == nullptr) continue;
    job.look.steps = steps;
    job.look.guidance = guidance;
    job.look.first = look.first;
    const Result<std::vector<sprite::TextScores>> rows = job.run(ThreadPool::shared());
    if (!rows) return print_error(rows.error());
    for (const sprite::TextScores& row : *rows) {
      if (m > 0 && row.method == "factory") continue;
      const std::string name = row.method == "video"      ? models[m]
                               : row.method == "animated" ? "the factory's still by " + models[m]
                                                          : row.method;
      texts.push_back(text_json(row, name));
      if (!json) print_text(row, name, num_captions);
    }
  }
  if (json) {
    Json all = to_json(splits);
    if (num_captions > 0) all["captions"] = texts;
    fmt::print("{}\n", all.dump(2));
  }
  for (const std::string& path : reports)
    if (const Result<void> written = write_report(path, splits); !written) return print_error(written.error());
  return kDone;
}

}  // namespace zoe::cli
