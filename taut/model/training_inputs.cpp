#include <taut/model/training_inputs.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::size_t blocks_of_one_part = 5;

// With several parts the validation rows of each are a block. With one, its validation rows are a block and its training rows
// are cut into five.
RowBlocks blocks_of(const std::vector<TrainingPart>& parts, std::size_t rows) {
  RowBlocks blocks{std::vector<std::uint8_t>(rows), parts.size() > 1 ? parts.size() : 1 + blocks_of_one_part};
  std::size_t block = 0;
  for (const TrainingPart& part : parts) {
    for (Index row = part.begin; row < part.end; ++row)
      blocks.of_row[static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(block);
    ++block;
  }
  if (parts.size() > 1) return blocks;
  const Rows train = parts.front().train();
  for (std::size_t i = 0; i < train.size(); ++i)
    blocks.of_row[static_cast<std::size_t>(train[i])] = static_cast<std::uint8_t>(1 + i * blocks_of_one_part / train.size());
  return blocks;
}

}  // namespace

bool TrainingInputs::depend_on_values(Encoding encoding, const TableView& x) {
  return std::any_of(x.columns().begin(), x.columns().end(), [&](const Column& column) {
    return column.kind == ColumnKind::category &&
           (encoding == Encoding::raw || std::ssize(column.categories) > Encoder::most_category_inputs);
  });
}

TrainingInputs::TrainingInputs(Encoding encoding, const TableView& x, RowsView rows, std::span<const double> values,
                               const std::vector<TrainingPart>& parts, bool with_counts)
    : x_(x), rows_(rows), parts_(parts.size()) {
  if (!depend_on_values(encoding, x)) {
    encoder_ = Encoder(encoding, x, rows);
    return;
  }
  blocks_ = blocks_of(parts, rows.size());
  sums_.emplace(x, rows, values, blocks_);
  encoder_ = Encoder(encoding, x, rows, sums_->means(), with_counts);
}

MatrixF TrainingInputs::shared(int threads) const {
  return parts_ == 1 ? of_part(0, threads) : without(CategorySums::none, threads);
}

MatrixF TrainingInputs::of_part(std::size_t part, int threads) const { return without(part, threads); }

MatrixF TrainingInputs::without(std::size_t block, int threads) const {
  if (are_shared()) return encoder_.encode(x_, rows_, threads);
  std::vector<ColumnMeans> means;
  for (std::size_t own = 0; own < blocks_.count; ++own) means.push_back(sums_->means_without(own, block));
  return encoder_.encode(
      x_, rows_, [&](Index i) -> const ColumnMeans& { return means[blocks_.of_row[static_cast<std::size_t>(i)]]; }, threads);
}

}  // namespace taut
