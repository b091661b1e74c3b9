#include <taut/train/member_training.hpp>

#include <taut/core/draw.hpp>
#include <taut/core/run_concurrently.hpp>
#include <taut/core/trace.hpp>
#include <taut/train/moving_only.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// At most so many of these rows, in order.
Rows drawn(Rows rows, Index most, const Random& random) {
  if (std::ssize(rows) <= most) return rows;
  Rows some = draw(std::ssize(rows), most, random);
  for (Index& row : some) row = rows[static_cast<std::size_t>(row)];
  return some;
}

// At most a few thousand of `count` rows: more would hardly change a mean.
Rows evenly_spaced(Index count) {
  constexpr Index most = 4096;
  Rows rows;
  for (Index row = 0; row < count; row += (count + most - 1) / most) rows.push_back(row);
  return rows;
}

std::unique_ptr<const Objective> objective_of(const Stage& stage) {
  auto objective = objectives().make(stage.objective);
  if (stage.kind != Stage::Kind::train_moving) return objective;
  return std::make_unique<MovingOnly>(std::move(objective));
}

double mean_log_scale(const Transform& transform, const Matrix& g, int sides) {
  double sum = 0;
  const Index params = transform.n_params();
  for (Index i = 0; i < g.rows(); ++i)
    for (int side = 0; side < sides; ++side) sum += transform.log_scale(g.row(i).data() + side * params);
  return sum / static_cast<double>(g.rows() * sides);
}

}  // namespace

MemberTraining::MemberTraining(const Transform& transform, const InputPool& x, const Residuals& residuals,
                               const std::vector<TrainingPart>& parts, const LocalizationPlan& plan)
    : transform_(transform),
      x_(x),
      residuals_(residuals),
      parts_(parts),
      plan_(plan),
      most_rows_(plan.training.most_rows),
      centring_rows_(x.gather(evenly_spaced(x.rows()))),
      centring_half_widths_(pick(residuals, evenly_spaced(x.rows())).half_width) {}

Candidate MemberTraining::untrained(int sides) const {
  Candidate candidate;
  candidate.localization = Localization(plan_.localizer, sides);
  candidate.localization.members().resize(parts_.size());
  candidate.records.resize(parts_.size());
  return candidate;
}

void MemberTraining::add_stage(Candidate& candidate, const Stage& stage, std::size_t first, std::size_t end,
                               const ExecutionContext& context) const {
  if (first == end) return;
  const auto objective = objective_of(stage);
  Localization& all = candidate.localization;
  const auto train_member = [&](Index which, const ExecutionContext& own) {
    const std::size_t p = first + static_cast<std::size_t>(which);
    const Traced traced("train g", [&] {
      return stage.objective + ", sides: " + std::to_string(all.sides()) + ", fold " + std::to_string(p + 1) + " of " +
             std::to_string(parts_.size());
    });
    auto& member = all.members()[p];
    const std::size_t number = member.stages.size();
    const Random random = Random(plan_.training.localizer.seed).fork(p);
    const Rows train_rows = drawn(parts_[p].train(), most_rows_, random.fork(0));
    const Rows validation_rows = drawn(parts_[p].validation(), most_rows_ / 4, random.fork(1));
    const Residuals r_train = pick(residuals_, train_rows), r_validation = pick(residuals_, validation_rows);
    const bool has_base = number > 0 || !residuals_.half_width.empty();
    const auto base = [&](const Rows& rows, const Residuals& of_rows) {
      if (number == 0) return initial_params(transform_, of_rows.half_width, all.sides());
      return all.member_params(member, transform_, x_.gather(rows), of_rows.half_width, own.threads);
    };
    Matrix base_train, base_validation;
    if (has_base) {
      base_train = base(train_rows, r_train);
      base_validation = base(validation_rows, r_validation);
    }
    TrainingSettings settings = plan_.training;
    settings.sides = all.sides();
    settings.localizer.seed = plan_.training.localizer.seed + 1000 * number + p;
    auto localizer = localizers().make(plan_.localizer);
    candidate.records[p] =
        train(*localizer, transform_, *objective, x_, {train_rows, r_train, has_base ? &base_train : nullptr, number > 0},
              {validation_rows, r_validation, has_base ? &base_validation : nullptr, number > 0}, settings, own);
    member.stages.push_back(std::move(localizer));
  };
  run_concurrently(static_cast<Index>(end - first), context, training_stage_name, train_member, bytes_of_one());
}

// Measured: 78 bytes for a row with two sides, of boosted trees, outputs for all rows among them; networks, which learn from
// batches, take less.
std::size_t MemberTraining::bytes_of_one() const {
  return static_cast<std::size_t>(std::min(x_.rows(), most_rows_) * 84 + x_.rows() * 16);
}

void MemberTraining::centre(Localization& localization, std::size_t member, int threads) const {
  if (!transform_.is_scale()) return;
  auto& one = localization.members()[member];
  const Matrix g = localization.member_params(one, transform_, centring_rows_, centring_half_widths_, threads);
  one.centre = mean_log_scale(transform_, g, localization.sides());
}

Matrix MemberTraining::held_out(const Localization& localization, std::size_t parts, int threads) const {
  Matrix all(count_validation_rows(std::span(parts_).first(parts)), transform_.n_params() * localization.sides());
  Index first = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const Index begin = parts_[p].begin, count = parts_[p].validation_rows();
    std::span<const double> half_widths = residuals_.half_width;
    if (!half_widths.empty()) half_widths = half_widths.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    all.middleRows(first, count) =
        localization.centred_params(p, transform_, x_.floats().middleRows(begin, count), half_widths, threads);
    x_.let_rest();
    first += count;
  }
  return all;
}

// Two members on rows that both have seen: what they have learned from these rows' own noise is in their mean as well, so the
// difference is that of averaging alone. Their mean has half of their noise, that of all M the M-th part.
double MemberTraining::averaging_gain(const Localization& localization, const Validation& validation, int threads) const {
  constexpr Index most_rows = 4096;
  const std::size_t all = parts_.size(), trained = validation.parts();
  if (all < 3) return 0;
  double sum = 0, pairs = 0;
  for (std::size_t a = 0; a + 1 < trained; a += 2, ++pairs) {
    const TrainingPart& seen = parts_[(a + 2) % all];
    Rows rows = seen.validation();
    if (std::ssize(rows) > most_rows) rows.resize(static_cast<std::size_t>(most_rows));
    const MatrixF x = x_.gather(rows);
    const Residuals residuals = pick(residuals_, rows);
    const auto params = [&](std::size_t m) {
      return localization.centred_params(m, transform_, x, residuals.half_width, threads);
    };
    const auto loss = [&](const Matrix& g) { return validation.loss_on(residuals, g, localization.sides(), threads); };
    const Matrix one = params(a), other = params(a + 1);
    sum += (loss(one) + loss(other)) / 2 - loss(Localization::mean_params(transform_, one, other));
  }
  // A gain that is not finite says that a member is useless, not that their mean is perfect.
  return pairs > 0 && std::isfinite(sum) ? std::max(0.0, 2 * (1 - 1 / static_cast<double>(all)) * sum / pairs) : 0;
}

}  // namespace taut
