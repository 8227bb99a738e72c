#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Printable, EscapesWhatIsNotSeen) {
  // A colour by an escape, by C1 as a byte and as a character; marks of direction; ends of lines.
  EXPECT_STREQ(printable("e\x1b[31m\x9b[31m\xc2\x9b[31m\x7f\xff\r\nz").begin(),
               R"(e\x1b[31m\x9b[31m\x9b[31m\x7f\xff\x0d\x0az)");
  EXPECT_STREQ(printable("\u061c\u200e\u2028\u202e\u2066").begin(),
               R"(\u061c\u200e\u2028\u202e\u2066)");
  EXPECT_STREQ(printable("größe 関数 \u05d0\u200d").begin(), "größe 関数 \u05d0\u200d");
}

TEST(Printable, EscapesEachByteOfWhatIsNotUtf8) {
  EXPECT_STREQ(printable("\xe2\x80").begin(), R"(\xe2\x80)");                 // cut short
  EXPECT_STREQ(printable("\xc0\xaf").begin(), R"(\xc0\xaf)");                 // too long
  EXPECT_STREQ(printable("\xed\xa0\x80").begin(), R"(\xed\xa0\x80)");         // a surrogate
  EXPECT_STREQ(printable("\xf4\x90\x80\x80").begin(), R"(\xf4\x90\x80\x80)"); // beyond Unicode
}

TEST(ShellWord, IsQuotedIfNecessary) {
  EXPECT_STREQ(shell_word("std::sort").begin(), "std::sort");
  EXPECT_STREQ(shell_word("f(int)").begin(), "'f(int)'");
  EXPECT_STREQ(shell_word("it's").begin(), R"('it'\''s')");
  EXPECT_STREQ(shell_word("").begin(), "''");
}

} // namespace
