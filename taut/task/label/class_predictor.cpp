#include <taut/task/label/class_predictor.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/task/label/class_growth.hpp>
#include <taut/task/label/corrected_logits.hpp>
#include <taut/task/label/temperature.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr double min_weight = 0.05;  // a member with a lower weight is not worth its prediction time
// rows x columns x labels. Above it, trees alone take minutes, and other members would take as long again.
constexpr double max_pooled = 1e7;

// Folds keep groups together, and are blocks if rows are in order. So held-out logits have not seen related rows.
bool every_row_is_held_out(const std::vector<TrainingPart>& folds, Index rows) {
  return std::ssize(folds) > 1 && count_validation_rows(folds) == rows;
}

// The weights of members. Members below `min_weight` get 0, and the others are weighted again.
std::vector<double> pruned_weights(std::vector<const Matrix*> candidates, RowLabels labels, int threads) {
  std::vector<double> weights = logit_weights(candidates, labels, threads);
  std::vector<const Matrix*> kept;
  for (std::size_t j = 0; j < candidates.size(); ++j)
    if (weights[j] >= min_weight) kept.push_back(candidates[j]);
  if (kept.empty() || kept.size() == candidates.size()) return weights;
  const std::vector<double> again = logit_weights(kept, labels, threads);
  std::size_t next = 0;
  for (double& weight : weights) weight = weight >= min_weight ? again[next++] : 0;
  return weights;
}

}  // namespace

bool ClassPredictor::tries_others(Index rows, Index columns, Index classes, SearchEffort effort) {
  return effort != SearchEffort::quick &&
         static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(classes) <= max_pooled;
}

ClassPredictor::Fitted ClassPredictor::fit(const TableView& x, RowLabels labels, Index classes, const RowPlan& plan,
                                           const FitOptions& options, const ExecutionContext& context) {
  Fitted fitted;
  ClassPredictor& own = fitted.predictor;
  auto trees = ClassTrees::fit(x, labels, classes, plan, options, context);
  own.trees_ = std::move(trees.trees);
  fitted.out_of_fold = std::move(trees.out_of_fold);
  const Index rows = std::ssize(plan.predictor);
  if (!tries_others(rows, std::ssize(x.columns()), classes, options.search_effort()) || !every_row_is_held_out(plan.folds, rows))
    return fitted;
  auto linear = ClassLinear::fit(x, plan.predictor, labels, classes, plan.folds, context);
  if (linear.linear.empty()) return fitted;
  std::vector<const Matrix*> candidates = {&fitted.out_of_fold, &linear.out_of_fold};
  auto weights = pruned_weights(candidates, labels, context.threads);
  CorrectedLogits::Fitted both;
  // If the linear member does not improve on trees, trees that start from it would only repeat the other trees.
  if (weights[of_linear] > 0) {
    BoosterSettings settings = ClassTrees::settings_for(labels.counted(), classes, options, context.threads);
    settings.seed += 1'000;  // other random numbers than those of the trees alone: diverse members are better together
    both = CorrectedLogits::fit(x, plan.predictor, linear.out_of_fold, label_smoothing(labels.counted()), labels, plan.folds,
                                settings, context);
  }
  if (!both.corrected.empty()) {
    candidates.push_back(&both.out_of_fold);
    weights = pruned_weights(candidates, labels, context.threads);
  }
  Matrix together = weighted_logits(candidates, weights);
  if (together.size() == 0) return fitted;
  const double beta = logit_weights({&fitted.out_of_fold}, labels, context.threads).front();
  const ComparedLosses losses = compare_losses(fitted.out_of_fold, beta, together, labels);
  fitted.alone = losses.without;
  fitted.together = losses.with;
  fitted.error = losses.error;
  if (!losses.is_better()) return fitted;
  own.is_pool_ = true;
  own.weights_ = {};
  std::copy(weights.begin(), weights.end(), own.weights_.begin());
  if (!own.has(of_trees)) own.trees_ = {};
  if (own.has(of_linear) || own.has(of_both)) own.linear_ = std::move(linear.linear);
  if (own.has(of_both)) own.from_linear_ = std::move(both.corrected);
  fitted.out_of_fold = std::move(together);
  return fitted;
}

Matrix ClassPredictor::logits(const TableView& x, RowsView rows, int threads) const {
  if (!is_pool_) return trees_.logits(x, rows, threads);
  std::array<Matrix, members> each;
  if (has(of_trees)) each[of_trees] = trees_.logits(x, rows, threads);
  if (has(of_linear) || has(of_both)) each[of_linear] = linear_.logits(x, rows, threads);
  if (has(of_both)) each[of_both] = from_linear_.at(x, rows, each[of_linear], threads);
  return weighted_logits({&each[of_trees], &each[of_linear], &each[of_both]}, weights_);
}

std::vector<std::pair<std::string, double>> ClassPredictor::members_that_count() const {
  std::vector<std::pair<std::string, double>> result;
  constexpr std::array names = {"boost", "logistic", "boost_from_logistic"};
  for (const Member member : {of_trees, of_linear, of_both})
    if (has(member)) result.emplace_back(names[member], weights_[member]);
  return result;
}

std::string ClassPredictor::describe() const {
  if (trees() == 0 && has(of_linear)) return "logistic regression";
  const std::string words = format_text("boosted trees ({})", counted(trees(), "tree"));
  return is_pool_ ? words + " and logistic regression" : words;
}

void ClassPredictor::save(Archive archive) const {
  if (!is_pool_) return trees_.save(archive.scope("trees"));
  Archive pool = archive.scope("pool");
  pool.put("weights", std::vector<double>(weights_.begin(), weights_.end()));
  if (has(of_trees)) trees_.save(pool.scope("trees"));
  if (has(of_linear) || has(of_both)) linear_.save(pool.scope("linear"));
  if (has(of_both)) from_linear_.save(pool.scope("from_linear"));
}

ClassPredictor ClassPredictor::load(const Archive& archive, const std::vector<Column>& schema, Index classes) {
  ClassPredictor own;
  own.is_pool_ = archive.has_scope("pool");
  if (!own.is_pool_) {
    own.trees_ = ClassTrees::load(archive.scope("trees"), schema, classes);
    return own;
  }
  const Archive pool = archive.scope("pool");
  const auto& weights = pool.get<std::vector<double>>("weights");
  const auto fits = [](double weight) { return weight >= 0 && weight < infinity; };
  if (std::ssize(weights) != members || !std::all_of(weights.begin(), weights.end(), fits) ||
      !(*std::max_element(weights.begin(), weights.end()) > 0))
    throw Error("the model file's members have no weights: it is damaged");
  std::copy(weights.begin(), weights.end(), own.weights_.begin());
  if (own.has(of_trees)) own.trees_ = ClassTrees::load(pool.scope("trees"), schema, classes);
  if (own.has(of_linear) || own.has(of_both)) own.linear_ = ClassLinear::load(pool.scope("linear"), schema, classes);
  if (own.has(of_both)) {
    own.from_linear_ = CorrectedLogits::load(pool.scope("from_linear"), schema, classes);
    if (own.from_linear_.empty()) throw Error("the model file's trees that begin at linear logits are missing: it is damaged");
  }
  return own;
}

}  // namespace taut
