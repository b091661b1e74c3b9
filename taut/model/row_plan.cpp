#include <taut/model/row_plan.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/split.hpp>
#include <taut/model/imported.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr Index folds_of_cross = 5;
// Three folds of one row: each predictor is trained on the other two, the fewest that can differ. A fourth row calibrates.
constexpr Index least_rows_of_cross = 3;

// A fifth of the rows calibrates. Where that is fewer than the 19 rows with which the level 0.95 can be kept, they take up to a
// half: an interval that is the whole line is of no use, however good the model behind it.
double calibration_share(Index rows) {
  constexpr double usual = 0.2;
  constexpr Index enough = 19;
  const Index usual_rows = static_cast<Index>(usual * static_cast<double>(rows));
  if (usual_rows >= enough) return usual;
  const Index wanted = std::min({enough, rows / 2, rows - least_rows_of_cross});
  return static_cast<double>(std::max<Index>(1, wanted)) / static_cast<double>(rows);
}

// The fewest rows with which each job makes sense.
struct Job {
  const char* name;
  Index least;
};
constexpr std::array<Job, 4> jobs = {{{"predictor", 5}, {"transformation", 10}, {"validation", 5}, {"calibration", 1}}};

// What is planned: rows, or groups of rows, of which one may be enough.
struct Unit {
  const char* name;
  bool is_group;
  Index least(const Job& job) const { return is_group ? 1 : job.least; }
};
constexpr Unit single_rows{"rows", false}, whole_groups{"groups of --keep-together", true};

[[noreturn]] void throw_too_few(const std::string& source, Index rows, Index least, const std::string& why,
                                const std::string& what = "rows") {
  throw Error(source + ": too few " + what + ": " + why + " needs at least " + print_count(least) + ", there are " +
              print_count(rows) + "; give more " + what + " or another --split");
}

// Groups are planned as rows are; then each stands for its rows, in their order.
class Expansion {
 public:
  explicit Expansion(std::span<const Index> groups) {
    for (std::size_t row = 0; row < groups.size(); ++row) {
      if (groups[row] >= std::ssize(members_)) members_.resize(static_cast<std::size_t>(groups[row]) + 1);
      members_[static_cast<std::size_t>(groups[row])].push_back(static_cast<Index>(row));
    }
  }
  Index groups() const { return std::ssize(members_); }

  RowPlan operator()(const RowPlan& of_groups) const {
    RowPlan plan;
    plan.predictor = rows_of(of_groups.predictor);
    plan.transform = rows_of(of_groups.transform);
    plan.calibration = rows_of(of_groups.calibration);
    for (const auto& part : of_groups.parts) plan.parts.push_back(part_of(of_groups.transform, part));
    for (const auto& fold : of_groups.folds) plan.folds.push_back(part_of(of_groups.predictor, fold));
    return plan;
  }

 private:
  Rows rows_of(RowsView groups) const {
    Rows rows;
    for (const Index group : groups) {
      const Rows& own = members_[static_cast<std::size_t>(group)];
      rows.insert(rows.end(), own.begin(), own.end());
    }
    return rows;
  }
  Index count(RowsView groups) const { return std::ssize(rows_of(groups)); }
  TrainingPart part_of(RowsView groups, const TrainingPart& part) const {
    return {count(groups), count(groups.first(static_cast<std::size_t>(part.begin))),
            count(groups.first(static_cast<std::size_t>(part.end)))};
  }

  std::vector<Rows> members_;
};

std::array<double, 4> read_shares(const FitOptions& options) {
  const bool given = has_f(options);
  if (options.split.empty()) return {0, 0.6, 0.15, 0.25};  // f exists already
  const auto words = split_text(options.split, ',');
  std::vector<double> shares;
  for (const auto& word : words) shares.push_back(parse_number_or_throw(word, "--split"));
  if (given && shares.size() == 3) shares.insert(shares.begin(), 0.0);
  if (shares.size() != 4)
    throw UsageError(
        "--split takes cross or four shares (predictor, transformation, validation, calibration), for example "
        "0.4,0.3,0.1,0.2" +
        std::string(given ? "; with --prediction the last three suffice" : "") + "; got '" + options.split + "'");
  double sum = 0;
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1)) throw UsageError("--split: a share lies between 0 and 1, got '" + options.split + "'");
    sum += share;
  }
  if (sum > 1 + 1e-9)
    throw UsageError("--split: the shares sum to " + print_rounded(sum) + ", more than 1: '" + options.split + "'");
  return {given ? 0 : shares[0], shares[1], shares[2], shares[3]};
}

RowPlan plan_shares(Index rows, const FitOptions& options, bool calibration_elsewhere, const std::string& source,
                    const Unit& unit) {
  auto shares = read_shares(options);
  if (calibration_elsewhere) {
    const double rest = shares[0] + shares[1] + shares[2];
    shares[3] = 0;
    if (rest > 0)
      for (double& share : shares) share /= rest;
  }
  const bool adapts = options.adapts();
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const bool needed = job == 0 ? !has_f(options) : job == 3 ? !calibration_elsewhere : adapts;
    if (!needed) continue;
    if (shares[job] == 0)
      throw UsageError("--split leaves no rows for the " + std::string(jobs[job].name) + ": '" + options.split + "'");
    const auto least = static_cast<Index>(std::ceil(static_cast<double>(unit.least(jobs[job])) / shares[job]));
    if (static_cast<Index>(std::floor(shares[job] * static_cast<double>(rows))) < unit.least(jobs[job]))
      throw_too_few(source, rows, least, "the share for the " + std::string(jobs[job].name), unit.name);
  }
  Random random(static_cast<std::uint64_t>(options.seed));
  auto cut = parts(rows, shares, random);
  RowPlan plan;
  plan.predictor = std::move(cut[0]);
  plan.transform = std::move(cut[1]);
  const Index train = std::ssize(plan.transform);
  plan.transform.insert(plan.transform.end(), cut[2].begin(), cut[2].end());
  plan.parts = {{std::ssize(plan.transform), train, std::ssize(plan.transform)}};
  plan.calibration = std::move(cut[3]);
  return plan;
}

// The folds of f are the folds of φ: each member is judged by residuals and rows that neither its f nor its g has seen.
RowPlan plan_cross(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                   const std::string& source, const Unit& unit) {
  const Index least = calibration_elsewhere ? least_rows_of_cross : least_rows_of_cross + 1;
  if (rows < least) throw_too_few(source, rows, least, "--split cross", unit.name);
  Random random(static_cast<std::uint64_t>(options.seed));
  const double held = calibration_elsewhere ? 0 : calibration_share(rows);
  auto cut = parts(rows, std::array{1 - held, held}, random);
  RowPlan plan;
  plan.calibration = std::move(cut[1]);
  for (const auto& fold : folds(cut[0], std::min(folds_of_cross, std::ssize(cut[0])), random)) {
    const Index begin = std::ssize(plan.transform);
    plan.transform.insert(plan.transform.end(), fold.begin(), fold.end());
    plan.parts.push_back({std::ssize(cut[0]), begin, std::ssize(plan.transform)});
  }
  if (!has_f(options)) {
    plan.predictor = plan.transform;
    plan.folds = plan.parts;
  }
  if (!localizer_crosses) plan.parts.resize(1);
  return plan;
}

}  // namespace

void RowPlan::place(const Rows& rows) {
  for (Rows* part : {&predictor, &transform, &calibration})
    for (Index& row : *part) row = rows[static_cast<std::size_t>(row)];
}

Rows RowPlan::choosing() const {
  Rows rows = predictor;
  if (folds.empty()) rows.insert(rows.end(), transform.begin(), transform.end());  // with folds both are the same rows
  std::sort(rows.begin(), rows.end());
  return rows;
}

Index RowPlan::transform_training_rows() const {
  return static_cast<Index>(transform.size()) - (parts.size() == 1 ? validation_rows() : 0);
}

Index RowPlan::validation_rows() const {
  Index count = 0;
  for (const auto& part : parts) count += part.validation_rows();
  return count;
}

namespace {

RowPlan plan_units(Index count, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                   const std::string& source, const Unit& unit) {
  const bool cross = options.split == "cross" || (options.split.empty() && !has_f(options));
  return cross ? plan_cross(count, options, localizer_crosses, calibration_elsewhere, source, unit)
               : plan_shares(count, options, calibration_elsewhere, source, unit);
}

}  // namespace

RowPlan plan_rows(Index rows, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                  const std::string& source) {
  return plan_units(rows, options, localizer_crosses, calibration_elsewhere, source, single_rows);
}

RowPlan plan_groups(std::span<const Index> groups, const FitOptions& options, bool localizer_crosses, bool calibration_elsewhere,
                    const std::string& source) {
  const Expansion expand(groups);
  return expand(plan_units(expand.groups(), options, localizer_crosses, calibration_elsewhere, source, whole_groups));
}

Index count_calibration_rows(Index rows, const FitOptions& options) {
  const bool cross = options.split == "cross" || (options.split.empty() && !has_f(options));
  const auto n = static_cast<double>(rows);
  // As parts() cuts them: the last part begins where those before it, rounded together, end.
  if (cross) return rows <= least_rows_of_cross ? 0 : rows - std::llround((1 - calibration_share(rows)) * n);
  const auto shares = read_shares(options);
  if (shares[3] * n < 1) return 0;
  const double before = shares[0] + shares[1] + shares[2], all = before + shares[3];
  return (std::abs(all - 1) <= 1e-9 ? rows : std::min<Index>(std::llround(all * n), rows)) - std::llround(before * n);
}

}  // namespace taut
