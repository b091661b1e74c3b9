#include <taut/train/candidate_training.hpp>

#include <taut/core/is_lower_loss.hpp>
#include <taut/core/run_concurrently.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

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

// The e for which s^e has the least loss on the validation rows. One for all rows and levels keeps intervals nested; the grid is
// finer than validation rows can tell apart.
double best_exponent(const Candidate& candidate, const Transform& transform, const Validation& validation, int threads) {
  const Traced traced("choose exponent");
  constexpr double step = 0.05, most = 3;
  const int sides = candidate.localization.sides();
  double best = 1, least = candidate.validation_loss;
  for (int i = 0; i * step <= most; ++i) {
    Matrix g = candidate.held_out;
    Localization::rescale(transform, sides, i * step, 0, g);
    const double loss = validation.loss(g, sides, threads);
    if (is_lower_loss(loss, least)) {
      least = loss;
      best = i * step;
    }
  }
  return best;
}

// "size ^ e" becomes "size ^ 1.55".
std::string named_by(const std::string& name, double exponent) {
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

// A loss of log-scales in nats is about a share of the interval score, and so is that of a mean width. Where errors fall with the
// number of rows, all others together can still gain a third of what the last four times as many have; the mean of the members
// gains less than one of them.
Index rows_that_suffice(const MemberTraining& members, const Validation& validation, const LocalizationPlan& plan,
                        const ExecutionContext& context) {
  constexpr double worth_more_rows = 0.01;
  const Index many = plan.training.many_rows, most = plan.training.most_rows;
  if (plan.candidates.empty() || std::min(most, members.rows_to_learn_from()) <= many) return most;
  const Traced traced("train g", [] { return "how many rows"; });
  const CandidatePlan& tried = plan.candidates.back();  // two sides, where they compete: they need the more rows
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
  return gain < worth_more_rows * std::min(1.0, std::abs(losses[0])) ? many : most;
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
        candidate.name = named_by(planned.name, exponent);
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
  mean.name = one.name == other.name ? one.name + ", mean of one side and two" : "mean of " + one.name + " and " + other.name;
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
