#include <taut/fit/kept_rows.hpp>

#include <taut/calibrate/value_probabilities.hpp>
#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace taut {

struct KeptRows::Cache {
  std::mutex mutex;
  std::map<Index, std::unique_ptr<const ValueProbabilities>> made;
};

// 2,000 rows of a scale, and fewer of a curve with about 24 numbers per row: about 300 kB.
Index KeptRows::max_rows(Index columns) {
  constexpr Index maximum = 2000, minimum = 500, numbers = 40'000;
  return std::clamp<Index>(numbers / std::max<Index>(1, columns), minimum, maximum);
}

KeptRows::KeptRows(const ScoreModel& score, bool has_ends)
    : predictions_(score.levels() ? score.levels()->size()
                   : has_ends     ? 2
                                  : 1),
      cache_(std::make_shared<Cache>()) {
  columns_ = predictions_ + score.n_params_of_row() + 1;
}

KeptRows::KeptRows(Index columns) : columns_(columns), cache_(std::make_shared<Cache>()) {}

std::vector<double> KeptRows::numbers_of(const RowPrediction& predicted, const double* g, double y) const {
  if (columns_ == 0) return {};
  std::vector<double> numbers(predicted.quantiles.begin(), predicted.quantiles.end());
  if (numbers.empty()) numbers.push_back(predicted.lower);
  if (numbers.size() == 1 && predictions_ == 2) numbers.push_back(predicted.upper);
  numbers.insert(numbers.end(), g, g + (columns_ - predictions_ - 1));
  numbers.push_back(y);
  return numbers;
}

bool KeptRows::add(std::span<const double> numbers) {
  if (std::ssize(numbers) != columns_ || columns_ == 0 ||
      !std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); }))
    return false;
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  if (!cache_->made.empty()) cache_ = std::make_shared<Cache>();
  return true;
}

void KeptRows::forget_oldest() {
  if (rows() >= 2 * max_rows(columns_))
    numbers_.erase(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(place(first())));
}

void KeptRows::set_groups(std::vector<Index> groups) { groups_ = std::move(groups); }

void KeptRows::set_weights(std::vector<double> weights, double own_weight) {
  weights_ = std::move(weights);
  own_weight_ = own_weight;
}

Index KeptRows::first() const {
  return groups_.empty() && weights_.empty() ? std::max<Index>(0, rows() - max_rows(columns_)) : 0;
}

const ValueProbabilities* KeptRows::probabilities(Index group, const ScoreModel& score) const {
  if (empty()) return nullptr;
  const std::lock_guard lock(cache_->mutex);
  auto& known = cache_->made[group];
  if (!known) {
    std::vector<RowScore> scores;
    std::vector<double> y, weights;
    for (Index row = first(); row < rows(); ++row) {
      if (group != every_row && (groups_.empty() || groups_[static_cast<std::size_t>(row)] != group)) continue;
      const double* const numbers = numbers_.data() + place(row);
      scores.push_back(
          score.at(score.prediction_of(std::span(numbers, static_cast<std::size_t>(predictions_))), numbers + predictions_));
      y.push_back(numbers[columns_ - 1]);
      weights.push_back(weights_.empty() ? 1 : weights_[static_cast<std::size_t>(row)]);
    }
    known = std::make_unique<const ValueProbabilities>(scores, y, weights, own_weight_);
  }
  return known->nodes().empty() ? nullptr : known.get();
}

void KeptRows::save(Archive archive) const {
  Matrix numbers(rows() - first(), columns_);
  std::copy(numbers_.begin() + static_cast<std::ptrdiff_t>(place(first())), numbers_.end(), numbers.data());
  archive.put("numbers", std::move(numbers));
  if (!groups_.empty()) archive.put("groups", std::vector<std::int64_t>(groups_.begin(), groups_.end()));
  if (weights_.empty()) return;
  archive.put("weights", weights_);
  archive.put("own_weight", own_weight_);
}

KeptRows KeptRows::load(const Archive& archive, const ScoreModel& score, bool has_ends, Index groups) {
  KeptRows kept = load(archive, KeptRows(score, has_ends), groups);
  for (Index row = 0; row < kept.rows() && score.levels(); ++row) {
    const double* const own = kept.numbers_.data() + kept.place(row);
    if (!std::is_sorted(own, own + kept.predictions_))
      throw Error("the model file's kept calibration rows have quantiles that cross: it is damaged");
  }
  return kept;
}

KeptRows KeptRows::load(const Archive& archive, Index columns, Index groups) { return load(archive, KeptRows(columns), groups); }

KeptRows KeptRows::load(const Archive& archive, KeptRows kept, Index groups) {
  const auto require = [](bool holds) {
    if (!holds) throw Error("the model file's kept calibration rows do not fit together: it is damaged");
  };
  const Matrix& numbers = archive.get<Matrix>("numbers");
  if (numbers.size() == 0) return {};
  require(numbers.cols() == kept.columns_ && numbers.allFinite());
  kept.numbers_.assign(numbers.data(), numbers.data() + numbers.size());
  const auto rows = static_cast<std::size_t>(numbers.rows());
  if (archive.has("groups")) {
    const auto& own = archive.get<std::vector<std::int64_t>>("groups");
    require(own.size() == rows && std::all_of(own.begin(), own.end(), [&](auto one) { return one >= 0 && one < groups; }));
    kept.set_groups({own.begin(), own.end()});
  }
  if (archive.has("weights")) {
    const auto& own = archive.get<std::vector<double>>("weights");
    const double of_new_row = archive.number("own_weight");
    require(own.size() == rows && std::all_of(own.begin(), own.end(), [](double one) { return one >= 0 && one <= 1; }));
    require(of_new_row > 0 && of_new_row <= 1);
    kept.set_weights(own, of_new_row);
  }
  return kept;
}

}  // namespace taut
