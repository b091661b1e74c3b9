#include <taut/task/label/set_shift.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/task/label/class_score.hpp>
#include <taut/trees/booster.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

double log_odds(double a, double top) { return a <= 0 ? -infinity : a >= top ? infinity : std::log(a / (top - a)); }

namespace {

// Summaries of the probabilities as inputs of g: the largest ones, their entropy, and the most probable label.
constexpr Index largest = 3, facts = largest + 2;

void facts_of(std::span<const double> p, float* out) {
  std::vector<Index> order(p.size());
  by_probability(p, order);
  constexpr double minimum = 1e-12;
  for (Index i = 0; i < largest; ++i) {
    const double own = i < std::ssize(p) ? p[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] : 0;
    *out++ = static_cast<float>(std::log(std::max(own, minimum)));
  }
  double entropy = 0;
  for (const double one : p) entropy -= one > 0 ? one * std::log(one) : 0;
  *out++ = static_cast<float>(entropy);
  *out = static_cast<float>(order.front());
}

}  // namespace

MatrixF SetShift::inputs(const RowsOfShift& rows, int threads) const {
  const MatrixF encoded = encoder_.encode(rows.x, rows.rows, threads);
  MatrixF all(encoded.rows(), encoded.cols() + facts);
  parallel_blocks(all.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      all.row(i).head(encoded.cols()) = encoded.row(i);
      facts_of({rows.p.row(i).data(), static_cast<std::size_t>(rows.p.cols())}, all.row(i).data() + encoded.cols());
    }
  });
  return all;
}

SetShift::Fitted SetShift::fit(const RowsOfShift& rows, const Matrix& v, RowLabels labels, const std::vector<TrainingPart>& parts,
                               const SetObjective& objective, SetObjective::Goal wanted, std::uint64_t seed,
                               const ExecutionContext& context) {
  SetObjective judge = objective;
  judge.goal = wanted;
  Fitted fitted;
  SetShift& shift = fitted.shift;
  shift.encoder_ = Encoder(Encoding::raw, rows.x, rows.rows, labels.weights);
  const InputPool pool(shift.inputs(rows, context.threads), {labels.weights.begin(), labels.weights.end()});
  shift.members_.resize(parts.size());
  std::vector<ShiftedRows> validated(parts.size());
  run_concurrently(std::ssize(parts), context, "transformation", [&](Index which, const ExecutionContext& own) {
    const auto at = static_cast<std::size_t>(which);
    auto [forest, g] = train_shift(pool, parts[at], {v, labels}, objective, seed + at, own);
    shift.members_[at] = std::move(forest);
    validated[at] = evaluate_shift({v, labels}, parts[at], g, judge);
  });
  ShiftedRows all;
  for (const ShiftedRows& one : validated) {
    all.without.insert(all.without.end(), one.without.begin(), one.without.end());
    all.with.insert(all.with.end(), one.with.begin(), one.with.end());
  }
  std::vector<double> weights;
  for (const TrainingPart& part : parts) {
    const std::vector<double> own = pick_weights(labels.weights, part.validation());
    weights.insert(weights.end(), own.begin(), own.end());
  }
  const double n = total_weight(weights, std::ssize(all.with));
  double difference = 0, square = 0;
  fitted.without = fitted.with = 0;
  for (std::size_t i = 0; i < all.with.size(); ++i) {
    const double own = all.without[i] - all.with[i], weight = weight_of(weights, static_cast<Index>(i));
    fitted.without += weight * (all.without[i] / n);
    fitted.with += weight * (all.with[i] / n);
    difference += weight * (own / n);
    square += weight * (own * own / n);
  }
  fitted.error = std::sqrt(std::max(0.0, square - difference * difference) / n);
  // A g that gains less than one standard error may as well be worse on new rows.
  if (!std::isfinite(fitted.with) || !(difference > fitted.error)) shift = {};
  return fitted;
}

std::vector<double> SetShift::at(const RowsOfShift& rows, int threads) const {
  std::vector<double> g(rows.rows.size());
  if (empty()) return g;
  const MatrixF all = inputs(rows, threads);
  Matrix one(all.rows(), 1);
  for (const Forest& member : members_) {
    member.evaluate(all, one, threads);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] += one(static_cast<Index>(i), 0) / static_cast<double>(members_.size());
  }
  return g;
}

void SetShift::save(Archive archive) const {
  encoder_.save(archive.scope("encoder"));
  archive.put("members", static_cast<std::int64_t>(members_.size()));
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m].save(archive.scope("member" + std::to_string(m)));
}

SetShift SetShift::load(const Archive& archive, const std::vector<Column>& schema) {
  SetShift shift;
  shift.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  shift.members_.resize(static_cast<std::size_t>(archive.integer_in("members", 1, 1000)));
  for (std::size_t m = 0; m < shift.members_.size(); ++m)
    shift.members_[m] = Forest::load(archive.scope("member" + std::to_string(m)), shift.encoder_.columns() + facts, 1);
  return shift;
}

namespace {

constexpr Index max_shift_rounds = 300, shift_patience = 25;

// A copy of some rows, as an objective takes them.
struct PickedRows {
  Matrix v;
  std::vector<Index> labels;
  std::vector<double> weights;

  PickedRows(const SetRows& all, RowsView rows)
      : v(std::ssize(rows), all.v.cols()), weights(pick_weights(all.labels.weights, rows)) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      v.row(static_cast<Index>(i)) = all.v.row(rows[i]);
      labels.push_back(all.labels[static_cast<std::size_t>(rows[i])]);
    }
  }
  SetRows view() const { return {v, {labels, weights}}; }
};

std::vector<double> margins_of(const Booster& booster, std::span<const std::uint32_t> rows) {
  std::vector<double> g;
  g.reserve(rows.size());
  for (const auto row : rows) g.push_back(static_cast<double>(booster.margins()(row, 0)));
  return g;
}

}  // namespace

TrainedShift train_shift(const InputPool& x, const TrainingPart& part, const SetRows& rows, const SetObjective& objective,
                         std::uint64_t seed, const ExecutionContext& context) {
  const Rows train = part.train(), held = part.validation();
  const PickedRows training(rows, train), validation(rows, held);
  BoosterSettings settings;
  settings.depth = 3;
  const double all = total_weight(training.weights, std::ssize(train));
  settings.rate = all < 5000 ? 0.05 : 0.1;
  settings.min_weight = 10;
  settings.row_share = 0.8;
  settings.bins = 64;
  settings.seed = seed;
  settings.threads = context.threads;
  settings.weights = x.weights();
  Booster booster(x.binned(settings.bins, settings.threads), train, held, settings);
  Matrix gradient, curvature;
  double minimum = infinity;
  Index best = 0;
  for (Index round = 0;; ++round) {
    const double loss =
        objective.value(validation.view(), margins_of(booster, booster.validation_rows()), nullptr, nullptr, context.threads);
    if (loss < minimum) {
      minimum = loss;
      best = round;
      booster.mark();
    }
    if (round == max_shift_rounds || round - best == shift_patience) break;
    objective.value(training.view(), margins_of(booster, booster.train_rows()), &gradient, &curvature, context.threads);
    booster.boost(gradient, curvature, all);
    context.report("transformation", static_cast<double>(round) / static_cast<double>(max_shift_rounds));
  }
  booster.rewind();
  return {booster.forest(), margins_of(booster, booster.validation_rows())};
}

namespace {

std::vector<double> costs(const PickedRows& rows, std::span<const double> g, const SetObjective& objective) {
  std::vector<double> result(g.size()), own(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) own[i] = rows.v(static_cast<Index>(i), rows.labels[i]) - g[i];
  const RepeatedValues sorted(own, rows.weights);
  const Index counted = counted_rows(rows.weights, std::ssize(own));
  for (const double level : objective.levels) {
    const double q = sorted.at(static_cast<double>(std::min(exact_rank(counted, level), counted) - 1));
    for (std::size_t i = 0; i < g.size(); ++i) {
      double cost = 0;
      if (objective.goal == SetObjective::Goal::conditional)
        cost = own[i] > q ? level * (own[i] - q) : (1 - level) * (q - own[i]);
      else
        cost = static_cast<double>((rows.v.row(static_cast<Index>(i)).array() - g[i] <= q).count());
      result[i] += cost / static_cast<double>(objective.levels.size());
    }
  }
  return result;
}

}  // namespace

ShiftedRows evaluate_shift(const SetRows& rows, const TrainingPart& part, std::span<const double> g,
                           const SetObjective& objective) {
  const PickedRows validation(rows, part.validation());
  const std::vector<double> none(g.size());
  return {costs(validation, none, objective), costs(validation, g, objective)};
}

}  // namespace taut
