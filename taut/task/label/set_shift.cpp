#include <taut/task/label/set_shift.hpp>

#include <taut/task/label/class_score.hpp>
#include <taut/task/label/shift_training.hpp>
#include <taut/core/error.hpp>
#include <taut/core/run_concurrently.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/input_pool.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

double log_odds(double a, double top) { return a <= 0 ? -infinity : a >= top ? infinity : std::log(a / (top - a)); }

namespace {

// How sure f is: the largest probabilities, their entropy, and which label is the most probable.
constexpr Index largest = 3, facts = largest + 2;

void facts_of(std::span<const double> p, float* out) {
  std::vector<Index> order(p.size());
  by_probability(p, order);
  constexpr double least = 1e-12;
  for (Index i = 0; i < largest; ++i) {
    const double own = i < std::ssize(p) ? p[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] : 0;
    *out++ = static_cast<float>(std::log(std::max(own, least)));
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

SetShift::Fitted SetShift::fit(const RowsOfShift& rows, const Matrix& v, std::span<const Index> labels,
                               const std::vector<TrainingPart>& parts, const SetObjective& objective,
                               SetObjective::Goal wanted, std::uint64_t seed, const ExecutionContext& context) {
  SetObjective judge = objective;
  judge.goal = wanted;
  Fitted fitted;
  SetShift& shift = fitted.shift;
  shift.encoder_ = Encoder(Encoding::raw, rows.x, rows.rows);
  const InputPool pool(shift.inputs(rows, context.threads));
  shift.members_.resize(parts.size());
  std::vector<ShiftedRows> validated(parts.size());
  run_concurrently(std::ssize(parts), context, "transformation", [&](Index which, const ExecutionContext& own) {
    const auto at = static_cast<std::size_t>(which);
    auto [forest, g] = train_shift(pool, parts[at], {v, labels}, objective, seed + at, own);
    shift.members_[at] = std::move(forest);
    validated[at] = judge_shift({v, labels}, parts[at], g, judge);
  });
  ShiftedRows all;
  for (const ShiftedRows& one : validated) {
    all.without.insert(all.without.end(), one.without.begin(), one.without.end());
    all.with.insert(all.with.end(), one.with.begin(), one.with.end());
  }
  const auto n = static_cast<double>(all.with.size());
  double difference = 0, square = 0;
  fitted.without = fitted.with = 0;
  for (std::size_t i = 0; i < all.with.size(); ++i) {
    const double own = all.without[i] - all.with[i];
    fitted.without += all.without[i] / n;
    fitted.with += all.with[i] / n;
    difference += own / n;
    square += own * own / n;
  }
  fitted.error = std::sqrt(std::max(0.0, square - difference * difference) / n);
  // One standard error: a g that gains less is as likely to lose on new rows.
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

}  // namespace taut
