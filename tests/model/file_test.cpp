// A model file with any defect is refused as a whole, with a message.
#include <taut/model/file.hpp>

#include <taut/core/error.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

std::string refusal(const std::string& bytes) {
  try {
    Regressor::from_bytes(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

const std::string& small_model() {
  static const std::string bytes = [] {
    FitOptions options = testing::given_options();
    options.epochs = 3;
    options.sides = "one";
    return Regressor::fit(testing::small_table(120), options).to_bytes();
  }();
  return bytes;
}

TEST(ModelFile, ChecksumIsCrc64Xz) { EXPECT_EQ(checksum("123456789"), 0x995DC9BBDF1939FAULL); }

TEST(ModelFile, EveryFlippedBitIsNoticed) {
  std::string bytes = small_model();
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 400 + 1) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    EXPECT_NE(refusal(bytes), "accepted") << at;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
  }
  EXPECT_EQ(refusal(bytes), "accepted");
}

TEST(ModelFile, EveryTruncationIsNoticed) {
  const std::string& bytes = small_model();
  for (std::size_t size = 0; size < bytes.size(); size += bytes.size() / 300 + 1)
    EXPECT_NE(refusal(bytes.substr(0, size)), "accepted") << size;
  EXPECT_NE(refusal(bytes + "x"), "accepted");
}

TEST(ModelFile, SaysWhatIsWrong) {
  EXPECT_NE(refusal("id,price\n1,2\n").find("not a Taut model"), std::string::npos);
  std::string newer = small_model();
  newer[8] = 9;
  EXPECT_NE(refusal(newer).find("format version 9"), std::string::npos);
  EXPECT_NE(refusal(small_model().substr(0, 100)).find("cut short"), std::string::npos);
}

// A hostile file has a correct checksum. Then the archive and the parts must refuse it, and never crash.
TEST(ModelFile, HostilePayloadsAreRefusedOrHarmless) {
  const std::string payload(unframe(small_model()));
  Random random(5);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    std::string changed = payload;
    const auto at = static_cast<std::size_t>(random.below(std::ssize(changed)));
    changed[at] = static_cast<char>(random.below(256));
    try {
      const Regressor model = Regressor::from_bytes(frame(changed));
      model.predict_interval(testing::small_table(5), std::vector<double>{0.9});
    } catch (const Error&) {
    }
  }
}

// Names are flat, whatever they look like, and trees are walked in a loop, not recursively. Nested names of parts are refused
// before anything recurses.
TEST(ModelFile, AMillionLevelsDoNoHarm) {
  constexpr std::size_t levels = 1'000'000;
  const auto file_with = [](const std::string& name, const Archive::Value& value) {
    Archive archive = Archive::decode(unframe(small_model()));
    archive.put(name, value);
    return archive;
  };
  const auto nested = [](const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < levels; ++i) all += text;
    return all;
  };
  EXPECT_EQ(refusal(frame(file_with(nested("a/"), std::int64_t{1}).encode())), "accepted");
  EXPECT_NE(refusal(frame(file_with("transform", nested("mixture:")).encode())).find("mixture"), std::string::npos);
  EXPECT_NE(refusal(frame(file_with("options/objective", nested("power:")).encode())).find("power"), std::string::npos);

  std::vector<std::int32_t> features = {0};
  for (std::size_t i = 1; i < levels; ++i) features.insert(features.end(), {-1, 0});
  features.insert(features.end(), {-1, -1});
  const std::size_t nodes = features.size();
  Archive deep = file_with("localization/member0/stage0/trees/sizes", std::vector{static_cast<std::int32_t>(nodes)});
  deep.put("localization/member0/stage0/trees/features", features);
  deep.put("localization/member0/stage0/trees/values", std::vector<float>(nodes, 0.5F));
  deep.put("localization/member0/stage0/trees/missing_left", std::vector<std::uint8_t>(nodes));
  const Regressor model = Regressor::from_bytes(frame(deep.encode()));
  EXPECT_TRUE(model.predict_interval(testing::small_table(20), std::vector<double>{0.5}).at(0, 0).finite());
}

}  // namespace
}  // namespace taut
