#include <taut/predict/training_inputs.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/predict/target_scale.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::size_t blocks_of_one_part = 5;

// With several parts, the validation rows of each are a block. With one part, its validation rows are a block and its training
// rows are split into five.
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
           (encoding == Encoding::raw || std::ssize(column.categories) > Encoder::max_category_inputs);
  });
}

TrainingInputs::TrainingInputs(Encoding encoding, const TableView& x, RowsView rows, std::span<const double> values,
                               const std::vector<TrainingPart>& parts, bool with_counts, RowWeights weights, const Encoder* known)
    : x_(x), rows_(rows), parts_(parts.size()) {
  if (!depend_on_values(encoding, x)) {
    encoder_ = known != nullptr ? *known : Encoder(encoding, x, rows, weights);
    return;
  }
  blocks_ = blocks_of(parts, rows.size());
  sums_.emplace(x, rows, values, blocks_, weights);
  encoder_ = known != nullptr ? *known : Encoder(encoding, x, rows, sums_->means(), with_counts, weights);
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

namespace {

constexpr Index parts_of_one = 5;
constexpr Index min_explained_rows = 40;  // with fewer rows, a prediction from other columns is too noisy to subtract

}  // namespace

std::vector<double> unexplained_by_other_columns(const TableView& x, RowsView rows, std::span<const double> y,
                                                 const std::vector<TrainingPart>& parts, std::uint64_t seed,
                                                 const ExecutionContext& context, RowWeights weights) {
  std::vector<double> left(y.begin(), y.end());
  std::vector<Column> others = x.columns();
  std::erase_if(others, [](const Column& column) { return column.kind == ColumnKind::category; });
  if (others.empty() || std::ssize(rows) < min_explained_rows) return left;
  const TableView other_columns = x.matched(others);
  const InputPool inputs(Encoder(Encoding::raw, other_columns, rows).encode(other_columns, rows, context.threads),
                         {weights.begin(), weights.end()});
  const auto cut = parts.size() > 1 ? parts : equal_parts(std::ssize(rows), parts_of_one);
  run_concurrently(std::ssize(cut), context, "looking at categories", [&](Index which, const ExecutionContext& inside) {
    const TrainingPart& part = cut[static_cast<std::size_t>(which)];
    const Rows training = part.train();
    std::vector<double> found(static_cast<std::size_t>(part.validation_rows()));
    const auto trees = predictors().make("boost");
    trees->fit(inputs, training, pick(y, training),
               {.seed = seed + static_cast<std::uint64_t>(which), .effort = SearchEffort::quick}, inside);
    trees->predict(inputs.floats().middleRows(part.begin, part.validation_rows()), found, inside.threads);
    for (Index i = part.begin; i < part.end; ++i)
      left[static_cast<std::size_t>(i)] -= found[static_cast<std::size_t>(i - part.begin)];
  });
  return left;
}

FoldInputs::FoldInputs(const TableView& x, RowsView rows, std::span<const double> y, std::vector<TrainingPart> folds,
                       std::uint64_t seed, std::vector<double> weights)
    : x_(x), rows_(rows), weights_(std::move(weights)), folds_(std::move(folds)), seed_(seed) {
  const StandardUnits units = StandardUnits::of(y, weights_);
  for (const double value : y) standard_.push_back(units.standard(value));
}

FoldInputs::FoldInputs(const FoldInputs& first, const Rows& order, RowsView rows, std::vector<TrainingPart> folds)
    : x_(first.x_),
      rows_(rows),
      standard_(pick(first.standard_, order)),
      weights_(pick_weights(first.weights_, order)),
      folds_(std::move(folds)),
      seed_(first.seed_),
      unexplained_(first.unexplained_.empty() ? std::vector<double>() : pick(first.unexplained_, order)),
      first_(&first) {}

void FoldInputs::prepare(Encoding encoding, const ExecutionContext& context) {
  if (encoded_.contains(encoding)) return;
  const Traced traced("encode",
                      [&] { return std::string(encoding == Encoding::raw ? "inputs of trees" : "standardised inputs"); });
  if (TrainingInputs::depend_on_values(encoding, x_) && unexplained_.empty())
    unexplained_ = unexplained_by_other_columns(x_, rows_, standard_, folds_, seed_, context, weights_);
  const Encoder* const known = first_ != nullptr ? &first_->encoder(encoding) : nullptr;
  Encoded encoded{{encoding, x_, rows_, unexplained_, folds_, /*with_counts=*/false, weights_, known}, nullptr};
  if (encoded.training.are_shared())
    encoded.shared = std::make_shared<const InputPool>(encoded.training.shared(context.threads), weights_);
  encoded_.emplace(encoding, std::move(encoded));
}

void FoldInputs::free_pools() {
  for (auto& [encoding, encoded] : encoded_) encoded.shared = nullptr;
}

std::shared_ptr<const InputPool> FoldInputs::pool(Encoding encoding, std::size_t fold, int threads) const {
  const Encoded& encoded = encoded_.at(encoding);
  return encoded.shared ? encoded.shared : std::make_shared<const InputPool>(encoded.training.of_part(fold, threads), weights_);
}

}  // namespace taut
