#include <taut/task/label/shift_training.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/trees/booster.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index most_rounds = 300, patience = 25;

// Some rows of the matrices, as an objective takes them.
struct PickedRows {
  Matrix v;
  std::vector<Index> labels;

  PickedRows(const SetRows& all, RowsView rows) : v(std::ssize(rows), all.v.cols()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      v.row(static_cast<Index>(i)) = all.v.row(rows[i]);
      labels.push_back(all.labels[static_cast<std::size_t>(rows[i])]);
    }
  }
  SetRows view() const { return {v, labels}; }
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
  settings.rate = std::ssize(train) < 5000 ? 0.05 : 0.1;
  settings.min_weight = 10;
  settings.row_share = 0.8;
  settings.bins = 64;
  settings.seed = seed;
  settings.threads = context.threads;
  Booster booster(x.binned(settings.bins, settings.threads), train, held, settings);
  Matrix gradient, curvature;
  double least = infinity;
  Index best = 0;
  for (Index round = 0;; ++round) {
    const double loss =
        objective.value(validation.view(), margins_of(booster, booster.validation_rows()), nullptr, nullptr, context.threads);
    if (loss < least) {
      least = loss;
      best = round;
      booster.mark();
    }
    if (round == most_rounds || round - best == patience) break;
    objective.value(training.view(), margins_of(booster, booster.train_rows()), &gradient, &curvature, context.threads);
    booster.boost(gradient, curvature, static_cast<double>(train.size()));
    context.report("transformation", static_cast<double>(round) / static_cast<double>(most_rounds));
  }
  booster.rewind();
  return {booster.forest(), margins_of(booster, booster.validation_rows())};
}

namespace {

std::vector<double> costs(const PickedRows& rows, std::span<const double> g, const SetObjective& objective) {
  std::vector<double> result(g.size()), own(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) own[i] = rows.v(static_cast<Index>(i), rows.labels[i]) - g[i];
  std::vector<double> sorted = own;
  std::sort(sorted.begin(), sorted.end());
  for (const double level : objective.levels) {
    const Index rank = std::min(exact_rank(std::ssize(sorted), level), std::ssize(sorted));
    const double q = sorted[static_cast<std::size_t>(rank - 1)];
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

ShiftedRows judge_shift(const SetRows& rows, const TrainingPart& part, std::span<const double> g,
                        const SetObjective& objective) {
  const PickedRows validation(rows, part.validation());
  const std::vector<double> none(g.size());
  return {costs(validation, none, objective), costs(validation, g, objective)};
}

}  // namespace taut
