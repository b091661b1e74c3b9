#include <taut/report/answer.hpp>

#include <taut/report/facts.hpp>
#include <taut/report/page.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

TEST(Words, Numbers) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(0.012345), "0.0123");
  EXPECT_EQ(number_text(0.0003), "0.0003");
  EXPECT_EQ(number_text(-4.5678), "−4.57");
  EXPECT_EQ(number_text(999.9), "1,000");
  EXPECT_EQ(number_text(1234567), "1,230,000");
  EXPECT_EQ(number_text(1.5e-7), "1.5e−7");
  EXPECT_EQ(number_text(-2e15), "−2e15");
  EXPECT_EQ(number_text(infinity), "∞");
  EXPECT_EQ(number_text(-infinity), "−∞");
  EXPECT_EQ(number_text(missing), "unknown");
  EXPECT_EQ(number_text(1234.5, 6), "1,234.5");
  EXPECT_EQ(text_with_unit(3, "mm"), "3 mm");
  EXPECT_EQ(text_with_unit(infinity, "mm"), "∞");
  EXPECT_EQ(share_text(0.9017), "90.2 %");
  EXPECT_EQ(share_text(0.9125), "91.3 %");
  EXPECT_EQ(share_text(1), "100.0 %");
  EXPECT_EQ(share_text(0.99999), "99.999 %");  // not 100 %
  EXPECT_EQ(level_text(0.57), "57 %");
  EXPECT_EQ(level_text(0.995), "99.5 %");
  EXPECT_EQ(two_shares(0.8912, "to", 0.909), "89.1 to 90.9 %");
}

TEST(Words, OneIsSingular) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "test row"), "1 test row");
  EXPECT_EQ(counted(1200, "row"), "1,200 rows");
}

TEST(Words, Shortened) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("longer", 5), "long…");
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");
  EXPECT_EQ(shortened("äöüßé", 4), "äöü…");
}

TEST(Words, ShellWords) {
  EXPECT_EQ(shell_word("data.csv"), "data.csv");
  EXPECT_EQ(shell_word("my data.csv"), "'my data.csv'");
  EXPECT_EQ(shell_word("it's; $(rm)"), "'it'\\''s; $(rm)'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Words, NothingCanEndItsElement) {
  EXPECT_EQ(escaped_html("<b a='1' c=\"2\">&"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
  const std::string safe = script_safe(R"({"a":"</script><!--&"})");
  EXPECT_EQ(safe, R"({"a":"\u003c/script\u003e\u003c!--\u0026"})");
}

}  // namespace
}  // namespace taut
