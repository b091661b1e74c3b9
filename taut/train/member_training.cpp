#include <taut/train/member_training.hpp>

#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

// A random sample of at most `maximum` of these rows, in order.
Rows sampled(Rows rows, Index maximum, const Random& random) {
  if (std::ssize(rows) <= maximum) return rows;
  Rows some = draw(std::ssize(rows), maximum, random);
  for (Index& row : some) row = rows[static_cast<std::size_t>(row)];
  return some;
}

// At most 4096 evenly spaced rows of `count`: more would hardly change a mean.
Rows evenly_spaced(Index count) {
  constexpr Index maximum = 4096;
  Rows rows;
  for (Index row = 0; row < count; row += (count + maximum - 1) / maximum) rows.push_back(row);
  return rows;
}

std::unique_ptr<const Objective> objective_of(const Stage& stage) {
  auto objective = objectives().make(stage.objective);
  if (stage.kind != Stage::Kind::train_moving) return objective;
  return std::make_unique<MovingOnly>(std::move(objective));
}

double mean_log_scale(const Transform& transform, const Matrix& g, int sides, RowWeights weights) {
  double sum = 0;
  const Index params = transform.n_params();
  for (Index i = 0; i < g.rows(); ++i)
    for (int side = 0; side < sides; ++side) sum += weight_of(weights, i) * transform.log_scale(g.row(i).data() + side * params);
  return sum / (total_weight(weights, g.rows()) * sides);
}

}  // namespace

MemberTraining::MemberTraining(const Transform& transform, const InputPool& x, const Residuals& residuals,
                               const std::vector<TrainingPart>& parts, const LocalizationPlan& plan)
    : transform_(transform),
      x_(x),
      residuals_(residuals),
      parts_(parts),
      plan_(plan),
      max_rows_(plan.training.max_rows),
      centring_rows_(x.gather(evenly_spaced(x.rows()))),
      centring_half_widths_(pick(residuals, evenly_spaced(x.rows())).half_width),
      centring_weights_(x.weights_of(evenly_spaced(x.rows()))) {}

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
      return format_text("{}, sides: {}, fold {} of {}", stage.objective, all.sides(), p + 1, parts_.size());
    });
    auto& member = all.members()[p];
    const std::size_t number = member.stages.size();
    const Random random = Random(plan_.training.localizer.seed).fork(p);
    const Rows train_rows = sampled(parts_[p].train(), max_rows_, random.fork(0));
    const Rows validation_rows = sampled(parts_[p].validation(), max_rows_ / 4, random.fork(1));
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

// Measured for boosted trees: 78 bytes for a row with two sides, including the outputs of all rows. Networks, which are trained
// on batches, take less.
std::size_t MemberTraining::bytes_of_one() const {
  return static_cast<std::size_t>(std::min(x_.rows(), max_rows_) * 84 + x_.rows() * 16);
}

void MemberTraining::centre(Localization& localization, std::size_t member, int threads) const {
  if (!transform_.is_scale()) return;
  auto& one = localization.members()[member];
  const Matrix g = localization.member_params(one, transform_, centring_rows_, centring_half_widths_, threads);
  one.centre = mean_log_scale(transform_, g, localization.sides(), centring_weights_);
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
    x_.evict();
    first += count;
  }
  return all;
}

// Compares two members with their mean on rows that trained both. Both overfit these rows, and so does their mean, so the
// difference is due to averaging alone. The mean of two members has half of their variance, the mean of all M members 1/M of it.
double MemberTraining::averaging_gain(const Localization& localization, const Validation& validation, int threads) const {
  constexpr Index max_rows = 4096;
  const std::size_t all = parts_.size(), trained = validation.parts();
  if (all < 3) return 0;
  double sum = 0, pairs = 0;
  for (std::size_t a = 0; a + 1 < trained; a += 2, ++pairs) {
    const TrainingPart& seen = parts_[(a + 2) % all];
    Rows rows = seen.validation();
    if (std::ssize(rows) > max_rows) rows.resize(static_cast<std::size_t>(max_rows));
    const MatrixF x = x_.gather(rows);
    const Residuals residuals = pick(residuals_, rows);
    const auto params = [&](std::size_t m) {
      return localization.centred_params(m, transform_, x, residuals.half_width, threads);
    };
    const auto loss = [&](const Matrix& g) { return validation.loss_on(residuals, g, localization.sides(), threads); };
    const Matrix one = params(a), other = params(a + 1);
    sum += (loss(one) + loss(other)) / 2 - loss(Localization::mean_params(transform_, one, other));
  }
  // A gain that is not finite means that a member is useless, not that the mean is perfect.
  return pairs > 0 && std::isfinite(sum) ? std::max(0.0, 2 * (1 - 1 / static_cast<double>(all)) * sum / pairs) : 0;
}

namespace {

bool begins_with(const CandidatePlan& candidate, const CandidatePlan& other) {
  return candidate.sides == other.sides && candidate.stages.size() > other.stages.size() &&
         std::equal(other.stages.begin(), other.stages.end(), candidate.stages.begin());
}

// Groups of candidates that continue one another, in the order of the plan.
std::vector<std::vector<std::size_t>> chains(const std::vector<std::size_t>& origin) {
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> chain_of;
  for (std::size_t c = 0; c < origin.size(); ++c) {
    chain_of.push_back(origin[c] == c ? all.size() : chain_of[origin[c]]);
    if (origin[c] == c) all.emplace_back();
    all[chain_of[c]].push_back(c);
  }
  return all;
}

// The e for which s^e has the lowest loss on the validation rows. One exponent for all rows and levels keeps intervals nested.
// The grid is finer than validation rows can distinguish.
double best_exponent(const Candidate& candidate, const Transform& transform, const Validation& validation, int threads) {
  const Traced traced("choose exponent");
  constexpr double step = 0.05, maximum = 3;
  const int sides = candidate.localization.sides();
  double best = 1, minimum = candidate.validation_loss;
  for (int i = 0; i * step <= maximum; ++i) {
    Matrix g = candidate.held_out;
    Localization::rescale(transform, sides, i * step, 0, g);
    const double loss = validation.loss(g, sides, threads);
    if (is_lower_loss(loss, minimum)) {
      minimum = loss;
      best = i * step;
    }
  }
  return best;
}

// "size ^ e" becomes "size ^ 1.55".
std::string name_with_exponent(const std::string& name, double exponent) {
  return name.substr(0, name.size() - 1) + print_rounded(exponent);
}

void validate(const MemberTraining& members, const Validation& validation, Candidate& candidate, int threads) {
  const Traced traced("validate g");
  for (std::size_t p = 0; p < validation.parts(); ++p) members.centre(candidate.localization, p, threads);
  candidate.held_out = members.held_out(candidate.localization, validation.parts(), threads);
  candidate.validation_loss = validation.loss(candidate.held_out, candidate.localization.sides(), threads);
}

}  // namespace

std::vector<std::size_t> origins(const std::vector<CandidatePlan>& candidates) {
  std::vector<std::size_t> origin;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    origin.push_back(c);
    std::size_t shared = 0;
    for (std::size_t other = 0; other < c; ++other)
      if (begins_with(candidates[c], candidates[other]) && candidates[other].stages.size() > shared) {
        shared = candidates[other].stages.size();
        origin.back() = other;
      }
  }
  return origin;
}

// A difference of losses in nats is about a relative difference of interval scores or of mean widths. If errors fall in
// proportion to 1/rows, all further rows together can gain a third of what the last quadrupling gained. The mean of the members
// gains less than a single member.
Index sufficient_rows(const MemberTraining& members, const Validation& validation, const LocalizationPlan& plan,
                      const ExecutionContext& context) {
  constexpr double worth_more_rows = 0.01;
  const Index many = plan.training.many_rows, maximum = plan.training.max_rows;
  if (plan.candidates.empty() || std::min(maximum, members.rows_to_learn_from()) <= many) return maximum;
  const Traced traced("train g", [] { return "how many rows"; });
  const CandidatePlan& tried = plan.candidates.back();  // with two sides if both compete: two sides need more rows
  std::array<double, 2> losses{};
  run_concurrently(
      2, context, training_stage_name,
      [&](Index which, const ExecutionContext& own) {
        MemberTraining limited = members;
        limited.limit_rows(which == 0 ? many : many / 4);
        Candidate candidate = limited.untrained(tried.sides);
        candidate.localization.exponents().push_back(1);
        limited.add_stage(candidate, tried.stages.front(), 0, validation.parts(), own);
        validate(limited, validation, candidate, own.threads);
        losses[static_cast<std::size_t>(which)] = candidate.validation_loss;
      },
      members.bytes_of_one());
  const double gain = losses[1] - losses[0];
  return gain < worth_more_rows * std::min(1.0, std::abs(losses[0])) ? many : maximum;
}

std::vector<Candidate> train_candidates(const MemberTraining& members, const Transform& transform, const Validation& validation,
                                        const LocalizationPlan& plan, const ExecutionContext& context) {
  const auto origin = origins(plan.candidates);
  const auto all_chains = chains(origin);
  std::vector<Candidate> trained(plan.candidates.size());
  const auto train_one = [&](std::size_t c, const ExecutionContext& own) {
    const CandidatePlan& planned = plan.candidates[c];
    const bool fresh = origin[c] == c;
    Candidate candidate = fresh ? members.untrained(planned.sides) : trained[origin[c]];
    candidate.name = planned.name;
    for (std::size_t s = fresh ? 0 : plan.candidates[origin[c]].stages.size(); s < planned.stages.size(); ++s) {
      const Stage& stage = planned.stages[s];
      if (stage.kind == Stage::Kind::choose_exponent) {
        const double exponent = best_exponent(candidate, transform, validation, own.threads);
        candidate.localization.exponents().back() = exponent;
        candidate.name = name_with_exponent(planned.name, exponent);
      } else {
        candidate.localization.exponents().push_back(1);
        members.add_stage(candidate, stage, 0, validation.parts(), own);
      }
      validate(members, validation, candidate, own.threads);
    }
    candidate.averaging_gain = members.averaging_gain(candidate.localization, validation, own.threads);
    trained[c] = std::move(candidate);
  };
  // The longest chains, those with two sides, are last in the plan and start first.
  run_concurrently(
      std::ssize(all_chains), context, training_stage_name,
      [&](Index which, const ExecutionContext& own) {
        for (const std::size_t c : all_chains[all_chains.size() - 1 - static_cast<std::size_t>(which)]) train_one(c, own);
      },
      members.bytes_of_one());
  return trained;
}

Candidate mean_candidate(const MemberTraining& members, const Transform& transform, const Validation& validation,
                         const Candidate& one, const Candidate& other, int threads) {
  Candidate mean;
  mean.name =
      one.name == other.name ? one.name + ", mean of one side and two" : format_text("mean of {} and {}", one.name, other.name);
  mean.localization = Localization::mean_of(one.localization, other.localization);
  mean.held_out = Localization::mean_params(transform, one.held_out, other.held_out);
  mean.validation_loss = validation.loss(mean.held_out, mean.localization.sides(), threads);
  mean.averaging_gain = members.averaging_gain(mean.localization, validation, threads);
  return mean;
}

void train_other_members(const MemberTraining& members, const std::vector<Stage>& stages, std::size_t first, Candidate& candidate,
                         const ExecutionContext& context) {
  const std::size_t end = candidate.localization.members().size();
  for (const Stage& stage : stages)
    if (stage.kind != Stage::Kind::choose_exponent) members.add_stage(candidate, stage, first, end, context);
  for (std::size_t p = first; p < end; ++p) members.centre(candidate.localization, p, context.threads);
}

}  // namespace taut
