#include <taut/data/input_pool.hpp>

namespace taut {

InputPool::InputPool(const Inputs& first, const Inputs& second) : x_(first.rows() + second.rows(), first.cols()) {
  x_.topRows(first.rows()) = first;
  x_.bottomRows(second.rows()) = second;
}

MatrixF InputPool::gather(RowsView rows) const {
  MatrixF part(std::ssize(rows), x_.cols());
  for (Index i = 0; i < part.rows(); ++i) part.row(i) = x_.row(rows[static_cast<std::size_t>(i)]);
  return part;
}

std::shared_ptr<const BinnedInputs> InputPool::binned(Index most, int threads) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [count, bins] : made_)
    if (count == most) return bins;
  return made_.emplace_back(most, std::make_shared<const BinnedInputs>(x_, most, threads)).second;
}

}  // namespace taut
