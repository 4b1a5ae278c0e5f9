// SPDX-License-Identifier: MIT
// Our TOML reader against toml++, over everything TOML that we have, cases written by hand, and damaged copies of both.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"
#include "zoe/store/safetensors.h"

#include "store/toml.h"
#include "store/toml_reference.h"
#include "support/allocation.h"

namespace zoe {
namespace {

namespace fs = std::filesystem;

// NaN is equal to NaN here.
bool same_value(const ConfigValue& a, const ConfigValue& b) {
  if (a.index() != b.index()) return false;
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  if (const auto* x = std::get_if<double>(&a)) return same(*x, std::get<double>(b)) || (*x != *x && a.index() == 2);
  if (const auto* x = std::get_if<std::vector<double>>(&a)) {
    const auto& y = std::get<std::vector<double>>(b);
    return std::equal(x->begin(), x->end(), y.begin(), y.end(),
                      [&](double p, double q) { return same(p, q) || (p != p && q != q); });
  }
  return a == b;
}

// How ours and the reference's answers differ; empty when they do not.
std::string difference(std::string_view text) {
  const test::TomlReference theirs = test::parse_with_tomlplusplus(text);
  const Result<std::vector<TomlItem>> ours = parse_toml(text, "");
  if (!ours) {
    if (theirs.verdict == test::TomlVerdict::kAccepted) return "only ours refuses: " + ours.error().format();
    return {};
  }
  if (theirs.verdict != test::TomlVerdict::kAccepted) return "only ours accepts; toml++: " + theirs.reason;
  std::vector<TomlItem> items = *ours;
  std::vector<test::TomlReferenceItem> others = theirs.values;
  const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
  std::stable_sort(items.begin(), items.end(), by_key);
  std::stable_sort(others.begin(), others.end(), by_key);
  if (items.size() != others.size()) return "other numbers of keys";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].key != others[i].key) return "key '" + items[i].key + "' is '" + others[i].key + "' for toml++";
    if (!same_value(items[i].value, others[i].value)) {
      return items[i].key + " is " + format_toml_value(items[i].value) + ", for toml++ " +
             format_toml_value(others[i].value);
    }
    if (items[i].where.line != others[i].line) return items[i].key + " is in another line";
  }
  return {};
}

const std::vector<std::string>& hand_written() {
  static const std::vector<std::string> cases{
      "",
      "\n\n",
      "# comment",
      "a = 1",
      "a=1",
      "a = 1 # one\r\nb = 2\r\n",
      "[a]\n[a.b]\n[a.b.c]\nd = 1",
      "[a.b.c]\nd = 1\n[a]\ne = 1\n[a.b]\nf = 1",
      "[a.b]\n[a]\nb.c = 1",
      "[a.b.c]\n[a]\nb.d = 1",
      "[a]\nb.c = 1\n[a.b]",
      "[a]\nb.c = 1\n[a.b.d]\ne = 1",
      "a.b = 1\na.c = 2\n[a]",
      "a.b = 1\n[a.c]\nd = 2",
      "a.b.c = 1\na.b = 2",
      "a = 1\na = 2",
      "a = 1\n[a]",
      "a = []\n[a]",
      "[a]\n[a]",
      "[]",
      "[a.]",
      "[.a]",
      "[a..b]",
      "[ a ]",
      "[a] b",
      "[a]]",
      "[a",
      "\"\" = 1",
      "'' = 1",
      "\"a.b\".c = 1",
      "a . b . c = 1",
      "a..b = 1",
      ".a = 1",
      "a. = 1",
      "a-b_c1 = 1\n1 = 2\n-1 = 3",
      "a b = 1",
      "é = 1",
      "'é' = 1",
      "'''a''' = 1",
      "a",
      "a =",
      "a = \n",
      "= 1",
      "a = 1 b = 2",
      "a == 1",
      "a = 0",
      "a = +0",
      "a = -0",
      "a = 00",
      "a = 01",
      "a = 1_0",
      "a = 1__0",
      "a = 1_",
      "a = _1",
      "a = 0x1F",
      "a = 0xaB_cD",
      "a = 0x",
      "a = 0x_1",
      "a = 0X1",
      "a = -0x1",
      "a = 0o17",
      "a = 0o8",
      "a = 0b11",
      "a = 0b12",
      "a = 9223372036854775807",
      "a = 9223372036854775808",
      "a = -9223372036854775808",
      "a = -9223372036854775809",
      "a = 0x7FFFFFFFFFFFFFFF",
      "a = 0x8000000000000000",
      "a = 1.0",
      "a = -1.5e-3",
      "a = 1e5",
      "a = 1E+5",
      "a = 1e0_5",
      "a = 1.",
      "a = .1",
      "a = 1.e1",
      "a = 1e",
      "a = 01.0",
      "a = 1_0.0_1",
      "a = 1_.0",
      "a = 1._0",
      "a = 1e1.0",
      "a = 1e1e1",
      "a = 1.0.0",
      "a = 3.141592653589793238462643383279",
      "a = 0.1",
      "a = 1e308",
      "a = 5e-324",
      "a = inf",
      "a = +inf",
      "a = -inf",
      "a = nan",
      "a = +nan",
      "a = Inf",
      "a = NaN",
      "a = infinity",
      "a = true",
      "a = false",
      "a = True",
      "a = truex",
      "a = true # yes",
      "a = ''",
      "a = \"\"",
      "a = 'C:\\x'",
      "a = \"\\\\\\\"\\b\\t\\n\\f\\r\\u0041\\U0001F600\"",
      "a = \"\\x41\"",
      "a = \"\\e\"",
      "a = \"\\/\"",
      "a = \"\\u123\"",
      "a = \"\\uD800\"",
      "a = \"\\U00110000\"",
      "a = \"tab\tinside\"",
      "a = \"a\nb\"",
      "a = 'a\nb'",
      "a = 'it''s'",
      "a = \"",
      "a = '",
      "a = \"\"\"",
      "a = \"\"\"\"",
      "a = \"\"\"\"\"",
      "a = \"\"\"\"\"\"",
      "a = \"\"\"\"\"\"\"",
      "a = \"\"\"\"\"\"\"\"",
      "a = \"\"\"\"\"\"\"\"\"",
      "a = \"\"\"x\"\"\"\"\"",
      "a = \"\"\"x\"\"\"\"\"\"",
      "a = \"\"\"\nline\r\nline\"\"\"",
      "a = \"\"\"one \\\n   \n  two\"\"\"",
      "a = \"\"\"one \\  \n two\"\"\"",
      "a = \"\"\"one \\ two\"\"\"",
      "a = \"\"\"\"quoted\" and \"\"double\"\"\"\"\"",
      "a = '''",
      "a = ''''''",
      "a = '''''''",
      "a = ''''''''''",
      "a = '''\n'x'\n'''",
      "a = '''\r\nx\r\n'''",
      "a = '''\\'''",
      "a = []",
      "a = [ ]",
      "a = [1]",
      "a = [1,]",
      "a = [,]",
      "a = [1,,2]",
      "a = [1 2]",
      "a = [1, 2.5]",
      "a = [\n1, # one\n2\n,\n3 ]",
      "a = [\n# nothing\n]",
      "a = ['x', \"y\", '''z''']",
      "a = [1",
      "a = [1,",
      "a = [1\nb = 2",
      "a = ]",
      "a = [1]]",
      "a = [1] # end",
      "a = 1 , b",
      "a = 1\tb",
      "\t a = 1",
      "a = 1\\",
      "a = b",
      "a = b.c",
      "a = 1\r",
      "a = 1\rb = 2",
      "# \x01",
      "# \x7F",
      "# \xFF",
      "# é",
      "a = '\x01'",
      "a = '\x7F'",
      "a = \"\xC3\x28\"",
      "a\x0C = 1",
      std::string("a = 1\0", 6),
      "\xEF\xBB\xBF"
      "a = 1",
      "\xEF\xBB\xBF",
      "a = 1\n\xEF\xBB\xBF",
      "a = \xC2\xA0"
      "1",
  };
  return cases;
}

// Valid TOML that settings do not have.
const std::vector<std::string>& unsupported() {
  static const std::vector<std::string> cases{"a = 1979-05-27",          "a = 07:32:00", "a = 1979-05-27T07:32:00Z",
                                              "a = 1979-05-27 07:32:00", "a = {}",       "a = {b = 1}",
                                              "a = [{b = 1}]",           "[[a]]",        "[[a]]\nb = 1\n[[a]]",
                                              "a = [[1], [2]]",          "a = [1, 'x']", "a = [true]",
                                              "a = [1979-05-27]"};
  return cases;
}

fs::path source_dir() {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  return source != nullptr ? source : ".";
}

// All TOML in the repository: files, and what networks carry in their metadata.
std::vector<std::string> our_files() {
  std::vector<std::string> texts;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_dir() / "models")) {
    if (entry.path().extension() == ".toml") texts.emplace_back(MappedFile::open(entry.path()).value().text());
    if (entry.path().extension() != ".safetensors") continue;
    const auto file = Safetensors::open(entry.path());
    for (const auto& [key, text] : file->metadata())
      if (key == "layout" || key == "config" || key == "schema") texts.push_back(text);
  }
  return texts;
}

TEST(TomlDifferential, CasesByHand) {
  for (const std::string& text : hand_written()) EXPECT_EQ(difference(text), "") << "<<" << text << ">>";
}

TEST(TomlDifferential, UnsupportedIsUnsupportedToBoth) {
  for (const std::string& text : unsupported()) {
    const auto ours = parse_toml(text, "");
    ASSERT_FALSE(ours) << text;
    EXPECT_EQ(ours.error().code, ErrorCode::kInvalid) << text;
    EXPECT_EQ(test::parse_with_tomlplusplus(text).verdict, test::TomlVerdict::kUnsupported) << text;
  }
}

TEST(TomlDifferential, OurOwnFiles) {
  const std::vector<std::string> texts = our_files();
  ASSERT_GE(texts.size(), 6U);
  for (const std::string& text : texts) {
    EXPECT_EQ(difference(text), "");
    EXPECT_GT(parse_toml(text, "").value().size(), 5U);
  }
}

// Cut out, doubled, swapped and changed pieces: mostly nearly valid.
std::string damage(const std::string& text, Random& random) {
  static constexpr std::string_view kLetters = "\n\n\r\t  =.,#[]{}\"\"''\\_+-0123456789eExobuUinfantrueabc\x7F\xC3\xA9";
  std::string out = text;
  const int changes = 1 + static_cast<int>(random.below(3));
  for (int i = 0; i < changes && !out.empty(); ++i) {
    const std::size_t at = random.below(out.size());
    const std::size_t length = std::min<std::size_t>(1 + random.below(6), out.size() - at);
    switch (random.below(5)) {
      case 0:
        out.erase(at, length);
        break;
      case 1:
        out.insert(at, out.substr(at, length));
        break;
      case 2:
        out[at] = kLetters[random.below(kLetters.size())];
        break;
      case 3:
        out.insert(at, 1, kLetters[random.below(kLetters.size())]);
        break;
      default:
        out.insert(at, out.substr(random.below(out.size()), length));
    }
  }
  return out;
}

TEST(TomlDifferential, DamagedTexts) {
  std::vector<std::string> seeds = hand_written();
  const std::vector<std::string> files = our_files();
  for (const std::string& text : files) {
    for (std::size_t at = 0; at < text.size(); at += 300) seeds.push_back(text.substr(at, 300));
  }
  Random random(11);
  int accepted = 0, refused = 0, failures = 0;
  const int num_rounds = test::kSanitized ? 30'000 : 300'000;
  for (int round = 0; round < num_rounds; ++round) {
    const std::string text = damage(seeds[random.below(seeds.size())], random);
    const std::string found = difference(text);
    (parse_toml(text, "") ? accepted : refused) += 1;
    if (!found.empty() && ++failures <= 10) ADD_FAILURE() << found << "\n<<" << text << ">>";
  }
  EXPECT_EQ(failures, 0);
  EXPECT_GT(accepted, num_rounds / 10);
  EXPECT_GT(refused, num_rounds / 10);
}

}  // namespace
}  // namespace zoe
