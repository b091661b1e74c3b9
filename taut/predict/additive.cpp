// f(x) = b + Σ f_j(x_j). Each f_j is a natural cubic spline with knots at quantiles, or a straight line where a column has few
// values. The roughness ∫ f_j''² and the slopes are penalised, with a separate penalty for each group of coefficients.
//
// The curves are parametrised so that their roughness is the sum of squares of their coefficients. The whole problem is then
// ridge regression with a penalty λ_g for each group g: the curves of one column, all slopes of numeric columns, the effects of
// adjacent indicator columns. λ_g maximises the likelihood of y when coefficients are normal with variance σ²/λ_g (MacKay's
// evidence; for splines, restricted maximum likelihood). With A = XᵀX + Λ, w = A⁻¹Xᵀy and γ_g = Σ_g (1 − λ_g A⁻¹_ii), repeat
//   λ_g ← σ² γ_g / |w_g|²,  σ² = |y − Xw|² / (n − Σ γ_g).
#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/additive_terms.hpp>
#include <taut/predict/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace taut {
namespace {

constexpr Index max_additive_rows = 50'000;  // larger tables are sampled: smooth curves need no more rows
constexpr Index max_regressors = 800;
constexpr Index min_additive_rows = 6;  // with fewer only the mean is used

// Sums over rows of centred regressors and targets.
struct AdditiveSums {
  double rows = 0, y_mean = 0, y_square = 0;
  Eigen::VectorXd mean, product;
  Eigen::MatrixXd gram;
};

class AdditiveRegression {
 public:
  AdditiveRegression(const MatrixF& x, std::span<const double> y, RowWeights weights, const ExecutionContext& context)
      : x_(x), y_(y), weights_of_rows_(weights), terms_(additive_terms(x, y, max_regressors, context.threads, weights)) {
    for (std::size_t t = 0; t < terms_.size(); ++t) add_groups(t);
    if (group_of_.empty()) return;
    sums_ = sums_of_rows(context);
    learn(context);
  }

  double intercept() const { return intercept_; }

  std::vector<std::int32_t> columns() const {
    std::vector<std::int32_t> result;
    for (const AdditiveTerm& term : terms_) result.push_back(static_cast<std::int32_t>(term.column));
    return result;
  }

  std::vector<NaturalSpline> splines() const {
    std::vector<NaturalSpline> result;
    Index at = 0;
    for (const AdditiveTerm& term : terms_) {
      const std::vector<double>& knots = term.knots.knots();
      std::vector<double> values, regressors(static_cast<std::size_t>(term.size()));
      for (const double knot : knots) {
        term.put(knot, regressors.data());
        double sum = 0;
        for (Index i = 0; i < term.size(); ++i) sum += weights_[at + i] * regressors[static_cast<std::size_t>(i)];
        values.push_back(sum);
      }
      result.emplace_back(knots, std::move(values), term.low, term.high);
      at += term.size();
    }
    return result;
  }

 private:
  // All slopes of numeric columns form one group, each run of adjacent indicator columns one, the curves of each column one.
  void add_groups(std::size_t which) {
    constexpr int slopes = 0;
    const AdditiveTerm& term = terms_[which];
    const bool continues = which > 0 && terms_[which - 1].is_indicator && terms_[which - 1].column + 1 == term.column;
    if (term.is_indicator && !continues) ++groups_;
    group_of_.push_back(term.is_indicator ? groups_ - 1 : slopes);
    if (term.curves.cols() == 0) return;
    group_of_.insert(group_of_.end(), static_cast<std::size_t>(term.curves.cols()), groups_);
    ++groups_;
  }

  // The result is bit-identical for any number of threads: the parts and the order of adding them do not depend on it.
  AdditiveSums sums_of_rows(const ExecutionContext& context) const {
    constexpr Index parts = 8, block = 512;
    const auto width = static_cast<Index>(group_of_.size()) + 1;  // with y
    const double n = total_weight(weights_of_rows_, x_.rows());
    std::vector<Eigen::MatrixXd> grams(parts);
    // The first row is subtracted from all rows, so that large means do not cancel digits.
    Eigen::VectorXd first(width);
    put_row(0, first.data());
    std::vector<Eigen::VectorXd> totals(parts, Eigen::VectorXd::Zero(width));
    parallel_blocks(parts, 1, context.threads, [&](Index part, Index) {
      const auto at = static_cast<std::size_t>(part);
      grams[at] = Eigen::MatrixXd::Zero(width, width);
      const Index end = x_.rows() * (part + 1) / parts;
      for (Index begin = x_.rows() * part / parts; begin < end; begin += block) {
        context.report("additive", 0);
        Eigen::MatrixXd rows(width, std::min(block, end - begin));
        for (Index r = 0; r < rows.cols(); ++r) put_row(begin + r, rows.col(r).data());
        rows.colwise() -= first;
        if (weights_of_rows_.empty()) {
          totals[at] += rows.rowwise().sum();
        } else {
          const Eigen::VectorXd own =
              Eigen::Map<const Eigen::VectorXd>(weights_of_rows_.data(), x_.rows()).segment(begin, rows.cols());
          totals[at] += rows * own;
          rows = rows * own.cwiseSqrt().asDiagonal();
        }
        add_gram(rows, Transpose::right, grams[at]);
      }
    });
    for (std::size_t part = 1; part < grams.size(); ++part) {
      grams[0] += grams[part];
      totals[0] += totals[part];
    }
    const Eigen::VectorXd mean = totals[0] / n;
    Eigen::MatrixXd& gram = grams[0];
    copy_lower_to_upper(gram);
    gram -= mean * mean.transpose() * n;
    const Index last = width - 1;
    return {n,
            mean[last] + first[last],
            gram(last, last),
            (mean + first).head(last),
            gram.col(last).head(last),
            gram.topLeftCorner(last, last)};
  }

  void put_row(Index row, double* out) const {
    for (const AdditiveTerm& term : terms_) {
      term.put(static_cast<double>(x_(row, term.column)), out);
      out += term.size();
    }
    *out = y_[static_cast<std::size_t>(row)];
  }

  void learn(const ExecutionContext& context) {
    const auto size = static_cast<Index>(group_of_.size());
    const Index max_rounds = size > 400 ? 15 : 40;
    weights_ = Eigen::VectorXd::Zero(size);
    intercept_ = sums_.y_mean;
    if (!(sums_.y_square > 0)) return;
    Eigen::VectorXd penalty(groups_), count = Eigen::VectorXd::Zero(groups_);
    Eigen::VectorXd spread = Eigen::VectorXd::Zero(groups_);
    for (Index i = 0; i < size; ++i) {
      count[group(i)] += 1;
      spread[group(i)] += sums_.gram(i, i);
    }
    for (int g = 0; g < groups_; ++g) penalty[g] = count[g] > 0 ? std::max(0.1 * spread[g] / count[g], 1e-9) : 1;
    const Eigen::VectorXd max_penalty = penalty * 1e7, min_penalty = penalty * 1e-9;
    for (Index round = 0; round < max_rounds; ++round) {
      context.report("additive", static_cast<double>(round) / static_cast<double>(max_rounds));
      Eigen::MatrixXd a = sums_.gram;
      for (Index i = 0; i < size; ++i) a(i, i) += penalty[group(i)];
      const Cholesky solver(std::move(a));
      if (!solver.succeeded()) break;
      const Eigen::VectorXd w = solver.solve(sums_.product);
      if (!w.allFinite()) break;
      weights_ = w;
      const Eigen::MatrixXd inverse = solver.inverse();
      Eigen::VectorXd freedom = count, squares = Eigen::VectorXd::Zero(groups_);
      for (Index i = 0; i < size; ++i) {
        freedom[group(i)] -= penalty[group(i)] * inverse(i, i);
        squares[group(i)] += w[i] * w[i];
      }
      const double rest = std::max(1e-12 * sums_.y_square, sums_.y_square - 2 * w.dot(sums_.product) + w.dot(sums_.gram * w));
      const double variance = rest / std::max(0.05 * sums_.rows, sums_.rows - 1 - freedom.sum());
      double change = 0;
      for (int g = 0; g < groups_; ++g) {
        if (count[g] == 0) continue;
        const double next =
            std::clamp(variance * std::max(freedom[g], 1e-9) / std::max(squares[g], 1e-300), min_penalty[g], max_penalty[g]);
        if (freedom[g] > 0.01) change = std::max(change, std::abs(std::log(next / penalty[g])));
        penalty[g] = next;
      }
      if (change < 0.05) break;
    }
    intercept_ = sums_.y_mean - weights_.dot(sums_.mean);
  }

  int group(Index i) const { return group_of_[static_cast<std::size_t>(i)]; }

  const MatrixF& x_;
  std::span<const double> y_;
  RowWeights weights_of_rows_;
  std::vector<AdditiveTerm> terms_;
  std::vector<int> group_of_;  // by regressor
  int groups_ = 1;
  AdditiveSums sums_;
  Eigen::VectorXd weights_;
  double intercept_ = 0;
};

class Additive final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }
  bool joins_stack(Index, Index, SearchEffort effort) const override { return effort != SearchEffort::quick; }
  bool is_additive() const override { return true; }

  void fit(const InputPool& all, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    context.report("additive", 0);
    Rows places = all_rows(std::ssize(rows));
    if (std::ssize(places) > max_additive_rows) {
      places = Random(settings.seed).fork(9).permutation(std::ssize(rows));
      places.resize(static_cast<std::size_t>(max_additive_rows));
      std::sort(places.begin(), places.end());
    }
    const std::vector<double> chosen_y = pick(y, places);
    for (Index& place : places) place = rows[static_cast<std::size_t>(place)];
    const std::vector<double> weights = all.weights_of(places);
    intercept_ = weighted_mean(chosen_y, weights);
    columns_.clear();
    splines_.clear();
    if (counted_rows(weights, std::ssize(places)) >= min_additive_rows) {
      const MatrixF x = all.gather(places);
      const AdditiveRegression regression(x, chosen_y, weights, context);
      if (!regression.columns().empty()) {
        intercept_ = regression.intercept();
        columns_ = regression.columns();
        splines_ = regression.splines();
      }
    }
    context.report("additive", 1);
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    parallel_blocks(x.rows(), 1024, threads, [&](Index begin, Index end) {
      for (Index r = begin; r < end; ++r) {
        double sum = intercept_;
        for (std::size_t t = 0; t < splines_.size(); ++t) sum += splines_[t](static_cast<double>(x(r, columns_[t])));
        out[static_cast<std::size_t>(r)] = sum;
      }
    });
  }

  std::optional<DescribedFunction> describe() const override {
    DescribedSplines all;
    for (std::size_t t = 0; t < splines_.size(); ++t) {
      DescribedSpline one{columns_[t], splines_[t].knots(), {}, splines_[t].low(), splines_[t].high()};
      for (const auto& piece : splines_[t].pieces())
        one.pieces.push_back({piece.from, piece.constant, piece.slope, piece.square, piece.cube});
      all.splines.push_back(std::move(one));
    }
    return DescribedFunction{intercept_, 1, std::move(all)};
  }

  void save(Archive archive) const override {
    std::vector<std::int32_t> sizes;
    std::vector<double> knots, values, low, high;
    for (const NaturalSpline& spline : splines_) {
      sizes.push_back(static_cast<std::int32_t>(spline.knots().size()));
      knots.insert(knots.end(), spline.knots().begin(), spline.knots().end());
      values.insert(values.end(), spline.values().begin(), spline.values().end());
      low.push_back(spline.low());
      high.push_back(spline.high());
    }
    archive.put("intercept", intercept_);
    archive.put("columns", columns_);
    archive.put("sizes", std::move(sizes));
    archive.put("knots", std::move(knots));
    archive.put("values", std::move(values));
    archive.put("low", std::move(low));
    archive.put("high", std::move(high));
  }

  void load(const Archive& archive, Index inputs) override {
    const auto require = [](bool good, const char* what) {
      if (!good) throw Error(std::string("the additive predictor of the model file is damaged: ") + what);
    };
    intercept_ = archive.number("intercept");
    columns_ = archive.get<std::vector<std::int32_t>>("columns");
    const auto& sizes = archive.get<std::vector<std::int32_t>>("sizes");
    const auto& knots = archive.get<std::vector<double>>("knots");
    const auto& values = archive.get<std::vector<double>>("values");
    const auto& low = archive.get<std::vector<double>>("low");
    const auto& high = archive.get<std::vector<double>>("high");
    require(sizes.size() == columns_.size() && low.size() == sizes.size() && high.size() == sizes.size() &&
                knots.size() == values.size(),
            "its arrays differ in length");
    const auto finite = [](const std::vector<double>& all) {
      return std::all_of(all.begin(), all.end(), [](double value) { return std::isfinite(value); });
    };
    require(std::isfinite(intercept_) && finite(knots) && finite(values) && finite(low) && finite(high),
            "a number is not finite");
    splines_.clear();
    std::size_t begin = 0;
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      require(columns_[t] >= 0 && columns_[t] < inputs, "an input does not exist");
      require(sizes[t] >= 2 && static_cast<std::size_t>(sizes[t]) <= std::min<std::size_t>(1000, knots.size() - begin),
              "a curve has too few knots or too many");
      const auto from = static_cast<std::ptrdiff_t>(begin), to = from + sizes[t];
      std::vector<double> own(knots.begin() + from, knots.begin() + to);
      require(std::adjacent_find(own.begin(), own.end(), std::greater_equal<>()) == own.end() && low[t] <= high[t],
              "knots are not in order");
      splines_.emplace_back(std::move(own), std::vector<double>(values.begin() + from, values.begin() + to), low[t], high[t]);
      begin += static_cast<std::size_t>(sizes[t]);
    }
    require(begin == knots.size(), "knots are left over");
  }

 private:
  double intercept_ = 0;
  std::vector<std::int32_t> columns_;  // by spline
  std::vector<NaturalSpline> splines_;
};

}  // namespace

Listed<Predictor> additive_predictor() {
  return {"additive", "a smooth curve for each number and an effect for each category, added up",
          [](std::string_view) { return std::make_unique<Additive>(); }};
}

}  // namespace taut
