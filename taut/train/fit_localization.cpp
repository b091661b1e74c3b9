#include <taut/train/fit_localization.hpp>

#include <taut/core/side_by_side.hpp>
#include <taut/train/figures.hpp>

#include <cmath>

namespace taut {

namespace {

MatrixF gather(const MatrixF& x, RowsView rows) {
  MatrixF part(static_cast<Index>(rows.size()), x.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) part.row(static_cast<Index>(i)) = x.row(rows[i]);
  return part;
}

Rows all_validation_rows(const std::vector<TrainingPart>& parts) {
  Rows rows;
  for (const auto& part : parts) rows.insert(rows.end(), part.validation.begin(), part.validation.end());
  return rows;
}

// A further objective is another aim than the one asked for, so it is taken only where it is clearly better: by 3 % of the
// interval score, of which the figure is the logarithm.
constexpr double clear_lead = 0.03;

// A localization in the making: its members, and g on the validation rows from the member that did not train on them.
struct Candidate {
  std::string name;
  Localization localization;
  Matrix held_out;  // in the order of all_validation_rows
  std::vector<TrainingRecord> records;
  double figure = infinity;
};

// An objective that only the moving parameters follow.
class MovingOnly final : public Objective {
 public:
  explicit MovingOnly(const Objective& whole) : whole_(whole) {}

  Index least_batch() const override { return whole_.least_batch(); }
  double least_gain() const override { return whole_.least_gain(); }
  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const double loss = whole_.evaluate(rows, gradient, curvature);
    const Index params = rows.transform.n_params(), moving = rows.transform.n_moving_params();
    if (gradient != nullptr)
      for (int side = 0; side < rows.sides; ++side) {
        gradient->middleCols(side * params + moving, params - moving).setZero();
        curvature->middleCols(side * params + moving, params - moving).setZero();
      }
    return loss;
  }

 private:
  const Objective& whole_;
};

class Search {
 public:
  Search(const Transform& transform, const MatrixF& x, const Residuals& residuals, const std::vector<TrainingPart>& parts,
         const LocalizationPlan& plan, const Run& run)
      : transform_(transform),
        x_(x),
        residuals_(residuals),
        parts_(parts),
        plan_(plan),
        run_(run),
        judged_(pick(residuals, all_validation_rows(parts))),
        objective_(objectives().make(plan.objective)),
        judge_(objectives().make(plan.judge.empty() ? plan.objective : plan.judge)) {
    objective_->check(transform);
  }

  FittedLocalization best() {
    FittedLocalization result;
    result.candidates.push_back({"fixed", 1, fixed_figure(), false});
    Candidate kept;
    std::size_t kept_at = 0;
    const auto consider = [&](Candidate candidate, double lead = 0) {
      result.candidates.push_back({candidate.name, candidate.localization.sides(), candidate.figure, false});
      if (!(candidate.figure < result.candidates[kept_at].figure - lead)) return;
      kept_at = result.candidates.size() - 1;
      kept = std::move(candidate);
    };
    for (const int sides : plan_.sides) {
      if (plan_.focus) {
        focused(sides, consider);
      } else {
        whole_chain(sides, consider);
        if (sides == 2)
          for (const auto& name : plan_.two_sided)
            consider(trained({name, Localization(plan_.localizer, sides), {}, {}}, *objectives().make(name)), clear_lead);
      }
    }
    result.candidates[kept_at].kept = true;
    result.fell_back = kept_at == 0;
    result.figure = result.candidates[kept_at].figure;
    result.figure_of_parts =
        result.fell_back ? figure_of_parts(constant_params(), 1) : figure_of_parts(kept.held_out, kept.localization.sides());
    result.localization = std::move(kept.localization);
    result.records = std::move(kept.records);
    return result;
  }

 private:
  // [the objective that warms up →] the objective; each a candidate.
  template <class Consider>
  void whole_chain(int sides, const Consider& consider) {
    Candidate candidate{"", Localization(plan_.localizer, sides), {}, {}};
    if (!plan_.warm_up.empty())
      candidate = added(std::move(candidate), plan_.warm_up, *objectives().make(plan_.warm_up), consider);
    added(std::move(candidate), plan_.objective, *objective_, consider);
  }

  // One stage more; a first stage moves before it bends.
  template <class Consider>
  Candidate added(Candidate candidate, const std::string& name, const Objective& objective, const Consider& consider) {
    if (candidate.localization.exponents().empty() && transform_.n_moving_params() > 0) {
      candidate.name = name + ", moved only";
      candidate = trained(std::move(candidate), MovingOnly(objective));
      consider(candidate);
    }
    candidate.name = name;
    candidate = trained(std::move(candidate), objective);
    consider(candidate);
    return candidate;
  }

  // size → size with an exponent → the level's own objective, started from there: each a candidate.
  template <class Consider>
  void focused(int sides, const Consider& consider) {
    Candidate candidate = added({"", Localization(plan_.localizer, sides), {}, {}}, plan_.objective, *objective_, consider);
    if (transform_.is_scale()) {
      const double exponent = best_exponent(candidate);
      candidate.name += " ^ " + print_rounded(exponent);
      candidate.localization.exponents().back() = exponent;
      judge(candidate);
      consider(candidate);
    }
    candidate.name = "level:" + print_number(*plan_.focus);
    const auto own = objectives().make(candidate.name);
    consider(trained(std::move(candidate), *own));
  }

  // Adds one stage to every member, trained on its part.
  Candidate trained(Candidate candidate, const Objective& objective) {
    Localization& all = candidate.localization;
    all.members().resize(parts_.size());
    candidate.records.assign(parts_.size(), {});
    const std::size_t stages_before = all.exponents().size();
    side_by_side(std::ssize(parts_), run_, "training the localizer", [&](Index which, const Run& own) {
      const auto p = static_cast<std::size_t>(which);
      auto& member = all.members()[p];
      const TrainingPart& part = parts_[p];
      const MatrixF x_train = gather(x_, part.train), x_validation = gather(x_, part.validation);
      const Residuals r_train = pick(residuals_, part.train), r_validation = pick(residuals_, part.validation);
      Matrix base_train, base_validation;
      if (stages_before > 0) {
        base_train = all.member_params(member, transform_, x_train, own.threads);
        base_validation = all.member_params(member, transform_, x_validation, own.threads);
      }
      TrainingSettings settings = plan_.training;
      settings.sides = all.sides();
      settings.localizer.seed = plan_.training.localizer.seed + 1000 * stages_before + p;
      auto localizer = localizers().make(plan_.localizer);
      candidate.records[p] =
          train(*localizer, transform_, objective, {x_train, r_train, stages_before > 0 ? &base_train : nullptr},
                {x_validation, r_validation, stages_before > 0 ? &base_validation : nullptr}, settings, own);
      member.stages.push_back(std::move(localizer));
    });
    all.exponents().push_back(1);
    judge(candidate);
    return candidate;
  }

  // Centres the members, puts together g on the validation rows and takes the figure there.
  void judge(Candidate& candidate) {
    Localization& all = candidate.localization;
    candidate.held_out.resize(judged_.rows(), transform_.n_params() * all.sides());
    Index first = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      auto& member = all.members()[p];
      Matrix g = all.member_params(member, transform_, x_, run_.threads);
      if (transform_.is_scale()) {
        member.centre = mean_log_scale(g, all.sides());
        Localization::rescale(transform_, all.sides(), 1, member.centre, g);
      }
      for (const Index row : parts_[p].validation) candidate.held_out.row(first++) = g.row(row);
    }
    candidate.figure = figure(candidate.held_out, all.sides());
  }

  double mean_log_scale(const Matrix& g, int sides) const {
    double sum = 0;
    const Index params = transform_.n_params();
    for (Index i = 0; i < g.rows(); ++i)
      for (int side = 0; side < sides; ++side) sum += transform_.log_scale(g.row(i).data() + side * params);
    return sum / static_cast<double>(g.rows() * sides);
  }

  double figure(const Residuals& residuals, const Matrix& g, int sides) const {
    const ObjectiveRows rows{residuals.size, residuals.side, transform_, g, sides, false, run_.threads};
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
  const MatrixF& x_;
  const Residuals& residuals_;
  const std::vector<TrainingPart>& parts_;
  const LocalizationPlan& plan_;
  const Run& run_;
  Residuals judged_;
  std::unique_ptr<Objective> objective_, judge_;
};

}  // namespace

FittedLocalization fit_localization(const Transform& transform, const MatrixF& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const LocalizationPlan& plan, const Run& run) {
  return Search(transform, x, residuals, parts, plan, run).best();
}

}  // namespace taut
