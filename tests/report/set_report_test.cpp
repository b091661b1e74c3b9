#include <taut/report/report.hpp>

#include <taut/core/error.hpp>
#include <taut/model/stream_report.hpp>
#include <taut/report/levels.hpp>
#include <taut/task/label/set_metrics.hpp>
#include <tests/report/document.hpp>
#include <tests/support/labelled_rows.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::document_of;
using testing::given_probabilities;
using testing::label_options;
using testing::labelled_rows;

class SetReportPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_report()) GTEST_SKIP() << "this build has no page: node or npm was missing";
  }

  static constexpr Index rows = 700, classes = 4;
  static const Table& test() {
    static const Table table = [] {
      Random random(12);
      return labelled_rows(rows, classes, random).table;
    }();
    return table;
  }
  static const Classifier& model() {
    static const Classifier fitted = [] {
      Random random(11);
      return Classifier::fit(labelled_rows(500, classes, random).table, label_options("fixed"), given_probabilities());
    }();
    return fitted;
  }
  static const Json& document() {
    static const Json json = document_of(report_html(model(), test()));
    return json;
  }
};

TEST_F(SetReportPage, CarriesTheNumbersOfEvaluate) {
  ASSERT_EQ(document()["kind"], "sets");
  ASSERT_EQ(document()["levels"].size(), 50U);
  const std::vector<double> levels = {0.63, 0.9};
  const LabelEvaluation evaluation = model().evaluate(test(), levels);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const LevelReport& level = evaluation.levels[i];
    std::size_t at = 0;
    while (document()["levels"][at]["confidence"] != level.confidence) ++at;
    EXPECT_EQ(document()["levels"][at]["rank"], level.rank);
    for (const Json& metric : document()["metrics"]) {
      const Json& value = metric["values"][at];
      if (level.confidence == 0.63 && !metric["everywhere"].get<bool>())
        EXPECT_TRUE(value.is_null()) << metric["name"];
      else
        EXPECT_EQ(value.get<double>(), level.metric(metric["name"].get<std::string>())) << metric["name"];
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(classes); ++k) {
      const CoverageLine& line = evaluation.breakdowns[i].by_label[k];
      const Json& own = document()["by_label"][at][k];
      EXPECT_EQ(own[0], line.rows);
      EXPECT_EQ(own[1], line.covered);
      EXPECT_NEAR(own[4].get<double>(), line.mean_size, 1e-3 * line.mean_size);
      // On the diagonal are the rows whose set contains their own label: the covered ones. A line sums to the labels of all its
      // sets.
      EXPECT_EQ(document()["held"][at][k][k], line.covered);
      double held = 0;
      for (const Json& one : document()["held"][at][k]) held += one.get<double>();
      EXPECT_NEAR(held, line.mean_size * static_cast<double>(line.rows), 1e-6);
    }
  }
  for (const auto& [name, value] : evaluation.probabilities)
    for (const Json& own : document()["probabilities"]) {
      if (own["name"] != name) continue;
      EXPECT_EQ(own["value"].get<double>(), value) << name;
    }
}

TEST_F(SetReportPage, EveryGroupingAddsUpToAllRows) {
  for (std::size_t level = 0; level < 50; level += 7) {
    const auto covered = std::llround(document()["metrics"][0]["values"][level].get<double>() * rows);
    long long all = 0, hits = 0, by_label = 0;
    double labels = 0;
    for (const Json& part : document()["by_width"][level]) {
      EXPECT_EQ(part[0], part[1]);  // four labels: one part for each size
      all += part[2].get<long long>();
      hits += part[3].get<long long>();
      labels += part[0].get<double>() * part[2].get<double>();
    }
    EXPECT_EQ(all, rows);
    EXPECT_EQ(hits, covered);
    EXPECT_NEAR(labels / rows, document()["metrics"][3]["values"][level].get<double>(), 1e-9);  // the mean size
    for (const Json& one : document()["by_label"][level]) by_label += one[1].get<long long>();
    EXPECT_EQ(by_label, covered);
    for (const Json& feature : document()["features"]) {
      hits = 0;
      for (const Json& bin : feature["bins"])
        for (std::size_t i = 0; i <= level; ++i) hits += bin["covered"][i].get<long long>();
      EXPECT_EQ(hits, covered) << feature["name"];
    }
  }
  EXPECT_EQ(document()["features"][0]["name"], "largest probability");
  EXPECT_EQ(document()["features"][1]["name"], "true label");
}

// The groups of the picture are those of the calibration error, which is their mean distance from the diagonal.
TEST_F(SetReportPage, ReliabilityIsTheCalibrationError) {
  ASSERT_EQ(document()["reliability"].size(), 1U + classes);
  double distance = 0, all = 0, right = 0;
  for (const Json& bin : document()["reliability"][0]["bins"]) {
    distance += std::abs(bin[0].get<double>() - bin[1].get<double>()) * bin[2].get<double>() / rows;
    all += bin[2].get<double>();
    right += bin[1].get<double>() * bin[2].get<double>();
    EXPECT_LE(bin[3].get<double>(), bin[1].get<double>() + 1e-3);
    EXPECT_GE(bin[4].get<double>(), bin[1].get<double>() - 1e-3);
  }
  EXPECT_EQ(all, rows);
  for (const Json& own : document()["probabilities"]) {
    const double value = own["value"].get<double>();
    if (own["name"] == "calibration_error") {
      EXPECT_NEAR(value, distance, 1e-4);
    } else if (own["name"] == "accuracy") {
      EXPECT_NEAR(value, right / rows, 1e-4);
    }
  }
}

// Labels are random for a part of x: the part is found, and named by its column.
TEST_F(SetReportPage, NamesThePlaceWhereSetsFail) {
  Random random(3);
  auto fresh = labelled_rows(3000, classes, random);
  const Index label = fresh.table.values.cols() - 1;
  for (Index row = 0; row < fresh.table.rows(); ++row)
    if (fresh.table.values(row, 1) > 1) fresh.table.values(row, label) = static_cast<double>(row % classes);
  const Json found = document_of(report_html(model(), fresh.table));
  const Json& first = found["failures"][found["start"].get<std::size_t>()]["list"];
  ASSERT_GT(first.size(), 0U);
  EXPECT_NE(first[0]["words"].get<std::string>().find("x1"), std::string::npos) << first[0]["words"];
}

TEST_F(SetReportPage, EscapesLabelsWithMarkup) {
  Random random(4);
  auto train = labelled_rows(300, 2, random), fresh = labelled_rows(200, 2, random);
  const std::vector<std::string> names = {"<script>alert(1)</script>", "b & \"c\""};
  for (Table* table : {&train.table, &fresh.table}) table->columns.back().categories = names;
  FitOptions options = label_options("fixed");
  options.drop = {"p_a", "p_b"};
  LabelOptions classes_of;
  classes_of.task = "classification";
  const Classifier fitted = Classifier::fit(train.table, options, classes_of);
  const std::string page = report_html(fitted, fresh.table, {.by = {"x0:3"}});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  const Json json = document_of(page);
  EXPECT_EQ(json["labels"][0], names[0]);
  EXPECT_EQ(json["by_group"]["levels"][0]["lines"].size(), 3U);
  EXPECT_LT(page.size(), 1'000'000U);
}

TEST_F(SetReportPage, ShowsAStreamOfItsRowsWhichTheModelDoesNotSee) {
  const std::string before = model().to_bytes();
  const Json over = document_of(report_html(model(), test(), {.in_order = true}))["over_time"];
  EXPECT_EQ(model().to_bytes(), before);
  Classifier copy = Classifier::from_bytes(before);
  const std::vector<double> levels = slider_levels(0.9);
  const StreamReport expected = evaluate_stream(copy.stream(test(), levels));
  ASSERT_EQ(over["levels"].size(), levels.size());
  for (const std::size_t i : {std::size_t{0}, position_of(levels, 0.9)}) {
    EXPECT_NEAR(over["levels"][i]["all"].get<double>(), expected.levels[i].coverage, 1e-4);
    EXPECT_NEAR(over["levels"][i]["width"].back().get<double>(), expected.levels[i].rolling.back().mean_size, 1e-3);
    EXPECT_NEAR(over["levels"][i]["still_all"].get<double>(),
                model().evaluate(test(), {&levels[i], 1}).levels[0].metric("coverage"), 1e-4);
  }
  EXPECT_EQ(document_of(report_html(model(), test()))["over_time"], Json());
}

TEST_F(SetReportPage, RefusesWhatIsAboutNumbers) {
  EXPECT_THROW(report_html(model(), test(), {.unit = "EUR"}), UsageError);
  EXPECT_THROW(report_html(model(), test(), {.confidence = 90}), UsageError);
}

}  // namespace
}  // namespace taut
