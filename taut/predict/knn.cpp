// f(x) = the mean target of the K nearest rows, the predictor of the paper. A row of weight w counts as w of them.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/nearest.hpp>
#include <taut/predict/predictor.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr Index choices[] = {2, 4, 8, 16, 32};
constexpr Index max_validation_rows = 2000;

class Knn final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    if (settings.knn_rows < 1)
      throw UsageError(format_text("knn was asked to keep {} rows; the minimum is 1", settings.knn_rows));
    context.report("knn", 0);
    const Random random(settings.seed);
    const Rows kept = some_rows(random.fork(0), std::ssize(rows), settings.knn_rows);
    rows_.resize(std::ssize(kept), x.columns());
    targets_.clear();
    weights_.clear();
    for (Index r = 0; r < rows_.rows(); ++r) {
      const auto which = static_cast<std::size_t>(kept[static_cast<std::size_t>(r)]);
      rows_.row(r) = x.floats().row(rows[which]);
      targets_.push_back(y[which]);
      if (!x.weights().empty()) weights_.push_back(weight_of(x.weights(), rows[which]));
    }
    nearest_ = nearest(rows_);
    neighbours_ = choose_neighbours(random.fork(1), context.threads);
    context.report("knn", 1);
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    nearest_->search(x, rows_for(neighbours_), threads, [&](Index query, std::span<const Neighbour> neighbours) {
      double sum = 0, left = static_cast<double>(neighbours_);
      for (const Neighbour& neighbour : neighbours) {
        const double weight = std::min(left, weight_of(weights_, neighbour.row));
        sum += weight * targets_[static_cast<std::size_t>(neighbour.row)];
        left -= weight;
        if (!(left > 0)) break;
      }
      out[static_cast<std::size_t>(query)] = sum / (static_cast<double>(neighbours_) - std::max(0.0, left));
    });
  }

  void save(Archive archive) const override {
    archive.put("neighbours", static_cast<std::int64_t>(neighbours_));
    archive.put("rows", rows_);
    archive.put("targets", targets_);
    if (!weights_.empty()) archive.put("weights", weights_);
  }
  void load(const Archive& archive, Index inputs) override {
    rows_ = archive.get<MatrixF>("rows");
    targets_ = archive.get<std::vector<double>>("targets");
    const auto damaged = [](const std::string& what) {
      return Error(format_text("the knn predictor of the model file {}: the file is damaged", what));
    };
    if (rows_.rows() < 1 || rows_.cols() != inputs || std::ssize(targets_) != rows_.rows())
      throw damaged(format_text("has {} rows of {} columns and {} targets for {} inputs", rows_.rows(), rows_.cols(),
                                targets_.size(), inputs));
    weights_.clear();
    if (archive.has("weights")) weights_ = archive.get<std::vector<double>>("weights");
    const auto is_weight = [](double weight) { return weight > 0 && std::isfinite(weight); };
    if ((!weights_.empty() && weights_.size() != targets_.size()) || !std::all_of(weights_.begin(), weights_.end(), is_weight))
      throw damaged("has weights that do not fit its rows");
    if (!rows_.allFinite() || !Eigen::Map<const Eigen::ArrayXd>(targets_.data(), std::ssize(targets_)).allFinite())
      throw damaged("has numbers that are not finite");
    const Index most = weights_.empty() ? rows_.rows() : std::max(rows_.rows(), choices[std::size(choices) - 1]);
    neighbours_ = archive.integer_in("neighbours", 1, most);
    nearest_ = nearest(rows_);
  }

 private:
  // A random sample of at most `maximum` of `count` rows, in their order.
  static Rows some_rows(Random random, Index count, Index maximum) {
    Rows rows = random.permutation(count);
    rows.resize(static_cast<std::size_t>(std::min(count, maximum)));
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  // The number of nearest rows to look at, whose weights should add up to `count`. Rows of tiny weight are no reason to look at
  // all of them: with at most `max_looks` rows for each of `count`, the mean is over what there is.
  Index rows_for(Index count) const {
    constexpr Index max_looks = 8;
    if (weights_.empty()) return count;
    std::vector<double> rising = weights_;
    std::sort(rising.begin(), rising.end());
    const Index maximum = std::min(rows_.rows(), max_looks * count);
    double sum = 0;
    Index looks = 0;
    while (looks < maximum && sum < static_cast<double>(count)) sum += rising[static_cast<std::size_t>(looks++)];
    return std::max<Index>(1, looks);
  }

  // Each validation row is predicted from all other kept rows. predict() uses only one row more than this validation.
  Index choose_neighbours(Random random, int threads) const {
    const Index others = rows_.rows() - 1;
    if (others < choices[0]) return std::min(choices[0], rows_.rows());
    const Rows validation = some_rows(random, rows_.rows(), max_validation_rows);
    MatrixF queries(std::ssize(validation), rows_.cols());
    for (Index q = 0; q < queries.rows(); ++q) queries.row(q) = rows_.row(validation[static_cast<std::size_t>(q)]);
    const double maximum =
        std::min(total_weight(weights_, rows_.rows()) - 1, static_cast<double>(choices[std::size(choices) - 1]));
    const Index looks = std::min(others, rows_for(std::min(others, choices[std::size(choices) - 1])));

    Matrix errors = Matrix::Zero(queries.rows(), std::ssize(choices));
    nearest_->search(queries, looks + 1, threads, [&](Index query, std::span<const Neighbour> neighbours) {
      const Index self = validation[static_cast<std::size_t>(query)];
      double sum = 0, count = 0;
      Index choice = 0, seen = 0;
      const auto judge = [&](double mean) {
        const double error = mean - targets_[static_cast<std::size_t>(self)];
        errors(query, choice++) = weight_of(weights_, self) * (error * error);
      };
      for (const Neighbour& neighbour : neighbours) {
        if (neighbour.row == self || seen == looks) continue;
        ++seen;
        const double y = targets_[static_cast<std::size_t>(neighbour.row)], weight = weight_of(weights_, neighbour.row);
        for (; choice < std::ssize(choices) && count + weight >= static_cast<double>(choices[choice]);)
          judge((sum + (static_cast<double>(choices[choice]) - count) * y) / static_cast<double>(choices[choice]));
        sum += weight * y;
        count += weight;
      }
      while (!weights_.empty() && choice < std::ssize(choices)) judge(sum / count);  // fewer rows were looked at
    });
    Index best = 0;
    for (Index choice = 1; choice < std::ssize(choices) && static_cast<double>(choices[choice]) <= maximum; ++choice)
      if (errors.col(choice).sum() < errors.col(best).sum()) best = choice;
    return choices[best];
  }

  MatrixF rows_;
  std::vector<double> targets_;
  std::vector<double> weights_;  // of the rows; empty: each counts once
  Index neighbours_ = 1;
  std::unique_ptr<Nearest> nearest_;  // has a reference to rows_
};

}  // namespace

Listed<Predictor> knn_predictor() {
  return {"knn", "the mean of the K nearest rows, K chosen on validation rows",
          [](std::string_view) { return std::make_unique<Knn>(); }};
}

}  // namespace taut
