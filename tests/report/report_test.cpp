#include <taut/report/report.hpp>

#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/report/document.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace taut {
namespace {

using testing::document_of;
using testing::given_options;
using testing::small_table;

class ReportPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_report()) GTEST_SKIP() << "this build has no page: node or npm was missing";
  }

  static const Regressor& model() {
    static const Regressor fitted = Regressor::fit(small_table(1500), given_options());
    return fitted;
  }
  static const Table& test() {
    static const Table rows = small_table(1200, 2);
    return rows;
  }
};

TEST_F(ReportPage, CarriesTheNumbersOfEvaluateSlow) {
  const std::string page = report_html(model(), test());
  EXPECT_LT(page.size(), 1'000'000U);
  const Json document = document_of(page);
  ASSERT_EQ(document["levels"].size(), 50U);
  EXPECT_EQ(document["levels"][0]["confidence"], 0.5);
  EXPECT_EQ(document["levels"][49]["confidence"], 0.99);
  const std::vector<double> levels = {0.63, 0.9};
  const Evaluation evaluation = model().evaluate(test(), levels);
  for (const LevelReport& level : evaluation.levels) {
    std::size_t at = 0;
    while (document["levels"][at]["confidence"] != level.confidence) ++at;
    EXPECT_EQ(document["levels"][at]["rank"], level.rank);
    EXPECT_EQ(document["levels"][at]["delivered"], level.delivered);
    for (const Json& metric : document["metrics"]) {
      const Json& value = metric["values"][at];
      if (level.confidence == 0.63 && !metric["everywhere"].get<bool>())
        EXPECT_TRUE(value.is_null());
      else
        EXPECT_EQ(value.get<double>(), level.metric(metric["name"].get<std::string>())) << metric["name"];
    }
  }
}

// The curve is neither a column of the table nor a prediction, so it is listed separately.
TEST_F(ReportPage, NothingIsListedTwiceAmongWhatMakesIntervalsWideSlow) {
  FitOptions options = given_options();
  options.transform = "curve";
  options.effort = "quick";
  const Regressor with_curve = Regressor::fit(small_table(1500), options);
  ASSERT_EQ(with_curve.transform_name(), "curve");
  const Json document = document_of(report_html(with_curve, testing::rows_of(test(), 0, 200)));
  std::vector<std::string> names;
  for (const Json& column : document["reasons"]["columns"]) names.push_back(column["name"].get<std::string>());
  EXPECT_EQ(std::count(names.begin(), names.end(), "prediction f(x)"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "shape of the distribution (curve)"), 1);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST_F(ReportPage, BinsAddUpToTheCoverageOfAllRowsSlow) {
  const Json document = document_of(report_html(model(), test()));
  for (std::size_t level = 0; level < document["levels"].size(); level += 7) {
    const double coverage = document["metrics"][0]["values"][level];
    const auto covered = std::llround(coverage * 1200);
    long long rows = 0, hits = 0;
    for (const Json& bin : document["by_width"][level]) {
      rows += bin[2].get<long long>();
      hits += bin[3].get<long long>();
    }
    EXPECT_EQ(rows, 1200);
    EXPECT_EQ(hits, covered);
    for (const Json& feature : document["features"]) {
      hits = 0;
      for (const Json& bin : feature["bins"])
        for (std::size_t i = 0; i <= level; ++i) hits += bin["covered"][i].get<long long>();
      EXPECT_EQ(hits, covered) << feature["name"];
    }
  }
}

TEST_F(ReportPage, TheLevelAskedForIsAStopOfTheSliderSlow) {
  const Table few = testing::rows_of(test(), 0, 100);
  for (const double confidence : {0.3, 0.925, 0.999, 0.57}) {
    const Json document = document_of(report_html(model(), few, {.confidence = confidence}));
    EXPECT_EQ(document["levels"][document["start"].get<std::size_t>()]["confidence"], confidence);
    EXPECT_EQ(document["levels"].size(), confidence == 0.57 ? 50U : 51U);
  }
  EXPECT_THROW(report_html(model(), test(), {.confidence = 1}), UsageError);
  EXPECT_THROW(report_html(model(), testing::small_table(0)), Error);
}

TEST_F(ReportPage, SameBytesForAnyNumberOfThreadsSlow) {
  EXPECT_EQ(report_html(model(), test(), {}, taut::ExecutionContext{.threads = 1}),
            report_html(model(), test(), {}, taut::ExecutionContext{.threads = 3}));
}

// The page computes intervals itself only where that gives the same as predict_interval.
TEST_F(ReportPage, ClosedFormForScalesAndTablesForOthers) {
  for (const auto& [transform, closed] :
       {std::pair{"exp", true}, std::pair{"erc", true}, std::pair{"fixed", true}, std::pair{"shift", false}}) {
    FitOptions options = given_options();
    options.transform = transform;
    options.objective = "size";
    options.epochs = 10;
    const Regressor other = Regressor::fit(small_table(800), options);
    const Json sample = document_of(report_html(other, test()))["sample"];
    if (!other.record().fell_back) {
      EXPECT_EQ(sample.contains("log_factor"), closed) << transform;
    }
    // Tables of intervals are large, and the page must stay below a megabyte.
    EXPECT_GE(sample["f"].size(), closed ? 1000U : 500U);
    EXPECT_LE(sample["f"].size(), 1000U);
  }
}

TEST_F(ReportPage, CommandsReproduceIt) {
  FitOptions options = given_options();
  options.y_min = -20;
  options.seed = 7;
  Table data = small_table(600);
  data.source = "my data.csv";
  const Regressor other = Regressor::fit(data, options);
  const Json document = document_of(report_html(other, test(), {.confidence = 0.95, .unit = "m²", .model_file = "m.taut"}));
  const Json& commands = document["facts"]["commands"];
  EXPECT_EQ(commands[0], "taut fit 'my data.csv' --target y --prediction f --drop sigma --y-min=-20 --seed 7 -o m.taut");
  EXPECT_EQ(commands[1], "taut report m.taut 'the synthetic rows' --confidence 0.95 --unit 'm²' -o report.html");
}

TEST_F(ReportPage, ChartsOfOthers) {
  const std::string page = chart_page("Widths </script>", R"({"lead": ["Two <b>methods</b>."], "charts": [
    {"title": "Width by level", "words": "Mean widths.", "x": "confidence", "y": "width", "kind": "lines",
     "series": [{"name": "fixed", "points": [[0.5, 1, 0.9, 1.1], [0.9, 3, 2.7, 3.2]]},
                {"name": "adaptive", "points": [[0.5, 0.7], [0.9, 2]]}]},
    {"title": "Width by set", "x": "data set", "y": "width", "kind": "bars",
     "series": [{"name": "fixed", "points": [["<i>cos</i>", 1, 0.9, 1.1], ["linear", 2]]}]},
    {"title": "Score by set", "x": "data set", "y": "score", "kind": "dots",
     "series": [{"name": "fixed", "points": [["cos", 1, 0.9, 1.1], ["linear", 2, 1.8, 2.3]]},
                {"name": "adaptive", "points": [["cos", 0.6, 0.5, 0.7], ["linear", 1.8, 1.6, 2.1]]}]}],
    "tables": [{"title": "All", "head": ["Set", "Width"], "rows": [["cos", 1.5], ["linear", null]]}]})");
  EXPECT_EQ(document_of(page)["charts"].size(), 3U);
  EXPECT_EQ(page.find("Widths </script>"), std::string::npos);
  EXPECT_THROW(chart_page("t", "[1]"), UsageError);
  EXPECT_THROW(chart_page("t", "{"), UsageError);
  if (const char* path = std::getenv("TAUT_CHART_PAGE")) {  // for the test in a browser
    OutputFile file(path);
    file.write(page);
    file.commit();
  }
}

}  // namespace
}  // namespace taut
