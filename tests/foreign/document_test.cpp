#include <taut/core/error.hpp>
#include <taut/foreign/document.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace taut {
namespace {

TEST(Document, ReadsJson) {
  const std::string text =
      R"( {"a": [1, -2.5e3 , 1E-1], "t": "x\"\u00e9\ud83d\ude00\n", "o": {"yes": true, "none": null}, "m": [1, [2]], "e": []} )";
  const Document document = Document::of_json(text);
  EXPECT_EQ(document.at("a").doubles("a"), (std::vector<double>{1, -2500, 0.1}));
  EXPECT_EQ(document.at("a").floats("a"), (std::vector<float>{1, -2500, 0.1F}));
  EXPECT_EQ(document.at("t").text("t"), "x\"é😀\n");
  EXPECT_EQ(document.at("o").at("yes").number("yes"), 1);
  EXPECT_EQ(document.at("m").items("m").size(), 2U);
  EXPECT_TRUE(document.at("e").doubles("e").empty());
  EXPECT_EQ(document.find("absent"), nullptr);
  EXPECT_THROW(document.at("absent"), Error);
  EXPECT_THROW(document.at("a").integers("a"), Error);
  EXPECT_THROW(document.at("t").doubles("t"), Error);
}

TEST(Document, ReadsNumbersAsWhatTheyAreAskedFor) {
  const std::string text = R"({"list": [NaN, -Infinity,Infinity, 1E39,-0], "one": [5],
                               "halfway": [1.00000005960464477540], "blank": [ ], "t": "[1]"})";
  const Document document = Document::of_json(text);
  const auto found = document.at("list").floats("list");
  ASSERT_EQ(found.size(), 5U);
  EXPECT_TRUE(std::isnan(found[0]));
  EXPECT_EQ(found[1], -HUGE_VALF);
  EXPECT_EQ(found[2], HUGE_VALF);
  EXPECT_EQ(found[3], HUGE_VALF);  // beyond the range of floats
  EXPECT_TRUE(std::signbit(found[4]));
  EXPECT_EQ(document.at("one").integers("one"), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(document.at("halfway").floats("halfway"),
            (std::vector<float>{0x1.000002p0F}));  // through a double it would be rounded to even
  EXPECT_TRUE(document.at("blank").items("blank").empty());
  EXPECT_EQ(document.at("t").text("t"), "[1]");
}

TEST(Document, RefusesBadJson) {
  for (const char* text :
       {"", "{", "[1,2", "{\"a\":}", "{\"a\" 1}", "\"abc", "{} x", "nul", "[\"\\u12\"]", "{\"a\":1,}", "[1] 2", "\"a\\"})
    EXPECT_THROW(Document::of_json(text), Error) << text;
  for (const char* list : {"[1,,2]", "[1 2]", "[1,]", "[1e]", "[--1]"})  // lists are parsed when they are read
    EXPECT_THROW(Document::of_json(list).doubles("list"), Error) << list;
}

TEST(Document, ReadsUbjson) {
  using namespace std::string_literals;
  const std::string bytes =
      "{L\0\0\0\0\0\0\0\1a[$d#L\0\0\0\0\0\0\0\2\x3f\x80\0\0\xc0\0\0\0L\0\0\0\0\0\0\0\1b[#L\0\0\0\0\0\0\0\3i\xffU\xffI\1\0L\0\0\0\0\0\0\0\1sSL\0\0\0\0\0\0\0\2hiL\0\0\0\0\0\0\0\1tT}"s;
  const Document document = Document::of_ubjson(bytes);
  EXPECT_EQ(document.at("a").doubles("a"), (std::vector<double>{1, -2}));
  EXPECT_EQ(document.at("b").integers("b"), (std::vector<std::int64_t>{-1, 255, 256}));
  EXPECT_EQ(document.at("s").text("s"), "hi");
  EXPECT_EQ(document.at("t").number("t"), 1);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_THROW(Document::of_ubjson(bytes.substr(0, cut)), Error) << cut;
  EXPECT_THROW(Document::of_ubjson("[$d#L\x7f\xff\xff\xff\xff\xff\xff\xff"s), Error);
  EXPECT_THROW(Document::of_ubjson("[#L\x7f\xff\xff\xff\xff\xff\xff\xff"s), Error);
  for (const char* type : {"T", "Z", "F", "S", "[", "{", "H", "x"})  // values that take no bytes are counted too
    EXPECT_THROW(Document::of_ubjson("[$"s + type + "#L\x7f\xff\xff\xff\xff\xff\xff\xff"s), Error) << type;
  EXPECT_THROW(Document::of_ubjson("SL\x7f\xff\xff\xff\xff\xff\xff\xffhi"s), Error);
  EXPECT_THROW(Document::of_ubjson(std::string(100'000, '[')), Error);
}

}  // namespace
}  // namespace taut
