#include <taut/model/fold_inputs.hpp>

#include <taut/core/trace.hpp>
#include <taut/model/standard_units.hpp>
#include <taut/model/unexplained.hpp>

namespace taut {

FoldInputs::FoldInputs(const TableView& x, RowsView rows, std::span<const double> y, std::vector<TrainingPart> folds,
                       std::uint64_t seed)
    : x_(x), rows_(rows), folds_(std::move(folds)), seed_(seed) {
  const StandardUnits units = StandardUnits::of(y);
  for (const double value : y) standard_.push_back(units.standard(value));
}

void FoldInputs::prepare(Encoding encoding, const ExecutionContext& context) {
  if (encoded_.contains(encoding)) return;
  const Traced traced("encode",
                      [&] { return std::string(encoding == Encoding::raw ? "inputs of trees" : "standardised inputs"); });
  if (TrainingInputs::depend_on_values(encoding, x_) && unexplained_.empty())
    unexplained_ = unexplained_by_other_columns(x_, rows_, standard_, folds_, seed_, context);
  Encoded encoded{{encoding, x_, rows_, unexplained_, folds_, /*with_counts=*/false}, nullptr};
  if (encoded.training.are_shared()) encoded.shared = std::make_shared<const InputPool>(encoded.training.shared(context.threads));
  encoded_.emplace(encoding, std::move(encoded));
}

std::shared_ptr<const InputPool> FoldInputs::pool(Encoding encoding, std::size_t fold, int threads) const {
  const Encoded& encoded = encoded_.at(encoding);
  return encoded.shared ? encoded.shared : std::make_shared<const InputPool>(encoded.training.of_part(fold, threads));
}

}  // namespace taut
