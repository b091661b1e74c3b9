#include <taut/core/archive.hpp>
#include <taut/core/error.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

Archive example() {
  Archive archive;
  archive.put("version", std::int64_t{3});
  Archive part = archive.scope("predictor");
  part.put("rate", 0.1);
  part.put("name", std::string("knn"));
  part.put("levels", Archive::Texts{"a", "", "ü"});
  part.put("rows", MatrixF::Constant(2, 3, 1.5F).eval());
  part.put("codes", std::vector<std::int32_t>{1, -1});
  return archive;
}

TEST(Archive, ComesBackTheSame) {
  const Archive archive = example();
  const Archive back = Archive::decode(archive.encode());
  EXPECT_EQ(back.encode(), archive.encode());
  EXPECT_EQ(back.integer("version"), 3);
  const Archive part = back.scope("predictor");
  EXPECT_EQ(part.number("rate"), 0.1);
  EXPECT_EQ(part.texts("levels"), (Archive::Texts{"a", "", "ü"}));
  EXPECT_EQ(part.get<MatrixF>("rows"), MatrixF::Constant(2, 3, 1.5F));
  EXPECT_TRUE(back.has_scope("predictor"));
  EXPECT_FALSE(back.has_scope("predict"));
}

TEST(Archive, EveryTruncationIsRefused) {
  const std::string bytes = example().encode();
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(Archive::decode(bytes.substr(0, size)), Error) << size;
  EXPECT_THROW(Archive::decode(bytes + '\0'), Error);
}

// A length that claims 2^60 items must be refused before anything is allocated for it.
TEST(Archive, EveryHugeLengthIsRefused) {
  const std::string bytes = example().encode();
  for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at + 7] = '\x10';
    try {
      Archive::decode(damaged);
    } catch (const Error&) {
    }
  }
}

TEST(Archive, MissingAndMistypedEntriesAreNamed) {
  const Archive archive = example();
  EXPECT_THROW(archive.number("absent"), Error);
  try {
    archive.scope("predictor").integer("rate");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("predictor/rate"), std::string::npos);
  }
  EXPECT_THROW(archive.integer_in("version", 4, 9), Error);
}

}  // namespace
}  // namespace taut
