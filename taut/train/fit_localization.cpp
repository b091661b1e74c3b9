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
        objective_(objectives().make(plan.objective)) {
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
        consider(trained({plan_.objective, Localization(plan_.localizer, sides), {}, {}}, *objective_));
        if (sides == 2)
          for (const auto& name : plan_.two_sided)
            consider(trained({name, Localization(plan_.localizer, sides), {}, {}}, *objectives().make(name)), clear_lead);
      }
    }
    result.candidates[kept_at].kept = true;
    result.fell_back = kept_at == 0;
    result.localization = std::move(kept.localization);
    result.records = std::move(kept.records);
    return result;
  }

 private:
  // size → size with an exponent → the level's own objective, started from there: each a candidate.
  template <class Consider>
  void focused(int sides, const Consider& consider) {
    Candidate candidate = trained({plan_.objective, Localization(plan_.localizer, sides), {}, {}}, *objective_);
    consider(candidate);
    if (!transform_.is_scale()) return;
    const double exponent = best_exponent(candidate);
    candidate.name += " ^ " + print_rounded(exponent);
    candidate.localization.exponents().back() = exponent;
    judge(candidate);
    consider(candidate);
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

  double figure(const Matrix& g, int sides) const {
    const ObjectiveRows rows{judged_.size, judged_.side, transform_, g, sides, false, run_.threads};
    return plan_.focus ? level_figures(rows, *plan_.focus).width : objective_->figure(rows);
  }

  double fixed_figure() const {
    Matrix g(judged_.rows(), transform_.n_params());
    for (Index i = 0; i < g.rows(); ++i) transform_.initial(g.row(i).data());
    return figure(g, 1);
  }

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
  std::unique_ptr<Objective> objective_;
};

}  // namespace

FittedLocalization fit_localization(const Transform& transform, const MatrixF& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const LocalizationPlan& plan, const Run& run) {
  return Search(transform, x, residuals, parts, plan, run).best();
}

}  // namespace taut
