// No two parts of a page contradict each other: headline, numbers, pictures and "Where it fails", at every level, for many kinds
// of models and rows.
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/interval.hpp>
#include <taut/report/answer.hpp>
#include <taut/report/bins.hpp>
#include <taut/report/report.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/report/document.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace taut {
namespace {

using testing::document_of;

struct Scenario {
  Index calibration_rows, test_rows;
  double spread;  // of the noise along x: 0 is the same everywhere
  double factor;  // of the noise of the test rows: 1 is exchangeable
  bool ties;      // targets are rounded
  bool known_range;
  bool adaptive;  // widths depend on x
};

// f is given and 0 everywhere; the noise depends on x and on the category.
Table rows_like(const Scenario& scenario, Index count, double factor, std::uint64_t seed) {
  Random random(seed);
  Table table{"t", {{"x"}, {"colour", ColumnKind::category, {"red", "green", "blue"}}, {"f"}, {"y"}}, Matrix(count, 4), {}};
  for (Index row = 0; row < count; ++row) {
    const double x = random.uniform(), colour = static_cast<double>(random.below(3));
    const double scale = factor * std::exp(scenario.spread * (x + (colour == 1 ? 1 : 0)));
    const double y = scale * random.uniform(-3, 3);
    table.values.row(row) << (random.uniform() < 0.1 ? missing : x), colour, 0.0, scenario.ties ? std::round(y) : y;
  }
  return table;
}

Regressor model_of(const Scenario& scenario) {
  FitOptions options;
  options.target = "y";
  options.prediction = "f";
  if (scenario.adaptive)
    options.epochs = 20;
  else
    options.localizer = "none";
  if (scenario.known_range) options.y_min = -1000;
  Regressor model = Regressor::fit(rows_like(scenario, scenario.adaptive ? 800 : 100, 1, 1), options);
  model.calibrate(rows_like(scenario, scenario.calibration_rows, 1, 2));
  return model;
}

// A third of all combinations, in which every triple of choices occurs; or the others.
std::vector<Scenario> scenarios(bool others) {
  constexpr std::array<Index, 3> calibration_rows = {5, 50, 1000}, test_rows = {1, 40, 3000};
  constexpr std::array<double, 3> spreads = {0.0, 0.5, 2.0}, factors = {0.5, 1.0, 2.0};
  std::vector<Scenario> result;
  for (std::size_t i = 0; i < 81; ++i) {
    const std::size_t a = i / 27, b = i / 9 % 3, c = i / 3 % 3, d = i % 3;
    if (((a + b + c + d) % 3 == 0) != others)
      result.push_back({calibration_rows[a], test_rows[b], spreads[c], factors[d], i % 2 == 1, i % 3 == 1, i % 4 == 3});
  }
  return result;
}

std::string statement(const Json& level, const std::string& label) {
  for (const Json& one : level["statements"])
    if (one[0] == label) return one[1];
  return "";
}

Index number(const Json& json) { return json.get<Index>(); }

struct Group {
  Index rows, covered, minimum, maximum;
  bool low() const { return covered < minimum; }
};

// The groups of every coverage picture at a level, as the script of the page computes them.
std::vector<std::vector<Group>> pictured_groups(const Json& document, std::size_t level) {
  const auto group = [&](Index rows, Index covered) {
    const Json& range = document["ranges"][std::to_string(rows)];
    return Group{rows, covered, number(range["least"][level]), number(range["most"][level])};
  };
  std::vector<std::vector<Group>> pictures(1);
  for (const Json& bin : document["by_width"][level]) pictures[0].push_back(group(number(bin[2]), number(bin[3])));
  for (const Json& feature : document["features"]) {
    pictures.emplace_back();
    for (const Json& bin : feature["bins"]) {
      Index covered = 0;
      for (std::size_t i = 0; i <= level; ++i) covered += number(bin["covered"][i]);
      pictures.back().push_back(group(number(bin["rows"]), covered));
    }
  }
  return pictures;
}

class Consistency : public ::testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override {
    if (!can_report()) GTEST_SKIP() << "this build has no page: node or npm was missing";
  }
};

INSTANTIATE_TEST_SUITE_P(ManyKinds, Consistency, ::testing::ValuesIn(scenarios(/*others=*/false)));
INSTANTIATE_TEST_SUITE_P(OtherKindsSlow, Consistency, ::testing::ValuesIn(scenarios(/*others=*/true)));

TEST_P(Consistency, OfHeadlineNumbersPicturesAndFailures) {
  const Scenario& scenario = GetParam();
  const Regressor model = model_of(scenario);
  const Table test = rows_like(scenario, scenario.test_rows, scenario.factor, 3);
  const Json document = document_of(report_html(model, test));
  const auto metric = [&](const std::string& name, std::size_t level) {
    for (const Json& one : document["metrics"])
      if (one["name"] == name) return one["values"][level].is_null() ? missing : one["values"][level].get<double>();
    throw std::logic_error(name);
  };
  const Index rows = scenario.test_rows;
  const std::size_t levels = document["levels"].size(), below = document["curve"]["nominal"].size() - levels;
  for (std::size_t at = 0; at < levels; ++at) {
    const Json& level = document["levels"][at];
    const double confidence = level["confidence"];
    SCOPED_TRACE("level " + print_number(confidence));
    const double coverage = metric("coverage", at), low = metric("coverage_low", at), high = metric("coverage_high", at);
    const std::string tone = level["tone"];

    // The headline and the calibration curve are those of evaluate.
    const bool has_quantile = number(level["rank"]) <= scenario.calibration_rows;
    const std::string expected = !has_quantile          ? "no-quantile"
                                 : coverage < low       ? "too-low"
                                 : coverage <= high     ? "as-promised"
                                 : scenario.known_range ? "more"
                                                        : "too-high";
    EXPECT_EQ(tone, expected);
    if (has_quantile && rows > 1) {
      EXPECT_NE(level["headline"].get<std::string>().find(share_text(coverage) + " of " + print_count(rows) + " test rows"),
                std::string::npos);
    }
    EXPECT_EQ(document["curve"]["coverage"][below + at].get<double>(), coverage);
    EXPECT_EQ(document["curve"]["low"][below + at].get<double>(), low);
    EXPECT_EQ(document["curve"]["high"][below + at].get<double>(), high);

    // Each picture contains every row once. A group of all rows is judged like the headline. The metric is the minimum of the
    // first picture.
    const auto pictures = pictured_groups(document, at);
    Index low_groups = 0;
    for (const auto& groups : pictures) {
      Index all = 0, covered = 0;
      for (const Group& group : groups) {
        all += group.rows;
        covered += group.covered;
        if (group.rows == rows) {
          EXPECT_EQ(group.low(), coverage < low);
          EXPECT_EQ(group.covered > group.maximum, coverage > high);
        } else {
          low_groups += group.low();
        }
      }
      EXPECT_EQ(all, rows);
      EXPECT_EQ(static_cast<double>(covered) / static_cast<double>(rows), coverage);
    }
    double minimum = 1;
    for (const Group& group : pictures[0])
      minimum = std::min(minimum, static_cast<double>(group.covered) / static_cast<double>(group.rows));
    EXPECT_EQ(minimum, metric("size_stratified_coverage", at));

    // Every listed failure is below the range that chance explains, and every group that a picture shows as too low is listed.
    const Json& failures = document["failures"][at];
    const ExpectedRanges ranges(model.distribution(), confidence, rows, number(document["groups"]));
    Index searched = 0;
    for (const Json& failure : failures["list"]) {
      const Index size = number(failure["rows"]), covered = number(failure["covered"]);
      EXPECT_EQ(number(failure["least"]), ranges.of(size).minimum);
      EXPECT_LT(covered, ranges.of(size).minimum);
      if (failure.contains("all_rows")) {
        ++searched;
        EXPECT_LT(number(failure["all_covered"]), ranges.of(number(failure["all_rows"])).minimum);
        EXPECT_LT(size, number(failure["all_rows"]) + 1);
      } else {
        bool pictured = false;
        for (const auto& groups : pictures)
          for (const Group& group : groups) pictured |= group.rows == size && group.covered == covered && group.low();
        EXPECT_TRUE(pictured) << failure["words"];
      }
    }
    // A searched group may also be a bin, and is then listed once.
    EXPECT_GE(number(failures["count"]), std::max(low_groups, searched));
    EXPECT_LE(number(failures["count"]), low_groups + searched);
    EXPECT_EQ(failures["list"].size(), std::min<std::size_t>(6, failures["count"].get<std::size_t>()));

    // The answer names the first of them, or none.
    const std::string weakest = statement(level, "Weakest");
    if (failures["list"].empty() || !has_quantile) {
      EXPECT_EQ(weakest, "");
    } else {
      const Json& first = failures["list"][0];
      const double share = first["covered"].get<double>() / first["rows"].get<double>();
      EXPECT_EQ(weakest, "Where " + first["words"].get<std::string>() + ", only " + share_text(share) + " of " +
                             counted(number(first["rows"]), "row") + " were covered: see 'Where it fails'.");
    }

    // All statements about widths use the same number.
    const std::string width = statement(level, "Width");
    EXPECT_EQ(!level["against_constant"].is_null(), width.find("one width for all rows") != std::string::npos) << width;
    if (width.starts_with("Intervals are")) {
      EXPECT_TRUE(width.starts_with("Intervals are " + std::to_string(std::abs(level["against_constant"].get<int>())) + " %"))
          << width;
    }
  }
}

// Without this check the test above might compare nothing where widths differ.
TEST(ConsistencyOfWidths, AreJudgedInGroups) {
  if (!can_report()) GTEST_SKIP() << "this build has no page: node or npm was missing";
  const Scenario scenario{1000, 3000, 2.0, 2.0, false, false, true};
  const Json document = document_of(report_html(model_of(scenario), rows_like(scenario, 3000, scenario.factor, 3)));
  const auto start = document["start"].get<std::size_t>();
  ASSERT_GT(document["by_width"][start].size(), 5U);
  const std::vector<Group> groups = pictured_groups(document, start)[0];
  EXPECT_TRUE(std::any_of(groups.begin(), groups.end(), [](const Group& group) { return group.low(); }));
}

// A category is a bin of its picture and may also be a region: both are treated alike.
TEST(ConsistencyOfRegions, ARegionThatIsABinIsListedOnce) {
  if (!can_report()) GTEST_SKIP() << "this build has no page: node or npm was missing";
  const Scenario scenario{1000, 4000, 2.0, 1, false, false, false};
  const Json document = document_of(report_html(model_of(scenario), rows_like(scenario, 4000, 1, 3)));
  const Json& failures = document["failures"][document["start"].get<std::size_t>()]["list"];
  ASSERT_FALSE(failures.empty());
  std::set<std::string> words;
  for (const Json& failure : failures) EXPECT_TRUE(words.insert(failure["words"]).second) << failure["words"];
}

}  // namespace
}  // namespace taut
