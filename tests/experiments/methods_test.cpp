#include <experiments/methods.hpp>

#include <taut/core/error.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

std::string complaint_about(const std::string& words) {
  try {
    read_method(words, {});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Methods, AllListedOnesAreFits) {
  const auto all = named_methods({});
  EXPECT_EQ(all.size(), paper_methods().size() + own_methods().size());
  for (const auto& method : all) EXPECT_NO_THROW(method.options.check()) << method.name;
  EXPECT_EQ(named_methods({"sigma", "erc"}).front().name, "erc");
  EXPECT_THROW(named_methods({"expp"}), UsageError);
}

TEST(Methods, Words) {
  const Method error_fit = read_method("erc:error-fit", {});
  EXPECT_EQ(error_fit.options.transform, "erc");
  EXPECT_EQ(error_fit.options.objective, "error-fit");
  const Method power = read_method("exp:mlp:power:0.5:hidden=20+30:rate=0.01", {});
  EXPECT_EQ(power.options.localizer, "mlp");
  EXPECT_EQ(power.options.objective, "power:0.5");
  EXPECT_EQ(power.options.hidden, (std::vector<Index>{20, 30}));
  EXPECT_EQ(power.options.rate, 0.01);
  EXPECT_TRUE(read_method("exp:focus", {}).focuses);
  EXPECT_FALSE(read_method("fixed", {}).trained);
  FitOptions common;
  common.predictor = "knn";
  common.y_min = 0;
  EXPECT_EQ(read_method("exp", common).options.predictor, "knn");
  EXPECT_EQ(read_method("exp:predictor=linear", common).options.predictor, "linear");
  EXPECT_EQ(read_method("fixed", common).options.y_min, 0);
}

// '+' replaces the comma inside a method, because the comma separates methods. Where ';' separates them, a comma may be used.
TEST(Methods, ListsWithinAMethod) {
  for (const std::string split : {"0.4+0.3+0.1+0.2", "0.4,0.3,0.1,0.2"})
    EXPECT_EQ(read_method("exp:split=" + split, {}).options.split, "0.4,0.3,0.1,0.2");
  EXPECT_EQ(read_method("exp:level:0.68+0.9", {}).options.objective, "level:0.68,0.9");
  FitOptions common;
  common.drop = {"id"};
  EXPECT_EQ(read_method("exp:drop=a+b", common).options.drop, (std::vector<std::string>{"id", "a", "b"}));
  EXPECT_NE(complaint_about("0.3").find("split=0.4+0.3+0.1+0.2"), std::string::npos);
}

TEST(Methods, EveryPartCanBeNamed) {
  for (const auto& name : localizers().names()) EXPECT_EQ(read_method("exp:" + name, {}).options.localizer, name);
  for (const auto& entry : objectives().entries()) {
    const std::string transform = entry.name == "error-fit" ? "erc:" : "exp:";  // the objective of erc
    EXPECT_EQ(read_method(transform + entry.example, {}).options.objective, entry.example);
  }
  for (const auto& entry : transforms().entries()) {
    std::string words = entry.example;
    std::replace(words.begin(), words.end(), ',', '+');
    EXPECT_EQ(read_method(words + ":boost", {}).options.transform, entry.example);
  }
}

TEST(Methods, ComplaintsListWhatThereIs) {
  EXPECT_NE(complaint_about("expp").find("did you mean 'exp'"), std::string::npos);
  EXPECT_NE(complaint_about("exp:bost").find("did you mean 'boost'"), std::string::npos);
  EXPECT_NE(complaint_about("exp:depht=3").find("did you mean 'depth'"), std::string::npos);
  EXPECT_NE(complaint_about("exp:depth=x").find("'x'"), std::string::npos);
  EXPECT_NE(complaint_about("exp:depth=1.5").find("whole number"), std::string::npos);
  EXPECT_NE(complaint_about("exp:seed=3").find("--seed"), std::string::npos);
  EXPECT_NE(complaint_about("exp:power:").find("method 'exp:power:'"), std::string::npos);
  EXPECT_NE(complaint_about("").find("allowed"), std::string::npos);
  EXPECT_NE(complaint_about("exp::mlp").find("allowed"), std::string::npos);
}

TEST(Methods, OptionsAreDescribed) {
  EXPECT_EQ(describe_options({}), "");
  EXPECT_EQ(describe_options(read_method("erc:error-fit:depth=3", {}).options), "transform=erc objective=error-fit depth=3");
}

}  // namespace
}  // namespace taut
