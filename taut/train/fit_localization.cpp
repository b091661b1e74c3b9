#include <taut/train/fit_localization.hpp>

#include <taut/core/run_concurrently.hpp>
#include <taut/train/figures.hpp>

#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>

namespace taut {

namespace {

// So many validation rows tell candidates apart. Where a few parts have them, only those parts train every candidate; the others
// train the winner. On homes, CASP and facebook_1 that halves the time and chooses the same.
constexpr Index rows_to_judge = 4000;

std::size_t judging_parts(const std::vector<TrainingPart>& parts) {
  std::size_t count = 0;
  for (Index rows = 0; rows < rows_to_judge && count < parts.size(); ++count) rows += parts[count].validation_rows();
  return count;
}

Rows validation_rows(const std::vector<TrainingPart>& parts, std::size_t count) {
  Rows rows;
  for (std::size_t p = 0; p < count; ++p)
    for (Index row = parts[p].begin; row < parts[p].end; ++row) rows.push_back(row);
  return rows;
}

// At most a few thousand of so many rows: more would say no more about a mean.
Rows evenly_spaced(Index count) {
  constexpr Index most = 4096;
  Rows rows;
  for (Index row = 0; row < count; row += (count + most - 1) / most) rows.push_back(row);
  return rows;
}

// A further objective is another aim than the one asked for, so it is taken only where it is clearly better: by 3 % of the
// interval score, of which the figure is the logarithm.
constexpr double clear_lead = 0.03;

constexpr std::string_view stage_name = "training the localizer";

// A localization in the making: its members, and g on the validation rows from the member that did not train on them.
struct Candidate {
  std::string name;
  Localization localization;
  std::vector<std::shared_ptr<const Objective>> objectives;  // one per stage
  Matrix held_out;                                           // in the order of validation_rows
  std::vector<TrainingRecord> records;
  double figure = infinity;
  double lead = 0;  // by so much it must be better than what was kept before
};

// An objective that only the moving parameters follow.
class MovingOnly final : public Objective {
 public:
  explicit MovingOnly(std::shared_ptr<const Objective> whole) : whole_(std::move(whole)) {}

  Index least_batch() const override { return whole_->least_batch(); }
  double least_gain() const override { return whole_->least_gain(); }
  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const double loss = whole_->evaluate(rows, gradient, curvature);
    const Index params = rows.transform.n_params(), moving = rows.transform.n_moving_params();
    if (gradient != nullptr)
      for (int side = 0; side < rows.sides; ++side) {
        gradient->middleCols(side * params + moving, params - moving).setZero();
        curvature->middleCols(side * params + moving, params - moving).setZero();
      }
    return loss;
  }

 private:
  std::shared_ptr<const Objective> whole_;
};

class Search {
 public:
  Search(const Transform& transform, const InputPool& x, const Residuals& residuals, const std::vector<TrainingPart>& parts,
         const LocalizationPlan& plan, const ExecutionContext& context)
      : transform_(transform),
        x_(x),
        residuals_(residuals),
        parts_(parts),
        plan_(plan),
        context_(context),
        judges_(judging_parts(parts)),
        judged_(pick(residuals, validation_rows(parts, judges_))),
        common_(x.gather(evenly_spaced(x.rows()))),
        objective_(objectives().make(plan.objective)),
        judge_(objectives().make(plan.judge.empty() ? plan.objective : plan.judge)) {
    objective_->check(transform);
  }

  FittedLocalization best() {
    FittedLocalization result;
    result.candidates.push_back({"fixed", 1, fixed_figure(), false});
    Candidate kept;
    std::size_t kept_at = 0;
    for (Candidate& candidate : trained_candidates()) {
      result.candidates.push_back({candidate.name, candidate.localization.sides(), candidate.figure, false});
      if (!(candidate.figure < result.candidates[kept_at].figure - candidate.lead)) continue;
      kept_at = result.candidates.size() - 1;
      kept = std::move(candidate);
    }
    result.candidates[kept_at].kept = true;
    result.fell_back = kept_at == 0;
    result.figure = result.candidates[kept_at].figure;
    result.figure_of_parts =
        result.fell_back ? figure_of_parts(constant_params(), 1) : figure_of_parts(kept.held_out, kept.localization.sides());
    if (!result.fell_back) finish(kept);
    result.localization = std::move(kept.localization);
    result.records = std::move(kept.records);
    return result;
  }

 private:
  Candidate untrained(std::string name, int sides) const {
    Candidate candidate;
    candidate.name = std::move(name);
    candidate.localization = Localization(plan_.localizer, sides);
    candidate.localization.members().resize(parts_.size());
    candidate.records.resize(parts_.size());
    return candidate;
  }

  // The chains of candidates at the same time: where only one part judges, a chain has nothing else to share out.
  std::vector<Candidate> trained_candidates() const {
    using Chain = std::function<void(const ExecutionContext&, std::vector<Candidate>&)>;
    std::vector<Chain> chains;
    for (const int sides : plan_.sides) {
      chains.emplace_back([this, sides](const ExecutionContext& context, auto& found) {
        plan_.focus ? focused(sides, context, found) : whole_chain(sides, context, found);
      });
      if (sides == 1 || plan_.focus) continue;
      for (const auto& name : plan_.two_sided)
        chains.emplace_back([this, sides, &name](const ExecutionContext& context, auto& found) {
          found.push_back(trained(untrained(name, sides), objectives().make(name), context));
          found.back().lead = clear_lead;
        });
    }
    std::vector<std::vector<Candidate>> found(chains.size());
    // The longest, those with two sides, stand at the end and begin first.
    run_concurrently(std::ssize(chains), context_, stage_name, [&](Index which, const ExecutionContext& own) {
      const std::size_t chain = chains.size() - 1 - static_cast<std::size_t>(which);
      chains[chain](own, found[chain]);
    });
    std::vector<Candidate> all;
    for (auto& part : found) std::move(part.begin(), part.end(), std::back_inserter(all));
    return all;
  }

  // [the objective that warms up →] the objective; each a candidate.
  void whole_chain(int sides, const ExecutionContext& context, std::vector<Candidate>& found) const {
    Candidate candidate = untrained("", sides);
    if (!plan_.warm_up.empty())
      candidate = added(std::move(candidate), plan_.warm_up, objectives().make(plan_.warm_up), context, found);
    added(std::move(candidate), plan_.objective, objective_, context, found);
  }

  // One stage more; a first stage moves before it bends.
  Candidate added(Candidate candidate, const std::string& name, std::shared_ptr<const Objective> objective,
                  const ExecutionContext& context, std::vector<Candidate>& found) const {
    if (candidate.localization.exponents().empty() && transform_.n_moving_params() > 0) {
      candidate.name = name + ", moved only";
      candidate = trained(std::move(candidate), std::make_shared<MovingOnly>(objective), context);
      found.push_back(candidate);
    }
    candidate.name = name;
    found.push_back(trained(std::move(candidate), objective, context));
    return found.back();
  }

  // size → size with an exponent → the level's own objective, started from there: each a candidate.
  void focused(int sides, const ExecutionContext& context, std::vector<Candidate>& found) const {
    Candidate candidate = added(untrained("", sides), plan_.objective, objective_, context, found);
    if (transform_.is_scale()) {
      const double exponent = best_exponent(candidate);
      candidate.name += " ^ " + print_rounded(exponent);
      candidate.localization.exponents().back() = exponent;
      judge(candidate, context);
      found.push_back(candidate);
    }
    candidate.name = "level:" + print_number(*plan_.focus);
    auto own = objectives().make(candidate.name);
    found.push_back(trained(std::move(candidate), std::move(own), context));
  }

  // Adds one stage to the members that judge.
  Candidate trained(Candidate candidate, std::shared_ptr<const Objective> objective, const ExecutionContext& context) const {
    candidate.objectives.push_back(std::move(objective));
    candidate.localization.exponents().push_back(1);
    train_stage(candidate, candidate.objectives.size() - 1, 0, judges_, context);
    judge(candidate, context);
    return candidate;
  }

  // Trains the members that did not judge, by the same stages.
  void finish(Candidate& candidate) const {
    for (std::size_t stage = 0; stage < candidate.objectives.size(); ++stage)
      train_stage(candidate, stage, judges_, parts_.size(), context_);
    for (std::size_t p = judges_; p < parts_.size(); ++p) centre(candidate.localization, p, context_);
  }

  // One stage of the members `first` ... `end` - 1, each trained on its part.
  void train_stage(Candidate& candidate, std::size_t stage, std::size_t first, std::size_t end,
                   const ExecutionContext& context) const {
    if (first == end) return;
    Localization& all = candidate.localization;
    run_concurrently(static_cast<Index>(end - first), context, stage_name, [&](Index which, const ExecutionContext& own) {
      const std::size_t p = first + static_cast<std::size_t>(which);
      auto& member = all.members()[p];
      const Rows train_rows = parts_[p].train(), validation_rows = parts_[p].validation();
      const Residuals r_train = pick(residuals_, train_rows), r_validation = pick(residuals_, validation_rows);
      Matrix base_train, base_validation;
      if (stage > 0) {
        base_train = all.member_params(member, transform_, x_.gather(train_rows), own.threads);
        base_validation = all.member_params(member, transform_, x_.gather(validation_rows), own.threads);
      }
      TrainingSettings settings = plan_.training;
      settings.sides = all.sides();
      settings.localizer.seed = plan_.training.localizer.seed + 1000 * stage + p;
      auto localizer = localizers().make(plan_.localizer);
      candidate.records[p] = train(*localizer, transform_, *candidate.objectives[stage], x_,
                                   {train_rows, r_train, stage > 0 ? &base_train : nullptr},
                                   {validation_rows, r_validation, stage > 0 ? &base_validation : nullptr}, settings, own);
      member.stages.push_back(std::move(localizer));
    });
  }

  // Centres the members, puts together g on the validation rows and takes the figure there.
  void judge(Candidate& candidate, const ExecutionContext& context) const {
    Localization& all = candidate.localization;
    candidate.held_out.resize(judged_.rows(), transform_.n_params() * all.sides());
    Index first = 0;
    for (std::size_t p = 0; p < judges_; ++p) {
      centre(all, p, context);
      Matrix g = all.member_params(all.members()[p], transform_,
                                   x_.floats().middleRows(parts_[p].begin, parts_[p].validation_rows()), context.threads);
      if (transform_.is_scale()) Localization::rescale(transform_, all.sides(), 1, all.members()[p].centre, g);
      candidate.held_out.middleRows(first, g.rows()) = g;
      first += g.rows();
    }
    candidate.figure = figure(candidate.held_out, all.sides());
  }

  void centre(Localization& all, std::size_t which, const ExecutionContext& context) const {
    auto& member = all.members()[which];
    if (transform_.is_scale())
      member.centre = mean_log_scale(all.member_params(member, transform_, common_, context.threads), all.sides());
  }

  double mean_log_scale(const Matrix& g, int sides) const {
    double sum = 0;
    const Index params = transform_.n_params();
    for (Index i = 0; i < g.rows(); ++i)
      for (int side = 0; side < sides; ++side) sum += transform_.log_scale(g.row(i).data() + side * params);
    return sum / static_cast<double>(g.rows() * sides);
  }

  double figure(const Residuals& residuals, const Matrix& g, int sides) const {
    const ObjectiveRows rows{residuals.size, residuals.side, transform_, g, sides, false, context_.threads};
    return plan_.focus ? level_figures(rows, *plan_.focus).width : judge_->figure(rows);
  }
  double figure(const Matrix& g, int sides) const { return figure(judged_, g, sides); }

  // Every so-manieth row, so that each part has some of every fold.
  std::vector<double> figure_of_parts(const Matrix& g, int sides) const {
    constexpr Index most_parts = 20, least_rows = 20;
    const Index n = judged_.rows(), parts = std::min(most_parts, n / least_rows);
    std::vector<double> figures;
    for (Index part = 0; part < parts; ++part) {
      Rows rows;
      for (Index i = part; i < n; i += parts) rows.push_back(i);
      Matrix own(std::ssize(rows), g.cols());
      for (std::size_t i = 0; i < rows.size(); ++i) own.row(static_cast<Index>(i)) = g.row(rows[i]);
      figures.push_back(figure(pick(judged_, rows), own, sides));
    }
    return figures;
  }

  // One width everywhere, whatever the class.
  Matrix constant_params() const {
    Matrix g(judged_.rows(), transform_.n_params());
    for (Index i = 0; i < g.rows(); ++i) transform_.initial(g.row(i).data());
    return g;
  }
  double fixed_figure() const { return figure(constant_params(), 1); }

  // One exponent for all rows and levels keeps intervals nested; the grid is finer than validation rows can tell apart.
  double best_exponent(const Candidate& candidate) const {
    constexpr double step = 0.05, most = 3;
    double best = 1, least = candidate.figure;
    for (int i = 0; i * step <= most; ++i) {
      Matrix g = candidate.held_out;
      Localization::rescale(transform_, candidate.localization.sides(), i * step, 0, g);
      const double width = figure(g, candidate.localization.sides());
      if (width < least) {
        least = width;
        best = i * step;
      }
    }
    return best;
  }

  const Transform& transform_;
  const InputPool& x_;
  const Residuals& residuals_;
  const std::vector<TrainingPart>& parts_;
  const LocalizationPlan& plan_;
  const ExecutionContext& context_;
  std::size_t judges_;  // so many parts, the first, train every candidate and judge it
  Residuals judged_;    // their validation rows
  MatrixF common_;      // some rows, the same for all members, which centre their scales there
  std::shared_ptr<const Objective> objective_, judge_;
};

}  // namespace

Rows TrainingPart::validation() const {
  Rows result = all_rows(validation_rows());
  for (Index& row : result) row += begin;
  return result;
}

Rows TrainingPart::train() const {
  Rows result = all_rows(rows);
  result.erase(result.begin() + begin, result.begin() + end);
  return result;
}

FittedLocalization fit_localization(const Transform& transform, const InputPool& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const LocalizationPlan& plan,
                                    const ExecutionContext& context) {
  return Search(transform, x, residuals, parts, plan, context).best();
}

}  // namespace taut
