#include <taut/calibrate/conditional_quantile.hpp>

#include <taut/calibrate/score_distribution.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

std::shared_ptr<const RegressionRows> scored(const Matrix& functions, const std::vector<double>& scores) {
  return std::make_shared<const RegressionRows>(functions, scores);
}

std::span<const double> row_of(const Matrix& matrix, Index row) {
  return {matrix.row(row).data(), static_cast<std::size_t>(matrix.cols())};
}

// Solves a square system by elimination. Returns nullopt where it is singular.
std::optional<std::vector<double>> solved(std::vector<std::vector<double>> rows, std::vector<double> right) {
  const std::size_t size = rows.size();
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < size; ++i)
      if (std::abs(rows[i][k]) > std::abs(rows[best][k])) best = i;
    if (std::abs(rows[best][k]) < 1e-9) return std::nullopt;
    std::swap(rows[k], rows[best]);
    std::swap(right[k], right[best]);
    for (std::size_t i = 0; i < size; ++i) {
      const double factor = i == k ? 0 : rows[i][k] / rows[k][k];
      for (std::size_t j = k; j < size; ++j) rows[i][j] -= factor * rows[k][j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = 0; k < size; ++k) right[k] /= rows[k][k];
  return right;
}

// The minimum loss of quantile regression, found by trying every possible basis: every choice of as many rows and columns as the
// rank. The loss is convex in the score of the last row, and η is its slope there.
class MinimalLoss {
 public:
  MinimalLoss(const Matrix& functions, std::vector<double> scores, double level) : scores_(std::move(scores)), level_(level) {
    for (Index row = 0; row < functions.rows(); ++row) {
      rows_.push_back({1});
      rows_.back().insert(rows_.back().end(), functions.row(row).begin(), functions.row(row).end());
    }
    for (std::size_t rank = rows_[0].size(); columns_.empty(); --rank) find_columns(rank);
  }

  double operator()(double last_score) const {
    std::vector<double> scores = scores_;
    scores.push_back(last_score);
    double minimum = infinity;
    for (const auto& basis : bases_) {
      std::vector<double> right;
      for (const std::size_t row : basis) right.push_back(scores[row]);
      const auto coefficients = *solved(square(basis, columns_), right);
      double loss = 0;
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        double residual = scores[row];
        for (std::size_t k = 0; k < columns_.size(); ++k) residual -= rows_[row][columns_[k]] * coefficients[k];
        loss += std::max(level_ * residual, (level_ - 1) * residual);
      }
      minimum = std::min(minimum, loss);
    }
    return minimum;
  }
  double slope(double from, double to) const { return ((*this)(to) - (*this)(from)) / (to - from); }

 private:
  using Choice = std::vector<std::size_t>;
  static std::vector<Choice> choices(std::size_t from, std::size_t count) {
    std::vector<Choice> result;
    std::vector<bool> taken(from, false);
    std::fill(taken.end() - static_cast<Index>(count), taken.end(), true);
    do {
      result.emplace_back();
      for (std::size_t i = 0; i < from; ++i)
        if (taken[i]) result.back().push_back(i);
    } while (std::next_permutation(taken.begin(), taken.end()));
    return result;
  }
  std::vector<std::vector<double>> square(const Choice& rows, const Choice& columns) const {
    std::vector<std::vector<double>> result;
    for (const std::size_t row : rows) {
      result.emplace_back();
      for (const std::size_t column : columns) result.back().push_back(rows_[row][column]);
    }
    return result;
  }
  void find_columns(std::size_t rank) {
    if (rank > rows_.size()) return;
    for (const Choice& columns : choices(rows_[0].size(), rank)) {
      for (const Choice& rows : choices(rows_.size(), rank))
        if (solved(square(rows, columns), std::vector<double>(rank, 0.0))) bases_.push_back(rows);
      if (bases_.empty()) continue;
      columns_ = columns;
      return;
    }
  }

  std::vector<double> scores_;
  double level_;
  std::vector<std::vector<double>> rows_;
  Choice columns_;
  std::vector<Choice> bases_;
};

struct SmallCase {
  Matrix functions;  // the last row is the new one
  std::vector<double> scores;
  double level;
};

SmallCase small_case(std::uint64_t seed) {
  Random random = Random(7).fork(seed);
  const Index n = 2 + random.below(7), d = random.below(4);
  const bool whole_numbers = random.below(3) == 0;  // ties, also of combinations
  SmallCase result{Matrix(n + 1, d), {}, std::vector<double>{.5, .6, .75, .8, .9}[static_cast<std::size_t>(random.below(5))]};
  for (Index row = 0; row <= n; ++row)
    for (Index column = 0; column < d; ++column)
      result.functions(row, column) =
          random.below(2) == 0 && seed % 2 == 0 ? random.normal() : static_cast<double>(random.below(2));
  if (d > 1 && random.below(3) == 0) result.functions.col(1) = 1 - result.functions.col(0).array();
  for (Index row = 0; row < n; ++row)
    result.scores.push_back(whole_numbers ? static_cast<double>(random.below(4)) : std::exp(random.normal()));
  return result;
}

// η is at most its bound for scores just inside the set, and above it for scores just outside.
TEST(ConditionalQuantile, AgreesWithEveryBasisTried) {
  int finite = 0, whole = 0, empty = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const SmallCase c = small_case(seed);
    const Index n = std::ssize(c.scores);
    const ConditionalQuantile quantile(scored(c.functions.topRows(n), c.scores), c.level);
    const MinimalLoss loss(c.functions, c.scores, c.level);
    const double far = 1e4, near = 1e-5, rounding = 1e-6;
    Random random = Random(8).fork(seed);
    for (int draw = 0; draw < 4; ++draw) {
      const double uniform = draw == 3 ? 1 : random.uniform();
      const auto cut = draw == 3 ? std::optional(quantile.cut_off(row_of(c.functions, n)))
                                 : quantile.smoothed_cut_off(row_of(c.functions, n), uniform);
      const double bound = c.level - 1 + uniform;
      const std::string what = "case " + std::to_string(seed) + ", uniform " + std::to_string(uniform);
      if (!cut) {
        EXPECT_GT(loss.slope(-far, -far + 1), bound) << what;
        ++empty;
      } else if (*cut == infinity) {
        EXPECT_LE(loss.slope(far, far + 1), bound + (draw == 3 ? -rounding : rounding)) << what;
        ++whole;
      } else {
        EXPECT_LE(loss.slope(*cut - 2 * near, *cut - near), bound + (draw == 3 ? -rounding : rounding)) << what << " " << *cut;
        EXPECT_GE(loss.slope(*cut + near, *cut + 2 * near), bound - rounding) << what << " " << *cut;
        ++finite;
      }
    }
  }
  EXPECT_GT(finite, 500);
  EXPECT_GT(whole, 100);
  EXPECT_GT(empty, 50);
}

// The new row is added to the calibration rows. If its score is a little above the cut-off, the fit is below that score; if it is
// a little below the cut-off, the fit is not. The reference is a new fit of all rows.
TEST(ConditionalQuantile, AgreesWithAFitThatHasTheNewRowInIt) {
  const Index n = 1500, groups = 30;
  for (const bool ties : {false, true}) {
    Random random(6);
    Matrix functions = Matrix::Zero(n + 8, groups + 2);
    std::vector<double> scores;
    for (Index row = 0; row < functions.rows(); ++row) {
      for (Index column = 0; column < groups; ++column) functions(row, column) = random.uniform() < .15 ? 1 : 0;
      functions(row, row % groups) = 1;
      functions(row, groups) = random.normal();
      functions(row, groups + 1) = 3 - functions(row, groups) + functions(row, 2);
      const double score = std::abs((1 + functions(row, 0) + functions(row, 1)) * random.normal());
      scores.push_back(ties ? std::floor(4 * score) : score);
    }
    scores.resize(n);
    const ConditionalQuantile quantile(scored(functions.topRows(n), scores), .9);
    for (Index row = n; row < functions.rows(); ++row) {
      const double cut = quantile.cut_off(row_of(functions, row));
      ASSERT_TRUE(std::isfinite(cut));
      Matrix with_it = functions.topRows(n + 1);
      with_it.row(n) = functions.row(row);
      for (const double away : {-1e-4, 1e-4}) {
        std::vector<double> its_scores = scores;
        its_scores.push_back(cut + away);
        const double fit = *ConditionalQuantile(scored(with_it, its_scores), .9).smoothed_cut_off(row_of(functions, row), 1 - .9);
        EXPECT_EQ(fit<cut + away - 1e-6, away> 0) << row << " " << cut << " " << fit;
      }
    }
  }
}

TEST(ConditionalQuantile, OfTheConstantAloneIsThePlainRank) {
  Random random(1);
  for (const bool ties : {false, true})
    for (Index n = 1; n <= 60; ++n) {
      std::vector<double> scores;
      for (Index i = 0; i < n; ++i) scores.push_back(ties ? static_cast<double>(random.below(5)) : random.normal());
      const ScoreDistribution distribution(scores);
      const auto rows = scored(Matrix(n, 0), scores);
      for (const double level : {.05, .5, .68, .8, .9, .95}) {
        const ConditionalQuantile quantile(rows, level);
        EXPECT_EQ(quantile.cut_off({}), distribution.quantile(level)) << n << " " << level;
        for (int draw = 0; draw < 5; ++draw) {
          const double uniform = random.uniform();
          EXPECT_EQ(quantile.smoothed_cut_off({}, uniform), distribution.smoothed_quantile(level, uniform)) << n << " " << level;
        }
      }
    }
}

TEST(ConditionalQuantile, OfDisjointGroupsIsARankPerGroup) {
  Random random(2);
  for (const bool all_groups : {true, false}) {  // with the constant, the indicators of all groups are linearly dependent
    const Index n = 200, groups = 7;
    Matrix functions = Matrix::Zero(n, all_groups ? groups : groups - 1);
    std::vector<double> scores;
    std::vector<std::vector<double>> of_group(groups);
    for (Index row = 0; row < n; ++row) {
      const Index group = random.below(groups) * random.below(groups) / groups;
      scores.push_back(std::exp(random.normal()));
      of_group[static_cast<std::size_t>(group)].push_back(scores.back());
      if (group < functions.cols()) functions(row, group) = 1;
    }
    const auto rows = scored(functions, scores);
    for (const double level : {.5, .8, .9}) {
      const ConditionalQuantile quantile(rows, level);
      for (Index group = 0; group < groups; ++group) {
        std::vector<double> row(static_cast<std::size_t>(functions.cols()), 0.0);
        if (group < functions.cols()) row[static_cast<std::size_t>(group)] = 1;
        const ScoreDistribution distribution(of_group[static_cast<std::size_t>(group)]);
        EXPECT_EQ(quantile.cut_off(row), distribution.quantile(level)) << group << " " << level;
        for (int draw = 0; draw < 20; ++draw) {
          const double uniform = random.uniform();
          EXPECT_EQ(quantile.smoothed_cut_off(row, uniform), distribution.smoothed_quantile(level, uniform))
              << group << " " << level;
        }
      }
    }
  }
}

TEST(ConditionalQuantile, OrderOfRowsChangesNoBit) {
  Random random(3);
  const Index n = 120;
  Matrix functions(n, 5), shuffled(n, 5);
  std::vector<double> scores;
  for (Index row = 0; row < n; ++row) {
    for (Index column = 0; column < 5; ++column)
      functions(row, column) = column < 4 ? static_cast<double>(random.below(2)) : random.normal();
    scores.push_back(static_cast<double>(random.below(20)));
  }
  const Rows order = random.permutation(n);
  for (Index row = 0; row < n; ++row) shuffled.row(row) = functions.row(order[static_cast<std::size_t>(row)]);
  const ConditionalQuantile a(scored(functions, scores), .8), b(scored(shuffled, pick(scores, order)), .8);
  for (Index row = 0; row < n; ++row) {
    EXPECT_EQ(a.cut_off(row_of(functions, row)), b.cut_off(row_of(functions, row)));
    const double uniform = random.uniform();
    EXPECT_EQ(a.smoothed_cut_off(row_of(functions, row), uniform), b.smoothed_cut_off(row_of(functions, row), uniform));
  }
}

// A larger random number never gives a smaller set, and the set without smoothing contains all of them.
TEST(ConditionalQuantile, GrowsWithTheRandomNumber) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const SmallCase c = small_case(seed);
    const Index n = std::ssize(c.scores);
    const ConditionalQuantile quantile(scored(c.functions.topRows(n), c.scores), c.level);
    double last = -infinity;
    for (int i = 0; i < 50; ++i) {
      const double cut = quantile.smoothed_cut_off(row_of(c.functions, n), i / 50.0).value_or(-infinity);
      EXPECT_TRUE(cut >= last || cut >= last - 1e-8 * std::abs(last)) << seed << ": " << cut << " after " << last;
      last = cut;
    }
    const double all = quantile.cut_off(row_of(c.functions, n));
    EXPECT_TRUE(all >= last || all >= last - 1e-8 * std::abs(last)) << seed;
  }
}

TEST(ConditionalQuantile, ARowUnlikeAllOthersGetsTheWholeLine) {
  Matrix functions = Matrix::Zero(50, 2);  // no row is in the second group
  functions.topLeftCorner(25, 1).setOnes();
  std::vector<double> scores;
  for (int i = 0; i < 50; ++i) scores.push_back(i);
  const ConditionalQuantile quantile(scored(functions, scores), .9);
  EXPECT_EQ(quantile.cut_off(std::vector<double>{0, 1}), infinity);
  EXPECT_EQ(quantile.smoothed_cut_off(std::vector<double>{0, 1}, .2), infinity);       // with a probability of .9
  EXPECT_EQ(quantile.smoothed_cut_off(std::vector<double>{0, 1}, .05), std::nullopt);  // else empty: exactly .9 in all
  EXPECT_LT(quantile.cut_off(std::vector<double>{0, 0}), infinity);
}

TEST(ConditionalQuantile, InfiniteScoresAreTopAndBottom) {
  Random random(4);
  for (const double extreme : {infinity, -infinity})
    for (const Index extremes : {1, 4, 12, 30, 39}) {
      Matrix functions = Matrix::Zero(80, 1);
      std::vector<std::vector<double>> of_group(2);
      std::vector<double> scores;
      for (Index row = 0; row < 80; ++row) {
        functions(row, 0) = static_cast<double>(row % 2);
        scores.push_back(row % 2 == 0 && row / 2 < extremes ? extreme : random.normal());
        of_group[static_cast<std::size_t>(row % 2)].push_back(scores.back());
      }
      const ConditionalQuantile quantile(scored(functions, scores), .8);
      for (const std::size_t group : {0U, 1U}) {
        const std::vector<double> row{static_cast<double>(group)};
        EXPECT_EQ(quantile.cut_off(row), ScoreDistribution(of_group[group]).quantile(.8)) << extreme << extremes;
        EXPECT_EQ(quantile.smoothed_cut_off(row, .37), ScoreDistribution(of_group[group]).smoothed_quantile(.8, .37))
            << extreme << extremes;
      }
    }
}

TEST(ConditionalQuantile, SizesAndPlacesOfNumbersDoNotMatter) {
  Random random(5);
  Matrix functions(300, 3), moved(300, 3);
  std::vector<double> scores, larger;
  for (Index row = 0; row < 300; ++row) {
    functions.row(row) << random.normal(), random.normal(), static_cast<double>(random.below(2));
    moved.row(row) << 2e6 + functions(row, 0), 1e-30 * functions(row, 1), functions(row, 2);
    scores.push_back(std::exp(2 * random.normal()));
    larger.push_back(1e290 * scores.back());
  }
  const ConditionalQuantile a(scored(functions, scores), .9), b(scored(moved, larger), .9);
  for (Index row = 0; row < 300; ++row) {
    const double cut = a.cut_off(row_of(functions, row));
    EXPECT_NEAR(b.cut_off(row_of(moved, row)) / 1e290, cut, 1e-6 * std::abs(cut));
  }
}

TEST(ConditionalQuantile, BadInputIsRefused) {
  const std::vector<double> scores{1, 2, 3};
  EXPECT_THROW(scored(Matrix::Zero(2, 1), scores), UsageError);
  EXPECT_THROW(scored(Matrix::Constant(3, 1, missing), scores), Error);
  EXPECT_THROW(scored(Matrix::Zero(3, 1), {1, missing, 2}), Error);
  const auto rows = scored(Matrix::Zero(3, 1), scores);
  EXPECT_THROW(ConditionalQuantile(rows, 1), UsageError);
  const ConditionalQuantile quantile(rows, .5);
  EXPECT_THROW(quantile.cut_off({}), UsageError);
  EXPECT_THROW(quantile.cut_off(std::vector<double>{infinity}), Error);
  EXPECT_THROW(quantile.smoothed_cut_off(std::vector<double>{0}, 1), UsageError);
  EXPECT_EQ(ConditionalQuantile(scored(Matrix(0, 1), {}), .9).cut_off(std::vector<double>{1}), infinity);
}

}  // namespace
}  // namespace taut
