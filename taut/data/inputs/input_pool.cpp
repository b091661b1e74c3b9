#include <taut/data/inputs/input_pool.hpp>

namespace taut {

namespace {

MatrixF stacked(const Inputs& first, const Inputs& second) {
  MatrixF x(first.rows() + second.rows(), first.cols());
  x.topRows(first.rows()) = first;
  x.bottomRows(second.rows()) = second;
  return x;
}

}  // namespace

InputPool::InputPool(MatrixF x, std::vector<double> weights)
    : x_(std::move(x)), weights_(std::move(weights)), data_(x_.data()), rows_(x_.rows()), columns_(x_.cols()) {
  spill_ = Spill::of({std::as_bytes(std::span(x_.data(), static_cast<std::size_t>(x_.size())))});
  if (!spill_) return;
  data_ = reinterpret_cast<const float*>(spill_->data());
  x_.resize(0, 0);
}

InputPool::InputPool(const Inputs& first, const Inputs& second) : InputPool(stacked(first, second)) {}

void InputPool::evict() const {
  if (spill_) spill_->evict();
}

MatrixF InputPool::gather(RowsView rows) const {
  const auto x = floats();
  MatrixF part(std::ssize(rows), columns_);
  for (Index i = 0; i < part.rows(); ++i) part.row(i) = x.row(rows[static_cast<std::size_t>(i)]);
  return part;
}

std::shared_ptr<const BinnedInputs> InputPool::binned(Index maximum, int threads) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [count, bins] : made_)
    if (count == maximum) return bins;
  made_.emplace_back(maximum, std::make_shared<const BinnedInputs>(floats(), maximum, threads, weights_));
  evict();
  return made_.back().second;
}

}  // namespace taut
