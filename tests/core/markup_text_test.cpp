// SPDX-License-Identifier: MIT
#include "zoe/core/markup_text.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(MarkupText, NothingCanEndATextOrAnAttribute) {
  EXPECT_EQ(escape_markup("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(escape_markup("&amp;"), "&amp;amp;");
  EXPECT_EQ(escape_markup("Füße 'x'"), "Füße 'x'");
  EXPECT_EQ(escape_markup(""), "");
}

}  // namespace
}  // namespace zoe
