// Guarantees within groups, under a known shift, for localized calibration, and for whole new groups. Each is compared with the
// naive method, which must fail in the same place.
#include <taut/calibrate/calibration.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace taut {
namespace {

constexpr double chance = 1e-5;  // of a false alarm, for each test

FitOptions around_given_predictions() {
  FitOptions options;
  options.target = "y";
  options.prediction = "p";
  options.localizer = "none";
  return options;
}

// Counts the covered rows, and tests whether they are too few for the level.
struct Count {
  Index draws = 0, covered = 0;
  void add(bool one) {
    ++draws;
    covered += one ? 1 : 0;
  }
  double p_value(double level) const { return binomial_cdf(covered, draws, level); }
  double share() const { return static_cast<double>(covered) / static_cast<double>(draws); }
};

// Columns x, group, w, p = 0 and y, whose deviation is `deviation`.
struct Drawn {
  double x = 0;
  Index group = 0;
  double weight = 1, deviation = 1, effect = 0;
};
Table table_of(const std::vector<Drawn>& drawn, Random& random) {
  Table table;
  for (const char* name : {"x", "group", "w", "p", "y"}) table.columns.push_back({name});
  table.values.resize(std::ssize(drawn), 5);
  for (Index row = 0; row < table.rows(); ++row) {
    const Drawn& one = drawn[static_cast<std::size_t>(row)];
    table.values.row(row) << one.x, static_cast<double>(one.group), one.weight, 0, one.effect + one.deviation * random.normal();
  }
  return table;
}

Regressor fitted(Random& random) {
  std::vector<Drawn> rows(100);
  for (Drawn& one : rows) one.x = random.normal();
  return Regressor::fit(table_of(rows, random), around_given_predictions(), ExecutionContext{.threads = 1});
}

bool covers(const Regressor& model, const Table& row, double level) {
  return model.predict_interval(row, std::array{level}, ExecutionContext{.threads = 1}).at(0, 0).contains(row.values(0, 4));
}

// Groups of 19, 50 and 30 rows whose deviations are far apart.
TEST(GroupDistributions, EachGroupFollowsItsBetaDistribution) {
  constexpr std::array<Index, 3> sizes = {19, 50, 30};
  constexpr std::array<double, 3> deviations = {3, 1, 0.3};
  constexpr Index per_mille = 900;
  constexpr double level = 0.9;
  Random random(1);
  Regressor model = fitted(random);
  testing::CoverageSuite suite, naive;
  for (Index again = 0; again < 400; ++again) {
    std::vector<Drawn> rows;
    for (std::size_t group = 0; group < sizes.size(); ++group)
      for (Index i = 0; i < sizes[group]; ++i)
        rows.push_back({.x = random.normal(), .group = static_cast<Index>(group), .deviation = deviations[group]});
    const Table table = table_of(rows, random);
    for (const bool by_group : {true, false}) {
      model.calibrate(table, ExecutionContext{.threads = 1},
                      by_group ? CalibrationOptions{.by = {"group"}} : CalibrationOptions{.plain = true});
      const auto group = static_cast<std::size_t>(again % 3);
      const Table fresh = table_of({{.x = random.normal(), .group = again % 3, .deviation = deviations[group]}}, random);
      const Interval set = model.predict_interval(fresh, std::array{level}, ExecutionContext{.threads = 1}).at(0, 0);
      const double coverage =
          testing::normal_cdf(set.upper / deviations[group]) - testing::normal_cdf(set.lower / deviations[group]);
      (by_group ? suite : naive)
          .add({"group " + std::to_string(group), "all"}, {sizes[group], per_mille, coverage, set.contains(fresh.values(0, 4))});
    }
  }
  suite.expect_distribution();
  EXPECT_LT(naive.tests().at("group 0").p_value(), chance) << "one distribution for all groups must not cover the hard one";
}

// Calibration rows have x from N(0, 1), new rows from N(1, 1): the ratio is exp(x − ½). The noise grows with x.
TEST(GroupDistributions, KnownWeightsCoverUnderShift) {
  constexpr Index repetitions = 4000, calibration_rows = 40;
  constexpr double level = 0.9;
  Random random(2);
  Regressor model = fitted(random);
  Count weighted, naive;
  const auto row = [&](double mean) {
    const double x = mean + random.normal();
    return Drawn{.x = x, .weight = std::exp(x - 0.5), .deviation = std::exp(x)};
  };
  for (Index again = 0; again < repetitions; ++again) {
    std::vector<Drawn> rows;
    for (Index i = 0; i < calibration_rows; ++i) rows.push_back(row(0));
    const Table table = table_of(rows, random), fresh = table_of({row(1)}, random);
    model.calibrate(table, ExecutionContext{.threads = 1}, CalibrationOptions{.weights = "w"});
    weighted.add(covers(model, fresh, level));
    model.calibrate(table, ExecutionContext{.threads = 1}, CalibrationOptions{.plain = true});
    naive.add(covers(model, fresh, level));
  }
  std::printf("known weights: %.4f, without: %.4f\n", weighted.share(), naive.share());
  EXPECT_GT(weighted.p_value(level), chance) << weighted.share();
  EXPECT_LT(naive.p_value(level), chance) << naive.share();
}

// Three places: most rows are in the middle and easy; a few hard ones are on either side, within reach of the middle but not of
// each other. Neighbours of a hard row itself are mostly easy, so it is missed; a random anchor corrects this.
TEST(GroupDistributions, NeighboursOfARandomAnchorCover) {
  constexpr Index repetitions = 4000, calibration_rows = 60;
  constexpr double level = 0.9, hard = 0.08, reach = 1.2;
  Random random(3);
  const auto place = [&] {
    const double u = random.uniform();
    return u < hard ? 0.0 : u < 2 * hard ? 2.0 : 1.0;
  };
  const auto score = [&](double x) { return (x == 1 ? 0 : 10) + random.uniform(); };
  Count local, naive;
  for (Index again = 0; again < repetitions; ++again) {
    RowFacts facts;
    facts.points.resize(calibration_rows, 1);
    std::vector<SignedScore> scores;
    for (Index i = 0; i < calibration_rows; ++i) {
      facts.points(i, 0) = place();
      scores.push_back({random.uniform() < 0.5 ? Side::below : Side::above, score(facts.points(i, 0))});
    }
    RowFacts fresh;
    fresh.points = Matrix::Constant(1, 1, place());
    const double t = score(fresh.points(0, 0));
    std::vector<double> near;
    for (Index i = 0; i < calibration_rows; ++i)
      if (std::abs(facts.points(i, 0) - fresh.points(0, 0)) <= reach) near.push_back(scores[static_cast<std::size_t>(i)].score);
    naive.add(t <= ScoreDistribution(near).quantile(level));
    const auto kind = calibrations().make("local");
    kind->calibrate(CalibrationRows(scores, facts), {.reaches = {reach}, .seed = static_cast<std::uint64_t>(again)});
    local.add(t <= kind->distribution(fresh, 0).quantile(level));
  }
  std::printf("random anchor: %.4f, the row itself: %.4f\n", local.share(), naive.share());
  EXPECT_GT(local.p_value(level), chance) << local.share();
  EXPECT_LT(naive.p_value(level), chance) << naive.share();
}

// Predictions repeat: many rows are in one place. If anchors depended on the place alone, all these rows would share one; with a
// key for each row the anchors average out.
TEST(GroupDistributions, NeighboursOfRepeatedPredictionsCover) {
  constexpr Index models = 200, calibration_rows = 200, fresh = 100;
  constexpr double level = 0.9, reach = 0.8;
  Random random(7);
  std::array<double, 2> spread{};  // variance of coverage over models, with keys and by place
  Count keyed;
  for (Index again = 0; again < models; ++again) {
    RowFacts facts;
    facts.points.resize(calibration_rows, 1);
    std::vector<SignedScore> scores;
    const auto place = [&] { return static_cast<double>(random.below(3)) * 0.5; };
    const auto score = [&](double x) { return (1 + 4 * x) * random.uniform(); };
    for (Index i = 0; i < calibration_rows; ++i) {
      facts.points(i, 0) = place();
      scores.push_back({Side::above, score(facts.points(i, 0))});
    }
    const auto kind = calibrations().make("local");
    kind->calibrate(CalibrationRows(scores, facts), {.reaches = {reach}, .seed = 3});
    std::array<double, 2> covered{};
    for (Index row = 0; row < fresh; ++row) {
      RowFacts one;
      one.points = Matrix::Constant(1, 1, place());
      const double t = score(one.points(0, 0));
      covered[1] += t <= kind->distribution(one, 0).quantile(level) ? 1.0 / fresh : 0;
      one.keys = {random.next()};
      const bool holds = t <= kind->distribution(one, 0).quantile(level);
      covered[0] += holds ? 1.0 / fresh : 0;
      keyed.add(holds);
    }
    for (std::size_t i = 0; i < 2; ++i) spread[i] += (covered[i] - level) * (covered[i] - level) / models;
  }
  std::printf("coverage of models: keyed %.4f, off by %.4f; by place off by %.4f\n", keyed.share(), std::sqrt(spread[0]),
              std::sqrt(spread[1]));
  EXPECT_GT(keyed.share(), level - 0.01);
}

// Groups of 1 or 20 rows, the small ones noisy; rows of one group are correlated by 0.9. The new group is of the same kind.
void expect_that_new_groups_are_covered(Index groups) {
  constexpr Index repetitions = 2500;
  constexpr double level = 0.9;
  Random random(4);
  Regressor model = fitted(random);
  Count once, naive;
  const auto add_group = [&](std::vector<Drawn>& rows, Index group, Index maximum) {
    const bool small = random.uniform() < 0.5;
    const double deviation = small ? 2 : 0.5, effect = deviation * std::sqrt(0.9) * random.normal();
    for (Index i = 0; i < std::min<Index>(maximum, small ? 1 : 20); ++i)
      rows.push_back({.x = random.normal(), .group = group, .deviation = deviation * std::sqrt(0.1), .effect = effect});
  };
  for (Index again = 0; again < repetitions; ++again) {
    std::vector<Drawn> rows, fresh;
    for (Index group = 0; group < groups; ++group) add_group(rows, group, 20);
    add_group(fresh, groups, 1);
    const Table table = table_of(rows, random), row = table_of(fresh, random);
    model.calibrate(table, ExecutionContext{.threads = 1}, CalibrationOptions{.keep_together = "group"});
    once.add(covers(model, row, level));
    model.calibrate(table, ExecutionContext{.threads = 1}, CalibrationOptions{.plain = true});
    naive.add(covers(model, row, level));
  }
  std::printf("%d groups: each counting once %.4f, each row %.4f\n", static_cast<int>(groups), once.share(), naive.share());
  EXPECT_GT(once.p_value(level), chance) << groups << " groups: " << once.share();
  EXPECT_LT(naive.p_value(level), chance) << groups << " groups: " << naive.share();
}

TEST(GroupDistributions, NewGroupsAreCoveredWhenEachCountsOnce) { expect_that_new_groups_are_covered(19); }

TEST(GroupDistributions, ManyNewGroupsAreCoveredWhenEachCountsOnceSlow) { expect_that_new_groups_are_covered(50); }

// The level of a patient is all that matters, and x identifies the patient: rows of known patients are easy, new patients are
// not. Tests the whole fit, from the split on.
TEST(GroupDistributions, NewGroupsAreCoveredWhenSplitsKeepThemTogether) {
  constexpr Index repetitions = 300, patients = 60, visits = 6;
  constexpr double level = 0.8;
  Random random(5);
  Count together, naive;
  for (Index again = 0; again < repetitions; ++again) {
    std::vector<Drawn> rows;
    for (Index patient = 0; patient <= patients; ++patient) {
      const double x = random.uniform(), effect = random.normal();
      for (Index visit = 0; visit < (patient < patients ? visits : 1); ++visit)
        rows.push_back({.x = x, .group = patient, .deviation = 0.3, .effect = effect});
    }
    const Table all = table_of(rows, random);
    Table known = all, fresh = all;
    known.values = all.values.topRows(all.rows() - 1);
    fresh.values = all.values.bottomRows(1);
    for (const bool keep : {true, false}) {
      FitOptions options;
      options.target = "y";
      options.predictor = "knn";
      options.localizer = "none";
      options.seed = again;
      options.drop = {"p", "w"};
      if (keep)
        options.keep_together = "group";
      else
        options.drop.emplace_back("group");
      const Regressor model = Regressor::fit(known, options, ExecutionContext{.threads = 1});
      (keep ? together : naive).add(covers(model, fresh, level));
    }
  }
  std::printf("splits by patient: %.4f, by row: %.4f\n", together.share(), naive.share());
  EXPECT_GT(together.p_value(level), chance) << together.share();
  EXPECT_LT(naive.p_value(level), chance) << naive.share();
}

}  // namespace
}  // namespace taut
