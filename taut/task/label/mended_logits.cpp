#include <taut/task/label/mended_logits.hpp>

#include <taut/task/label/class_growth.hpp>
#include <taut/task/label/compared_losses.hpp>
#include <taut/task/label/temperature.hpp>
#include <taut/core/error.hpp>
#include <taut/data/input_pool.hpp>

namespace taut {

namespace {

// A probability of 0 would never be mended, however often it happened.
constexpr double least_log = -7;

Matrix bounded_below(const Matrix& logits, double scale) {
  Matrix result(logits.rows(), logits.cols());
  for (Index row = 0; row < logits.rows(); ++row)
    result.row(row) = (scale * (logits.row(row).array() - logits.row(row).maxCoeff())).max(least_log).matrix();
  return result;
}

}  // namespace

MatrixF MendedLogits::inputs(const TableView& x, RowsView rows, const Matrix& logits, int threads) const {
  const MatrixF encoded = encoder_.encode(x, rows, threads);
  MatrixF all(encoded.rows(), encoded.cols() + logits.cols());
  all << encoded, logits.cast<float>();
  return all;
}

BoosterSettings MendedLogits::cautious(Index rows, Index classes, std::uint64_t seed, int threads) {
  BoosterSettings settings;
  settings.outputs = margins_for(classes);
  settings.depth = 3;
  settings.rate = rows < 5000 ? 0.05 : 0.1;
  settings.min_weight = 2;
  settings.lambda = 5;
  settings.row_share = 0.8;
  settings.column_share = 0.7;
  settings.bins = 64;
  settings.seed = seed;
  settings.threads = threads;
  return settings;
}

MendedLogits::Fitted MendedLogits::fit(const TableView& x, RowsView rows, const Matrix& logits, double doubt,
                                       std::span<const Index> labels, const std::vector<TrainingPart>& folds,
                                       const BoosterSettings& settings, const ExecutionContext& context) {
  Fitted fitted;
  MendedLogits& mended = fitted.mended;
  mended.encoder_ = Encoder(Encoding::raw, x, rows);
  mended.scale_ = best_inverse_temperature(logits, labels, context.threads, doubt);
  const Matrix start = bounded_below(logits, mended.scale_);
  const auto pool = std::make_shared<const InputPool>(mended.inputs(x, rows, start, context.threads));
  Matrix held_out = start;
  const auto inputs_of = [&](std::size_t, int) { return pool; };
  const Index mean = grow_folds(folds, labels, {.of_rows = &start}, settings, inputs_of, held_out, context);
  const ComparedLosses losses = compare_losses(start, 1, held_out, labels);
  fitted.without = losses.without;
  fitted.with = losses.with;
  fitted.error = losses.error;
  fitted.out_of_fold = logits;
  if (!losses.is_better() || mean == 0) return fitted;
  mended.forest_ = ClassGrowth(*pool, {std::ssize(rows), 0, 0}, labels, {.of_rows = &start}, settings).grow(mean, context);
  fitted.out_of_fold = std::move(held_out);
  return fitted;
}

Matrix MendedLogits::at(const TableView& x, RowsView rows, Matrix logits, int threads) const {
  if (empty()) return logits;
  logits = bounded_below(logits, scale_);
  const MatrixF all = inputs(x, rows, logits, threads);
  Matrix margins(all.rows(), forest_.outputs());
  forest_.evaluate(all, margins, threads);
  add_margins(margins, logits);
  return logits;
}

void MendedLogits::save(Archive archive) const {
  encoder_.save(archive.scope("encoder"));
  archive.put("scale", scale_);
  forest_.save(archive.scope("forest"));
}

MendedLogits MendedLogits::load(const Archive& archive, const std::vector<Column>& schema, Index classes) {
  MendedLogits mended;
  mended.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  mended.forest_ = Forest::load(archive.scope("forest"), mended.encoder_.columns() + classes, margins_for(classes));
  mended.scale_ = archive.number("scale");
  if (!(mended.scale_ > 0 && mended.scale_ < infinity))
    throw Error("the model file's mended probabilities have no temperature: it is damaged");
  return mended;
}

}  // namespace taut
